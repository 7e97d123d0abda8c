//! Every POSIX system: one component at a time, never through a link. Linux uses it where a
//! sandbox takes `openat2` away; macOS and the BSDs always (untested there).

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::access::lexical;

/// Opens a name without opening the object behind it, where the system can.
#[cfg(not(target_os = "linux"))]
pub(crate) const O_PATH: OFlags = OFlags::empty();

/// As the Linux half: opens `relative` beneath `directory`, refusing every link with `ELOOP`.
pub(crate) fn open_beneath(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::CLOEXEC;
    let Some((parent, last)) = lexical::parent_and_name(relative) else {
        return rustix::fs::openat(directory, ".", flags, mode);
    };
    let step = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | super::O_PATH;
    let mut held: Option<OwnedFd> = None;
    for name in lexical::components(parent) {
        let from = held.as_ref().map_or(directory, AsFd::as_fd);
        held = Some(
            rustix::fs::openat(from, name, step, Mode::empty())
                .map_err(|errno| as_loop(from, name.as_ref(), errno))?,
        );
    }
    let from = held.as_ref().map_or(directory, AsFd::as_fd);
    let opened = rustix::fs::openat(from, last, flags | OFlags::NOFOLLOW, mode)
        .map_err(|errno| as_loop(from, last.as_ref(), errno))?;
    // With O_PATH a link itself is opened instead of refused.
    if flags.contains(super::O_PATH) && !super::O_PATH.is_empty() {
        let stat = rustix::fs::fstat(&opened)?;
        if rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink() {
            return Err(Errno::LOOP);
        }
    }
    Ok(opened)
}

/// A link met with `O_DIRECTORY | O_NOFOLLOW` reads as `ENOTDIR` (and `EMLINK` on FreeBSD); name it
/// for what it is.
fn as_loop(directory: BorrowedFd<'_>, name: &Path, errno: Errno) -> Errno {
    if errno != Errno::NOTDIR && errno != Errno::MLINK {
        return errno;
    }
    match rustix::fs::statat(directory, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink() => Errno::LOOP,
        _ => errno,
    }
}

/// Where the opened object is, by the system's own account.
#[cfg(target_vendor = "apple")]
pub(crate) fn path_of(descriptor: BorrowedFd<'_>) -> Result<std::path::PathBuf, Errno> {
    use std::os::unix::ffi::OsStringExt;
    let path = rustix::fs::getpath(descriptor)?.into_bytes();
    Ok(std::ffi::OsString::from_vec(path).into())
}

/// Where the opened object is, nobody tells; the caller refuses what it cannot know.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(crate) fn path_of(_descriptor: BorrowedFd<'_>) -> Result<std::path::PathBuf, Errno> {
    Err(Errno::NOSYS)
}

/// Nothing is known to be local: the caller then takes the road that may wait.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_local(_descriptor: BorrowedFd<'_>) -> bool {
    false
}

/// Metadata by `fstatat`; the time of creation reads as the time of the last metadata change,
/// the nearest that POSIX keeps.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stat_at(
    directory: BorrowedFd<'_>,
    name: &std::ffi::OsStr,
    flags: rustix::fs::AtFlags,
) -> Result<crate::fs::stat::Metadata, Errno> {
    use crate::fs::stat::{Metadata, Timestamp};
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    let stat = if name.is_empty() {
        rustix::fs::fstat(directory)?
    } else {
        rustix::fs::statat(directory, name, flags)?
    };
    let time = |seconds: i64, nanoseconds: i64| Timestamp {
        seconds,
        nanoseconds: u32::try_from(nanoseconds).unwrap_or(0),
    };
    let changed = time(stat.st_ctime as i64, stat.st_ctime_nsec as i64);
    Ok(Metadata {
        kind: rustix::fs::FileType::from_raw_mode(stat.st_mode).into(),
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mode: u32::from(stat.st_mode),
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        links: u64::from(stat.st_nlink),
        accessed: time(stat.st_atime as i64, stat.st_atime_nsec as i64),
        modified: time(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed,
        created: changed,
        looked_at: time(now.tv_sec as i64, now.tv_nsec as i64),
    })
}
