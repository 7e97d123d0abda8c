//! Listings: counts, cut-offs and texts, flat and recursive, against a plain walk.

use std::os::unix::fs::symlink;
use std::path::Path;

use llm_chat_file_core::access::PolicySpec;
use llm_chat_file_core::engine::list::{self, ListOptions, Listing};
use llm_chat_file_core::engine::walk::RootError;
use llm_chat_file_core::fs::stat::Kind;
use llm_chat_file_core::text::shown;
use std::os::unix::ffi::OsStrExt;

use crate::call::call_with;
use crate::support::{Numbers, as_ordinary_user, call, grow, reference, set_mode};

fn options(recursive: bool, max_entries: usize, max_shown: usize) -> ListOptions {
    ListOptions { recursive, max_entries, max_shown }
}

fn line(path: &Path, kind: Kind) -> String {
    let slash = if kind == Kind::Directory { "/" } else { "" };
    format!("{}{slash}", shown::shown(path.as_os_str().as_bytes()))
}

#[test]
fn recursive_listings_are_those_of_a_plain_walk_with_every_limit() {
    for seed in 100..140 {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        grow(&root, &mut Numbers(seed), 5);
        let skip_dirs = vec!["skip".into()];
        let call = call_with(&root, PolicySpec { skip_dirs, ..PolicySpec::default() });
        let all = reference(&root, &["skip"]);
        for max_entries in [0, 1, 2, all.len(), all.len() + 1, usize::MAX] {
            for max_shown in [0, 1, all.len(), usize::MAX] {
                let stopped = !all.is_empty() && all.len() >= max_entries;
                let met = &all[..if stopped { max_entries.max(1) } else { all.len() }];
                let shown = met.len() <= max_shown;
                let lines: Vec<String> = met.iter().map(|(path, kind)| line(path, *kind)).collect();
                let listing =
                    list::list(&call, ".", options(true, max_entries, max_shown)).unwrap();
                let files = met.iter().filter(|(_, kind)| *kind == Kind::File).count();
                assert_eq!(listing.total, met.len(), "seed {seed}, {max_entries}");
                assert_eq!((listing.files, listing.directories), (files, met.len() - files));
                assert_eq!(listing.stopped, stopped);
                assert_eq!(listing.text, if shown { lines.join("\n") } else { String::new() });
                let kinds = if shown { met } else { &[] };
                assert!(kinds.iter().map(|(_, kind)| *kind as u8).eq(listing.kinds));
            }
        }
    }
}

#[test]
fn flat_listings_show_every_kind_as_what_it_is() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("dir")).unwrap();
    std::fs::create_dir(root.join("skip")).unwrap();
    std::fs::write(root.join("file\n"), "").unwrap();
    symlink("dir", root.join("link")).unwrap();
    symlink("nowhere", root.join("skip2")).unwrap();
    let skip_dirs = vec!["skip".into(), "skip2".into()];
    let call = call_with(&root, PolicySpec { skip_dirs, ..PolicySpec::default() });
    let shown = root.display().to_string();
    let whole = Listing {
        path: root.clone(),
        text: format!("{shown}/dir/\n\"{shown}/file\\n\"\n{shown}/link\n{shown}/skip2"),
        kinds: vec![2, 1, 3, 3],
        total: 4,
        files: 1,
        directories: 1,
        others: 2,
        skipped: 1,
        unreadable: 0,
        stopped: false,
    };
    assert_eq!(list::list(&call, ".", options(false, 100, 100)).unwrap(), whole);
    assert_eq!(list::list(&call, " . ", options(false, 5, 4)).unwrap(), whole);
    let counts = Listing { text: String::new(), kinds: vec![], ..whole.clone() };
    assert_eq!(list::list(&call, ".", options(false, 100, 3)).unwrap(), counts);
    let full = Listing { stopped: true, ..whole };
    assert_eq!(list::list(&call, ".", options(false, 4, 100)).unwrap(), full);
    let stopped = Listing { stopped: true, ..counts };
    assert_eq!(list::list(&call, ".", options(false, 1, 100)).unwrap(), stopped);
}

#[test]
fn an_empty_directory_is_empty() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    for recursive in [false, true] {
        let listing = list::list(&call(&root), ".", options(recursive, 1, 1)).unwrap();
        assert_eq!(listing, Listing { path: root.clone(), ..Listing::default() });
    }
}

#[test]
fn tells_what_cannot_be_read() {
    if !as_ordinary_user("list_counts::tells_what_cannot_be_read") {
        return;
    }
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("locked")).unwrap();
    std::fs::write(root.join("z"), "").unwrap();
    set_mode(&root.join("locked"), 0);
    let inside = list::list(&call(&root), "locked", options(false, 9, 9));
    let deep = list::list(&call(&root), ".", options(true, 9, 9)).unwrap();
    let locked = list::list(&call(&root), "locked", options(true, 9, 9)).unwrap();
    set_mode(&root.join("locked"), 0o700);
    let message = format!("EACCES: permission denied, scandir '{}'", root.join("locked").display());
    match inside {
        Err(RootError::Failed(error)) => assert_eq!(error.message, message),
        other => panic!("{other:?}"),
    }
    assert_eq!((deep.unreadable, deep.total, deep.kinds.as_slice()), (1, 2, &[2, 1][..]));
    assert_eq!((locked.unreadable, locked.total), (1, 0));
}

#[test]
fn a_file_is_no_directory() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::write(root.join("file"), "").unwrap();
    for recursive in [false, true] {
        match list::list(&call(&root), "file", options(recursive, 9, 9)) {
            Err(RootError::NotADirectory(path)) => assert_eq!(path, root.join("file")),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn ends_when_cancelled() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::write(root.join("file"), "").unwrap();
    let call = call(&root);
    call.cancel.cancel();
    for recursive in [false, true] {
        match list::list(&call, ".", options(recursive, 9, 9)) {
            Err(RootError::Failed(error)) => assert_eq!(error.code, "ABORT_ERR"),
            other => panic!("{other:?}"),
        }
    }
}
