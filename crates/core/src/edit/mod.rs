//! Edits of a text file as splices on its bytes: what lies outside a splice stays as it is,
//! whatever it is.
//!
//! Lines are pieces of `text.split('\n')` and counted from 1; lengths are UTF-16 units; the byte
//! order mark is not part of the text. Files in UTF-16 and UTF-32 are planned on their text and
//! spliced in their own encoding.

mod content;
pub mod diff;
mod line_end;
mod lines;
mod splices;

use std::borrow::Cow;
use std::fmt;

use crate::text::encoding::{Bom, Decoder, Encoding};
use splices::Splices;

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Puts `content` in the place of lines; empty content deletes them.
    ReplaceLines {
        /// First line, from 1.
        start: usize,
        /// Last line, included.
        end: usize,
        /// The new lines, without the newline that ends the last one.
        content: String,
    },
    /// Puts `content` in front of a line, or at the end.
    Insert {
        /// The line, from 1; one more than there are, or `None`, appends.
        line: Option<i64>,
        /// The new lines, without the newline that ends the last one.
        content: String,
    },
    /// Puts one text in the place of another.
    ReplaceContent {
        /// The text to find, literally.
        old: String,
        /// The text to put there, literally.
        new: String,
        /// Every occurrence that does not overlap one before it, instead of the first only.
        all: bool,
    },
}

impl Edit {
    fn inserted(&self) -> &str {
        match self {
            Self::ReplaceLines { content, .. } | Self::Insert { content, .. } => content,
            Self::ReplaceContent { new, .. } => new,
        }
    }
}

/// A change of bytes: at `at`, `delete` bytes go and `insert` comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Offset in the bytes as they were before any splice.
    pub at: usize,
    /// Number of bytes that go.
    pub delete: usize,
    /// Bytes that come.
    pub insert: Vec<u8>,
}

/// What an edit did, for the words of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// First line. Of a replacement of lines: as asked for; of an insertion: where the new lines
    /// stand afterwards; of a replacement of content: where the first occurrence began before.
    pub start_line: usize,
    /// Last line, by the same rule; of a replacement of content: where the last occurrence ended.
    pub end_line: usize,
    /// Occurrences replaced; 1 for the edits by line.
    pub occurrences: usize,
}

/// How to carry out an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Ascending and apart. Changes that lie close together share a splice, which then restores
    /// the bytes between them.
    pub splices: Vec<Splice>,
    /// What it does.
    pub outcome: Outcome,
    /// UTF-16 units of the text afterwards.
    pub result_units: usize,
}

