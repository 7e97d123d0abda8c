//! Renaming: the link itself, never over something that exists, in one step.

use std::path::Path;

use rustix::fs::AtFlags;
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::denied;
use crate::fs::open::Slot;
use crate::fs::platform;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::transfer::transfer;
use crate::text::shown::shown_path;

/// Renames what `from` names, which looks like `metadata`, to the name `to`, which nothing may
/// have. Between file systems it is copied, with mode and times, and then removed.
///
/// # Errors
/// `ERR_NOT_GRANTED` for a directory that holds what deny rules hide, here or there; `EEXIST`
/// (`Destination already exists`); Node's errors of `rename`; as [`Cancel::check`]. After an
/// error the source is whole and nothing stands at `to`; but when the source of a copy cannot be
/// removed, the copy stays, because parts of the source may be gone.
pub fn rename(
    from: &Slot<Write>,
    metadata: &Metadata,
    to: &Slot<Write>,
    cancel: &Cancel,
) -> Result<()> {
    cancel.check()?;
    if metadata.kind == Kind::Directory {
        denied::refuse_beneath(from, Some(to), cancel)?;
    }
    let failed = |errno| match errno {
        Errno::EXIST | Errno::NOTEMPTY => exists(to.path()),
        errno => Error::io_between(errno, "rename", from.path(), to.path()),
    };
    let source = (from.directory(), from.name());
    let destination = (to.directory(), to.name());
    let renamed = match platform::rename_new(source, destination) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => rename_in_steps(from, metadata, to),
        result => result,
    };
    match renamed {
        Err(Errno::XDEV) => transfer(from, metadata, to, cancel),
        result => result.map_err(failed),
    }
}

/// The refusal to replace what stands at `path`.
#[must_use]
pub fn exists(path: &Path) -> Error {
    Error::new("EEXIST", format!("Destination already exists: {}", shown_path(path)))
        .with_path(path)
}

/// For file systems that cannot rename without replacing: a file gets its second name, which fails
/// if it is taken, before it loses the first. For a directory, that nothing has the name is checked
/// just before.
fn rename_in_steps(
    from: &Slot<Write>,
    metadata: &Metadata,
    to: &Slot<Write>,
) -> std::result::Result<(), Errno> {
    let (source, destination) = ((from.directory(), from.name()), (to.directory(), to.name()));
    if metadata.kind == Kind::File {
        match rustix::fs::linkat(source.0, source.1, destination.0, destination.1, AtFlags::empty())
        {
            Ok(()) => return rustix::fs::unlinkat(source.0, source.1, AtFlags::empty()),
            Err(Errno::PERM | Errno::OPNOTSUPP | Errno::MLINK) => {}
            Err(errno) => return Err(errno),
        }
    }
    match rustix::fs::statat(destination.0, destination.1, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Err(Errno::EXIST),
        Err(Errno::NOENT) => rustix::fs::renameat(source.0, source.1, destination.0, destination.1),
        Err(errno) => Err(errno),
    }
}
