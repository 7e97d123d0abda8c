//! What has been read, so that nothing is overwritten unseen; and the locks of writers.

pub mod fingerprint;
pub mod locks;

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::access::permit::Ambient;
use crate::access::{Permit, Right};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::open::{self, Slot};
use crate::fs::place::{AmbientPlace, Digest, Place};
use crate::fs::seen::Seen;
use crate::fs::stat::Metadata;
use crate::text::shown::shown_path;
pub use fingerprint::{Change, Fingerprint};

/// A file by the directory it lies in and its name there, links resolved. The file's own inode
/// would not do: every replacing write gives the name another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileKey {
    device: u64,
    parent: u64,
    name: OsString,
}

impl FileKey {
    /// The key of `name` in the directory with inode `parent` on `device`.
    #[must_use]
    pub fn new(device: u64, parent: u64, name: &OsStr) -> Self {
        Self { device, parent, name: name.to_os_string() }
    }

    /// The key of a place.
    ///
    /// # Errors
    /// As `fstat` of the directory.
    pub fn of<'a>(place: impl Into<Place<'a>>) -> Result<Self> {
        let place = place.into();
        let (device, parent) = place.parent_identity()?;
        Ok(Self::new(device, parent, place.name()))
    }
}

/// A file as it was while it was read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The file before the first byte was read.
    pub before: Metadata,
    /// The file after the last byte was read.
    pub after: Metadata,
    /// XXH3 (64 bits) of what was read.
    pub hash: u64,
}

impl From<Digest> for Reading {
    fn from(digest: Digest) -> Self {
        Self { before: digest.before, after: digest.after, hash: digest.hash }
    }
}

/// What has been read and written, shared by the tools of one workspace. It keeps one entry (about
/// 150 bytes and the name) for each file that was read, as long as it lives.
#[derive(Debug, Default)]
pub struct Pool {
    entries: Mutex<HashMap<FileKey, Fingerprint>>,
}

impl Pool {
    /// A pool that knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<FileKey, Fingerprint>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what was read of the file that `permit` names, under the name that it has once its
    /// links are followed.
    ///
    /// # Errors
    /// As opening the file's directory.
    pub fn record_reading<R: Right>(&self, permit: &Permit<R>, reading: &Reading) -> Result<()> {
        self.record_reading_at(&open::target_slot(permit, "open")?, reading)
    }

    /// Remembers what was read of the file in `slot`.
    ///
    /// # Errors
    /// As `fstat` of the slot's directory.
    pub fn record_reading_at<R: Right>(&self, slot: &Slot<R>, reading: &Reading) -> Result<()> {
        // A file that changed during the read is remembered as it was before, and so reads as
        // changed at the next write.
        self.record(FileKey::of(slot)?, Fingerprint::new(&reading.before, reading.hash));
        Ok(())
    }

    /// Remembers a file.
    pub fn record(&self, key: FileKey, fingerprint: Fingerprint) {
        self.entries().insert(key, fingerprint);
    }

    /// Forgets a file that was removed.
    pub fn forget(&self, key: &FileKey) {
        self.entries().remove(key);
    }

    /// Forgets what lay directly in directories that were removed, given by device and inode.
    pub fn forget_in(&self, directories: &HashSet<(u64, u64)>) {
        if !directories.is_empty() {
            self.entries().retain(|key, _| !directories.contains(&(key.device, key.parent)));
        }
    }

    /// Carries what is known of a file along when it moves. What lies beneath a moved directory
    /// keeps its key, because the directory keeps its inode.
    pub fn move_key(&self, from: &FileKey, to: FileKey) {
        let mut entries = self.entries();
        if let Some(fingerprint) = entries.remove(from) {
            entries.insert(to, fingerprint);
        }
    }

