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
use llm_chat_file_core::engine::search::{self, Dates, EntryKind, Query};
use llm_chat_file_core::engine::walk::{self, ENTER, FILE};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::call::call_with;
use crate::dig::dig;

/// Names of one letter: the deepest path has 4,400 bytes, more than the kernel takes at once.
const DEPTH: usize = 2200;

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

    let limits = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..limits }).unwrap();
    let options = ListOptions { recursive: true, max_entries: usize::MAX, max_shown: 0 };
    let listing = list::list(&call, ".", options);
    let answer = search::search(&call, ".", &everything());
    // Removing the tree takes more.
    setrlimit(Resource::Nofile, limits).unwrap();
    let listing = listing.unwrap();
    assert_eq!((listing.files, listing.directories), (DEPTH, DEPTH * 2));
    assert_eq!(listing.unreadable, 0);
    let answer = answer.unwrap();
    assert_eq!((answer.results.len(), answer.is_complete()), (DEPTH * 3, true));
}

fn everything() -> Query {
    Query {
        name: None,
        content: None,
        kind: EntryKind::Both,
        dates: Dates::default(),
        max_size: None,
        max_file_size: u64::MAX,
        max_results: usize::MAX,
        max_entries: usize::MAX,
        timeout_ms: 600_000.0,
        threads: 4,
        progress: None,
    }
}
