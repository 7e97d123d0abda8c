//! A grant's root: a held directory descriptor, so that what was checked is what is used.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::access::Permit;
use crate::access::permit::Ambient;
use crate::error::{Error, Result};
use crate::fs::stat::Metadata;
use crate::fs::{links, platform};

/// An opened grant root.
#[derive(Debug)]
pub struct Root {
    descriptor: OwnedFd,
    canonical: PathBuf,
    device: u64,
    inode: u64,
    local: bool,
}

impl Root {
    /// The descriptor that everything beneath the grant is opened from.
    #[must_use]
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// The root's path with its links resolved, as of the moment it was opened.
    #[must_use]
    pub fn canonical(&self) -> &Path {
        &self.canonical
    }

    /// Whether `metadata` is that of the directory held.
    #[must_use]
    pub fn is(&self, metadata: &Metadata) -> bool {
        metadata.device == self.device && metadata.inode == self.inode
    }

    /// Whether the root lies on a local disk or memory file system, where a cached open cannot
    /// wait for a server.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.local
    }
}

/// Opens the directory at `path`, following links: a grant may be spelled through one.
pub(crate) fn open(path: &Path) -> Result<Root> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | platform::O_PATH;
    let descriptor = rustix::fs::open(path, flags, Mode::empty())
        .map_err(|errno| Error::io(errno, "open", path))?;
    let stat = rustix::fs::fstat(&descriptor).map_err(|errno| Error::io(errno, "stat", path))?;
    let canonical = links::resolve(Permit::ambient(Ambient::GrantRoot), path)?;
    let local = platform::is_local(descriptor.as_fd());
    Ok(Root { descriptor, canonical, device: stat.st_dev, inode: stat.st_ino, local })
}

/// Whether the directory at `path` is still the one that `root` holds.
pub(crate) fn is_current(root: &Root, path: &Path) -> bool {
    rustix::fs::stat(path).is_ok_and(|stat| stat.st_dev == root.device && stat.st_ino == root.inode)
}

/// Makes a missing root with its parents, for the first write beneath it.
///
/// # Errors
/// What `mkdir` says, with the path that failed.
pub(crate) fn create(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| {
        let errno = rustix::io::Errno::from_io_error(&error).unwrap_or(rustix::io::Errno::IO);
        Error::io(errno, "mkdir", path)
    })
}
