//! Collects changes of the text and turns them into splices on the file's bytes.

use std::mem;

use super::{EditError, File, Splice};
use crate::text::encoding::{Decoder, Encoding};
use crate::text::utf16;

/// Changes with fewer bytes between them share a splice: a splice of its own costs more memory
/// than the bytes in between, and a text of ten million letters may have every second replaced.
const GAP: usize = 64;

/// Bytes decoded at once when the text is not valid UTF-8.
const BLOCK: usize = 16 * 1024;

/// Text to insert, measured once, however often it is inserted.
#[derive(Clone, Copy)]
pub(super) struct Inserted<'t> {
    pub(super) text: &'t str,
    pub(super) units: usize,
}

impl<'t> Inserted<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, units: utf16::units(text) }
    }
}

/// Takes changes of a file's text in ascending order.
pub(super) struct Splices<'f> {
    file: &'f File<'f>,
    max_units: usize,
    splices: Vec<Splice>,
    /// Offset in the text up to which everything has been counted.
    text_done: usize,
    /// Offset in the bytes that corresponds to `text_done`.
    bytes_done: usize,
    result: Length,
    /// Units inserted: the result has as many at least.
    inserted: usize,
    unaligned: bool,
}

impl<'f> Splices<'f> {
    pub(super) fn new(file: &'f File<'f>, max_units: usize) -> Self {
        Self {
            file,
            max_units,
            splices: Vec::new(),
            text_done: 0,
            bytes_done: file.mark,
            result: Length::new(),
            inserted: 0,
            unaligned: false,
        }
    }

    /// At offset `at` of the text, `delete` bytes of the text go and `insert` comes.
    pub(super) fn push(&mut self, at: usize, delete: usize, insert: Inserted<'_>) {
        self.result.push(&self.file.text[self.text_done..at]);
        self.result.push_text(insert);
        let byte = self.advance(at);
        let end = self.advance(at + delete);
        if end == byte && byte == self.file.bytes.len() && self.file.partial_unit() > 0 {
            self.unaligned = true;
        }
        self.inserted += insert.units;
        if self.inserted > self.max_units {
            // Refused in the end; till then only the length matters.
            self.splices.clear();
        } else {
            self.record(byte, end, insert.text);
        }
    }

    /// The splices, and the UTF-16 units of the text afterwards.
    pub(super) fn finish(mut self) -> Result<(Vec<Splice>, usize), EditError> {
        self.result.push(&self.file.text[self.text_done..]);
        let units = self.result.finish();
        if self.unaligned {
            return Err(EditError::Encoding(
                "The file ends in the middle of a character; nothing can be inserted after it",
            ));
        }
        if units > self.max_units {
            return Err(EditError::TooLong { units, max: self.max_units });
        }
        Ok((self.splices, units))
    }

    /// Goes on to offset `to` of the text and gives the offset of the bytes there.
    fn advance(&mut self, to: usize) -> usize {
        let passed = &self.file.text[self.text_done..to];
        self.bytes_done += match self.file.encoding {
            Encoding::Utf8 => passed.len(),
            // One invalid unit is one U+FFFD, so the units of the text are those of the file.
            Encoding::Utf16Le | Encoding::Utf16Be => utf16::units(valid(passed)) * 2,
            Encoding::Utf32Le | Encoding::Utf32Be => valid(passed).chars().count() * 4,
        };
        // The bytes that are less than a unit are one U+FFFD as well.
        self.bytes_done = self.bytes_done.min(self.file.bytes.len());
        self.text_done = to;
        self.bytes_done
    }

    fn record(&mut self, byte: usize, end: usize, insert: &str) {
        if let Some(last) = self.splices.last_mut() {
            let last_end = last.at + last.delete;
            if byte - last_end < GAP {
                last.insert.extend_from_slice(&self.file.bytes[last_end..byte]);
                self.file.encoding.encode_into(insert, &mut last.insert);
                last.delete = end - last.at;
                return;
            }
        }
        let mut bytes = Vec::new();
        self.file.encoding.encode_into(insert, &mut bytes);
        self.splices.push(Splice { at: byte, delete: end - byte, insert: bytes });
    }
}

/// A part of a decoded text. Such texts are UTF-8 and offsets in them lie between characters.
fn valid(text: &[u8]) -> &str {
    str::from_utf8(text).unwrap_or_default()
}

/// Counts the UTF-16 units of a text given in parts, whose borders may join what was apart.
struct Length {
    decoder: Decoder,
    block: String,
    units: usize,
    /// Whether something invalid was met: from then on the decoder has to see everything.
    decoding: bool,
}

impl Length {
    fn new() -> Self {
        Self {
            decoder: Decoder::of(Encoding::Utf8),
            block: String::new(),
            units: 0,
            decoding: false,
        }
    }

    fn push(&mut self, part: &[u8]) {
        if !self.decoding {
            match str::from_utf8(part) {
                Ok(text) => {
                    self.units += utf16::units(text);
                    return;
                }
                Err(_) => self.decoding = true,
            }
        }
        for block in part.chunks(BLOCK) {
            self.decoder.push(block, &mut self.block);
            self.units += utf16::units(&self.block);
            self.block.clear();
        }
    }

    /// Characters before which an incomplete one cannot go on.
    fn push_text(&mut self, text: Inserted<'_>) {
        if !text.text.is_empty() {
            self.end_character();
            self.units += text.units;
        }
    }

    fn end_character(&mut self) {
        mem::replace(&mut self.decoder, Decoder::of(Encoding::Utf8)).finish(&mut self.block);
        self.units += utf16::units(&self.block);
        self.block.clear();
    }

    fn finish(mut self) -> usize {
        self.end_character();
        self.units
    }
}
