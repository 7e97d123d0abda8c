//! Edits by content: a literal text in the place of another.

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

use super::line_end::LineEnd;
use super::splices::{Inserted, Splices};
use super::{EditError, File, Outcome};

/// Replaces the first occurrence of `old`, or all, by `new`.
///
/// The exact text is looked for first. Only if it is nowhere, LF and CRLF are taken as equal. A
/// text of nothing but line ends is taken literally, and so is what replaces it: that is how line
/// ends are changed on purpose. Any other text that begins with LF takes the CR before it along:
/// it is half of a line end, and would be left behind as a character of the line.
pub(super) fn replace(
    file: &File<'_>,
    old: &str,
    new: &str,
    all: bool,
    splices: &mut Splices<'_>,
) -> Result<Outcome, EditError> {
    if old.is_empty() {
        return Err(EditError::EmptyNeedle);
    }
    if file.lossy && old.contains(char::REPLACEMENT_CHARACTER) && stands_in(file, old) {
        return Err(EditError::Encoding(
            "old_content has U+FFFD in it, which stands for bytes that are not valid in the file's encoding",
        ));
    }
    let text = &file.text[..];
    let literal = old.bytes().all(|byte| matches!(byte, b'\r' | b'\n'));
    let limit = if all { usize::MAX } else { 1 };

    let wide = LineEnd::CrLf.widen(new);
    let wide = if literal { new } else { &wide };
    let mut replacing = Replacing::new(text, new, wide, splices);
    for at in Finder::new(old).find_iter(text).take(limit) {
        let split = !literal && replacing.splits_line_end(at);
        replacing.replace(at - usize::from(split), at + old.len());
    }
    if let Some(outcome) = replacing.finish() {
        return Ok(outcome);
    }
    if literal || !old.contains('\n') {
        return Err(EditError::NotFound);
    }

    let folded = Folded::new(text);
    let old = old.replace("\r\n", "\n");
    let narrow = LineEnd::Lf.unify(new);
    let mut replacing = Replacing::new(text, &narrow, wide, splices);
    for at in Finder::new(&old).find_iter(&folded.text).take(limit) {
        replacing.replace(folded.original(at), folded.original(at + old.len()));
    }
    replacing.finish().ok_or(EditError::NotFound)
}

/// Whether `old`, which has U+FFFD in it, is found in the text as it is shown.
fn stands_in(file: &File<'_>, old: &str) -> bool {
    let shown = String::from_utf8_lossy(&file.text);
    Finder::new(old).find(shown.as_bytes()).is_some()
}

/// Replaces matches one after the other; what it has to know about the text before a match it
/// gathers on the way, so that many matches cost no more than one pass.
struct Replacing<'r, 'f> {
    text: &'r [u8],
    /// The new text where LF rules, and where CRLF does.
    narrow: Inserted<'r>,
    wide: Inserted<'r>,
    splices: &'r mut Splices<'f>,
    /// End of the last match.
    done: usize,
    /// Last line end before `done`.
    line_end: Option<LineEnd>,
    /// The text's first line end, for matches before it.
    first: LineEnd,
    /// LFs before `done`.
    newlines: usize,
    start_line: usize,
    occurrences: usize,
}

impl<'r, 'f> Replacing<'r, 'f> {
    fn new(text: &'r [u8], narrow: &'r str, wide: &'r str, splices: &'r mut Splices<'f>) -> Self {
        Self {
            text,
            narrow: Inserted::new(narrow),
            wide: Inserted::new(wide),
            splices,
            done: 0,
            line_end: None,
            first: LineEnd::first_in(text, 0, text.len()).unwrap_or(LineEnd::Lf),
            newlines: 0,
            start_line: 0,
            occurrences: 0,
        }
    }

    /// Whether a match at `at` begins within a CRLF whose CR no match before it has taken.
    fn splits_line_end(&self, at: usize) -> bool {
        self.text[at] == b'\n' && self.text[self.done..at].ends_with(b"\r")
    }

    /// Replaces the match `from..to`.
    fn replace(&mut self, from: usize, to: usize) {
        let new = match self.pass(from, to) {
            LineEnd::Lf => self.narrow,
            LineEnd::CrLf => self.wide,
        };
        self.splices.push(from, to - from, new);
    }

    /// Goes on to the match `from..to`; gives the line end for the text that replaces it: the
    /// first within it, else the last before it, else the text's first.
    fn pass(&mut self, from: usize, to: usize) -> LineEnd {
        let before = LineEnd::last_in(self.text, self.done, from).or(self.line_end);
        let within = LineEnd::first_in(self.text, from, to);
        self.newlines += memchr_iter(b'\n', &self.text[self.done..from]).count();
        if self.occurrences == 0 {
            self.start_line = self.newlines + 1;
        }
        self.newlines += memchr_iter(b'\n', &self.text[from..to]).count();
        self.line_end = LineEnd::last_in(self.text, from, to).or(before);
        self.done = to;
        self.occurrences += 1;
        within.or(before).unwrap_or(self.first)
    }

    fn finish(self) -> Option<Outcome> {
        (self.occurrences > 0).then_some(Outcome {
            start_line: self.start_line,
            end_line: self.newlines + 1,
            occurrences: self.occurrences,
        })
    }
}

/// A text with LF for every CRLF.
struct Folded {
    text: Vec<u8>,
    /// Offsets in it of the LFs that were CRLF; ascending.
    pairs: Vec<usize>,
}

impl Folded {
    fn new(text: &[u8]) -> Self {
        let mut folded = Self { text: Vec::with_capacity(text.len()), pairs: Vec::new() };
        let mut rest = text;
        while let Some(newline) = memchr(b'\n', rest) {
            let line = &rest[..newline];
            let kept = line.strip_suffix(b"\r");
            folded.text.extend_from_slice(kept.unwrap_or(line));
            if kept.is_some() {
                folded.pairs.push(folded.text.len());
            }
            folded.text.push(b'\n');
            rest = &rest[newline + 1..];
        }
        folded.text.extend_from_slice(rest);
        folded
    }

    /// Offset in the original text; that of a line end is that of its CR.
    fn original(&self, at: usize) -> usize {
        at + self.pairs.partition_point(|&pair| pair < at)
    }
}
