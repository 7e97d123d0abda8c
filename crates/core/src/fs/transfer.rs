//! Moving between file systems: copied beside the destination under a temporary name, published
//! there, and only then removed where it was.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, Timespec, Timestamps};
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::rename::exists;
use crate::fs::staged::{Staged, temporary_name};
use crate::fs::stat::{Kind, Metadata, Timestamp};
use crate::fs::{metadata, platform, remove};

mod copy;

/// Moves what `from` names to the free name `to` on another file system, keeping mode and times.
///
/// # Errors
/// As [`rename`](crate::fs::rename::rename); `ERR_NOT_REGULAR` for a directory with something in it
/// that is neither file, directory nor link.
pub(in crate::fs) fn transfer(
    from: &Slot<Write>,
    source: &Metadata,
    to: &Slot<Write>,
    cancel: &Cancel,
) -> Result<()> {
    let failed = |errno| match errno {
        Errno::EXIST | Errno::NOTEMPTY => exists(to.path()),
        errno => Error::io_between(errno, "rename", from.path(), to.path()),
    };
    if platform::stat_at(to.directory(), to.name(), AtFlags::SYMLINK_NOFOLLOW).is_ok() {
        return Err(exists(to.path()));
    }
    match source.kind {
        Kind::Directory => copy::directory(from, to, cancel)?,
        Kind::Symlink => {
            copy_link((from.directory(), from.name()), (to.directory(), to.name()), source)
                .map_err(failed)?;
        }
        Kind::File => {
            let file = open_file(from.directory(), from.name()).map_err(failed)?;
            let private = Mode::from_raw_mode(0o600);
            let mut staged = Staged::create(to.directory(), to.name(), private).map_err(failed)?;
            copy::content(&file, staged.as_fd(), cancel).map_err(|stopped| stopped.or(failed))?;
            finish(file.as_fd(), staged.as_fd(), source).map_err(failed)?;
            staged.publish_new(to.name()).map_err(failed)?;
        }
        _ => return Err(not_movable(from)),
    }
    let removed = remove::remove(from, source.kind, true, None, &Cancel::new());
    if let Err(error) = removed {
        if source.kind != Kind::Directory {
            // The source is whole, so the copy goes.
            let _ = rustix::fs::unlinkat(to.directory(), to.name(), AtFlags::empty());
        }
        return Err(error.raw().map_or(error, failed));
    }
    Ok(())
}

/// The refusal to move something of a kind that cannot be copied.
pub(in crate::fs) fn not_movable(slot: &Slot<Write>) -> Error {
    Error::new("ERR_NOT_REGULAR", "Source is not a file or directory").with_path(slot.path())
}

fn open_file(directory: BorrowedFd<'_>, name: &OsStr) -> std::result::Result<OwnedFd, Errno> {
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

/// Makes a link with the same target and times.
fn copy_link(
    from: (BorrowedFd<'_>, &OsStr),
    to: (BorrowedFd<'_>, &OsStr),
    source: &Metadata,
) -> std::result::Result<(), Errno> {
    let target = rustix::fs::readlinkat(from.0, from.1, Vec::new())?;
    rustix::fs::symlinkat(target, to.0, to.1)?;
    let times = times_of(source);
    // A link without its old times is still the link.
    let _ = rustix::fs::utimensat(to.0, to.1, &times, AtFlags::SYMLINK_NOFOLLOW);
    Ok(())
}

/// Gives the copy what the source has besides its content, and flushes it.
fn finish(
    source: BorrowedFd<'_>,
    copy: BorrowedFd<'_>,
    looked: &Metadata,
) -> std::result::Result<(), Errno> {
    metadata::copy(source, copy)?;
    rustix::fs::futimens(copy, &times_of(looked))?;
    platform::flush_data(copy)
}

fn times_of(metadata: &Metadata) -> Timestamps {
    let time =
        |time: Timestamp| Timespec { tv_sec: time.seconds, tv_nsec: time.nanoseconds.into() };
    Timestamps { last_access: time(metadata.accessed), last_modification: time(metadata.modified) }
}

/// A slot beside `slot`, under a temporary name for it.
fn beside(slot: &Slot<Write>) -> Result<Slot<Write>> {
    let name: OsString = temporary_name(slot.name());
    let directory = rustix::io::fcntl_dupfd_cloexec(slot.directory(), 0)
        .map_err(|errno| Error::io(errno, "open", slot.path()))?;
    let path = slot.path().with_file_name(&name);
    let permit = slot.permit().sibling(&name, &path);
    Ok(Slot::new(directory, name, permit))
}
