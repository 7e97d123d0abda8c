//! Tree to instructions.

use std::ops::Range;
use std::sync::Arc;

use crate::ast::{Ast, Node, Repeat, SetId};
use crate::first_set::first_set;
use crate::fold::Fold;
use crate::units::SetTable;

/// Index of an instruction.
pub(super) type Pc = u32;

#[derive(Debug)]
pub(super) enum Instruction {
    Match,
    Set {
        set: SetId,
        backward: bool,
    },
    /// Tries the next instruction, then `other`.
    Split {
        other: Pc,
    },
    Jump(Pc),
    Start {
        multiline: bool,
    },
    End {
        multiline: bool,
    },
    WordBoundary {
        negated: bool,
        folded: bool,
    },
    /// Notes the position as one edge of a capture.
    Save(u32),
    /// A loop over one set.
    Run(Run),
    /// Before a loop: no iteration yet.
    LoopInit {
        counter: u32,
    },
    /// The head of a loop.
    Loop(Loop),
    /// The end of a loop's body.
    LoopEnd {
        head: Pc,
    },
    /// A lookaround; its body follows, up to a `Match` before `end`.
    Look {
        negated: bool,
        end: Pc,
    },
    BackReference {
        groups: Arc<[u32]>,
        ignore_case: bool,
        backward: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) set: SetId,
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) greedy: bool,
    pub(super) backward: bool,
    /// The set that the character after the loop must be of, if known.
    pub(super) follow: Option<SetId>,
}

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) counter: u32,
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) greedy: bool,
    pub(super) exit: Pc,
    /// The groups that each iteration resets.
    pub(super) groups: Range<u32>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Backtracker {
    pub(super) instructions: Vec<Instruction>,
    pub(super) sets: Arc<[SetTable]>,
    pub(super) groups: u32,
    pub(super) counters: u32,
    pub(super) fold: Fold,
    /// The set that the first character of every match is of, if every match has one.
    pub(super) first: Option<SetTable>,
}

impl Backtracker {
    /// Heap bytes, roughly, with those of the sets that it shares.
    pub(crate) fn memory_usage(&self) -> usize {
        let sets = self.sets.iter().map(SetTable::memory_usage).sum::<usize>();
        size_of_val(self.instructions.as_slice()) + sets
    }

    /// Compiles `ast`, whose sets are `sets`. A unit of the source makes two instructions at most.
    pub(crate) fn new(ast: &Ast, sets: &Arc<[SetTable]>) -> Self {
        let mut compiler = Compiler { instructions: Vec::new(), counters: 0 };
        compiler.emit(&ast.root, false);
        compiler.push(Instruction::Match);
        compiler.note_follow_sets();
        Self {
            instructions: compiler.instructions,
            sets: Arc::clone(sets),
            groups: ast.groups,
            counters: compiler.counters,
            fold: Fold::new(ast.unicode),
            first: first_set(ast),
        }
    }
}

struct Compiler {
    instructions: Vec<Instruction>,
    counters: u32,
}

impl Compiler {
    fn here(&self) -> Pc {
        self.instructions.len() as Pc
    }

    fn push(&mut self, instruction: Instruction) -> Pc {
        self.instructions.push(instruction);
        self.here() - 1
    }

    /// Emits `node`, which consumes the text `backward` inside lookbehinds.
    fn emit(&mut self, node: &Node, backward: bool) {
        match node {
            Node::Empty => {}
            Node::Set(set) => {
                self.push(Instruction::Set { set: *set, backward });
            }
            Node::Concat(nodes) if backward => {
                nodes.iter().rev().for_each(|node| self.emit(node, backward));
            }
            Node::Concat(nodes) => {
                nodes.iter().for_each(|node| self.emit(node, backward));
            }
            Node::Alternation(nodes) => self.alternation(nodes, backward),
            Node::Group(body, number) => {
                let (open, close) = (2 * number, 2 * number + 1);
                self.push(Instruction::Save(if backward { close } else { open }));
                self.emit(body, backward);
                self.push(Instruction::Save(if backward { open } else { close }));
            }
            Node::Repeat(repeat) => self.repeat(repeat, backward),
            Node::Start { multiline } => {
                self.push(Instruction::Start { multiline: *multiline });
            }
            Node::End { multiline } => {
                self.push(Instruction::End { multiline: *multiline });
            }
            Node::WordBoundary { negated, folded } => {
                self.push(Instruction::WordBoundary { negated: *negated, folded: *folded });
            }
            Node::Look(look) => {
                let start = self.push(Instruction::Look { negated: look.negated, end: 0 });
                self.emit(&look.body, !look.ahead);
                self.push(Instruction::Match);
                let end = self.here();
                self.instructions[start as usize] =
                    Instruction::Look { negated: look.negated, end };
            }
            Node::BackReference { groups, ignore_case } => {
                let (groups, ignore_case) = (Arc::clone(groups), *ignore_case);
                self.push(Instruction::BackReference { groups, ignore_case, backward });
            }
        }
    }

    fn alternation(&mut self, nodes: &[Node], backward: bool) {
        let mut jumps = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            if index + 1 == nodes.len() {
                self.emit(node, backward);
                break;
            }
            let split = self.push(Instruction::Split { other: 0 });
            self.emit(node, backward);
            jumps.push(self.push(Instruction::Jump(0)));
            let other = self.here();
            self.instructions[split as usize] = Instruction::Split { other };
        }
        let end = self.here();
        for jump in jumps {
            self.instructions[jump as usize] = Instruction::Jump(end);
        }
    }

    fn repeat(&mut self, repeat: &Repeat, backward: bool) {
        let (min, greedy) = (repeat.min, repeat.greedy);
        let max = repeat.max.unwrap_or(u32::MAX);
        if let Node::Set(set) = repeat.body {
            self.push(Instruction::Run(Run { set, min, max, greedy, backward, follow: None }));
            return;
        }
        let counter = self.counters;
        self.counters += 1;
        self.push(Instruction::LoopInit { counter });
        let mut head = Loop { counter, min, max, greedy, exit: 0, groups: repeat.groups.clone() };
        let at = self.push(Instruction::Loop(head.clone()));
        self.emit(&repeat.body, backward);
        self.push(Instruction::LoopEnd { head: at });
        head.exit = self.here();
        self.instructions[at as usize] = Instruction::Loop(head);
    }

    /// Tells each forward run which set must follow it, so that it need not try to end elsewhere.
    fn note_follow_sets(&mut self) {
        for index in 0..self.instructions.len() {
            let (before, after) = self.instructions.split_at_mut(index + 1);
            let Some(Instruction::Run(run)) = before.last_mut() else { continue };
            if run.backward {
                continue;
            }
            let next =
                after.iter().find(|instruction| !matches!(instruction, Instruction::Save(_)));
            run.follow = match next {
                Some(Instruction::Set { set, backward: false }) => Some(*set),
                Some(Instruction::Run(run)) if run.min > 0 && !run.backward => Some(run.set),
                _ => None,
            };
        }
    }
}
