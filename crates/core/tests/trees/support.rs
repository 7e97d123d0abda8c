//! Trees on a real disk, and what a plain walk finds in them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use llm_chat_file_core::Result;
use llm_chat_file_core::access::{PolicySpec, RightKind};
use llm_chat_file_core::engine::{Call, Gatekeeper};
use llm_chat_file_core::fs::stat::Kind;

use crate::call::call_with;

/// A call with links resolved and nothing skipped.
pub(crate) fn call(root: &Path) -> Call {
    call_with(root, PolicySpec { resolve_symlinks: true, ..PolicySpec::default() })
}

/// Numbers that look random and are the same every time (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

const NAMES: [&str; 14] =
    ["a", "b", "B", "a.c", "ab", "a-b", "..foo", ".z", "10", "9", "é", "src", "skip", "x\ny"];

const LINES: [&str; 8] = [
    "needle here",
    "NEEDLE",
    "  plain text",
    "",
    "other needle needle",
    "é needle",
    "\u{1f600}",
    "end",
];

/// Fills `root` with directories, files of lines and links.
pub(crate) fn grow(root: &Path, numbers: &mut Numbers, depth: u64) {
    for _ in 0..numbers.below(7) {
        let name = NAMES[numbers.below(NAMES.len() as u64) as usize];
        let path = root.join(name);
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match numbers.below(8) {
            0..3 if depth > 0 => {
                std::fs::create_dir(&path).unwrap();
                grow(&path, numbers, depth - 1);
            }
            3 => std::os::unix::fs::symlink("a", &path).unwrap(),
            _ => {
                let mut text = String::new();
                for _ in 0..numbers.below(6) {
                    text.push_str(LINES[numbers.below(LINES.len() as u64) as usize]);
                    text.push_str(if numbers.below(4) == 0 { "\r\n" } else { "\n" });
                }
                if numbers.below(3) == 0 {
                    text.push_str("no newline, needle");
                }
                if numbers.below(9) == 0 {
                    text.insert(0, '\0');
                }
                std::fs::write(&path, text).unwrap();
            }
        }
    }
}

/// What a plain recursive walk gives: directories and regular files, depth first, by bytes.
pub(crate) fn reference(root: &Path, skipped: &[&str]) -> Vec<(PathBuf, Kind)> {
    let mut found = Vec::new();
    let sorted: BTreeMap<_, _> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().as_bytes().to_vec(), entry))
        .collect();
    for (name, entry) in sorted {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            if skipped.iter().any(|skipped| skipped.as_bytes() == name) {
                continue;
            }
            found.push((entry.path(), Kind::Directory));
            found.extend(reference(&entry.path(), skipped));
        } else if kind.is_file() {
            found.push((root.join(OsStr::from_bytes(&name)), Kind::File));
        }
    }
    found
}

/// Runs the test `name` of this binary as an ordinary user, if this process is root, whom no mode
/// bits stop. Returns whether the test is to run in this process.
pub(crate) fn as_ordinary_user(name: &str) -> bool {
    let probe = tempfile::tempdir().unwrap();
    let locked = probe.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    set_mode(&locked, 0);
    if std::fs::read_dir(&locked).is_err() {
        set_mode(&locked, 0o700);
        return true;
    }
    #[expect(clippy::disallowed_types, reason = "the test changes its user")]
    let status = std::process::Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .status();
    // Without setpriv there is no other user to be.
    assert!(status.is_err() || status.unwrap().success());
    false
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Refuses every path with `secret` as a name, and counts the questions.
#[derive(Debug, Default)]
pub(crate) struct NoSecrets(Mutex<Vec<usize>>);

impl NoSecrets {
    /// How many paths each question was about.
    pub(crate) fn questions(&self) -> Vec<usize> {
        self.0.lock().unwrap().clone()
    }
}

impl Gatekeeper for NoSecrets {
    fn allows(&self, right: RightKind, paths: &[PathBuf]) -> Result<Vec<bool>> {
        assert_eq!(right, RightKind::Read);
        self.0.lock().unwrap().push(paths.len());
        Ok(paths.iter().map(|path| path.file_name() != Some(OsStr::new("secret"))).collect())
    }
}
