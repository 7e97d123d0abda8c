//! The engines against each other, on random patterns and lines.

use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use crate::ast::{Ast, Flags};
use crate::backtrack::{self, Backtracker};
use crate::budget::Fuel;
use crate::linear::{self, Linear};
use crate::matcher::Pattern;
use crate::parse::parse;
use crate::properties::Properties;
use crate::units::{ANYWHERE, Decoded, SetTable, Text};

const LETTERS: &[&str] =
    &["a", "b", "K", "s", "ſ", "\u{212a}", "é", "É", "😀", "𐐀", "𐐨", "_", "\r"];
const ATOMS: &[&str] = &[
    ".",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\d",
    "[ab]",
    "[^a]",
    r"[^\W]",
    "[é-ﬅ]",
    "[]",
    "[^]",
    r"\ud83d",
    r"[\u{10400}]",
    "^",
    "$",
    r"\b",
    r"\B",
    "",
    "😀",
];
const QUANTIFIERS: &[&str] = &["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "??", "{0}"];
const GROUPS: &[&str] = &["(", "(?:", "(?=", "(?!", "(?<=", "(?<!"];

pub(crate) fn patterns() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(LETTERS).prop_map(str::to_owned),
        prop::sample::select(ATOMS).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let parts = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            parts.clone().prop_map(|parts| parts.concat()),
            parts.prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (prop::sample::select(GROUPS), inner.clone())
                .prop_map(|(open, body)| format!("{open}{body})")),
            (inner, prop::sample::select(QUANTIFIERS))
                .prop_map(|(body, quantifier)| format!("(?:{body}){quantifier}")),
        ]
    })
}

pub(crate) fn lines() -> impl Strategy<Value = String> {
    let letters =
        prop_oneof![4 => prop::sample::select(&LETTERS[..3]), 1 => prop::sample::select(LETTERS)];
    prop::collection::vec(letters, 0..20).prop_map(|letters| letters.concat())
}

fn find(ast: &Ast, line: &str, linear: bool) -> Option<(usize, usize)> {
    let sets: Arc<[SetTable]> = ast.sets.iter().cloned().map(SetTable::new).collect();
    let mut budget = || ControlFlow::Continue(());
    let mut left = 0;
    let mut fuel = Fuel::new(&mut left, &mut budget);
    let mut decoded = Decoded::default();
    let text = decoded.decode(line, ast.unicode);
    if linear {
        let engine = Linear::new(ast, &sets).unwrap();
        let mut state = linear::State::default();
        return match text {
            Text::Ascii(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
            Text::Units(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
            Text::CodePoints(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
        }
        .unwrap();
    }
    let engine = Backtracker::new(ast, &sets);
    let mut state = backtrack::State::default();
    match text {
        Text::Ascii(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
        Text::Units(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
        Text::CodePoints(text) => engine.find(text, &ANYWHERE, &mut state, &mut fuel),
    }
    .unwrap()
}

fn check(source: &str, flags: Flags, line: &str) -> Result<(), TestCaseError> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let properties = Properties::default();
    // Some random sources are no patterns under flag u.
    let Ok(ast) = parse(&units, flags, &properties) else { return Ok(()) };
    let exact = find(&ast, line, false);
    let linear = find(&ast, line, true);
    prop_assert_eq!(linear, exact);
    let pattern = Pattern::compile(&units, flags, &properties).unwrap();
    let mut scratch = pattern.scratch();
    let mut budget = || ControlFlow::Continue(());
    let matched = pattern.is_match(&mut scratch, line, &mut budget).unwrap();
    let found = pattern.find(&mut scratch, line, &mut budget).unwrap();
    prop_assert_eq!(matched, found.is_some());
    if !ast.unicode || !ast.root.matches_inside_pair() || line.chars().all(|c| c <= '\u{ffff}') {
        prop_assert_eq!(matched, exact.is_some());
        let mut decoded = Decoded::default();
        let text = decoded.decode(line, ast.unicode);
        let range = exact.map(|(start, end)| text.byte_range(line, start, end));
        prop_assert_eq!(found.clone(), range);
    }
    for (buffer, start) in [
        (line.to_owned(), 0),
        (format!("{line}\n"), 0),
        (format!("{line}\r\n"), 0),
        (format!("\n{line}\r\n\r\n"), 1),
    ] {
        // A line that ends with \r becomes another one before \n; an empty last line is none.
        if buffer.is_empty() || (line.ends_with('\r') && buffer.len() == line.len() + 1) {
            continue;
        }
        let next = pattern
            .next_matching_line(&mut scratch, buffer.as_bytes(), start, &mut budget)
            .unwrap()
            .filter(|next| next.range.start == start);
        if let Some(next) = &next {
            let first = pattern.first_match(&mut scratch, next, line, &mut budget).unwrap();
            prop_assert_eq!(&first, &found);
        }
        let next = next.map(|next| next.range);
        prop_assert_eq!(next, matched.then(|| start..start + line.len()), "{:?}", buffer);
    }
    Ok(())
}

proptest! {
    #[test]
    fn all_engines_agree(
        source in patterns(),
        lines in prop::collection::vec(lines(), 3),
        ignore_case: bool,
        unicode: bool,
        multiline: bool,
        dot_all: bool,
    ) {
        let flags = Flags { ignore_case, unicode, multiline, dot_all };
        for line in lines {
            check(&source, flags, &line)?;
        }
    }
}
