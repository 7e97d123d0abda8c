//! The exported `isBinary`.

use std::path::PathBuf;

use llm_chat_file_core::engine::is_binary;
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::job::{self, Weight};

/// Whether the file at `path` is binary; `true` also when it cannot be read.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
pub fn is_binary(env: &Env, path: String) -> Result<Object<'_>> {
    job::run(env, Weight::Light, move || {
        Ok(is_binary::is_binary(&PathBuf::from(path)).unwrap_or(true))
    })
}
