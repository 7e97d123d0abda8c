//! Literals that stand in every line with a match, wherever in the pattern they are.
//!
//! Source of the idea: ripgrep, which searches for the literals within a pattern before it looks at their
//! lines (grep-regex, `literal.rs`), and memchr, which looks for the rarest bytes of a needle.

use regex_automata::MatchKind;
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::literal::{Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

/// Places of a pattern at which literals are looked for.
const PLACES: usize = 64;

/// Parts of a pattern that the literals at one place are made of.
const PARTS: usize = 16;

/// Most literals: what the vector search of the prefilter takes.
const LITERALS: usize = 64;

/// Lengths that literals are cut to, with the nanoseconds that the vector search for several of them takes
/// for a byte: 19 and 14 GB/s.
const LENGTHS: [(usize, f64); 2] = [(3, 0.053), (4, 0.071)];

/// Nanoseconds for a look at the line of a literal that was found. It takes some 200; but words repeat, so
/// that there are some five times as many as the shares of their bytes tell.
const LOOK: f64 = 1000.0;

/// Nanoseconds for a byte above which the automaton alone is as good.
const MOST: f64 = 1.0;

/// The same where the automaton itself jumps to the beginnings of matches, and has little else to do.
const MOST_WITH_PREFIX: f64 = 0.15;

/// Bytes of the longest match of a pattern that is little else than its literals.
const WORD: usize = 100;

/// A search for literals of which every match of `condition` holds one, the cheapest there are; `None` if they
/// are no better than the automaton, which `has_prefix` if it jumps to the beginnings of matches.
pub(crate) fn required(condition: &Hir, has_prefix: bool) -> Option<Prefilter> {
    let parts = match condition.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(condition),
    };
    // Rare beginnings are better than what is rarest by the shares of bytes: whole words are not so.
    if has_prefix && condition.properties().maximum_len().is_none_or(|length| length > WORD) {
        return None;
    }
    let mut least = if has_prefix { MOST_WITH_PREFIX } else { MOST };
    let mut best = None;
    for first in 0..parts.len().min(PLACES) {
        let last = parts.len().min(first + PARTS);
        let literals = Extractor::new().extract(&Hir::concat(parts[first..last].to_vec()));
        for (length, scan) in LENGTHS {
            let Some(cut) = cut(literals.clone(), length) else { break };
            let cost =
                scan + LOOK * cut.literals()?.iter().map(|cut| share(cut.as_bytes())).sum::<f64>();
            if cost < least {
                (least, best) = (cost, Some(cut));
            }
        }
    }
    Prefilter::new(MatchKind::LeftmostFirst, best?.literals()?).filter(Prefilter::is_fast)
}

/// The first `length` bytes of the literals; `None` if one is shorter, or if they are too many.
fn cut(mut literals: Seq, length: usize) -> Option<Seq> {
    if literals.min_literal_len()? < length {
        return None;
    }
    // A single one is searched for by its rarest bytes anyway.
    if literals.len()? > 1 {
        literals.keep_first_bytes(length);
        literals.dedup();
    }
    (literals.len()? <= LITERALS).then_some(literals)
}

/// Share of the places in a text at which `literal` stands, roughly: that of its rarest four bytes.
fn share(literal: &[u8]) -> f64 {
    let windows = literal.windows(literal.len().clamp(1, 4));
    windows.map(|window| window.iter().copied().map(share_of_byte).product()).fold(1.0, f64::min)
}

/// Share of a byte in source code and prose, roughly: letters by their order in English, others as measured
/// in the sources of Linux.
fn share_of_byte(byte: u8) -> f64 {
    const ORDER: &[u8] = b"etaoinsrhdlcumfpgwybvkxjqz";
    let letter = |byte: u8| {
        let place = ORDER.iter().position(|&letter| letter == byte).unwrap_or(ORDER.len());
        0.075 * 0.85_f64.powi(i32::try_from(place).unwrap_or_default())
    };
    match byte {
        b'a'..=b'z' => letter(byte),
        b'A'..=b'Z' => letter(byte.to_ascii_lowercase()) / 5.0,
        b' ' | b'\t' => 0.08,
        b'_' => 0.03,
        b'0'..=b'9' => 0.015,
        b'!'..=b'~' => 0.01,
        _ => 0.0005,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<usize> {
        let hir = regex_syntax::ParserBuilder::new().build().parse(pattern).unwrap();
        let literals = required(&hir, false)?;
        literals.find(text.as_bytes(), (0..text.len()).into()).map(|span| span.start)
    }

    #[test]
    fn finds_literals_anywhere_in_a_pattern() {
        assert_eq!(found("[a-z]+ [a-z]+zqx[0-9]", "a b bzqx1"), Some(5));
        assert_eq!(found("[a-z]+(?i:quiz)[0-9]", "a QUiz"), Some(3));
        assert_eq!(found("[a-z]+(?:fooo|barr)", "x barr"), Some(2));
        assert_eq!(found("(?i)todo|fixme", "x ToDo"), Some(2));
        assert_eq!(found("needle", "a needle"), Some(2));
    }

    #[test]
    fn prefers_rare_ones() {
        assert_eq!(found("(?i)the then xqz", "the then xqz"), Some(9));
        assert_eq!(found("(?i)xqz then", "xqz then"), Some(0));
    }

    #[test]
    fn frequent_ones_are_left_to_an_automaton_with_a_prefix() {
        let hir = regex_syntax::parse("(?i)the").unwrap();
        assert!(required(&hir, true).is_none());
        let hir = regex_syntax::parse("(?i)zzz").unwrap();
        assert!(required(&hir, true).is_some());
        let hir = regex_syntax::parse("(?i)struct [a-z]+zzz").unwrap();
        assert!(required(&hir, true).is_none());
        assert!(required(&hir, false).is_some());
    }

    #[test]
    fn there_may_be_none() {
        assert_eq!(found("[a-z]+ [a-z]+", "a b"), None);
        assert_eq!(found("[a-z]+(?:fooo)?", "a fooo"), None);
        assert_eq!(found("[a-z]+(?:fooo|b)", "a fooo"), None);
        assert_eq!(found("ab", "ab"), None);
    }

    #[test]
    fn shares_make_up_a_text() {
        let all: f64 = (0..=u8::MAX).map(share_of_byte).sum();
        assert!((0.9..1.4).contains(&all), "{all}");
    }
}
