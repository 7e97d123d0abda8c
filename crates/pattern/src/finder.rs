//! Where the first match of an automaton stands in a text that is too long for the meta engine.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::MatchKind;
use regex_automata::hybrid::dfa::DFA;
use regex_automata::hybrid::regex::{self, Regex};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::Hir;

use crate::limits;

/// Longest text, in bytes. The lazy DFAs cannot be interrupted; they pass over a byte in about 1 ns and at most
/// 5, or give up.
const LONGEST: usize = 8 << 20;

/// Bytes that one state of a lazy DFA must serve for each state of its NFA, once its cache was full a few
/// times: a new one costs up to 20 ns for each, so that a byte costs 5 ns at most.
const STATE_BYTES: usize = 4;

/// A pair of lazy DFAs, made when they are needed first: few lines are so long.
#[derive(Debug)]
pub(crate) struct Finder {
    condition: Hir,
    regex: OnceLock<Option<Regex>>,
}

impl Finder {
    pub(crate) fn new(condition: &Hir) -> Self {
        Self { condition: condition.clone(), regex: OnceLock::new() }
    }

    /// The leftmost-first match; `None` if that cannot be told.
    pub(crate) fn find(
        &self,
        text: &[u8],
        cache: &mut Option<regex::Cache>,
    ) -> Option<Option<Range<usize>>> {
        if text.len() > LONGEST {
            return None;
        }
        let regex = self.regex.get_or_init(|| build(&self.condition)).as_ref()?;
        let cache = cache.get_or_insert_with(|| regex.create_cache());
        let found = regex.try_search(cache, &text.into()).ok()?;
        Some(found.map(|found| found.range()))
    }
}

fn build(condition: &Hir) -> Option<Regex> {
    let nfa = |reverse| {
        let config = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(limits::NFA_BYTES))
            .which_captures(WhichCaptures::None)
            .shrink(false)
            .reverse(reverse);
        NFA::compiler().configure(config).build_from_hir(condition).ok()
    };
    let forward = nfa(false)?;
    let config = DFA::config()
        .cache_capacity(limits::DFA_CACHE_BYTES)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(3))
        .minimum_bytes_per_state(Some(forward.states().len() * STATE_BYTES));
    let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, condition);
    let forward_config = config.clone().prefilter(prefilter);
    // From its end, the longest match begins where the leftmost one does.
    let reverse_config = config.match_kind(MatchKind::All);
    let forward = DFA::builder().configure(forward_config).build_from_nfa(forward).ok()?;
    let reverse = DFA::builder().configure(reverse_config).build_from_nfa(nfa(true)?).ok()?;
    Some(Regex::builder().build_from_dfas(forward, reverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<Range<usize>> {
        let hir = regex_syntax::ParserBuilder::new().utf8(false).build().parse(pattern).unwrap();
        Finder::new(&hir).find(text.as_bytes(), &mut None).unwrap()
    }

    #[test]
    fn finds_the_leftmost_first_match() {
        assert_eq!(find("a.*z|b", "xa b z x"), Some(1..6));
        assert_eq!(find("ab|abc", "xabc"), Some(1..3));
        assert_eq!(find("(?-u:\\b)b+", "ab bbc bb"), Some(3..5));
        assert_eq!(find("b*", "ab"), Some(0..0));
        assert_eq!(find("c", "ab"), None);
    }

    #[test]
    fn leaves_what_is_too_long_and_what_would_take_too_long() {
        let finder = Finder::new(&regex_syntax::parse("a").unwrap());
        assert_eq!(finder.find(&vec![b'b'; LONGEST + 1], &mut None), None);
        let finder = Finder::new(&regex_syntax::parse("[ab]{0,40}a[ab]{300}c").unwrap());
        let mut random = 88_172_645_463_325_252_u64;
        let text: Vec<u8> = (0..300_000)
            .map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                if random & 1 == 0 { b'a' } else { b'b' }
            })
            .collect();
        assert_eq!(finder.find(&text, &mut None), None);
    }
}
