//! Searches for entries by name, content and date.

use std::time::{Duration, Instant};

use crate::access::Read;
use crate::engine::Call;
use crate::engine::walk::CallRules;
use crate::fs::tree::{self, RootError};
use crate::search;

pub use crate::search::{
    Answer, Counts, Dates, EntryKind, LineMatch, Match, Progress, Query, Skipped, StoppedBy, Times,
};

/// Searches the directory that `raw` names.
///
/// # Errors
/// [`RootError`]: Node's `stat` error for the directory; `ABORT_ERR` when cancelled; what the
/// host's own rules threw. A directory that cannot be read is counted, like any beneath it.
pub fn search(call: &Call, raw: &str, query: &Query) -> Result<Answer, RootError> {
    let now = Instant::now();
    // A limit too long for the clock is none.
    let time = Duration::try_from_secs_f64(query.timeout_ms.max(0.0) / 1e3).ok();
    let deadline = time.and_then(|time| now.checked_add(time));
    let cancel = deadline.map_or_else(|| call.cancel.clone(), |at| call.cancel.with_deadline(at));
    let root = tree::open_root(&call.place::<Read>(raw)?)?;
    Ok(search::run(root, query, &CallRules(call), &cancel)?)
}
