//! The file that a write goes to, held under its lock.

use crate::access::{Permit, Write};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::Errno;
use crate::fs::open::{self, Slot};
use crate::fs::place::Place;
use crate::fs::write::HardLinks;
use crate::pool::FileKey;
use crate::pool::locks::{self, LockKey, Locked};

/// Times the file may move while its lock is waited for.
const MAX_MOVES: usize = 64;

/// A file to be written, which no other writer of this process writes meanwhile.
#[derive(Debug)]
pub(super) struct Target {
    /// Where it stands once links are followed.
    pub(super) slot: Slot<Write>,
    /// The same, as locks and pools know it.
    pub(super) key: FileKey,
    _name: Locked,
    _inode: Locked,
}

impl Target {
    /// Finds the file that `permit` names and waits for its lock. `syscall` names failures.
    ///
    /// # Errors
    /// As [`open::target_slot`] and [`Cancel::check`].
    pub(super) fn lock(
        permit: &Permit<Write>,
        hard_links: HardLinks,
        syscall: &'static str,
        cancel: &Cancel,
    ) -> Result<Self> {
        let mut slot = open::target_slot(permit, syscall)?;
        for _ in 0..MAX_MOVES {
            let key = FileKey::of(&slot)?;
            let name = locks::lock(vec![LockKey::Name(key.clone())], cancel)?;
            // A link or a directory on the way may have changed while the lock was waited for.
            let now = open::target_slot(permit, syscall)?;
            if FileKey::of(&now)? == key {
                let inode = lock_inode(&now, hard_links, cancel)?;
                return Ok(Self { slot: now, key, _name: name, _inode: inode });
            }
            slot = now;
        }
        Err(Error::io(Errno::BUSY, syscall, permit.path()))
    }
}

/// Writers that keep hard links also take turns with those that came by another name.
fn lock_inode(slot: &Slot<Write>, hard_links: HardLinks, cancel: &Cancel) -> Result<Locked> {
    if hard_links == HardLinks::Replace {
        return Ok(Locked::default());
    }
    match Place::from(slot).metadata("open")? {
        Some(found) => locks::lock(vec![LockKey::Inode(found.device, found.inode)], cancel),
        None => Ok(Locked::default()),
    }
}
