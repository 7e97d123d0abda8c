//! Deny rules, held against what really is opened. A policy that resolves links has asked about the
//! very path that is opened; one that does not follows links wherever they lead, so where that is has
//! to be looked up. Without rules nothing here costs anything.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::access::permit::Ambient;
use crate::access::{Permit, Policy, Right, Write, lexical};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::fs::open::Slot;
use crate::fs::remove::{self, Ask};
use crate::fs::{links, platform};

/// What the kernel puts behind the path of an opened object that has no name any more. A name can
/// end like that, too.
const GONE: &[u8] = b" (deleted)";

/// Refuses an object opened through `permit` if rules deny what it is.
pub(in crate::fs) fn refuse_opened<R: Right>(
    permit: &Permit<R>,
    descriptor: BorrowedFd<'_>,
) -> Result<()> {
    let policy = permit.policy();
    if policy.deny().is_none() || policy.resolve_symlinks() {
        return Ok(());
    }
    // What cannot be known is not risked.
    let Ok(real) = platform::path_of(descriptor) else { return Err(refusal(permit)) };
    let gone = real.as_os_str().as_bytes().strip_suffix(GONE).map(OsStr::from_bytes);
    let mut readings = [Some(real.as_path()), gone.map(Path::new)].into_iter().flatten();
    if readings.any(|path| policy.deny_rule_of_real(path).is_some()) {
        return Err(refusal(permit));
    }
    Ok(())
}

/// Refuses `path`, on the way to what `permit` names or that itself, if links that are followed as
/// they are lead from it to where rules deny. For what cannot be opened: the answer must not tell
/// whether something is there.
pub(in crate::fs) fn refuse_led<R: Right>(permit: &Permit<R>, path: &Path) -> Result<()> {
    let policy = permit.policy();
    if !policy.resolve_symlinks() && leads_there(policy, path) {
        return Err(refusal(permit));
    }
    Ok(())
}

/// Whether links lead from `path` to where rules deny.
pub(in crate::fs) fn leads_there(policy: &Policy, path: &Path) -> bool {
    policy.deny().is_some()
        && links::resolve(Permit::ambient(Ambient::DenyRules), path)
            .is_ok_and(|target| policy.deny_rule_of_real(&target).is_some())
}

/// Refuses the name `name` in the opened `directory`; `path` is its path, links resolved when the
/// policy resolves links, and `permit` what was asked for.
pub(in crate::fs) fn refuse_name<R: Right>(
    permit: &Permit<R>,
    directory: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
) -> Result<()> {
    let policy = permit.policy();
    if policy.deny().is_none() {
        return Ok(());
    }
    let real = real_name(policy, directory, name, path);
    match real {
        Some(real) if policy.deny_rule_of_real(&real).is_none() => Ok(()),
        _ => Err(refusal(permit)),
    }
}

/// Refuses to remove or move a directory that holds what rules deny, before anything changes. Moved
/// to `destination`, it must hold nothing that is denied there.
///
/// # Errors
/// `ERR_NOT_GRANTED`, which names the directory only; as reading the directories.
pub(in crate::fs) fn refuse_beneath(
    slot: &Slot<Write>,
    destination: Option<&Slot<Write>>,
    cancel: &Cancel,
) -> Result<()> {
    let policy = slot.permit().policy();
    if policy.deny().is_none() {
        return Ok(());
    }
    let refused = || Policy::refusal(slot.path());
    let real = |slot: &Slot<Write>| {
        real_name(policy, slot.directory(), slot.name(), slot.path()).ok_or_else(refused)
    };
    let mut tops = vec![real(slot)?];
    if let Some(destination) = destination {
        tops.push(real(destination)?);
    }
    let ask = |paths: &[PathBuf]| {
        let allows = |path: &PathBuf| {
            let beneath = lexical::relative_within(slot.path(), path).unwrap_or(Path::new(""));
            // What is above was asked about before: the slots when they were opened, then from the
            // top down.
            tops.iter().all(|top| policy.deny_rule_of_entry(&top.join(beneath)).is_none())
        };
        Ok(paths.iter().map(allows).collect())
    };
    let ask: Ask<'_> = &ask;
    remove::ask_beneath(slot, ask, cancel).map_err(|error| match error.code {
        "ERR_NOT_GRANTED" => refused(),
        _ => error,
    })
}

/// The rules as a tree of directories needs them.
#[derive(Debug)]
pub(in crate::fs) struct Hidden {
    policy: Arc<Policy>,
    /// Where the root of the tree really is.
    root: PathBuf,
}

impl Hidden {
    /// The rules for the tree beneath an opened directory; `None` without rules.
    ///
    /// # Errors
    /// `ERR_NOT_GRANTED` when it cannot be known where the directory is.
    pub(in crate::fs) fn beneath<R: Right>(
        permit: &Permit<R>,
        directory: BorrowedFd<'_>,
    ) -> Result<Option<Self>> {
        let policy = permit.policy();
        if policy.deny().is_none() {
            return Ok(None);
        }
        let root = if policy.resolve_symlinks() {
            permit.path().to_path_buf()
        } else {
            platform::path_of(directory).map_err(|_| refusal(permit))?
        };
        Ok(Some(Self { policy: Arc::clone(policy), root }))
    }

    /// Whether rules deny the entry `name` of the directory at `relative`, which they do not deny.
    pub(in crate::fs) fn hides(&self, relative: &[u8], name: &OsStr) -> bool {
        let directory = self.root.join(OsStr::from_bytes(relative));
        self.policy.deny_rule_of_entry(&lexical::join(&directory, name)).is_some()
    }
}

fn real_name(
    policy: &Policy,
    directory: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
) -> Option<PathBuf> {
    if policy.resolve_symlinks() {
        return Some(path.to_path_buf());
    }
    Some(lexical::join(&platform::path_of(directory).ok()?, name))
}

fn refusal<R: Right>(permit: &Permit<R>) -> crate::Error {
    Policy::refusal(permit.path())
}
