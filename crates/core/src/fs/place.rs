//! A name in a held directory, and what stands there: looked at, read and hashed without following
//! a link and without waiting for anything that is no file.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use xxhash_rust::xxh3::Xxh3;

use crate::access::permit::AmbientPermit;
use crate::access::{Right, lexical};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::seen::Held;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::{links, platform};

/// Bytes read at once.
const CHUNK: usize = 64 * 1024;

/// A name in a held directory.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    directory: BorrowedFd<'a>,
    name: &'a OsStr,
    path: &'a Path,
}

/// What a file held when it was hashed.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    /// The file before the first byte was read.
    pub before: Metadata,
    /// The file after the last byte was read.
    pub after: Metadata,
    /// XXH3 (64 bits) of its content.
    pub hash: u64,
}

impl Digest {
    /// Whether the file was written while it was read, so that what was read was perhaps never its
    /// content.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        let state = |metadata: &Metadata| (metadata.size, metadata.modified, metadata.changed);
        state(&self.before) != state(&self.after)
    }
}

/// The whole content of a file.
#[derive(Debug)]
pub struct Content {
    /// The bytes and what the file was.
    pub digest: Digest,
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The file that was read.
    pub file: Held,
}

impl<'a, R: Right> From<&'a Slot<R>> for Place<'a> {
    fn from(slot: &'a Slot<R>) -> Self {
        Self { directory: slot.directory(), name: slot.name(), path: slot.path() }
    }
}

impl<'a> Place<'a> {
    /// `name` in `directory`; `path` is its absolute path, for messages.
    #[must_use]
    pub(in crate::fs) fn new(directory: BorrowedFd<'a>, name: &'a OsStr, path: &'a Path) -> Self {
        Self { directory, name, path }
    }
}

impl Place<'_> {
    /// The name in its directory.
    #[must_use]
    pub fn name(&self) -> &OsStr {
        self.name
    }

    /// Absolute path of the name, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.path
    }

    /// Device and inode of the directory.
    ///
    /// # Errors
    /// As `fstat`.
    pub fn parent_identity(&self) -> Result<(u64, u64)> {
        let metadata = platform::stat_at(self.directory, OsStr::new(""), AtFlags::EMPTY_PATH)
            .map_err(|errno| Error::io_on_descriptor(errno, "fstat", self.path))?;
        Ok((metadata.device, metadata.inode))
    }

    /// What stands under the name, not followed; `None` for nothing.
    ///
    /// # Errors
    /// The errno of the look, as an error of `syscall`.
    pub fn metadata(&self, syscall: &'static str) -> Result<Option<Metadata>> {
        match platform::stat_at(self.directory, self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(Error::io(errno, syscall, self.path)),
        }
    }

    /// The first bytes of the regular file, at most `length`.
    ///
    /// # Errors
    /// As `open` and `read`; `ERR_NOT_REGULAR` for what is no regular file.
    pub fn head(&self, length: usize) -> Result<Vec<u8>> {
        let (file, _) = self.open()?;
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..)
            && !rest.is_empty()
        {
            match self.read_some(&file, rest)? {
                0 => break,
                count => filled += count,
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// Hashes the regular file, and keeps it open.
    ///
    /// # Errors
    /// As [`Place::head`]; as [`Cancel::check`].
    pub fn digest(&self, cancel: &Cancel) -> Result<(Digest, Held)> {
        self.each_chunk(cancel, |_| Ok(()))
    }

    /// Reads the whole regular file, which may have `limit` bytes.
    ///
    /// # Errors
    /// As [`Place::digest`]; `ERR_TOO_LARGE` for a file with more bytes than `limit`.
    pub fn content(&self, limit: u64, cancel: &Cancel) -> Result<Content> {
        let mut bytes = Vec::new();
        let (digest, file) = self.each_chunk(cancel, |chunk| {
            let size = (bytes.len() + chunk.len()) as u64;
            if size > limit {
                return Err(Error::too_large(size, limit, self.path));
            }
            bytes.extend_from_slice(chunk);
            Ok(())
        })?;
        Ok(Content { digest, bytes, file })
    }

    fn each_chunk(
        &self,
        cancel: &Cancel,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<(Digest, Held)> {
        let (file, before) = self.open()?;
        let mut hash = Xxh3::new();
        let mut buffer = vec![0; CHUNK];
        loop {
            cancel.check()?;
            let count = self.read_some(&file, &mut buffer)?;
            let chunk = buffer.get(..count).unwrap_or_default();
            if chunk.is_empty() {
                break;
            }
            hash.update(chunk);
            take(chunk)?;
        }
        let after = self.metadata_of(&file)?;
        Ok((Digest { before, after, hash: hash.digest() }, Held::new(file)))
    }

    fn open(&self) -> Result<(OwnedFd, Metadata)> {
        let flags =
            OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.directory, self.name, flags, Mode::empty())
            .map_err(|errno| Error::io(errno, "open", self.path))?;
        let metadata = self.metadata_of(&file)?;
        if metadata.kind != Kind::File {
            return Err(Error::new("ERR_NOT_REGULAR", "Path is not a file").with_path(self.path));
        }
        Ok((file, metadata))
    }

    fn metadata_of(&self, file: &OwnedFd) -> Result<Metadata> {
        platform::stat_at(file.as_fd(), OsStr::new(""), AtFlags::EMPTY_PATH)
            .map_err(|errno| Error::io_on_descriptor(errno, "fstat", self.path))
    }

    fn read_some(&self, file: &OwnedFd, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match rustix::io::read(file, &mut *buffer) {
                Err(Errno::INTR) => {}
                result => {
                    return result
                        .map_err(|errno| Error::io_on_descriptor(errno, "read", self.path));
                }
            }
        }
    }
}

/// A place outside the policy.
#[derive(Debug)]
pub struct AmbientPlace {
    directory: OwnedFd,
    name: OsString,
    path: PathBuf,
}

impl AmbientPlace {
    /// The place that `path` (absolute) means once its links are followed.
    ///
    /// # Errors
    /// As `open` of the directory; `EISDIR` for `/`.
    pub fn open(permit: AmbientPermit, path: &Path) -> Result<Self> {
        lexical::check(path)?;
        let target = links::resolve(permit, path)?;
        let Some((parent, name)) = lexical::parent_and_name(&target) else {
            return Err(Error::io(Errno::ISDIR, "open", path));
        };
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | platform::O_PATH;
        let directory = rustix::fs::open(parent, flags, Mode::empty())
            .map_err(|errno| Error::io(errno, "open", path))?;
        Ok(Self { directory, name: name.to_os_string(), path: path.to_path_buf() })
    }

    /// The place, as functions take it.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        Place { directory: self.directory.as_fd(), name: &self.name, path: &self.path }
    }
}
