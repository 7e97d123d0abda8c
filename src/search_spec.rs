//! What JavaScript asks a search for.

use std::sync::Arc;
use std::time::Duration;

use llm_chat_file_core::engine::search::{Dates, EntryKind, Portion, Query};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::failure::coded_error;
use crate::number::{count, size};
use crate::pattern::Pattern;
use crate::progress::SearchProgress;

/// What is searched for.
#[napi(object, object_to_js = false)]
pub struct SearchSpec<'env> {
    /// The directory as it was typed.
    pub path: String,
    /// Test of an entry's name.
    pub name: Option<ClassInstance<'env, Pattern>>,
    /// Test of a file's lines.
    pub content: Option<ClassInstance<'env, Pattern>>,
    /// Which entries match.
    #[napi(ts_type = "'file' | 'directory' | 'both'")]
    pub kind: String,
    /// Earliest creation, in milliseconds since the epoch.
    pub created_after: Option<f64>,
    /// Latest creation.
    pub created_before: Option<f64>,
    /// Earliest change of the content.
    pub modified_after: Option<f64>,
    /// Latest change of the content.
    pub modified_before: Option<f64>,
    /// Files above this many bytes do not match.
    pub max_size: Option<f64>,
    /// Files above this many bytes are left out and counted.
    pub max_file_size: f64,
    /// Results after which the search stops.
    pub max_results: f64,
    /// Entries at which it stops.
    pub max_entries: f64,
    /// Milliseconds for it, from the call.
    pub timeout_ms: f64,
    /// Threads at most; 0 for as many as the cores.
    pub threads: Option<f64>,
    /// Told how far the search has come.
    pub progress: Option<ClassInstance<'env, SearchProgress>>,
}

/// How much of the answer is wanted at once. What is absent does not end the wait.
#[napi(object, object_to_js = false)]
pub struct SearchPortion {
    /// Results that end the wait for more.
    pub enough: Option<f64>,
    /// Milliseconds after which any result is enough.
    pub patience_ms: Option<f64>,
    /// Results to give at most.
    pub most: Option<f64>,
}

impl SearchSpec<'_> {
    /// As the core takes it, and the path.
    ///
    /// # Errors
    /// `ERR_INVALID_ARG_VALUE` for a `kind` that is none.
    pub fn into_query(self, env: &Env) -> Result<(String, Query)> {
        let kind = kind_of(env, &self.kind)?;
        let pattern = |pattern: ClassInstance<'_, Pattern>| Arc::clone(pattern.inner());
        let query = Query {
            name: self.name.map(pattern),
            content: self.content.map(pattern),
            kind,
            dates: Dates {
                created_after: self.created_after,
                created_before: self.created_before,
                modified_after: self.modified_after,
                modified_before: self.modified_before,
            },
            max_size: self.max_size.map(size),
            max_file_size: size(self.max_file_size),
            max_results: count(self.max_results),
            max_entries: count(self.max_entries),
            timeout_ms: self.timeout_ms,
            threads: self.threads.map_or(0, count),
            progress: self.progress.map(|progress| Arc::clone(progress.inner())),
        };
        Ok((self.path, query))
    }
}

impl From<SearchPortion> for Portion {
    fn from(portion: SearchPortion) -> Self {
        let patience = portion.patience_ms.map(|milliseconds| milliseconds.max(0.0) / 1e3);
        Self {
            enough: portion.enough.map_or(usize::MAX, count),
            patience: patience.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            most: portion.most.map_or(usize::MAX, count),
        }
    }
}

fn kind_of(env: &Env, kind: &str) -> Result<EntryKind> {
    match kind {
        "file" => Ok(EntryKind::File),
        "directory" => Ok(EntryKind::Directory),
        "both" => Ok(EntryKind::Both),
        other => {
            let message = format!("`kind` must be 'file', 'directory' or 'both', not '{other}'");
            Err(coded_error(env, "ERR_INVALID_ARG_VALUE", &message))
        }
    }
}
