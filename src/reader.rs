//! Reading pages.

use std::time::{Duration, Instant};

use llm_chat_file_core as core;
use llm_chat_file_core::engine::read_page::{self, ReadPage, ReadPageOptions};
use llm_chat_file_core::reader::{PageLimits, Start, TruncatedBy};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown, shown_path_of};
use crate::job::Weight;
use crate::number::{count, float, integer, size};
use crate::text::Text;

/// What to read of a file.
#[napi(object, object_to_js = false)]
#[derive(Clone, Copy, Debug)]
pub struct PageOptions {
    /// First line, from 1; a negative number counts from the end.
    pub offset: f64,
    /// Most lines that are wanted.
    pub limit: Option<f64>,
    /// Most lines to give.
    pub max_lines: f64,
    /// Most bytes of text to give.
    pub max_bytes: f64,
    /// Whether the spelling of a path outside the grants is enough to refuse it.
    pub confined: bool,
    /// Whether to read a large file whose lines are not known from its beginning.
    pub patient: bool,
    /// Milliseconds after which the read fails.
    pub timeout_ms: Option<f64>,
}

/// Lines of one file, or why there are none.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct PageAnswer {
    /// Resolved path as shown; absent, with all the rest, when patience would be needed.
    pub path: Option<String>,
    /// Why nothing was read.
    pub failure: Option<Failure>,
    /// The lines, with newlines between them.
    #[napi(ts_type = "string")]
    pub text: Option<Text>,
    /// First line given.
    pub first_line: Option<f64>,
    /// Number of lines given.
    pub lines: Option<f64>,
    /// Lines of the file.
    pub total_lines: Option<f64>,
    /// Line to go on with; absent at the end of the file.
    pub next_offset: Option<f64>,
    /// Limit that lines which were wanted exceed; absent when there are none.
    #[napi(ts_type = "'lines' | 'bytes'")]
    pub truncated_by: Option<&'static str>,
}

/// Reads whole lines of a text file.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<PageAnswer>")]
pub fn read_page<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    path: String,
    options: PageOptions,
) -> Result<Object<'env>> {
    let pool = call.pool();
    let weight = if options.patient { Weight::Heavy } else { Weight::Light };
    let mut operation = call.operation()?;
    if let Some(timeout) = options.timeout_ms {
        let deadline = Instant::now() + Duration::from_millis(size(timeout));
        operation.call.cancel = operation.call.cancel.with_deadline(deadline);
    }
    let options = ReadPageOptions::from(options);
    operation.run(env, weight, move |call| -> PageAnswer {
        match read_page::read_page(call, &path, &options, pool.as_deref()) {
            Ok(Some(read)) => known(read),
            Ok(None) => PageAnswer::default(),
            Err(error) => failed(error),
        }
    })
}

impl From<PageOptions> for ReadPageOptions {
    fn from(options: PageOptions) -> Self {
        let offset = integer(options.offset);
        let lines = offset.unsigned_abs();
        Self {
            start: if offset < 0 { Start::FromEnd(lines) } else { Start::Line(lines.max(1)) },
            limits: PageLimits {
                limit: options.limit.map(size),
                max_lines: size(options.max_lines),
                max_bytes: count(options.max_bytes),
            },
            confined: options.confined,
            patient: options.patient,
        }
    }
}

fn known(read: ReadPage) -> PageAnswer {
    let ReadPage { path, page } = read;
    PageAnswer {
        path: Some(shown(&path)),
        failure: None,
        text: Some(page.text.into()),
        first_line: Some(float(page.first_line)),
        lines: Some(float(page.lines)),
        total_lines: Some(float(page.total_lines)),
        next_offset: page.next_offset.map(float),
        truncated_by: page.truncated_by.map(|limit| match limit {
            TruncatedBy::Lines => "lines",
            TruncatedBy::Bytes => "bytes",
        }),
    }
}

fn failed(error: core::Error) -> PageAnswer {
    PageAnswer { path: shown_path_of(&error), failure: Some(error.into()), ..PageAnswer::default() }
}
