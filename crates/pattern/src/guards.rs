//! Lines that the automaton cannot be trusted with, by the bytes they hold.

use memchr::memmem;

/// Which bytes to watch for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guards {
    /// Characters beyond U+FFFF: without flag `u` they are two units.
    pub(crate) astral: bool,
    /// U+017F and U+212A, which are word characters under both `i` and `u`.
    pub(crate) folded_words: bool,
    /// Bytes that are not UTF-8: they are read as U+FFFD, which the pattern matches somewhere.
    pub(crate) undecodable: bool,
    /// U+2028 and U+2029, at which `^` and `$` match under flag `m`.
    pub(crate) separators: bool,
}

impl Guards {
    /// Are there none?
    pub(crate) fn are_none(self) -> bool {
        self == Self::default()
    }

    /// Where the first of the watched bytes stand in `text`.
    pub(crate) fn first(self, text: &[u8]) -> Option<usize> {
        if self.are_none() || text.is_ascii() {
            return None;
        }
        let invalid = match self.undecodable {
            true => std::str::from_utf8(text).err().map(|error| error.valid_up_to()),
            false => None,
        };
        let valid = &text[..invalid.unwrap_or(text.len())];
        self.first_watched(valid).or(invalid)
    }

    /// Does `line` hold one of the watched characters?
    pub(crate) fn hold(self, line: &str) -> bool {
        !line.is_ascii() && self.first_watched(line.as_bytes()).is_some()
    }

    fn first_watched(self, text: &[u8]) -> Option<usize> {
        let mut first = None;
        let mut note = |found: Option<usize>| {
            first = match (first, found) {
                (Some(left), Some(right)) => Some(std::cmp::min::<usize>(left, right)),
                (left, right) => left.or(right),
            }
        };
        if self.astral {
            note(text.iter().position(|&byte| byte >= ASTRAL_LEAD));
        }
        if self.folded_words {
            note(memmem::find(text, "\u{17f}".as_bytes()));
            note(memmem::find(text, "\u{212a}".as_bytes()));
        }
        if self.separators {
            note(memmem::find(text, "\u{2028}".as_bytes()));
            note(memmem::find(text, "\u{2029}".as_bytes()));
        }
        first
    }
}

/// The least first byte of a character beyond U+FFFF.
const ASTRAL_LEAD: u8 = 0xf0;

/// Does `line` hold a character beyond U+FFFF?
pub(crate) fn has_astral(line: &str) -> bool {
    line.bytes().any(|byte| byte >= ASTRAL_LEAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_of_all_kinds() {
        let all = Guards { astral: true, folded_words: true, undecodable: true, separators: true };
        assert_eq!(all.first("aé\u{2029}😀\u{17f}".as_bytes()), Some(3));
        assert_eq!(all.first("aé\u{212a}\u{2028}".as_bytes()), Some(3));
        assert_eq!(all.first("aé".as_bytes()), None);
        assert_eq!(all.first(b"a\xff\xf0\x9f\x98\x80"), Some(1));
        assert_eq!(Guards::default().first("😀\u{17f}\u{2028}".as_bytes()), None);
        assert_eq!(Guards::default().first(b"\xc3\xa9\xc3"), None);
        let undecodable = Guards { undecodable: true, ..Guards::default() };
        assert_eq!(undecodable.first(b"\xc3\xa9\xc3"), Some(2));
    }
}
