//! Copying files and whole directories. However deep a tree is, two directories are held open: the
//! way back up goes through `..`, and each directory is known again by its device and inode.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::platform;
use crate::fs::remove;
use crate::fs::rename::exists;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::transfer::{beside, copy_link, finish, not_movable, open_file};

/// Bytes copied at once.
const CHUNK: usize = 256 * 1024;

/// Why a copy ended early.
pub(super) enum Stopped {
    /// A system call failed.
    Failed(Errno),
    /// The caller gave up, or something cannot be copied.
    Refused(Error),
}

impl Stopped {
    /// As an error; `failed` words a failed call.
    pub(super) fn or(self, failed: impl FnOnce(Errno) -> Error) -> Error {
        match self {
            Self::Failed(errno) => failed(errno),
            Self::Refused(error) => error,
        }
    }
}

impl From<Errno> for Stopped {
    fn from(errno: Errno) -> Self {
        Self::Failed(errno)
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// Copies what is left to read of `from` to `to`.
pub(super) fn content(
    from: &OwnedFd,
    to: BorrowedFd<'_>,
    cancel: &Cancel,
) -> std::result::Result<(), Stopped> {
    let mut buffer = vec![0; CHUNK];
    loop {
        cancel.check()?;
        let count = match rustix::io::read(from, buffer.as_mut_slice()) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(Errno::INTR) => continue,
            Err(errno) => return Err(errno.into()),
        };
        let mut rest = buffer.get(..count).unwrap_or_default();
        while !rest.is_empty() {
            match rustix::io::write(to, rest) {
                Ok(0) => return Err(Errno::IO.into()),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

/// Copies the directory in `from` with everything in it to the free name in `to`: all or nothing.
pub(super) fn directory(from: &Slot<Write>, to: &Slot<Write>, cancel: &Cancel) -> Result<()> {
    let failed = |errno| match errno {
        Errno::EXIST | Errno::NOTEMPTY => exists(to.path()),
        errno => Error::io_between(errno, "rename", from.path(), to.path()),
    };
    let staged = beside(to)?;
    let copied = Copy::start(from, &staged, cancel).and_then(Copy::run).and_then(|()| {
        let (directory, name) = (to.directory(), to.name());
        let publish = || platform::rename_new((directory, staged.name()), (directory, name));
        match publish() {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                // Replaces at most an empty directory made in this moment.
                Ok(rustix::fs::renameat(directory, staged.name(), directory, name)?)
            }
            result => Ok(result?),
        }
    });
    copied.map_err(|stopped| {
        let _ = remove::remove(&staged, Kind::Directory, true, None, &Cancel::new());
        stopped.or(failed)
    })
}

/// A directory on the way, in the source and in the copy.
struct Frame {
    name: OsString,
    source: Metadata,
    copy: Metadata,
    ahead: Vec<OsString>,
}

struct Copy<'c> {
    root: &'c Slot<Write>,
    cancel: &'c Cancel,
    source: OwnedFd,
    copy: OwnedFd,
    frames: Vec<Frame>,
}

impl<'c> Copy<'c> {
    fn start(
        from: &'c Slot<Write>,
        to: &Slot<Write>,
        cancel: &'c Cancel,
    ) -> std::result::Result<Self, Stopped> {
        let source = open_directory(from.directory(), from.name())?;
        let copy = make_directory(to.directory(), to.name())?;
        let mut started = Self { root: from, cancel, source, copy, frames: Vec::new() };
        started.arrive(from.name().to_os_string())?;
        Ok(started)
    }

    fn run(mut self) -> std::result::Result<(), Stopped> {
        while let Some(frame) = self.frames.last_mut() {
            self.cancel.check()?;
            match frame.ahead.pop() {
                Some(name) => self.enter(name)?,
                None => self.leave()?,
            }
        }
        Ok(())
    }

    fn enter(&mut self, name: OsString) -> std::result::Result<(), Stopped> {
        let source = open_directory(self.source.as_fd(), &name)?;
        self.copy = make_directory(self.copy.as_fd(), &name)?;
        self.source = source;
        self.arrive(name)
    }

    /// Copies what is in the directory reached, but for the directories, which lie ahead.
    fn arrive(&mut self, name: OsString) -> std::result::Result<(), Stopped> {
        let source = look(self.source.as_fd())?;
        let copy = look(self.copy.as_fd())?;
        let mut ahead = Vec::new();
        for entry in Dir::read_from(&self.source)? {
            self.cancel.check()?;
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if matches!(name.as_bytes(), b"." | b"..") {
                continue;
            }
            let metadata = platform::stat_at(self.source.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW)?;
            match metadata.kind {
                Kind::Directory => ahead.push(name.to_os_string()),
                Kind::File => self.file(name)?,
                Kind::Symlink => {
                    let (source, copy) = (self.source.as_fd(), self.copy.as_fd());
                    copy_link((source, name), (copy, name), &metadata)?;
                }
                _ => return Err(self.refuse(name).into()),
            }
        }
        self.frames.push(Frame { name, source, copy, ahead });
        Ok(())
    }

    fn file(&self, name: &OsStr) -> std::result::Result<(), Stopped> {
        let source = open_file(self.source.as_fd(), name)?;
        let looked = look(source.as_fd())?;
        if looked.kind != Kind::File {
            return Err(self.refuse(name).into());
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let copy = rustix::fs::openat(&self.copy, name, flags, Mode::from_raw_mode(0o600))?;
        content(&source, copy.as_fd(), self.cancel)?;
        Ok(finish(source.as_fd(), copy.as_fd(), &looked)?)
    }

    /// Finishes the directory reached and goes back up.
    fn leave(&mut self) -> std::result::Result<(), Stopped> {
        let Some(done) = self.frames.pop() else { return Ok(()) };
        let above = match self.frames.last() {
            Some(above) => {
                Some((up(self.source.as_fd(), &above.source)?, up(self.copy.as_fd(), &above.copy)?))
            }
            None => None,
        };
        finish(self.source.as_fd(), self.copy.as_fd(), &done.source)?;
        if let Some((source, copy)) = above {
            self.source = source;
            self.copy = copy;
        }
        Ok(())
    }

    fn refuse(&self, name: &OsStr) -> Error {
        let mut path: PathBuf = self.root.path().to_path_buf();
        path.extend(self.frames.iter().skip(1).map(|frame| &frame.name));
        path.push(name);
        not_movable(self.root).with_path(&path)
    }
}

fn up(directory: BorrowedFd<'_>, expected: &Metadata) -> std::result::Result<OwnedFd, Errno> {
    let above = open_directory(directory, OsStr::new(".."))?;
    let found = look(above.as_fd())?;
    let is_same = (found.device, found.inode) == (expected.device, expected.inode);
    if is_same { Ok(above) } else { Err(Errno::BUSY) }
}

fn look(file: BorrowedFd<'_>) -> std::result::Result<Metadata, Errno> {
    platform::stat_at(file, OsStr::new(""), AtFlags::EMPTY_PATH)
}

fn open_directory(directory: BorrowedFd<'_>, name: &OsStr) -> std::result::Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

fn make_directory(directory: BorrowedFd<'_>, name: &OsStr) -> std::result::Result<OwnedFd, Errno> {
    rustix::fs::mkdirat(directory, name, Mode::from_raw_mode(0o700))?;
    open_directory(directory, name)
}
