//! Decoding and encoding: UTF-8, and UTF-16 and UTF-32 where a byte order mark says so.
//!
//! Bytes that the encoding does not know become U+FFFD, one for each maximal ill-formed part, as
//! the WHATWG Encoding Standard, Node's `buffer.toString()` and [`String::from_utf8_lossy`] do it.

use std::str;

use content_inspector::ContentType;

/// How the characters of a file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; also what is assumed of everything without a byte order mark.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// UTF-32, lowest byte first.
    Utf32Le,
    /// UTF-32, highest byte first.
    Utf32Be,
}

impl Encoding {
    /// Its label, as the WHATWG Encoding Standard writes them: `utf-16le`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Utf32Le => "utf-32le",
            Self::Utf32Be => "utf-32be",
        }
    }

    /// Bytes of one code unit.
    #[must_use]
    pub fn unit_width(self) -> usize {
        match self {
            Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// Appends the bytes of `text` to `out`.
    pub fn encode_into(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Self::Utf8 => out.extend_from_slice(text.as_bytes()),
            Self::Utf16Le => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Utf32Le => out.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes())),
            Self::Utf32Be => out.extend(text.chars().flat_map(|c| u32::from(c).to_be_bytes())),
        }
    }
}

/// A byte order mark at the beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bom {
    /// The encoding it stands for.
    pub encoding: Encoding,
}

impl Bom {
    /// Bytes of the longest mark: as many are needed to tell UTF-32LE from UTF-16LE.
    pub const MAX_LEN: usize = 4;

    /// The mark that `head`, the first bytes of a file, begins with.
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Self> {
        // Given no more than the mark itself, content_inspector has nothing else to judge by.
        let encoding = match content_inspector::inspect(&head[..head.len().min(Self::MAX_LEN)]) {
            ContentType::UTF_8_BOM => Encoding::Utf8,
            ContentType::UTF_16LE => Encoding::Utf16Le,
            ContentType::UTF_16BE => Encoding::Utf16Be,
            ContentType::UTF_32LE => Encoding::Utf32Le,
            ContentType::UTF_32BE => Encoding::Utf32Be,
            ContentType::UTF_8 | ContentType::BINARY => return None,
        };
        Some(Self { encoding })
    }

    /// The mark's bytes: U+FEFF in its encoding.
    #[must_use]
    pub fn bytes(self) -> &'static [u8] {
        match self.encoding {
            Encoding::Utf8 => b"\xef\xbb\xbf",
            Encoding::Utf16Le => b"\xff\xfe",
            Encoding::Utf16Be => b"\xfe\xff",
            Encoding::Utf32Le => b"\xff\xfe\0\0",
            Encoding::Utf32Be => b"\0\0\xfe\xff",
        }
    }
}

/// What decoding found out about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFormat {
    /// The encoding, by the mark or assumed.
    pub encoding: Encoding,
    /// Whether there was a byte order mark.
    pub bom: bool,
    /// Whether some bytes were undecodable and stand as U+FFFD in the text.
    pub lossy: bool,
}

/// The text of a whole file. The byte order mark is not part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The characters.
    pub text: String,
    /// What they were stored as.
    pub format: TextFormat,
}

/// Decodes a whole file.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded {
    let mut text = String::with_capacity(bytes.len());
    let mut decoder = Decoder::new();
    decoder.push(bytes, &mut text);
    let format = decoder.finish(&mut text);
    Decoded { text, format }
}

/// The bytes of `text`, with a byte order mark in front if `bom`.
#[must_use]
pub fn encode(text: &str, encoding: Encoding, bom: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() * encoding.unit_width() + Bom::MAX_LEN);
    if bom {
        bytes.extend_from_slice(Bom { encoding }.bytes());
    }
    encoding.encode_into(text, &mut bytes);
    bytes
}

/// Decodes a file chunk by chunk; the borders of the chunks make no difference.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    /// Unknown until the first [`Bom::MAX_LEN`] bytes, or the end, have been seen.
    encoding: Option<Encoding>,
    bom: bool,
    lossy: bool,
    /// Bytes of a character, unit or mark that is not complete yet.
    carry: [u8; Bom::MAX_LEN],
    carried: usize,
    /// High surrogate that waits for its low one.
    high: Option<u16>,
}

