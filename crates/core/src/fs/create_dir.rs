//! Making directories beneath a grant's root, one held descriptor at a time, never through a link
//! that the policy does not allow.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::access::{Permit, Write, lexical};
use crate::error::{Error, Result};
use crate::fs::{denied, open, platform};

/// Times a directory may vanish between being made and being opened.
const MAX_TRIES: usize = 16;

/// Directories that were made, removed again when dropped, unless they are kept or somebody has put
/// something into them.
#[derive(Debug, Default)]
pub struct Made {
    /// The directory that the first of them was made in.
    parent: Option<OwnedFd>,
    /// Their names, each within the one before.
    names: Vec<OsString>,
}

impl Made {
    /// Lets them stay. Gives whether there were any.
    pub fn keep(mut self) -> bool {
        self.parent = None;
        !self.names.is_empty()
    }

    /// Makes the directory `name` in `parent`, which is the last one made if there is one. What is
    /// needed to remove it is got first: without that it is not made.
    fn make(&mut self, parent: &OwnedFd, name: &OsStr) -> std::result::Result<(), Errno> {
        let top = match self.parent.take() {
            Some(top) => top,
            None => rustix::io::fcntl_dupfd_cloexec(parent, 0)?,
        };
        let made = rustix::fs::mkdirat(parent, name, Mode::from_raw_mode(0o777));
        if made.is_ok() {
            self.names.push(name.to_os_string());
        }
        self.parent = Some(top);
        made
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let Some(top) = self.parent.take() else { return };
        while let Some(name) = self.names.pop() {
            let above: PathBuf = self.names.iter().collect();
            let flags = OFlags::DIRECTORY | platform::O_PATH;
            let removed = platform::open_beneath(top.as_fd(), &above, flags, Mode::empty())
                .and_then(|parent| rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR));
            if removed.is_err() {
                return;
            }
        }
    }
}

/// Makes the directory that the permit names and the missing ones above it, as Node's recursive
/// `mkdir`. Gives whether any was made; one that exists is fine.
///
/// # Errors
/// Node's errors of `mkdir`; `ERR_NOT_GRANTED` when a link leads out of the grants. Nothing that was
/// made stays after an error.
pub fn create_dir_all(permit: &Permit<Write>) -> Result<bool> {
    Ok(directories(permit)?.keep())
}

/// Makes what is missing of the directories above the place that the permit names.
///
/// # Errors
/// As [`create_dir_all`] of the directory the place lies in.
pub fn parents(permit: &Permit<Write>) -> Result<Made> {
    match lexical::parent_and_name(permit.path()) {
        Some((parent, _)) if !permit.relative().as_os_str().is_empty() => {
            directories(&permit.policy().permit(parent)?)
        }
        _ => Ok(Made::default()),
    }
}

/// As [`create_dir_all`], but what was made goes again unless it is kept.
///
/// # Errors
/// As [`create_dir_all`].
pub fn directories(permit: &Permit<Write>) -> Result<Made> {
    let mut walk = Walk::start(permit)?;
    let mut names = lexical::components(permit.relative()).peekable();
    while let Some(name) = names.next() {
        walk.enter(name, names.peek().is_none())?;
    }
    Ok(walk.made)
}

/// The way down to a directory.
struct Walk<'w> {
    permit: &'w Permit<Write>,
    /// The directory reached.
    held: OwnedFd,
    /// Its path, links resolved when the policy resolves links.
    path: PathBuf,
    made: Made,
}

impl<'w> Walk<'w> {
    fn start(permit: &'w Permit<Write>) -> Result<Self> {
        open::refuse_long(permit, "mkdir")?;
        let root = open::ensure_root(permit).map_err(|error| match error.raw() {
            Some(Errno::NOTDIR) => Error::io(Errno::EXIST, "mkdir", permit.path()),
            Some(errno) => Error::io(errno, "mkdir", permit.path()),
            None => error,
        })?;
        let flags = OFlags::DIRECTORY | platform::O_PATH;
        let held = platform::open_beneath(root.descriptor(), Path::new(""), flags, Mode::empty())
            .map_err(|errno| Error::io(errno, "mkdir", permit.path()))?;
        let depth = lexical::components(permit.relative()).count();
        let path = permit.path().ancestors().nth(depth).unwrap_or(permit.path()).to_path_buf();
        Ok(Self { permit, held, path, made: Made::default() })
    }

    fn enter(&mut self, name: &OsStr, is_last: bool) -> Result<()> {
        let path = lexical::join(&self.path, name);
        denied::refuse_name(self.permit, self.held.as_fd(), name, &path)?;
        denied::refuse_led(self.permit, &path)?;
        let mut has_made = false;
        for _ in 0..MAX_TRIES {
            match self.open(name) {
                Ok(held) => {
                    denied::refuse_opened(self.permit, held.as_fd())?;
                    self.held = held;
                    self.path = path;
                    return Ok(());
                }
                Err(Errno::NOENT) if has_made => return Err(dangling(&path, is_last)),
                Err(Errno::NOENT) => {
                    // Where a link led, the policy was asked about the link's target only.
                    self.permit.policy().permit::<Write>(&path)?;
                    match self.made.make(&self.held, name) {
                        Ok(()) => {}
                        // Somebody made it meanwhile, or a link of that name leads nowhere.
                        Err(Errno::EXIST) => has_made = true,
                        Err(errno) => return Err(Error::io(errno, "mkdir", &path)),
                    }
                }
                Err(Errno::LOOP) if self.permit.policy().resolve_symlinks() => {
                    return self.follow(&path, is_last);
                }
                Err(Errno::NOTDIR) => return Err(self.not_a_directory(is_last)),
                // The first thing Node tries is to make the whole path at once.
                Err(Errno::LOOP) => return Err(self.endless()),
                Err(errno) => return Err(Error::io(errno, "mkdir", &path)),
            }
        }
        Err(Error::io(Errno::NOENT, "mkdir", &path))
    }

    fn open(&self, name: &OsStr) -> std::result::Result<OwnedFd, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | platform::O_PATH;
        if self.permit.policy().resolve_symlinks() {
            platform::open_beneath(self.held.as_fd(), Path::new(name), flags, Mode::empty())
        } else {
            rustix::fs::openat(&self.held, name, flags, Mode::empty())
        }
    }

    /// Goes where the link at `path` leads, if the policy allows that.
    fn follow(&mut self, path: &Path, is_last: bool) -> Result<()> {
        let policy = self.permit.policy();
        let target =
            open::through_links(&policy.permit::<Write>(path)?, "mkdir").map_err(|error| {
                if error.raw() == Some(Errno::LOOP) { self.endless() } else { error }
            })?;
        let flags = OFlags::DIRECTORY | platform::O_PATH;
        let opened = open::open(&target, flags, "mkdir").map_err(|error| match error.raw() {
            Some(Errno::NOENT) => dangling(path, is_last),
            Some(Errno::NOTDIR) => self.not_a_directory(is_last),
            _ => error,
        })?;
        self.held = opened.descriptor;
        self.path = opened.permit.path().to_path_buf();
        Ok(())
    }

    fn endless(&self) -> Error {
        Error::io(Errno::LOOP, "mkdir", self.permit.path())
    }

    fn not_a_directory(&self, is_last: bool) -> Error {
        let errno = if is_last { Errno::EXIST } else { Errno::NOTDIR };
        Error::io(errno, "mkdir", self.permit.path())
    }
}

/// Node's answer for a link at `path` that leads nowhere.
fn dangling(path: &Path, is_last: bool) -> Error {
    Error::io(if is_last { Errno::NOENT } else { Errno::NOTDIR }, "mkdir", path)
}
