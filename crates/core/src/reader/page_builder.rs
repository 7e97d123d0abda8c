//! Whole lines in succession, within a number of lines and a number of bytes.

use memchr::memchr;

use super::page::PageLimits;

/// What was taken of the lines, before the number of all lines is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Whole lines.
    Lines {
        /// The lines with newlines between them.
        text: String,
        /// How many.
        count: u64,
        /// Whether another line was left out because of its bytes.
        is_full: bool,
    },
    /// No page can hold the first line, which has this many bytes.
    TooLong(u64),
}

impl Default for Taken {
    fn default() -> Self {
        Self::Lines { text: String::new(), count: 0, is_full: false }
    }
}

/// Takes lines from a text that arrives in pieces, beginning with that of a line.
#[derive(Clone, Debug)]
pub(super) struct PageBuilder {
    max_lines: u64,
    max_bytes: usize,
    text: String,
    /// Bytes of `text` that belong to whole lines.
    whole: usize,
    count: u64,
    /// Whether something of the line after the whole ones is there.
    is_open: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Taking,
    /// The first line is too long; its bytes are counted.
    Counting {
        bytes: u64,
        ends_in_return: bool,
    },
    Full,
    TooLong(u64),
}

impl PageBuilder {
    pub(super) fn new(limits: &PageLimits) -> Self {
        Self {
            max_lines: limits.limit.map_or(limits.max_lines, |limit| limit.min(limits.max_lines)),
            max_bytes: limits.max_bytes,
            text: String::new(),
            whole: 0,
            count: 0,
            is_open: false,
            state: State::Taking,
        }
    }

    /// Whether no further text is of use.
    pub(super) fn is_done(&self) -> bool {
        match self.state {
            State::Taking => self.count >= self.max_lines,
            State::Counting { .. } => false,
            State::Full | State::TooLong(_) => true,
        }
    }

    /// The next piece of the text.
    pub(super) fn push(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() && !self.is_done() {
            let newline = memchr(b'\n', rest.as_bytes());
            self.extend(&rest[..newline.unwrap_or(rest.len())]);
            let Some(newline) = newline else { return };
            self.end_line();
            rest = &rest[newline + 1..];
        }
    }

    /// The end of the text.
    pub(super) fn finish(mut self) -> Taken {
        if self.is_open && !self.is_done() {
            // A carriage return at the very end of a file is no part of a line end.
            self.close_line();
        }
        match self.state {
            State::TooLong(bytes) | State::Counting { bytes, .. } => Taken::TooLong(bytes),
            state => {
                self.text.truncate(self.whole);
                let is_full = state == State::Full;
                Taken::Lines { text: self.text, count: self.count, is_full }
            }
        }
    }

    fn extend(&mut self, piece: &str) {
        if let State::Counting { bytes, ends_in_return } = &mut self.state {
            *bytes += piece.len() as u64;
            if !piece.is_empty() {
                *ends_in_return = piece.ends_with('\r');
            }
            return;
        }
        if !self.is_open {
            self.is_open = true;
            if self.count > 0 {
                self.text.push('\n');
            }
        }
        self.text.push_str(piece);
        // One carriage return too many may turn out to be a part of the line's end.
        let spare = usize::from(self.text.ends_with('\r'));
        if self.text.len() > self.max_bytes.saturating_add(spare) {
            self.overflow();
        }
    }

    fn end_line(&mut self) {
        match &mut self.state {
            State::Taking => {
                if self.text.len() > self.line_start() && self.text.ends_with('\r') {
                    self.text.pop();
                }
                self.close_line();
            }
            State::Counting { bytes, ends_in_return } => {
                self.state = State::TooLong(*bytes - u64::from(*ends_in_return));
            }
            State::Full | State::TooLong(_) => {}
        }
    }

    fn close_line(&mut self) {
        if self.state == State::Taking && self.text.len() > self.max_bytes {
            self.overflow();
        }
        if self.state == State::Taking {
            self.is_open = false;
            self.whole = self.text.len();
            self.count += 1;
        }
    }

    fn overflow(&mut self) {
        self.state = if self.count > 0 {
            State::Full
        } else {
            let ends_in_return = self.text.ends_with('\r');
            State::Counting { bytes: self.text.len() as u64, ends_in_return }
        };
        self.text.truncate(self.whole);
    }

