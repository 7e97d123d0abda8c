//! Sets of characters as sorted intervals.

use std::cmp::Ordering;

/// The last code point.
pub(crate) const LAST: u32 = 0x10_ffff;

/// A set of code points, or of UTF-16 units in a pattern without flag `u`: inclusive ranges, ascending,
/// neither overlapping nor touching.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CharSet(Vec<(u32, u32)>);

impl CharSet {
    /// The set of `ranges`, given in any order; what lies beyond [`LAST`] is dropped.
    pub(crate) fn new(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.retain(|&(first, last)| first <= last && first <= LAST);
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            let last = last.min(LAST);
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => {
                    previous.1 = previous.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        Self(merged)
    }

    /// The set of one character.
    pub(crate) fn single(code: u32) -> Self {
        Self(vec![(code, code)])
    }

    /// Every character.
    pub(crate) fn all() -> Self {
        Self(vec![(0, LAST)])
    }

    /// Every character that is not in this set.
    pub(crate) fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.0.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.0 {
            if first > next {
                ranges.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            ranges.push((next, LAST));
        }
        Self(ranges)
    }

    /// The ranges, ascending.
    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Is `code` in the set?
    #[inline]
    pub(crate) fn contains(&self, code: u32) -> bool {
        self.0
            .binary_search_by(|&(first, last)| {
                if last < code {
                    Ordering::Less
                } else if first > code {
                    Ordering::Greater
                } else {
                    Ordering::Equal
                }
            })
            .is_ok()
    }

    /// Does the set hold any character from `first` to `last`?
    pub(crate) fn intersects(&self, first: u32, last: u32) -> bool {
        self.0.iter().any(|&(low, high)| low <= last && high >= first)
    }

    /// `\d`: ASCII digits, whatever the flags.
    pub(crate) fn digits() -> Self {
        Self(vec![(0x30, 0x39)])
    }

    /// `\s`: ECMA-262 WhiteSpace and LineTerminator.
    pub(crate) fn spaces() -> Self {
        Self(vec![
            (0x09, 0x0d),
            (0x20, 0x20),
            (0xa0, 0xa0),
            (0x1680, 0x1680),
            (0x2000, 0x200a),
            (0x2028, 0x2029),
            (0x202f, 0x202f),
            (0x205f, 0x205f),
            (0x3000, 0x3000),
            (0xfeff, 0xfeff),
        ])
    }

    /// `\w`: ASCII letters, digits and `_`; under both `i` and `u` also the two characters that fold to
    /// ASCII letters, U+017F and U+212A.
    pub(crate) fn words(ignore_case_unicode: bool) -> Self {
        let mut ranges = vec![(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
        if ignore_case_unicode {
            ranges.extend([(LONG_S, LONG_S), (KELVIN, KELVIN)]);
        }
        Self(ranges)
    }

    /// ECMA-262 LineTerminator, which `.` does not match.
    pub(crate) fn line_terminators() -> Self {
        Self(vec![(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)])
    }
}

/// LATIN SMALL LETTER LONG S, which folds to `s`.
pub(crate) const LONG_S: u32 = 0x17f;
/// KELVIN SIGN, which folds to `k`.
pub(crate) const KELVIN: u32 = 0x212a;

/// Is `code` one that `\b` takes for a word character?
#[inline]
pub(crate) fn is_word(code: u32, ignore_case_unicode: bool) -> bool {
    match u8::try_from(code) {
        Ok(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric() || byte == b'_',
        _ => ignore_case_unicode && (code == LONG_S || code == KELVIN),
    }
}

/// Is `code` a LineTerminator, at which `^` and `$` match under flag `m`?
#[inline]
pub(crate) fn is_line_terminator(code: u32) -> bool {
    matches!(code, 0x0a | 0x0d | 0x2028 | 0x2029)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn merges_touching_ranges_and_drops_bad_ones() {
        let set =
            CharSet::new(vec![(5, 9), (1, 4), (20, 12), (LAST, u32::MAX), (0x20_0000, 0x20_0001)]);
        assert_eq!(set.ranges(), [(1, 9), (LAST, LAST)]);
    }

    #[test]
    fn word_set_agrees_with_is_word() {
        for flag in [false, true] {
            let set = CharSet::words(flag);
            assert!((0..0x3000).all(|code| set.contains(code) == is_word(code, flag)));
        }
    }

    #[test]
    fn line_terminators_agree() {
        let set = CharSet::line_terminators();
        assert!((0..0x3000).all(|code| set.contains(code) == is_line_terminator(code)));
    }

    proptest! {
        #[test]
        fn complement_holds_exactly_the_others(
            ranges in prop::collection::vec((0u32..300, 0u32..300), 0..8),
            code in 0u32..320,
        ) {
            let member = ranges.iter().any(|&(first, last)| (first..=last).contains(&code));
            let set = CharSet::new(ranges);
            prop_assert_eq!(set.contains(code), member);
            prop_assert_eq!(set.complement().contains(code), !member);
            prop_assert_eq!(set.complement().complement(), set.clone());
            prop_assert_eq!(set.intersects(code, code), member);
        }
    }
}
