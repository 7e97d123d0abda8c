//! Linux calls that answer from memory or not at all.

use std::io::IoSliceMut;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags};
use rustix::io::ReadWriteFlags;

use crate::fs::platform::linux;
use crate::fs::root::Root;
use crate::fs::stat::Metadata;

fn open(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    follow: bool,
) -> Option<OwnedFd> {
    let mut resolve = ResolveFlags::CACHED | ResolveFlags::NO_XDEV | ResolveFlags::NO_MAGICLINKS;
    if !follow {
        resolve |= ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    }
    let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
    let flags = flags | OFlags::CLOEXEC;
    rustix::fs::openat2(directory, relative, flags, Mode::empty(), resolve).ok()
}

/// Opens a file to read.
pub(crate) fn open_cached_file(
    directory: BorrowedFd<'_>,
    relative: &Path,
    follow: bool,
) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    open(directory, relative, flags, follow)
}

/// Opens an entry to look at it; a link in the last place is opened itself only when `follow`
/// (links elsewhere are followed), else refused.
pub(crate) fn open_cached_entry(
    directory: BorrowedFd<'_>,
    relative: &Path,
    follow: bool,
) -> Option<OwnedFd> {
    open(directory, relative, OFlags::PATH | OFlags::NOFOLLOW, follow)
}

/// Opens a directory to work beneath it.
pub(crate) fn open_cached_directory(
    directory: BorrowedFd<'_>,
    relative: &Path,
    follow: bool,
) -> Option<OwnedFd> {
    open(directory, relative, OFlags::PATH | OFlags::DIRECTORY, follow)
}

/// Metadata of an open object as the kernel holds it.
pub(crate) fn stat_cached(descriptor: BorrowedFd<'_>) -> Option<Metadata> {
    let flags = AtFlags::EMPTY_PATH | AtFlags::STATX_DONT_SYNC;
    linux::stat_at(descriptor, std::ffi::OsStr::new(""), flags).ok()
}

/// Whether the directory at `path` is still the root, by what the kernel holds.
pub(crate) fn is_current_cached(root: &Root, path: &Path) -> bool {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED)
        .ok()
        .and_then(|directory| stat_cached(directory.as_fd()))
        .is_some_and(|metadata| root.is(&metadata))
}

/// The `size` bytes of a file, and nothing if it has more or fewer by now or is not in memory.
pub(crate) fn read_cached(descriptor: BorrowedFd<'_>, size: usize) -> Option<Vec<u8>> {
    // One byte more than the file has, to see that it ends there.
    let mut bytes = vec![0; size + 1];
    let mut filled = 0;
    loop {
        let rest = bytes.get_mut(filled..)?;
        let offset = u64::try_from(filled).ok()?;
        let mut slices = [IoSliceMut::new(rest)];
        let count =
            rustix::io::preadv2(descriptor, &mut slices, offset, ReadWriteFlags::NOWAIT).ok()?;
        filled += count;
        if filled > size {
            return None;
        }
        // A read of a regular file that comes back short has met its end.
        if count == 0 || filled == size {
            break;
        }
    }
    bytes.truncate(filled);
    (filled == size).then_some(bytes)
}
