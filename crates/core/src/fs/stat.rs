//! What the disk says about an entry.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, FileType, OFlags};

use crate::access::{Permit, Read, Right};
use crate::error::{Error, Result};
use crate::fs::open::{self, Slot};
use crate::fs::{denied, platform};

/// Kind of a directory entry. The numbers are those of libuv's `UV_DIRENT_*`, which `fs.Dirent`
/// takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The file system did not say.
    Unknown = 0,
    /// Regular file.
    File = 1,
    /// Directory.
    Directory = 2,
    /// Symbolic link.
    Symlink = 3,
    /// Named pipe.
    Fifo = 4,
    /// Unix domain socket.
    Socket = 5,
    /// Character device.
    CharacterDevice = 6,
    /// Block device.
    BlockDevice = 7,
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Symlink,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice => Self::CharacterDevice,
            FileType::BlockDevice => Self::BlockDevice,
            FileType::Unknown => Self::Unknown,
        }
    }
}

/// A moment as the file system keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since the epoch.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanoseconds: u32,
}

impl Timestamp {
    /// Milliseconds since the epoch with their fraction, computed as Node's `Stats` does.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "Node keeps the same times as doubles")]
    pub fn milliseconds(self) -> f64 {
        self.seconds as f64 * 1e3 + f64::from(self.nanoseconds) / 1e6
    }

    fn total_nanoseconds(self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds)
    }
}

/// Age from which a time stamp tells a write apart from any later one, whatever the clock of the file
/// system: FAT's ticks every 2 s, ext3's every second, the kernel's own every 10 ms at most.
const SETTLED_NANOSECONDS: i128 = 2_000_000_000;

/// What `stat` tells about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Kind of the entry.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// Mode bits, type included.
    pub mode: u32,
    /// Device of the file system.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
    /// Names the inode has.
    pub links: u64,
    /// Last access.
    pub accessed: Timestamp,
    /// Last change of the content.
    pub modified: Timestamp,
    /// Last change of content or metadata.
    pub changed: Timestamp,
    /// Creation, where the file system keeps it.
    pub created: Timestamp,
    /// When it was asked, by the clock of this machine; a moment earlier rather than later.
    pub looked_at: Timestamp,
}

impl Metadata {
    /// Whether anything written after this look has another time stamp.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let changed = self.changed.max(self.modified).total_nanoseconds();
        self.looked_at.total_nanoseconds() - changed >= SETTLED_NANOSECONDS
    }
}

/// An entry as `lstat` sees it, and a link's target as it is written.
#[derive(Clone, Debug)]
pub struct Entry<R: Right> {
    /// What `lstat` says.
    pub metadata: Metadata,
    /// Target of a symbolic link; `None` for other kinds and for a link that cannot be read.
    pub link_target: Option<Vec<u8>>,
    /// The permit that allowed it, with the entry's path.
    pub permit: Permit<R>,
}

/// Looks at the entry that the permit names, without following a link in its last place.
///
/// # Errors
/// Node's `lstat` errors; `ERR_NOT_GRANTED` when a directory on the way leads out.
pub fn entry(permit: &Permit<Read>) -> Result<Entry<Read>> {
    if permit.relative().as_os_str().is_empty() {
        return root_entry(permit);
    }
    let slot = open::slot(permit, "lstat")?;
    let metadata = at(&slot, "lstat")?;
    // Where a link leads is not told if that is denied.
    let link_target = if metadata.kind == Kind::Symlink
        && !denied::leads_there(slot.permit().policy(), slot.path())
    {
        rustix::fs::readlinkat(slot.directory(), slot.name(), Vec::new())
            .ok()
            .map(std::ffi::CString::into_bytes)
    } else {
        None
    };
    Ok(Entry { metadata, link_target, permit: slot.permit().clone() })
}

/// Metadata of the name in a slot, not following it.
///
/// # Errors
/// The errno of the look, as an error of `syscall`.
pub fn at<R: Right>(slot: &Slot<R>, syscall: &'static str) -> Result<Metadata> {
    platform::stat_at(slot.directory(), slot.name(), AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|errno| Error::io(errno, syscall, slot.path()))
}

/// Metadata of an opened object.
///
/// # Errors
/// The errno of the look, as an error of `fstat`.
pub fn of<R: Right>(descriptor: BorrowedFd<'_>, permit: &Permit<R>) -> Result<Metadata> {
    platform::stat_at(descriptor, OsStr::new(""), AtFlags::EMPTY_PATH)
        .map_err(|errno| Error::io_on_descriptor(errno, "fstat", permit.path()))
}

/// A grant's root. Spelled through a link and with links followed as they are, `lstat` sees the
/// link; otherwise the directory that is held.
fn root_entry(permit: &Permit<Read>) -> Result<Entry<Read>> {
    if !permit.policy().resolve_symlinks() {
        let path = permit.path();
        let metadata =
            platform::stat_at(rustix::fs::CWD, path.as_os_str(), AtFlags::SYMLINK_NOFOLLOW)
                .map_err(|errno| Error::io(errno, "lstat", path))?;
        let link_target = if metadata.kind == Kind::Symlink {
            rustix::fs::readlink(path, Vec::new()).ok().map(std::ffi::CString::into_bytes)
        } else {
            None
        };
        return Ok(Entry { metadata, link_target, permit: permit.clone() });
    }
    let opened = open::open(permit, OFlags::DIRECTORY | platform::O_PATH, "lstat")?;
    use std::os::fd::AsFd as _;
    let metadata = of(opened.descriptor.as_fd(), &opened.permit)?;
    Ok(Entry { metadata, link_target: None, permit: opened.permit })
}
