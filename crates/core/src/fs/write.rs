//! Writing a whole file so that every reader, and a machine that loses power, sees the old content
//! or the new one and nothing between.
//!
//! Method: a complete new file is made beside the old one, flushed, and then takes its name in one
//! step (git's and SQLite's way, with `O_TMPFILE` so that a crash leaves nothing). Over a file that
//! was seen before it is exchanged (`RENAME_EXCHANGE`), so that what came out can be compared with
//! what was seen: a save by another program in the last microsecond is found and put back.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Access, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::seen::Seen;
use crate::fs::staged::Staged;
use crate::fs::stat::{self, Kind, Metadata};
use crate::fs::sweep::sweep;
use crate::fs::write::swap::Published;
use crate::fs::{metadata, platform};
use crate::text::shown::shown_path;

mod clock;
mod in_place;
mod swap;
mod turn;

/// Bytes written at once; between two pieces the caller may give up.
const CHUNK: usize = 64 * 1024;

/// How safely the bytes lie on the disk before a write counts as done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Wherever the kernel keeps them; a power cut may lose both the old and the new content.
    None,
    /// The content is flushed before it gets its name (`fdatasync`).
    #[default]
    Data,
    /// The directory is flushed too, so that the new name survives a power cut.
    Full,
}

/// What happens to a file's other names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// They keep the old content; the name written gets a file of its own.
    #[default]
    Replace,
    /// They see the new content: the file is written in place.
    Keep,
}

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// How safely.
    pub durability: Durability,
    /// What happens to other names of the file.
    pub hard_links: HardLinks,
}

/// What must stand under the name for the write to go ahead.
#[derive(Clone, Copy, Debug)]
pub enum Expect<'a> {
    /// Nothing.
    New,
    /// The file that was seen, unchanged.
    Seen(&'a Seen),
    /// Nothing or any regular file.
    Any,
}

/// A finished write.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Whether there was no file before.
    pub created: bool,
    /// Whether it was all or nothing for every reader; not so for a file written in place.
    pub atomic: bool,
    /// The file as it is now.
    pub metadata: Metadata,
}

/// Writes `bytes` as the whole content of the file in `slot`, which must not be a link: the slot
/// comes from [`target_slot`](crate::fs::open::target_slot).
///
/// # Errors
/// Node's errors of `open` and `write`; `EEXIST` and `ERR_CHANGED` when not what was expected
/// stands under the name; `ERR_NOT_REGULAR` for what is neither file nor directory; as
/// [`Cancel::check`]. The old content is whole after every error; only when the directory could not
/// be flushed, of which the message tells, it is the new one.
pub fn write(
    slot: &Slot<Write>,
    bytes: &[u8],
    expect: Expect<'_>,
    options: &WriteOptions,
    cancel: &Cancel,
) -> Result<Written> {
    cancel.check()?;
    let old = match stat::at(slot, "open") {
        Ok(metadata) => Some(metadata),
        Err(error) if error.is_not_found() => None,
        Err(error) => return Err(error),
    };
    let job = Job { slot, bytes, options, cancel };
    let written = match old {
        None => match expect {
            Expect::Seen(..) => Err(job.changed()),
            Expect::New | Expect::Any => job.create(),
        },
        Some(old) => {
            job.refuse_irregular(&old)?;
            match expect {
                Expect::New => return Err(job.failed(Errno::EXIST)),
                Expect::Seen(seen) if !is_same(&seen.metadata, &old) => return Err(job.changed()),
                Expect::Seen(..) | Expect::Any => {}
            }
            job.may_write()?;
            job.replace(&old, expect)
        }
    }?;
    if options.durability == Durability::Full {
        job.flush_directory()?;
    }
    Ok(written)
}

/// Whether two looks saw the same file with the same content, as far as metadata tell.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    is_same_content(one, other) && one.changed == other.changed
}

/// [`is_same`] without the time of the last metadata change, which an exchange moves.
fn is_same_content(one: &Metadata, other: &Metadata) -> bool {
    (one.device, one.inode, one.size, one.modified)
        == (other.device, other.inode, other.size, other.modified)
}

/// One write.
struct Job<'j> {
    slot: &'j Slot<Write>,
    bytes: &'j [u8],
    options: &'j WriteOptions,
    cancel: &'j Cancel,
}

