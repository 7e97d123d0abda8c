//! One automaton of regex-automata with a bound on its cost.
//!
//! The meta engine has the best literal searches, but when its lazy DFA gives up it silently falls back to
//! a simulation that costs about 15 ns for each NFA state and byte and cannot be interrupted. So it is used
//! only while states × bytes is small; beyond that the lazy DFA is driven here, byte by byte, and may give
//! up, which leaves the text to the exact engines.

use std::ops::Range;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::hybrid::regex;
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, meta};
use regex_syntax::hir::Hir;

use crate::budget::{Fuel, Stopped};
use crate::finder::Finder;
use crate::limits;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No match.
    Absent,
    /// A match that ends at this byte.
    Present(usize),
    /// The automaton gave up.
    Unknown,
}

/// A compiled condition.
#[derive(Debug)]
pub(crate) struct Automaton {
    meta: Option<meta::Regex>,
    finder: Finder,
    dfa: DFA,
    prefilter: Option<Prefilter>,
    /// Most steps that one byte, or one new state of a lazy DFA, may cost.
    cost: usize,
    /// Bytes that are best searched at once.
    window: usize,
    /// Most bytes that the meta engine is given.
    meta_window: usize,
}

/// Memory that searches with one automaton reuse.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    meta: Option<meta::Cache>,
    finder: Option<regex::Cache>,
    dfa: Option<dfa::Cache>,
}

/// Steps that one byte may cost beside one for each NFA state: making and storing a DFA state.
const STATE_COST: usize = 32;

/// Bytes between two payments for driving the lazy DFA.
const STRIDE: usize = 4096;

