//! What lies beneath a directory that a permit opened: each directory is opened from its parent's
//! descriptor and each file from its directory's, never through a link, so that a tree of any
//! depth is reached with few descriptors and no long paths.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::access::{Permit, Read, lexical};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::fs::denied::Hidden;
use crate::fs::entries::{Entries, Unread};
use crate::fs::stat::{self, Kind, Metadata};
use crate::fs::{open, platform};

/// Directories of one tree that are kept open for the sake of their subdirectories. Deeper ones
/// are opened again from the root and known by device and inode.
pub const MAX_HELD: usize = 32;

/// Longest piece of a path given to the kernel at once, in bytes; well below its own limit of
/// 4096, so that little is left to look up from where the last piece began.
const MAX_STEP: usize = 256;

/// Why nothing beneath a root can be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootError {
    /// The root exists and is no directory. The path is the resolved one.
    NotADirectory(PathBuf),
    /// It cannot be looked at: Node's `stat` error, or a refusal of the policy.
    Failed(Error),
}

impl From<Error> for RootError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A root that is a directory.
#[derive(Debug)]
pub struct Root {
    /// Its path as resolved.
    pub path: PathBuf,
    /// The tree beneath it, or why its names cannot be read (`scandir`).
    pub tree: Result<Arc<Tree>, Error>,
}

/// A tree, held by its root.
#[derive(Debug)]
pub struct Tree {
    root: OwnedFd,
    path: PathBuf,
    hidden: Option<Hidden>,
    held: AtomicUsize,
    /// Where the last piece of the path opened last began: the next one that is opened again is
    /// mostly near.
    waypoint: Mutex<Option<Waypoint>>,
}

#[derive(Clone, Debug)]
struct Waypoint {
    relative: Vec<u8>,
    descriptor: Arc<OwnedFd>,
}

/// Opens the directory that the permit names as the root of a tree.
///
/// # Errors
/// [`RootError`]. A directory that may not be read is no error here; see [`Root::tree`].
pub fn open_root(permit: &Permit<Read>) -> Result<Root, RootError> {
    let refused = match open::open(permit, OFlags::RDONLY | OFlags::DIRECTORY, "scandir") {
        Ok(opened) => {
            let path = opened.permit.path().to_path_buf();
            let hidden = Hidden::beneath(&opened.permit, opened.descriptor.as_fd())?;
            let tree = Tree {
                root: opened.descriptor,
                path: path.clone(),
                hidden,
                held: AtomicUsize::new(0),
                waypoint: Mutex::new(None),
            };
            return Ok(Root { path, tree: Ok(Arc::new(tree)) });
        }
        Err(error) => error,
    };
    let opened = open::open(permit, platform::O_PATH, "stat")?;
    let path = opened.permit.path().to_path_buf();
    let metadata = stat::of(opened.descriptor.as_fd(), &opened.permit)?;
    if metadata.kind == Kind::Directory {
        Ok(Root { path, tree: Err(refused) })
    } else {
        Err(RootError::NotADirectory(path))
    }
}

impl Tree {
    /// Path of the root.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root as a directory to read. It can be read once.
    #[must_use]
    pub fn root(self: &Arc<Self>) -> Directory {
        Directory { tree: Arc::clone(self), handle: Handle::Root, relative: Vec::new() }
    }

    /// Opens a directory again that is not held, and makes sure that it is the same.
    fn reopen(&self, relative: &[u8], device: u64, inode: u64) -> Result<OwnedFd, Errno> {
        let flags = OFlags::DIRECTORY | platform::O_PATH;
        let mut at = self.waypoint_of(relative);
        let descriptor = loop {
            let done = at.as_ref().map_or(0, |waypoint| waypoint.relative.len() + 1);
            let (step, rest) = split_step(relative.get(done..).unwrap_or_default());
            let from =
                at.as_ref().map_or(self.root.as_fd(), |waypoint| waypoint.descriptor.as_fd());
            let path = Path::new(OsStr::from_bytes(step));
            let opened = platform::open_beneath(from, path, flags, Mode::empty())?;
            if rest.is_empty() {
                break opened;
            }
            let relative = relative[..done + step.len()].to_vec();
            at = Some(Waypoint { relative, descriptor: Arc::new(opened) });
        };
        *self.waypoint.lock().unwrap_or_else(PoisonError::into_inner) = at;
        let stat = platform::stat_at(descriptor.as_fd(), OsStr::new(""), AtFlags::EMPTY_PATH)?;
        if (stat.device, stat.inode) == (device, inode) {
            Ok(descriptor)
        } else {
            Err(Errno::NOENT)
        }
    }