impl Decoder {
    /// A decoder at the beginning of a file, where a byte order mark may stand.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder for text from which a mark, if there was one, has been taken already.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        Self { encoding: Some(encoding), ..Self::default() }
    }

    /// Decodes the next bytes and appends what is certain to `out`.
    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        match self.encoding {
            Some(encoding) => self.decode(encoding, chunk, out),
            None => {
                let taken = chunk.len().min(Bom::MAX_LEN - self.carried);
                self.carry[self.carried..self.carried + taken].copy_from_slice(&chunk[..taken]);
                self.carried += taken;
                if self.carried == Bom::MAX_LEN {
                    let encoding = self.begin(out);
                    self.decode(encoding, &chunk[taken..], out);
                }
            }
        }
    }

    /// Ends the text: a character that was never completed becomes U+FFFD.
    pub fn finish(mut self, out: &mut String) -> TextFormat {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.begin(out),
        };
        if self.high.take().is_some() {
            self.replace(out);
        }
        if self.carried > 0 {
            self.replace(out);
        }
        TextFormat { encoding, bom: self.bom, lossy: self.lossy }
    }

    /// Settles the encoding by the bytes carried so far, and decodes those after the mark.
    fn begin(&mut self, out: &mut String) -> Encoding {
        let head = self.carry;
        let head = &head[..self.carried];
        let bom = Bom::detect(head);
        let encoding = bom.map_or(Encoding::Utf8, |bom| bom.encoding);
        self.encoding = Some(encoding);
        self.bom = bom.is_some();
        self.carried = 0;
        self.decode(encoding, &head[bom.map_or(0, |bom| bom.bytes().len())..], out);
        encoding
    }

    fn decode(&mut self, encoding: Encoding, chunk: &[u8], out: &mut String) {
        match encoding {
            Encoding::Utf8 => self.decode_utf8(chunk, out),
            wide => self.decode_wide(wide, chunk, out),
        }
    }

    fn decode_utf8(&mut self, chunk: &[u8], out: &mut String) {
        let mut rest = self.complete_utf8(chunk, out);
        loop {
            let error = match str::from_utf8(rest) {
                Ok(text) => return out.push_str(text),
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            // Validating a second time is cheap, and the safe way to have them as a string.
            out.push_str(str::from_utf8(valid).unwrap_or_default());
            match error.error_len() {
                Some(length) => {
                    self.replace(out);
                    rest = &after[length..];
                }
                None => {
                    self.carry[..after.len()].copy_from_slice(after);
                    self.carried = after.len();
                    return;
                }
            }
        }
    }

    /// Completes the carried character with the first bytes of `chunk`; gives the bytes left.
    fn complete_utf8<'c>(&mut self, chunk: &'c [u8], out: &mut String) -> &'c [u8] {
        let mut rest = chunk;
        while self.carried > 0 {
            let Some((&byte, after)) = rest.split_first() else { break };
            self.carry[self.carried] = byte;
            match str::from_utf8(&self.carry[..=self.carried]) {
                Ok(text) => {
                    out.push_str(text);
                    self.carried = 0;
                }
                Err(error) if error.error_len().is_none() => self.carried += 1,
                Err(_) => {
                    // What was carried could have begun a character, but not with this byte,
                    // which is therefore looked at again on its own.
                    self.carried = 0;
                    self.replace(out);
                    break;
                }
            }
            rest = after;
        }
        rest
    }

    fn decode_wide(&mut self, encoding: Encoding, chunk: &[u8], out: &mut String) {
        let width = encoding.unit_width();
        let mut rest = chunk;
        if self.carried > 0 {
            let taken = rest.len().min(width - self.carried);
            self.carry[self.carried..self.carried + taken].copy_from_slice(&rest[..taken]);
            self.carried += taken;
            if self.carried < width {
                return;
            }
            let unit = self.carry;
            self.carried = 0;
            self.unit(encoding, &unit[..width], out);
            rest = &rest[taken..];
        }
        let mut units = rest.chunks_exact(width);
        for unit in &mut units {
            self.unit(encoding, unit, out);
        }
        let partial = units.remainder();
        self.carry[..partial.len()].copy_from_slice(partial);
        self.carried = partial.len();
    }

    fn unit(&mut self, encoding: Encoding, unit: &[u8], out: &mut String) {
        match (encoding, unit) {
            (Encoding::Utf16Le, &[a, b]) => self.utf16(u16::from_le_bytes([a, b]), out),
            (Encoding::Utf16Be, &[a, b]) => self.utf16(u16::from_be_bytes([a, b]), out),
            (Encoding::Utf32Le, &[a, b, c, d]) => self.utf32(u32::from_le_bytes([a, b, c, d]), out),
            (_, &[a, b, c, d]) => self.utf32(u32::from_be_bytes([a, b, c, d]), out),
            _ => self.replace(out),
        }
    }

    fn utf16(&mut self, unit: u16, out: &mut String) {
        if let Some(high) = self.high.take() {
            if let Some(Ok(character)) = char::decode_utf16([high, unit]).next() {
                return out.push(character);
            }
            self.replace(out);
        }
        match unit {
            0xd800..=0xdbff => self.high = Some(unit),
            0xdc00..=0xdfff => self.replace(out),
            _ => self.utf32(u32::from(unit), out),
        }
    }

    fn utf32(&mut self, value: u32, out: &mut String) {
        match char::from_u32(value) {
            Some(character) => out.push(character),
            None => self.replace(out),
        }
    }

    fn replace(&mut self, out: &mut String) {
        self.lossy = true;
        out.push(char::REPLACEMENT_CHARACTER);
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
    fn takes_the_mark_off_and_knows_utf_32_from_utf_16() {
        for encoding in ALL {
            let mark = Bom { encoding }.bytes();
            assert_eq!(Bom::detect(mark), Some(Bom { encoding }));
            let decoded = decode(mark);
            assert_eq!(decoded.text, "");
            assert_eq!(decoded.format, TextFormat { encoding, bom: true, lossy: false });
        }
        assert_eq!(Bom::detect(b"\xff"), None);
        assert_eq!(Bom::detect(b"\xff\xfea\0").unwrap().encoding, Encoding::Utf16Le);
        assert_eq!(Bom::detect(b"\x89PNG"), None);
    }

    #[test]
    fn takes_only_the_first_mark_off() {
        assert_eq!(decode("\u{feff}\u{feff}a".as_bytes()).text, "\u{feff}a");
        assert_eq!(decode("a\u{feff}".as_bytes()).text, "a\u{feff}");
    }

    /// Expected texts are what Node 20 gives for `Buffer.toString('utf8')`.
    #[test]
    fn replaces_bad_utf_8_as_node_does() {
        let cases: [(&[u8], &str); 9] = [
            (b"a\xe9b", "a\u{fffd}b"),
            (b"\xe2\x82", "\u{fffd}"),
            (b"\xe2\x82a", "\u{fffd}a"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\xf0\x9f\xf0\x9f\x98\x80", "\u{fffd}\u{1f600}"),
            (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xff\xff", "\u{fffd}\u{fffd}"),
        ];
        for (bytes, text) in cases {
            assert_eq!(decode(bytes).text, text, "{bytes:x?}");
            assert!(decode(bytes).format.lossy);
        }
    }

    #[test]
    fn replaces_bad_units() {
        assert_eq!(decode(b"\xff\xfe\x00\xd8a\0").text, "\u{fffd}a");
        assert_eq!(decode(b"\xff\xfe\x00\xdca\0").text, "\u{fffd}a");
        assert_eq!(decode(b"\xff\xfe\x00\xd8\x00\xd8\x00\xdc").text, "\u{fffd}\u{10000}");
        assert_eq!(decode(b"\xff\xfe\x00\xd8a").text, "\u{fffd}\u{fffd}");
        assert_eq!(decode(b"\xff\xfea\0b").text, "a\u{fffd}");
        assert_eq!(decode(b"\0\0\xfe\xff\0\x11\0\0").text, "\u{fffd}");
        assert_eq!(decode(b"\0\0\xfe\xff\0\0\xd8\0\0\0\0a\0").text, "\u{fffd}a\u{fffd}");
    }

    fn marked_bytes() -> impl Strategy<Value = Vec<u8>> {
        let mark = prop::sample::select(vec![
            &b""[..],
            b"\xef\xbb\xbf",
            b"\xff\xfe",
            b"\xfe\xff",
            b"\xff\xfe\0\0",
            b"\0\0\xfe\xff",
        ]);
        let unit = prop_oneof![
            any::<Vec<u8>>(),
            any::<char>().prop_map(|c| c.to_string().into_bytes()),
            any::<char>().prop_map(|c| encode(&c.to_string(), Encoding::Utf16Le, false)),
            prop::sample::select(vec![b"\0\xd8".to_vec(), b"\0\xdc".to_vec(), vec![0xe2, 0x82]]),
        ];
        (mark, prop::collection::vec(unit, 0..8))
            .prop_map(|(mark, units)| [mark, &units.concat()].concat())
    }

    proptest! {
        #[test]
        fn the_borders_of_chunks_make_no_difference(
            bytes in marked_bytes(),
            sizes in prop::collection::vec(0usize..6, 1..40),
        ) {
            let whole = decode(&bytes);
            let mut decoder = Decoder::new();
            let mut text = String::new();
            let mut rest = &bytes[..];
            for size in sizes {
                let (chunk, after) = rest.split_at(size.min(rest.len()));
                decoder.push(chunk, &mut text);
                rest = after;
            }
            decoder.push(rest, &mut text);
            let format = decoder.finish(&mut text);
            prop_assert_eq!(Decoded { text, format }, whole);
        }

        #[test]
        fn without_a_mark_decodes_as_the_standard_library(bytes: Vec<u8>) {
            prop_assume!(Bom::detect(&bytes).is_none());
            let decoded = decode(&bytes);
            prop_assert_eq!(&decoded.text, &String::from_utf8_lossy(&bytes));
            prop_assert_eq!(decoded.format.lossy, str::from_utf8(&bytes).is_err());
        }

        #[test]
        fn decodes_what_it_encodes(text: String, which in 0usize..5) {
            let encoding = ALL[which];
            let decoded = decode(&encode(&text, encoding, true));
            // FF FE 00 00 is the mark of UTF-32LE, so UTF-16LE text cannot begin with a NUL.
            prop_assume!(!(encoding == Encoding::Utf16Le && text.starts_with('\0')));
            prop_assert_eq!(decoded.text, text);
            prop_assert_eq!(decoded.format, TextFormat { encoding, bom: true, lossy: false });
        }
    }
}
