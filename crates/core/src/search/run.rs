//! A search under way, which rests between the batches of its results.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cancel::Cancel;
use crate::error::Result;
use crate::fs::tree::Root;
use crate::fs::walk::Rules;
use crate::search::answer::Answer;
use crate::search::candidates::Place;
use crate::search::collect::{Collector, Counts, Found};
use crate::search::query::Query;
use crate::search::schedule::Schedule;
use crate::search::thread_count;
use crate::search::visit::Searcher;

/// A search under way. No thread works on it between two batches.
#[derive(Debug)]
pub(crate) struct Run {
    path: PathBuf,
    query: Query,
    schedule: Schedule<Place, Found, Collector>,
    /// Time left; `None` where the limit is too long for the clock.
    left: Option<Duration>,
    has_ended: bool,
    /// Results wait to be taken.
    has_results: bool,
}

/// How much of a search's results is wanted at once.
#[derive(Clone, Copy, Debug)]
pub struct Portion {
    /// Results that end the wait for more.
    pub enough: usize,
    /// Wait after which any result is enough; `None` for no such limit.
    pub patience: Option<Duration>,
    /// Results to take at most, one at least.
    pub most: usize,
}

impl Portion {
    /// All there is.
    pub const ALL: Self = Self { enough: usize::MAX, patience: None, most: usize::MAX };
}

impl Run {
    /// Of the tree beneath `root`, with the query's time.
    pub(crate) fn new(root: Root, query: Query) -> Self {
        let time = Duration::try_from_secs_f64(query.timeout_ms.max(0.0) / 1e3).ok();
        Self {
            path: root.path.clone(),
            schedule: Schedule::new(Place::root(root), Collector::new(&query)),
            query,
            left: time,
            has_ended: false,
            has_results: false,
        }
    }

    /// Takes from its time what was spent on it elsewhere.
    pub(crate) fn spend(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
    }

    /// Time left; `None` where the limit is too long for the clock.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.left
    }

    /// Whether the next batch asks for no further search.
    pub(crate) fn is_ready(&self) -> bool {
        self.has_ended || self.has_results
    }

    /// The next results, and how far the search has come with them. Searches if there are none
    /// yet. What the rules leave out is neither looked at nor counted.
    ///
    /// # Errors
    /// `ABORT_ERR` when cancelled; what the host's own rules threw.
    pub(crate) fn next(
        &mut self,
        portion: Portion,
        rules: &(dyn Rules + Sync),
        cancel: &Cancel,
    ) -> Result<Answer> {
        if !self.is_ready() {
            self.search(portion, rules, cancel)?;
        }
        let sink = self.schedule.sink();
        let results = sink.take_results(portion.most.max(1));
        let Counts { found, visited, skipped, stopped_by } = sink.counts();
        self.has_results = sink.has_results();
        let has_more = self.has_results || !self.has_ended;
        let path = self.path.clone();
        Ok(Answer { path, results, found, visited, skipped, stopped_by, has_more })
    }

    fn search(
        &mut self,
        portion: Portion,
        rules: &(dyn Rules + Sync),
        cancel: &Cancel,
    ) -> Result<()> {
        let began = Instant::now();
        // A limit too long for the clock is none.
        let deadline = self.left.and_then(|left| began.checked_add(left));
        let timed = deadline.map_or_else(|| cancel.clone(), |at| cancel.with_deadline(at));
        let searcher = Searcher { query: &self.query, rules, cancel: &timed };
        self.schedule.sink().pause_at(portion.enough, portion.patience);
        let threads = thread_count(self.query.threads);
        if let Some(ended) = self.schedule.run(&searcher, threads, &timed)? {
            self.schedule.sink().end(ended);
            self.has_ended = true;
        }
        self.spend(began.elapsed());
        Ok(())
    }
}
