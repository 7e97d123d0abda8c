//! Removes what killed writers left behind.

use std::ffi::OsStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, Dir, DirEntry, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::fs::staged::prefix_for;
use crate::fs::temporary::is_temporary;

/// Entries of a directory looked at for leftovers: enough for any directory people work in, and a
/// bound (about 3 ms) on what a write in a huge one costs.
const MAX_ENTRIES: usize = 16 * 1024;

/// Removes from `directory` what killed writers of `target` left. What cannot be looked at or removed
/// stays, and all of it does while somebody writes to `target`.
pub(in crate::fs) fn sweep(directory: BorrowedFd<'_>, target: &OsStr) {
    let prefix = prefix_for(target);
    let Some(entries) = entries(directory) else { return };
    for entry in entries {
        let name = entry.file_name().to_bytes();
        if name.starts_with(prefix.as_bytes()) && is_temporary(name) {
            remove_leftover(directory, OsStr::from_bytes(name), target);
        }
    }
}

/// Removes from `directory` all that killed writers left, if it holds nothing else. A file that
/// somebody writes to would be there.
pub(in crate::fs) fn sweep_all(directory: BorrowedFd<'_>) {
    let Some(entries) = entries(directory) else { return };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.file_name().to_bytes();
        if is_temporary(name) {
            names.push(OsStr::from_bytes(name).to_os_string());
        } else if !matches!(name, b"." | b"..") {
            return;
        }
    }
    for name in names {
        if let Some(leftover) = Locked::open(directory, &name)
            && leftover.is_ours()
            && leftover.is_in_place()
        {
            leftover.remove();
        }
    }
}

/// The entries of a directory, up to [`MAX_ENTRIES`].
fn entries(directory: BorrowedFd<'_>) -> Option<impl Iterator<Item = DirEntry>> {
    // The directory may be held only as a place (`O_PATH`), which cannot be read.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(directory, ".", flags, Mode::empty());
    Some(opened.and_then(Dir::new).ok()?.take(MAX_ENTRIES).flatten())
}

/// Removes a temporary file for `target`, unless its writer lives. Until the two names are
/// exchanged, the temporary is the file that its writer made and holds a lock on. From then on that
/// file is found under `target`, and the temporary may be anybody's: what another program saved in
/// the last moment, about to be put back. So nobody may hold either, and both must still be where
/// they were when that was found out.
fn remove_leftover(directory: BorrowedFd<'_>, name: &OsStr, target: &OsStr) {
    let is_absent = is_missing(directory, target);
    let target = Locked::open(directory, target);
    if target.is_none() && !is_absent {
        return;
    }
    let Some(leftover) = Locked::open(directory, name) else { return };
    if leftover.is_ours()
        && leftover.is_in_place()
        && target.is_none_or(|target| target.is_in_place())
    {
        leftover.remove();
    }
}

fn is_missing(directory: BorrowedFd<'_>, name: &OsStr) -> bool {
    rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_err_and(|errno| errno == Errno::NOENT)
}

/// A regular file that nobody else holds a lock on.
struct Locked<'d> {
    directory: BorrowedFd<'d>,
    name: &'d OsStr,
    stat: Stat,
    /// Holds the lock.
    _file: OwnedFd,
}

impl<'d> Locked<'d> {
    fn open(directory: BorrowedFd<'d>, name: &'d OsStr) -> Option<Self> {
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = |access| rustix::fs::openat(directory, name, flags | access, Mode::empty());
        let file = open(OFlags::RDONLY).or_else(|_| open(OFlags::WRONLY)).ok()?;
        let stat = rustix::fs::fstat(&file).ok()?;
        if !FileType::from_raw_mode(stat.st_mode).is_file() {
            return None;
        }
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        Some(Self { directory, name, stat, _file: file })
    }

    fn is_ours(&self) -> bool {
        let user = rustix::process::geteuid();
        self.stat.st_uid == user.as_raw() || user.is_root()
    }

