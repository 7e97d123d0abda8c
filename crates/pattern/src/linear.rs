//! The linear engine: a Thompson simulation (Thompson 1968, as refined by Pike), with one table of bits for
//! each lookaround: at which positions does its body match? A lookahead's table is filled by running its
//! body backwards from the end of the line. Time is bounded by instructions × length; backreferences are
//! beyond it.

mod program;

use std::sync::Arc;

use crate::ast::Ast;
use crate::budget::{Fuel, Stopped};
use crate::first_set::first_set;
use crate::units::{ANYWHERE, SetTable, Starts, Units};
use program::{Instruction, Program};

/// Most bytes of lookaround tables for one line.
const TABLE_BYTES: usize = 32 << 20;

/// A compiled pattern without backreferences.
#[derive(Debug)]
pub(crate) struct Linear {
    main: Program,
    looks: Vec<Program>,
    sets: Arc<[SetTable]>,
    /// The set that the first character of every match is of, if every match has one.
    first: Option<SetTable>,
}

/// Memory that searches of one pattern reuse.
#[derive(Debug, Default)]
pub(crate) struct State {
    main: Threads,
    looks: Vec<Threads>,
    tables: Vec<Table>,
}

/// At which positions of the line a lookaround's body matches.
#[derive(Debug, Default)]
struct Table {
    filled: bool,
    bits: Vec<u64>,
}

impl Table {
    fn get(&self, position: usize) -> bool {
        self.bits[position / 64] >> (position % 64) & 1 == 1
    }
}

/// A thread of the simulation: its instruction, and where its match began.
type Thread = (u32, usize);

/// The depth of no loop.
const NONE: u32 = u32::MAX;

/// The threads of one program.
#[derive(Debug, Default)]
struct Threads {
    /// The step at which each slot was last visited.
    visited: Vec<u64>,
    step: u64,
    /// Threads that reached the current position, best first.
    current: Vec<Thread>,
    /// Those of them that wait for a character.
    waiting: Vec<Thread>,
    /// Instructions to follow, and the depth of the outermost loop whose current iteration, if it must take
    /// something, began at the current position; [`NONE`] if there is none. It is all that the rule for empty
    /// iterations asks for: what is inside that loop began no earlier, and what is around it began before.
    stack: Vec<(u32, u32)>,
}

/// What a run is for.
enum Goal {
    /// Is there a match?
    Test,
    /// The first match.
    Find,
    /// Every position at which a match ends, as the bits of a table.
    Mark(Vec<u64>),
}

impl Linear {
    /// `None` if the pattern has backreferences or unrolls to too many instructions.
    pub(crate) fn new(ast: &Ast, sets: &Arc<[SetTable]>) -> Option<Self> {
        let (main, looks) = program::compile(ast)?;
        Some(Self { main, looks, sets: Arc::clone(sets), first: first_set(ast) })
    }

    /// Heap bytes, roughly.
    pub(crate) fn memory_usage(&self) -> usize {
        let programs = std::iter::once(&self.main).chain(&self.looks);
        programs.map(Program::memory_usage).sum()
    }

    /// May a line of `length` units be searched within the memory cap?
    pub(crate) fn fits(&self, length: usize) -> bool {
        self.looks.len().saturating_mul(length / 8 + 8) <= TABLE_BYTES
    }