impl Job<'_> {
    fn directory(&self) -> BorrowedFd<'_> {
        self.slot.directory()
    }

    fn name(&self) -> &OsStr {
        self.slot.name()
    }

    fn failed(&self, errno: Errno) -> Error {
        Error::io(errno, "open", self.slot.path())
    }

    fn changed(&self) -> Error {
        crate::pool::changed(self.slot.path())
    }

    fn refuse_irregular(&self, old: &Metadata) -> Result<()> {
        match old.kind {
            Kind::File => Ok(()),
            Kind::Directory => Err(self.failed(Errno::ISDIR)),
            // The slot was no link a moment ago.
            Kind::Symlink => Err(self.changed()),
            _ => Err(Error::new(
                "ERR_NOT_REGULAR",
                format!("Not a regular file: '{}'", shown_path(self.slot.path())),
            )
            .with_path(self.slot.path())),
        }
    }

    /// Replacing asks no leave of the old file, so it is asked here: a read-only file stays.
    fn may_write(&self) -> Result<()> {
        rustix::fs::accessat(self.directory(), self.name(), Access::WRITE_OK, AtFlags::EACCESS)
            .map_err(|errno| self.failed(errno))
    }

    fn create(&self) -> Result<Written> {
        self.sweep();
        let mut staged = Staged::create(self.directory(), self.name(), Mode::from_raw_mode(0o666))
            .map_err(|errno| self.failed(errno))?;
        let filled = self.fill(&staged)?;
        staged.publish_new(self.name()).map_err(|errno| self.failed(errno))?;
        Ok(self.published(&staged, filled, true))
    }

    fn replace(&self, old: &Metadata, expect: Expect<'_>) -> Result<Written> {
        if self.options.hard_links == HardLinks::Keep && old.links > 1 {
            return self.in_place(old);
        }
        self.sweep();
        let opened;
        let held = match expect {
            Expect::Seen(Seen { file: Some(file), .. }) => file.as_fd(),
            _ => {
                opened = self.open_old()?;
                opened.as_fd()
            }
        };
        self.refuse_other(held, old)?;
        let created = Staged::create(self.directory(), self.name(), Mode::from_raw_mode(0o600));
        let mut staged = match created {
            Ok(staged) => staged,
            // The directory takes no new files, but this one may be written.
            Err(Errno::ACCESS | Errno::PERM) => return self.in_place(old),
            Err(errno) => return Err(self.failed(errno)),
        };
        let proof = self.proof(expect, &staged, old)?;
        metadata::copy(held, staged.as_fd()).map_err(|errno| self.failed(errno))?;
        let filled = self.fill(&staged)?;
        turn::wait_for_turn(held, self.cancel)?;
        match self.publish(&mut staged, old, &proof)? {
            Published::Done => Ok(self.published(&staged, filled, false)),
            Published::Impossible => {
                drop(staged);
                turn::end_turn(held);
                self.in_place(old)
            }
        }
    }

    /// Opens the old file, to hold it, its metadata and its lock.
    fn open_old(&self) -> Result<OwnedFd> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = |access| {
            rustix::fs::openat(self.directory(), self.name(), flags | access, Mode::empty())
        };
        open(OFlags::RDONLY).or_else(|_| open(OFlags::WRONLY)).map_err(|errno| self.failed(errno))
    }

    /// Refuses an opened file that is not the old one, as it was.
    fn refuse_other(&self, file: BorrowedFd<'_>, old: &Metadata) -> Result<()> {
        let now = stat::of(file, self.slot.permit())?;
        if is_same(old, &now) { Ok(()) } else { Err(self.changed()) }
    }

    /// Writes the content and flushes it. Gives the file as it is then.
    fn fill(&self, staged: &Staged<'_>) -> Result<Metadata> {
        for chunk in self.bytes.chunks(CHUNK) {
            self.cancel.check()?;
            self.write_all(chunk, |rest, _| rustix::io::write(staged.file(), rest))?;
        }
        self.flush(staged.as_fd())?;
        stat::of(staged.as_fd(), self.slot.permit())
    }

    /// Writes all of `chunk`; `put` writes what it can, given the rest and how much is done.
    fn write_all(
        &self,
        chunk: &[u8],
        put: impl Fn(&[u8], usize) -> std::result::Result<usize, Errno>,
    ) -> Result<()> {
        let mut done = 0;
        while let Some(rest) = chunk.get(done..)
            && !rest.is_empty()
        {
            match put(rest, done) {
                Ok(0) => return Err(self.write_failed(Errno::IO)),
                Ok(count) => done += count,
                Err(Errno::INTR) => {}
                Err(errno) => return Err(self.write_failed(errno)),
            }
        }
        Ok(())
    }

    fn write_failed(&self, errno: Errno) -> Error {
        Error::io_on_descriptor(errno, "write", self.slot.path())
    }

    fn flush(&self, file: BorrowedFd<'_>) -> Result<()> {
        if self.options.durability == Durability::None {
            return Ok(());
        }
        platform::flush_data(file)
            .map_err(|errno| Error::io_on_descriptor(errno, "fdatasync", self.slot.path()))
    }

    /// The content has its name by now; what fails here is only whether that survives a power cut.
    fn flush_directory(&self) -> Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::openat(self.directory(), ".", flags, Mode::empty())
            .and_then(rustix::fs::fsync)
            .map_err(|errno| {
                Error::io_on_descriptor(errno, "fsync", self.slot.path())
                    .with_note("the file is written, but a power cut may undo that")
            })
    }

    fn sweep(&self) {
        sweep(self.directory(), self.name());
    }

    /// A write that is done cannot fail any more: where the file cannot be looked at again, what it
    /// was before it got its name differs only in the time of its last metadata change.
    fn published(&self, staged: &Staged<'_>, filled: Metadata, created: bool) -> Written {
        let metadata = stat::of(staged.as_fd(), self.slot.permit()).unwrap_or(filled);
        Written { created, atomic: true, metadata }
    }
}
