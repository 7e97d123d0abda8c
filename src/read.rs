//! Reading text.

use llm_chat_file_core as core;
use llm_chat_file_core::engine::Call;
use llm_chat_file_core::engine::read_text::{self, ReadText, ReadTextOptions};
use llm_chat_file_core::text::encoding::Encoding;
use llm_chat_file_core::text::lines::LineRange;
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::{CallContext, now};
use crate::failure::{Failure, shown, shown_path_of};
use crate::job::Weight;
use crate::number::{count, float_count, size};
use crate::text::Text;

/// What to read of each file.
#[napi(object, object_to_js = false)]
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// First line, from 1.
    pub start_line: Option<f64>,
    /// Last line, inclusive.
    pub end_line: Option<f64>,
    /// Most UTF-16 units of text to give.
    pub max_chars: f64,
    /// Bytes above which a file is refused.
    pub max_file_size: f64,
}

/// Lines of one file, or why there are none.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct ReadAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why the file was not read.
    pub failure: Option<Failure>,
    /// The lines.
    #[napi(ts_type = "string")]
    pub text: Option<Text>,
    /// First line given.
    pub start_line: Option<f64>,
    /// Last line given.
    pub end_line: Option<f64>,
    /// Lines of the file.
    pub total_lines: Option<f64>,
    /// UTF-16 units of the file's text.
    pub total_chars: Option<f64>,
    /// How the text is stored.
    #[napi(ts_type = "'utf8' | 'utf16le' | 'utf16be' | 'utf32le' | 'utf32be'")]
    pub encoding: Option<&'static str>,
    /// Whether it begins with a byte order mark.
    pub bom: Option<bool>,
    /// Whether the lines were longer than `maxChars`.
    pub truncated: Option<bool>,
}

/// Reads text files.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<ReadAnswer[]>")]
pub fn read_texts<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
    options: ReadOptions,
) -> Result<Object<'env>> {
    let pool = call.pool();
    let options = ReadTextOptions::from(options);
    call.operation()?.run(env, Weight::Light, move |call| -> Vec<ReadAnswer> {
        let read = |path: &String| read_text::read_text(call, path, &options, pool.as_deref());
        paths.iter().map(|path| read(path).map_or_else(failed, known)).collect()
    })
}

/// The same for small files that the kernel holds in memory; `null` when it would have to wait.
///
/// # Errors
/// When the arguments cannot be taken.
#[napi(catch_unwind)]
pub fn read_texts_now(
    call: CallContext<'_>,
    paths: Vec<String>,
    options: ReadOptions,
) -> Result<Option<Vec<ReadAnswer>>> {
    let pool = call.pool();
    let options = ReadTextOptions::from(options);
    now(call, &paths, |call: &Call, path| {
        read_text::read_text_now(call, path, &options, pool.as_deref()).map(known)
    })
}

impl From<ReadOptions> for ReadTextOptions {
    fn from(options: ReadOptions) -> Self {
        Self {
            range: LineRange {
                start_line: options.start_line.map_or(1, count),
                end_line: options.end_line.map(count),
            },
            max_chars: count(options.max_chars),
            max_file_size: size(options.max_file_size),
        }
    }
}

/// The name of an encoding in answers.
#[must_use]
pub fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "utf8",
        Encoding::Utf16Le => "utf16le",
        Encoding::Utf16Be => "utf16be",
        Encoding::Utf32Le => "utf32le",
        Encoding::Utf32Be => "utf32be",
    }
}

fn known(read: ReadText) -> ReadAnswer {
    ReadAnswer {
        path: Some(shown(&read.path)),
        failure: None,
        text: Some(read.text.into()),
        start_line: Some(float_count(read.start_line)),
        end_line: Some(float_count(read.end_line)),
        total_lines: Some(float_count(read.total_lines)),
        total_chars: Some(float_count(read.total_chars)),
        encoding: Some(encoding_name(read.format.encoding)),
        bom: Some(read.format.bom),
        truncated: Some(read.truncated),
    }
}

fn failed(error: core::Error) -> ReadAnswer {
    ReadAnswer { path: shown_path_of(&error), failure: Some(error.into()), ..ReadAnswer::default() }
}
