//! Where lines end in the bytes of a file, whatever its encoding.

use memchr::memchr_iter;

use crate::text::encoding::Encoding;

/// Finds newlines in bytes that begin with a whole code unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEnds {
    /// A newline as it is stored.
    newline: &'static [u8],
    /// Where in it the byte 0x0A stands.
    lead: usize,
}

impl LineEnds {
    /// Those of an encoding.
    pub(super) fn of(encoding: Encoding) -> Self {
        let (newline, lead): (&[u8], usize) = match encoding {
            Encoding::Utf8 => (b"\n", 0),
            Encoding::Utf16Le => (b"\n\0", 0),
            Encoding::Utf16Be => (b"\0\n", 1),
            Encoding::Utf32Le => (b"\n\0\0\0", 0),
            Encoding::Utf32Be => (b"\0\0\0\n", 3),
        };
        Self { newline, lead }
    }

    /// How many there are.
    pub(super) fn count(self, bytes: &[u8]) -> usize {
        if self.newline.len() == 1 {
            memchr_iter(b'\n', bytes).count()
        } else {
            self.after(bytes).count()
        }
    }

    /// The positions right after them.
    pub(super) fn after(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        memchr_iter(b'\n', bytes).filter_map(move |at| {
            let start = at.checked_sub(self.lead)?;
            let end = start + self.newline.len();
            // Bytes of other units may look like a newline, or a part of one.
            let is_newline = start.is_multiple_of(self.newline.len())
                && bytes.get(start..end) == Some(self.newline);
            is_newline.then_some(end)
        })
    }

    /// Whether the last unit is one.
    pub(super) fn is_last(self, bytes: &[u8]) -> bool {
        bytes.len().is_multiple_of(self.newline.len()) && bytes.ends_with(self.newline)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Encoding; 5] = [
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Utf32Le,
        Encoding::Utf32Be,
    ];

    #[test]
    fn is_not_misled_by_other_units() {
        // U+0A00, U+000A and U+0A0A, and a newline that lies across two units.
        let units = |text: &str, encoding: Encoding| {
            let mut bytes = Vec::new();
            encoding.encode_into(text, &mut bytes);
            LineEnds::of(encoding).after(&bytes).collect::<Vec<_>>()
        };
        assert_eq!(units("\u{a00}\n\u{a0a}", Encoding::Utf16Le), [4]);
        assert_eq!(units("\u{a00}\n\u{a0a}", Encoding::Utf16Be), [4]);
        assert_eq!(units("\u{a00}\u{a}", Encoding::Utf32Be), [8]);
        assert_eq!(LineEnds::of(Encoding::Utf16Le).count(b"a\n\0a"), 0);
        assert_eq!(LineEnds::of(Encoding::Utf16Be).count(b"\n\0\n"), 0);
        assert!(!LineEnds::of(Encoding::Utf16Le).is_last(b"a\n\0"));
    }

    proptest! {
        #[test]
        fn finds_those_of_the_text(text in "[a\\n\\r\u{a00}\u{a0a}\u{10a00}é]{0,20}") {
            for encoding in ALL {
                let mut bytes = Vec::new();
                encoding.encode_into(&text, &mut bytes);
                let expected: Vec<usize> = text
                    .match_indices('\n')
                    .map(|(at, _)| {
                        let mut before = Vec::new();
                        encoding.encode_into(&text[..=at], &mut before);
                        before.len()
                    })
                    .collect();
                let ends = LineEnds::of(encoding);
                prop_assert_eq!(ends.count(&bytes), expected.len());
                prop_assert_eq!(ends.is_last(&bytes), text.ends_with('\n'));
                prop_assert_eq!(ends.after(&bytes).collect::<Vec<_>>(), expected);
            }
        }
    }
}
