//! What the plans act on: one directory that may be written, one that may be read, and what lies
//! outside of both.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use llm_chat_file_core::Cancel;
use llm_chat_file_core::access::{GrantSpec, Policy, PolicySpec, RightKind};
use llm_chat_file_core::engine::{AnswerBudget, Call};

/// Directories of one run.
pub(crate) struct World {
    base: PathBuf,
    outside: String,
}

impl World {
    /// Stands in every file outside, and in the name of one.
    pub(crate) const SECRET: &str = "secret";

    pub(crate) fn new(base: &Path) -> Self {
        let out = base.join("out");
        fs::create_dir_all(out.join("sub")).unwrap();
        fs::create_dir_all(base.join("near/b")).unwrap();
        fs::write(out.join("a"), Self::SECRET).unwrap();
        fs::write(out.join("sub").join(Self::SECRET), Self::SECRET).unwrap();
        fs::write(base.join("near/a"), "near").unwrap();
        symlink("../out", base.join("near/c")).unwrap();
        let mut world = Self { base: base.to_path_buf(), outside: String::new() };
        world.outside = world.outside_now();
        world
    }

    pub(crate) fn base(&self) -> &str {
        self.base.to_str().unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base.join("in")
    }

    /// Empties the directory that may be written. It is another one each time, as a root may be.
    pub(crate) fn lay_out(&self) {
        let root = self.root();
        let _ = fs::remove_dir_all(&root);
        fs::create_dir(&root).unwrap();
    }

    /// A call in the directory that may be written.
    pub(crate) fn call(&self) -> Call {
        let grant = |right, name: &str| GrantSpec { right, path: self.base.join(name) };
        let grants = vec![grant(RightKind::Write, "in"), grant(RightKind::Read, "near")];
        let spec = PolicySpec { grants, resolve_symlinks: true, ..PolicySpec::default() };
        Call {
            policy: Policy::new(spec, None),
            cwd: self.root(),
            cancel: Cancel::new(),
            gatekeeper: None,
            budget: AnswerBudget::default(),
        }
    }

    /// All that stands in the directory that may be written.
    pub(crate) fn left(&self) -> String {
        tree(&self.root(), false)
    }

    pub(crate) fn is_outside_changed(&self) -> bool {
        self.outside_now() != self.outside
    }

    /// What stands outside, and in the directory that may only be read; with inodes and times.
    fn outside_now(&self) -> String {
        tree(&self.base.join("out"), true) + &tree(&self.base.join("near"), true)
    }
}

/// Names, kinds and contents beneath a directory, in order.
fn tree(root: &Path, is_exact: bool) -> String {
    let mut said = String::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let found = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(root).unwrap().display();
            let (kind, content) = if found.is_dir() {
                open.push(path.clone());
                ("directory", String::new())
            } else if found.is_symlink() {
                ("link", fs::read_link(&path).unwrap().display().to_string())
            } else {
                ("file", fs::read_to_string(&path).unwrap())
            };
            writeln!(said, "{name}: {kind} {content:?} {:o}", found.mode()).unwrap();
            if is_exact {
                writeln!(said, "{} {} {}", found.ino(), found.ctime(), found.ctime_nsec()).unwrap();
            }
        }
    }
    said
}
