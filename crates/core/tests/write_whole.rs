//! Whole files written: content, metadata, links, encodings, and nothing left behind.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test makes real files"
)]

mod writes;

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use llm_chat_file_core::engine::write_text::{WriteTextOptions, write_text};
use llm_chat_file_core::fs::write::{HardLinks, WriteOptions};

use crate::writes::{Granted, write};

#[test]
fn creates_with_parents_and_replaces_whole() {
    let granted = Granted::new();
    for (index, call) in granted.calls().into_iter().enumerate() {
        let name = format!("{index}/deep/er/a.txt");
        let written = write(call, &name, "one", None).unwrap();
        assert!(written.created && written.atomic);
        assert_eq!((written.bytes, written.path), (3, granted.path(&name)));
        let before = std::fs::metadata(granted.path(&name)).unwrap();
        assert_eq!(before.mode() & 0o777, 0o644);
        let written = write(call, &name, "twoo", None).unwrap();
        assert!(!written.created && written.atomic);
        assert_eq!(granted.content(&name), b"twoo");
        assert_eq!(granted.names(&format!("{index}/deep/er")), ["a.txt"]);
    }
}

#[test]
fn words_failures_as_node_does_and_leaves_nothing() {
    let granted = Granted::new();
    granted.make("file", "x");
    std::fs::create_dir(granted.path("dir")).unwrap();
    let root = granted.root.display().to_string();
    for call in granted.calls() {
        let message = |path: &str| write(call, path, "new", None).unwrap_err().to_string();
        let isdir = "EISDIR: illegal operation on a directory, open";
        assert_eq!(message("dir"), format!("{isdir} '{root}/dir'"));
        assert_eq!(message("dir/"), format!("{isdir} '{root}/dir'"));
        assert_eq!(message("."), format!("{isdir} '{root}'"));
        assert_eq!(message("file/x"), format!("EEXIST: file already exists, mkdir '{root}/file'"));
        assert_eq!(message("file/x/y"), format!("ENOTDIR: not a directory, mkdir '{root}/file/x'"));
        let long = "n".repeat(300);
        assert_eq!(
            message(&format!("made/on/{long}")),
            format!("ENAMETOOLONG: name too long, open '{root}/made/on/{long}'")
        );
        assert_eq!(granted.names("."), ["dir", "file"]);
        assert_eq!(granted.names("dir"), [""; 0]);
    }
}

#[test]
fn follows_links_keeps_them_and_stays_within_the_grant_when_it_resolves() {
    let granted = Granted::new();
    let outside = Granted::new();
    granted.make("real/a.txt", "old");
    symlink("real/a.txt", granted.path("link")).unwrap();
    symlink("real/born.txt", granted.path("dangling")).unwrap();
    symlink(outside.path("b.txt"), granted.path("out")).unwrap();
    symlink(&outside.root, granted.path("outdir")).unwrap();
    for call in granted.calls() {
        write(call, "link", "new", None).unwrap();
        assert_eq!(granted.content("real/a.txt"), b"new");
        write(call, "dangling", "born", None).unwrap();
        assert_eq!(granted.content("real/born.txt"), b"born");
        std::fs::remove_file(granted.path("real/born.txt")).unwrap();
        for link in ["link", "dangling", "out"] {
            assert!(std::fs::symlink_metadata(granted.path(link)).unwrap().is_symlink());
        }
    }
    for escape in ["out", "outdir/c.txt", "outdir/new/c.txt"] {
        let refused = write(&granted.strict, escape, "x", None).unwrap_err();
        assert_eq!(refused.code, "ERR_NOT_GRANTED", "{escape}");
    }
    assert_eq!(outside.names("."), [""; 0]);
    write(&granted.call, "outdir/new/c.txt", "x", None).unwrap();
    assert_eq!(outside.content("new/c.txt"), b"x");
}

#[test]
fn keeps_mode_and_drops_set_user_id() {
    let granted = Granted::new();
    let path = granted.make("a.sh", "x");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    write(&granted.call, "a.sh", "y", None).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, 0o751);
}

#[test]
fn keeps_owner_and_extended_attributes() {
    let granted = Granted::new();
    let path = granted.make("a.txt", "x");
    let file = std::fs::File::open(&path).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    let has_attributes = rustix::fs::fsetxattr(&file, c"user.note", b"kept", flags).is_ok();
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        std::os::unix::fs::chown(&path, Some(1234), Some(2345)).unwrap();
    }
    let owner = std::fs::metadata(&path).unwrap();
    write(&granted.call, "a.txt", "y", None).unwrap();
    let now = std::fs::metadata(&path).unwrap();
    assert_eq!((now.uid(), now.gid()), (owner.uid(), owner.gid()));
    if has_attributes {
        let mut value = [0; 4];
        let file = std::fs::File::open(&path).unwrap();
        rustix::fs::fgetxattr(&file, c"user.note", value.as_mut_slice()).unwrap();
        assert_eq!(&value, b"kept");
    }
}

