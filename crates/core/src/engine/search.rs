//! Searches for entries by name, content and date.

use std::time::{Duration, Instant};

use crate::access::Read;
use crate::engine::Call;
use crate::engine::walk::CallRules;
use crate::error::Result;
use crate::fs::tree::{self, RootError};
use crate::search::Run;

pub use crate::search::{
    Answer, Counts, Dates, EntryKind, LineMatch, Match, Portion, Progress, Query, Skipped,
    StoppedBy, Times,
};

/// A search under way, whose results are taken in portions. Between two of them nothing runs; its
/// time limit counts the time that it works. Dropping it ends it.
#[derive(Debug)]
pub struct Search {
    run: Run,
}

impl Search {
    /// Begins a search of the directory that `raw` names.
    ///
    /// # Errors
    /// [`RootError`]: Node's `stat` error for the directory. One that cannot be read is counted,
    /// like any beneath it.
    pub fn open(call: &Call, raw: &str, query: Query) -> std::result::Result<Self, RootError> {
        let began = Instant::now();
        let root = tree::open_root(&call.place::<Read>(raw)?)?;
        let mut run = Run::new(root, query);
        run.spend(began.elapsed());
        Ok(Self { run })
    }

    /// Takes from its time what it waited to be run.
    pub fn spend(&mut self, time: Duration) {
        self.run.spend(time);
    }

    /// Time left; `None` where the limit is too long for the clock.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.run.time_left()
    }

    /// Whether the next portion is there already, so that taking it costs no search.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.run.is_ready()
    }

    /// The next results, in order. The last portion may be empty; what [`Answer`] says beside the
    /// results is about all portions so far.
    ///
    /// # Errors
    /// `ABORT_ERR` when cancelled; what the host's own rules threw.
    pub fn next(&mut self, call: &Call, portion: Portion) -> Result<Answer> {
        self.run.next(portion, &CallRules(call), &call.cancel)
    }
}

/// Searches the directory that `raw` names in one go.
///
/// # Errors
/// As [`Search::open`] and [`Search::next`].
pub fn search(call: &Call, raw: &str, query: &Query) -> std::result::Result<Answer, RootError> {
    Ok(Search::open(call, raw, query.clone())?.next(call, Portion::ALL)?)
}
