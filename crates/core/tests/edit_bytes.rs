//! Bytes outside an edit are sacred: any bytes, every encoding, mixed line ends, binary tails.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use llm_chat_file_core::edit::{Edit, EditError, Plan, Splice, apply, plan};
use llm_chat_file_core::text::encoding::{Encoding, decode, encode};
use proptest::prelude::*;

const ENCODINGS: [Encoding; 5] =
    [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];

fn lines(start: usize, end: usize, content: &str) -> Edit {
    Edit::ReplaceLines { start, end, content: content.to_owned() }
}

fn insert(line: Option<i64>, content: &str) -> Edit {
    Edit::Insert { line, content: content.to_owned() }
}

fn content(old: &str, new: &str) -> Edit {
    Edit::ReplaceContent { old: old.to_owned(), new: new.to_owned(), all: true }
}

fn result(bytes: &[u8], edit: &Edit) -> Vec<u8> {
    apply(bytes, &plan(bytes, edit, usize::MAX).unwrap().splices)
}

fn is_encoding_error(bytes: &[u8], edit: &Edit) -> bool {
    matches!(plan(bytes, edit, usize::MAX), Err(EditError::Encoding(_)))
}

#[test]
fn faults_d3_latin_1_survives() {
    let bytes = b"caf\xe9\nna\xefve\nold";
    assert_eq!(result(bytes, &lines(3, 3, "new")), b"caf\xe9\nna\xefve\nnew");
    assert_eq!(result(bytes, &content("na", "NA")), b"caf\xe9\nNA\xefve\nold");
    assert_eq!(result(bytes, &insert(Some(1), "x")), b"x\ncaf\xe9\nna\xefve\nold");
    assert_eq!(result(bytes, &lines(1, 1, "")), b"na\xefve\nold");
}

#[test]
fn faults_d4_utf_16_stays_utf_16() {
    for encoding in ENCODINGS {
        let bytes = encode("eins\r\nzwei 😀\r\ndrei", encoding, true);
        let cases = [
            (lines(2, 2, "ü\n2"), "eins\r\nü\r\n2\r\ndrei"),
            (insert(None, "😀"), "eins\r\nzwei 😀\r\ndrei\r\n😀"),
            (content("i 😀\nd", "-"), "eins\r\nzwe-rei"),
            (content("ei", "EI"), "EIns\r\nzwEI 😀\r\ndrEI"),
        ];
        for (edit, text) in cases {
            assert_eq!(result(&bytes, &edit), encode(text, encoding, true), "{encoding:?}");
        }
    }
}

#[test]
fn faults_d5_a_binary_tail_survives() {
    let mut bytes = b"#!/bin/sh\nexit\n".to_vec();
    bytes.extend((0..=255).rev());
    let edited = result(&bytes, &lines(2, 2, "exit 0"));
    assert_eq!(edited, [b"#!/bin/sh\nexit 0\n", &bytes[15..]].concat());
}

#[test]
fn the_mark_is_kept_and_no_part_of_line_1() {
    assert_eq!(result(b"\xef\xbb\xbfa\nb", &lines(1, 1, "x")), b"\xef\xbb\xbfx\nb");
    assert_eq!(result(b"\xef\xbb\xbfa", &lines(1, 1, "")), b"\xef\xbb\xbf");
    assert_eq!(result(b"\xff\xfe", &insert(None, "x")), b"\xff\xfex\0");
    assert_eq!(result(b"\xef\xbb\xbfa", &content("a", "b")), b"\xef\xbb\xbfb");
    let Plan { result_units, .. } = plan(b"\xef\xbb\xbfa", &content("a", "bc"), 2).unwrap();
    assert_eq!(result_units, 2);
}

#[test]
fn characters_cannot_be_written_where_the_encoding_is_unknown() {
    let latin = b"caf\xe9 ae";
    assert!(is_encoding_error(latin, &content("ae", "ä")));
    assert!(is_encoding_error(latin, &insert(None, "ä")));
    assert!(is_encoding_error(latin, &lines(1, 1, "ä")));
    assert_eq!(result(latin, &content("ae", "oe")), b"caf\xe9 oe");
    // What is wrong with the question comes first.
    assert_eq!(plan(latin, &content("x", "ä"), 99), Err(EditError::NotFound));
    assert!(
        plan(latin, &insert(Some(9), "ä"), 99).is_err_and(|e| !matches!(e, EditError::Encoding(_)))
    );
}

#[test]
fn invalid_bytes_cannot_be_matched_by_the_character_that_shows_them() {
    assert!(is_encoding_error(b"caf\xe9!", &content("f\u{fffd}!", "x")));
    assert!(is_encoding_error(b"\xff\xfe\0\xd8a\0", &content("\u{fffd}a", "x")));
    assert_eq!(plan(b"caf\xe9!", &content("\u{fffd}?", "x"), 99), Err(EditError::NotFound));
    // Where it is a character of its own it can be replaced.
    assert_eq!(result("a\u{fffd}b".as_bytes(), &content("\u{fffd}", "x")), b"axb");
}

#[test]
fn no_edit_makes_the_file_look_like_another_encoding() {
    assert!(is_encoding_error(b"\xff\xfea\0\0\0", &content("a", "")));
    assert!(is_encoding_error(b"\xff\xfe", &insert(None, "\0")));
    assert!(is_encoding_error(b"a\xff\xfeb", &content("a", "")));
    assert_eq!(result(b"a", &content("a", "\u{feff}a")), b"\xef\xbb\xbfa");
}

