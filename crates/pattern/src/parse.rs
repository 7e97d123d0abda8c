//! Source to tree. The source was accepted by V8's `RegExp` constructor before, so this parser knows the
//! grammar of ECMA-262 22.2.1 with Annex B.1.2, but does not look for every error.

mod class;
mod escape;
mod groups;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{Ast, Flags, Look, Node, Repeat, SetId};
use crate::charset::CharSet;
use crate::error::{PatternError, PatternErrorKind};
use crate::fold::Fold;
use crate::limits;
use crate::properties::Properties;

pub(crate) use groups::check_length;

type Result<T> = std::result::Result<T, PatternError>;

/// Counts as large as this stand for "without end", as in V8.
const INFINITE: u32 = 0x7fff_ffff;

/// The tree of `source`; `properties` holds the sets of its `\p{…}`.
pub(crate) fn parse(source: &[u16], flags: Flags, properties: &Properties) -> Result<Ast> {
    check_length(source)?;
    let mut parser = Parser::new(source, flags, properties);
    parser.find_groups()?;
    let root = parser.disjunction()?;
    if parser.position != parser.source.len() {
        return Err(parser.error("unmatched ')'"));
    }
    Ok(Ast {
        root,
        sets: parser.sets,
        groups: parser.groups_opened,
        has_back_reference: parser.has_back_reference,
        unicode: flags.unicode,
    })
}

struct Parser<'a> {
    /// Code points under flag `u`, else UTF-16 units.
    source: Vec<u32>,
    position: usize,
    flags: Flags,
    properties: &'a Properties,
    /// Capture groups in the whole source.
    groups_total: u32,
    groups_opened: u32,
    /// The capture groups around the current position.
    groups_around: Vec<u32>,
    /// The numbers of the groups of each name.
    names: HashMap<Vec<u16>, Arc<[u32]>>,
    has_back_reference: bool,
    depth: usize,
    sets: Vec<CharSet>,
    set_ranges: usize,
    fold_steps: usize,
    /// Finished sets.
    interned: HashMap<CharSet, SetId>,
    /// Sets as written, before they were closed under case.
    closed: HashMap<CharSet, SetId>,
}

impl<'a> Parser<'a> {
    fn new(source: &[u16], flags: Flags, properties: &'a Properties) -> Self {
        let source = if flags.unicode {
            char::decode_utf16(source.iter().copied())
                .map(|decoded| {
                    decoded.map_or_else(|lone| u32::from(lone.unpaired_surrogate()), u32::from)
                })
                .collect()
        } else {
            source.iter().map(|&unit| u32::from(unit)).collect()
        };
        Self {
            source,
            position: 0,
            flags,
            properties,
            groups_total: 0,
            groups_opened: 0,
            groups_around: Vec::new(),
            names: HashMap::new(),
            has_back_reference: false,
            depth: 0,
            sets: Vec::new(),
            set_ranges: 0,
            fold_steps: 0,
            interned: HashMap::new(),
            closed: HashMap::new(),
        }
    }

    fn error(&self, what: &str) -> PatternError {
        PatternError::syntax(what, self.position)
    }

    /// The character `offset` after the current one; a surrogate reads as U+FFFD.
    fn at(&self, offset: usize) -> Option<char> {
        let code = *self.source.get(self.position + offset)?;
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn peek(&self) -> Option<char> {
        self.at(0)
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.position += usize::from(found);
        found
    }

    fn looking_at(&self, expected: &str) -> bool {
        expected.chars().enumerate().all(|(offset, character)| self.at(offset) == Some(character))
    }

    fn eat_all(&mut self, expected: &str) -> bool {
        let found = self.looking_at(expected);
        if found {
            self.position += expected.chars().count();
        }
        found
    }

    /// Takes the current character as it is.
    fn take(&mut self) -> Result<u32> {
        let code = *self.source.get(self.position).ok_or_else(|| self.error("unexpected end"))?;
        self.position += 1;
        Ok(code)
    }

    fn disjunction(&mut self) -> Result<Node> {
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(PatternError::new(
                PatternErrorKind::TooDeep,
                format!("the pattern nests groups more than {} deep", limits::NESTING),
            ));
        }
        let first = self.alternative()?;
        let node = if self.peek() == Some('|') {
            let mut alternatives = vec![first];
            while self.eat('|') {
                alternatives.push(self.alternative()?);
            }
            Node::Alternation(alternatives)
        } else {
            first
        };
        self.depth -= 1;
        Ok(node)
    }

