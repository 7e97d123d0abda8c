//! Lengths in UTF-16 units, counted on UTF-8 without building the UTF-16 form.

/// Length of `text` in UTF-16 units: JavaScript's `text.length`.
///
/// Every character is one unit, and one more if it lies beyond U+FFFF, which in UTF-8 is exactly
/// when its first byte is F0 or higher. The loop has no branch, so the compiler vectorises it.
#[must_use]
pub fn units(text: &str) -> usize {
    text.as_bytes().chunks(BLOCK).map(units_in_block).sum()
}

/// Few enough bytes that twice their number fits a `u16`, so that the sums stay narrow.
const BLOCK: usize = 16 * 1024;

fn units_in_block(block: &[u8]) -> usize {
    if block.is_ascii() {
        return block.len();
    }
    let sum: u16 = block.iter().map(|&byte| starts(byte) + u16::from(byte >= 0xf0)).sum();
    usize::from(sum)
}

/// 1 for the first byte of a character, 0 for the bytes that continue one.
fn starts(byte: u8) -> u16 {
    u16::from(byte & 0xc0 != 0x80)
}

/// The longest beginning of `text` that has at most `limit` units. A character of two units is
/// taken whole or not at all.
#[must_use]
pub fn truncate(text: &str, limit: usize) -> &str {
    &text[..byte_of_unit(text, limit)]
}

/// Byte offset of the character that covers unit `unit`; `text.len()` if there is none. For the
/// second unit of a character that is where this character begins.
#[must_use]
pub fn byte_of_unit(text: &str, unit: usize) -> usize {
    let mut left = unit;
    let mut offset = 0;
    // Whole blocks first: counting them is much cheaper than going from character to character.
    for block in text.as_bytes().chunks(BLOCK) {
        let units = units_in_block(block);
        if units > left {
            break;
        }
        left -= units;
        offset += block.len();
    }
    // The border of a block may lie within a character; its first byte was counted in full.
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    for character in text[offset..].chars() {
        if character.len_utf16() > left {
            break;
        }
        left -= character.len_utf16();
        offset += character.len_utf8();
    }
    offset
}

/// Units before the character that covers byte `byte` of `text`; all units if `byte` is past it.
#[must_use]
pub fn unit_of_byte(text: &str, byte: usize) -> usize {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    units(&text[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_a_pair_as_two() {
        assert_eq!(units(""), 0);
        assert_eq!(units("aé€"), 3);
        assert_eq!(units("a😀b"), 4);
        assert_eq!(units(&"😀".repeat(20_000)), 40_000);
    }

    #[test]
    fn truncates_before_a_pair_that_does_not_fit() {
        assert_eq!(truncate("a😀b", 0), "");
        assert_eq!(truncate("a😀b", 1), "a");
        assert_eq!(truncate("a😀b", 2), "a");
        assert_eq!(truncate("a😀b", 3), "a😀");
        assert_eq!(truncate("a😀b", usize::MAX), "a😀b");
    }

    #[test]
    fn truncates_at_every_unit_around_the_block_border() {
        let text = format!("{}😀€{}", "x".repeat(BLOCK - 2), "y".repeat(10));
        let wide: Vec<u16> = text.encode_utf16().collect();
        for limit in BLOCK - 5..wide.len() + 2 {
            let got = truncate(&text, limit);
            let mut end = limit.min(wide.len());
            if end < wide.len() && (0xdc00..0xe000).contains(&wide[end]) {
                end -= 1;
            }
            assert_eq!(got, String::from_utf16(&wide[..end]).unwrap());
        }
    }

    proptest! {
        #[test]
        fn agrees_with_encode_utf16(text: String, at in 0usize..64) {
            prop_assert_eq!(units(&text), text.encode_utf16().count());
            let cut = truncate(&text, at);
            prop_assert!(units(cut) <= at);
            let next = text[cut.len()..].chars().next();
            prop_assert!(next.is_none_or(|c| units(cut) + c.len_utf16() > at));
        }

        #[test]
        fn offsets_and_columns_are_inverse(text: String) {
            for (byte, _) in text.char_indices() {
                prop_assert_eq!(byte_of_unit(&text, unit_of_byte(&text, byte)), byte);
            }
            prop_assert_eq!(unit_of_byte(&text, usize::MAX), units(&text));
        }
    }
}
