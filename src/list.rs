//! Listings.

use llm_chat_file_core::engine::list;
use napi::bindgen_prelude::{Either, Null, Object, Uint8Array};
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, shown};
use crate::job::Weight;
use crate::number::{count, float_count};
use crate::text::Text;

/// How to list.
#[napi(object, object_to_js = false)]
#[derive(Clone, Copy, Debug)]
pub struct ListOptions {
    /// Whether to list what is in subdirectories, too.
    pub recursive: bool,
    /// The listing stops when it has met this many entries.
    pub max_entries: f64,
    /// Above this many entries only the counts are given.
    pub max_shown: f64,
}

/// What a directory holds, or why it is not listed.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct ListAnswer {
    /// The directory as resolved and shown.
    pub path: Option<String>,
    /// Why it is not listed.
    pub failure: Option<Failure>,
    /// Shown paths joined by newlines.
    #[napi(ts_type = "string")]
    pub text: Option<Text>,
    /// One `UV_DIRENT_*` kind for each line of `text`.
    pub kinds: Option<Uint8Array>,
    /// Entries met.
    pub total: Option<f64>,
    /// Regular files among them.
    pub files: Option<f64>,
    /// Directories among them.
    pub directories: Option<f64>,
    /// Other entries among them.
    pub others: Option<f64>,
    /// Directories left out by name.
    pub skipped: Option<f64>,
    /// Directories that could not be read.
    pub unreadable: Option<f64>,
    /// Whether the number of entries ended it.
    #[napi(ts_type = "'entries' | null")]
    pub stopped_by: Option<Either<&'static str, Null>>,
}

/// Lists a directory.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<ListAnswer>")]
pub fn list<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    path: String,
    options: ListOptions,
) -> Result<Object<'env>> {
    let weight = if options.recursive { Weight::Heavy } else { Weight::Light };
    call.operation()?.run(env, weight, move |call| -> ListAnswer {
        list::list(call, &path, options.into()).map_or_else(
            |error| {
                let failure = Failure::from(error);
                ListAnswer {
                    path: failure.shown_path(),
                    failure: Some(failure),
                    ..ListAnswer::default()
                }
            },
            ListAnswer::from,
        )
    })
}

impl From<ListOptions> for list::ListOptions {
    fn from(options: ListOptions) -> Self {
        Self {
            recursive: options.recursive,
            max_entries: count(options.max_entries),
            max_shown: count(options.max_shown),
        }
    }
}

impl From<list::Listing> for ListAnswer {
    fn from(listing: list::Listing) -> Self {
        Self {
            path: Some(shown(&listing.path)),
            failure: None,
            text: Some(listing.text.into()),
            kinds: Some(listing.kinds.into()),
            total: Some(float_count(listing.total)),
            files: Some(float_count(listing.files)),
            directories: Some(float_count(listing.directories)),
            others: Some(float_count(listing.others)),
            skipped: Some(float_count(listing.skipped)),
            unreadable: Some(float_count(listing.unreadable)),
            stopped_by: Some(if listing.stopped { Either::A("entries") } else { Either::B(Null) }),
        }
    }
}
