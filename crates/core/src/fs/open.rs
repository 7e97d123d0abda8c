//! Opening what a permit names. With links resolved, every open happens beneath a grant's root
//! and through no link; where a link is met, the policy is asked again about what it leads to.
//! Method: `openat2` beneath a held root, as in cap-std and libpathrs; no path string is checked
//! and then used.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::access::permit::Ambient;
use crate::access::{Permit, Right, Write, lexical};
use crate::error::{Error, Result};
use crate::fs::root::{self, Root};
use crate::fs::{denied, links, platform};
use crate::text::shown::shown_path;

/// Times a path may lead through links, each leading into a place that the policy allows. The
/// kernel's own limit of 40 links holds within each.
const MAX_HOPS: usize = 8;

/// Longest path in bytes: Linux's `PATH_MAX` (limits.h) less the byte that ends it.
const MAX_PATH: usize = 4095;

/// An opened object and the permit that finally allowed it: its path has its links resolved when
/// the policy resolves links.
#[derive(Debug)]
pub struct Opened<R: Right> {
    /// The object.
    pub descriptor: OwnedFd,
    /// The permit for exactly this object.
    pub permit: Permit<R>,
}

/// A held directory and a name in it: what create, remove and rename act on.
#[derive(Debug)]
pub struct Slot<R: Right> {
    directory: OwnedFd,
    name: OsString,
    permit: Permit<R>,
}

impl<R: Right> Slot<R> {
    pub(in crate::fs) fn new(directory: OwnedFd, name: OsString, permit: Permit<R>) -> Self {
        Self { directory, name, permit }
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// The name in it; nothing says that it exists.
    #[must_use]
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// The permit for the name.
    #[must_use]
    pub fn permit(&self) -> &Permit<R> {
        &self.permit
    }

    /// Absolute path of the name, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.permit.path()
    }
}

/// Opens the object that the permit names. `syscall` names the call in errors.
///
/// # Errors
/// Node's errors for the path; `ERR_NOT_GRANTED` when a link leads out of the grants.
pub fn open<R: Right>(
    permit: &Permit<R>,
    flags: OFlags,
    syscall: &'static str,
) -> Result<Opened<R>> {
    refuse_long(permit, syscall)?;
    let flags = flags | OFlags::CLOEXEC;
    if !permit.policy().resolve_symlinks() {
        let root = root_of(permit, syscall)?;
        let relative = or_dot(permit.relative());
        let opened = rustix::fs::openat(root.descriptor(), relative, flags, Mode::empty());
        let descriptor = match opened {
            Ok(descriptor) => descriptor,
            Err(errno) => {
                denied::refuse_led(permit, permit.path())?;
                return Err(Error::io(errno, syscall, permit.path()));
            }
        };
        denied::refuse_opened(permit, descriptor.as_fd())?;
        return Ok(Opened { descriptor, permit: permit.clone() });
    }
    let mut permit = permit.clone();
    for _ in 0..MAX_HOPS {
        let root = root_of(&permit, syscall)?;
        let opened =
            platform::open_beneath(root.descriptor(), permit.relative(), flags, Mode::empty());
        match opened {
            Ok(descriptor) => return Ok(Opened { descriptor, permit }),
            Err(Errno::LOOP) => permit = through_links(&permit, syscall)?,
            Err(errno) => return Err(Error::io(errno, syscall, permit.path())),
        }
    }
    Err(Error::io(Errno::LOOP, syscall, permit.path()))
}

/// The slot that the permit names, its last name not followed: for what acts on a link itself
/// (remove, rename, look).
///
/// # Errors
/// As [`open`]; `ERR_ROOT` for a grant's root, which has no slot within the grant.
pub fn slot<R: Right>(permit: &Permit<R>, syscall: &'static str) -> Result<Slot<R>> {
    refuse_long(permit, syscall)?;
    let Some((parent, name)) = lexical::parent_and_name(permit.path()) else {
        return Err(is_root(permit.path()));
    };
    if permit.relative().as_os_str().is_empty() {
        return Err(is_root(permit.path()));
    }
    let parent = permit.policy().permit::<R>(parent)?;
    let flags = OFlags::DIRECTORY | platform::O_PATH;
    let opened = open(&parent, flags, syscall).map_err(|error| about(error, syscall, permit))?;
    let path = lexical::join(opened.permit.path(), name);
    denied::refuse_name(permit, opened.descriptor.as_fd(), name, &path)?;
    let permit = opened.permit.child(name, &path);
    Ok(Slot { directory: opened.descriptor, name: name.to_os_string(), permit })
}

