//! Linux: files without a name, and renames that replace nothing or swap two names.

use std::ffi::OsStr;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::LazyLock;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Whether descriptors can be named through procfs, which giving a name to a nameless file takes
/// (`open(2)`, `O_TMPFILE`).
static HAS_PROC: LazyLock<bool> = LazyLock::new(|| {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open("/proc/self/fd", flags, Mode::empty()).is_ok()
});

/// A new file in `directory` that has no name and vanishes when it is closed. `EOPNOTSUPP` where
/// the system or the file system has none.
pub(crate) fn open_nameless(directory: BorrowedFd<'_>, mode: Mode) -> Result<OwnedFd, Errno> {
    if !*HAS_PROC {
        return Err(Errno::OPNOTSUPP);
    }
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    match rustix::fs::openat(directory, ".", flags, mode) {
        // Kernels or file systems that do not know the flag see an attempt to open a directory. In
        // one that was removed meanwhile ext4 forbids it (`__ext4_new_inode`); a file with a name
        // then fails for the true reason, or for the same one.
        Err(Errno::ISDIR | Errno::NOENT | Errno::INVAL | Errno::PERM) => Err(Errno::OPNOTSUPP),
        result => result,
    }
}

/// Gives a nameless file a name that nothing has yet (`EEXIST` otherwise).
pub(crate) fn name_file(
    file: &OwnedFd,
    directory: BorrowedFd<'_>,
    name: &OsStr,
) -> Result<(), Errno> {
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, nameless, directory, name, AtFlags::SYMLINK_FOLLOW)
}

/// Renames to a name that nothing has yet (`EEXIST` otherwise). `EINVAL` where the file system
/// cannot do both in one step.
pub(crate) fn rename_new(
    from: (BorrowedFd<'_>, &OsStr),
    to: (BorrowedFd<'_>, &OsStr),
) -> Result<(), Errno> {
    rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE)
}

/// Swaps what two names of one directory stand for. `EINVAL` where the file system cannot.
pub(crate) fn exchange(directory: BorrowedFd<'_>, one: &OsStr, other: &OsStr) -> Result<(), Errno> {
    rustix::fs::renameat_with(directory, one, directory, other, RenameFlags::EXCHANGE)
}

/// Flushes a file's content to the disk.
pub(crate) fn flush_data(file: BorrowedFd<'_>) -> Result<(), Errno> {
    rustix::fs::fdatasync(file)
}
