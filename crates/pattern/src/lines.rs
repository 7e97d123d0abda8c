//! Where the lines of a buffer begin and end.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memrchr};

/// The end, without its `\n`, of the last line that ends within `window` bytes of the line start `at`; of the
/// first line if none does.
pub(crate) fn window_end(buffer: &[u8], at: usize, window: usize) -> usize {
    let rest = &buffer[at..];
    if rest.len() <= window {
        return buffer.len() - usize::from(rest.ends_with(b"\n"));
    }
    let last = memrchr(b'\n', &rest[..window]);
    let end = last.or_else(|| memchr(b'\n', &rest[window..]).map(|found| window + found));
    at + end.unwrap_or(rest.len())
}

/// The line of `window`, which begins and ends with lines, that `position` lies in.
pub(crate) fn line_around(buffer: &[u8], window: &Range<usize>, position: usize) -> Range<usize> {
    let start = memrchr(b'\n', &buffer[window.start..position])
        .map_or(window.start, |found| window.start + found + 1);
    let end =
        memchr(b'\n', &buffer[position..window.end]).map_or(window.end, |found| position + found);
    start..end
}

/// `line` without the `\r` of its `\r\n`; a `\r` at the very end of the buffer belongs to the line.
pub(crate) fn without_return(buffer: &[u8], line: Range<usize>) -> Range<usize> {
    let ends = buffer[line.clone()].ends_with(b"\r") && buffer.get(line.end) == Some(&b'\n');
    line.start..line.end - usize::from(ends)
}

/// `bytes` as text, with U+FFFD for what is not UTF-8, as [`String::from_utf8_lossy`] gives it; faster than
/// that for long lines that are UTF-8.
#[must_use]
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_end_with_lines() {
        let buffer = b"ab\ncd\nefgh\n";
        assert_eq!(window_end(buffer, 0, 100), 10);
        assert_eq!(window_end(buffer, 0, 4), 2);
        assert_eq!(window_end(buffer, 0, 6), 5);
        assert_eq!(window_end(buffer, 6, 2), 10);
        assert_eq!(window_end(b"abc", 0, 2), 3);
        assert_eq!(window_end(b"\nabc", 0, 2), 0);
    }

    #[test]
    fn a_line_is_found_around_a_position() {
        let buffer = b"ab\ncd\nef";
        assert_eq!(line_around(buffer, &(0..8), 0), 0..2);
        assert_eq!(line_around(buffer, &(0..8), 2), 0..2);
        assert_eq!(line_around(buffer, &(0..8), 4), 3..5);
        assert_eq!(line_around(buffer, &(3..5), 5), 3..5);
        assert_eq!(line_around(buffer, &(0..8), 8), 6..8);
    }

    #[test]
    fn only_the_return_of_a_line_end_is_dropped() {
        assert_eq!(without_return(b"a\r\n", 0..2), 0..1);
        assert_eq!(without_return(b"a\r", 0..2), 0..2);
        assert_eq!(without_return(b"a\r\r\n", 0..3), 0..2);
        assert_eq!(without_return(b"\n", 0..0), 0..0);
    }
}
