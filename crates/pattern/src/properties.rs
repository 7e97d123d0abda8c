//! `\p{…}`: which properties a pattern names, and the sets the host resolved them to, so that they are
//! always those of the host's own Unicode version.

use std::collections::{HashMap, HashSet};

use crate::ast::Flags;
use crate::charset::CharSet;
use crate::error::{PatternError, PatternErrorKind};
use crate::limits;
use crate::parse::check_length;

/// The sets of the properties a pattern names.
#[derive(Clone, Debug, Default)]
pub struct Properties(HashMap<String, CharSet>);

impl Properties {
    /// Notes that the property written `name` between the braces holds the characters of `ranges`:
    /// inclusive, in any order. What lies beyond U+10FFFF is ignored.
    pub fn insert(&mut self, name: String, ranges: Vec<(u32, u32)>) {
        self.0.insert(name, CharSet::new(ranges));
    }

    pub(crate) fn get(&self, name: &str) -> Result<CharSet, PatternError> {
        self.0.get(name).cloned().ok_or_else(|| {
            PatternError::new(
                PatternErrorKind::UnknownProperty,
                format!("the property {name:?} is not known"),
            )
        })
    }
}

/// The names between the braces of the `\p{…}` and `\P{…}` of `source` ("Lu", "Script=Greek"), each once, in
/// order; none without flag `u`, where `\p` is a plain `p`. The source need not be valid: a name without end
/// is left to the validation.
///
/// # Errors
///
/// [`PatternErrorKind::TooLong`], and [`PatternErrorKind::TooLarge`] for more than
/// [`limits::PROPERTY_ESCAPES`] escapes.
pub fn property_names(source: &[u16], flags: Flags) -> Result<Vec<String>, PatternError> {
    check_length(source)?;
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    if !flags.unicode {
        return Ok(names);
    }
    let is = |position: usize, character: u8| source.get(position) == Some(&u16::from(character));
    let mut escapes = 0;
    let mut position = 0;
    while position < source.len() {
        if !is(position, b'\\') {
            position += 1;
            continue;
        }
        let start = position + 3;
        let named = (is(position + 1, b'p') || is(position + 1, b'P')) && is(position + 2, b'{');
        position += 2;
        if !named {
            continue;
        }
        let Some(length) = source[start..].iter().position(|&unit| unit == u16::from(b'}')) else {
            break;
        };
        escapes += 1;
        if escapes > limits::PROPERTY_ESCAPES {
            let message = format!("it has more than {} property escapes", limits::PROPERTY_ESCAPES);
            return Err(PatternError::new(PatternErrorKind::TooLarge, message));
        }
        position = start + length;
        let name = String::from_utf16_lossy(&source[start..position]);
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, unicode: bool) -> Vec<String> {
        let units: Vec<u16> = source.encode_utf16().collect();
        property_names(&units, Flags { unicode, ..Flags::default() }).unwrap()
    }

    #[test]
    fn names_each_property_once() {
        assert_eq!(names(r"\p{Lu}[^\P{Script=Greek}\p{Lu}]", true), ["Lu", "Script=Greek"]);
    }

    #[test]
    fn an_escaped_backslash_is_no_property() {
        assert!(names(r"\\p{Lu}", true).is_empty());
        assert_eq!(names(r"\\\p{Lu}", true), ["Lu"]);
    }

    #[test]
    fn without_flag_u_there_are_none() {
        assert!(names(r"\p{Lu}", false).is_empty());
    }

    #[test]
    fn a_name_without_end_is_left_to_the_validation() {
        assert_eq!(names(r"\p{L}\p{Lu", true), ["L"]);
    }

    #[test]
    fn there_are_not_too_many() {
        let repeated = |count| r"\p{Lu}".repeat(count);
        assert_eq!(names(&repeated(limits::PROPERTY_ESCAPES), true), ["Lu"]);
        let units: Vec<u16> = repeated(limits::PROPERTY_ESCAPES + 1).encode_utf16().collect();
        let error = property_names(&units, Flags { unicode: true, ..Flags::default() });
        assert_eq!(error.unwrap_err().kind, PatternErrorKind::TooLarge);
    }
}
