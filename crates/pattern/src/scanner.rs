//! The conditions of a plan as automata: one to search for, the others to check.

use std::ops::Range;

use memchr::memchr;
use regex_automata::util::prefilter::Prefilter;

use crate::ast::Ast;
use crate::auto::{Automaton, Cache, Verdict};
use crate::budget::{Fuel, Stopped};
use crate::guards::Guards;
use crate::hir;
use crate::lines::line_around;
use crate::literals;

/// Bytes that the search for literals passes over in one step.
const LITERAL_BYTES: usize = 16;

/// Finds the lines that may match.
#[derive(Debug)]
pub(crate) struct Scanner {
    main: Automaton,
    /// Finds what every line with a match holds, if that helps.
    literals: Option<Prefilter>,
    others: Vec<Automaton>,
    exact: bool,
    exact_in_ascii_only: bool,
    exact_without_return: bool,
    touches_return: bool,
    guards: Guards,
}

impl Scanner {
    /// `None` if the pattern is too large for automata.
    pub(crate) fn new(ast: &Ast) -> Option<Self> {
        let plan = hir::plan(ast)?;
        let (main, others) = plan.conditions.split_first()?;
        let main_automaton = Automaton::new(main)?;
        Some(Self {
            literals: literals::required(main, main_automaton.has_prefix()),
            main: main_automaton,
            // The others only help; what is too large is left out.
            others: others.iter().filter_map(Automaton::new).collect(),
            exact: plan.exact,
            exact_in_ascii_only: plan.exact_in_ascii_only,
            exact_without_return: plan.exact_without_return,
            touches_return: plan.touches_return,
            guards: plan.guards,
        })
    }

    /// Heap bytes, roughly.
    pub(crate) fn memory_usage(&self) -> usize {
        let others = self.others.iter().map(Automaton::memory_usage).sum::<usize>();
        let literals = self.literals.as_ref().map_or(0, Prefilter::memory_usage);
        self.main.memory_usage() + others + literals
    }

    /// How many caches a search needs.
    pub(crate) fn conditions(&self) -> usize {
        1 + self.others.len()
    }

    /// Lines in which a match may be missed.
    pub(crate) fn guards(&self) -> Guards {
        self.guards
    }

    /// May a match reach the `\r` before a `\n`?
    pub(crate) fn touches_return(&self) -> bool {
        self.touches_return
    }

    /// Bytes that are best searched at once.
    pub(crate) fn window(&self) -> usize {
        self.main.window()
    }

    /// Is every line with a match of the main condition a match of the pattern?
    pub(crate) fn is_exact_everywhere(&self) -> bool {
        self.exact
            && !self.exact_in_ascii_only
            && !self.exact_without_return
            && self.others.is_empty()
    }

    /// Is a line that meets the conditions a match for certain?
    pub(crate) fn is_exact(&self, line: &str) -> bool {
        self.exact
            && (!self.exact_in_ascii_only || line.is_ascii())
            && (!self.exact_without_return || memchr(b'\r', line.as_bytes()).is_none())
    }

    /// Looks for the main condition in whole lines.
    pub(crate) fn search(
        &self,
        text: &[u8],
        caches: &mut [Cache],
        fuel: &mut Fuel<'_>,
    ) -> Result<Verdict, Stopped> {
        let Some(cache) = caches.first_mut() else { return Ok(Verdict::Unknown) };
        let Some(literals) = &self.literals else { return self.main.search(text, cache, fuel) };
        let mut at = 0;
        while let Some(found) = literals.find(text, (at..text.len()).into()) {
            let line = line_around(text, &(at..text.len()), found.start);
            fuel.spend((line.end - at) / LITERAL_BYTES)?;
            match self.main.search(&text[line.clone()], cache, fuel)? {
                Verdict::Absent => at = (line.end + 1).min(text.len()),
                Verdict::Present(end) => return Ok(Verdict::Present(line.start + end)),
                Verdict::Unknown => return Ok(Verdict::Unknown),
            }
        }
        fuel.spend((text.len() - at) / LITERAL_BYTES)?;
        Ok(Verdict::Absent)
    }

    /// Does the line meet the other conditions too? `true` when unsure.
    pub(crate) fn holds(
        &self,
        line: &[u8],
        caches: &mut [Cache],
        fuel: &mut Fuel<'_>,
    ) -> Result<bool, Stopped> {
        for (automaton, cache) in self.others.iter().zip(caches.iter_mut().skip(1)) {
            if automaton.search(line, cache, fuel)? == Verdict::Absent {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first match in a line for which the scanner is exact; `None` where it cannot tell positions.
    pub(crate) fn find(
        &self,
        line: &[u8],
        caches: &mut [Cache],
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<Option<Range<usize>>>, Stopped> {
        match caches.first_mut() {
            Some(cache) => self.main.find(line, cache, fuel),
            None => Ok(None),
        }
    }
}