/// Why an edit is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The range of lines begins at 0 or ends before it begins.
    InvalidRange {
        /// First line asked for.
        start: usize,
        /// Last line asked for.
        end: usize,
    },
    /// The range of lines begins behind the last line.
    StartBeyondEnd {
        /// First line asked for.
        start: usize,
        /// Lines of the text.
        lines: usize,
    },
    /// The range of lines ends behind the last line.
    EndBeyondEnd {
        /// Last line asked for.
        end: usize,
        /// Lines of the text.
        lines: usize,
    },
    /// There is no such line to insert at: it is not between 1 and `lines + 1`.
    LineOutOfRange {
        /// Line asked for; may be negative.
        line: i64,
        /// Lines of the text.
        lines: usize,
    },
    /// The text to find is nowhere.
    NotFound,
    /// The text to find is empty.
    EmptyNeedle,
    /// The text afterwards would be longer than allowed.
    TooLong {
        /// UTF-16 units it would have.
        units: usize,
        /// UTF-16 units allowed.
        max: usize,
    },
    /// The file has bytes that are no characters of its encoding, and the edit would have to know
    /// what they mean (`ERR_ENCODING`). The sentence says which.
    Encoding(&'static str),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::InvalidRange { start, end } => write!(f, "lines {start}-{end} are no range"),
            Self::StartBeyondEnd { start, lines } => {
                write!(f, "start_line ({start}) exceeds file length ({lines} lines)")
            }
            Self::EndBeyondEnd { end, lines } => {
                write!(f, "end_line ({end}) exceeds file length ({lines} lines)")
            }
            Self::LineOutOfRange { line, lines } => write!(
                f,
                "line ({line}) out of range: file has {lines} lines, must be between 1 and {}",
                lines + 1
            ),
            Self::NotFound => f.write_str("old_content not found in file"),
            Self::EmptyNeedle => f.write_str("old_content must not be empty"),
            Self::TooLong { units, max } => {
                write!(f, "Resulting file would be {units} chars, exceeds max length of {max}")
            }
            Self::Encoding(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for EditError {}

/// Plans `edit` on a file's `bytes`; the text may have `max_units` UTF-16 units afterwards. Memory
/// is bounded by the file and `max_units`, however often a text is to be replaced.
///
/// # Errors
/// See [`EditError`]. What was asked for is checked first, then the encoding, then the length.
pub fn plan(bytes: &[u8], edit: &Edit, max_units: usize) -> Result<Plan, EditError> {
    let file = File::new(bytes);
    let mut splices = Splices::new(&file, max_units);
    let outcome = match edit {
        Edit::ReplaceLines { start, end, content } => {
            lines::replace(&file.text, *start, *end, content, &mut splices)?
        }
        Edit::Insert { line, content } => lines::insert(&file.text, *line, content, &mut splices)?,
        Edit::ReplaceContent { old, new, all } => {
            content::replace(&file, old, new, *all, &mut splices)?
        }
    };
    if file.lossy && !edit.inserted().is_ascii() {
        return Err(EditError::Encoding(
            "The file has bytes that are not valid in its encoding; only ASCII text can be inserted into it",
        ));
    }
    let (splices, result_units) = splices.finish()?;
    let head = head_after(bytes, &splices);
    if Bom::detect(&head).map_or(Encoding::Utf8, |bom| bom.encoding) != file.encoding {
        return Err(EditError::Encoding(
            "The file would begin with the byte order mark of another encoding",
        ));
    }
    Ok(Plan { splices, outcome, result_units })
}

/// The bytes after `splices`, which have to be ascending and apart, as in a [`Plan`] for `bytes`.
#[must_use]
pub fn apply(bytes: &[u8], splices: &[Splice]) -> Vec<u8> {
    let inserted: usize = splices.iter().map(|splice| splice.insert.len()).sum();
    let deleted: usize = splices.iter().map(|splice| splice.delete).sum();
    let mut out = Vec::with_capacity(bytes.len() + inserted - deleted.min(bytes.len()));
    let mut done = 0;
    for splice in splices {
        out.extend_from_slice(&bytes[done..splice.at]);
        out.extend_from_slice(&splice.insert);
        done = splice.at + splice.delete;
    }
    out.extend_from_slice(&bytes[done..]);
    out
}

/// The first bytes after `splices`, as many as a byte order mark may have.
fn head_after(bytes: &[u8], splices: &[Splice]) -> Vec<u8> {
    let mut head = Vec::with_capacity(2 * Bom::MAX_LEN);
    let mut add = |part: &[u8]| {
        let room = Bom::MAX_LEN.saturating_sub(head.len());
        head.extend_from_slice(&part[..part.len().min(room)]);
        head.len() < Bom::MAX_LEN
    };
    let mut done = 0;
    for splice in splices {
        if !(add(&bytes[done..splice.at]) && add(&splice.insert)) {
            return head;
        }
        done = splice.at + splice.delete;
    }
    add(&bytes[done..]);
    head
}

/// The bytes after several edits, and what each did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The new bytes.
    pub bytes: Vec<u8>,
    /// One outcome for each edit; its lines are those of the text that this edit met.
    pub outcomes: Vec<Outcome>,
    /// UTF-16 units of the text afterwards.
    pub result_units: usize,
    /// Bytes at the beginning that no edit touched.
    pub untouched_head: usize,
    /// Bytes at the end, apart from those, that no edit touched.
    pub untouched_tail: usize,
}

/// Carries out `edits` one after the other, each on the result of the one before, so that each
/// counts lines and finds text as they are by then. All of them or none: the error names the first
/// edit that is not possible by its index. `max_units` holds after every edit.
///
/// # Errors
/// Index of the edit and its [`EditError`].
pub fn compose(
    bytes: &[u8],
    edits: &[Edit],
    max_units: usize,
) -> Result<Composed, (usize, EditError)> {
    let mut current = Cow::Borrowed(bytes);
    let mut outcomes = Vec::with_capacity(edits.len());
    let mut result_units = None;
    let (mut untouched_head, mut untouched_end) = (bytes.len(), bytes.len());
    for (index, edit) in edits.iter().enumerate() {
        let plan = plan(&current, edit, max_units).map_err(|error| (index, error))?;
        if let Some((first, last)) = plan.splices.first().zip(plan.splices.last()) {
            untouched_head = untouched_head.min(first.at);
            untouched_end = untouched_end.min(current.len() - last.at - last.delete);
        }
        current = Cow::Owned(apply(&current, &plan.splices));
        outcomes.push(plan.outcome);
        result_units = Some(plan.result_units);
    }
    let result_units = result_units.unwrap_or_else(|| {
        let file = File::new(bytes);
        Splices::new(&file, usize::MAX).finish().map_or(0, |(_, units)| units)
    });
    let untouched_tail = untouched_end.min(bytes.len().min(current.len()) - untouched_head);
    let bytes = current.into_owned();
    Ok(Composed { bytes, outcomes, result_units, untouched_head, untouched_tail })
}

/// A file taken apart for planning.
struct File<'b> {
    /// All bytes.
    bytes: &'b [u8],
    /// Bytes of the mark.
    mark: usize,
    encoding: Encoding,
    /// The text as UTF-8: the bytes themselves where they are meant to be UTF-8 (so invalid ones
    /// may be among them), else decoded, with one U+FFFD for each invalid unit.
    text: Cow<'b, [u8]>,
    /// Whether there are bytes that are no characters.
    lossy: bool,
}

impl<'b> File<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let bom = Bom::detect(bytes);
        let mark = bom.map_or(0, |bom| bom.bytes().len());
        let encoding = bom.map_or(Encoding::Utf8, |bom| bom.encoding);
        let (text, lossy) = if encoding == Encoding::Utf8 {
            let text = &bytes[mark..];
            (Cow::Borrowed(text), str::from_utf8(text).is_err())
        } else {
            let mut text = String::with_capacity(bytes.len());
            let mut decoder = Decoder::new();
            decoder.push(bytes, &mut text);
            let format = decoder.finish(&mut text);
            (Cow::Owned(text.into_bytes()), format.lossy)
        };
        Self { bytes, mark, encoding, text, lossy }
    }

    /// Bytes at the end that are less than a unit.
    fn partial_unit(&self) -> usize {
        (self.bytes.len() - self.mark) % self.encoding.unit_width()
    }
}
