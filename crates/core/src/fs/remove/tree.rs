//! The way through a directory that is removed, or looked over before that.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::remove::is_dots;

/// Directories held open at once; those above are closed and found again through `..`.
const MAX_HELD: usize = 32;

/// Entries of a directory taken at once while it is removed.
const BATCH: usize = 1024;

/// Times that something may appear in a directory between its last entry going and itself.
const MAX_REFILLS: usize = 64;

/// What was come by.
#[derive(Debug)]
pub(super) enum Step {
    /// An entry, on a way that removes nothing.
    Met(PathBuf),
    /// A directory went.
    Left {
        /// Its device.
        device: u64,
        /// Its inode.
        inode: u64,
    },
    /// Work was done; nothing to tell.
    Worked,
}

/// One directory on the way.
struct Frame {
    name: OsString,
    held: Option<OwnedFd>,
    device: u64,
    inode: u64,
    /// Directories within that are still to be entered.
    ahead: Vec<OsString>,
    /// Other entries still to be told of, on a way that removes nothing.
    met: Vec<OsString>,
    is_listed: bool,
    refills: usize,
}

/// A way through everything beneath a slot, depth first.
pub(super) struct Tree<'s> {
    slot: &'s Slot<Write>,
    removes: bool,
    frames: Vec<Frame>,
    is_started: bool,
}

impl<'s> Tree<'s> {
    pub(super) fn new(slot: &'s Slot<Write>, removes: bool) -> Self {
        Self { slot, removes, frames: Vec::new(), is_started: false }
    }

    /// Goes one step on; `None` at the end.
    pub(super) fn next(&mut self, cancel: &Cancel) -> Result<Option<Step>> {
        cancel.check()?;
        if !self.is_started {
            self.is_started = true;
            return self.enter(self.slot.name().to_os_string()).map(Some);
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        if let Some(name) = frame.met.pop() {
            return Ok(Some(Step::Met(self.path_of(Some(&name)))));
        }
        if let Some(name) = frame.ahead.pop() {
            return self.enter(name).map(Some);
        }
        if !frame.is_listed {
            return self.list(cancel).map(Some);
        }
        self.leave().map(Some)
    }

    /// Enters the directory `name` of the last frame's (or the slot's) directory.
    fn enter(&mut self, name: OsString) -> Result<Step> {
        let above = self.frames.last().and_then(|frame| frame.held.as_ref());
        let above = above.map_or_else(|| self.slot.directory(), AsFd::as_fd);
        if self.removes {
            // Most directories in a tree are small: an empty one needs no more than this. What may
            // not be removed is found out before anything in it goes.
            match rustix::fs::unlinkat(above, &name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => return Ok(Step::Worked),
                Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                Err(Errno::NOTDIR) => return self.unlink(above, &name).map(|()| Step::Worked),
                Err(errno) => return Err(self.failed(errno, "rmdir", &name)),
            }
        }
        let opened = match open_directory(above, &name) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(Step::Worked),
            // Something else has the name now; it is met again as what it is.
            Err(Errno::NOTDIR | Errno::LOOP) if self.removes => {
                return self.unlink(above, &name).map(|()| Step::Worked);
            }
            Err(errno) => {
                let syscall = if self.removes { "rmdir" } else { "scandir" };
                return Err(self.failed(errno, syscall, &name));
            }
        };
        let stat =
            rustix::fs::fstat(&opened).map_err(|errno| self.failed(errno, "fstat", &name))?;
        let path = (!self.removes).then(|| self.path_of(Some(&name)));
        self.frames.push(Frame {
            name,
            held: Some(opened),
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            ahead: Vec::new(),
            met: Vec::new(),
            is_listed: false,
            refills: 0,
        });
        self.hold_few();
        Ok(path.map_or(Step::Worked, Step::Met))
    }

    /// Closes the directory that is furthest above when too many are held.
    fn hold_few(&mut self) {
        if let Some(index) = self.frames.len().checked_sub(MAX_HELD + 1)
            && let Some(frame) = self.frames.get_mut(index)
        {
            frame.held = None;
        }
    }

    /// Takes entries of the last directory: removes those that are no directories, or notes them.
    fn list(&mut self, cancel: &Cancel) -> Result<Step> {
        let Some(index) = self.frames.len().checked_sub(1) else { return Ok(Step::Worked) };
        let Some(directory) = self.frames[index].held.take() else { return Ok(Step::Worked) };
        let result = self.list_in(&directory, index, cancel);
        self.frames[index].held = Some(directory);
        result.map(|()| Step::Worked)
    }

