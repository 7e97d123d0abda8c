//! What a switch of the current path must know about its target.

use std::path::Path;

use llm_chat_file_core::engine::switch_target;
use napi_derive::napi;

use crate::path_text::PathText;

/// Whether `path` is a directory, or missing. Asks the disk where it is called.
#[napi(catch_unwind, ts_args_type = "path: string")]
#[must_use]
pub fn is_directory_or_missing(path: PathText) -> bool {
    switch_target::is_directory_or_missing(Path::new(path.as_str()))
}