    fn line_start(&self) -> usize {
        if self.count > 0 { self.whole + 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn take(text: &str, max_lines: u64, max_bytes: usize, piece: usize) -> Taken {
        let mut builder = PageBuilder::new(&PageLimits { limit: None, max_lines, max_bytes });
        let mut rest = text;
        while !rest.is_empty() {
            let mut at = piece.min(rest.len());
            while !rest.is_char_boundary(at) {
                at += 1;
            }
            builder.push(&rest[..at]);
            rest = &rest[at..];
        }
        builder.finish()
    }

    fn lines(text: &str, count: u64, is_full: bool) -> Taken {
        Taken::Lines { text: text.to_owned(), count, is_full }
    }

    #[test]
    fn a_final_newline_ends_a_line_and_begins_none() {
        for piece in [1, 2, 100] {
            assert_eq!(take("", 9, 99, piece), lines("", 0, false));
            assert_eq!(take("\n", 9, 99, piece), lines("", 1, false));
            assert_eq!(take("a\nb\n", 9, 99, piece), lines("a\nb", 2, false));
            assert_eq!(take("a\nb", 9, 99, piece), lines("a\nb", 2, false));
            assert_eq!(take("a\n\n", 9, 99, piece), lines("a\n", 2, false));
        }
    }

    #[test]
    fn a_carriage_return_counts_only_outside_a_line_end() {
        for piece in [1, 2, 100] {
            assert_eq!(take("a\r\nb\r\n", 9, 3, piece), lines("a\nb", 2, false));
            assert_eq!(take("a\r\nb\r", 9, 3, piece), lines("a", 1, true));
            assert_eq!(take("a\r\nb\r", 9, 4, piece), lines("a\nb\r", 2, false));
            assert_eq!(take("a\r\r\n", 9, 2, piece), lines("a\r", 1, false));
            assert_eq!(take("a\rb\n", 9, 3, piece), lines("a\rb", 1, false));
            assert_eq!(take("abc\r\n", 9, 2, piece), Taken::TooLong(3));
            assert_eq!(take("ab\r", 9, 2, piece), Taken::TooLong(3));
            assert_eq!(take("ab\rc\r\n", 9, 2, piece), Taken::TooLong(4));
            // The separator of the line before is not followed by a line end of its own.
            assert_eq!(take("a\n\r\nb", 9, 99, piece), lines("a\n\nb", 3, false));
        }
    }

    #[test]
    fn bytes_are_those_of_utf_8_and_of_the_newlines_between() {
        for piece in [1, 2, 100] {
            assert_eq!(take("é\n€\n", 9, 6, piece), lines("é\n€", 2, false));
            assert_eq!(take("é\n€\n", 9, 5, piece), lines("é", 1, true));
            assert_eq!(take("é\n\n\n", 9, 3, piece), lines("é\n", 2, true));
            assert_eq!(take("é\n", 9, 1, piece), Taken::TooLong(2));
            assert_eq!(take("😀😀", 9, 7, piece), Taken::TooLong(8));
        }
    }

    #[test]
    fn holds_no_more_than_the_page_however_long_the_line() {
        let limits = PageLimits { limit: None, max_lines: 9, max_bytes: 50 };
        let mut builder = PageBuilder::new(&limits);
        for _ in 0..1000 {
            builder.push(&"x".repeat(10_000));
        }
        assert!(builder.text.capacity() < 100_000);
        assert_eq!(builder.finish(), Taken::TooLong(10_000_000));
    }

    proptest! {
        #[test]
        fn equals_a_plain_loop_over_lines(
            text in "([aé😀]{0,3}(\\n|\\r\\n|\\r)?){0,8}",
            max_lines in 1u64..5,
            max_bytes in 1usize..12,
            piece in 1usize..9,
        ) {
            let whole = text.strip_suffix('\n').unwrap_or(&text);
            let all: Vec<&str> = if text.is_empty() {
                Vec::new()
            } else {
                let count = whole.split('\n').count();
                let ended = |at: usize| at + 1 < count || text.ends_with('\n');
                whole
                    .split('\n')
                    .enumerate()
                    .map(|(at, line)| {
                        if ended(at) { line.strip_suffix('\r').unwrap_or(line) } else { line }
                    })
                    .collect()
            };
            let mut shown: Vec<&str> = Vec::new();
            let mut is_full = false;
            for line in all.iter().take(max_lines as usize) {
                if [&shown[..], &[line]].concat().join("\n").len() > max_bytes {
                    is_full = true;
                    break;
                }
                shown.push(line);
            }
            let expected = match all.first() {
                Some(first) if shown.is_empty() => Taken::TooLong(first.len() as u64),
                _ => lines(&shown.join("\n"), shown.len() as u64, is_full),
            };
            prop_assert_eq!(take(&text, max_lines, max_bytes, piece), expected);
        }
    }
}
