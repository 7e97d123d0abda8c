//! Lines of a text that arrives in chunks: a range of them, cut at a length, and all of them
//! counted.
//!
//! A line is a piece of `text.split('\n')`, so a text that ends in a newline has an empty last
//! line and an empty text has one line.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use super::utf16;

/// What stands at the end of a text that was cut; 16 units long.
pub const TRUNCATION_SUFFIX: &str = "\n... [truncated]";

/// Lines asked for, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First line; 0 means 1.
    pub start_line: usize,
    /// Last line; `None` is the last line of the text.
    pub end_line: Option<usize>,
}

impl LineRange {
    /// All lines.
    pub const ALL: Self = Self { start_line: 1, end_line: None };
}

/// The lines asked for, and what there was in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sliced {
    /// The lines with the newlines between them; at most as many units as were to be kept.
    pub text: String,
    /// Lines of the whole text.
    pub total_lines: usize,
    /// UTF-16 units of the whole text.
    pub total_units: usize,
    /// First line asked for, even if the text has fewer.
    pub start_line: usize,
    /// Last line asked for, or the last line of the text if that comes earlier.
    pub end_line: usize,
    /// Whether the lines asked for were longer than what was to be kept.
    pub cut: bool,
}

impl Sliced {
    /// The lines cut to `max_units` as [`body`] does it. No more than `max_units` need to have
    /// been kept.
    #[must_use]
    pub fn body(&self, max_units: usize) -> Cow<'_, str> {
        if self.cut {
            Cow::Owned(truncated(&self.text, max_units))
        } else {
            body(&self.text, max_units)
        }
    }
}

/// `text` itself if it has at most `max_units` units; else as much of it as leaves room for
/// [`TRUNCATION_SUFFIX`], and the suffix. If not even the suffix fits, the suffix alone.
#[must_use]
pub fn body(text: &str, max_units: usize) -> Cow<'_, str> {
    if utf16::units(text) <= max_units {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(truncated(text, max_units))
    }
}

fn truncated(text: &str, max_units: usize) -> String {
    // The suffix is ASCII: its bytes are its units.
    let kept = utf16::truncate(text, max_units.saturating_sub(TRUNCATION_SUFFIX.len()));
    [kept, TRUNCATION_SUFFIX].concat()
}

/// Takes a range of lines from a text given chunk by chunk; holds the answer and nothing else.
#[derive(Clone, Debug)]
pub struct Slicer {
    start_line: usize,
    end_line: Option<usize>,
    keep_units: usize,
    /// Line that the next character belongs to.
    line: usize,
    total_units: usize,
    kept: String,
    kept_units: usize,
    cut: bool,
}

impl Slicer {
    /// Keeps the lines of `range`, but no more than `keep_units` UTF-16 units of them.
    #[must_use]
    pub fn new(range: LineRange, keep_units: usize) -> Self {
        Self {
            start_line: range.start_line.max(1),
            end_line: range.end_line,
            keep_units,
            line: 1,
            total_units: 0,
            kept: String::new(),
            kept_units: 0,
            cut: false,
        }
    }

    /// The next part of the text.
    pub fn push(&mut self, text: &str) {
        self.total_units += utf16::units(text);
        let rest = self.skip_to_start(text);
        let rest = self.keep_to_end(rest);
        self.line += memchr_iter(b'\n', rest.as_bytes()).count();
    }

    /// The end of the text.
    #[must_use]
    pub fn finish(self) -> Sliced {
        let total_lines = self.line;
        Sliced {
            text: self.kept,
            total_lines,
            total_units: self.total_units,
            start_line: self.start_line,
            end_line: self.end_line.map_or(total_lines, |end| end.min(total_lines)),
            cut: self.cut,
        }
    }

