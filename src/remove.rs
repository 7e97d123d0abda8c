//! Removing entries.

use llm_chat_file_core as core;
use llm_chat_file_core::engine::remove;
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown, shown_path_of};
use crate::info::kind_word;
use crate::job::Weight;

/// What became of a removal.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct RemoveAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why it was not removed.
    pub failure: Option<Failure>,
    /// Kind of the entry, also beside a failure.
    #[napi(ts_type = "InfoAnswer['kind']")]
    pub kind: Option<&'static str>,
}

/// Removes entries; directories that are not empty only if `recursive`.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<RemoveAnswer[]>")]
pub fn remove<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
    recursive: bool,
) -> Result<Object<'env>> {
    let pool = call.pool();
    let weight = if recursive { Weight::Heavy } else { Weight::Light };
    call.operation()?.run(env, weight, move |call| -> Vec<RemoveAnswer> {
        let remove = |path: &String| {
            remove::remove(call, path, recursive, pool.as_deref())
                .map_or_else(failed, RemoveAnswer::from)
        };
        paths.iter().map(remove).collect()
    })
}

impl From<remove::RemoveAnswer> for RemoveAnswer {
    fn from(answer: remove::RemoveAnswer) -> Self {
        Self {
            path: Some(shown(&answer.path)),
            failure: answer.result.err().map(Failure::from),
            kind: answer.kind.map(kind_word),
        }
    }
}

fn failed(error: core::Error) -> RemoveAnswer {
    RemoveAnswer { path: shown_path_of(&error), failure: Some(error.into()), kind: None }
}
