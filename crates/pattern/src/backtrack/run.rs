//! Running the instructions: one thread, and a trail of what to undo and what else to try.

use super::program::{Backtracker, Instruction, Loop, Pc, Run};
use super::state::{Counter, Entry, State, UNSET};
use crate::budget::{Fuel, Stopped};
use crate::limits::TRAIL_ENTRIES;
use crate::units::{Starts, Units};

impl Backtracker {
    /// The first match that begins at one of `starts`, in units.
    pub(crate) fn find(
        &self,
        text: impl Units,
        starts: &Starts,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<(usize, usize)>, Stopped> {
        // Positions are kept in 32 bits; a longer line cannot be searched.
        if text.len() >= UNSET as usize {
            return Err(Stopped);
        }
        state.reset(self.groups, self.counters);
        fuel.spend((state.captures.len() + state.counters.len()) / 8)?;
        for start in starts.start..starts.end.min(text.len() + 1) {
            fuel.spend(1)?;
            if let Some(first) = &self.first
                && !(start < text.len() && first.contains(text.at(start)))
            {
                continue;
            }
            if let Some(end) = self.run(0, start, text, state, fuel)? {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// Runs from `pc` at `position`; answers where the match ends. On failure everything is undone.
    /// Recurses as deep as lookarounds nest.
    fn run(
        &self,
        mut pc: Pc,
        mut position: usize,
        text: impl Units,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<usize>, Stopped> {
        let base = state.trail.len();
        loop {
            fuel.spend(1)?;
            let instruction = &self.instructions[pc as usize];
            pc += 1;
            let goes_on = match instruction {
                Instruction::Match => return Ok(Some(position)),
                Instruction::Set { set, backward } => {
                    let step = self.step(*set, *backward, position, text);
                    position = step.unwrap_or(position);
                    step.is_some()
                }
                Instruction::Split { other } => {
                    state.trail.push(Entry::Other { pc: *other, position: position as u32 });
                    true
                }
                Instruction::Jump(target) => {
                    pc = *target;
                    true
                }
                Instruction::Start { multiline } => text.is_start(position, *multiline),
                Instruction::End { multiline } => text.is_end(position, *multiline),
                Instruction::WordBoundary { negated, folded } => {
                    text.is_word_boundary(position, *folded) != *negated
                }
                Instruction::Save(edge) => {
                    state.capture(*edge, position as u32);
                    true
                }
                Instruction::Run(run) => {
                    let end = self.take_run(run, pc - 1, position, text, state, fuel)?;
                    position = end.unwrap_or(position);
                    end.is_some()
                }
                Instruction::LoopInit { counter } => {
                    state.count(*counter, Counter { iterations: 0, start: UNSET });
                    true
                }
                Instruction::Loop(head) => {
                    let Counter { iterations, .. } = state.counters[head.counter as usize];
                    let (can_enter, can_exit) = (iterations < head.max, iterations >= head.min);
                    if can_enter && (head.greedy || !can_exit) {
                        if can_exit {
                            state
                                .trail
                                .push(Entry::Other { pc: head.exit, position: position as u32 });
                        }
                        enter(head, position, state, fuel)?;
                    } else {
                        if can_enter {
                            state
                                .trail
                                .push(Entry::Enter { head: pc - 1, position: position as u32 });
                        }
                        pc = head.exit;
                    }
                    can_enter || can_exit
                }
                Instruction::LoopEnd { head } => {
                    pc = *head;
                    self.end_iteration(*head, position, state)
                }
                Instruction::Look { negated, end } => {
                    let mark = state.trail.len();
                    let found = self.run(pc, position, text, state, fuel)?.is_some();
                    if found && !negated {
                        state.commit(mark);
                    } else {
                        state.undo(mark);
                    }
                    pc = *end;
                    found != *negated
                }
                Instruction::BackReference { groups, ignore_case, backward } => {
                    fuel.spend(groups.len() / 8)?;
                    let end = match state.captured(groups) {
                        None => Some(position),
                        Some(capture) => {
                            self.take_again(capture, *ignore_case, *backward, position, text, fuel)?
                        }
                    };
                    position = end.unwrap_or(position);
                    end.is_some()
                }
            };
            if goes_on {
                if state.trail.len() > TRAIL_ENTRIES {
                    return Err(Stopped);
                }
            } else {
                match self.backtrack(base, text, state, fuel)? {
                    Some(target) => (pc, position) = target,
                    None => return Ok(None),
                }
            }
        }
    }

    /// The position beyond the next character, if that is of `set`.
    #[inline]
    fn step(&self, set: u32, backward: bool, position: usize, text: impl Units) -> Option<usize> {
        let set = &self.sets[set as usize];
        if backward {
            (position > 0 && set.contains(text.at(position - 1))).then(|| position - 1)
        } else {
            (position < text.len() && set.contains(text.at(position))).then(|| position + 1)
        }
    }

    /// Takes a run at `pc` as far as it goes (greedy) or must (lazy); answers where it ends.
    fn take_run(
        &self,
        run: &Run,
        pc: Pc,
        start: usize,
        text: impl Units,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<usize>, Stopped> {
        let goal = if run.greedy { run.max } else { run.min };
        let mut position = start;
        let mut taken = 0;
        while taken < goal
            && let Some(next) = self.step(run.set, run.backward, position, text)
        {
            position = next;
            taken += 1;
        }
        fuel.spend(taken as usize / 4)?;
        if taken < run.min {
            return Ok(None);
        }
        if !run.greedy && run.max > run.min {
            let left = run.max - run.min;
            state.trail.push(Entry::Longer { pc, position: position as u32, left });
        } else if taken > run.min {
            let (end, spare) = (position as u32, taken - run.min);
            state.trail.push(if run.backward {
                Entry::Shorter { pc, position: end + 1, limit: end + spare }
            } else {
                Entry::Shorter { pc, position: end - 1, limit: end - spare }
            });
        }
        Ok(Some(position))
    }

    /// Ends an iteration; `false` if it was one too many, since it took nothing.
    fn end_iteration(&self, head: Pc, position: usize, state: &mut State) -> bool {
        let Instruction::Loop(head) = &self.instructions[head as usize] else { return false };
        let Counter { iterations, start } = state.counters[head.counter as usize];
        if iterations >= head.min && start == position as u32 {
            return false;
        }
        let iterations = iterations.saturating_add(1);
        state.count(head.counter, Counter { iterations, start: UNSET });
        true
    }

    /// Matches the text of a capture once more; answers where it ends.
    fn take_again(
        &self,
        (start, end): (usize, usize),
        ignore_case: bool,
        backward: bool,
        position: usize,
        text: impl Units,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<usize>, Stopped> {
        let length = end - start;
        let from = if backward { position.checked_sub(length) } else { Some(position) };
        let Some(from) = from.filter(|from| from + length <= text.len()) else { return Ok(None) };
        for offset in 0..length {
            let (left, right) = (text.at(start + offset), text.at(from + offset));
            if left != right && !(ignore_case && self.fold.same(left, right)) {
                fuel.spend(offset / 4)?;
                return Ok(None);
            }
        }
        fuel.spend(length / 4)?;
        Ok(Some(if backward { from } else { from + length }))
    }

    /// Undoes up to the last choice made since the trail had `base` entries, and makes another.
    fn backtrack(
        &self,
        base: usize,
        text: impl Units,
        state: &mut State,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<(Pc, usize)>, Stopped> {
        while state.trail.len() > base
            && let Some(entry) = state.trail.pop()
        {
            match entry {
                Entry::Capture { edge, value } => state.captures[edge as usize] = value,
                Entry::Counter { counter, value } => state.counters[counter as usize] = value,
                Entry::Other { pc, position } => return Ok(Some((pc, position as usize))),
                Entry::Enter { head, position } => {
                    if let Instruction::Loop(body) = &self.instructions[head as usize] {
                        enter(body, position as usize, state, fuel)?;
                        return Ok(Some((head + 1, position as usize)));
                    }
                }
                Entry::Shorter { pc, position, limit } => {
                    let position = self.skip(pc, position, limit, text, fuel)?;
                    if position > limit {
                        state.trail.push(Entry::Shorter { pc, position: position - 1, limit });
                    } else if position < limit {
                        state.trail.push(Entry::Shorter { pc, position: position + 1, limit });
                    }
                    return Ok(Some((pc + 1, position as usize)));
                }
                Entry::Longer { pc, position, left } => {
                    if let Instruction::Run(run) = &self.instructions[pc as usize]
                        && let Some(next) =
                            self.step(run.set, run.backward, position as usize, text)
                    {
                        if left > 1 {
                            let position = next as u32;
                            state.trail.push(Entry::Longer { pc, position, left: left - 1 });
                        }
                        return Ok(Some((pc + 1, next)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The last position from `position` down to `limit` after which a forward run can be followed by what
    /// must follow it.
    fn skip(
        &self,
        pc: Pc,
        position: u32,
        limit: u32,
        text: impl Units,
        fuel: &mut Fuel<'_>,
    ) -> Result<u32, Stopped> {
        let Instruction::Run(Run { follow: Some(follow), .. }) = self.instructions[pc as usize]
        else {
            return Ok(position);
        };
        let mut end = position;
        while end > limit && self.step(follow, false, end as usize, text).is_none() {
            end -= 1;
        }
        fuel.spend((position - end) as usize / 4)?;
        Ok(end)
    }
}

/// Begins an iteration: its start is noted and its groups are reset.
fn enter(
    head: &Loop,
    position: usize,
    state: &mut State,
    fuel: &mut Fuel<'_>,
) -> Result<(), Stopped> {
    let iterations = state.counters[head.counter as usize].iterations;
    state.count(head.counter, Counter { iterations, start: position as u32 });
    fuel.spend(head.groups.len() / 4)?;
    for edge in 2 * head.groups.start..2 * head.groups.end {
        if state.captures[edge as usize] != UNSET {
            state.capture(edge, UNSET);
        }
    }
    Ok(())
}
