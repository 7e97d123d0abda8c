//! Access decided for paths as they were typed.

use llm_chat_file_core::access::{Policy, Read, Right, Write};
use llm_chat_file_core::engine::Call;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown, shown_path_of};
use crate::job::Weight;

/// The path as resolved, or the refusal.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct AccessAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// The refusal.
    pub failure: Option<Failure>,
}

/// Decides about paths as they were typed.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<AccessAnswer[]>")]
pub fn access<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
    write: bool,
) -> napi::Result<Object<'env>> {
    call.operation()?.run(env, Weight::Light, move |call| -> Vec<AccessAnswer> {
        let decide = if write { decide::<Write> } else { decide::<Read> };
        paths.iter().map(|path| decide(call, path)).collect()
    })
}

fn decide<R: Right>(call: &Call, path: &str) -> AccessAnswer {
    match call.place::<R>(path) {
        // The gate would find this out on the way to what a link leads to.
        Ok(permit) if !call.policy.allows(&call.cwd, permit.path(), R::KIND) => {
            let error = Policy::refusal(permit.path());
            AccessAnswer { path: shown_path_of(&error), failure: Some(error.into()) }
        }
        Ok(permit) => AccessAnswer { path: Some(shown(permit.path())), failure: None },
        Err(error) => AccessAnswer { path: shown_path_of(&error), failure: Some(error.into()) },
    }
}
