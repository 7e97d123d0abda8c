//! How far a search has come.

use std::sync::Arc;

use llm_chat_file_core::engine::search::Progress;
use napi_derive::napi;

use crate::number::float;

/// Counters of the search that it is handed to, to be read while the search runs.
#[napi]
#[derive(Debug, Default)]
pub struct SearchProgress {
    inner: Arc<Progress>,
}

/// What the counters said.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ProgressCounts {
    /// Entries looked at.
    pub entries: f64,
    /// Bytes of files read.
    pub bytes: f64,
    /// Matches found.
    pub matches: f64,
}

#[napi]
impl SearchProgress {
    /// Counters at zero.
    #[napi(constructor, catch_unwind)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The counters as they are now.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn counts(&self) -> ProgressCounts {
        let counts = self.inner.counts();
        ProgressCounts {
            entries: float(counts.entries),
            bytes: float(counts.bytes),
            matches: float(counts.matches),
        }
    }

    /// What the core counts with.
    #[must_use]
    pub fn inner(&self) -> &Arc<Progress> {
        &self.inner
    }
}
