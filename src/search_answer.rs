//! What JavaScript gets of a search.

use std::sync::Arc;

use llm_chat_file_core::engine::search::{self, Answer, Skipped, StoppedBy};
use llm_chat_file_core::text::shown::shown_path;
use napi::bindgen_prelude::{Either, Float64Array, Null};
use napi_derive::napi;

use crate::failure::{Failure, shown};
use crate::number::float_count;
use crate::search::Search;
use crate::text::Text;

/// What a search did not look at, by kind.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct SkippedCounts {
    /// Directories that could not be read.
    pub unreadable_directories: f64,
    /// Files that could not be read.
    pub unreadable_files: f64,
    /// Files above the limit.
    pub oversized: f64,
    /// Entries that were gone when they were opened.
    pub vanished: f64,
    /// Files that could not be searched to their end.
    pub undecodable: f64,
    /// Matching files left out because they are binary.
    pub binary: f64,
    /// Directories left out by name.
    pub skip_dirs: f64,
}

/// What a search found, or the next part of it, in columns, or why there was none.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct SearchAnswer {
    /// The directory as resolved and shown.
    pub path: Option<String>,
    /// Why there was no search.
    pub failure: Option<Failure>,
    /// Shown paths joined by newlines, directories with `/` at their end.
    #[napi(ts_type = "string")]
    pub paths: Option<Text>,
    /// Number of results that each path stands for: lines of one file in succession.
    pub repeats: Option<Float64Array>,
    /// Content search: per result its line.
    pub lines: Option<Float64Array>,
    /// Content search: per result first and one past the last column of the match, and first column of the
    /// snippet.
    pub columns: Option<Float64Array>,
    /// Content search: snippets joined by newlines.
    #[napi(ts_type = "string")]
    pub snippets: Option<Text>,
    /// With a date filter: per result created and modified.
    pub times: Option<Float64Array>,
    /// Number of results in the columns.
    pub count: Option<f64>,
    /// Number of all results so far, with those that the rest begins with.
    pub found: Option<f64>,
    /// Entries looked at so far.
    pub visited: Option<f64>,
    /// What was not looked at so far.
    pub skipped: Option<SkippedCounts>,
    /// What ended the search early.
    #[napi(ts_type = "'limit' | 'entries' | 'timeout' | null")]
    pub stopped_by: Option<Either<&'static str, Null>>,
    /// Whether there is nothing to find beside the results so far.
    pub complete: Option<bool>,
    /// The rest of the search, unless this is its end.
    pub rest: Option<Search>,
}

impl SearchAnswer {
    /// Of a search that could not begin.
    #[must_use]
    pub fn failed(failure: Failure) -> Self {
        Self { path: failure.shown_path(), failure: Some(failure), ..Self::default() }
    }
}

impl From<Answer> for SearchAnswer {
    fn from(answer: Answer) -> Self {
        let complete = answer.is_complete();
        let stopped_by = answer.stopped_by.map_or(Either::B(Null), |by| {
            Either::A(match by {
                StoppedBy::Limit => "limit",
                StoppedBy::Entries => "entries",
                StoppedBy::Timeout => "timeout",
            })
        });
        let count = answer.results.len();
        let columns = Columns::from(answer.results);
        Self {
            path: Some(shown(&answer.path)),
            failure: None,
            rest: None,
            paths: Some(columns.paths.into()),
            repeats: Some(columns.repeats.into()),
            lines: Some(columns.lines.into()),
            columns: Some(columns.columns.into()),
            snippets: Some(columns.snippets.into()),
            times: Some(columns.times.into()),
            count: Some(float_count(count)),
            found: Some(float_count(answer.found)),
            visited: Some(float_count(answer.visited)),
            skipped: Some(answer.skipped.into()),
            stopped_by: Some(stopped_by),
            complete: Some(complete),
        }
    }
}

impl From<Skipped> for SkippedCounts {
    fn from(skipped: Skipped) -> Self {
        Self {
            unreadable_directories: float_count(skipped.unreadable_directories),
            unreadable_files: float_count(skipped.unreadable_files),
            oversized: float_count(skipped.oversized),
            vanished: float_count(skipped.vanished),
            undecodable: float_count(skipped.undecodable),
            binary: float_count(skipped.binary),
            skip_dirs: float_count(skipped.skip_dirs),
        }
    }
}

/// Results as columns: objects are made where they are wanted, and at 10,000 rows columns cross in
/// a third of the time.
#[derive(Debug, Default, PartialEq)]
struct Columns {
    paths: String,
    repeats: Vec<f64>,
    lines: Vec<f64>,
    columns: Vec<f64>,
    snippets: String,
    times: Vec<f64>,
}

impl From<Vec<search::Match>> for Columns {
    fn from(results: Vec<search::Match>) -> Self {
        let mut columns = Self::default();
        let mut last = None;
        for (index, result) in results.into_iter().enumerate() {
            if result.line.is_some()
                && last.as_ref().is_some_and(|last| Arc::ptr_eq(last, &result.path))
            {
                if let Some(repeats) = columns.repeats.last_mut() {
                    *repeats += 1.0;
                }
            } else {
                if index > 0 {
                    columns.paths.push('\n');
                }
                columns.paths.push_str(&shown_path(&result.path));
                if result.is_directory {
                    columns.paths.push('/');
                }
                columns.repeats.push(1.0);
                last = Some(result.path);
            }
            if let Some(line) = result.line {
                if index > 0 {
                    columns.snippets.push('\n');
                }
                columns.snippets.push_str(&line.snippet);
                columns.lines.push(float_count(line.number));
                columns.columns.push(float_count(line.start_column));
                columns.columns.push(float_count(line.end_column));
                columns.columns.push(float_count(line.snippet_column));
            }
            if let Some(times) = result.times {
                columns.times.push(times.created);
                columns.times.push(times.modified);
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn lays_results_out_in_columns() {
        let result = |path: &str, line: Option<(usize, &str)>| search::Match {
            path: Arc::from(Path::new(path)),
            is_directory: line.is_none(),
            line: line.map(|(number, snippet)| search::LineMatch {
                number,
                start_column: 1,
                end_column: 3,
                snippet_column: 0,
                snippet: snippet.to_owned(),
            }),
            times: Some(search::Times { created: 5.0, modified: 6.0 }),
        };
        let columns =
            Columns::from(vec![result("/a", Some((7, "x"))), result("/b", Some((8, "")))]);
        assert_eq!(columns.paths, "/a\n/b");
        assert_eq!(columns.repeats, [1.0, 1.0]);
        assert_eq!(columns.snippets, "x\n");
        assert_eq!(columns.lines, [7.0, 8.0]);
        assert_eq!(columns.columns, [1.0, 3.0, 0.0, 1.0, 3.0, 0.0]);
        assert_eq!(columns.times, [5.0, 6.0, 5.0, 6.0]);
        let first = result("/a", Some((7, "x")));
        let columns = Columns::from(vec![first.clone(), first, result("/a", Some((9, "y")))]);
        assert_eq!((columns.paths.as_str(), columns.snippets.as_str()), ("/a\n/a", "x\nx\ny"));
        assert_eq!(columns.repeats, [2.0, 1.0]);
        assert_eq!(Columns::from(vec![result("/d", None)]).paths, "/d/");
        assert_eq!(Columns::from(Vec::new()), Columns::default());
    }
}
