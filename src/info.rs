//! What is known about entries.

use llm_chat_file_core::access::Read;
use llm_chat_file_core::engine::{Call, info};
use llm_chat_file_core::fs::stat::{Entry, Kind};
use llm_chat_file_core::{Error, Result};
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;

use crate::call::{CallContext, now};
use crate::failure::{Failure, shown, shown_path_of};
use crate::job::Weight;
use crate::number::float;

/// What is known about one entry, or why nothing is.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct InfoAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why nothing is known.
    pub failure: Option<Failure>,
    /// Kind of the entry, in words.
    #[napi(
        ts_type = "'file' | 'directory' | 'symlink' | 'FIFO' | 'socket' | 'character device' | 'block device' | 'unknown'"
    )]
    pub kind: Option<&'static str>,
    /// Size in bytes.
    pub size: Option<f64>,
    /// Mode bits, type included.
    pub mode: Option<u32>,
    /// Creation in milliseconds since the epoch.
    pub created_ms: Option<f64>,
    /// Last change of the content.
    pub modified_ms: Option<f64>,
    /// Last access.
    pub accessed_ms: Option<f64>,
    /// Last change of content or metadata.
    pub changed_ms: Option<f64>,
    /// Target of a symbolic link, as shown.
    pub link_target: Option<String>,
}

/// Looks at entries, links not followed.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<InfoAnswer[]>")]
pub fn info<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
) -> napi::Result<Object<'env>> {
    call.operation()?.run(env, Weight::Light, move |call| -> Vec<InfoAnswer> {
        paths.iter().map(|path| answer(info::info(call, path))).collect()
    })
}

/// The same for entries that the kernel holds in memory; `null` when it would have to wait.
///
/// # Errors
/// When the arguments cannot be taken.
#[napi(catch_unwind)]
pub fn info_now(
    call: CallContext<'_>,
    paths: Vec<String>,
) -> napi::Result<Option<Vec<InfoAnswer>>> {
    now(call, &paths, |call: &Call, path| info::info_now(call, path).map(known))
}

/// Kind of an entry in the words of the tools.
#[must_use]
pub fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Unknown => "unknown",
        Kind::File => "file",
        Kind::Directory => "directory",
        Kind::Symlink => "symlink",
        Kind::Fifo => "FIFO",
        Kind::Socket => "socket",
        Kind::CharacterDevice => "character device",
        Kind::BlockDevice => "block device",
    }
}

fn answer(result: Result<Entry<Read>>) -> InfoAnswer {
    result.map_or_else(failed, known)
}

fn known(entry: Entry<Read>) -> InfoAnswer {
    let metadata = entry.metadata;
    InfoAnswer {
        path: Some(shown(entry.permit.path())),
        failure: None,
        kind: Some(kind_word(metadata.kind)),
        size: Some(float(metadata.size)),
        mode: Some(metadata.mode),
        created_ms: Some(metadata.created.milliseconds()),
        modified_ms: Some(metadata.modified.milliseconds()),
        accessed_ms: Some(metadata.accessed.milliseconds()),
        changed_ms: Some(metadata.changed.milliseconds()),
        link_target: entry
            .link_target
            .map(|target| llm_chat_file_core::text::shown::shown(&target).into_owned()),
    }
}

fn failed(error: Error) -> InfoAnswer {
    InfoAnswer { path: shown_path_of(&error), failure: Some(error.into()), ..InfoAnswer::default() }
}
