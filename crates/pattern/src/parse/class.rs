//! Bracketed classes.

use super::{Parser, Result};
use crate::ast::Node;
use crate::charset::CharSet;

/// A member of a class: one character, which may begin or end a range, or a set, which may not.
enum Member {
    Character(u32),
    Set(CharSet),
}

impl Member {
    fn push_to(self, ranges: &mut Vec<(u32, u32)>) {
        match self {
            Self::Character(code) => ranges.push((code, code)),
            Self::Set(set) => ranges.extend_from_slice(set.ranges()),
        }
    }
}

impl Parser<'_> {
    /// `[…]`; the current character is the opening bracket. The set is closed under case before it is
    /// negated.
    pub(super) fn class(&mut self) -> Result<Node> {
        self.position += 1;
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        while !self.eat(']') {
            let first = self.class_member()?;
            if self.peek() != Some('-') || matches!(self.at(1), None | Some(']')) {
                first.push_to(&mut ranges);
                continue;
            }
            self.position += 1;
            let last = self.class_member()?;
            match (first, last) {
                (Member::Character(first), Member::Character(last)) if first <= last => {
                    ranges.push((first, last));
                }
                (Member::Character(_), Member::Character(_)) => {
                    return Err(self.error("range out of order in character class"));
                }
                _ if self.flags.unicode => return Err(self.error("invalid character class")),
                (first, last) => {
                    first.push_to(&mut ranges);
                    last.push_to(&mut ranges);
                    Member::Character(u32::from('-')).push_to(&mut ranges);
                }
            }
        }
        let mut set = CharSet::new(ranges);
        if !negated {
            return self.set(set);
        }
        if self.flags.ignore_case {
            set = self.close(&set)?;
        }
        Ok(Node::Set(self.intern(set.complement())?))
    }

    fn class_member(&mut self) -> Result<Member> {
        if !self.eat('\\') {
            return self.take().map(Member::Character);
        }
        let Some(letter) = self.peek() else { return Err(self.error("\\ at end of pattern")) };
        if letter == 'b' {
            self.position += 1;
            return Ok(Member::Character(0x08));
        }
        if let Some(set) = self.class_escape(letter)? {
            return Ok(Member::Set(set));
        }
        self.character_escape(true).map(Member::Character)
    }
}
