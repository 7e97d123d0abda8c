//! The matching lines of one file.

use std::ops::ControlFlow;

use llm_chat_file_pattern::{Budget, Pattern, Scratch, Stopped, decoded};

use crate::fs::Errno;
use crate::fs::tree::File;
use crate::search::answer::{LineMatch, Omission};
use crate::search::progress::Progress;
use crate::search::snippet::snippet;
use crate::search::text_stream::{Broken, Buffers, TextStream};
use crate::text::{binary, utf16};

/// How the search of a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileEnd {
    /// All of it was searched.
    Whole,
    /// There were as many results as wanted, and text behind the last.
    CutShort,
    /// It was left out, or the rest of it.
    Omitted(Omission),
    /// The budget ended it.
    Stopped,
}

/// Searches files for one pattern.
#[derive(Debug)]
pub(crate) struct ContentSearcher<'q> {
    pattern: &'q Pattern,
    scratch: Scratch,
    buffers: Buffers,
    /// Whether an empty line matches; found out at the first file.
    matches_empty: Option<bool>,
    progress: Option<&'q Progress>,
}

/// Counts line ends only as far as a result needs it.
struct LineCounter<'t> {
    text: &'t [u8],
    counted: usize,
    /// Number of the line at `counted`.
    number: usize,
}

impl LineCounter<'_> {
    fn number_at(&mut self, position: usize) -> usize {
        self.number += memchr::memchr_iter(b'\n', &self.text[self.counted..position]).count();
        self.counted = position;
        self.number
    }
}

impl<'q> ContentSearcher<'q> {
    pub(crate) fn new(pattern: &'q Pattern, progress: Option<&'q Progress>) -> Self {
        let scratch = pattern.scratch();
        Self { pattern, scratch, buffers: Buffers::default(), matches_empty: None, progress }
    }

    /// Gives the first `max_results` matching lines of `file` to `found`. `budget` is asked at
    /// least every few milliseconds.
    pub(crate) fn search(
        &mut self,
        file: &File,
        max_bytes: u64,
        max_results: usize,
        budget: &mut dyn Budget,
        found: &mut dyn FnMut(LineMatch),
    ) -> FileEnd {
        match self.try_search(file, max_bytes, max_results, budget, found) {
            Ok(end) => end,
            Err(Failure::Stopped) if budget.checkpoint().is_break() => FileEnd::Stopped,
            // The pattern's own cap on memory, not ours on time.
            Err(Failure::Stopped) => FileEnd::Omitted(Omission::Undecodable),
            Err(Failure::Broken(broken)) => FileEnd::Omitted(match broken {
                Broken::TooLong | Broken::LineTooLong => Omission::Oversized,
                Broken::Unreadable(Errno::STALE) => Omission::Vanished,
                Broken::Unreadable(_) => Omission::UnreadableFile,
            }),
        }
    }

    fn try_search(
        &mut self,
        file: &File,
        max_bytes: u64,
        max_results: usize,
        budget: &mut dyn Budget,
        found: &mut dyn FnMut(LineMatch),
    ) -> Result<FileEnd, Failure> {
        let Self { pattern, scratch, buffers, matches_empty, progress } = self;
        let matches_empty = match matches_empty {
            Some(known) => *known,
            None => *matches_empty.insert(pattern.is_match(scratch, "", budget)?),
        };
        let mut stream = TextStream::new(file, buffers, max_bytes);
        let mut is_binary = None;
        let mut left = max_results;
        let mut first_line = 1;
        let mut told = 0;
        while let Some(piece) = stream.next()? {
            if let Some(progress) = progress {
                progress.add_bytes(piece.bytes_read - told);
                told = piece.bytes_read;
            }
            let text = piece.text;
            let mut lines = LineCounter { text, counted: 0, number: first_line };
            let mut judge =
                || *is_binary.get_or_insert_with(|| binary::is_binary(piece.head, piece.is_last));
            let mut from = 0;
            while let Some(matching) = pattern.next_matching_line(scratch, text, from, budget)? {
                if judge() {
                    return Ok(FileEnd::Omitted(Omission::Binary));
                }
                let range = matching.range.clone();
                let line = decoded(&text[range.clone()]);
                let columns =
                    pattern.first_match(scratch, &matching, &line, budget)?.unwrap_or(0..0);
                let shown = snippet(&line, columns.clone());
                found(LineMatch {
                    number: lines.number_at(range.start),
                    start_column: utf16::unit_of_byte(&line, columns.start),
                    end_column: utf16::unit_of_byte(&line, columns.end),
                    snippet_column: utf16::unit_of_byte(&line, shown.start),
                    snippet: line[shown].to_owned(),
                });
                from = after_line(text, range.end);
                left -= 1;
                if left == 0 {
                    let has_more = from < text.len() || !piece.is_last;
                    return Ok(if has_more { FileEnd::CutShort } else { FileEnd::Whole });
                }
            }
            if piece.is_last {
                // What follows the last line end is a line too, as split('\n') sees it.
                let ends_empty = text.is_empty() || text.ends_with(b"\n");
                if ends_empty && matches_empty {
                    if judge() {
                        return Ok(FileEnd::Omitted(Omission::Binary));
                    }
                    let number = lines.number_at(text.len());
                    let snippet = String::new();
                    found(LineMatch {
                        number,
                        start_column: 0,
                        end_column: 0,
                        snippet_column: 0,
                        snippet,
                    });
                }
                return Ok(FileEnd::Whole);
            }
            // The next piece overwrites the bytes that the verdict rests on.
            judge();
            first_line = lines.number_at(text.len());
            if let ControlFlow::Break(()) = budget.checkpoint() {
                return Ok(FileEnd::Stopped);
            }
        }
        Ok(FileEnd::Whole)
    }
}

/// Where the line after the one that ends at `end` begins.
fn after_line(text: &[u8], end: usize) -> usize {
    let width = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    (end + width).min(text.len())
}

enum Failure {
    Stopped,
    Broken(Broken),
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}