    /// Whether the file in `slot` may be written: it is what was read, or does not exist although
    /// it was read, or, with `allow_new`, does not exist. Gives what it found there, `None` for
    /// nothing.
    ///
    /// # Errors
    /// `ERR_NOT_READ`, `ERR_CHANGED`; as `open` and `read` when only the content can tell.
    pub fn verify<R: Right>(
        &self,
        slot: &Slot<R>,
        allow_new: bool,
        cancel: &Cancel,
    ) -> Result<Option<Seen>> {
        self.verify_place(slot.into(), allow_new, cancel)
    }

    /// [`Pool::verify`] of a file that has just been read again.
    ///
    /// # Errors
    /// `ERR_NOT_READ`, `ERR_CHANGED`.
    pub fn verify_reading<R: Right>(&self, slot: &Slot<R>, reading: &Reading) -> Result<()> {
        let known = self.entries().get(&FileKey::of(slot)?).copied();
        let Some(known) = known else { return Err(not_read(slot.path())) };
        let is_same = match known.compare(&reading.before) {
            Change::Unchanged => true,
            Change::Changed => false,
            Change::NeedsHash => known.hash() == reading.hash,
        };
        if is_same { Ok(()) } else { Err(changed(slot.path())) }
    }

    /// Remembers the file at `path` (absolute) as it is now. A file that cannot be read is not
    /// remembered.
    pub fn record_read(&self, path: &Path) {
        let Ok(found) = find(path) else { return };
        let place = found.place();
        if let Ok(key) = FileKey::of(place)
            && let Ok((digest, _)) = place.digest(&Cancel::new())
        {
            self.record(key, Fingerprint::new(&digest.before, digest.hash));
        }
    }

    /// Remembers the file at `path` (absolute) as it was just written; the same as
    /// [`Pool::record_read`], since only what is there counts.
    pub fn record_write(&self, path: &Path) {
        self.record_read(path);
    }

    /// [`Pool::verify`] for any absolute path.
    ///
    /// # Errors
    /// As [`Pool::verify`].
    pub fn verify_write(&self, path: &Path, allow_new: bool) -> Result<()> {
        match find(path) {
            Ok(found) => self.verify_place(found.place(), allow_new, &Cancel::new()).map(|_| ()),
            // Nothing can stand where not even its directory can be reached.
            Err(_) if allow_new => Ok(()),
            Err(_) => Err(not_read(path)),
        }
    }

    fn verify_place(
        &self,
        place: Place<'_>,
        allow_new: bool,
        cancel: &Cancel,
    ) -> Result<Option<Seen>> {
        let key = FileKey::of(place)?;
        let known = self.entries().get(&key).copied();
        let found = place.metadata("open")?;
        let (known, now) = match (known, found) {
            (Some(known), Some(now)) => (known, now),
            (None, Some(_)) => return Err(not_read(place.path())),
            (None, None) if !allow_new => return Err(not_read(place.path())),
            // Gone, or new: writing it makes it afresh.
            (_, None) => return Ok(None),
        };
        match known.compare(&now) {
            Change::Unchanged => Ok(Some(Seen { metadata: now, hash: known.hash(), file: None })),
            Change::Changed => Err(changed(place.path())),
            Change::NeedsHash => {
                let (digest, file) = place.digest(cancel)?;
                if digest.hash != known.hash() || digest.is_torn() {
                    return Err(changed(place.path()));
                }
                self.record(key, Fingerprint::new(&digest.before, digest.hash));
                Ok(Some(Seen { metadata: digest.before, hash: digest.hash, file: Some(file) }))
            }
        }
    }
}

/// The public methods take any path: they tell whether a file changed, and nothing of what is in it.
fn find(path: &Path) -> Result<AmbientPlace> {
    AmbientPlace::open(Permit::ambient(Ambient::FilePool), path)
}

/// The refusal to write what was not read.
#[must_use]
pub fn not_read(path: &Path) -> Error {
    let message = format!("File must be read before writing: {}", shown_path(path));
    Error::new("ERR_NOT_READ", message).with_path(path)
}

/// The refusal to write over what somebody else wrote.
#[must_use]
pub fn changed(path: &Path) -> Error {
    let message = format!("File has changed since last read: {}", shown_path(path));
    Error::new("ERR_CHANGED", message).with_path(path)
}