/// The slot of what the permit names once a link in its last place is followed: where a write of
/// the path goes. The link stays; a dangling one leads to the file it will have.
///
/// # Errors
/// As [`open`]; `ERR_ROOT` for a grant's root.
pub fn target_slot<R: Right>(permit: &Permit<R>, syscall: &'static str) -> Result<Slot<R>> {
    let mut place = slot(permit, syscall)?;
    for _ in 0..MAX_HOPS {
        if !is_link(place.directory(), place.name()) {
            return Ok(place);
        }
        if !permit.policy().resolve_symlinks() {
            return linked_slot(&place, syscall);
        }
        let permit = through_links(place.permit(), syscall)?;
        place = slot(&permit, syscall)?;
    }
    Err(Error::io(Errno::LOOP, syscall, permit.path()))
}

/// Opens the root of the permit's grant, made first if it is missing: for writes and creates.
///
/// # Errors
/// What making or opening the directory says.
pub fn ensure_root(permit: &Permit<Write>) -> Result<Arc<Root>> {
    match permit.grant().root() {
        Err(error) if error.is_not_found() => {
            root::create(permit.grant().lexical())?;
            permit.grant().root()
        }
        result => result,
    }
}

/// Links are followed as they are: the slot lies wherever the link leads, granted or not. That is
/// the documented meaning of a policy that does not resolve links.
fn linked_slot<R: Right>(link: &Slot<R>, syscall: &'static str) -> Result<Slot<R>> {
    denied::refuse_led(link.permit(), link.path())?;
    let target = links::resolve(Permit::ambient(Ambient::ResolveLinks), link.path())
        .map_err(|_| Error::io(Errno::LOOP, syscall, link.path()))?;
    let Some((parent, name)) = lexical::parent_and_name(&target) else {
        return Err(Error::io(Errno::ISDIR, syscall, link.path()));
    };
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | platform::O_PATH;
    let directory = rustix::fs::open(parent, flags, Mode::empty())
        .map_err(|errno| Error::io(errno, syscall, link.path()))?;
    denied::refuse_name(link.permit(), directory.as_fd(), name, &target)?;
    Ok(Slot { directory, name: name.to_os_string(), permit: link.permit().clone() })
}

/// Refuses a path that no single system call could take. Step by step it could be reached, but
/// nothing else on the machine, and no later call of ours, could name what was made there.
///
/// # Errors
/// `ENAMETOOLONG`.
pub fn refuse_long<R: Right>(permit: &Permit<R>, syscall: &'static str) -> Result<()> {
    if permit.path().as_os_str().len() > MAX_PATH {
        return Err(Error::io(Errno::NAMETOOLONG, syscall, permit.path()));
    }
    Ok(())
}

/// The permit for where the links of `permit`'s path lead, if the policy allows that place.
pub(in crate::fs) fn through_links<R: Right>(
    permit: &Permit<R>,
    syscall: &'static str,
) -> Result<Permit<R>> {
    let target =
        permit.policy().led(permit.path()).map_err(|error| about(error, syscall, permit))?;
    permit.policy().permit::<R>(&target)
}

fn root_of<R: Right>(permit: &Permit<R>, syscall: &'static str) -> Result<Arc<Root>> {
    permit.grant().root().map_err(|error| about(error, syscall, permit))
}

/// Words a failure on the way (the root, the parent) as a failure about the path that was asked
/// for, as one system call on the whole path would.
fn about<R: Right>(error: Error, syscall: &'static str, permit: &Permit<R>) -> Error {
    match error.raw() {
        Some(errno) => Error::io(errno, syscall, permit.path()),
        None => error,
    }
}

fn is_link(directory: BorrowedFd<'_>, name: &OsStr) -> bool {
    rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_symlink())
}

fn is_root(path: &Path) -> Error {
    Error::new(
        "ERR_ROOT",
        format!("'{}' is the root of a granted directory and stays where it is", shown_path(path)),
    )
    .with_path(path)
}

fn or_dot(relative: &Path) -> &Path {
    if relative.as_os_str().is_empty() { Path::new(".") } else { relative }
}
