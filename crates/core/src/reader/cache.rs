//! Indexes of the files that were read last, so that later pages of a file need no look at what
//! comes before them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::LineIndex;
use crate::fs::stat::Metadata;
use crate::pool::{Change, Fingerprint};

/// Files that are remembered, for the whole process: an index tells nothing of what is in a file,
/// and so many of them take one megabyte at most, however many readers there are.
const MAX_FILES: usize = 16;

static FILES: Mutex<Files> = Mutex::new(Files(Vec::new()));

/// A file that was read from its beginning to its end.
#[derive(Debug)]
pub(super) struct Known {
    /// The file as it was before its first byte was read, and the hash of its content.
    pub(super) fingerprint: Fingerprint,
    pub(super) index: LineIndex,
}

/// What is known of the file with `metadata`, if it is still the one that was read.
pub(super) fn find(metadata: &Metadata) -> Option<Arc<Known>> {
    files().find(metadata)
}

/// Remembers a file, and forgets what was known of it before.
pub(super) fn keep(known: Arc<Known>) {
    files().keep(known);
}

/// Whether `metadata` alone shows that the file is as it was: not for one that was read so soon
/// after its last change that another could have the same time stamps.
pub(super) fn is_current(fingerprint: &Fingerprint, metadata: &Metadata) -> bool {
    fingerprint.compare(metadata) == Change::Unchanged
}

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Files in the order of their last use.
#[derive(Debug)]
struct Files(Vec<Arc<Known>>);

impl Files {
    fn find(&mut self, metadata: &Metadata) -> Option<Arc<Known>> {
        let at = self.0.iter().position(|known| is_current(&known.fingerprint, metadata))?;
        let known = self.0.remove(at);
        self.0.push(Arc::clone(&known));
        Some(known)
    }

    fn keep(&mut self, known: Arc<Known>) {
        self.0.retain(|old| !old.fingerprint.is_of_same_file(&known.fingerprint));
        if self.0.len() == MAX_FILES {
            self.0.remove(0);
        }
        self.0.push(known);
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::IndexBuilder;
    use super::*;
    use crate::fs::stat::{Kind, Timestamp};
    use crate::text::encoding::Encoding;

    fn metadata(inode: u64, modified: i64) -> Metadata {
        let time = Timestamp { seconds: modified, nanoseconds: 0 };
        Metadata {
            kind: Kind::File,
            size: 1,
            mode: 0o100_644,
            device: 1,
            inode,
            links: 1,
            accessed: time,
            modified: time,
            changed: time,
            created: time,
            looked_at: Timestamp { seconds: modified + 100, ..time },
        }
    }

    fn known(metadata: &Metadata) -> Arc<Known> {
        let index = IndexBuilder::new(Encoding::Utf8, 0, 1).finish();
        Arc::new(Known { fingerprint: Fingerprint::new(metadata, 0), index })
    }

    #[test]
    fn keeps_the_files_used_last_and_one_state_of_each() {
        let mut files = Files(Vec::new());
        files.keep(known(&metadata(0, 1)));
        files.keep(known(&metadata(0, 2)));
        assert!(files.find(&metadata(0, 1)).is_none());
        for inode in 1..MAX_FILES as u64 {
            files.keep(known(&metadata(inode, 1)));
        }
        assert!(files.find(&metadata(0, 2)).is_some());
        files.keep(known(&metadata(99, 1)));
        assert!(files.find(&metadata(0, 2)).is_some());
        assert!(files.find(&metadata(1, 1)).is_none());
        assert_eq!(files.0.len(), MAX_FILES);
    }

    #[test]
    fn a_file_that_was_just_changed_is_not_recognised() {
        let mut files = Files(Vec::new());
        let young = Metadata { looked_at: Timestamp::default(), ..metadata(1, 1) };
        files.keep(known(&young));
        assert!(files.find(&young).is_none());
    }
}
