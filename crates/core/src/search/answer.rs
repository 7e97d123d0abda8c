//! What a search found, and what it did not look at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::search::query::Times;

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Path of the entry.
    pub path: Arc<Path>,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// The line, in content searches.
    pub line: Option<LineMatch>,
    /// The entry's times, in searches by date.
    pub times: Option<Times>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// Number of the line, from 1.
    pub number: usize,
    /// Where the first match begins, in UTF-16 units of the untrimmed line from 0.
    pub start_column: usize,
    /// One past its end.
    pub end_column: usize,
    /// Where the snippet begins.
    pub snippet_column: usize,
    /// The trimmed line, or as much of it around the match as is shown.
    pub snippet: String,
}

/// What was not looked at, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Directories that could not be read.
    pub unreadable_directories: usize,
    /// Files that could not be read.
    pub unreadable_files: usize,
    /// Files with too many bytes, or with too long a line.
    pub oversized: usize,
    /// Entries that were gone, or something else, when they were opened.
    pub vanished: usize,
    /// Files with a line on which the pattern needs more memory than it may have.
    pub undecodable: usize,
    /// Files left out because they are binary, in spite of a match.
    pub binary: usize,
    /// Directories left out by name.
    pub skip_dirs: usize,
}

/// A reason for [`Skipped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Omission {
    UnreadableDirectory,
    UnreadableFile,
    Oversized,
    Vanished,
    Undecodable,
    Binary,
}

impl Skipped {
    pub(crate) fn count(&mut self, omission: Omission) {
        match omission {
            Omission::UnreadableDirectory => self.unreadable_directories += 1,
            Omission::UnreadableFile => self.unreadable_files += 1,
            Omission::Oversized => self.oversized += 1,
            Omission::Vanished => self.vanished += 1,
            Omission::Undecodable => self.undecodable += 1,
            Omission::Binary => self.binary += 1,
        }
    }

    /// Whether nothing was left out but what the caller or a documented rule excludes.
    fn is_complete(&self) -> bool {
        self.unreadable_directories
            + self.unreadable_files
            + self.oversized
            + self.vanished
            + self.undecodable
            == 0
    }
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// As many results as were wanted.
    Limit,
    /// As many entries as may be looked at.
    Entries,
    /// Time was up.
    Timeout,
}

/// The answer to a search, or the part of it that comes next.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The directory as resolved.
    pub path: PathBuf,
    /// Results in the order of a serial walk, lines ascending.
    pub results: Vec<Match>,
    /// Number of all results so far, those that are to be taken yet included.
    pub found: usize,
    /// Entries looked at so far, the one that a limit was noticed at included.
    pub visited: usize,
    /// What was not looked at so far.
    pub skipped: Skipped,
    /// What ended the search early, if anything did.
    pub stopped_by: Option<StoppedBy>,
    /// Whether there may be more: the answer is not at its end.
    pub has_more: bool,
}

impl Answer {
    /// Whether there is nothing to find beside the results up to these.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.has_more && self.stopped_by.is_none() && self.skipped.is_complete()
    }
}
