//! Capture groups: how many there are, and their names, known before the tree is built, since a
//! backreference may stand before its group and an escape may or may not be one.

use std::collections::HashMap;

use super::{Parser, Result};
use crate::error::{PatternError, PatternErrorKind};
use crate::limits;

/// Refuses sources longer than [`limits::SOURCE_UNITS`].
pub(crate) fn check_length(source: &[u16]) -> Result<()> {
    if source.len() <= limits::SOURCE_UNITS {
        return Ok(());
    }
    Err(PatternError::new(
        PatternErrorKind::TooLong,
        format!(
            "the pattern has {} UTF-16 units, more than {}",
            source.len(),
            limits::SOURCE_UNITS
        ),
    ))
}

impl Parser<'_> {
    /// Counts the capture groups of the whole source and notes their names.
    pub(super) fn find_groups(&mut self) -> Result<()> {
        let mut in_class = false;
        let mut names = HashMap::new();
        while let Some(character) = self.peek() {
            self.position += 1;
            match character {
                '\\' => self.position += 1,
                ']' => in_class = false,
                '[' => in_class = true,
                '(' if !in_class => self.find_group(&mut names)?,
                _ => {}
            }
        }
        self.position = 0;
        self.names = names.into_iter().map(|(name, groups)| (name, groups.into())).collect();
        Ok(())
    }

    fn find_group(&mut self, names: &mut HashMap<Vec<u16>, Vec<u32>>) -> Result<()> {
        if self.peek() != Some('?') {
            self.groups_total += 1;
        } else if self.looking_at("?<") && !matches!(self.at(2), Some('=' | '!')) {
            self.position += 2;
            self.groups_total += 1;
            let name = self.group_name()?;
            names.entry(name).or_default().push(self.groups_total);
        }
        Ok(())
    }

    /// The name up to `>`, its escapes resolved, as UTF-16.
    pub(super) fn group_name(&mut self) -> Result<Vec<u16>> {
        let mut name = Vec::new();
        loop {
            let mut code = self.take()?;
            if code == u32::from('>') {
                return Ok(name);
            }
            if code == u32::from('\\') {
                let escape = if self.eat('u') { self.unicode_escape(true) } else { None };
                code = escape.ok_or_else(|| self.error("invalid capture group name"))?;
            }
            match char::from_u32(code) {
                Some(character) => name.extend_from_slice(character.encode_utf16(&mut [0; 2])),
                None => name.push(code as u16),
            }
        }
    }
}
