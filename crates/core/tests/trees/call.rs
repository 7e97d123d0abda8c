//! Calls for tests.

use std::path::Path;

use llm_chat_file_core::Cancel;
use llm_chat_file_core::access::{GrantSpec, Policy, PolicySpec, RightKind};
use llm_chat_file_core::engine::{AnswerBudget, Call};

/// A call that may read beneath `root`, which is its current path.
pub(crate) fn call_with(root: &Path, spec: PolicySpec) -> Call {
    let grants = vec![GrantSpec { right: RightKind::Read, path: root.to_path_buf() }];
    Call {
        policy: Policy::new(PolicySpec { grants, ..spec }, None),
        cwd: root.to_path_buf(),
        cancel: Cancel::new(),
        gatekeeper: None,
        budget: AnswerBudget::default(),
    }
}