#[test]
fn keeps_the_access_control_list() {
    let granted = Granted::new();
    let path = granted.make("a.txt", "x");
    // Version 2 of `linux/posix_acl_xattr.h`: tag, permissions and id of the owner, of user 1234,
    // of the group, of the mask and of all others.
    let none = u32::MAX;
    let entries = [(1_u16, 6_u16, none), (2, 4, 1234), (4, 4, none), (16, 4, none), (32, 0, none)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend([tag.to_le_bytes(), permissions.to_le_bytes()].concat());
        list.extend(id.to_le_bytes());
    }
    let name = c"system.posix_acl_access";
    let file = std::fs::File::open(&path).unwrap();
    if rustix::fs::fsetxattr(&file, name, &list, rustix::fs::XattrFlags::empty()).is_err() {
        // Not every file system has such lists.
        return;
    }
    write(&granted.call, "a.txt", "y", None).unwrap();
    let mut kept = vec![0; list.len()];
    let file = std::fs::File::open(&path).unwrap();
    rustix::fs::fgetxattr(&file, name, kept.as_mut_slice()).unwrap();
    assert_eq!(kept, list);
    assert_eq!(granted.content("a.txt"), b"y");
}

#[test]
fn keeps_the_encoding_that_a_mark_announces() {
    let granted = Granted::new();
    for (before, after) in [
        (&b"\xef\xbb\xbfold"[..], &b"\xef\xbb\xbfn\xc3\xbc"[..]),
        (b"\xff\xfeo\0", b"\xff\xfen\0\xfc\0"),
        (b"\xfe\xff\0o", b"\xfe\xff\0n\0\xfc"),
        (b"old", b"n\xc3\xbc"),
        (b"", b"n\xc3\xbc"),
    ] {
        granted.make("a.txt", before);
        write(&granted.call, "a.txt", "n\u{fc}", None).unwrap();
        assert_eq!(granted.content("a.txt"), after);
        // A mark that the caller passes on is not doubled.
        if before.len() > 3 {
            write(&granted.call, "a.txt", "\u{feff}n\u{fc}", None).unwrap();
            assert_eq!(granted.content("a.txt"), after);
        }
    }
}

#[test]
fn hard_links_are_replaced_or_kept() {
    let granted = Granted::new();
    granted.make("a", "old");
    std::fs::hard_link(granted.path("a"), granted.path("b")).unwrap();
    let keep = WriteTextOptions {
        write: WriteOptions { hard_links: HardLinks::Keep, ..WriteOptions::default() },
        ..WriteTextOptions::default()
    };
    let written = write_text(&granted.call, "a", "longer than before", &keep, None).unwrap();
    assert!(!written.atomic);
    assert_eq!(granted.content("b"), b"longer than before");
    write_text(&granted.call, "b", "short", &keep, None).unwrap();
    assert_eq!(granted.content("a"), b"short");
    assert!(write(&granted.call, "a", "own", None).unwrap().atomic);
    assert_eq!((granted.content("a"), granted.content("b")), (b"own".to_vec(), b"short".to_vec()));
}

#[test]
fn create_only_refuses_what_exists() {
    let granted = Granted::new();
    let only = WriteTextOptions { create_only: true, ..WriteTextOptions::default() };
    write_text(&granted.call, "a", "1", &only, None).unwrap();
    let refused = write_text(&granted.call, "a", "2", &only, None).unwrap_err();
    let path = granted.path("a");
    assert_eq!(
        refused.to_string(),
        format!("EEXIST: file already exists, open '{}'", path.display())
    );
    assert_eq!(granted.content("a"), b"1");
}

#[test]
fn refuses_special_files_without_waiting() {
    let granted = Granted::new();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, granted.path("pipe"), rustix::fs::FileType::Fifo, mode, 0)
        .unwrap();
    for call in granted.calls() {
        assert_eq!(write(call, "pipe", "x", None).unwrap_err().code, "ERR_NOT_REGULAR");
    }
}

#[test]
fn the_next_write_to_a_name_sweeps_what_a_killed_one_left() {
    let granted = Granted::new();
    granted.make("a.txt", "x");
    let hash = xxhash_rust::xxh3::xxh3_64(b"a.txt");
    let stale = format!(".{hash:016x}-0123456789abcdef.llmfs");
    granted.make(&stale, "half");
    granted.make(".0000000000000000-01.llmfs", "of another name");
    write(&granted.call, "a.txt", "y", None).unwrap();
    assert_eq!(granted.names("."), [".0000000000000000-01.llmfs", "a.txt"]);
}

#[test]
fn makes_a_missing_root() {
    let granted = Granted::new();
    for strict in [false, true] {
        let root = granted.path(&format!("root-{strict}/ws"));
        let call = crate::writes::call_on(&root, strict);
        write(&call, "sub/a.txt", "x", None).unwrap();
        assert_eq!(std::fs::read(root.join("sub/a.txt")).unwrap(), b"x");
    }
}
