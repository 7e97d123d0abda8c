//! Linux: `openat2` opens beneath a directory and refuses links in one step.

use std::ffi::{OsStr, OsString};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, StatxFlags, StatxTimestamp};
use rustix::io::Errno;

use crate::fs::platform::unix;
use crate::fs::stat::{Metadata, Timestamp};

/// Opens a name without opening the object behind it.
pub(crate) const O_PATH: OFlags = OFlags::PATH;

/// Tries before a rename storm counts as an answer; libpathrs retries as often.
const MAX_RETRIES: usize = 128;

/// Whether this kernel (or the sandbox around it) has `openat2`, asked once about a path that is
/// always there: a refusal about some file must never be taken for "not supported".
static HAS_OPENAT2: LazyLock<bool> = LazyLock::new(|| {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat2(CWD, "/", flags, Mode::empty(), ResolveFlags::NO_MAGICLINKS).is_ok()
});

/// Opens `relative` beneath `directory`. No component may be a link (`ELOOP`), lead out (`EXDEV`)
/// or be a magic link of procfs; an empty path is the directory itself.
pub(crate) fn open_beneath(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd, Errno> {
    if !*HAS_OPENAT2 {
        return unix::open_beneath(directory, relative, flags, mode);
    }
    let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = flags | OFlags::CLOEXEC;
    for _ in 0..MAX_RETRIES {
        match rustix::fs::openat2(directory, relative, flags, mode, resolve) {
            // A rename elsewhere made the kernel unsure about `..`; it asks to try again.
            Err(Errno::AGAIN) => {}
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

/// Where the opened object is, by the kernel's own account; procfs has to be there.
pub(crate) fn path_of(descriptor: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStringExt;
    let link = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    let path = rustix::fs::readlink(link, Vec::new())?.into_bytes();
    // What lies outside of this process's root has no path here.
    if path.first() == Some(&b'/') {
        Ok(OsString::from_vec(path).into())
    } else {
        Err(Errno::NOENT)
    }
}

/// Whether the descriptor lies on a file system that answers from this machine's memory or disk.
/// Magic numbers: `include/uapi/linux/magic.h`.
pub(crate) fn is_local(descriptor: BorrowedFd<'_>) -> bool {
    const EXT: i64 = 0xef53;
    const XFS: i64 = 0x5846_5342;
    const BTRFS: i64 = 0x9123_683e;
    const TMPFS: i64 = 0x0102_1994;
    const RAMFS: i64 = 0x8584_58f6;
    const F2FS: i64 = 0xf2f5_2010;
    const OVERLAY: i64 = 0x794c_7630;
    const ZFS: i64 = 0x2fc1_2fc1;
    rustix::fs::fstatfs(descriptor).is_ok_and(|info| {
        let kind = info.f_type;
        [EXT, XFS, BTRFS, TMPFS, RAMFS, F2FS, OVERLAY, ZFS].contains(&kind)
    })
}

/// Metadata with the time of creation, which only `statx` gives.
pub(crate) fn stat_at(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    flags: AtFlags,
) -> Result<Metadata, Errno> {
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    let looked_at = now();
    let stat = rustix::fs::statx(directory, name, flags, wanted)?;
    let mode = u32::from(stat.stx_mode);
    Ok(Metadata {
        kind: FileType::from_raw_mode(mode).into(),
        size: stat.stx_size,
        mode,
        device: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
        inode: stat.stx_ino,
        links: u64::from(stat.stx_nlink),
        accessed: timestamp(stat.stx_atime),
        modified: timestamp(stat.stx_mtime),
        changed: timestamp(stat.stx_ctime),
        created: timestamp(stat.stx_btime),
        looked_at,
    })
}

/// The clock that file systems take their time stamps from: it stands still between the kernel's ticks,
/// so it is never ahead, and costs a fifth of the exact one.
fn now() -> Timestamp {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    Timestamp { seconds: now.tv_sec, nanoseconds: u32::try_from(now.tv_nsec).unwrap_or(0) }
}

fn timestamp(time: StatxTimestamp) -> Timestamp {
    Timestamp { seconds: time.tv_sec, nanoseconds: time.tv_nsec }
}
