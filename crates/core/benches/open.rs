//! What a permit costs: opening and reading a file of 2 KB through the gate, beside a plain open.
//!
//! `cargo bench -p llm-chat-file-core --bench open`
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the benchmark makes real files, and opens them past the gate for comparison"
)]

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use divan::Bencher;
use llm_chat_file_core::access::{GrantSpec, Policy, PolicySpec, Read, RightKind};
use llm_chat_file_core::fs::read::open_regular;

const SIZE: usize = 2048;

/// Directories between the grant's root and the file.
const DEPTHS: [usize; 3] = [1, 5, 11];

struct Tree {
    base: tempfile::TempDir,
    file: PathBuf,
}

fn tree(depth: usize) -> Tree {
    let base = tempfile::tempdir().unwrap();
    let mut directory = base.path().canonicalize().unwrap();
    for level in 0..depth {
        directory.push(format!("level-{level}"));
    }
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("file.txt");
    std::fs::write(&file, vec![b'x'; SIZE]).unwrap();
    Tree { base, file }
}

/// The policy as one call sees it.
fn policy(tree: &Tree, resolve_symlinks: bool) -> Arc<Policy> {
    let path = tree.base.path().canonicalize().unwrap();
    let grants = vec![GrantSpec { right: RightKind::Read, path }];
    let policy =
        Policy::new(PolicySpec { grants, resolve_symlinks, ..PolicySpec::default() }, None);
    policy.for_call()
}

#[divan::bench(args = DEPTHS)]
fn plain(bencher: Bencher<'_, '_>, depth: usize) {
    let tree = tree(depth);
    let mut buffer = [0; SIZE + 1];
    bencher.bench_local(|| {
        let mut file = std::fs::File::open(&tree.file).unwrap();
        assert!(file.metadata().unwrap().is_file());
        file.read(&mut buffer).unwrap()
    });
}

#[divan::bench(args = DEPTHS)]
fn links_resolved(bencher: Bencher<'_, '_>, depth: usize) {
    let tree = tree(depth);
    through_permit(bencher, &tree, &policy(&tree, true));
}

#[divan::bench(args = DEPTHS)]
fn links_followed(bencher: Bencher<'_, '_>, depth: usize) {
    let tree = tree(depth);
    through_permit(bencher, &tree, &policy(&tree, false));
}

fn through_permit(bencher: Bencher<'_, '_>, tree: &Tree, policy: &Arc<Policy>) {
    let mut buffer = [0; SIZE + 1];
    bencher.bench_local(|| {
        let permit = policy.permit::<Read>(&tree.file).unwrap();
        let mut file = open_regular(&permit).unwrap();
        file.fill(&mut buffer).unwrap()
    });
}

fn main() {
    divan::main();
}
