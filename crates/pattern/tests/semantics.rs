//! What patterns mean: every row was checked against V8.

use std::ops::{ControlFlow, Range};

use llm_chat_file_pattern::{Flags, Pattern, PatternErrorKind, Properties, property_names};

fn flags(letters: &str) -> Flags {
    Flags {
        ignore_case: letters.contains('i'),
        unicode: letters.contains('u'),
        multiline: letters.contains('m'),
        dot_all: letters.contains('s'),
    }
}

fn compile(source: &[u16], letters: &str) -> Pattern {
    let mut properties = Properties::default();
    properties.insert("Lu".to_owned(), vec![(0x41, 0x5a), (0xc0, 0xd6), (0xd8, 0xde)]);
    Pattern::compile(source, flags(letters), &properties).expect("a valid pattern")
}

fn find(source: &[u16], letters: &str, line: &str) -> Option<Range<usize>> {
    let pattern = compile(source, letters);
    let mut scratch = pattern.scratch();
    let mut budget = || ControlFlow::Continue(());
    let found = pattern.find(&mut scratch, line, &mut budget).expect("no stop");
    let matched = pattern.is_match(&mut scratch, line, &mut budget).expect("no stop");
    assert_eq!(matched, found.is_some(), "{source:?} on {line:?}");
    found
}

#[track_caller]
fn check(letters: &str, rows: &[(&str, &str, Option<Range<usize>>)]) {
    for (source, line, expected) in rows {
        let units: Vec<u16> = source.encode_utf16().collect();
        let found = find(&units, letters, line);
        assert_eq!(&found, expected, "/{source}/{letters} on {line:?}");
    }
}

#[test]
fn alternatives_and_quantifiers() {
    check(
        "",
        &[
            ("a|ab", "xab", Some(1..2)),
            ("(?:a|ab)(?:c|bcd)", "abcd", Some(0..4)),
            ("a*?b", "aab", Some(0..3)),
            ("a{2}", "aaa", Some(0..2)),
            ("a{1,}?", "aaa", Some(0..1)),
            ("a{0}", "b", Some(0..0)),
            ("a{,2}", "a{,2}", Some(0..5)),
            ("x{99999999999}", "xx", None),
            ("a||b", "b", Some(0..0)),
            ("", "", Some(0..0)),
        ],
    );
}

#[test]
fn empty_iterations_end_a_loop() {
    check(
        "",
        &[
            ("(a?b??)*", "ab", Some(0..2)),
            ("(?:a*?)*?b", "aab", Some(0..3)),
            ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", Some(0..10)),
            ("(?:a*)*$", "aab", Some(3..3)),
        ],
    );
}

#[test]
fn captures_and_backreferences() {
    check(
        "",
        &[
            (r"(a)\1", "aa", Some(0..2)),
            (r"\1(a)", "a", Some(0..1)),
            (r"(?:(a)|b)*\1c", "abc", Some(0..3)),
            (r"(?<x>.)\k<x>", "abb", Some(1..3)),
            (r"\k<x>", "k<x>", Some(0..4)),
            (r"(?=(a+))a*b\1", "baaabac", Some(3..6)),
            (r"(?<=(\d+)(\d+))$", "1053", Some(4..4)),
            (r"(?<=\1(a))b", "aab", Some(2..3)),
            (r"(?!(a))\1b", "b", Some(0..1)),
        ],
    );
    check("i", &[(r"(é)\1", "éÉ", Some(0..4)), (r"(s)\1", "sſ", None)]);
    check("iu", &[(r"(s)\1", "sſ", Some(0..3)), (r"(K)\1", "k\u{212a}", Some(0..4))]);
}

#[test]
fn lookarounds() {
    check(
        "",
        &[
            ("unwrap(?!_or)", "unwrap_or unwrap", Some(10..16)),
            (r"(?<!\.)\bmap\(", "a.map( map(", Some(7..11)),
            ("^(?=.*pub)(?=.*fn)", "fn pub", Some(0..0)),
            ("(?=a){2}a", "a", Some(0..1)),
            ("(?:(?!b).)+", "aab", Some(0..2)),
            ("(?<=^|,)x", "a,x", Some(2..3)),
            ("(?<=(?<!a)b)c", "abc bc", Some(5..6)),
        ],
    );
}

#[test]
fn classes() {
    check(
        "",
        &[
            ("[]", "a", None),
            ("[^]", "a", Some(0..1)),
            (r"[\d-x]", "-", Some(0..1)),
            (r"[\b]", "\u{8}", Some(0..1)),
            (r"\s", "\u{feff}", Some(0..3)),
            (r"\s", "\u{85}", None),
            (r"\s", "\u{180e}", None),
            (r"\d", "٣", None),
            (r"\w", "é", None),
            (".", "\u{2028}", None),
            (".", "\r", None),
            (".", "\u{85}", Some(0..2)),
        ],
    );
    check("s", &[(".", "\u{2028}", Some(0..3))]);
}

#[test]
fn legacy_escapes() {
    check(
        "",
        &[
            (r"\101", "A", Some(0..1)),
            (r"\8", "8", Some(0..1)),
            (r"\1", "\u{1}", Some(0..1)),
            (r"\400", " 0", Some(0..2)),
            (r"\c", r"\c", Some(0..2)),
            (r"\cJ|\cA", "\u{1}", Some(0..1)),
            (r"[\c_]", "\u{1f}", Some(0..1)),
            (r"\x1", "x1", Some(0..2)),
            (r"\u{3}", "uuu", Some(0..3)),
            (r"\p{Lu}", "p{Lu}", Some(0..5)),
            ("]}{", "]}{", Some(0..3)),
            (r"\0", "\0", Some(0..1)),
        ],
    );
}

