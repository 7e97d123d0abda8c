//! Where lines begin in a file: few enough marks to be kept, close enough that a line is found by
//! reading little more than itself.

use super::line_ends::LineEnds;
use crate::text::encoding::Encoding;

/// Most marks of one file, which take 64 KiB. Every mark more of a longer file doubles the distance
/// between them: half a megabyte in a file of one gigabyte.
const MAX_MARKS: usize = 4096;

/// The beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its number, from 1.
    pub(super) line: u64,
    /// Its first byte in the file.
    pub(super) at: u64,
}

/// The lines of a file.
#[derive(Clone, Debug)]
pub(super) struct LineIndex {
    encoding: Encoding,
    marks: Vec<Mark>,
    lines: u64,
    end: u64,
}

impl LineIndex {
    /// How the file is encoded.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of lines. A newline at the end of the file ends its last line and begins no other.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes of the file that were looked at.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The last mark that is not behind `line`.
    pub(super) fn mark_before(&self, line: u64) -> Mark {
        let after = self.marks.partition_point(|mark| mark.line <= line);
        let first = Mark { line: 1, at: 0 };
        self.marks.get(after.saturating_sub(1)).copied().unwrap_or(first)
    }
}

/// Counts lines and sets marks while a file is read from its beginning.
#[derive(Clone, Debug)]
pub(super) struct IndexBuilder {
    encoding: Encoding,
    ends: LineEnds,
    marks: Vec<Mark>,
    /// Least distance between marks, in bytes.
    spacing: u64,
    max_marks: usize,
    position: u64,
    newlines: u64,
    /// Whether the last line has no end yet.
    is_open: bool,
}

impl IndexBuilder {
    /// For a text that begins at byte `start`, behind a byte order mark. Marks are at least
    /// `spacing` bytes apart.
    pub(super) fn new(encoding: Encoding, start: u64, spacing: u64) -> Self {
        Self {
            encoding,
            ends: LineEnds::of(encoding),
            marks: vec![Mark { line: 1, at: start }],
            spacing,
            max_marks: MAX_MARKS,
            position: start,
            newlines: 0,
            is_open: false,
        }
    }

    /// Takes the next bytes, which begin with a whole code unit; gives the newlines among them.
    pub(super) fn push(&mut self, bytes: &[u8]) -> u64 {
        let count = self.ends.count(bytes) as u64;
        if self.is_due()
            && let Some(after) = self.ends.after(bytes).next()
        {
            self.mark(Mark { line: self.newlines + 2, at: self.position + after as u64 });
        }
        if !bytes.is_empty() {
            self.is_open = !self.ends.is_last(bytes);
        }
        self.newlines += count;
        self.position += bytes.len() as u64;
        count
    }

    /// The end of the file.
    pub(super) fn finish(mut self) -> LineIndex {
        self.marks.shrink_to_fit();
        LineIndex {
            encoding: self.encoding,
            marks: self.marks,
            lines: self.newlines + u64::from(self.is_open),
            end: self.position,
        }
    }

    fn is_due(&self) -> bool {
        self.marks.last().is_none_or(|last| self.position - last.at >= self.spacing)
    }

    fn mark(&mut self, mark: Mark) {
        if self.marks.len() == self.max_marks {
            let mut keep = false;
            self.marks.retain(|_| {
                keep = !keep;
                keep
            });
            self.spacing *= 2;
        }
        self.marks.push(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &[u8], piece: usize, spacing: u64, max_marks: usize) -> LineIndex {
        let mut builder = IndexBuilder::new(Encoding::Utf8, 0, spacing);
        builder.max_marks = max_marks;
        text.chunks(piece).for_each(|bytes| {
            builder.push(bytes);
        });
        builder.finish()
    }

    #[test]
    fn counts_a_last_line_with_and_without_an_end() {
        for (text, lines) in [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2)] {
            for piece in [1, 2, 64] {
                assert_eq!(index(text.as_bytes(), piece, 1, 8).lines(), lines, "{text:?}");
            }
        }
    }

    #[test]
    fn marks_are_beginnings_of_lines() {
        let text: String = (1..=1000).map(|line| format!("{line}\n")).collect();
        for piece in [1, 7, 100, 5000] {
            for max_marks in [2, 3, 16, 4096] {
                let index = index(text.as_bytes(), piece, 10, max_marks);
                assert!(index.marks.len() <= max_marks);
                assert_eq!((index.lines(), index.end()), (1000, text.len() as u64));
                for mark in &index.marks {
                    let rest = &text[mark.at as usize..];
                    let is_end = mark.line == 1001 && rest.is_empty();
                    assert!(is_end || rest.starts_with(&format!("{}\n", mark.line)));
                }
            }
        }
    }

    #[test]
    fn finds_the_mark_before_a_line() {
        let text: String = (1..=1000).map(|line| format!("{line}\n")).collect();
        let index = index(text.as_bytes(), 16, 16, 4096);
        for line in 1..=1000 {
            let mark = index.mark_before(line);
            assert!(mark.line <= line);
            // No line lies further from its mark than the marks are apart and a piece is long.
            assert!(text[mark.at as usize..].find(&format!("{line}\n")).unwrap() < 64);
        }
        assert_eq!(index.mark_before(0), Mark { line: 1, at: 0 });
    }
}