    /// Does a match begin at any of `starts`?
    pub(crate) fn test(
        &self,
        text: impl Units,
        starts: &Starts,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<bool, Stopped> {
        self.search(text, starts, state, fuel, &mut Goal::Test).map(|found| found.is_some())
    }

    /// The first match that begins at one of `starts`, in units.
    pub(crate) fn find(
        &self,
        text: impl Units,
        starts: &Starts,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<(usize, usize)>, Stopped> {
        self.search(text, starts, state, fuel, &mut Goal::Find)
    }

    fn search(
        &self,
        text: impl Units,
        starts: &Starts,
        state: &mut State,
        fuel: &mut Fuel<'_>,
        goal: &mut Goal,
    ) -> Result<Option<(usize, usize)>, Stopped> {
        state.looks.resize_with(self.looks.len(), Threads::default);
        state.tables.resize_with(self.looks.len(), Table::default);
        for table in &mut state.tables {
            table.filled = false;
        }
        let mut threads = std::mem::take(&mut state.main);
        let found = self.run(&self.main, text, starts, &mut threads, state, fuel, goal);
        state.main = threads;
        found
    }

    /// Fills the table of a lookaround unless it is filled. Recurses as deep as lookarounds nest.
    fn fill_table(
        &self,
        look: usize,
        text: impl Units,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<(), Stopped> {
        if state.tables[look].filled {
            return Ok(());
        }
        let mut bits = std::mem::take(&mut state.tables[look].bits);
        bits.clear();
        bits.resize(text.len() / 64 + 1, 0);
        fuel.spend(bits.len())?;
        let mut threads = std::mem::take(&mut state.looks[look]);
        let mut goal = Goal::Mark(bits);
        let program = &self.looks[look];
        let done = self.run(program, text, &ANYWHERE, &mut threads, state, fuel, &mut goal);
        state.looks[look] = threads;
        if let Goal::Mark(bits) = goal {
            state.tables[look] = Table { filled: done.is_ok(), bits };
        }
        done.map(|_| ())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one simulation, borrowed apart")]
    fn run(
        &self,
        program: &Program,
        text: impl Units,
        starts: &Starts,
        threads: &mut Threads,
        state: &mut State,
        fuel: &mut Fuel<'_>,
        goal: &mut Goal,
    ) -> Result<Option<(usize, usize)>, Stopped> {
        threads.visited.resize(program.slots as usize, 0);
        threads.current.clear();
        let length = text.len();
        let mut position = if program.backward { length } else { 0 };
        let mut best = None;
        let first = self.first.as_ref().filter(|_| std::ptr::eq(program, &self.main));
        for step in 0..=length {
            if let Some(first) = first
                && threads.current.is_empty()
                && best.is_none()
                && position < length
                && !first.contains(text.at(position))
            {
                fuel.spend(1)?;
                position += 1;
                continue;
            }
            threads.step += 1;
            threads.waiting.clear();
            if best.is_none() && starts.contains(&position) {
                threads.current.push((program.start, position));
            }
            let cut = matches!(goal, Goal::Find);
            for index in 0..threads.current.len() {
                let thread = threads.current[index];
                if !self.follow(program, thread, text, position, threads, state, fuel, cut)? {
                    continue;
                }
                match goal {
                    Goal::Test => return Ok(Some((0, 0))),
                    Goal::Find => {
                        // Later threads are worse than this match.
                        best = Some((thread.1, position));
                        break;
                    }
                    Goal::Mark(bits) => {
                        bits[position / 64] |= 1 << (position % 64);
                    }
                }
            }
            threads.current.clear();
            if step == length || (best.is_some() && threads.waiting.is_empty()) {
                break;
            }
            let code = text.at(if program.backward { position - 1 } else { position });
            for &(pc, start) in &threads.waiting {
                if let Instruction::Set { set, next } = program.instructions[pc as usize]
                    && self.sets[set as usize].contains(code)
                {
                    threads.current.push((next, start));
                }
            }
            position = if program.backward { position - 1 } else { position + 1 };
        }
        Ok(best)
    }

    /// Follows `thread` to the instructions that wait for a character; answers whether it reached the match.
    /// With `cut`, ways that are worse than the match are dropped, and so are those through empty iterations,
    /// which decide where a match ends but not whether there is one.
    #[expect(clippy::too_many_arguments, reason = "the parts of one simulation, borrowed apart")]
    fn follow(
        &self,
        program: &Program,
        thread: Thread,
        text: impl Units,
        position: usize,
        threads: &mut Threads,
        state: &mut State,
        fuel: &mut Fuel<'_>,
        cut: bool,
    ) -> Result<bool, Stopped> {
        let mut matched = false;
        threads.stack.clear();
        threads.stack.push((thread.0, NONE));
        while let Some((pc, open)) = threads.stack.pop() {
            // The slot of no loop is the first.
            let slot = (program.first_slots[pc as usize] + open.wrapping_add(1)) as usize;
            if threads.visited[slot] == threads.step {
                continue;
            }
            threads.visited[slot] = threads.step;
            fuel.spend(1)?;
            match &program.instructions[pc as usize] {
                Instruction::Match => {
                    matched = true;
                    if cut {
                        break;
                    }
                }
                Instruction::Set { .. } => threads.waiting.push((pc, thread.1)),
                Instruction::Split(targets) => {
                    fuel.spend(targets.len() / 2)?;
                    threads.stack.extend(targets.iter().rev().map(|&target| (target, open)));
                }
                Instruction::Start { multiline, next } => {
                    if text.is_start(position, *multiline) {
                        threads.stack.push((*next, open));
                    }
                }
                Instruction::End { multiline, next } => {
                    if text.is_end(position, *multiline) {
                        threads.stack.push((*next, open));
                    }
                }
                Instruction::WordBoundary { negated, folded, next } => {
                    if text.is_word_boundary(position, *folded) != *negated {
                        threads.stack.push((*next, open));
                    }
                }
                Instruction::Look { look, negated, next } => {
                    let look = *look as usize;
                    self.fill_table(look, text, state, fuel)?;
                    if state.tables[look].get(position) != *negated {
                        threads.stack.push((*next, open));
                    }
                }
                Instruction::Enter { depth, next } => {
                    threads.stack.push((*next, if cut { open.min(*depth) } else { NONE }));
                }
                Instruction::Leave { depth, next } => {
                    if open > *depth {
                        threads.stack.push((*next, NONE));
                    }
                }
            }
        }
        Ok(matched)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::ast::Flags;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn engine(source: &str) -> Option<Linear> {
        let units: Vec<u16> = source.encode_utf16().collect();
        let ast = parse(&units, Flags::default(), &Properties::default()).unwrap();
        let sets: Arc<[SetTable]> = ast.sets.iter().cloned().map(SetTable::new).collect();
        Linear::new(&ast, &sets)
    }

    fn find(source: &str, line: &str) -> Option<(usize, usize)> {
        let engine = engine(source).unwrap();
        let mut left = 0;
        let mut budget = || ControlFlow::Continue(());
        let mut fuel = Fuel::new(&mut left, &mut budget);
        let mut state = State::default();
        let found = engine.find(line.as_bytes(), &ANYWHERE, &mut state, &mut fuel).unwrap();
        let tested = engine.test(line.as_bytes(), &ANYWHERE, &mut state, &mut fuel).unwrap();
        assert_eq!(tested, found.is_some());
        found
    }

    #[test]
    fn finds_the_leftmost_match_and_the_best_of_its_ways() {
        assert_eq!(find("b|ab|abc", "xabc"), Some((1, 3)));
        assert_eq!(find("a{1,3}", "xaaaa"), Some((1, 4)));
        assert_eq!(find("a{1,3}?", "xaaaa"), Some((1, 2)));
        assert_eq!(find("a*?b", "aab"), Some((0, 3)));
        assert_eq!(find("x*", "ax"), Some((0, 0)));
        assert_eq!(find("(?:ab|a)(?:bc|c)?$", "abc"), Some((0, 3)));
        assert_eq!(find("c", "ab"), None);
    }

    #[test]
    fn iterations_beyond_the_required_ones_take_something() {
        assert_eq!(find("(?:a?b??)*", "ab"), Some((0, 2)));
        assert_eq!(find("(?:a|b?c??)*", "abcc"), Some((0, 4)));
        assert_eq!(find("(?:b??a??){3}", "ab"), Some((0, 0)));
        assert_eq!(find("(?:b??a??){3,}?c", "abc"), Some((0, 3)));
        assert_eq!(find("(?:(?:a??)*b??)*", "aabab"), Some((0, 5)));
        assert_eq!(find("(?:(?:)|(?=a)a|){0,1000}", "aa"), Some((0, 2)));
        assert_eq!(find("(?:(?=a)|\\b){0,1000000}", "aa"), Some((0, 0)));
        assert_eq!(find("(?:(?:){1000000}|^){0,1000000}a", "ba"), Some((1, 2)));
    }

    #[test]
    fn nested_loops_of_nothing_cost_no_more_than_their_slots() {
        let engine = engine("(?:(?:(?:a?)*)*)*b|(?:(?:a|a?)+)+$|(?:(?:a?){20}){20}c").unwrap();
        let mut checkpoints = 0;
        let mut budget = || {
            checkpoints += 1;
            ControlFlow::Continue(())
        };
        let mut left = 0;
        let line = "a".repeat(5000);
        let mut fuel = Fuel::new(&mut left, &mut budget);
        let found = engine.find(line.as_bytes(), &ANYWHERE, &mut State::default(), &mut fuel);
        assert_eq!(found, Ok(Some((0, 5000))));
        assert!(checkpoints <= 20, "{checkpoints}");
    }

    #[test]
    fn lookarounds_see_both_ways_and_nest() {
        assert_eq!(find("a(?=b(?!c))", "abcab"), Some((3, 4)));
        assert_eq!(find("(?<=a(?<!ba))c", "bacac"), Some((4, 5)));
        assert_eq!(find("(?<=^a*)b", "aab"), Some((2, 3)));
        assert_eq!(find("(?<=(?=ab)a)b", "ab"), Some((1, 2)));
    }

    #[test]
    fn copies_of_a_lookaround_share_one_table() {
        assert_eq!(engine("(?:(?!b)a){50}").unwrap().looks.len(), 1);
    }

    #[test]
    fn refuses_backreferences_and_what_unrolls_too_far() {
        assert!(engine(r"(a)\1").is_none());
        assert!(engine("(?:a{1000}){1000}").is_none());
        assert!(engine(&format!("(?:{}){{5000}}", "|".repeat(1000))).is_none());
        assert!(engine("(?:(?:){1000000}){1000000}").is_some());
    }

    #[test]
    fn long_lines_with_many_lookarounds_do_not_fit() {
        let engine = engine(&"(?=a)".repeat(1000)).unwrap();
        assert!(engine.fits(100_000));
        assert!(!engine.fits(1_000_000));
    }
}
