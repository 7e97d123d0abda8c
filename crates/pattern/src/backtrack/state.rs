//! What a running search remembers.

use super::program::Pc;

/// An edge of a capture, or the start of an iteration, that is not set.
pub(super) const UNSET: u32 = u32::MAX;

/// Memory that searches of one pattern reuse.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Edges of the captures: group n begins at 2n and ends at 2n + 1.
    pub(super) captures: Vec<u32>,
    pub(super) counters: Vec<Counter>,
    pub(super) trail: Vec<Entry>,
}

/// Where a loop stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    pub(super) iterations: u32,
    /// Where the current iteration began.
    pub(super) start: u32,
}

/// What to undo, or where to go on, when the thread fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Go on at an instruction.
    Other {
        pc: Pc,
        position: u32,
    },
    /// Enter a lazy loop once more.
    Enter {
        head: Pc,
        position: u32,
    },
    /// End a greedy run at `position`, and after that one character nearer to `limit`.
    Shorter {
        pc: Pc,
        position: u32,
        limit: u32,
    },
    /// Let a lazy run take one character more, `left` at most.
    Longer {
        pc: Pc,
        position: u32,
        left: u32,
    },
    Capture {
        edge: u32,
        value: u32,
    },
    Counter {
        counter: u32,
        value: Counter,
    },
}

impl State {
    /// Makes room for the captures and counters of a pattern, none of them set.
    pub(super) fn reset(&mut self, groups: u32, counters: u32) {
        self.captures.clear();
        self.captures.resize(2 * (groups as usize + 1), UNSET);
        self.counters.clear();
        self.counters.resize(counters as usize, Counter { iterations: 0, start: UNSET });
        self.trail.clear();
    }

    pub(super) fn capture(&mut self, edge: u32, value: u32) {
        let edge_value = &mut self.captures[edge as usize];
        self.trail.push(Entry::Capture { edge, value: *edge_value });
        *edge_value = value;
    }

    pub(super) fn count(&mut self, counter: u32, value: Counter) {
        let current = &mut self.counters[counter as usize];
        self.trail.push(Entry::Counter { counter, value: *current });
        *current = value;
    }

    /// Undoes everything noted since the trail had `mark` entries.
    pub(super) fn undo(&mut self, mark: usize) {
        for entry in self.trail.drain(mark..).rev() {
            match entry {
                Entry::Capture { edge, value } => self.captures[edge as usize] = value,
                Entry::Counter { counter, value } => self.counters[counter as usize] = value,
                _ => {}
            }
        }
    }

    /// Forgets what else there was to try since the trail had `mark` entries.
    pub(super) fn commit(&mut self, mark: usize) {
        let mut kept = mark;
        for index in mark..self.trail.len() {
            if matches!(self.trail[index], Entry::Capture { .. } | Entry::Counter { .. }) {
                self.trail.swap(index, kept);
                kept += 1;
            }
        }
        self.trail.truncate(kept);
    }

    /// What the one group of `groups` that took part in the match captured.
    pub(super) fn captured(&self, groups: &[u32]) -> Option<(usize, usize)> {
        groups.iter().find_map(|&group| {
            let start = self.captures[2 * group as usize];
            let end = self.captures[2 * group as usize + 1];
            let set = start != UNSET && end != UNSET && start <= end;
            set.then_some((start as usize, end as usize))
        })
    }
}
