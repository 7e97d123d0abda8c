//! Writing into the file itself, where it cannot or must not be replaced: its directory takes no
//! new files, it is a mount point, or its other names are to see the change.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::error::{Error, Result};
use crate::fs::metadata::{KEPT_MODE, Ownership};
use crate::fs::stat::{self, Metadata};
use crate::fs::write::turn::wait_for_turn;
use crate::fs::write::{CHUNK, Job, Written, is_same};

impl Job<'_> {
    /// Overwrites the file. What fails is undone from a copy; a crash in the middle is not.
    pub(super) fn in_place(&self, old: &Metadata) -> Result<Written> {
        let flags =
            OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.directory(), self.name(), flags, Mode::empty())
            .map_err(|errno| self.failed(errno))?;
        wait_for_turn(file.as_fd(), self.cancel)?;
        self.refuse_other(file.as_fd(), old)?;
        if !is_same(old, &self.look(self.name())?) {
            return Err(self.changed());
        }
        let overwritten = self.read_prefix(&file, old.size)?;
        match self.overwrite(&file, overwritten.len()) {
            Ok(metadata) => Ok(Written { created: false, atomic: false, metadata }),
            Err(error) => {
                self.restore(&file, &overwritten, old.size)?;
                Err(error)
            }
        }
    }

    /// The bytes that the new content will stand over.
    fn read_prefix(&self, file: &OwnedFd, size: u64) -> Result<Vec<u8>> {
        let wanted = usize::try_from(size).unwrap_or(usize::MAX).min(self.bytes.len());
        let mut prefix = vec![0; wanted];
        let mut filled = 0;
        while let Some(rest) = prefix.get_mut(filled..)
            && !rest.is_empty()
        {
            match rustix::io::pread(file, &mut *rest, filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(Errno::INTR) => {}
                Err(errno) => {
                    return Err(Error::io_on_descriptor(errno, "read", self.slot.path()));
                }
            }
        }
        prefix.truncate(filled);
        Ok(prefix)
    }

    /// First what lies behind the old end, so that a full disk shows before anything is lost; then
    /// the rest; then the length. Gives the file as it is then.
    fn overwrite(&self, file: &OwnedFd, old_length: usize) -> Result<Metadata> {
        let (head, tail) = self.bytes.split_at_checked(old_length).unwrap_or((self.bytes, &[]));
        self.put(file, tail, old_length)?;
        self.put(file, head, 0)?;
        rustix::fs::ftruncate(file, self.bytes.len() as u64)
            .map_err(|errno| Error::io_on_descriptor(errno, "ftruncate", self.slot.path()))?;
        self.drop_privileges(file)?;
        self.flush(file.as_fd())?;
        stat::of(file.as_fd(), self.slot.permit())
    }

    fn put(&self, file: &OwnedFd, bytes: &[u8], at: usize) -> Result<()> {
        for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
            self.cancel.check()?;
            let start = at + index * CHUNK;
            self.write_all(chunk, |rest, done| {
                rustix::io::pwrite(file, rest, (start + done) as u64)
            })?;
        }
        Ok(())
    }

    fn restore(&self, file: &OwnedFd, overwritten: &[u8], size: u64) -> Result<()> {
        self.write_all(overwritten, |rest, done| rustix::io::pwrite(file, rest, done as u64))?;
        rustix::fs::ftruncate(file, size)
            .map_err(|errno| Error::io_on_descriptor(errno, "ftruncate", self.slot.path()))
    }

    /// The kernel does this for everyone but root.
    fn drop_privileges(&self, file: &OwnedFd) -> Result<()> {
        let failed = |errno| Error::io_on_descriptor(errno, "fchmod", self.slot.path());
        let mode = Ownership::of(file.as_fd()).map_err(failed)?.mode();
        if mode & KEPT_MODE == mode {
            return Ok(());
        }
        rustix::fs::fchmod(file, Mode::from_raw_mode((mode & KEPT_MODE) as _)).map_err(failed)
    }
}
