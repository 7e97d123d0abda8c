//! Counts entries and results as a serial search does, and says when it would have stopped.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use crate::search::answer::{Match, Omission, Skipped, StoppedBy};
use crate::search::cursor::{Ended, Sink};
use crate::search::query::Query;

/// What an entry gave.
#[derive(Debug)]
pub(crate) enum Event {
    Match(Match),
    Omitted(Omission),
    /// The file has text behind its last result that was not looked at.
    CutShort,
}

/// What one directory gave.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Index of the entry and what it gave, in order.
    pub(crate) events: Vec<(usize, Event)>,
    /// Why nothing in it was looked at.
    unlisted: Option<Omission>,
    /// Subdirectories left out by name.
    skip_dirs: usize,
    /// Events told so far.
    told: usize,
}

impl Found {
    /// Of a directory that was not read.
    pub(crate) fn unlisted(omission: Omission) -> Self {
        Self { unlisted: Some(omission), ..Self::default() }
    }

    /// Of a directory with so many subdirectories left out; nothing is found yet.
    pub(crate) fn listed(skip_dirs: usize) -> Self {
        Self { skip_dirs, ..Self::default() }
    }

    fn next_index(&self) -> Option<usize> {
        self.events.get(self.told).map(|(index, _)| *index)
    }
}

/// How far an answer has come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// All results, those that have been taken included.
    pub(crate) found: usize,
    pub(crate) visited: usize,
    pub(crate) skipped: Skipped,
    pub(crate) stopped_by: Option<StoppedBy>,
}

/// The answer as it grows.
#[derive(Debug)]
pub(crate) struct Collector {
    /// Results that have not been taken.
    results: VecDeque<Match>,
    counts: Counts,
    max_results: usize,
    max_entries: usize,
    /// Some file was not looked at to its end.
    cut_short: bool,
    /// Results at which the search rests.
    pause: usize,
    /// When it rests if there is a result at all.
    patience: Option<Instant>,
}

impl Collector {
    pub(crate) fn new(query: &Query) -> Self {
        let Query { max_results, max_entries, .. } = *query;
        Self {
            results: VecDeque::new(),
            counts: Counts::default(),
            max_results,
            max_entries,
            cut_short: false,
            pause: usize::MAX,
            patience: None,
        }
    }

    /// Lets the search rest when there are `pause` results to take, and when there is one after
    /// `patience`.
    pub(crate) fn pause_at(&mut self, pause: usize, patience: Option<Duration>) {
        self.pause = pause.max(1);
        self.patience = patience.and_then(|patience| Instant::now().checked_add(patience));
    }

    pub(crate) fn end(&mut self, ended: Ended) {
        match ended {
            Ended::TimedOut => self.counts.stopped_by = Some(StoppedBy::Timeout),
            Ended::Whole if self.cut_short => self.counts.stopped_by = Some(StoppedBy::Limit),
            Ended::Whole | Ended::Enough => {}
        }
    }

    /// Whether there are results to take.
    pub(crate) fn has_results(&self) -> bool {
        !self.results.is_empty()
    }

    /// Takes the next results, `max` at most.
    pub(crate) fn take_results(&mut self, max: usize) -> Vec<Match> {
        self.results.drain(..max.min(self.results.len())).collect()
    }

    /// How far the answer has come.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Looks at `count` entries that give nothing, or at the one that tells that it is enough.
    fn pass(&mut self, count: usize) -> ControlFlow<()> {
        if count == 0 {
            return ControlFlow::Continue(());
        }
        let visited = self.counts.visited;
        let is_full = self.counts.found >= self.max_results;
        let count = if is_full { 1 } else { count };
        if visited + count >= self.max_entries {
            self.counts.visited = self.max_entries.max(visited + 1);
            self.counts.stopped_by = Some(StoppedBy::Entries);
            return ControlFlow::Break(());
        }
        self.counts.visited += count;
        if is_full {
            self.counts.stopped_by = Some(StoppedBy::Limit);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Match(found) if self.counts.found < self.max_results => {
                self.results.push_back(found);
                self.counts.found += 1;
            }
            Event::Match(_) | Event::CutShort => self.cut_short = true,
            Event::Omitted(omission) => self.counts.skipped.count(omission),
        }
    }
}

impl Sink<Found> for Collector {
    fn enter(&mut self, found: &mut Found) {
        self.counts.skipped.skip_dirs += found.skip_dirs;
        if let Some(omission) = found.unlisted {
            self.counts.skipped.count(omission);
        }
    }

    fn entries(&mut self, found: &mut Found, indices: Range<usize>) -> ControlFlow<()> {
        let Range { start: mut at, end } = indices;
        while at < end {
            let eventful = found.next_index().map_or(end, |index| index.min(end));
            self.pass(eventful - at)?;
            at = eventful;
            if at == end {
                break;
            }
            self.pass(1)?;
            while found.next_index() == Some(at) {
                let event = std::mem::replace(&mut found.events[found.told].1, Event::CutShort);
                found.told += 1;
                self.take(event);
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    fn pauses(&self) -> bool {
        let pending = self.results.len();
        pending >= self.pause
            || (pending > 0 && self.patience.is_some_and(|until| Instant::now() >= until))
    }

    fn weight(found: &Found) -> usize {
        let events = found.events.iter().map(|(_, event)| match event {
            Event::Match(Match { path, line, .. }) => {
                path.as_os_str().len() + line.as_ref().map_or(0, |line| line.snippet.len())
            }
            _ => 0,
        });
        size_of_val(found.events.as_slice()) + events.sum::<usize>()
    }
}