    /// Whether it still has the name that it was opened by.
    fn is_in_place(&self) -> bool {
        rustix::fs::statat(self.directory, self.name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|now| now.st_ino == self.stat.st_ino && now.st_dev == self.stat.st_dev)
    }

    fn remove(&self) {
        let _ = rustix::fs::unlinkat(self.directory, self.name, AtFlags::empty());
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    fn open_place(path: &std::path::Path) -> OwnedFd {
        let flags = OFlags::DIRECTORY | crate::fs::platform::O_PATH;
        rustix::fs::open(path, flags, Mode::empty()).unwrap()
    }

    fn hold(path: &std::path::Path) -> OwnedFd {
        let held = rustix::fs::open(path, OFlags::RDONLY, Mode::empty()).unwrap();
        rustix::fs::flock(&held, FlockOperation::NonBlockingLockShared).unwrap();
        held
    }

    #[test]
    fn removes_only_what_no_writer_holds() {
        let base = tempfile::tempdir().unwrap();
        let name = |random: &str| format!("{}{random}.llmfs", prefix_for("a".as_ref()));
        let dead = base.path().join(name("00"));
        let live = base.path().join(name("01"));
        let other = base.path().join(".1123456789abcdef-00.llmfs");
        let plain = base.path().join(name("").trim_end_matches("-.llmfs"));
        for path in [&dead, &live, &other, &plain] {
            std::fs::write(path, "x").unwrap();
        }
        let held = hold(&live);
        let directory = open_place(base.path());
        sweep(directory.as_fd(), "a".as_ref());
        assert!(!dead.exists() && live.exists() && other.exists() && plain.exists());
        drop(held);
        sweep_all(directory.as_fd());
        assert!(live.exists(), "something else is there");
        std::fs::remove_file(&plain).unwrap();
        let held = hold(&other);
        sweep_all(directory.as_fd());
        assert!(!live.exists() && other.exists());
        drop(held);
    }

    #[test]
    fn removes_nothing_while_the_target_is_being_exchanged() {
        let base = tempfile::tempdir().unwrap();
        let target = base.path().join("a");
        let saved = base.path().join(format!("{}00.llmfs", prefix_for("a".as_ref())));
        std::fs::write(&target, "the writer's").unwrap();
        std::fs::write(&saved, "somebody's last save").unwrap();
        let held = hold(&target);
        let directory = open_place(base.path());
        sweep(directory.as_fd(), "a".as_ref());
        assert!(saved.exists());
        drop(held);
        sweep(directory.as_fd(), "a".as_ref());
        assert!(!saved.exists() && target.exists());
    }

    /// A name of this form may be put there by anybody: what it leads to is not touched, and what
    /// is no file stays.
    #[test]
    fn follows_nothing_that_was_planted_under_a_temporary_name() {
        let base = tempfile::tempdir().unwrap();
        let (grant, outside) = (base.path().join("grant"), base.path().join("outside"));
        std::fs::create_dir(&grant).unwrap();
        std::fs::create_dir(&outside).unwrap();
        let secret = outside.join("secret.txt");
        std::fs::write(&secret, "secret").unwrap();
        let planted = |end: &str| grant.join(format!("{}{end}.llmfs", prefix_for("a".as_ref())));
        std::os::unix::fs::symlink(&secret, planted("01")).unwrap();
        std::os::unix::fs::symlink(&outside, planted("02")).unwrap();
        std::fs::create_dir(planted("03")).unwrap();
        std::fs::hard_link(&secret, planted("04")).unwrap();
        let directory = open_place(&grant);
        sweep(directory.as_fd(), "a".as_ref());
        sweep_all(directory.as_fd());
        assert!(planted("01").is_symlink() && planted("02").is_symlink() && planted("03").is_dir());
        assert!(!planted("04").exists(), "a name of the grant's own");
        assert_eq!(std::fs::read_to_string(&secret).unwrap(), "secret");
    }
}
