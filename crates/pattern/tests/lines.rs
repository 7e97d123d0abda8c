//! Searching buffers line by line.

use std::ops::ControlFlow;

use llm_chat_file_pattern::{Flags, Pattern, Properties};
use proptest::prelude::*;

fn compile(source: &str, letters: &str) -> Pattern {
    let units: Vec<u16> = source.encode_utf16().collect();
    let flags = Flags {
        ignore_case: letters.contains('i'),
        unicode: letters.contains('u'),
        multiline: letters.contains('m'),
        dot_all: letters.contains('s'),
    };
    Pattern::compile(&units, flags, &Properties::default()).expect("a valid pattern")
}

fn matching_lines(source: &str, letters: &str, buffer: &[u8]) -> Vec<(usize, usize)> {
    let pattern = compile(source, letters);
    let mut scratch = pattern.scratch();
    let mut budget = || ControlFlow::Continue(());
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(matching) =
        pattern.next_matching_line(&mut scratch, buffer, from, &mut budget).expect("no stop")
    {
        let line = matching.range;
        let rest = &buffer[line.end..];
        from =
            line.end + rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        lines.push((line.start, line.end));
    }
    lines
}

/// The same by splitting, decoding and testing each line.
fn matching_lines_slowly(source: &str, letters: &str, buffer: &[u8]) -> Vec<(usize, usize)> {
    let pattern = compile(source, letters);
    let mut scratch = pattern.scratch();
    let mut budget = || ControlFlow::Continue(());
    let mut lines = Vec::new();
    let mut start = 0;
    while start < buffer.len() {
        let newline = buffer[start..].iter().position(|&byte| byte == b'\n');
        let mut end = newline.map_or(buffer.len(), |at| start + at);
        let next = end + 1;
        if newline.is_some() && buffer[start..end].ends_with(b"\r") {
            end -= 1;
        }
        let line = String::from_utf8_lossy(&buffer[start..end]);
        if pattern.is_match(&mut scratch, &line, &mut budget).expect("no stop") {
            lines.push((start, end));
        }
        start = next;
    }
    lines
}

#[test]
fn line_ends_are_no_part_of_lines() {
    assert_eq!(matching_lines("foo$", "", b"foo\r\nfoo\nfoo"), [(0, 3), (5, 8), (9, 12)]);
    assert_eq!(matching_lines("^$", "", b"\n\r\na\n"), [(0, 0), (1, 1)]);
    assert_eq!(matching_lines(r"\s", "", b"a\r\n b\r\n"), [(3, 5)]);
    assert_eq!(matching_lines(r"a[^]", "", b"a\nab\n"), [(2, 4)]);
}

#[test]
fn a_lone_return_is_part_of_its_line() {
    assert_eq!(matching_lines("foo$", "", b"foo\rbar\nfoo\r"), []);
    assert_eq!(matching_lines(r"foo\s$", "", b"foo\r\nfoo\r\r\nfoo\r"), [(5, 9), (11, 15)]);
    assert_eq!(matching_lines("^bar", "", b"foo\rbar"), []);
    assert_eq!(matching_lines("^bar", "m", b"foo\rbar\r\n"), [(0, 7)]);
    assert_eq!(matching_lines("foo$", "m", b"foo\rbar\n"), [(0, 7)]);
}

#[test]
fn there_is_no_line_after_the_last_line_end() {
    assert_eq!(matching_lines("", "", b""), []);
    assert_eq!(matching_lines("", "", b"a\n"), [(0, 1)]);
    assert_eq!(matching_lines("", "", b"a\n\n"), [(0, 1), (2, 2)]);
}

#[test]
fn bytes_that_are_not_utf8_are_read_as_replacement_characters() {
    let buffer = b"plain\n\xff foo\nfoo \xc3\n\xf0\x9f\x98 bar\n";
    assert_eq!(matching_lines("foo", "", buffer), [(6, 11), (12, 17)]);
    assert_eq!(matching_lines(r"\ufffd", "", buffer), [(6, 11), (12, 17), (18, 25)]);
    assert_eq!(matching_lines(r"^\ufffd bar$", "u", buffer), [(18, 25)]);
    assert_eq!(matching_lines("plain", "iu", buffer), [(0, 5)]);
}

#[test]
fn lookarounds_and_backreferences_are_verified() {
    let buffer = b"unwrap_or\nunwrap\nab ab\nab ba\n";
    assert_eq!(matching_lines("unwrap(?!_or)", "", buffer), [(10, 16)]);
    assert_eq!(matching_lines(r"(\w+) \1$", "", buffer), [(17, 22)]);
    assert_eq!(matching_lines("^(?=.*a)(?=.*p)", "", buffer), [(0, 9), (10, 16)]);
}

#[test]
fn a_scratch_of_another_pattern_is_made_anew() {
    let (first, second) = (compile("a", ""), compile("(?=.*b)(?=.*c)x", ""));
    let mut scratch = first.scratch();
    let mut budget = || ControlFlow::Continue(());
    assert_eq!(first.is_match(&mut scratch, "a", &mut budget), Ok(true));
    assert_eq!(second.is_match(&mut scratch, "xbc", &mut budget), Ok(true));
    assert_eq!(first.is_match(&mut scratch, "xbc", &mut budget), Ok(false));
}

#[test]
fn patterns_are_shared_between_threads() {
    let pattern = compile("b+", "");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut budget = || ControlFlow::Continue(());
                let mut scratch = pattern.scratch();
                assert_eq!(pattern.find(&mut scratch, "abb", &mut budget), Ok(Some(1..3)));
            });
        }
    });
}

const PATTERNS: &[(&str, &str)] = &[
    ("a", ""),
    ("^b", ""),
    ("b$", ""),
    ("^$", ""),
    (r"a\s*$", ""),
    (r"\s$", ""),
    (r"\B", ""),
    (r"\bk", "iu"),
    ("[^a]$", ""),
    ("^a|b$", "m"),
    ("a(?!b)", ""),
    (r"(.)\1", "iu"),
    (r"\ufffd", ""),
    ("...", ""),
    ("...", "u"),
    ("[é-ﬅ]b", "i"),
    ("a{0,3}b{2}$", ""),
    (r"(?:[ab]{0,60}\s){0,60}b$", ""),
];

const PIECES: &[&[u8]] = &[
    b"a",
    b"b",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"k",
    "é".as_bytes(),
    "😀".as_bytes(),
    "\u{212a}".as_bytes(),
    "\u{2028}".as_bytes(),
    b"\xff",
    b"\xe2\x84",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_buffer_search_agrees_with_splitting(
        pattern in prop::sample::select(PATTERNS),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..120),
    ) {
        let (source, letters) = pattern;
        let buffer = pieces.concat();
        prop_assert_eq!(
            matching_lines(source, letters, &buffer),
            matching_lines_slowly(source, letters, &buffer)
        );
    }
}
