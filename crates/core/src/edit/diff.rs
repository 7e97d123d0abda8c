//! What changed between two versions of a text, as a unified diff.
//!
//! Myers' algorithm (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986) as the
//! crate `similar` has it, on lines that end with `\n` alone, as everywhere in this module.

use std::borrow::Cow;
use std::time::Duration;

use similar::TextDiff;

use crate::text::encoding::{self, Bom};

/// Lines around a change, as `diff -u` shows.
const CONTEXT: usize = 3;

/// What the search for a short diff may take; then a longer one is taken, which is as true.
const PATIENCE: Duration = Duration::from_millis(500);

/// The unified diff from `before` to `after`, both named `name`; empty for equal texts. Bytes that
/// are no characters show as U+FFFD, byte order marks are not shown.
#[must_use]
pub fn unified(before: &[u8], after: &[u8], name: &str) -> String {
    let (before, after) = (text_of(before), text_of(after));
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    TextDiff::configure()
        .newline_terminated(true)
        .timeout(PATIENCE)
        .diff_slices(&old, &new)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(name, name)
        .to_string()
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match (Bom::detect(bytes), str::from_utf8(bytes)) {
        (None, Ok(text)) => Cow::Borrowed(text),
        _ => Cow::Owned(encoding::decode(bytes).text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::encoding::Encoding;

    #[test]
    fn shows_what_changed_with_three_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let expected = "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(unified(before.as_bytes(), after.as_bytes(), "f"), expected);
    }

    #[test]
    fn says_where_the_last_newline_is_missing() {
        let expected = "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n";
        assert_eq!(unified(b"a\n", b"a", "f"), expected);
    }

    #[test]
    fn keeps_to_newlines_where_carriage_returns_stand_alone() {
        let expected = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\rb\n+a\rc\n d\r\n";
        assert_eq!(unified(b"a\rb\nd\r\n", b"a\rc\nd\r\n", "f"), expected);
    }

    #[test]
    fn is_empty_for_equal_texts() {
        assert_eq!(unified(b"a\n", b"a\n", "f"), "");
    }

    #[test]
    fn reads_the_encoding_of_the_mark() {
        let encoded = |text| encoding::encode(text, Encoding::Utf16Le, true);
        let expected = "--- f\n+++ f\n@@ -1 +1 @@\n-é\n+ä\n";
        assert_eq!(unified(&encoded("é\n"), &encoded("ä\n"), "f"), expected);
        assert!(unified(b"\xe9\n", b"\xe9\n1\n", "f").contains("+1\n"));
    }
}
