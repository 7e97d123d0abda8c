//! Search: candidates to matches, in order, in parallel, within limits.
//!
//! Threads share a stack of directories (`schedule`); each lists one (`candidates`), tests its
//! entries (`visit`, `content`), and a `cursor` tells what they find in the order of a serial
//! walk, as which it is counted (`collect`).

use std::thread;

use crate::cancel::Cancel;
use crate::error::Result;
use crate::fs::tree::Root;
use crate::fs::walk::Rules;

pub mod answer;
pub(crate) mod candidates;
mod collect;
mod content;
pub(crate) mod cursor;
pub mod progress;
pub mod query;
pub(crate) mod schedule;
pub(crate) mod shown_paths;
mod snippet;
mod text_stream;
mod visit;

pub use answer::{Answer, LineMatch, Match, Skipped, StoppedBy};
pub use progress::{Counts, Progress};
pub use query::{Dates, EntryKind, Query, Times};

/// Searches the tree beneath `root`. `cancel` carries the deadline; what the rules leave out is
/// neither looked at nor counted.
///
/// # Errors
/// `ABORT_ERR` when cancelled; what the host's own rules threw.
pub(crate) fn run(
    root: Root,
    query: &Query,
    rules: &(dyn Rules + Sync),
    cancel: &Cancel,
) -> Result<Answer> {
    let collector = collect::Collector::new(root.path.clone(), query);
    let searcher = visit::Searcher { query, rules, cancel };
    let place = candidates::Place::root(root);
    let threads = thread_count(query.threads);
    let (collector, ended) = schedule::run(&searcher, place, collector, threads, cancel)?;
    Ok(collector.finish(ended))
}

/// Most threads of one search, whatever is asked for.
const MAX_THREADS: usize = 64;

/// Threads for a search: as many as asked for, and for 0 as many as there are cores.
pub(crate) fn thread_count(asked: usize) -> usize {
    let wanted = match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    };
    wanted.min(MAX_THREADS)
}
