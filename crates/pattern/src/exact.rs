//! The engines that know every rule of a pattern: the linear one, and the backtracking one for what is
//! beyond it. Of long lines they see only the stretches in which a match may begin, wherever that is known.

use std::ops::Range;
use std::sync::Arc;

use crate::ast::Ast;
use crate::auto::{Cache, Verdict};
use crate::backtrack::{self, Backtracker};
use crate::budget::{Fuel, Stopped};
use crate::error::PatternError;
use crate::guards::has_astral;
use crate::linear::{self, Linear};
use crate::reach::reach;
use crate::scanner::Scanner;
use crate::units::{ANYWHERE, Decoded, SetTable, Starts, Text};

/// Bytes of the stretches in which matches may begin; few in tests, so that lines have many.
const STRETCH: usize = if cfg!(test) { 4 } else { 4096 };

/// Bytes of a line up to which it is searched as a whole.
const WHOLE: usize = 2 * STRETCH;

/// The exact engines of a pattern.
#[derive(Debug)]
pub(crate) struct Exact {
    unicode: bool,
    linear: Option<Linear>,
    backtracker: Backtracker,
    /// V8 finds an empty match inside every surrogate pair.
    matches_inside_pair: bool,
    /// Characters around the beginning of a match that decide about it, if that is bounded.
    reach: Option<usize>,
}

/// Memory that searches of one pattern reuse.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    decoded: Decoded,
    linear: linear::State,
    backtrack: backtrack::State,
}

/// Tells where the exact engines need not look.
pub(crate) struct Guide<'g> {
    pub(crate) scanner: Option<&'g Scanner>,
    pub(crate) caches: &'g mut [Cache],
}

impl Guide<'_> {
    /// May there be a match in `text`? `true` when unsure.
    fn admits(&mut self, text: &str, fuel: &mut Fuel<'_>) -> Result<bool, Stopped> {
        match self.scanner {
            Some(scanner) if !scanner.guards().hold(text) => {
                Ok(scanner.search(text.as_bytes(), self.caches, fuel)? != Verdict::Absent)
            }
            _ => Ok(true),
        }
    }
}

impl Exact {
    /// # Errors
    ///
    /// No engine could run the pattern within its caps.
    pub(crate) fn new(ast: &Ast) -> Result<Self, PatternError> {
        let sets: Arc<[SetTable]> = ast.sets.iter().cloned().map(SetTable::new).collect();
        let linear = Linear::new(ast, &sets);
        if linear.is_none() {
            backtrack::check_trail(ast)?;
        }
        Ok(Self {
            unicode: ast.unicode,
            linear,
            backtracker: Backtracker::new(ast, &sets),
            matches_inside_pair: ast.unicode && ast.root.matches_inside_pair(),
            reach: reach(&ast.root),
        })
    }

    /// Heap bytes, roughly.
    pub(crate) fn memory_usage(&self) -> usize {
        let linear = self.linear.as_ref().map_or(0, Linear::memory_usage);
        linear + self.backtracker.memory_usage()
    }

    /// Does the pattern match anywhere in the line?
    pub(crate) fn test(
        &self,
        line: &str,
        mut guide: Guide<'_>,
        memory: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<bool, Stopped> {
        fuel.spend(line.len() / 8)?;
        if self.matches_inside_pair && has_astral(line) {
            return Ok(true);
        }
        if let Some(reach) = self.reach.filter(|_| line.len() > WHOLE) {
            let found = self.find_in_stretches(line, reach, &mut guide, memory, fuel)?;
            return Ok(found.is_some());
        }
        let Memory { decoded, linear: state, backtrack, .. } = memory;
        let text = decoded.decode(line, self.unicode);
        let Some(linear) = self.linear.as_ref().filter(|linear| linear.fits(line.len())) else {
            return self.backtrack(text, &ANYWHERE, backtrack, fuel).map(|found| found.is_some());
        };
        match text {
            Text::Ascii(text) => linear.test(text, &ANYWHERE, state, fuel),
            Text::Units(text) => linear.test(text, &ANYWHERE, state, fuel),
            Text::CodePoints(text) => linear.test(text, &ANYWHERE, state, fuel),
        }
    }

    /// The first match in the line, in bytes.
    pub(crate) fn find(
        &self,
        line: &str,
        mut guide: Guide<'_>,
        memory: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<Range<usize>>, Stopped> {
        let found = match self.reach.filter(|_| line.len() > WHOLE) {
            Some(reach) => self.find_in_stretches(line, reach, &mut guide, memory, fuel)?,
            None => self.find_from(line, ANYWHERE, memory, fuel)?,
        };
        if !self.matches_inside_pair {
            return Ok(found);
        }
        let pair = line.char_indices().find(|(_, character)| character.len_utf16() == 2);
        let inside = pair.map(|(at, character)| at..at + character.len_utf8());
        Ok(match (found, inside) {
            (Some(found), Some(inside)) if inside.start < found.start => Some(inside),
            (None, inside) => inside,
            (found, _) => found,
        })
    }

    /// The first match in a long line, of which one stretch after the other is searched. With each go as many
    /// characters to either side as may decide about it, and one more, so that nothing looks at the ends.
    fn find_in_stretches(
        &self,
        line: &str,
        reach: usize,
        guide: &mut Guide<'_>,
        memory: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<Range<usize>>, Stopped> {
        // Characters have four bytes at most; the boundaries may lie one character back.
        let margin = 4 * (reach + 2);
        let mut at = 0;
        loop {
            let next = boundary(line, at + STRETCH);
            let first = boundary(line, at.saturating_sub(margin));
            let last = boundary(line, next + margin);
            let part = &line[first..last];
            if guide.admits(part, fuel)? {
                // At the very end a match may begin behind the last character.
                let end = if next == line.len() { ANYWHERE.end } else { next - first };
                if let Some(found) = self.find_from(part, at - first..end, memory, fuel)? {
                    return Ok(Some(first + found.start..first + found.end));
                }
            }
            if next == line.len() {
                return Ok(None);
            }
            at = next;
        }
    }

    /// The first match in `text` that begins at one of the bytes `starts`.
    fn find_from(
        &self,
        text: &str,
        starts: Starts,
        memory: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<Range<usize>>, Stopped> {
        let Memory { decoded, linear: state, backtrack, .. } = memory;
        let units = decoded.decode(text, self.unicode);
        let unit = |byte| if byte > text.len() { byte } else { units.units_before(text, byte) };
        let starts = unit(starts.start)..unit(starts.end);
        let found = match self.linear.as_ref().filter(|linear| linear.fits(text.len())) {
            Some(linear) => match units {
                Text::Ascii(text) => linear.find(text, &starts, state, fuel),
                Text::Units(text) => linear.find(text, &starts, state, fuel),
                Text::CodePoints(text) => linear.find(text, &starts, state, fuel),
            },
            None => self.backtrack(units, &starts, backtrack, fuel),
        }?;
        Ok(found.map(|(start, end)| units.byte_range(text, start, end)))
    }

    fn backtrack(
        &self,
        text: Text<'_>,
        starts: &Starts,
        state: &mut backtrack::State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<(usize, usize)>, Stopped> {
        match text {
            Text::Ascii(text) => self.backtracker.find(text, starts, state, fuel),
            Text::Units(text) => self.backtracker.find(text, starts, state, fuel),
            Text::CodePoints(text) => self.backtracker.find(text, starts, state, fuel),
        }
    }
}

/// The end of the last character before `byte`, or at it.
fn boundary(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
