//! Case: which characters flag `i` takes for the same (ECMA-262 22.2.2.7.3, Canonicalize).
//!
//! The characters of one class form a ring: each leads to the next greater one, the greatest to the least.

mod code_point;
mod unit;

use crate::charset::CharSet;

/// First and last character, and the distance from each to the next of its ring. Distance 0 stands for
/// neighbours that are each other's pair: the first and every second after it lead one up, the others one
/// down.
type Row = (u32, u32, i32);

/// A reading of flag `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Without flag `u`: `toUpperCase` of a single UTF-16 unit.
    Unit,
    /// With flag `u`: Unicode simple case folding.
    CodePoint,
}

impl Fold {
    /// The reading that flag `u` asks for.
    pub(crate) fn new(unicode: bool) -> Self {
        if unicode { Self::CodePoint } else { Self::Unit }
    }

    fn rows(self) -> &'static [Row] {
        match self {
            Self::Unit => unit::ROWS,
            Self::CodePoint => code_point::ROWS,
        }
    }

    /// The next character of `code`'s class: `code` itself if it stands alone.
    fn next(self, code: u32) -> u32 {
        let rows = self.rows();
        let index = rows.partition_point(|row| row.1 < code);
        match rows.get(index) {
            Some(row) if row.0 <= code => step(row, code),
            _ => code,
        }
    }

    /// Are the two characters the same under flag `i`?
    pub(crate) fn same(self, left: u32, right: u32) -> bool {
        if left == right {
            return true;
        }
        if left < 128 && right < 128 {
            return left ^ right == 0x20 && (left | 0x20).wrapping_sub(0x61) < 26;
        }
        let mut code = self.next(left);
        while code != left {
            if code == right {
                return true;
            }
            code = self.next(code);
        }
        false
    }

    /// `set` with every character that is the same as one of its own. Adds the number of characters looked
    /// at to `steps`.
    pub(crate) fn close(self, set: &CharSet, steps: &mut usize) -> CharSet {
        let rows = self.rows();
        let mut ranges = set.ranges().to_vec();
        for &(first, last) in set.ranges() {
            let start = rows.partition_point(|row| row.1 < first);
            for row in rows[start..].iter().take_while(|row| row.0 <= last) {
                for code in first.max(row.0)..=last.min(row.1) {
                    let mut other = step(row, code);
                    while other != code {
                        ranges.push((other, other));
                        *steps += 1;
                        other = self.next(other);
                    }
                }
            }
        }
        CharSet::new(ranges)
    }
}

/// The character that `row` leads to from `code`, which lies in it.
fn step(row: &Row, code: u32) -> u32 {
    match row.2 {
        0 if (code - row.0).is_multiple_of(2) => code + 1,
        0 => code - 1,
        distance => code.wrapping_add_signed(distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(fold: Fold, left: char, right: char) -> bool {
        let (left, right) = (u32::from(left), u32::from(right));
        assert_eq!(fold.same(left, right), fold.same(right, left));
        let closed = fold.close(&CharSet::single(left), &mut 0);
        assert_eq!(closed.contains(right), fold.same(left, right));
        fold.same(left, right)
    }

    #[test]
    fn every_class_is_a_ring() {
        for fold in [Fold::Unit, Fold::CodePoint] {
            let mut previous = 0;
            for row in fold.rows() {
                assert!(row.0 > previous && row.0 <= row.1);
                previous = row.1;
                for start in row.0..=row.1 {
                    let mut code = fold.next(start);
                    let mut length = 1;
                    while code != start {
                        code = fold.next(code);
                        length += 1;
                        assert!(length <= 5, "{start:x}");
                    }
                    assert!(length > 1, "{start:x}");
                }
            }
        }
    }

    #[test]
    fn ascii_shortcut_agrees_with_the_tables() {
        for fold in [Fold::Unit, Fold::CodePoint] {
            for left in 0..128 {
                let closed = fold.close(&CharSet::single(left), &mut 0);
                for right in 0..128 {
                    assert_eq!(fold.same(left, right), closed.contains(right));
                }
            }
        }
    }

    #[test]
    fn flag_i_alone_keeps_ascii_apart_from_the_rest() {
        assert!(!same(Fold::Unit, 'k', '\u{212a}'));
        assert!(!same(Fold::Unit, 's', 'ſ'));
        assert!(!same(Fold::Unit, 'ß', 'ẞ'));
        assert!(!same(Fold::Unit, '𐐀', '𐐨'));
        assert!(same(Fold::Unit, 'é', 'É'));
        assert!(same(Fold::Unit, 'σ', 'ς'));
    }

    #[test]
    fn flags_iu_fold_simply() {
        assert!(same(Fold::CodePoint, 'k', '\u{212a}'));
        assert!(same(Fold::CodePoint, 'S', 'ſ'));
        assert!(same(Fold::CodePoint, 'ß', 'ẞ'));
        assert!(same(Fold::CodePoint, '𐐀', '𐐨'));
        assert!(!same(Fold::CodePoint, 'i', 'İ'));
        assert!(!same(Fold::CodePoint, 'i', 'ı'));
    }

    #[test]
    fn unit_classes_agree_with_std_where_both_know_the_character() {
        let mut differing = 0;
        for code in 0..=0xffff_u32 {
            let Some(character) = char::from_u32(code) else { continue };
            let mut upper = character.to_uppercase();
            let canonical = match (upper.next(), upper.next()) {
                (Some(upper), None) if code < 128 || !upper.is_ascii() => u32::from(upper),
                _ => code,
            };
            if canonical <= 0xffff && !Fold::Unit.same(code, canonical) {
                differing += 1;
            }
        }
        assert!(differing < 60, "{differing}");
    }
}
