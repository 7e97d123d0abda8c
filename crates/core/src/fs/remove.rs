//! Removing what a slot names: the link itself, never what it leads to; a directory with all that
//! is in it only when asked to. Works on held descriptors, without recursion on depth.

use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::AtFlags;
use rustix::io::Errno;

use crate::access::Write;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::denied;
use crate::fs::open::Slot;
use crate::fs::stat::Kind;
use crate::fs::sweep::sweep_all;

mod tree;

use tree::{Step, Tree};

/// Paths that a host's rule is asked about at once.
const ASKED_AT_ONCE: usize = 512;

/// A host's own rule for the entries of a removed directory: one verdict for each path.
pub type Ask<'a> = &'a dyn Fn(&[PathBuf]) -> Result<Vec<bool>>;

/// Removes what `slot` names, of the kind `kind`. A directory that is not empty only if `recursive`.
/// With a rule to `ask`, every entry is asked about before anything is removed, and one refusal
/// keeps all, and so does one that deny rules hide. Gives the directories that went, by device and inode.
///
/// # Errors
/// Node's errors of `unlink` and `rmdir`, with the path of the entry; `ERR_NOT_GRANTED` for an entry
/// that the rule refuses; as [`Cancel::check`].
pub fn remove(
    slot: &Slot<Write>,
    kind: Kind,
    recursive: bool,
    ask: Option<Ask<'_>>,
    cancel: &Cancel,
) -> Result<HashSet<(u64, u64)>> {
    cancel.check()?;
    if kind != Kind::Directory {
        rustix::fs::unlinkat(slot.directory(), slot.name(), AtFlags::empty())
            .map_err(|errno| Error::io(errno, "unlink", slot.path()))?;
        return Ok(HashSet::new());
    }
    let mut removed = HashSet::new();
    if !recursive {
        removed.extend(identity(slot));
        remove_empty(slot)?;
        return Ok(removed);
    }
    denied::refuse_beneath(slot, None, cancel)?;
    if let Some(ask) = ask {
        ask_beneath(slot, ask, cancel)?;
    }
    let mut tree = Tree::new(slot, true);
    while let Some(step) = tree.next(cancel)? {
        if let Step::Left { device, inode } = step {
            removed.insert((device, inode));
        }
    }
    Ok(removed)
}

/// Removes an empty directory, and one that holds nothing but what killed writers left.
fn remove_empty(slot: &Slot<Write>) -> Result<()> {
    let rmdir = || rustix::fs::unlinkat(slot.directory(), slot.name(), AtFlags::REMOVEDIR);
    let failed = |errno| Error::io(errno, "rmdir", slot.path());
    match rmdir() {
        Err(Errno::NOTEMPTY | Errno::EXIST) => {
            let opened = tree::open_directory(slot.directory(), slot.name()).map_err(|errno| {
                // The directory is not empty, whether or not it may be looked into.
                failed(if errno == Errno::ACCESS { Errno::NOTEMPTY } else { errno })
            })?;
            use std::os::fd::AsFd;
            sweep_all(opened.as_fd());
            rmdir().map_err(failed)
        }
        result => result.map_err(failed),
    }
}

/// Device and inode of the directory in the slot.
fn identity(slot: &Slot<Write>) -> Option<(u64, u64)> {
    let metadata = crate::fs::stat::at(slot, "lstat").ok()?;
    Some((metadata.device, metadata.inode))
}

/// Asks about every entry of a directory before anything is done with it: for its removal, and for
/// a move, which takes all of them along.
///
/// # Errors
/// `ERR_NOT_GRANTED` for the first entry that is refused; what `ask` fails with; as reading the
/// directories.
pub fn ask_beneath(slot: &Slot<Write>, ask: Ask<'_>, cancel: &Cancel) -> Result<()> {
    let mut asked = Vec::with_capacity(ASKED_AT_ONCE);
    let mut tree = Tree::new(slot, false);
    while let Some(step) = tree.next(cancel)? {
        if let Step::Met(path) = step {
            asked.push(path);
        }
        if asked.len() == ASKED_AT_ONCE {
            refuse_any(&asked, ask)?;
            asked.clear();
        }
    }
    refuse_any(&asked, ask)
}

fn refuse_any(paths: &[PathBuf], ask: Ask<'_>) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let verdicts = ask(paths)?;
    match paths.iter().zip(verdicts).find(|(_, allowed)| !allowed) {
        Some((path, _)) => Err(crate::access::Policy::refusal(path)),
        None => Ok(()),
    }
}

/// Whether a name is one of the two that every directory has.
fn is_dots(name: &std::ffi::OsStr) -> bool {
    matches!(name.as_bytes(), b"." | b"..")
}
