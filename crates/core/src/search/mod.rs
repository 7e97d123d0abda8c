//! Search: candidates to matches, in order, in parallel, within limits.
//!
//! Threads share a stack of directories (`schedule`); each lists one (`candidates`), tests its
//! entries (`visit`, `content`), and a `cursor` tells what they find in the order of a serial
//! walk, as which it is counted (`collect`). A search can rest and be taken up again (`run`).

use std::thread;

pub mod answer;
pub(crate) mod candidates;
mod collect;
mod content;
pub(crate) mod cursor;
pub mod progress;
pub mod query;
mod run;
pub(crate) mod schedule;
pub(crate) mod shown_paths;
mod snippet;
mod text_stream;
mod visit;

pub use answer::{Answer, LineMatch, Match, Skipped, StoppedBy};
pub use progress::{Counts, Progress};
pub use query::{Dates, EntryKind, Query, Times};
pub use run::Portion;
pub(crate) use run::Run;

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