    fn list_in(&mut self, directory: &OwnedFd, index: usize, cancel: &Cancel) -> Result<()> {
        let failed = |tree: &Self, errno| Error::io(errno, "scandir", &tree.path_of(None));
        let entries = Dir::read_from(directory).map_err(|errno| failed(self, errno))?;
        let mut taken = 0;
        for entry in entries {
            if taken == BATCH && self.removes {
                return Ok(());
            }
            cancel.check()?;
            let entry = entry.map_err(|errno| failed(self, errno))?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if is_dots(name) {
                continue;
            }
            taken += 1;
            if is_directory(directory, name, entry.file_type()) {
                self.frames[index].ahead.push(name.to_os_string());
            } else if self.removes {
                self.unlink(directory.as_fd(), name)?;
            } else {
                self.frames[index].met.push(name.to_os_string());
            }
        }
        // While removing, a directory counts as listed once nothing is left in it.
        self.frames[index].is_listed = !self.removes || taken == 0;
        Ok(())
    }

    /// Removes the last directory, which is empty now, and goes back to the one above.
    fn leave(&mut self) -> Result<Step> {
        let Some(frame) = self.frames.last() else { return Ok(Step::Worked) };
        let (device, inode) = (frame.device, frame.inode);
        self.hold_above()?;
        if self.removes {
            let above = self.frames.len().checked_sub(2).and_then(|index| self.frames.get(index));
            let above = above.and_then(|frame| frame.held.as_ref());
            let above = above.map_or_else(|| self.slot.directory(), AsFd::as_fd);
            let Some(frame) = self.frames.last() else { return Ok(Step::Worked) };
            match rustix::fs::unlinkat(above, &frame.name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST) if frame.refills < MAX_REFILLS => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.refills += 1;
                        frame.is_listed = false;
                    }
                    return Ok(Step::Worked);
                }
                Err(errno) => return Err(Error::io(errno, "rmdir", &self.path_of(None))),
            }
        }
        self.frames.pop();
        Ok(if self.removes { Step::Left { device, inode } } else { Step::Worked })
    }

    /// Opens the directory above the last one again, if it was closed, and makes sure that it is
    /// the same: a directory that somebody moved meanwhile has another one above it.
    fn hold_above(&mut self) -> Result<()> {
        let [.., above, last] = self.frames.as_slice() else { return Ok(()) };
        if above.held.is_some() {
            return Ok(());
        }
        let Some(directory) = last.held.as_ref() else { return Ok(()) };
        let expected = (above.device, above.inode);
        let moved = |errno| Error::io(errno, "rmdir", &self.path_of(None));
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(directory, "..", flags, Mode::empty()).map_err(moved)?;
        let stat = rustix::fs::fstat(&opened).map_err(moved)?;
        if (stat.st_dev as u64, stat.st_ino as u64) != expected {
            return Err(moved(Errno::BUSY));
        }
        let index = self.frames.len() - 2;
        self.frames[index].held = Some(opened);
        Ok(())
    }

    fn unlink(&self, directory: BorrowedFd<'_>, name: &OsStr) -> Result<()> {
        match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            // A directory took its place; the next listing finds it.
            Err(Errno::ISDIR) => Ok(()),
            Err(errno) => Err(self.failed(errno, "unlink", name)),
        }
    }

    fn failed(&self, errno: Errno, syscall: &'static str, name: &OsStr) -> Error {
        Error::io(errno, syscall, &self.path_of(Some(name)))
    }

    /// Path of the last directory, or of `name` in it. The first frame is the slot's own name.
    fn path_of(&self, name: Option<&OsStr>) -> PathBuf {
        let mut path = self.slot.path().to_path_buf();
        path.extend(self.frames.iter().skip(1).map(|frame| &frame.name));
        if !self.frames.is_empty() {
            path.extend(name);
        }
        path
    }
}

/// Opens a directory for reading, never through a link.
pub(super) fn open_directory(
    directory: BorrowedFd<'_>,
    name: &OsStr,
) -> std::result::Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

fn is_directory(directory: &OwnedFd, name: &OsStr, told: FileType) -> bool {
    match told {
        FileType::Directory => true,
        FileType::Unknown => rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir()),
        _ => false,
    }
}
