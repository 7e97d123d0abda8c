//! Reading regular files: opened without blocking, checked after the open, read in pieces.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::access::permit::AmbientPermit;
use crate::access::{Permit, Right};
use crate::error::{Error, Result};
use crate::fs::open::{self, Opened};
use crate::fs::platform;
use crate::fs::stat::{self, Kind, Metadata};
use crate::text::shown::shown_path;

/// An open regular file.
#[derive(Debug)]
pub struct File<R: Right> {
    descriptor: OwnedFd,
    permit: Permit<R>,
    metadata: Metadata,
    /// Bytes that [`File::fill`] has read.
    position: u64,
}

/// Opens the regular file that the permit names. A FIFO, device or socket is refused without
/// waiting for it.
///
/// # Errors
/// Node's `stat` errors for what cannot be looked at and `open` errors for what cannot be read;
/// `EISDIR` for a directory, `ERR_NOT_REGULAR` for other kinds.
pub fn open_regular<R: Right>(permit: &Permit<R>) -> Result<File<R>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    let Opened { descriptor, permit } = match open::open(permit, flags, "open") {
        Ok(opened) => opened,
        Err(error) => return Err(look_closer(permit, error)),
    };
    let metadata = stat::of(descriptor.as_fd(), &permit)?;
    refuse_irregular(metadata.kind, &permit)?;
    Ok(File { descriptor, permit, metadata, position: 0 })
}

impl<R: Right> File<R> {
    /// What the file was when it was opened.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// What the open file is now.
    ///
    /// # Errors
    /// As `fstat`.
    pub fn metadata_now(&self) -> Result<Metadata> {
        stat::of(self.descriptor.as_fd(), &self.permit)
    }

    /// The permit that finally allowed the file, with its path.
    #[must_use]
    pub fn permit(&self) -> &Permit<R> {
        &self.permit
    }

    /// Reads into `buffer` from where the last read ended; 0 at the end of the file.
    ///
    /// # Errors
    /// As `read`.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match rustix::io::read(&self.descriptor, &mut *buffer) {
                Ok(count) => return Ok(count),
                Err(Errno::INTR) => {}
                Err(errno) => {
                    return Err(Error::io_on_descriptor(errno, "read", self.permit.path()));
                }
            }
        }
    }

    /// Reads from byte `position` on until `buffer` is full or the file ends; gives the count. Where
    /// [`File::read`] goes on stays as it is.
    ///
    /// # Errors
    /// As `read`.
    pub fn fill_at(&self, buffer: &mut [u8], position: u64) -> Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..)
            && !rest.is_empty()
        {
            match rustix::io::pread(&self.descriptor, rest, position + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(Errno::INTR) => {}
                Err(errno) => {
                    return Err(Error::io_on_descriptor(errno, "read", self.permit.path()));
                }
            }
        }
        Ok(filled)
    }

    /// Reads until `buffer` is full or the file ends; gives the count. As many bytes as the file had
    /// when it was opened, and none beside them where there was room, are taken for its end.
    ///
    /// # Errors
    /// As `read`.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..)
            && !rest.is_empty()
        {
            let count = self.read(rest)?;
            filled += count;
            self.position += count as u64;
            if count == 0 || self.position == self.metadata.size {
                break;
            }
        }
        Ok(filled)
    }
}

/// Why an open failed, as Node's `stat` before the open would have said: the name cannot be
/// looked at, it is no regular file, or it is one that may not be read.
fn look_closer<R: Right>(permit: &Permit<R>, error: Error) -> Error {
    if error.errno.is_none() {
        return error;
    }
    let looked = open::open(permit, platform::O_PATH, "stat")
        .and_then(|opened| Ok((stat::of(opened.descriptor.as_fd(), &opened.permit)?, opened)));
    match looked {
        Ok((metadata, opened)) => {
            refuse_irregular(metadata.kind, &opened.permit).err().unwrap_or(error)
        }
        Err(not_seen) => not_seen,
    }
}

fn refuse_irregular<R: Right>(kind: Kind, permit: &Permit<R>) -> Result<()> {
    match kind {
        Kind::File => Ok(()),
        Kind::Directory => Err(Error::io_on_descriptor(Errno::ISDIR, "read", permit.path())),
        _ => Err(Error::new(
            "ERR_NOT_REGULAR",
            format!("Not a regular file: '{}'", shown_path(permit.path())),
        )
        .with_path(permit.path())),
    }
}

/// The beginning of a file.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its first bytes.
    pub bytes: Vec<u8>,
    /// Whether that is all of it.
    pub is_whole: bool,
}

/// The first `length` bytes of the regular file at `path`, links followed.
///
/// # Errors
/// As [`open_regular`].
pub fn head_of(_permit: AmbientPermit, path: &Path, length: usize) -> Result<Head> {
    let failed = |errno| Error::io(errno, "open", path);
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let descriptor = rustix::fs::open(path, flags, Mode::empty()).map_err(failed)?;
    let stat = rustix::fs::fstat(&descriptor).map_err(failed)?;
    if Kind::from(FileType::from_raw_mode(stat.st_mode)) != Kind::File {
        return Err(Error::new("ERR_NOT_REGULAR", "Not a regular file").with_path(path));
    }
    // One byte more tells whether the file ends there.
    let mut bytes = vec![0; length + 1];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..)
        && !rest.is_empty()
    {
        match rustix::io::read(&descriptor, &mut *rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(Error::io_on_descriptor(errno, "read", path)),
        }
    }
    bytes.truncate(filled.min(length));
    Ok(Head { bytes, is_whole: filled <= length })
}
