//! The text as the exact engines see it: code points under flag `u`, else UTF-16 units.

use std::ops::Range;

use crate::charset::{CharSet, is_line_terminator, is_word};

/// Where matches may begin.
pub(crate) type Starts = Range<usize>;

/// Matches may begin anywhere.
pub(crate) const ANYWHERE: Starts = 0..usize::MAX;

/// One line, addressed by code point or by UTF-16 unit.
pub(crate) trait Units: Copy {
    fn len(self) -> usize;
    fn at(self, index: usize) -> u32;

    /// Does `^` match at `position`?
    #[inline]
    fn is_start(self, position: usize, multiline: bool) -> bool {
        position == 0 || (multiline && is_line_terminator(self.at(position - 1)))
    }

    /// Does `$` match at `position`?
    #[inline]
    fn is_end(self, position: usize, multiline: bool) -> bool {
        position == self.len() || (multiline && is_line_terminator(self.at(position)))
    }

    /// Does `\b` match at `position`? `folded` under both `i` and `u`.
    #[inline]
    fn is_word_boundary(self, position: usize, folded: bool) -> bool {
        let before = position > 0 && is_word(self.at(position - 1), folded);
        let after = position < self.len() && is_word(self.at(position), folded);
        before != after
    }
}

macro_rules! units {
    ($($unit:ty),*) => {$(
        impl Units for &[$unit] {
            #[inline]
            fn len(self) -> usize {
                <[$unit]>::len(self)
            }

            #[inline]
            fn at(self, index: usize) -> u32 {
                u32::from(self[index])
            }
        }
    )*};
}

// ASCII text is the same in every addressing and is used as it is.
units!(u8, u16, u32);

/// A set with its ASCII part as a bit table.
#[derive(Debug)]
pub(crate) struct SetTable {
    ascii: [u64; 2],
    set: CharSet,
}

impl SetTable {
    pub(crate) fn new(set: CharSet) -> Self {
        let mut ascii = [0; 2];
        for code in (0..128).filter(|&code| set.contains(code)) {
            ascii[code as usize / 64] |= 1 << (code % 64);
        }
        Self { ascii, set }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        size_of::<Self>() + size_of_val(self.set.ranges())
    }

    #[inline]
    pub(crate) fn contains(&self, code: u32) -> bool {
        if code < 128 {
            self.ascii[code as usize / 64] >> (code % 64) & 1 == 1
        } else {
            self.set.contains(code)
        }
    }
}

/// Buffers that hold a decoded line.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    units: Vec<u16>,
    code_points: Vec<u32>,
}

/// A line in the addressing of the pattern.
#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    Ascii(&'a [u8]),
    Units(&'a [u16]),
    CodePoints(&'a [u32]),
}

impl Decoded {
    /// `line` in code points if `unicode`, else in UTF-16 units.
    pub(crate) fn decode<'a>(&'a mut self, line: &'a str, unicode: bool) -> Text<'a> {
        if line.is_ascii() {
            Text::Ascii(line.as_bytes())
        } else if unicode {
            self.code_points.clear();
            self.code_points.extend(line.chars().map(u32::from));
            Text::CodePoints(&self.code_points)
        } else {
            self.units.clear();
            self.units.extend(line.encode_utf16());
            Text::Units(&self.units)
        }
    }
}

impl Text<'_> {
    /// Units before byte `byte` of `line`, which begins a character.
    pub(crate) fn units_before(self, line: &str, byte: usize) -> usize {
        match self {
            Self::Ascii(_) => byte,
            Self::Units(_) => line[..byte].encode_utf16().count(),
            Self::CodePoints(_) => line[..byte].chars().count(),
        }
    }

    /// The byte range in `line` of the units from `start` to `end`, widened to whole characters.
    pub(crate) fn byte_range(self, line: &str, start: usize, end: usize) -> Range<usize> {
        let length = |character: char| match self {
            Self::Units(_) => character.len_utf16(),
            Self::Ascii(_) | Self::CodePoints(_) => 1,
        };
        let (mut first, mut last) = (line.len(), line.len());
        let mut position = 0;
        for (byte, character) in line.char_indices() {
            let next = position + length(character);
            if position <= start && start < next {
                first = byte;
            }
            if end <= position {
                last = byte;
                break;
            }
            position = next;
        }
        first.min(last)..last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_ranges_widen_to_whole_characters() {
        let mut decoded = Decoded::default();
        let line = "aé😀b";
        let text = decoded.decode(line, false);
        assert_eq!(text.byte_range(line, 1, 2), 1..3);
        assert_eq!(text.byte_range(line, 2, 3), 3..7);
        assert_eq!(text.byte_range(line, 3, 5), 3..8);
        assert_eq!(text.byte_range(line, 3, 3), 3..7);
        assert_eq!(text.byte_range(line, 5, 5), 8..8);
        assert_eq!((text.units_before(line, 3), text.units_before(line, 7)), (2, 4));
        let text = decoded.decode(line, true);
        assert_eq!(text.byte_range(line, 2, 3), 3..7);
        assert_eq!(text.byte_range(line, 4, 4), 8..8);
        assert_eq!(text.byte_range(line, 0, 0), 0..0);
        assert_eq!((text.units_before(line, 3), text.units_before(line, 7)), (2, 3));
    }

    #[test]
    fn table_agrees_with_its_set() {
        let set = CharSet::words(true).complement();
        let table = SetTable::new(set.clone());
        assert!((0..0x2200).all(|code| table.contains(code) == set.contains(code)));
    }
}
