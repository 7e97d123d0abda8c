//! White space as JavaScript trims it.

/// Whether `String.prototype.trim` removes this character: ECMAScript's WhiteSpace and
/// LineTerminator productions. Unlike [`char::is_whitespace`] it holds U+FEFF and not U+0085.
#[must_use]
pub fn is_js_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// `text` without the white space at both ends, as `String.prototype.trim` gives it.
#[must_use]
pub fn trim_js(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_exactly_the_characters_of_ecmascript() {
        let found: Vec<u32> =
            ('\0'..=char::MAX).filter(|&c| is_js_space(c)).map(u32::from).collect();
        let mut expected = vec![0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0xa0, 0x1680];
        expected.extend(0x2000..=0x200a);
        expected.extend([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
        assert_eq!(found, expected);
    }

    #[test]
    fn trims_both_ends_only() {
        assert_eq!(trim_js("\u{feff} \t a b\u{a0}\r\n"), "a b");
        assert_eq!(trim_js("\u{85}a\u{200b}"), "\u{85}a\u{200b}");
        assert_eq!(trim_js(" \n"), "");
    }
}
