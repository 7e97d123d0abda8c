//! Moving and renaming.

use std::path::Path;

use llm_chat_file_core::engine::rename::{self, RenameOutcome, Stage};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown};
use crate::job::Weight;

/// What became of a rename.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct RenameAnswer {
    /// Resolved source as shown; absent when it was refused.
    pub from: Option<String>,
    /// Resolved destination as shown; absent when it was refused.
    pub to: Option<String>,
    /// Why nothing was moved.
    pub failure: Option<Failure>,
    /// Where it failed.
    #[napi(ts_type = "'source' | 'destination' | 'look' | 'rename'")]
    pub stage: Option<&'static str>,
}

/// Moves an entry. A light job: a move is one system call, and only between file systems a copy.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<RenameAnswer>")]
pub fn rename<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    from: String,
    to: String,
) -> Result<Object<'env>> {
    let pool = call.pool();
    call.operation()?.run(env, Weight::Light, move |call| -> RenameAnswer {
        rename::rename(call, &from, &to, pool.as_deref()).into()
    })
}

impl From<RenameOutcome> for RenameAnswer {
    fn from(outcome: RenameOutcome) -> Self {
        let (failure, stage) = match outcome.result {
            Ok(()) => (None, None),
            Err((stage, error)) => (Some(error.into()), Some(stage_name(stage))),
        };
        Self { from: resolved(&outcome.from), to: resolved(&outcome.to), failure, stage }
    }
}

fn resolved(path: &Path) -> Option<String> {
    (!path.as_os_str().is_empty()).then(|| shown(path))
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Source => "source",
        Stage::Destination => "destination",
        Stage::Look => "look",
        Stage::Rename => "rename",
    }
}
