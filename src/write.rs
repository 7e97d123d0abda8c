//! Writing whole texts, and the options that every write has.

use llm_chat_file_core::Error;
use llm_chat_file_core::engine::write_text::{self, WriteText, WriteTextOptions};
use llm_chat_file_core::fs::write::{self as gate, Durability, HardLinks};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, coded_error, shown, shown_path_of};
use crate::job::Weight;
use crate::number::float;

/// How to write a text.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct WriteOptions {
    /// Refuse if something has the name.
    pub create_only: Option<bool>,
    /// How safely the bytes lie on the disk before the write counts as done.
    #[napi(ts_type = "'none' | 'data' | 'full'")]
    pub durability: Option<String>,
    /// What happens to a file's other names.
    #[napi(ts_type = "'replace' | 'keep'")]
    pub hard_links: Option<String>,
}

/// A written text, or why it was not written.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct WriteAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why it was not written.
    pub failure: Option<Failure>,
    /// Whether there was no file before.
    pub created: Option<bool>,
    /// Bytes of the file.
    pub bytes: Option<f64>,
    /// Whether the write was all or nothing for every reader.
    pub atomic: Option<bool>,
}

/// Writes a text as the whole content of a file.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` for an option that is none; when the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<WriteAnswer>")]
pub fn write_text<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    path: String,
    text: String,
    options: WriteOptions,
) -> Result<Object<'env>> {
    let pool = call.pool();
    let options = WriteTextOptions {
        create_only: options.create_only.unwrap_or(false),
        write: how(env, options.durability.as_deref(), options.hard_links.as_deref())?,
    };
    call.operation()?.run(env, Weight::Light, move |call| -> WriteAnswer {
        write_text::write_text(call, &path, &text, &options, pool.as_deref())
            .map_or_else(failed, written)
    })
}

/// The core's options of a write.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` for an option that is none.
pub fn how(
    env: &Env,
    durability: Option<&str>,
    hard_links: Option<&str>,
) -> Result<gate::WriteOptions> {
    let refuse = |name: &str, value: &str| {
        let message = format!("'{value}' is no value of `{name}`");
        coded_error(env, "ERR_INVALID_ARG_VALUE", &message)
    };
    Ok(gate::WriteOptions {
        durability: match durability {
            None => Durability::default(),
            Some("none") => Durability::None,
            Some("data") => Durability::Data,
            Some("full") => Durability::Full,
            Some(other) => return Err(refuse("durability", other)),
        },
        hard_links: match hard_links {
            None => HardLinks::default(),
            Some("replace") => HardLinks::Replace,
            Some("keep") => HardLinks::Keep,
            Some(other) => return Err(refuse("hardLinks", other)),
        },
    })
}

fn written(written: WriteText) -> WriteAnswer {
    WriteAnswer {
        path: Some(shown(&written.path)),
        failure: None,
        created: Some(written.created),
        bytes: Some(float(written.bytes)),
        atomic: Some(written.atomic),
    }
}

fn failed(error: Error) -> WriteAnswer {
    WriteAnswer {
        path: shown_path_of(&error),
        failure: Some(error.into()),
        ..WriteAnswer::default()
    }
}