impl Automaton {
    /// `None` if the condition is too large for an automaton.
    pub(crate) fn new(condition: &Hir) -> Option<Self> {
        // UTF-8 mode is off throughout: with it the automata disagree about empty matches.
        let nfa_config = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(limits::NFA_BYTES))
            .which_captures(WhichCaptures::None)
            .shrink(false);
        let nfa = NFA::compiler().configure(nfa_config).build_from_hir(condition).ok()?;
        let states = nfa.states().len().max(1);
        let meta = if states <= limits::META_STATES { Some(build_meta(condition)?) } else { None };
        let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, condition);
        let config = DFA::config()
            .specialize_start_states(prefilter.is_some())
            .cache_capacity(limits::DFA_CACHE_BYTES)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(3))
            // A new state costs about as much as a step of the simulation for each NFA state.
            .minimum_bytes_per_state(Some((states / 8).max(10)));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let cost = states + STATE_COST;
        let meta_window = limits::REFILL / cost;
        // Driving the lazy DFA pays as it goes.
        let window = if meta_window < 1 << 10 { 1 << 16 } else { meta_window };
        let finder = Finder::new(condition);
        Some(Self { meta, finder, dfa, prefilter, cost, window, meta_window })
    }

    /// Heap bytes, roughly.
    pub(crate) fn memory_usage(&self) -> usize {
        let meta = self.meta.as_ref().map_or(0, meta::Regex::memory_usage);
        meta + self.dfa.memory_usage() + self.dfa.get_nfa().memory_usage()
    }

    /// Does it jump to the beginnings of matches?
    pub(crate) fn has_prefix(&self) -> bool {
        self.prefilter.as_ref().is_some_and(Prefilter::is_fast)
    }

    /// Bytes that are best searched at once.
    pub(crate) fn window(&self) -> usize {
        self.window
    }

    /// Is there a match in `text`? Where the first one found ends is told, but not that it is the leftmost.
    pub(crate) fn search(
        &self,
        text: &[u8],
        cache: &mut Cache,
        fuel: &mut Fuel<'_>,
    ) -> Result<Verdict, Stopped> {
        let Some(meta) = self.meta.as_ref().filter(|_| text.len() <= self.meta_window) else {
            let cache = cache.dfa.get_or_insert_with(|| self.dfa.create_cache());
            return self.drive(text, cache, fuel);
        };
        let cache = cache.meta.get_or_insert_with(|| meta.create_cache());
        let input = Input::new(text).earliest(true);
        let found = meta.search_half_with(cache, &input).map(|half| half.offset());
        self.pay(found.unwrap_or(text.len()), fuel)?;
        Ok(found.map_or(Verdict::Absent, Verdict::Present))
    }

    /// The leftmost-first match in `text`; `None` where that cannot be told.
    pub(crate) fn find(
        &self,
        text: &[u8],
        cache: &mut Cache,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<Option<Range<usize>>>, Stopped> {
        let Some(meta) = self.meta.as_ref().filter(|_| text.len() <= self.meta_window) else {
            fuel.spend(text.len() / 4)?;
            return Ok(self.finder.find(text, &mut cache.finder));
        };
        let cache = cache.meta.get_or_insert_with(|| meta.create_cache());
        let found = meta.search_with(cache, &Input::new(text)).map(|found| found.range());
        self.pay(text.len(), fuel)?;
        Ok(Some(found))
    }

    /// Pays for the most that the meta engine may have done with `bytes` bytes.
    fn pay(&self, bytes: usize, fuel: &mut Fuel<'_>) -> Result<(), Stopped> {
        fuel.spend((bytes + 1) * self.cost)
    }

    /// Runs the lazy DFA over `text`.
    fn drive(
        &self,
        text: &[u8],
        cache: &mut dfa::Cache,
        fuel: &mut Fuel<'_>,
    ) -> Result<Verdict, Stopped> {
        let dfa = &self.dfa;
        let start = |cache: &mut dfa::Cache, at: usize| {
            dfa.start_state_forward(cache, &Input::new(text).range(at..))
        };
        let Ok(mut state) = start(cache, 0) else { return Ok(Verdict::Unknown) };
        let mut at = 0;
        let mut unpaid = 0;
        cache.search_start(at);
        while at < text.len() {
            if unpaid == STRIDE {
                fuel.spend(STRIDE / 4)?;
                unpaid = 0;
            }
            if state.is_start()
                && let Some(prefilter) = &self.prefilter
            {
                let found = prefilter.find(text, (at..text.len()).into());
                let next = found.map_or(text.len(), |span| span.start);
                fuel.spend((next - at) / 8)?;
                if found.is_none() {
                    cache.search_finish(text.len());
                    return Ok(Verdict::Absent);
                }
                if next > at {
                    at = next;
                    let Ok(restarted) = start(cache, at) else { return Ok(Verdict::Unknown) };
                    state = restarted;
                }
            }
            let Some(next) = self.next_state(state, text[at], at, cache, fuel)? else {
                cache.search_finish(at);
                return Ok(Verdict::Unknown);
            };
            state = next;
            if state.is_tagged() && !state.is_start() {
                cache.search_finish(at);
                // Matches are told one byte late.
                return Ok(if state.is_match() {
                    Verdict::Present(at)
                } else if state.is_dead() {
                    Verdict::Absent
                } else {
                    Verdict::Unknown
                });
            }
            at += 1;
            unpaid += 1;
        }
        cache.search_finish(text.len());
        Ok(match dfa.next_eoi_state(cache, state) {
            Ok(state) if state.is_match() => Verdict::Present(text.len()),
            Ok(_) => Verdict::Absent,
            Err(_) => Verdict::Unknown,
        })
    }

    /// The state after `byte`, which stands at `at`; `None` if the DFA gives up. A state that must be made
    /// first is paid for.
    #[inline]
    fn next_state(
        &self,
        state: LazyStateID,
        byte: u8,
        at: usize,
        cache: &mut dfa::Cache,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<LazyStateID>, Stopped> {
        if !state.is_tagged() {
            let next = self.dfa.next_state_untagged(cache, state, byte);
            if !next.is_unknown() {
                return Ok(Some(next));
            }
        }
        cache.search_update(at);
        if !state.is_start() {
            fuel.spend(self.cost)?;
        }
        Ok(self.dfa.next_state(cache, state, byte).ok())
    }
}

fn build_meta(condition: &Hir) -> Option<meta::Regex> {
    let config = meta::Config::new()
        .utf8_empty(false)
        .nfa_size_limit(Some(limits::NFA_BYTES))
        .hybrid_cache_capacity(limits::DFA_CACHE_BYTES);
    meta::Builder::new()
        .configure(config)
        .syntax(syntax::Config::new().utf8(false))
        .build_from_hir(condition)
        .ok()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;
    use crate::agreement::{lines, patterns};
    use crate::ast::Flags;
    use crate::hir;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn automaton(pattern: &str) -> Automaton {
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .multi_line(true)
            .build()
            .parse(pattern)
            .unwrap();
        Automaton::new(&hir).unwrap()
    }

    fn drive(pattern: &str, text: &str) -> Verdict {
        let automaton = automaton(pattern);
        let mut budget = || ControlFlow::Continue(());
        let mut left = 0;
        let mut fuel = Fuel::new(&mut left, &mut budget);
        let mut cache = Cache::default();
        let searched = automaton.search(text.as_bytes(), &mut cache, &mut fuel).unwrap();
        let mut cache = automaton.dfa.create_cache();
        let driven = automaton.drive(text.as_bytes(), &mut cache, &mut fuel).unwrap();
        assert_eq!(driven == Verdict::Absent, searched == Verdict::Absent);
        driven
    }

    #[test]
    fn the_driven_dfa_agrees_with_the_meta_engine() {
        assert_eq!(drive("foo[0-9]", "a foo b foo7 c"), Verdict::Present(12));
        assert_eq!(drive("foo[0-9]", "a foo b foo"), Verdict::Absent);
        assert_eq!(drive("foo$", "a foo\nb"), Verdict::Present(5));
        assert_eq!(drive("^b", "a foo\nb"), Verdict::Present(7));
        assert_eq!(drive(r"(?-u:\b)b", "ab b"), Verdict::Present(4));
        assert_eq!(drive("x*", ""), Verdict::Present(0));
        assert_eq!(drive("foo|bar", "ba fo bar"), Verdict::Present(9));
    }

    proptest! {
        #[test]
        fn the_finder_agrees_with_the_meta_engine(source in patterns(), text in lines(), unicode: bool) {
            let units: Vec<u16> = source.encode_utf16().collect();
            let flags = Flags { unicode, ..Flags::default() };
            if let Ok(ast) = parse(&units, flags, &Properties::default()) {
                let condition = hir::plan(&ast).unwrap().conditions.remove(0);
                let automaton = Automaton::new(&condition).unwrap();
                let mut budget = || ControlFlow::Continue(());
                let mut left = 0;
                let mut fuel = Fuel::new(&mut left, &mut budget);
                let text = text.as_bytes();
                let meta = automaton.find(text, &mut Cache::default(), &mut fuel).unwrap();
                prop_assert_eq!(automaton.finder.find(text, &mut None), meta);
            }
        }
    }

    #[test]
    fn gives_up_rather_than_blow_up() {
        let automaton = automaton("[ab]{0,40}a[ab]{300}c");
        let mut random = 88_172_645_463_325_252_u64;
        let text: String = (0..300_000)
            .map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                if random & 1 == 0 { 'a' } else { 'b' }
            })
            .collect();
        let mut budget = || ControlFlow::Continue(());
        let mut left = 0;
        let mut fuel = Fuel::new(&mut left, &mut budget);
        let mut cache = automaton.dfa.create_cache();
        let verdict = automaton.drive(text.as_bytes(), &mut cache, &mut fuel).unwrap();
        assert_eq!(verdict, Verdict::Unknown);
    }

    #[test]
    fn a_stopped_budget_stops_the_search() {
        let automaton = automaton("[^x]{9}y");
        let text = "abc".repeat(1 << 20);
        let mut budget = || ControlFlow::Break(());
        let mut left = 1000;
        let mut fuel = Fuel::new(&mut left, &mut budget);
        let searched = automaton.search(text.as_bytes(), &mut Cache::default(), &mut fuel);
        assert_eq!(searched, Err(Stopped));
    }
}