    /// The waypoint, if it lies on the way to `relative`.
    fn waypoint_of(&self, relative: &[u8]) -> Option<Waypoint> {
        let waypoint = self.waypoint.lock().unwrap_or_else(PoisonError::into_inner).clone();
        waypoint.filter(|waypoint| {
            relative.strip_prefix(waypoint.relative.as_slice()).is_some_and(|r| r.starts_with(b"/"))
        })
    }
}

/// As many whole names as fit one step, and what follows them. A single name is never too long.
fn split_step(path: &[u8]) -> (&[u8], &[u8]) {
    if path.len() <= MAX_STEP {
        return (path, b"");
    }
    let end = memchr::memrchr(b'/', &path[..MAX_STEP])
        .or_else(|| memchr::memchr(b'/', path))
        .unwrap_or(path.len());
    (&path[..end], path.get(end + 1..).unwrap_or_default())
}

#[derive(Debug)]
enum Handle {
    Root,
    Held(OwnedFd),
    /// Known by device and inode.
    Known(u64, u64),
}

/// A directory of a tree.
#[derive(Debug)]
pub struct Directory {
    tree: Arc<Tree>,
    handle: Handle,
    /// Names from the root, joined by `/`; empty for the root.
    relative: Vec<u8>,
}

impl Directory {
    /// Its path, for answers and messages.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        if self.relative.is_empty() {
            return self.tree.path.clone();
        }
        lexical::join(&self.tree.path, OsStr::from_bytes(&self.relative))
    }

    /// Path of the entry `name` in it.
    #[must_use]
    pub fn path_of(&self, name: &OsStr) -> PathBuf {
        lexical::join(&self.path(), name)
    }

    /// Reads its entries into `entries`, sorted: those that `keep` wants, and none that deny rules
    /// hide. It must be held, and can be read once.
    ///
    /// # Errors
    /// [`Unread`]; nothing of use is held then.
    pub fn read_entries(
        &self,
        entries: &mut Entries,
        mut keep: impl FnMut(&OsStr, Kind) -> bool,
        cancel: &Cancel,
    ) -> Result<(), Unread> {
        let descriptor = self.descriptor().ok_or(Errno::BADF)?;
        match &self.tree.hidden {
            None => entries.read(descriptor, keep, cancel),
            Some(hidden) => {
                let keep =
                    |name: &OsStr, kind| !hidden.hides(&self.relative, name) && keep(name, kind);
                entries.read(descriptor, keep, cancel)
            }
        }
    }

    /// The descriptor to read from; `None` for an anchor that is not held.
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match &self.handle {
            Handle::Root => Some(self.tree.root.as_fd()),
            Handle::Held(descriptor) => Some(descriptor.as_fd()),
            Handle::Known(..) => None,
        }
    }

    /// Opens the subdirectory `name` for reading. A link of that name is refused.
    ///
    /// # Errors
    /// The errno of the open; `ENOENT` if this directory has been replaced by another.
    pub fn open_directory(&self, name: &OsStr) -> Result<Directory, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor = match &self.handle {
            Handle::Known(device, inode) => {
                let parent = self.tree.reopen(&self.relative, *device, *inode)?;
                rustix::fs::openat(parent, name, flags, Mode::empty())?
            }
            Handle::Held(parent) => rustix::fs::openat(parent, name, flags, Mode::empty())?,
            Handle::Root => rustix::fs::openat(&self.tree.root, name, flags, Mode::empty())?,
        };
        let mut relative = Vec::with_capacity(self.relative.len() + name.len() + 1);
        relative.extend_from_slice(&self.relative);
        if !relative.is_empty() {
            relative.push(b'/');
        }
        relative.extend_from_slice(name.as_bytes());
        self.tree.held.fetch_add(1, Ordering::Relaxed);
        Ok(Directory { tree: Arc::clone(&self.tree), handle: Handle::Held(descriptor), relative })
    }

    /// What the subdirectories of this directory are to be opened from: itself, as long as few are
    /// held, else a note of which directory it is.
    ///
    /// # Errors
    /// The errno of the look at the directory.
    pub fn anchor(self: &Arc<Self>) -> Result<Arc<Directory>, Errno> {
        let Handle::Held(descriptor) = &self.handle else { return Ok(Arc::clone(self)) };
        if self.tree.held.load(Ordering::Relaxed) < MAX_HELD {
            return Ok(Arc::clone(self));
        }
        let stat = platform::stat_at(descriptor.as_fd(), OsStr::new(""), AtFlags::EMPTY_PATH)?;
        Ok(Arc::new(Directory {
            tree: Arc::clone(&self.tree),
            handle: Handle::Known(stat.device, stat.inode),
            relative: self.relative.clone(),
        }))
    }

    /// This directory with a descriptor: itself, or if it is an anchor that is not held, opened
    /// again. Its names are not to be read again.
    ///
    /// # Errors
    /// The errno of the open; `ENOENT` if it has been replaced by another.
    pub fn held(self: &Arc<Self>) -> Result<Arc<Directory>, Errno> {
        let Handle::Known(device, inode) = self.handle else { return Ok(Arc::clone(self)) };
        let descriptor = self.tree.reopen(&self.relative, device, inode)?;
        self.tree.held.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Directory {
            tree: Arc::clone(&self.tree),
            handle: Handle::Held(descriptor),
            relative: self.relative.clone(),
        }))
    }

    /// What the entry `name` of this held directory is; a link is not followed.
    ///
    /// # Errors
    /// The errno of the look; `ENOENT` if the directory is not held.
    pub fn metadata(&self, name: &OsStr) -> Result<Metadata, Errno> {
        let directory = self.descriptor().ok_or(Errno::NOENT)?;
        platform::stat_at(directory, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// Opens the regular file `name` of this held directory, without waiting for anything.
    ///
    /// # Errors
    /// The errno of the open: `ELOOP` for what has become a link, `ENOENT` for what is gone or
    /// has become something else, or if the directory is not held.
    pub fn open_file(&self, name: &OsStr) -> Result<File, Errno> {
        let directory = self.descriptor().ok_or(Errno::NOENT)?;
        let flags =
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let descriptor = rustix::fs::openat(directory, name, flags, Mode::empty())?;
        // Cheaper than all of the metadata, which few searches need.
        let stat = rustix::fs::fstat(&descriptor)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            let size = u64::try_from(stat.st_size).unwrap_or_default();
            Ok(File { descriptor, size })
        } else {
            Err(Errno::NOENT)
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        if matches!(self.handle, Handle::Held(_)) {
            self.tree.held.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// An open regular file of a tree.
#[derive(Debug)]
pub struct File {
    descriptor: OwnedFd,
    size: u64,
}

impl File {
    /// Size in bytes when it was opened.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What the file is now.
    ///
    /// # Errors
    /// The errno of the look.
    pub fn metadata(&self) -> Result<Metadata, Errno> {
        platform::stat_at(self.descriptor.as_fd(), OsStr::new(""), AtFlags::EMPTY_PATH)
    }

    /// Reads on into `buffer`; 0 at the end of the file.
    ///
    /// # Errors
    /// The errno of the read.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Errno> {
        loop {
            match rustix::io::read(&self.descriptor, &mut *buffer) {
                Err(Errno::INTR) => {}
                result => return result,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_between_names() {
        let long = [vec![b'a'; 1500], vec![b'/'], vec![b'b'; 1500]].concat();
        let (step, rest) = split_step(&long);
        assert_eq!((step.len(), rest.len()), (1500, 1500));
        assert_eq!(split_step(b"a/b"), (&b"a/b"[..], &b""[..]));
        let name = vec![b'c'; 3000];
        assert_eq!(split_step(&name), (&name[..], &b""[..]));
    }
}
