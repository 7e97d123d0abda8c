//! What is searched for.

use std::sync::Arc;

use llm_chat_file_pattern::Pattern;

use crate::fs::stat::{Kind, Metadata, Timestamp};
use crate::search::progress::Progress;

/// A search: every test that is given must hold. Without a pattern everything matches.
#[derive(Clone, Debug)]
pub struct Query {
    /// Test of an entry's name.
    pub name: Option<Arc<Pattern>>,
    /// Test of a file's lines; with it only files match, once for each matching line.
    pub content: Option<Arc<Pattern>>,
    /// Which entries match.
    pub kind: EntryKind,
    /// When entries were made and changed.
    pub dates: Dates,
    /// Files of more bytes do not match; the caller's own limit.
    pub max_size: Option<u64>,
    /// Files of more bytes are left out of content searches and counted.
    pub max_file_size: u64,
    /// Results after which the search stops.
    pub max_results: usize,
    /// Entries at which the search stops.
    pub max_entries: usize,
    /// Milliseconds for the search. With none or fewer it has timed out before it begins.
    pub timeout_ms: f64,
    /// Threads at most; 0 for as many as there are cores. No answer depends on it.
    pub threads: usize,
    /// Told how far the search has come, if anybody wants to know.
    pub progress: Option<Arc<Progress>>,
}

/// Which entries match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryKind {
    /// Regular files.
    File,
    /// Directories.
    Directory,
    /// Both.
    #[default]
    Both,
}

impl EntryKind {
    /// Whether an entry of this kind is one.
    #[must_use]
    pub(crate) fn admits(self, kind: Kind) -> bool {
        match self {
            Self::File => kind == Kind::File,
            Self::Directory => kind == Kind::Directory,
            Self::Both => true,
        }
    }
}

/// Bounds of times in milliseconds since the epoch, each of them included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dates {
    /// Earliest creation.
    pub created_after: Option<f64>,
    /// Latest creation.
    pub created_before: Option<f64>,
    /// Earliest change of the content.
    pub modified_after: Option<f64>,
    /// Latest change of the content.
    pub modified_before: Option<f64>,
}

/// When an entry was made and changed: whole milliseconds since the epoch, rounded as Node rounds
/// the times of its `Stats`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Creation.
    pub created: f64,
    /// Last change of the content.
    pub modified: f64,
}

impl Times {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { created: rounded(metadata.created), modified: rounded(metadata.modified) }
    }
}

/// `Math.round`: halves go up. Source: `dateFromMs` in Node's `lib/internal/fs/utils.js`.
fn rounded(time: Timestamp) -> f64 {
    (time.milliseconds() + 0.5).floor()
}

impl Dates {
    /// Whether any bound is given.
    #[must_use]
    pub fn any(&self) -> bool {
        [self.created_after, self.created_before, self.modified_after, self.modified_before]
            .iter()
            .any(Option::is_some)
    }

    /// Whether the times lie within the bounds.
    pub(crate) fn hold(&self, times: Times) -> bool {
        self.created_after.is_none_or(|bound| times.created >= bound)
            && self.created_before.is_none_or(|bound| times.created <= bound)
            && self.modified_after.is_none_or(|bound| times.modified >= bound)
            && self.modified_before.is_none_or(|bound| times.modified <= bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_halves_up() {
        let time = |seconds, nanoseconds| Timestamp { seconds, nanoseconds };
        assert_eq!(rounded(time(1, 202_600_000)), 1203.0);
        assert_eq!(rounded(time(1, 202_499_999)), 1202.0);
        assert_eq!(rounded(time(-1, 500_000)), -999.0);
    }

    #[test]
    fn bounds_are_included() {
        let times = Times { created: 5.0, modified: 7.0 };
        let exact = Dates {
            created_after: Some(5.0),
            created_before: Some(5.0),
            modified_after: Some(7.0),
            modified_before: Some(7.0),
        };
        assert!(exact.hold(times));
        assert!(!Dates { created_after: Some(6.0), ..exact }.hold(times));
        assert!(!Dates { modified_before: Some(6.0), ..exact }.hold(times));
        assert!(Dates::default().hold(times) && !Dates::default().any());
    }
}
