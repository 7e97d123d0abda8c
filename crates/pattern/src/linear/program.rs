//! Tree to instructions. Code is emitted from its end, so that every instruction knows its successor.

use std::collections::HashMap;

use crate::ast::{Ast, Look, Node, Repeat, SetId};
use crate::limits::{LINEAR_INSTRUCTIONS, LINEAR_SLOTS};

/// Index of an instruction.
type Pc = u32;

#[derive(Debug)]
pub(super) enum Instruction {
    Match,
    Set {
        set: SetId,
        next: Pc,
    },
    /// Several ways, best first.
    Split(Box<[Pc]>),
    Start {
        multiline: bool,
        next: Pc,
    },
    End {
        multiline: bool,
        next: Pc,
    },
    WordBoundary {
        negated: bool,
        folded: bool,
        next: Pc,
    },
    Look {
        look: u32,
        negated: bool,
        next: Pc,
    },
    /// Begins an iteration beyond the required ones of a loop whose body is nullable.
    Enter {
        /// How many such loops are around this one.
        depth: u32,
        next: Pc,
    },
    /// Ends that iteration: no way if it took nothing.
    Leave {
        depth: u32,
        next: Pc,
    },
}

/// The code of the whole pattern or of the body of one lookaround.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    /// The first slot of each instruction: it has one, and one more for each [`Instruction::Enter`] that is
    /// open around it.
    pub(super) first_slots: Vec<u32>,
    /// Slots of all instructions.
    pub(super) slots: u32,
    pub(super) start: Pc,
    /// Consumes the text from its end.
    pub(super) backward: bool,
}

impl Program {
    /// Heap bytes, roughly.
    pub(super) fn memory_usage(&self) -> usize {
        size_of_val(self.instructions.as_slice()) + size_of_val(self.first_slots.as_slice())
    }
}

/// The main program and those of the lookarounds; `None` beyond the engine's means.
pub(super) fn compile(ast: &Ast) -> Option<(Program, Vec<Program>)> {
    if ast.has_back_reference {
        return None;
    }
    let mut compiler = Compiler {
        looks: Vec::new(),
        known_looks: HashMap::new(),
        left: LINEAR_INSTRUCTIONS,
        slots_left: LINEAR_SLOTS,
        depth: 0,
    };
    let main = compiler.program(&ast.root, false)?;
    Some((main, compiler.looks))
}

struct Compiler {
    looks: Vec<Program>,
    /// The program of each lookaround, by its address in the tree: copies of an unrolled loop share it.
    known_looks: HashMap<*const Look, u32>,
    /// Instructions and targets that may still be emitted.
    left: usize,
    /// Slots that may still be given out.
    slots_left: usize,
    /// How many [`Instruction::Enter`] are open around what is emitted.
    depth: u32,
}

impl Compiler {
    fn program(&mut self, node: &Node, backward: bool) -> Option<Program> {
        let mut program = Program {
            instructions: Vec::new(),
            first_slots: Vec::new(),
            slots: 0,
            start: 0,
            backward,
        };
        let outer = std::mem::take(&mut self.depth);
        let end = self.push(&mut program, Instruction::Match)?;
        program.start = self.emit(&mut program, node, end)?;
        self.depth = outer;
        Some(program)
    }

    fn spend(&mut self, count: usize) -> Option<()> {
        self.left = self.left.checked_sub(count)?;
        Some(())
    }

    fn push(&mut self, program: &mut Program, instruction: Instruction) -> Option<Pc> {
        self.spend(1)?;
        let slots = self.depth + 1;
        self.slots_left = self.slots_left.checked_sub(slots as usize)?;
        program.first_slots.push(program.slots);
        program.slots += slots;
        program.instructions.push(instruction);
        Some(program.instructions.len() as Pc - 1)
    }

    fn split(&mut self, program: &mut Program, targets: Vec<Pc>) -> Option<Pc> {
        self.spend(targets.len())?;
        self.push(program, Instruction::Split(targets.into()))
    }

    /// Emits `node` before `next`; answers where it begins.
    fn emit(&mut self, program: &mut Program, node: &Node, next: Pc) -> Option<Pc> {
        match node {
            Node::Empty => Some(next),
            Node::Set(set) => self.push(program, Instruction::Set { set: *set, next }),
            Node::Concat(nodes) if program.backward => {
                nodes.iter().try_fold(next, |next, node| self.emit(program, node, next))
            }
            Node::Concat(nodes) => {
                nodes.iter().rev().try_fold(next, |next, node| self.emit(program, node, next))
            }
            Node::Alternation(nodes) => {
                let targets = nodes
                    .iter()
                    .map(|node| self.emit(program, node, next))
                    .collect::<Option<Vec<_>>>()?;
                self.split(program, targets)
            }
            Node::Group(body, _) => self.emit(program, body, next),
            Node::Repeat(repeat) => self.repeat(program, repeat, next),
            Node::Start { multiline } => {
                self.push(program, Instruction::Start { multiline: *multiline, next })
            }
            Node::End { multiline } => {
                self.push(program, Instruction::End { multiline: *multiline, next })
            }
            Node::WordBoundary { negated, folded } => {
                let (negated, folded) = (*negated, *folded);
                self.push(program, Instruction::WordBoundary { negated, folded, next })
            }
            Node::Look(look) => {
                let number = self.look(look)?;
                self.push(program, Instruction::Look { look: number, negated: look.negated, next })
            }
            Node::BackReference { .. } => None,
        }
    }

    /// The number of a lookaround's program. Lookaheads are run backwards, so that one run tells all
    /// positions at which their body matches.
    fn look(&mut self, look: &Look) -> Option<u32> {
        let key = std::ptr::from_ref(look);
        if let Some(&number) = self.known_looks.get(&key) {
            return Some(number);
        }
        let program = self.program(&look.body, look.ahead)?;
        self.looks.push(program);
        let number = self.looks.len() as u32 - 1;
        self.known_looks.insert(key, number);
        Some(number)
    }

    fn repeat(&mut self, program: &mut Program, repeat: &Repeat, next: Pc) -> Option<Pc> {
        let order = |body, exit| if repeat.greedy { vec![body, exit] } else { vec![exit, body] };
        let mut start = next;
        match repeat.max {
            // Each iteration beyond the required ones would be empty, and none may be.
            _ if repeat.body.is_always_empty() => {}
            None => {
                let split = self.split(program, vec![next, next])?;
                let body = self.iteration(program, repeat, split)?;
                program.instructions[split as usize] = Instruction::Split(order(body, next).into());
                start = split;
            }
            Some(max) => {
                for _ in repeat.min..max {
                    let body = self.iteration(program, repeat, start)?;
                    start = self.split(program, order(body, next))?;
                }
            }
        }
        for _ in 0..repeat.min {
            let before = program.instructions.len();
            start = self.emit(program, &repeat.body, start)?;
            if program.instructions.len() == before {
                break;
            }
        }
        Some(start)
    }

    /// Emits an iteration beyond the required ones.
    fn iteration(&mut self, program: &mut Program, repeat: &Repeat, next: Pc) -> Option<Pc> {
        if !repeat.body.is_nullable() {
            return self.emit(program, &repeat.body, next);
        }
        let depth = self.depth;
        self.depth += 1;
        let leave = self.push(program, Instruction::Leave { depth, next })?;
        let body = self.emit(program, &repeat.body, leave)?;
        self.depth = depth;
        self.push(program, Instruction::Enter { depth, next: body })
    }
}
