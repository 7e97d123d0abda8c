//! Counts entries and results as a serial search does, and says when it would have stopped.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use crate::search::answer::{Answer, Match, Omission, Skipped, StoppedBy};
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

/// The answer as it grows.
#[derive(Debug)]
pub(crate) struct Collector {
    answer: Answer,
    max_results: usize,
    max_entries: usize,
    /// Some file was not looked at to its end.
    cut_short: bool,
}

impl Collector {
    pub(crate) fn new(path: PathBuf, query: &Query) -> Self {
        let answer = Answer {
            path,
            results: Vec::new(),
            visited: 0,
            skipped: Skipped::default(),
            stopped_by: None,
        };
        let Query { max_results, max_entries, .. } = *query;
        Self { answer, max_results, max_entries, cut_short: false }
    }

    pub(crate) fn finish(mut self, ended: Ended) -> Answer {
        match ended {
            Ended::TimedOut => self.answer.stopped_by = Some(StoppedBy::Timeout),
            Ended::Whole if self.cut_short => self.answer.stopped_by = Some(StoppedBy::Limit),
            Ended::Whole | Ended::Enough => {}
        }
        self.answer
    }

    /// Looks at `count` entries that give nothing, or at the one that tells that it is enough.
    fn pass(&mut self, count: usize) -> ControlFlow<()> {
        if count == 0 {
            return ControlFlow::Continue(());
        }
        let visited = self.answer.visited;
        let is_full = self.answer.results.len() >= self.max_results;
        let count = if is_full { 1 } else { count };
        if visited + count >= self.max_entries {
            self.answer.visited = self.max_entries.max(visited + 1);
            self.answer.stopped_by = Some(StoppedBy::Entries);
            return ControlFlow::Break(());
        }
        self.answer.visited += count;
        if is_full {
            self.answer.stopped_by = Some(StoppedBy::Limit);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Match(found) if self.answer.results.len() < self.max_results => {
                self.answer.results.push(found);
            }
            Event::Match(_) | Event::CutShort => self.cut_short = true,
            Event::Omitted(omission) => self.answer.skipped.count(omission),
        }
    }
}

impl Sink<Found> for Collector {
    fn enter(&mut self, found: &mut Found) {
        self.answer.skipped.skip_dirs += found.skip_dirs;
        if let Some(omission) = found.unlisted {
            self.answer.skipped.count(omission);
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
