//! What is shown of a matching line.

use std::ops::Range;

use crate::text::{trim, utf16};

/// Most UTF-16 units of a snippet; the published tools show as many.
const MAX_UNITS: usize = 200;

/// Where in `line` that stands which is shown of it: the trimmed line; of a long one its first 200 UTF-16
/// units, or as many around the match (a range of bytes in `line`) if they do not hold it. No character is
/// split.
pub(crate) fn snippet(line: &str, found: Range<usize>) -> Range<usize> {
    let shown = trim::trim_js(line);
    let offset = line.len() - line.trim_start_matches(trim::is_js_space).len();
    let start = found.start.saturating_sub(offset).min(shown.len());
    let end = found.end.saturating_sub(offset).min(shown.len());
    let first = utf16::truncate(shown, MAX_UNITS);
    if end <= first.len() {
        return offset..offset + first.len();
    }
    let start = utf16::unit_of_byte(shown, start);
    let width = utf16::unit_of_byte(shown, end).saturating_sub(start);
    // As much before the match as behind it, but no more behind it than there is.
    let before = MAX_UNITS.saturating_sub(width) / 2;
    let last = utf16::units(shown).saturating_sub(MAX_UNITS);
    let wanted = start.saturating_sub(before).min(last);
    let mut from = utf16::byte_of_unit(shown, wanted);
    // The second unit of a pair is at its character, which begins one unit too early.
    if utf16::unit_of_byte(shown, from) < wanted {
        from += shown[from..].chars().next().map_or(0, char::len_utf8);
    }
    let length = utf16::truncate(&shown[from..], MAX_UNITS).len();
    offset + from..offset + from + length
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(line: &str, needle: &str) -> String {
        let start = line.find(needle).unwrap();
        line[snippet(line, start..start + needle.len())].to_owned()
    }

    #[test]
    fn shows_what_the_published_tools_show_where_it_holds_the_match() {
        assert_eq!(of("  a needle \t", "needle"), "a needle");
        let long = format!("\t{}needle{}", "a".repeat(194), "b".repeat(300));
        assert_eq!(of(&long, "needle"), format!("{}needle", "a".repeat(194)));
        assert_eq!(snippet("   ", 1..1), 3..3);
        assert_eq!(snippet("  a", 0..0), 2..3);
    }

    #[test]
    fn shows_the_match_where_the_beginning_does_not() {
        let long = format!("{}needle{}", "a".repeat(195), "b".repeat(300));
        assert_eq!(of(&long, "needle"), format!("{}needle{}", "a".repeat(97), "b".repeat(97)));
        let late = format!("{}needle", "a".repeat(500));
        assert_eq!(of(&late, "needle"), format!("{}needle", "a".repeat(194)));
        let wide = "x".repeat(300);
        let line = format!("{}{wide}", "a".repeat(300));
        assert_eq!(of(&line, &wide), "x".repeat(200));
    }

    #[test]
    fn does_not_split_a_pair() {
        let line = format!("a{}", "\u{1f600}".repeat(150));
        assert_eq!(&line[snippet(&line, 0..1)], format!("a{}", "\u{1f600}".repeat(99)));
        let line = format!("{}x", "\u{1f600}".repeat(150));
        assert_eq!(of(&line, "x"), format!("{}x", "\u{1f600}".repeat(99)));
    }

    proptest! {
        #[test]
        fn holds_the_match(
            before in "[ a\u{e9}\u{1f600}]{0,260}",
            needle in "[xy\u{1f601}]{1,40}",
            after in "[ b\u{1f600}]{0,260}",
        ) {
            let line = format!("{before}{needle}{after}");
            let shown = &line[snippet(&line, before.len()..before.len() + needle.len())];
            prop_assert!(shown.contains(&needle), "{shown}");
            prop_assert!(utf16::units(shown) <= MAX_UNITS);
            prop_assert!(trim::trim_js(&line).contains(shown));
        }
    }
}
