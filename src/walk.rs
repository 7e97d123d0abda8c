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
    /// The walk, unless its first batch was its last.
    pub walk: Option<Walk>,
    /// The first entries.
    pub batch: Option<WalkBatch>,
}

/// Begins a walk of a directory and gives its first entries, at most `max`, in one step: most
/// walks that are left early need no second one.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<WalkStart>")]
pub fn open_walk<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    path: String,
    max: f64,
) -> Result<Object<'env>> {
    let operation = call.operation()?;
    let later = operation.clone();
    operation.try_run(env, Weight::Light, move |call| {
        let mut walk = match walk::open(call, &path) {
            Ok(walk) => walk,
            Err(error) => {
                let failure = Failure::from(error);
                let path = failure.shown_path();
                return Ok(WalkStart { path, failure: Some(failure), walk: None, batch: None });
            }
        };
        let path = Some(shown(walk.path()));
        let batch = walk.next_batch(count(max))?.map(WalkBatch::from);
        let state = Arc::new(Mutex::new(Some(walk)));
        let walk = batch.is_some().then_some(Walk { operation: later, state });
        Ok(WalkStart { path, failure: None, walk, batch })
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

#[napi]
impl Walk {
    /// Ends the walk and gives its descriptors back; a batch in work does so when it is done.
    ///
    /// # Errors
    /// None; a panic becomes an exception.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        self.operation.cancel();
        if let Ok(mut held) = self.state.try_lock() {
            *held = None;
        }
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
