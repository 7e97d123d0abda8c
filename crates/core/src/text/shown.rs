//! Names as they stand in results: one that could forge or hide something is quoted and escaped.
//!
//! The quoted form is a JSON string, with one addition: `\xNN` is a byte that is not UTF-8. No
//! name is shown like another, and every quoted form can be turned back into its bytes.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// Characters outside ASCII that cannot be seen, or that move what is seen around them. Sorted.
///
/// These are, in Unicode 17, Cc, Zl, Zp, `Bidi_Control` and `Default_Ignorable_Code_Point`
/// together (`extracted/DerivedGeneralCategory.txt`, `PropList.txt`, `DerivedCoreProperties.txt`
/// of the Unicode Character Database), and of Cf what is not in them and yet invisible, U+FFF9 to
/// U+FFFB. The rest of Cf has glyphs: the Arabic, Syriac and Kaithi number signs, and the joiners
/// of Egyptian hieroglyphs.
const HIDDEN: [(char, char); 20] = [
    ('\u{80}', '\u{9f}'),       // C1 controls
    ('\u{ad}', '\u{ad}'),       // soft hyphen
    ('\u{34f}', '\u{34f}'),     // combining grapheme joiner
    ('\u{61c}', '\u{61c}'),     // bidi: Arabic letter mark
    ('\u{115f}', '\u{1160}'),   // Hangul fillers
    ('\u{17b4}', '\u{17b5}'),   // Khmer inherent vowels
    ('\u{180b}', '\u{180f}'),   // Mongolian variation selectors and vowel separator
    ('\u{200b}', '\u{200f}'),   // zero width: space, joiners; bidi: marks
    ('\u{2028}', '\u{202e}'),   // line and paragraph separator; bidi: embeddings and overrides
    ('\u{2060}', '\u{206f}'),   // word joiner, invisible operators; bidi: isolates
    ('\u{3164}', '\u{3164}'),   // Hangul filler
    ('\u{fe00}', '\u{fe0f}'),   // variation selectors
    ('\u{feff}', '\u{feff}'),   // zero width no-break space
    ('\u{ffa0}', '\u{ffa0}'),   // halfwidth Hangul filler
    ('\u{fff0}', '\u{fff8}'),   // ignorable, unassigned
    ('\u{fff9}', '\u{fffb}'),   // interlinear annotation
    ('\u{1bca0}', '\u{1bca3}'), // shorthand format controls
    ('\u{1d173}', '\u{1d17a}'), // musical format controls
    ('\u{e0000}', '\u{e007f}'), // tags
    ('\u{e0080}', '\u{e0fff}'), // more variation selectors; ignorable, unassigned
];

/// Whether a name with this character is shown quoted.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    let after = HIDDEN.partition_point(|&(first, _)| first <= character);
    after > 0 && character <= HIDDEN[after - 1].1
}

/// [`shown`] of a path.
#[must_use]
pub fn shown_path(path: &Path) -> Cow<'_, str> {
    shown(path.as_os_str().as_encoded_bytes())
}

/// The form of `path` for results: itself, or quoted if it holds a hidden character or a byte
/// that is not UTF-8, or begins with a quotation mark.
#[must_use]
pub fn shown(path: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(path) {
        Ok(text) if !text.starts_with('"') && !text.contains(is_hidden) => Cow::Borrowed(text),
        _ => Cow::Owned(quoted(path)),
    }
}

fn quoted(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len() + 16);
    out.push('"');
    for chunk in path.utf8_chunks() {
        for piece in chunk.valid().split_inclusive(is_hidden) {
            let hidden = piece.chars().next_back().filter(|&last| is_hidden(last));
            let visible = &piece[..piece.len() - hidden.map_or(0, char::len_utf8)];
            let json = serde_json::Value::from(visible).to_string();
            out.push_str(&json[1..json.len() - 1]);
            for unit in hidden.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
                escape(&mut out, unit);
            }
        }
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

