//! Editing texts.

use llm_chat_file_core::Error;
use llm_chat_file_core::edit::{Edit, Outcome, diff};
use llm_chat_file_core::engine::edit_text::{self, EditText};
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::call::CallContext;
use crate::failure::{Failure, coded_error, shown, shown_path_of};
use crate::job::Weight;
use crate::number::{count, float, float_count, integer, size};
use crate::write::how;

/// One edit; `kind` says which fields count.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct EditSpec {
    /// What to do.
    #[napi(ts_type = "'replaceLines' | 'insert' | 'replaceContent'")]
    pub kind: String,
    /// First line to replace, or line to insert before; absent appends.
    pub start_line: Option<f64>,
    /// Last line to replace, inclusive.
    pub end_line: Option<f64>,
    /// The new text.
    pub content: String,
    /// The text to find.
    pub old_content: Option<String>,
    /// All occurrences instead of the first.
    pub all: Option<bool>,
}

/// How to edit.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct EditOptions {
    /// Bytes above which a file is refused.
    pub max_file_size: f64,
    /// UTF-16 units that the text may have afterwards.
    pub max_chars: f64,
    /// Do everything but the write.
    pub dry_run: Option<bool>,
    /// How safely the bytes lie on the disk before the write counts as done.
    #[napi(ts_type = "'none' | 'data' | 'full'")]
    pub durability: Option<String>,
    /// What happens to a file's other names.
    #[napi(ts_type = "'replace' | 'keep'")]
    pub hard_links: Option<String>,
    /// Tell what changed as a unified diff.
    pub diff: Option<bool>,
}

/// What an edit did.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct AppliedEdit {
    /// First line.
    pub start_line: f64,
    /// Last line.
    pub end_line: f64,
    /// Occurrences replaced.
    pub occurrences: f64,
}

/// An edited file, or why it was not edited.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct EditAnswer {
    /// Resolved path as shown.
    pub path: Option<String>,
    /// Why it was not edited.
    pub failure: Option<Failure>,
    /// What each edit did.
    pub applied: Option<Vec<AppliedEdit>>,
    /// Bytes of the file afterwards.
    pub bytes: Option<f64>,
    /// Bytes before the first change and behind the last.
    pub unchanged_bytes: Option<f64>,
    /// Whether the write was all or nothing for every reader.
    pub atomic: Option<bool>,
    /// What changed, as a unified diff, if that was asked for.
    pub diff: Option<String>,
}

/// Edits files: the same edits in each, one after the other, all or none.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` for an edit or option that is none; when the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<EditAnswer[]>")]
pub fn edit_texts<'env>(
    env: &'env Env,
    call: CallContext<'_>,
    paths: Vec<String>,
    edits: Vec<EditSpec>,
    options: EditOptions,
) -> Result<Object<'env>> {
    let pool = call.pool();
    let with_diff = options.diff.unwrap_or(false);
    let edits = edits.into_iter().map(|edit| edit_of(env, edit)).collect::<Result<Vec<_>>>()?;
    let options = edit_text::EditOptions {
        max_file_size: size(options.max_file_size),
        max_chars: count(options.max_chars),
        dry_run: options.dry_run.unwrap_or(false),
        write: how(env, options.durability.as_deref(), options.hard_links.as_deref())?,
    };
    call.operation()?.run(env, Weight::Light, move |call| -> Vec<EditAnswer> {
        let edit = |path: &String| {
            edit_text::edit_text(call, path, &edits, &options, pool.as_deref())
                .map_or_else(failed, |answer| edited(answer, with_diff))
        };
        paths.iter().map(edit).collect()
    })
}

fn edit_of(env: &Env, edit: EditSpec) -> Result<Edit> {
    let missing = |kind: &str, field: &str| {
        let message = format!("An edit of kind '{kind}' needs `{field}`");
        coded_error(env, "ERR_INVALID_ARG_VALUE", &message)
    };
    match edit.kind.as_str() {
        "replaceLines" => Ok(Edit::ReplaceLines {
            start: count(edit.start_line.ok_or_else(|| missing("replaceLines", "startLine"))?),
            end: count(edit.end_line.ok_or_else(|| missing("replaceLines", "endLine"))?),
            content: edit.content,
        }),
        "insert" => Ok(Edit::Insert { line: edit.start_line.map(integer), content: edit.content }),
        "replaceContent" => Ok(Edit::ReplaceContent {
            old: edit.old_content.ok_or_else(|| missing("replaceContent", "oldContent"))?,
            new: edit.content,
            all: edit.all.unwrap_or(false),
        }),
        other => {
            let message = format!("'{other}' is no kind of edit");
            Err(coded_error(env, "ERR_INVALID_ARG_VALUE", &message))
        }
    }
}

fn edited(edited: EditText, with_diff: bool) -> EditAnswer {
    let path = shown(&edited.path);
    let diff = with_diff.then(|| diff::unified(&edited.before, &edited.after, &path));
    EditAnswer {
        path: Some(path),
        failure: None,
        applied: Some(edited.applied.into_iter().map(AppliedEdit::from).collect()),
        bytes: Some(float(edited.bytes)),
        unchanged_bytes: Some(float(edited.unchanged_bytes)),
        atomic: Some(edited.atomic),
        diff,
    }
}

fn failed(error: Error) -> EditAnswer {
    EditAnswer { path: shown_path_of(&error), failure: Some(error.into()), ..EditAnswer::default() }
}

impl From<Outcome> for AppliedEdit {
    fn from(outcome: Outcome) -> Self {
        Self {
            start_line: float_count(outcome.start_line),
            end_line: float_count(outcome.end_line),
            occurrences: float_count(outcome.occurrences),
        }
    }
}
