//! What a file was when it was read, to tell later whether it is still the same.

use crate::fs::stat::{Metadata, Timestamp};

/// A file as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    device: u64,
    inode: u64,
    size: u64,
    modified: Timestamp,
    changed: Timestamp,
    hash: u64,
    is_settled: bool,
}

/// What the metadata of a file say about its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is what was read.
    Unchanged,
    /// It is something else.
    Changed,
    /// Only the content itself can tell.
    NeedsHash,
}

impl Fingerprint {
    /// The fingerprint of content with the XXH3 hash `hash` that was just read from (or written to)
    /// a file with `metadata`, taken before the first byte was read.
    #[must_use]
    pub fn new(metadata: &Metadata, hash: u64) -> Self {
        Self {
            device: metadata.device,
            inode: metadata.inode,
            size: metadata.size,
            modified: metadata.modified,
            changed: metadata.changed,
            hash,
            is_settled: metadata.is_settled(),
        }
    }

    /// The same with the hash of the content, for content that was read after the fingerprint was
    /// taken.
    #[must_use]
    pub fn with_hash(self, hash: u64) -> Self {
        Self { hash, ..self }
    }

    /// Whether both are of one file, changed or not.
    #[must_use]
    pub fn is_of_same_file(&self, other: &Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }

    /// XXH3 (64 bits) of the content.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Compares with what the file is now. No clock decides: the time of the read only says when
    /// the file's own time stamps are too young to be trusted.
    #[must_use]
    pub fn compare(&self, now: &Metadata) -> Change {
        if self.size != now.size || self.modified != now.modified {
            return Change::Changed;
        }
        let is_same_inode = self.device == now.device && self.inode == now.inode;
        if !is_same_inode || self.changed != now.changed || !self.is_settled {
            return Change::NeedsHash;
        }
        Change::Unchanged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::stat::Kind;

    fn at(seconds: i64) -> Timestamp {
        Timestamp { seconds, nanoseconds: 0 }
    }

    fn metadata() -> Metadata {
        Metadata {
            kind: Kind::File,
            size: 3,
            mode: 0o100_644,
            device: 1,
            inode: 2,
            links: 1,
            accessed: at(5),
            modified: at(5),
            changed: at(5),
            created: at(5),
            looked_at: at(100),
        }
    }

    #[test]
    fn trusts_time_stamps_that_are_old_enough() {
        let read = Fingerprint::new(&metadata(), 7);
        assert_eq!(read.compare(&metadata()), Change::Unchanged);
        assert_eq!(read.compare(&Metadata { accessed: at(50), ..metadata() }), Change::Unchanged);
    }

    #[test]
    fn sees_size_and_time_and_doubts_the_rest() {
        let read = Fingerprint::new(&metadata(), 7);
        for changed in [
            Metadata { size: 4, ..metadata() },
            Metadata { modified: at(4), ..metadata() },
            Metadata { modified: at(6), ..metadata() },
        ] {
            assert_eq!(read.compare(&changed), Change::Changed);
        }
        for doubtful in [
            Metadata { inode: 3, ..metadata() },
            Metadata { device: 3, ..metadata() },
            Metadata { changed: at(6), ..metadata() },
        ] {
            assert_eq!(read.compare(&doubtful), Change::NeedsHash);
        }
    }

    #[test]
    fn doubts_time_stamps_of_the_moment_of_the_read_and_of_the_future() {
        let same_tick = Fingerprint::new(&Metadata { looked_at: at(5), ..metadata() }, 7);
        assert_eq!(same_tick.compare(&metadata()), Change::NeedsHash);
        let future = Fingerprint::new(&Metadata { looked_at: at(1), ..metadata() }, 7);
        assert_eq!(future.compare(&metadata()), Change::NeedsHash);
    }
}
