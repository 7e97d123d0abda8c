//! Edits by line number.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::line_end::LineEnd;
use super::splices::{Inserted, Splices};
use super::{EditError, Outcome};

/// Replaces the lines `start..=end` by those of `content`; by none if it is empty.
///
/// New lines take the line end of the lines replaced, else of the line before them.
pub(super) fn replace(
    text: &[u8],
    start: usize,
    end: usize,
    content: &str,
    splices: &mut Splices<'_>,
) -> Result<Outcome, EditError> {
    if start < 1 || end < start {
        return Err(EditError::InvalidRange { start, end });
    }
    let lines = count(text);
    if start > lines {
        return Err(EditError::StartBeyondEnd { start, lines });
    }
    if end > lines {
        return Err(EditError::EndBeyondEnd { end, lines });
    }
    let from = line_start(text, start);
    // Where the next line starts, that is, behind the line end; for the last line, the end.
    let next = from + line_start(&text[from..], end - start + 2);
    if content.is_empty() {
        // The last lines go together with the line end that separates them from the rest.
        let from = if end == lines { without_line_end(text, from) } else { from };
        splices.push(from, next - from, Inserted::new(""));
    } else {
        let line_end = LineEnd::first_in(text, from, next)
            .or_else(|| LineEnd::last_in(text, 0, from))
            .unwrap_or(LineEnd::Lf);
        let to = if end == lines { next } else { without_line_end(text, next) };
        let content = line_end.widen(content);
        let content = before_line_end(&content, &text[to..]);
        splices.push(from, to - from, Inserted::new(content));
    }
    Ok(Outcome { start_line: start, end_line: end, occurrences: 1 })
}

/// Inserts the lines of `content` in front of line `line`, or at the end.
///
/// New lines take the line end of the line before, else of the line after. At the end of a text
/// that ends in a newline, `content` becomes its last lines, and the newline stays the last
/// character; at the end of an empty text, `content` becomes the text.
pub(super) fn insert(
    text: &[u8],
    line: Option<i64>,
    content: &str,
    splices: &mut Splices<'_>,
) -> Result<Outcome, EditError> {
    let lines = count(text);
    let line = match line {
        None => lines + 1,
        Some(line) => usize::try_from(line)
            .ok()
            .filter(|line| (1..=lines + 1).contains(line))
            .ok_or(EditError::LineOutOfRange { line, lines })?,
    };
    let at = line_start(text, line);
    let line_end = LineEnd::last_in(text, 0, at)
        .or_else(|| LineEnd::first_in(text, at, text.len()))
        .unwrap_or(LineEnd::Lf);
    let body = line_end.widen(content);
    let pieces = count(content.as_bytes());
    let (inserted, start_line, pieces): (Cow<'_, str>, _, _) = if line <= lines {
        (terminated(&body, line_end), line, pieces)
    } else if text.is_empty() {
        (body, 1, pieces)
    } else if !text.ends_with(b"\n") {
        ([line_end.as_str(), &body].concat().into(), line, pieces)
    } else if content.ends_with('\n') {
        (body, lines, pieces - 1)
    } else {
        (terminated(&body, line_end), lines, pieces)
    };
    splices.push(at, 0, Inserted::new(&inserted));
    Ok(Outcome { start_line, end_line: start_line + pieces - 1, occurrences: 1 })
}

/// Lines of `text`.
pub(super) fn count(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count() + 1
}

/// Offset at which line `line` starts; the end of the text if there are fewer lines.
fn line_start(text: &[u8], line: usize) -> usize {
    match line.checked_sub(2) {
        None => 0,
        Some(newlines) => memchr_iter(b'\n', text).nth(newlines).map_or(text.len(), |at| at + 1),
    }
}

/// `end` moved before the line end that ends there, if one does.
fn without_line_end(text: &[u8], end: usize) -> usize {
    let text = &text[..end];
    text.strip_suffix(b"\r\n").or_else(|| text.strip_suffix(b"\n")).map_or(end, <[u8]>::len)
}

/// `content` without the CR that `rest`, what follows it, begins with already. Whoever copies a
/// line of a CRLF text by splitting at LF has the CR at its end.
fn before_line_end<'c>(content: &'c str, rest: &[u8]) -> &'c str {
    if rest.starts_with(b"\r\n") { content.strip_suffix('\r').unwrap_or(content) } else { content }
}

/// `content` and a line end.
fn terminated(content: &str, line_end: LineEnd) -> Cow<'static, str> {
    let end = line_end.as_str();
    Cow::Owned([before_line_end(content, end.as_bytes()), end].concat())
}
