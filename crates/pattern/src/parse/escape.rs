//! Escapes, inside classes and outside.

use std::sync::Arc;

use super::{Parser, Result};
use crate::ast::Node;
use crate::charset::{CharSet, LAST};

impl Parser<'_> {
    /// An escape outside classes other than `\b` and `\B`; the current character is the backslash.
    pub(super) fn atom_escape(&mut self) -> Result<Node> {
        self.position += 1;
        let Some(letter) = self.peek() else { return Err(self.error("\\ at end of pattern")) };
        if let Some(set) = self.class_escape(letter)? {
            return self.set(set);
        }
        if ('1'..='9').contains(&letter) {
            let start = self.position;
            match self.decimal() {
                Some(number) if number <= self.groups_total => {
                    return Ok(self.back_reference(Arc::new([number])));
                }
                _ if self.flags.unicode => return Err(self.error("invalid escape")),
                _ => self.position = start,
            }
        }
        if letter == 'k' && (self.flags.unicode || !self.names.is_empty()) {
            self.position += 1;
            if !self.eat('<') {
                return Err(self.error("invalid named reference"));
            }
            let name = self.group_name()?;
            return match self.names.get(&name) {
                Some(groups) => {
                    let groups = Arc::clone(groups);
                    Ok(self.back_reference(groups))
                }
                None => Err(self.error("invalid named capture referenced")),
            };
        }
        let code = self.character_escape(false)?;
        self.character(code)
    }

    /// Within its group nothing has been captured yet, and a reference is an empty text; V8 takes it for one.
    fn back_reference(&mut self, groups: Arc<[u32]>) -> Node {
        if groups.iter().all(|group| self.groups_around.contains(group)) {
            return Node::Empty;
        }
        self.has_back_reference = true;
        Node::BackReference { groups, ignore_case: self.flags.ignore_case }
    }

    /// The set of `\d \D \s \S \w \W \p{…} \P{…}`, not yet closed under case; `None` if the escape, whose
    /// `letter` is the current character, is of another kind.
    pub(super) fn class_escape(&mut self, letter: char) -> Result<Option<CharSet>> {
        let known = matches!(letter, 'd' | 'D' | 's' | 'S' | 'w' | 'W')
            || (self.flags.unicode && matches!(letter, 'p' | 'P'));
        if !known {
            return Ok(None);
        }
        self.position += 1;
        let set = match letter {
            'd' | 'D' => CharSet::digits(),
            's' | 'S' => CharSet::spaces(),
            'w' | 'W' => CharSet::words(self.flags.ignore_case && self.flags.unicode),
            _ => self.property()?,
        };
        Ok(Some(if letter.is_ascii_uppercase() { set.complement() } else { set }))
    }

    /// The set that `{…}` names, as the host resolved it.
    fn property(&mut self) -> Result<CharSet> {
        if !self.eat('{') {
            return Err(self.error("invalid property name"));
        }
        let mut name = String::new();
        loop {
            match self.peek() {
                None => return Err(self.error("invalid property name")),
                Some('}') => break,
                Some(character) => name.push(character),
            }
            self.position += 1;
        }
        self.position += 1;
        self.properties.get(&name)
    }

    /// The character an escape stands for; the current character is the one after the backslash.
    pub(super) fn character_escape(&mut self, in_class: bool) -> Result<u32> {
        let unicode = self.flags.unicode;
        let Some(letter) = self.peek() else { return Err(self.error("\\ at end of pattern")) };
        let control = match letter {
            't' => Some(0x09),
            'n' => Some(0x0a),
            'v' => Some(0x0b),
            'f' => Some(0x0c),
            'r' => Some(0x0d),
            _ => None,
        };
        if let Some(code) = control {
            self.position += 1;
            return Ok(code);
        }
        match letter {
            'c' => self.control_escape(in_class),
            'x' => {
                self.position += 1;
                match self.hexadecimal(2) {
                    Some(code) => Ok(code),
                    None if unicode => Err(self.error("invalid escape")),
                    None => Ok(u32::from('x')),
                }
            }
            'u' => {
                self.position += 1;
                match self.unicode_escape(unicode) {
                    Some(code) => Ok(code),
                    None if unicode => Err(self.error("invalid Unicode escape")),
                    None => Ok(u32::from('u')),
                }
            }
            '0' if unicode => {
                self.position += 1;
                Ok(0)
            }
            '0'..='7' if !unicode => Ok(self.octal()),
            '0'..='9' if unicode => Err(self.error("invalid decimal escape")),
            _ => self.take(),
        }
    }

    /// `\cX`; without a fitting letter the backslash stands for itself and the `c` follows (Annex B).
    fn control_escape(&mut self, in_class: bool) -> Result<u32> {
        match self.at(1) {
            Some(letter)
                if letter.is_ascii_alphabetic()
                    || (in_class
                        && !self.flags.unicode
                        && (letter.is_ascii_digit() || letter == '_')) =>
            {
                self.position += 2;
                Ok(u32::from(letter) % 32)
            }
            _ if self.flags.unicode => Err(self.error("invalid Unicode escape")),
            _ => Ok(u32::from('\\')),
        }
    }

    /// What follows `\u`: four digits, or, if `braces` may be used, `{…}` or a surrogate pair of two escapes.
    /// `None` and the position kept if nothing fits.
    pub(super) fn unicode_escape(&mut self, braces: bool) -> Option<u32> {
        let start = self.position;
        if braces && self.eat('{') {
            let code = self.braced();
            if code.is_none() {
                self.position = start;
            }
            return code;
        }
        let lead = self.hexadecimal(4)?;
        if braces && (0xd800..0xdc00).contains(&lead) && self.looking_at("\\u") {
            let start = self.position;
            self.position += 2;
            match self.hexadecimal(4) {
                Some(trail @ 0xdc00..=0xdfff) => {
                    return Some(0x1_0000 + ((lead - 0xd800) << 10) + (trail - 0xdc00));
                }
                _ => self.position = start,
            }
        }
        Some(lead)
    }

    fn braced(&mut self) -> Option<u32> {
        let mut code = None;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(16)) {
            self.position += 1;
            code = Some((code.unwrap_or(0) * 16 + digit).min(LAST + 1));
        }
        code.filter(|&code| code <= LAST && self.eat('}'))
    }

    /// Exactly `length` hexadecimal digits; `None` and the position kept if there are not that many.
    fn hexadecimal(&mut self, length: usize) -> Option<u32> {
        let mut value = 0;
        for offset in 0..length {
            value = value * 16 + self.at(offset)?.to_digit(16)?;
        }
        self.position += length;
        Some(value)
    }

    /// A legacy octal escape of one to three digits, at most 0o377.
    fn octal(&mut self) -> u32 {
        let mut value = 0;
        for _ in 0..3 {
            match self.peek().and_then(|character| character.to_digit(8)) {
                Some(digit) if value * 8 + digit <= 0o377 => {
                    value = value * 8 + digit;
                    self.position += 1;
                }
                _ => break,
            }
        }
        value
    }
}