    fn alternative(&mut self) -> Result<Node> {
        let mut terms = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            terms.push(self.term()?);
        }
        Ok(match terms.len() {
            1 => terms.swap_remove(0),
            0 => Node::Empty,
            _ => Node::Concat(terms),
        })
    }

    fn term(&mut self) -> Result<Node> {
        let first_group = self.groups_opened + 1;
        let Some(character) = self.peek() else { return Ok(Node::Empty) };
        let atom = match character {
            '^' => {
                self.position += 1;
                return Ok(Node::Start { multiline: self.flags.multiline });
            }
            '$' => {
                self.position += 1;
                return Ok(Node::End { multiline: self.flags.multiline });
            }
            '(' => {
                let (node, quantifiable) = self.group()?;
                if !quantifiable {
                    return Ok(node);
                }
                node
            }
            '.' => {
                self.position += 1;
                let set = if self.flags.dot_all {
                    CharSet::all()
                } else {
                    CharSet::line_terminators().complement()
                };
                Node::Set(self.intern(set)?)
            }
            '[' => self.class()?,
            '\\' => match self.at(1) {
                Some(letter @ ('b' | 'B')) => {
                    self.position += 2;
                    let folded = self.flags.ignore_case && self.flags.unicode;
                    return Ok(Node::WordBoundary { negated: letter == 'B', folded });
                }
                _ => self.atom_escape()?,
            },
            '*' | '+' | '?' => return Err(self.error("nothing to repeat")),
            '{' | '}' | ']' if self.flags.unicode => return Err(self.error("lone bracket")),
            _ => {
                let code = self.take()?;
                self.character(code)?
            }
        };
        self.quantified(atom, first_group)
    }

    /// `atom`, or the loop that a quantifier after it makes of it.
    fn quantified(&mut self, atom: Node, first_group: u32) -> Result<Node> {
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let start = self.position;
                match self.counts() {
                    Some(counts) => {
                        self.position -= 1;
                        counts
                    }
                    None if self.flags.unicode => return Err(self.error("incomplete quantifier")),
                    None => {
                        self.position = start;
                        return Ok(atom);
                    }
                }
            }
            _ => return Ok(atom),
        };
        self.position += 1;
        let greedy = !self.eat('?');
        if max.is_some_and(|max| max < min) {
            return Err(self.error("numbers out of order in quantifier"));
        }
        let groups = first_group..self.groups_opened + 1;
        Ok(Node::Repeat(Box::new(Repeat { body: atom, min, max, greedy, groups })))
    }

    /// `{min}`, `{min,}` or `{min,max}`; ends after the closing brace.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        self.position += 1;
        let min = self.decimal()?;
        let max = match self.eat(',') {
            false => Some(min),
            true if self.peek() == Some('}') => None,
            true => Some(self.decimal()?),
        };
        self.eat('}').then_some((min, max.filter(|&max| max != INFINITE)))
    }

    /// A decimal number, at most [`INFINITE`].
    fn decimal(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            let grown = value.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit);
            value = Some(grown.min(INFINITE));
            self.position += 1;
        }
        value
    }

    /// A node that matches `code`, or its case variants under flag `i`.
    fn character(&mut self, code: u32) -> Result<Node> {
        self.set(CharSet::single(code))
    }

    /// A node that matches `set`, closed under case if flag `i` holds.
    fn set(&mut self, set: CharSet) -> Result<Node> {
        if !self.flags.ignore_case {
            return Ok(Node::Set(self.intern(set)?));
        }
        if let Some(&id) = self.closed.get(&set) {
            return Ok(Node::Set(id));
        }
        let closed = self.close(&set)?;
        let id = self.intern(closed)?;
        self.closed.insert(set, id);
        Ok(Node::Set(id))
    }

    fn close(&mut self, set: &CharSet) -> Result<CharSet> {
        let closed = Fold::new(self.flags.unicode).close(set, &mut self.fold_steps);
        if self.fold_steps > limits::FOLD_STEPS {
            return Err(PatternError::new(
                PatternErrorKind::TooLarge,
                format!(
                    "the character classes of the pattern need more than {} case variants",
                    limits::FOLD_STEPS
                ),
            ));
        }
        Ok(closed)
    }

    fn intern(&mut self, set: CharSet) -> Result<SetId> {
        if let Some(&id) = self.interned.get(&set) {
            return Ok(id);
        }
        self.set_ranges += set.ranges().len().max(1);
        if self.set_ranges > limits::SET_RANGES {
            return Err(PatternError::new(
                PatternErrorKind::TooLarge,
                format!(
                    "the character classes of the pattern hold more than {} ranges",
                    limits::SET_RANGES
                ),
            ));
        }
        let id = self.sets.len() as SetId;
        self.sets.push(set.clone());
        self.interned.insert(set, id);
        Ok(id)
    }

    /// `(…)` of any kind, and whether it may be quantified; the current character is the parenthesis.
    fn group(&mut self) -> Result<(Node, bool)> {
        self.position += 1;
        let outer = self.flags;
        let mut quantifiable = true;
        let node = if self.eat_all("?=") {
            quantifiable = !self.flags.unicode;
            self.look(true, false)?
        } else if self.eat_all("?!") {
            quantifiable = !self.flags.unicode;
            self.look(true, true)?
        } else if self.eat_all("?<=") {
            quantifiable = false;
            self.look(false, false)?
        } else if self.eat_all("?<!") {
            quantifiable = false;
            self.look(false, true)?
        } else if self.eat_all("?<") {
            self.group_name()?;
            self.capture()?
        } else if self.eat('?') {
            self.modifiers()?;
            self.disjunction()?
        } else {
            self.capture()?
        };
        if !self.eat(')') {
            return Err(self.error("unterminated group"));
        }
        self.flags = outer;
        Ok((node, quantifiable))
    }

    fn look(&mut self, ahead: bool, negated: bool) -> Result<Node> {
        let body = self.disjunction()?;
        Ok(Node::Look(Box::new(Look { body, ahead, negated })))
    }

    fn capture(&mut self) -> Result<Node> {
        self.groups_opened += 1;
        let number = self.groups_opened;
        self.groups_around.push(number);
        let body = self.disjunction()?;
        self.groups_around.pop();
        Ok(Node::Group(Box::new(body), number))
    }

    /// `i-m:` and the like, up to the colon; nothing before it in `(?:`.
    fn modifiers(&mut self) -> Result<()> {
        let mut on = true;
        loop {
            match self.peek() {
                Some(':') => {
                    self.position += 1;
                    return Ok(());
                }
                Some('-') => on = false,
                Some('i') => self.flags.ignore_case = on,
                Some('m') => self.flags.multiline = on,
                Some('s') => self.flags.dot_all = on,
                _ => return Err(self.error("invalid group")),
            }
            self.position += 1;
        }
    }
}

#[cfg(test)]
mod tests;
