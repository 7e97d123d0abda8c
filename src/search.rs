//! Searches.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use llm_chat_file_core as core;
use llm_chat_file_core::engine::Call;
use llm_chat_file_core::engine::search::{self, Portion};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::{CallContext, Operation};
use crate::failure::Failure;
use crate::job::Weight;
use crate::search_answer::SearchAnswer;
use crate::search_spec::{SearchPortion, SearchSpec};

type State = Arc<Mutex<Option<search::Search>>>;

/// The rest of a search. Nothing runs until it is asked for; dropping it ends the search.
#[napi]
#[derive(Debug)]
pub struct Search {
    operation: Operation,
    state: State,
}

/// Searches a directory and gives the results, all of them without a portion.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` for a `kind` that is none; when the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<SearchAnswer>")]
pub fn search<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    spec: SearchSpec<'_>,
    portion: Option<SearchPortion>,
) -> Result<Object<'env>> {
    let asked = Instant::now();
    let (path, query) = spec.into_query(env)?;
    let time = Duration::try_from_secs_f64(query.timeout_ms.max(0.0) / 1e3).ok();
    let portion = portion.map_or(Portion::ALL, Portion::from);
    let operation = call.operation()?;
    let later = operation.clone();
    operation.try_run(env, heavy(asked, time), move |call| {
        let waited = asked.elapsed();
        match search::Search::open(call, &path, query) {
            Ok(search) => {
                let state = Arc::new(Mutex::new(Some(search)));
                advance(&state, waited, later, call, portion)
            }
            Err(error) => Ok(SearchAnswer::failed(Failure::from(error))),
        }
    })
}

#[napi]
impl Search {
    /// The next results.
    ///
    /// # Errors
    /// When the job cannot be started.
    #[napi(catch_unwind, ts_return_type = "Promise<SearchAnswer>")]
    pub fn next<'env>(&self, env: &'env Env, portion: SearchPortion) -> Result<Object<'env>> {
        let portion = Portion::from(portion);
        let state = Arc::clone(&self.state);
        let later = self.operation.clone();
        let asked = Instant::now();
        let weight = match self.state.try_lock() {
            Ok(held) => {
                let search = held.as_ref().filter(|search| !search.is_ready());
                search.map_or(Weight::Light, |search| heavy(asked, search.time_left()))
            }
            // Another portion is in work.
            Err(_) => Weight::Heavy,
        };
        self.operation.clone().try_run(env, weight, move |call| {
            advance(&state, asked.elapsed(), later, call, portion)
        })
    }

    /// Ends the search; a portion in work ends soon.
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

/// The weight of a search that was asked for with so much time left.
fn heavy(asked: Instant, time: Option<Duration>) -> Weight {
    let until = time.and_then(|time| asked.checked_add(time));
    until.map_or(Weight::Heavy, Weight::HeavyUntil)
}

/// Takes the next portion of a search, and with its last the search itself. What it `waited` for
/// other searches is part of its time.
fn advance(
    state: &State,
    waited: Duration,
    operation: Operation,
    call: &Call,
    portion: Portion,
) -> core::Result<SearchAnswer> {
    let mut held = state.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(search) = held.as_mut() else { return Err(core::Error::cancelled()) };
    search.spend(waited);
    let answer = search.next(call, portion);
    let has_more = answer.as_ref().is_ok_and(|answer| answer.has_more);
    if !has_more {
        *held = None;
    }
    let rest = has_more.then(|| Search { operation, state: Arc::clone(state) });
    Ok(SearchAnswer { rest, ..SearchAnswer::from(answer?) })
}
