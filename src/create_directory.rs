//! Making directories.

use llm_chat_file_core as core;
use llm_chat_file_core::engine::create_directory::{self, CreateDirectory};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown, shown_path_of};
use crate::job::Weight;

/// A directory that is there now, or why it is not.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct CreateDirectoryAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why it was not made.
    pub failure: Option<Failure>,
    /// Whether it, or one above it, was made.
    pub created: Option<bool>,
}

/// Makes directories, and those that are missing above them.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<CreateDirectoryAnswer[]>")]
pub fn create_directories<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
) -> Result<Object<'env>> {
    call.operation()?.run(env, Weight::Light, move |call| -> Vec<CreateDirectoryAnswer> {
        let create = |path: &String| {
            create_directory::create_directory(call, path).map_or_else(failed, made)
        };
        paths.iter().map(create).collect()
    })
}

fn made(directory: CreateDirectory) -> CreateDirectoryAnswer {
    CreateDirectoryAnswer {
        path: Some(shown(&directory.path)),
        failure: None,
        created: Some(directory.created),
    }
}

fn failed(error: core::Error) -> CreateDirectoryAnswer {
    CreateDirectoryAnswer {
        path: shown_path_of(&error),
        failure: Some(error.into()),
        created: None,
    }
}
