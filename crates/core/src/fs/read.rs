//! Reading regular files: opened without blocking, checked after the open, read in pieces.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::access::{Permit, Right};
use crate::error::{Error, Result};
use crate::fs::open::{self, Opened};
use crate::fs::platform;
use crate::fs::stat::{self, Kind, Metadata};

/// An open regular file.
#[derive(Debug)]
pub struct File<R: Right> {
    descriptor: OwnedFd,
    permit: Permit<R>,
    metadata: Metadata,
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
    Ok(File { descriptor, permit, metadata })
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

    /// Reads until `buffer` is full or the file ends; gives the count.
    ///
    /// # Errors
    /// As `read`.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..)
            && !rest.is_empty()
        {
            match self.read(rest)? {
                0 => break,
                count => filled += count,
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
            format!("Not a regular file: '{}'", permit.path().display()),
        )
        .with_path(permit.path())),
    }
}
