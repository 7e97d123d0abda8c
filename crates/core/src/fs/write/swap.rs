//! Publishing over an existing file.

use std::ffi::OsStr;
use std::os::fd::AsFd;

use rustix::fs::AtFlags;
use rustix::io::Errno;

use crate::error::{Error, Result};
use crate::fs::place::Place;
use crate::fs::platform;
use crate::fs::staged::Staged;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::write::clock::tells_writes_apart;
use crate::fs::write::{Expect, Job, is_same, is_same_content};

/// Times another program may save while its last save is being put back. Each takes it a whole
/// save against two system calls here.
const MAX_PUT_BACKS: usize = 64;

/// What shows that the file that had the name is the one that was seen.
pub(super) enum Proof {
    /// Nothing: it was not looked at.
    None,
    /// Its metadata.
    Metadata,
    /// Its metadata and the hash of its content.
    Content(u64),
}

/// What became of the attempt to replace a file.
pub(super) enum Published {
    /// The new file has the name.
    Done,
    /// Nothing changed: a mount point cannot be replaced.
    Impossible,
}

impl Job<'_> {
    /// What to hold against what the exchange brings out. Reading its content lengthens the time in
    /// which sudden death leaves it behind under the temporary name, so that is done only where
    /// metadata cannot tell.
    pub(super) fn proof(
        &self,
        expect: Expect<'_>,
        staged: &Staged<'_>,
        old: &Metadata,
    ) -> Result<Proof> {
        let Expect::Seen(seen) = expect else { return Ok(Proof::None) };
        // Held since before it was read, the file keeps its inode, and has a new time stamp for
        // everything that was written to it since.
        let is_certain = seen.metadata.is_settled()
            || seen.file.is_some()
                && tells_writes_apart(staged.as_fd(), old.device)
                    .map_err(|errno| self.write_failed(errno))?;
        Ok(if is_certain { Proof::Metadata } else { Proof::Content(seen.hash) })
    }

    /// Gives the staged file the name. What had the name until then must stand the proof, or it gets
    /// the name back.
    pub(super) fn publish(
        &self,
        staged: &mut Staged<'_>,
        old: &Metadata,
        proof: &Proof,
    ) -> Result<Published> {
        let now = self.look(self.name())?;
        let is_unproven = matches!(proof, Proof::None);
        if is_unproven {
            self.refuse_irregular(&now)?;
        } else if !is_same(old, &now) {
            return Err(self.changed());
        }
        // From here to the removal of the temporary name sudden death leaves it behind: as few system
        // calls as can be.
        staged.expose().map_err(|errno| self.failed(errno))?;
        if is_unproven {
            return self.outcome(staged.replace(self.name()));
        }
        match platform::exchange(self.directory(), staged.temporary(), self.name()) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                return self.outcome(staged.replace(self.name()));
            }
            Err(errno) => return self.outcome(Err(errno)),
        }
        let swapped_out = self.look(staged.temporary());
        if let Ok(swapped_out) = &swapped_out
            && is_same_content(old, swapped_out)
            && self.has_content(staged.temporary(), proof)
        {
            staged.remove();
            return Ok(Published::Done);
        }
        self.put_back(staged, swapped_out.as_ref().ok().copied())?;
        swapped_out.and_then(|_| Err(self.changed()))
    }

    fn outcome(&self, renamed: std::result::Result<(), Errno>) -> Result<Published> {
        match renamed {
            Ok(()) => Ok(Published::Done),
            Err(Errno::BUSY | Errno::XDEV) => Ok(Published::Impossible),
            // Removed in the last moment.
            Err(Errno::NOENT) => Err(self.changed()),
            Err(errno) => Err(self.failed(errno)),
        }
    }

    /// Somebody saved between the last look and the exchange. Their file, now under the temporary
    /// name, gets its name back; and if they save again meanwhile, that newer one does. What could
    /// not be looked at (`theirs` is `None`) is put back once.
    fn put_back(&self, staged: &mut Staged<'_>, theirs: Option<Metadata>) -> Result<()> {
        let result = self.exchange_back(staged, theirs);
        if result.is_err() {
            // Nothing of theirs is thrown away.
            staged.abandon();
        }
        result
    }

    fn exchange_back(&self, staged: &Staged<'_>, theirs: Option<Metadata>) -> Result<()> {
        let mut last_put = self.look_at_staged(staged)?;
        let mut newest = theirs;
        for _ in 0..MAX_PUT_BACKS {
            match platform::exchange(self.directory(), staged.temporary(), self.name()) {
                Ok(()) => {}
                Err(Errno::NOENT) => return Err(self.changed()),
                Err(errno) => return Err(self.failed(errno)),
            }
            let out = self.look(staged.temporary())?;
            if (out.device, out.inode) == (last_put.device, last_put.inode) {
                return Ok(());
            }
            let Some(put) = newest.replace(out) else { break };
            last_put = put;
        }
        Err(self.changed())
    }

    /// Whether the file under `name` has the content that the proof asks for.
    fn has_content(&self, name: &OsStr, proof: &Proof) -> bool {
        let Proof::Content(hash) = proof else { return true };
        Place::new(self.directory(), name, self.slot.path())
            .digest(&crate::Cancel::new())
            .is_ok_and(|(digest, _)| digest.hash == *hash)
    }

    pub(super) fn look(&self, name: &OsStr) -> Result<Metadata> {
        match platform::stat_at(self.directory(), name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(metadata) if metadata.kind == Kind::Unknown => Err(self.changed()),
            Ok(metadata) => Ok(metadata),
            Err(Errno::NOENT) => Err(self.changed()),
            Err(errno) => Err(self.failed(errno)),
        }
    }

    fn look_at_staged(&self, staged: &Staged<'_>) -> Result<Metadata> {
        platform::stat_at(staged.as_fd(), OsStr::new(""), AtFlags::EMPTY_PATH)
            .map_err(|errno| Error::io_on_descriptor(errno, "fstat", self.slot.path()))
    }
}