#[test]
fn lone_surrogates_and_half_units_stay() {
    let bytes = b"\xff\xfea\0\0\xd8\n\0b\0\n\0c\0\0\xdc!";
    assert_eq!(result(bytes, &lines(2, 2, "x")), b"\xff\xfea\0\0\xd8\n\0x\0\n\0c\0\0\xdc!");
    assert_eq!(result(bytes, &content("c", "")), b"\xff\xfea\0\0\xd8\n\0b\0\n\0\0\xdc!");
    assert_eq!(result(bytes, &lines(3, 3, "x")), b"\xff\xfea\0\0\xd8\n\0b\0\n\0x\0");
    // Behind half a unit every character would be read wrongly.
    assert!(is_encoding_error(bytes, &insert(None, "x")));
}

#[test]
fn the_length_is_that_of_the_text_read_back() {
    // The edit brings the two parts of a character together.
    let bytes = b"\xe2\x82-\xac\xe9";
    let plan = plan(bytes, &content("-", ""), usize::MAX).unwrap();
    let edited = apply(bytes, &plan.splices);
    assert_eq!(edited, b"\xe2\x82\xac\xe9");
    assert_eq!(plan.result_units, 2);
}

/// Bytes of all kinds, with line ends among them.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6),
        prop::sample::select(vec!["\n", "\r\n", "\r", "abc", "é", "😀", "\n\0", "\r\0\n\0", "a\0"])
            .prop_map(|piece| piece.as_bytes().to_vec()),
    ];
    let mark = prop::sample::select(vec![
        &b""[..],
        b"",
        b"",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xff\xfe\0\0",
        b"\0\0\xfe\xff",
    ]);
    (mark, prop::collection::vec(piece, 0..14))
        .prop_map(|(mark, pieces)| [mark, &pieces.concat()].concat())
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let text = || "[abcé😀\n\r\0]{0,5}";
    prop_oneof![
        (1usize..6, 0usize..3, text()).prop_map(|(start, more, content)| lines(
            start,
            start + more,
            &content
        )),
        (prop::option::of(1i64..6), text()).prop_map(|(line, content)| insert(line, &content)),
        ("[abc\n\r\0]{1,2}", text(), any::<bool>())
            .prop_map(|(old, new, all)| Edit::ReplaceContent { old, new, all }),
    ]
}

/// A share, or as many cases as the environment variable `PROPTEST_CASES` says.
fn cases() -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(2000), ..ProptestConfig::default() }
}

/// The splices that take `splices` of `bytes` back.
fn inverse(bytes: &[u8], splices: &[Splice]) -> Vec<Splice> {
    let mut moved = 0_isize;
    let back = |splice: &Splice| {
        let at = splice.at.wrapping_add_signed(moved);
        moved += splice.insert.len() as isize - splice.delete as isize;
        let insert = bytes[splice.at..splice.at + splice.delete].to_vec();
        Splice { at, delete: splice.insert.len(), insert }
    };
    splices.iter().map(back).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn taking_an_edit_back_restores_the_file(bytes in any_file(), edit in any_edit()) {
        let Ok(plan) = plan(&bytes, &edit, usize::MAX) else { return Ok(()) };
        let edited = apply(&bytes, &plan.splices);
        if let (Some(first), Some(last)) = (plan.splices.first(), plan.splices.last()) {
            prop_assert!(edited.starts_with(&bytes[..first.at]));
            prop_assert!(edited.ends_with(&bytes[last.at + last.delete..]));
        }
        prop_assert_eq!(apply(&edited, &inverse(&bytes, &plan.splices)), bytes);
    }

    #[test]
    fn splices_are_ordered_and_the_length_is_right(bytes in any_file(), edit in any_edit()) {
        let Ok(plan) = plan(&bytes, &edit, usize::MAX) else { return Ok(()) };
        let mut done = 0;
        for splice in &plan.splices {
            prop_assert!(splice.at >= done);
            done = splice.at + splice.delete;
        }
        prop_assert!(done <= bytes.len());
        let edited = apply(&bytes, &plan.splices);
        let before = decode(&bytes).format;
        let after = decode(&edited);
        prop_assert_eq!(after.format.encoding, before.encoding);
        // Two halves of a mark may have come together: it is no longer part of the text.
        prop_assume!(after.format.bom == before.bom);
        prop_assert_eq!(plan.result_units, after.text.encode_utf16().count());
    }

    /// The lines that an edit by line does not name, cut by hand in the file's own units.
    #[test]
    fn other_lines_keep_their_bytes(bytes in any_file(), start in 1usize..6, more in 0usize..3) {
        let Ok(plan) = plan(&bytes, &lines(start, start + more, "new\nlines"), usize::MAX) else {
            return Ok(());
        };
        let format = decode(&bytes).format;
        let width = format.encoding.unit_width();
        let mark = if format.bom { encode("", format.encoding, true).len() } else { 0 };
        let newline = encode("\n", format.encoding, false);
        let ends: Vec<usize> = bytes[mark..]
            .chunks_exact(width)
            .enumerate()
            .filter(|(_, unit)| *unit == newline)
            .map(|(index, _)| mark + (index + 1) * width)
            .collect();
        let from = if start == 1 { mark } else { ends[start - 2] };
        let edited = apply(&bytes, &plan.splices);
        prop_assert!(edited.starts_with(&bytes[..from]));
        if let Some(&to) = ends.get(start + more - 1) {
            let tail = &bytes[to - width..];
            prop_assert!(edited.ends_with(tail));
        }
    }
}
