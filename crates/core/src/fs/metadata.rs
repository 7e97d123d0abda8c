//! What of an old file its replacement keeps besides the name.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{Gid, Mode, Uid, XattrFlags};
use rustix::io::Errno;

/// Most bytes the names of a file's extended attributes take, and most that one value takes.
/// Source: `XATTR_LIST_MAX` and `XATTR_SIZE_MAX` in Linux's `include/uapi/linux/limits.h`.
const XATTR_MAX: usize = 64 * 1024;

/// Mode bits that are kept. The set-user-ID, set-group-ID and sticky bits are not, as the kernel
/// drops the first two when a file is written in place.
pub(in crate::fs) const KEPT_MODE: u32 = 0o777;

/// Owner and mode of a file.
#[derive(Clone, Copy, Debug)]
pub(in crate::fs) struct Ownership {
    user: u32,
    group: u32,
    mode: u32,
}

impl Ownership {
    /// Those of an open file.
    pub(in crate::fs) fn of(file: BorrowedFd<'_>) -> Result<Self, Errno> {
        let stat = rustix::fs::fstat(file)?;
        Ok(Self { user: stat.st_uid, group: stat.st_gid, mode: stat.st_mode as u32 })
    }

    /// The mode bits, without the type.
    pub(in crate::fs) fn mode(self) -> u32 {
        self.mode & 0o7777
    }
}

/// Gives `new` the owner, extended attributes (access lists among them) and mode of `old`. Who may
/// not give a file away keeps what can be kept.
pub(in crate::fs) fn copy(old: BorrowedFd<'_>, new: BorrowedFd<'_>) -> Result<(), Errno> {
    let wanted = Ownership::of(old)?;
    let have = Ownership::of(new)?;
    if (wanted.user, wanted.group) != (have.user, have.group) {
        give_to(new, wanted)?;
    }
    copy_attributes(old, new)?;
    let mode = wanted.mode & KEPT_MODE;
    match rustix::fs::fchmod(new, Mode::from_raw_mode(mode as _)) {
        // File systems without modes of their own (FAT) give every file the same.
        Err(Errno::PERM | Errno::OPNOTSUPP) if Ownership::of(new)?.mode() == mode => Ok(()),
        result => result,
    }
}

fn give_to(file: BorrowedFd<'_>, wanted: Ownership) -> Result<(), Errno> {
    let group = Some(Gid::from_raw(wanted.group));
    match rustix::fs::fchown(file, Some(Uid::from_raw(wanted.user)), group) {
        Err(Errno::PERM | Errno::INVAL) => match rustix::fs::fchown(file, None, group) {
            Err(Errno::PERM | Errno::INVAL) => Ok(()),
            result => result,
        },
        result => result,
    }
}

fn copy_attributes(old: BorrowedFd<'_>, new: BorrowedFd<'_>) -> Result<(), Errno> {
    let mut names = vec![0; 1024];
    let length = match rustix::fs::flistxattr(old, names.as_mut_slice()) {
        Err(Errno::RANGE) => {
            names.resize(XATTR_MAX, 0);
            rustix::fs::flistxattr(old, names.as_mut_slice())
        }
        result => result,
    };
    let length = match length {
        Ok(length) => length,
        Err(Errno::NOTSUP) => return Ok(()),
        Err(errno) => return Err(errno),
    };
    let names = names.get(..length).unwrap_or_default();
    let mut value = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        // Privileges given to a program do not outlive its content.
        if name == b"security.capability" {
            continue;
        }
        let Ok(name) = CString::new(name) else { continue };
        value.resize(XATTR_MAX, 0);
        let length = match rustix::fs::fgetxattr(old, &name, value.as_mut_slice()) {
            Ok(length) => length,
            // Not for us to see, or gone by now.
            Err(Errno::NODATA | Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => continue,
            Err(errno) => return Err(errno),
        };
        let value = value.get(..length).unwrap_or_default();
        match rustix::fs::fsetxattr(new.as_fd(), &name, value, XattrFlags::empty()) {
            Ok(()) | Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}
