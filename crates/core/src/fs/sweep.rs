//! Removes what killed writers left behind.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags};

use crate::fs::temporary::is_temporary;

/// Entries of a directory looked at for leftovers: enough for any directory people work in, and a
/// bound (about 3 ms) on what a write in a huge one costs.
const MAX_ENTRIES: usize = 16 * 1024;

/// Removes from `directory` the temporaries whose names begin with `prefix` and whose writers are
/// gone: those that nobody holds a lock on. What cannot be looked at or removed stays.
pub(in crate::fs) fn sweep(directory: BorrowedFd<'_>, prefix: &str) {
    // The directory may be held only as a place (`O_PATH`), which cannot be read.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(directory, ".", flags, Mode::empty());
    let Ok(entries) = opened.and_then(Dir::new) else { return };
    for entry in entries.take(MAX_ENTRIES).flatten() {
        let name = entry.file_name().to_bytes();
        if name.starts_with(prefix.as_bytes()) && is_temporary(name) {
            remove_leftover(directory, OsStr::from_bytes(name));
        }
    }
}

fn remove_leftover(directory: BorrowedFd<'_>, name: &OsStr) {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(directory, name, flags | OFlags::RDONLY, Mode::empty())
        .or_else(|_| rustix::fs::openat(directory, name, flags | OFlags::WRONLY, Mode::empty()));
    let Ok(file) = opened else { return };
    let Ok(stat) = rustix::fs::fstat(&file) else { return };
    let user = rustix::process::geteuid();
    let is_ours = stat.st_uid == user.as_raw() || user.is_root();
    if !FileType::from_raw_mode(stat.st_mode).is_file() || !is_ours {
        return;
    }
    if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    // A live writer may have moved the file from under the name before the lock was got.
    let is_same = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|now| now.st_ino == stat.st_ino && now.st_dev == stat.st_dev);
    if is_same {
        let _ = rustix::fs::unlinkat(directory, name, AtFlags::empty());
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn removes_only_what_no_writer_holds() {
        let base = tempfile::tempdir().unwrap();
        let dead = base.path().join(".0123456789abcdef-00.llmfs");
        let live = base.path().join(".0123456789abcdef-01.llmfs");
        let other = base.path().join(".1123456789abcdef-00.llmfs");
        let plain = base.path().join("0123456789abcdef");
        for path in [&dead, &live, &other, &plain] {
            std::fs::write(path, "x").unwrap();
        }
        let held = rustix::fs::open(&live, OFlags::RDONLY, Mode::empty()).unwrap();
        rustix::fs::flock(&held, FlockOperation::NonBlockingLockShared).unwrap();
        let flags = OFlags::DIRECTORY | crate::fs::platform::O_PATH;
        let directory = rustix::fs::open(base.path(), flags, Mode::empty()).unwrap();
        sweep(directory.as_fd(), ".0123456789abcdef-");
        assert!(!dead.exists() && live.exists() && other.exists() && plain.exists());
    }
}
