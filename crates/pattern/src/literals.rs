//! Literals that stand in every line with a match, wherever in the pattern they are.
//!
//! Source of the idea: ripgrep, which searches for the literals within a pattern before it looks at their
//! lines (grep-regex, `literal.rs`).

use regex_automata::MatchKind;
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::literal::{Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

/// Places of a pattern at which literals are looked for.
const PLACES: usize = 64;

/// Parts of a pattern that literals are made of.
const PARTS: usize = 16;

/// Bytes of the shortest literal, at least: shorter ones are in too many lines.
const LENGTH: usize = 3;

/// A search for one of the longest literals of which every match of `condition` has one; `None` if there are
/// no good ones behind its beginning.
pub(crate) fn required(condition: &Hir) -> Option<Prefilter> {
    let HirKind::Concat(parts) = condition.kind() else { return None };
    let mut best: Option<Seq> = None;
    for first in 1..parts.len().min(PLACES) {
        let last = parts.len().min(first + PARTS);
        let mut literals = Extractor::new().extract(&Hir::concat(parts[first..last].to_vec()));
        literals.optimize_for_prefix_by_preference();
        let length = |literals: &Seq| literals.min_literal_len().unwrap_or_default();
        if length(&literals) >= LENGTH.max(best.as_ref().map_or(0, |best| length(best) + 1)) {
            best = Some(literals);
        }
    }
    Prefilter::new(MatchKind::LeftmostFirst, best?.literals()?).filter(Prefilter::is_fast)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<usize> {
        let hir = regex_syntax::ParserBuilder::new().build().parse(pattern).unwrap();
        let literals = required(&hir)?;
        literals.find(text.as_bytes(), (0..text.len()).into()).map(|span| span.start)
    }

    #[test]
    fn finds_the_longest_literals_behind_the_beginning() {
        assert_eq!(found("[a-z]+ [a-z]+_register", "a b c_register"), Some(5));
        assert_eq!(found("[a-z]+(?i:error)[0-9]", "an ErRor"), Some(3));
        assert_eq!(found("[a-z]+(?:fooo|barr)", "x barr"), Some(2));
    }

    #[test]
    fn there_may_be_none() {
        assert_eq!(found("[a-z]+ [a-z]+", "a b"), None);
        assert_eq!(found("[a-z]+(?:fooo)?", "a fooo"), None);
        assert_eq!(found("[a-z]+(?:fooo|b)", "a fooo"), None);
        assert_eq!(found("abc", "abc"), None);
    }
}