#[test]
fn unicode_escapes() {
    check(
        "u",
        &[
            (r"\u{1F600}", "a😀", Some(1..5)),
            (r"\uD83D\uDE00", "a😀", Some(1..5)),
            (r"\ud83d", "😀", None),
            (r"^.$", "😀", Some(0..4)),
            (r"[^a]", "😀", Some(0..4)),
            (r"\p{Lu}", "aÉ", Some(1..3)),
            (r"[^\P{Lu}]", "aÉ", Some(1..3)),
            (r"(?<\u{61}>b)\k<a>", "bb", Some(0..2)),
        ],
    );
    check("iu", &[(r"\P{Lu}", "A", Some(0..1)), (r"[^\P{Lu}]", "A", None)]);
}

#[test]
fn case_without_unicode() {
    check(
        "i",
        &[
            ("é", "É", Some(0..2)),
            ("k", "\u{212a}", None),
            ("ß", "ẞ", None),
            ("𐐀", "𐐨", None),
            ("σ", "ς", Some(0..2)),
            ("[^x]", "X", None),
            (r"\w", "ſ", None),
            ("[a-z]", "ſ", None),
            ("[^\\W]", "K", Some(0..1)),
        ],
    );
}

#[test]
fn case_with_unicode() {
    check(
        "iu",
        &[
            ("k", "\u{212a}", Some(0..3)),
            ("ß", "ẞ", Some(0..3)),
            ("𐐀", "𐐨", Some(0..4)),
            (r"\w", "ſ", Some(0..2)),
            (r"\W", "ſ", None),
            (r"[\W]", "S", None),
            (r"[^\W]", "\u{212a}", Some(0..3)),
            (r"a\b", "aſ", None),
            (r"a\B", "a\u{212a}", Some(0..1)),
        ],
    );
}

#[test]
fn halves_of_pairs_without_unicode() {
    check(
        "",
        &[
            (r"\ud83d", "a😀", Some(1..5)),
            (r"^.$", "😀", None),
            (r"^..$", "😀", Some(0..4)),
            ("[😀]", "😁", Some(0..4)),
            ("😀+", "😀😀", Some(0..4)),
            (r"[^0-ﬅ]", "😀", None),
            (r"a\B|\B", "😀b", Some(0..0)),
        ],
    );
}

#[test]
fn lone_surrogates_in_the_source() {
    assert_eq!(find(&[0xd83d], "", "a😀"), Some(1..5));
    assert_eq!(find(&[0xd83d], "u", "a😀"), None);
    assert_eq!(find(&[0x5b, 0x5e, 0xd83d, 0x5d], "u", "😀"), Some(0..4));
}

#[test]
fn v8_matches_empty_inside_pairs() {
    check(
        "u",
        &[
            (r"\B", "a😀b", Some(1..5)),
            (r"(?<!^)", "😀", Some(0..4)),
            (r"\B", "a", None),
            (r"x*", "😀", Some(0..0)),
        ],
    );
}

#[test]
fn anchors() {
    check(
        "",
        &[
            ("^b", "a\rb", None),
            ("a$", "a\r", None),
            ("a$", "ba", Some(1..2)),
            (r"\b", "é", None),
            (r"\B", "é", Some(0..0)),
        ],
    );
    check(
        "m",
        &[
            ("^b", "a\rb", Some(2..3)),
            ("a$", "a\u{2028}b", Some(0..1)),
            ("^b", "a\u{2029}b", Some(4..5)),
            ("a$", "ab", None),
        ],
    );
}

#[test]
fn modifiers() {
    check("", &[("(?i:a)b", "Ab", Some(0..2)), ("(?i:a)b", "AB", None)]);
    check("i", &[("(?-i:a)b", "aB", Some(0..2)), ("(?-i:a)b", "Ab", None)]);
    check("", &[("(?s:.).", "\ra", Some(0..2)), ("(?m-i:^)b", "\rb", Some(1..2))]);
}

#[test]
fn groups_of_one_name() {
    check("", &[(r"(?:(?<x>a)|(?<x>b))\k<x>", "bb", Some(0..2))]);
}

#[test]
fn properties_come_from_the_host() {
    let units: Vec<u16> = r"\p{Lu}\P{Script=Greek}".encode_utf16().collect();
    assert_eq!(property_names(&units, flags("u")).expect("valid"), ["Lu", "Script=Greek"]);
    let error = Pattern::compile(&units, flags("u"), &Properties::default()).expect_err("unknown");
    assert_eq!(error.kind, PatternErrorKind::UnknownProperty);
    assert!(error.message.contains("Lu"), "{error}");
}

#[test]
fn what_is_no_pattern_is_refused() {
    for (source, letters) in [
        ("(", ""),
        (")", ""),
        ("[", ""),
        ("*", ""),
        ("\\", ""),
        ("a{2,1}", ""),
        ("[b-a]", ""),
        ("(?<=a)*", ""),
        ("(?=a)*", "u"),
        ("(?z)", ""),
        ("(?<a", ""),
        (r"(?<a>b)\k<c>", ""),
        ("{", "u"),
        (r"\1", "u"),
        (r"\x1", "u"),
        (r"\u{110000}", "u"),
        (r"[\w-a]", "u"),
        (r"\p", "u"),
    ] {
        let units: Vec<u16> = source.encode_utf16().collect();
        let error = Pattern::compile(&units, flags(letters), &Properties::default());
        assert_eq!(
            error.map_err(|error| error.kind).err(),
            Some(PatternErrorKind::Syntax),
            "{source}"
        );
    }
}
