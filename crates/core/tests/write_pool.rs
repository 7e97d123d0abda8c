//! Read before write: what the pool allows, refuses, forgets and carries along.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test makes real files"
)]

mod writes;

use std::os::unix::fs::{MetadataExt as _, symlink};
use std::time::{Duration, SystemTime};

use llm_chat_file_core::Cancel;
use llm_chat_file_core::access::Write;
use llm_chat_file_core::engine::remove::remove;
use llm_chat_file_core::engine::rename::rename;
use llm_chat_file_core::fs::open::target_slot;
use llm_chat_file_core::fs::write::{self as replacing, Expect, WriteOptions};
use llm_chat_file_core::pool::Pool;

use crate::writes::{Granted, edit, replace, write};

#[test]
fn the_published_contract() {
    let granted = Granted::new();
    let pool = Pool::new();
    let path = granted.make("a", "x");
    let code = |allow_new| pool.verify_write(&path, allow_new).err().map(|error| error.code);
    assert_eq!(code(false), Some("ERR_NOT_READ"));
    assert_eq!(code(true), Some("ERR_NOT_READ"));
    let message = pool.verify_write(&path, false).unwrap_err().to_string();
    assert_eq!(message, format!("File must be read before writing: {}", path.display()));
    pool.record_read(&path);
    assert_eq!(code(false), None);
    pool.record_write(&path);
    assert_eq!(code(false), None);

    let later = SystemTime::now() + Duration::from_secs(1);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    let message = pool.verify_write(&path, false).unwrap_err().to_string();
    assert_eq!(message, format!("File has changed since last read: {}", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert_eq!((code(false), code(true)), (None, None));

    let never = granted.path("never/was");
    assert!(pool.verify_write(&never, true).is_ok());
    assert!(pool.verify_write(&never, false).is_err());
}

#[test]
fn a_change_of_the_same_size_and_time_is_found() {
    let granted = Granted::new();
    let pool = Pool::new();
    let path = granted.make("a", "one");
    pool.record_read(&path);
    let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, "two").unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(write(&granted.call, "a", "x", Some(&pool)).unwrap_err().code, "ERR_CHANGED");
    assert_eq!(granted.content("a"), b"two");
    // Touched, but not changed.
    pool.record_read(&path);
    std::fs::write(&path, "two").unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    write(&granted.call, "a", "x", Some(&pool)).unwrap();
}

/// A file that is written anew gets the lowest free inode, often that of the file which it replaced,
/// and within a tick of the clock its time stamps too.
#[test]
fn a_file_cannot_take_the_place_of_the_one_that_was_seen() {
    let granted = Granted::new();
    let pool = Pool::new();
    let path = granted.make("a", "one");
    pool.record_read(&path);
    let slot = target_slot(&granted.call.place::<Write>("a").unwrap(), "open").unwrap();
    let cancel = Cancel::new();
    let seen = pool.verify(&slot, false, &cancel).unwrap().unwrap();
    assert!(seen.file.is_some(), "its time stamps are too young to tell");
    for _ in 0..64 {
        let draft = granted.make("draft", "two");
        assert_ne!(std::fs::metadata(&draft).unwrap().ino(), seen.metadata.inode);
        std::fs::rename(&draft, &path).unwrap();
    }
    let written =
        replacing::write(&slot, b"x", Expect::Seen(&seen), &WriteOptions::default(), &cancel);
    assert_eq!(written.unwrap_err().code, "ERR_CHANGED");
    assert_eq!(granted.content("a"), b"two");
    assert_eq!(granted.names("."), ["a"]);
}

#[test]
fn a_file_from_the_future_can_be_edited_once_it_was_read() {
    let granted = Granted::new();
    let pool = Pool::new();
    let path = granted.make("a", "one");
    let future = SystemTime::now() + Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(future).unwrap();
    pool.record_read(&path);
    edit(&granted.call, "a", &[replace("one", "two")], Some(&pool)).unwrap();
    edit(&granted.call, "a", &[replace("two", "three")], Some(&pool)).unwrap();
    assert_eq!(granted.content("a"), b"three");
}

#[test]
fn a_read_through_a_link_counts_for_the_file() {
    let granted = Granted::new();
    granted.make("real/a", "one");
    symlink("real", granted.path("dir")).unwrap();
    symlink("dir/a", granted.path("link")).unwrap();
    let pool = Pool::new();
    assert_eq!(
        edit(&granted.call, "real/a", &[replace("one", "x")], Some(&pool)).unwrap_err().code,
        "ERR_NOT_READ"
    );
    pool.record_read(&granted.path("link"));
    for (call, path) in
        [(&granted.call, "real/a"), (&granted.strict, "dir/a"), (&granted.call, "link")]
    {
        edit(call, path, &[replace("e", "e.")], Some(&pool)).unwrap();
    }
    assert_eq!(granted.content("real/a"), b"one...");
}

#[test]
fn removal_forgets_and_a_move_carries_along() {
    let granted = Granted::new();
    let pool = Pool::new();
    for name in ["a", "dir/b", "dir/sub/c"] {
        pool.record_read(&granted.make(name, "x"));
    }
    rename(&granted.call, "a", "moved/a2", Some(&pool)).result.unwrap();
    rename(&granted.call, "dir", "dir2", Some(&pool)).result.unwrap();
    granted.make("a", "somebody else's");
    assert!(pool.verify_write(&granted.path("a"), true).is_err());
    for name in ["moved/a2", "dir2/b", "dir2/sub/c"] {
        pool.verify_write(&granted.path(name), false).unwrap();
    }
    remove(&granted.call, "moved/a2", false, Some(&pool)).unwrap().result.unwrap();
    remove(&granted.call, "dir2", true, Some(&pool)).unwrap().result.unwrap();
    for name in ["moved/a2", "dir2/b", "dir2/sub/c"] {
        granted.make(name, "x");
        assert_eq!(
            pool.verify_write(&granted.path(name), true).unwrap_err().code,
            "ERR_NOT_READ",
            "{name}"
        );
    }
}

#[test]
fn own_writes_count_as_read() {
    let granted = Granted::new();
    let pool = Pool::new();
    write(&granted.call, "a", "1", Some(&pool)).unwrap();
    write(&granted.call, "a", "2", Some(&pool)).unwrap();
    edit(&granted.call, "a", &[replace("2", "3")], Some(&pool)).unwrap();
    std::fs::remove_file(granted.path("a")).unwrap();
    write(&granted.call, "a", "4", Some(&pool)).unwrap();
    assert_eq!(granted.content("a"), b"4");
    granted.make("b", "unread");
    assert_eq!(write(&granted.call, "b", "x", Some(&pool)).unwrap_err().code, "ERR_NOT_READ");
}