/// One UTF-16 unit as JSON escapes it; the short form where JSON has one.
fn escape(out: &mut String, unit: u16) {
    match unit {
        0x08 => out.push_str("\\b"),
        0x09 => out.push_str("\\t"),
        0x0a => out.push_str("\\n"),
        0x0c => out.push_str("\\f"),
        0x0d => out.push_str("\\r"),
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

/// The bytes behind a quoted form; `None` if `shown` is not one complete quoted string, and so a
/// plain name.
#[must_use]
pub fn unquote(shown: &str) -> Option<Vec<u8>> {
    let mut rest = shown.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = Vec::with_capacity(rest.len());
    while let Some(at) = byte_escape(rest) {
        json_string(&rest[..at], &mut out)?;
        let digits = rest.get(at + 2..at + 4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        out.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[at + 4..];
    }
    json_string(rest, &mut out)?;
    Some(out)
}

/// Where the first `\x` stands that is not the end of `\\`.
fn byte_escape(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'\\', &text.as_bytes()[at..])?;
        if text.as_bytes().get(at + 1) == Some(&b'x') {
            return Some(at);
        }
        // Whatever is escaped, it is no beginning of an escape. A backslash may be the last byte.
        at = (at + 2).min(text.len());
    }
}

/// Decodes the inside of a JSON string.
fn json_string(inside: &str, out: &mut Vec<u8>) -> Option<()> {
    let text: String = serde_json::from_str(&format!("\"{inside}\"")).ok()?;
    out.extend_from_slice(text.as_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_table_is_sorted_and_apart() {
        assert!(HIDDEN.iter().all(|(first, last)| first <= last));
        assert!(HIDDEN.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn leaves_ordinary_names_alone() {
        for name in ["", "/a/b c.txt", "ü/日本/😀", "a\"b", "back\\slash", "\u{a0}x\u{600}"] {
            assert!(matches!(shown(name.as_bytes()), Cow::Borrowed(same) if same == name));
        }
    }

    #[test]
    fn quotes_what_could_forge_or_hide() {
        let cases: [(&[u8], &str); 11] = [
            (b"a\nFound 3 files", r#""a\nFound 3 files""#),
            (b"\"q\"", r#""\"q\"""#),
            (b"t\tb\\", r#""t\tb\\""#),
            (b"\x1b[2J\x7f", r#""\u001b[2J\u007f""#),
            (b"caf\xe9.txt", r#""caf\xe9.txt""#),
            ("\u{85}".as_bytes(), r#""\u0085""#),
            ("gpj.\u{202e}exe".as_bytes(), r#""gpj.\u202eexe""#),
            ("a\u{200b}b\u{2028}".as_bytes(), r#""a\u200bb\u2028""#),
            ("\u{e0041}é".as_bytes(), r#""\udb40\udc41é""#),
            (b"\xed\xa0\x80", r#""\xed\xa0\x80""#),
            (b"\\xe9\n", r#""\\xe9\n""#),
        ];
        for (bytes, text) in cases {
            assert_eq!(shown(bytes), text);
            assert_eq!(unquote(text).unwrap(), bytes);
        }
    }

    #[test]
    fn takes_back_only_well_formed_quotes() {
        for bad in [
            "",
            "a",
            "\"",
            "\"a",
            "a\"",
            r#""a"b""#,
            r#""\""#,
            r#""\x4""#,
            r#""\x4g""#,
            r#""\x+4""#,
            r#""\xé""#,
            r#""\ud800""#,
            r#""\ud83d\x41\ude00""#,
            r#""\q""#,
            "\"a\nb\"",
            r#"" "x" ""#,
        ] {
            assert_eq!(unquote(bad), None, "{bad}");
        }
        assert_eq!(unquote(r#""\x41\/\u0041é""#).unwrap(), "A/Aé".as_bytes());
        assert_eq!(unquote(r#""""#).unwrap(), b"");
    }

    fn names() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            any::<Vec<u8>>(),
            any::<String>().prop_map(String::into_bytes),
            prop::sample::select(&HIDDEN[..]).prop_map(|(c, _)| c.to_string().into_bytes()),
            prop::sample::select(vec!["\"", "\\", "\\x", "\\u", "\n", "x41"])
                .prop_map(|s| s.as_bytes().to_vec()),
        ];
        prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn can_be_taken_back(name in names()) {
            let text = shown(&name);
            prop_assert!(!text.contains(is_hidden));
            match &text {
                Cow::Borrowed(same) => prop_assert_eq!(same.as_bytes(), &name),
                Cow::Owned(quoted) => prop_assert_eq!(unquote(quoted), Some(name.clone())),
            }
            prop_assert_eq!(matches!(&text, Cow::Owned(_)), text.starts_with('"'));
        }

        #[test]
        fn no_text_makes_it_panic(text in r#""[\\xu"a0-9é]{0,12}""#) {
            let _ = unquote(&text);
        }
    }
}
