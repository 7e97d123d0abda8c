//! How far a search has come, for whoever watches it from another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of a search under way. They take in what threads have looked at ahead of the answer's
/// order, so that they may end above the answer's own counts.
#[derive(Debug, Default)]
pub struct Progress {
    entries: AtomicU64,
    bytes: AtomicU64,
    matches: AtomicU64,
}

/// What the counters of a [`Progress`] said at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries looked at.
    pub entries: u64,
    /// Bytes of files read.
    pub bytes: u64,
    /// Matches found.
    pub matches: u64,
}

impl Progress {
    /// The counters as they are now.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            entries: self.entries.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            matches: self.matches.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn add_entry(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, count: u64) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_match(&self) {
        self.matches.fetch_add(1, Ordering::Relaxed);
    }
}
