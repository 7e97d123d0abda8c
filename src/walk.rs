//! Walks that JavaScript pulls.

use std::sync::{Arc, Mutex, PoisonError};

use llm_chat_file_core::engine::walk::{self, Batch};
use napi::bindgen_prelude::{Object, Uint8Array};
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::{CallContext, Operation};
use crate::failure::{Failure, shown};
use crate::job::Weight;
use crate::number::count;
use crate::text::Text;

/// A pull-based walk. Dropping it frees its descriptors.
#[napi]
#[derive(Debug)]
pub struct Walk {
    operation: Operation,
    state: Arc<Mutex<Option<walk::Walk>>>,
}

/// Entries in order.
#[napi(object, object_from_js = false)]
pub struct WalkBatch {
    /// Names, each followed by `/`.
    #[napi(ts_type = "string")]
    pub names: Text,
    /// What to do with them.
    pub kinds: Uint8Array,
    /// One for each directory that could not be read.
    pub failures: Vec<Failure>,
}

/// A walk, or why there is none.
#[napi(object, object_from_js = false)]
pub struct WalkStart {
    /// Root as resolved.
    pub path: Option<String>,
    /// Why there is no walk.
    pub failure: Option<Failure>,
    /// The walk.
    pub walk: Option<Walk>,
}

/// Begins a walk of a directory.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<WalkStart>")]
pub fn open_walk<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    path: String,
) -> Result<Object<'env>> {
    let operation = call.operation()?;
    let later = operation.clone();
    operation.run(env, Weight::Light, move |call| -> WalkStart {
        match walk::open(call, &path) {
            Ok(walk) => WalkStart {
                path: Some(shown(walk.path())),
                failure: None,
                walk: Some(Walk { operation: later, state: Arc::new(Mutex::new(Some(walk))) }),
            },
            Err(error) => {
                let failure = Failure::from(error);
                WalkStart { path: failure.shown_path(), failure: Some(failure), walk: None }
            }
        }
    })
}

#[napi]
impl Walk {
    /// The next entries, at most `max`; `null` when the walk is over.
    ///
    /// # Errors
    /// When the job cannot be started.
    #[napi(catch_unwind, ts_return_type = "Promise<WalkBatch | null>")]
    pub fn next<'env>(&self, env: &'env Env, max: f64) -> Result<Object<'env>> {
        let state = Arc::clone(&self.state);
        self.operation.clone().try_run(env, Weight::Light, move |_call| {
            let mut held = state.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(walk) = held.as_mut() else { return Ok(None) };
            match walk.next_batch(count(max)) {
                Ok(Some(batch)) => Ok(Some(WalkBatch::from(batch))),
                end => {
                    *held = None;
                    end.map(|_| None)
                }
            }
        })
    }
}

impl From<Batch> for WalkBatch {
    fn from(batch: Batch) -> Self {
        Self {
            names: batch.names.into(),
            kinds: batch.kinds.into(),
            failures: batch.failures.into_iter().map(Failure::from).collect(),
        }
    }
}
