//! What the threads of a search found, told in the order of a serial walk: depth first, a
//! directory before what is in it.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

/// Bytes of results that wait for their turn before the search is told to wait for the cursor.
pub(crate) const MAX_WAITING: usize = 32 << 20;

/// What work on one directory gave.
#[derive(Debug)]
pub(crate) struct Visit<F> {
    /// Number of its entries.
    pub(crate) entries: usize,
    /// Entries that were looked at before time was up, if it was.
    pub(crate) cut: Option<usize>,
    /// What was found.
    pub(crate) found: F,
}

/// A visit, and the visits of the subdirectories that come within it.
#[derive(Debug)]
pub(crate) struct Visited<F> {
    pub(crate) visit: Visit<F>,
    /// Entry index and number of each subdirectory, in order.
    pub(crate) children: Vec<(usize, usize)>,
}

/// Takes what was found, in order.
pub(crate) trait Sink<F>: Send {
    /// A directory is entered.
    fn enter(&mut self, found: &mut F);

    /// The next entries of the directory that `found` is of. `Break` ends the search.
    fn entries(&mut self, found: &mut F, indices: Range<usize>) -> ControlFlow<()>;

    /// Whether the search is to rest until it is taken up again.
    fn pauses(&self) -> bool {
        false
    }

    /// Memory that `found` takes, in bytes.
    fn weight(found: &F) -> usize;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The whole tree was gone through.
    Whole,
    /// The sink had enough.
    Enough,
    /// Time was up.
    TimedOut,
}

/// A directory that the cursor is in, or comes to next.
#[derive(Debug)]
struct Level<F> {
    id: usize,
    visited: Option<Visited<F>>,
    next_entry: usize,
    next_child: usize,
}

impl<F> Level<F> {
    fn new(id: usize) -> Self {
        Self { id, visited: None, next_entry: 0, next_child: 0 }
    }
}

/// Follows the visits in order as far as there are any.
#[derive(Debug)]
pub(crate) struct Cursor<F, S> {
    /// Visits whose turn has not come, and their weight.
    waiting: HashMap<usize, Visited<F>>,
    weight: usize,
    /// From the root to the directory the cursor is in; empty at the end.
    levels: Vec<Level<F>>,
    sink: S,
}

impl<F, S: Sink<F>> Cursor<F, S> {
    /// At the root, which is directory 0.
    pub(crate) fn new(sink: S) -> Self {
        Self { waiting: HashMap::new(), weight: 0, levels: vec![Level::new(0)], sink }
    }

    /// What took the results.
    pub(crate) fn into_sink(self) -> S {
        self.sink
    }

    /// What takes the results.
    pub(crate) fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// The one directory to visit next, if so much waits that no other should be.
    pub(crate) fn waits_for(&self) -> Option<usize> {
        let level = self.levels.last().filter(|_| self.weight >= MAX_WAITING)?;
        Some(level.id)
    }

    /// Takes the visit of directory `id` and tells the sink what has its turn now. Gives how the
    /// search ended, if it did.
    pub(crate) fn store(&mut self, id: usize, visited: Visited<F>) -> Option<Ended> {
        self.weight += weight::<F, S>(&visited);
        self.waiting.insert(id, visited);
        loop {
            let Some(level) = self.levels.last_mut() else { return Some(Ended::Whole) };
            if level.visited.is_none() {
                let mut visited = self.waiting.remove(&level.id)?;
                self.weight -= weight::<F, S>(&visited);
                self.sink.enter(&mut visited.visit.found);
                level.visited = Some(visited);
            }
            let Visited { visit, children } = level.visited.as_mut()?;
            let child = children.get(level.next_child).copied();
            let until = child.map_or(visit.entries, |(index, _)| index + 1);
            let known = visit.cut.map_or(until, |cut| until.min(cut));
            if level.next_entry < known
                && self.sink.entries(&mut visit.found, level.next_entry..known).is_break()
            {
                return Some(Ended::Enough);
            }
            if visit.cut.is_some_and(|cut| until > cut || child.is_none()) {
                return Some(Ended::TimedOut);
            }
            level.next_entry = until;
            level.next_child += 1;
            match child {
                Some((_, id)) => self.levels.push(Level::new(id)),
                None => {
                    self.levels.pop();
                }
            }
        }
    }
}

fn weight<F, S: Sink<F>>(visited: &Visited<F>) -> usize {
    size_of::<Visited<F>>()
        + size_of_val(visited.children.as_slice())
        + S::weight(&visited.visit.found)
}
