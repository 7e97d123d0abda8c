use proptest::prelude::*;

use super::*;

fn parse_text(source: &str, flags: Flags) -> Result<Ast> {
    let units: Vec<u16> = source.encode_utf16().collect();
    parse(&units, flags, &Properties::default())
}

fn ast(source: &str) -> Ast {
    parse_text(source, Flags::default()).unwrap()
}

fn unicode(source: &str) -> Ast {
    parse_text(source, Flags { unicode: true, ..Flags::default() }).unwrap()
}

fn repeat(source: &str) -> (u32, Option<u32>, bool) {
    match ast(source).root {
        Node::Repeat(repeat) => (repeat.min, repeat.max, repeat.greedy),
        other => panic!("{other:?}"),
    }
}

#[test]
fn quantifiers() {
    assert_eq!(repeat("a*"), (0, None, true));
    assert_eq!(repeat("a+?"), (1, None, false));
    assert_eq!(repeat("a?"), (0, Some(1), true));
    assert_eq!(repeat("a{3}"), (3, Some(3), true));
    assert_eq!(repeat("a{3,}?"), (3, None, false));
    assert_eq!(repeat("a{3,07}"), (3, Some(7), true));
    assert_eq!(repeat("a{4294967296,99999999999}"), (INFINITE, None, true));
}

#[test]
fn what_is_no_quantifier_is_text() {
    for source in ["a{", "a{}", "a{,1}", "a{1,x}", "a{x", "{a"] {
        match ast(source).root {
            Node::Concat(nodes) => assert_eq!(nodes.len(), source.len(), "{source}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn equal_sets_are_kept_once() {
    assert_eq!(ast(r"a[a]\x61[b]bb").sets.len(), 2);
    let flags = Flags { ignore_case: true, ..Flags::default() };
    assert_eq!(parse_text("aA[aA]", flags).unwrap().sets.len(), 1);
}

#[test]
fn groups_are_numbered_by_their_parenthesis() {
    let ast = ast("((a)|(?:b)(?<c>d)(?=(e)))");
    assert_eq!(ast.groups, 4);
    assert!(!ast.has_back_reference);
}

#[test]
fn loops_know_the_groups_they_reset() {
    match ast("(a)(?:(b)(c))*").root {
        Node::Concat(nodes) => match &nodes[1] {
            Node::Repeat(repeat) => assert_eq!(repeat.groups, 2..4),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_decimal_escape_is_a_reference_only_to_a_group_that_exists() {
    assert!(ast(r"\1(a)").has_back_reference);
    assert!(!ast(r"\2(a)").has_back_reference);
    assert!(!ast(r"\1[(]").has_back_reference);
    assert!(!ast(r"\1\(a)".trim_end_matches(')')).has_back_reference);
}

#[test]
fn a_reference_within_its_own_group_is_empty() {
    assert!(!ast(r"(a\1)").has_back_reference);
    assert!(!ast(r"(?<n>a(?=\k<n>))").has_back_reference);
    assert!(ast(r"(a)(b\1)\2").has_back_reference);
}

#[test]
fn names_are_compared_after_their_escapes() {
    assert!(unicode(r"(?<\u{1d49c}>a)\k<𝒜>").has_back_reference);
    assert!(ast(r"(?<\ud835\udc9c>a)\k<𝒜>").has_back_reference);
}

#[test]
fn pairs_are_one_character_only_under_flag_u() {
    assert!(matches!(unicode("😀").root, Node::Set(_)));
    assert!(matches!(unicode(r"\ud83d\ude00").root, Node::Set(_)));
    assert!(matches!(ast("😀").root, Node::Concat(_)));
    assert!(matches!(ast(r"\ud83d\ude00").root, Node::Concat(_)));
}

#[test]
fn classes_are_closed_under_case_before_they_are_negated() {
    let flags = Flags { ignore_case: true, unicode: true, ..Flags::default() };
    let set = &parse_text("[^k]", flags).unwrap().sets[0];
    assert!(!set.contains(u32::from('K')) && !set.contains(0x212a));
    assert!(set.contains(u32::from('j')));
}

#[test]
fn deep_nesting_is_refused() {
    let nest = |depth: usize| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse_text(&nest(limits::NESTING - 1), Flags::default()).is_ok());
    let error = parse_text(&nest(limits::NESTING), Flags::default()).unwrap_err();
    assert_eq!(error.kind, PatternErrorKind::TooDeep);
    assert!(error.message.contains(&limits::NESTING.to_string()));
}

#[test]
fn too_many_ranges_are_refused() {
    let mut properties = Properties::default();
    properties.insert("L".to_owned(), (0..2000).map(|index| (3 * index, 3 * index)).collect());
    let source: String = (0..300_u32)
        .filter_map(|index| char::from_u32(0x1_0000 + 2 * index))
        .map(|character| format!(r"[\p{{L}}{character}]"))
        .collect();
    let units: Vec<u16> = source.encode_utf16().collect();
    let flags = Flags { unicode: true, ..Flags::default() };
    let error = parse(&units, flags, &properties).unwrap_err();
    assert_eq!(error.kind, PatternErrorKind::TooLarge);
    assert!(error.message.contains(&limits::SET_RANGES.to_string()));
}

proptest! {
    #[test]
    fn any_source_is_parsed_or_refused(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", ".", "\\", "-", ":", "=", "!",
                "<", ">", ",", "a", "1", "0", "8", "k", "u", "x", "c", "p", "P", "b", "B", "é", "😀", "(?<",
                "(?:", "(?i-s:", "\\u{", "\\ud83d", "\\k<a>", "(?<a>", "[^",
            ]),
            0..24,
        ),
        flags: (bool, bool),
    ) {
        let flags = Flags { ignore_case: flags.0, unicode: flags.1, ..Flags::default() };
        let parsed = parse_text(&pieces.concat(), flags);
        prop_assert!(parsed.map_or_else(|error| !error.message.is_empty(), |ast| ast.groups < 24));
    }
}