    /// What follows the lines before the range.
    fn skip_to_start<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text;
        while self.line < self.start_line {
            let Some(newline) = memchr(b'\n', rest.as_bytes()) else { return "" };
            self.line += 1;
            rest = &rest[newline + 1..];
        }
        rest
    }

    /// Keeps what belongs to the range, without the newline that ends its last line; gives what
    /// follows the range.
    fn keep_to_end<'t>(&mut self, text: &'t str) -> &'t str {
        if self.line < self.start_line || self.end_line.is_some_and(|end| self.line > end) {
            return text;
        }
        let Some(end_line) = self.end_line else {
            self.keep(text);
            return text;
        };
        // Within the range there is no other use for the lines than to find its end.
        let Some(newline) = memchr_iter(b'\n', text.as_bytes()).nth(end_line - self.line) else {
            self.keep(text);
            return text;
        };
        self.keep(&text[..newline]);
        self.line = end_line + 1;
        &text[newline + 1..]
    }

    fn keep(&mut self, text: &str) {
        if self.cut {
            return;
        }
        let kept = utf16::truncate(text, self.keep_units - self.kept_units);
        self.cut = kept.len() < text.len();
        self.kept_units += utf16::units(kept);
        self.kept.push_str(kept);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slice(text: &str, start_line: usize, end_line: Option<usize>, keep: usize) -> Sliced {
        let mut slicer = Slicer::new(LineRange { start_line, end_line }, keep);
        slicer.push(text);
        slicer.finish()
    }

    #[test]
    fn takes_lines_as_the_published_tool_does() {
        let sliced = slice("line1\nline2\nline3\nline4\nline5\n", 2, Some(4), 100);
        assert_eq!(sliced.text, "line2\nline3\nline4");
        assert_eq!((sliced.start_line, sliced.end_line), (2, 4));
        assert_eq!((sliced.total_lines, sliced.total_units), (6, 30));
        assert!(!sliced.cut);
    }

    #[test]
    fn a_start_beyond_the_end_gives_no_text() {
        let sliced = slice("a\nb", 9, None, 100);
        assert_eq!((sliced.text.as_str(), sliced.start_line, sliced.end_line), ("", 9, 2));
        assert_eq!(slice("a\nb", 2, Some(1), 100).text, "");
        assert_eq!(slice("a\nb", 2, Some(0), 100).text, "");
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let sliced = Slicer::new(LineRange::ALL, 10).finish();
        assert_eq!((sliced.total_lines, sliced.total_units, sliced.end_line), (1, 0, 1));
    }

    #[test]
    fn keeps_no_more_than_asked_however_long_the_line() {
        let mut slicer = Slicer::new(LineRange::ALL, 50);
        for _ in 0..1000 {
            slicer.push(&"x".repeat(10_000));
        }
        assert!(slicer.kept.capacity() < 200);
        let sliced = slicer.finish();
        assert_eq!((sliced.text.len(), sliced.total_units, sliced.cut), (50, 10_000_000, true));
    }

    #[test]
    fn cuts_with_the_suffix_inside_the_limit() {
        let text = "x".repeat(200);
        assert_eq!(body(&text, 200), text);
        assert_eq!(body(&text, 50), format!("{}\n... [truncated]", "x".repeat(34)));
        for max in [0, 1, 15, 16] {
            assert_eq!(body(&text, max), TRUNCATION_SUFFIX);
            assert_eq!(slice(&text, 1, None, max).body(max), TRUNCATION_SUFFIX);
        }
        assert_eq!(TRUNCATION_SUFFIX.len(), 16);
    }

    #[test]
    fn a_cut_never_splits_a_pair() {
        let text = format!("a{}", "😀".repeat(30));
        assert_eq!(body(&text, 20), format!("a😀{TRUNCATION_SUFFIX}"));
        // Kept to 20 units the text ends before the pair that would make 21: still a cut.
        assert_eq!(slice(&text, 1, None, 20).body(20), body(&text, 20));
        assert_eq!(slice("a😀", 1, None, 2).body(2), TRUNCATION_SUFFIX);
        assert_eq!(slice("a😀", 1, None, 3).body(3), "a😀");
    }

    fn chunks() -> impl Strategy<Value = Vec<String>> {
        let part = prop_oneof![Just("\n".to_owned()), Just("\r\n".to_owned()), "[aé€😀]{0,3}"];
        prop::collection::vec(part, 0..20)
    }

    proptest! {
        #[test]
        fn equals_split_slice_join(
            chunks in chunks(),
            start_line in 0usize..8,
            end_line in prop::option::of(0usize..8),
            keep in 0usize..30,
        ) {
            let mut slicer = Slicer::new(LineRange { start_line, end_line }, keep);
            for chunk in &chunks {
                slicer.push(chunk);
            }
            let sliced = slicer.finish();

            let text = chunks.concat();
            let lines: Vec<&str> = text.split('\n').collect();
            let first = start_line.saturating_sub(1);
            let end = end_line.unwrap_or(lines.len()).min(lines.len());
            let joined = lines.get(first..end).unwrap_or_default().join("\n");
            prop_assert_eq!(&sliced.text, utf16::truncate(&joined, keep));
            prop_assert_eq!(sliced.cut, utf16::units(&joined) > keep);
            prop_assert_eq!(sliced.total_lines, lines.len());
            prop_assert_eq!(sliced.total_units, text.encode_utf16().count());
            prop_assert_eq!(sliced.end_line, end);
            prop_assert_eq!(sliced.body(keep), body(&joined, keep));
        }
    }
}
