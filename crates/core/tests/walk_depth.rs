//! A tree deeper than any path may be long, walked with a bounded number of descriptors. Alone in
//! its process, whose descriptors it counts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "the test makes a real tree and counts descriptors")]

#[path = "trees/call.rs"]
mod call;
#[path = "trees/dig.rs"]
mod dig;

use llm_chat_file_core::access::PolicySpec;
use llm_chat_file_core::engine::list::{self, ListOptions};
use llm_chat_file_core::engine::walk::{self, ENTER, FILE};

use crate::call::call_with;
use crate::dig::dig;

const DEPTH: usize = 3000;

fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn goes_deep_with_few_descriptors() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    dig(&root, DEPTH);
    let call = call_with(&root, PolicySpec { resolve_symlinks: true, ..PolicySpec::default() });
    let before = open_descriptors();
    let mut walk = walk::open(&call, ".").unwrap();
    let (mut files, mut directories, mut most) = (0, 0, 0);
    while let Some(batch) = walk.next_batch(100).unwrap() {
        assert_eq!(batch.failures, []);
        files += batch.kinds.iter().filter(|kind| **kind == FILE).count();
        directories += batch.kinds.iter().filter(|kind| **kind == ENTER).count();
        most = most.max(open_descriptors());
    }
    assert_eq!((files, directories), (DEPTH, DEPTH * 2));
    assert!(most <= before + 40, "{most} descriptors, {before} before");

    let options = ListOptions { recursive: true, max_entries: usize::MAX, max_shown: 0 };
    let listing = list::list(&call, ".", options).unwrap();
    assert_eq!((listing.files, listing.directories), (DEPTH, DEPTH * 2));
    assert_eq!(listing.unreadable, 0);
}
