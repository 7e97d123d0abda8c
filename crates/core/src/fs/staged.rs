//! A new file that is complete before anyone sees it: without a name where the system can, else
//! under a temporary one. Dropped before it is published, it is gone.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use xxhash_rust::xxh3::xxh3_64;

use crate::fs::platform;

/// Random names that are tried before the directory counts as unusable; one collision is as likely
/// as guessing 64 bits.
const MAX_NAMES: usize = 16;

/// What every temporary file for `name` begins with.
pub(in crate::fs) fn prefix_for(name: &OsStr) -> String {
    format!(".{:016x}-", xxh3_64(name.as_bytes()))
}

/// A name for a temporary file beside `name` that nobody can foretell: the standard library keys
/// each `RandomState` from the system's random source.
pub(in crate::fs) fn temporary_name(name: &OsStr) -> OsString {
    let random = RandomState::new().build_hasher().finish();
    OsString::from(format!("{}{random:016x}.llmfs", prefix_for(name)))
}

/// A file in the making.
#[derive(Debug)]
pub(in crate::fs) struct Staged<'d> {
    directory: BorrowedFd<'d>,
    file: OwnedFd,
    temporary: OsString,
    is_named: bool,
}

impl<'d> Staged<'d> {
    /// Makes an empty file in `directory` that is to become `name`. The umask applies to `mode`.
    pub(in crate::fs) fn create(
        directory: BorrowedFd<'d>,
        name: &OsStr,
        mode: Mode,
    ) -> Result<Self, Errno> {
        match platform::open_nameless(directory, mode) {
            Ok(file) => {
                let _ = hold(&file);
                Ok(Self { directory, file, temporary: temporary_name(name), is_named: false })
            }
            Err(Errno::OPNOTSUPP) => {
                let (file, temporary) = create_named(directory, name, mode)?;
                Ok(Self { directory, file, temporary, is_named: true })
            }
            Err(errno) => Err(errno),
        }
    }

    /// The file.
    pub(in crate::fs) fn file(&self) -> &OwnedFd {
        &self.file
    }

    /// The temporary name; it stands in the directory after [`Staged::expose`].
    pub(in crate::fs) fn temporary(&self) -> &OsStr {
        &self.temporary
    }

    /// Publishes the file under a name that nothing has yet (`EEXIST` otherwise).
    pub(in crate::fs) fn publish_new(&mut self, name: &OsStr) -> Result<(), Errno> {
        if !self.is_named {
            return platform::name_file(&self.file, self.directory, name);
        }
        let from = (self.directory, self.temporary.as_os_str());
        match platform::rename_new(from, (self.directory, name)) {
            Ok(()) => self.is_named = false,
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                // The drop takes the temporary name away.
                rustix::fs::linkat(from.0, from.1, self.directory, name, AtFlags::empty())?;
            }
            Err(errno) => return Err(errno),
        }
        Ok(())
    }

    /// Puts the file into the directory under its temporary name, to be renamed or exchanged.
    pub(in crate::fs) fn expose(&mut self) -> Result<(), Errno> {
        if !self.is_named {
            platform::name_file(&self.file, self.directory, &self.temporary)?;
            self.is_named = true;
        }
        Ok(())
    }

    /// Renames the exposed file over `name`.
    pub(in crate::fs) fn replace(&mut self, name: &OsStr) -> Result<(), Errno> {
        rustix::fs::renameat(self.directory, &self.temporary, self.directory, name)?;
        self.is_named = false;
        Ok(())
    }

    /// Removes what stands under the temporary name. What cannot be removed now is swept by the next
    /// write to the name.
    pub(in crate::fs) fn remove(&mut self) {
        if self.is_named {
            let _ = rustix::io::retry_on_intr(|| {
                rustix::fs::unlinkat(self.directory, &self.temporary, AtFlags::empty())
            });
            self.is_named = false;
        }
    }

    /// Leaves what stands under the temporary name where it is.
    pub(in crate::fs) fn abandon(&mut self) {
        self.is_named = false;
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

impl AsFd for Staged<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Keeps others from taking the temporary for a leftover, and from writing over it before it is certain
/// to stay. File systems without locks have no such sweepers either.
fn hold(file: &OwnedFd) -> Result<(), Errno> {
    rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive)
}

/// Whether a file that had its name before it was held has been taken for a leftover.
fn is_taken(file: &OwnedFd) -> Result<bool, Errno> {
    Ok(hold(file) == Err(Errno::WOULDBLOCK) || rustix::fs::fstat(file)?.st_nlink == 0)
}

fn create_named(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    mode: Mode,
) -> Result<(OwnedFd, OsString), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..MAX_NAMES {
        let temporary = temporary_name(name);
        match rustix::fs::openat(directory, &temporary, flags, mode) {
            Ok(file) => {
                let taken = is_taken(&file);
                if taken == Ok(false) {
                    return Ok((file, temporary));
                }
                let _ = rustix::fs::unlinkat(directory, &temporary, AtFlags::empty());
                taken?;
            }
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno),
        }
    }
    Err(Errno::EXIST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::temporary::is_temporary;

    #[test]
    fn names_temporaries_in_the_known_form() {
        let name = temporary_name("a.txt".as_ref());
        assert!(is_temporary(name.as_bytes()), "{}", name.display());
        assert!(name.as_bytes().starts_with(prefix_for("a.txt".as_ref()).as_bytes()));
        assert_ne!(name, temporary_name("a.txt".as_ref()));
    }

    #[test]
    fn a_removed_directory_is_not_found() {
        let base = tempfile::tempdir().unwrap();
        let directory = rustix::fs::open(base.path(), OFlags::RDONLY, Mode::empty()).unwrap();
        drop(base);
        let created = Staged::create(directory.as_fd(), "a".as_ref(), Mode::from_raw_mode(0o600));
        assert_eq!(created.unwrap_err(), Errno::NOENT);
    }

    #[test]
    fn leaves_nothing_when_dropped_named_or_not() {
        let base = tempfile::tempdir().unwrap();
        let directory = rustix::fs::open(base.path(), OFlags::RDONLY, Mode::empty()).unwrap();
        let mode = Mode::from_raw_mode(0o600);
        let mut staged = Staged::create(directory.as_fd(), "a".as_ref(), mode).unwrap();
        staged.expose().unwrap();
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 1);
        drop(staged);
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);

        for published in [Ok(()), Err(Errno::EXIST)] {
            let (file, temporary) = create_named(directory.as_fd(), "a".as_ref(), mode).unwrap();
            let directory = directory.as_fd();
            let mut named = Staged { directory, file, temporary, is_named: true };
            assert_eq!(named.publish_new("b".as_ref()), published);
        }
        let left = std::fs::read_dir(base.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["b"]);
    }
}
