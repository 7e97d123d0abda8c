//! Systems without nameless files: callers fall back to named temporaries. macOS has both renames;
//! elsewhere they answer `EINVAL`, as a Linux file system without them does.

use std::ffi::OsStr;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::Mode;
use rustix::io::Errno;

/// As the Linux half.
pub(crate) fn open_nameless(_directory: BorrowedFd<'_>, _mode: Mode) -> Result<OwnedFd, Errno> {
    Err(Errno::OPNOTSUPP)
}

/// As the Linux half.
pub(crate) fn name_file(
    _file: &OwnedFd,
    _directory: BorrowedFd<'_>,
    _name: &OsStr,
) -> Result<(), Errno> {
    Err(Errno::OPNOTSUPP)
}

/// As the Linux half.
#[cfg(target_vendor = "apple")]
pub(crate) fn rename_new(
    from: (BorrowedFd<'_>, &OsStr),
    to: (BorrowedFd<'_>, &OsStr),
) -> Result<(), Errno> {
    use rustix::fs::RenameFlags;
    rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE)
}

/// As the Linux half.
#[cfg(target_vendor = "apple")]
pub(crate) fn exchange(directory: BorrowedFd<'_>, one: &OsStr, other: &OsStr) -> Result<(), Errno> {
    use rustix::fs::RenameFlags;
    rustix::fs::renameat_with(directory, one, directory, other, RenameFlags::EXCHANGE)
}

/// As the Linux half.
#[cfg(not(target_vendor = "apple"))]
pub(crate) fn rename_new(
    _from: (BorrowedFd<'_>, &OsStr),
    _to: (BorrowedFd<'_>, &OsStr),
) -> Result<(), Errno> {
    Err(Errno::INVAL)
}

/// As the Linux half.
#[cfg(not(target_vendor = "apple"))]
pub(crate) fn exchange(
    _directory: BorrowedFd<'_>,
    _one: &OsStr,
    _other: &OsStr,
) -> Result<(), Errno> {
    Err(Errno::INVAL)
}

/// As the Linux half; macOS has no `fdatasync`.
pub(crate) fn flush_data(file: BorrowedFd<'_>) -> Result<(), Errno> {
    rustix::fs::fsync(file)
}
