//! Search: candidates to matches, in order, in parallel, within limits.

pub(crate) mod candidates;
pub(crate) mod schedule;
pub(crate) mod shown_paths;

use std::thread;

/// Threads for a search: as many as asked for, and for 0 as many as there are cores.
pub(crate) fn thread_count(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
}
