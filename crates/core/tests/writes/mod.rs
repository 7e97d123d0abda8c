//! A granted directory and calls on it, for the tests of what writes.
#![expect(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llm_chat_file_core::access::{GrantSpec, Policy, PolicySpec, RightKind};
use llm_chat_file_core::edit::Edit;
use llm_chat_file_core::engine::edit_text::{EditOptions, EditText, edit_text};
use llm_chat_file_core::engine::write_text::{WriteText, WriteTextOptions, write_text};
use llm_chat_file_core::engine::{AnswerBudget, Call};
use llm_chat_file_core::fs::write::WriteOptions;
use llm_chat_file_core::pool::Pool;
use llm_chat_file_core::{Cancel, Result};

/// A directory in which everything may be written.
pub(crate) struct Granted {
    base: tempfile::TempDir,
    /// Its real path.
    pub(crate) root: PathBuf,
    /// A call with links followed as they are.
    pub(crate) call: Call,
    /// A call with links resolved before access is decided.
    pub(crate) strict: Call,
}

impl Granted {
    pub(crate) fn new() -> Self {
        Self::within(&std::env::temp_dir())
    }

    pub(crate) fn within(parent: &Path) -> Self {
        let base = tempfile::tempdir_in(parent).unwrap();
        let root = base.path().canonicalize().unwrap();
        let call = call_on(&root, false);
        let strict = call_on(&root, true);
        Self { base, root, call, strict }
    }

    pub(crate) fn calls(&self) -> [&Call; 2] {
        [&self.call, &self.strict]
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn make(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn content(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Names in a directory, sorted.
    pub(crate) fn names(&self, directory: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path(directory))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn call_on(root: &Path, resolve_symlinks: bool) -> Call {
    let grants = vec![GrantSpec { right: RightKind::Write, path: root.to_path_buf() }];
    let spec = PolicySpec { grants, resolve_symlinks, ..PolicySpec::default() };
    Call {
        policy: Policy::new(spec, None),
        cwd: root.to_path_buf(),
        cancel: Cancel::new(),
        gatekeeper: None,
        budget: AnswerBudget::default(),
    }
}

pub(crate) fn write(call: &Call, path: &str, text: &str, pool: Option<&Pool>) -> Result<WriteText> {
    write_text(call, path, text, &WriteTextOptions::default(), pool)
}

pub(crate) const EDIT: EditOptions = EditOptions {
    max_file_size: 10 << 20,
    max_chars: 100_000,
    dry_run: false,
    write: WriteOptions {
        durability: llm_chat_file_core::fs::write::Durability::Data,
        hard_links: llm_chat_file_core::fs::write::HardLinks::Replace,
    },
};

pub(crate) fn replace(old: &str, new: &str) -> Edit {
    Edit::ReplaceContent { old: old.to_owned(), new: new.to_owned(), all: false }
}

pub(crate) fn append(line: &str) -> Edit {
    Edit::Insert { line: None, content: line.to_owned() }
}

pub(crate) fn edit(
    call: &Call,
    path: &str,
    edits: &[Edit],
    pool: Option<&Pool>,
) -> Result<EditText> {
    edit_text(call, path, edits, &EDIT, pool)
}

/// The policy of a call with `right` on each path, deepest grant first.
pub(crate) fn most_specific(grants: &[(RightKind, &Path)]) -> Arc<Policy> {
    let grants = grants
        .iter()
        .map(|(right, path)| GrantSpec { right: *right, path: path.to_path_buf() })
        .collect();
    let precedence = llm_chat_file_core::access::Precedence::MostSpecific;
    Policy::new(PolicySpec { grants, precedence, ..PolicySpec::default() }, None)
}
