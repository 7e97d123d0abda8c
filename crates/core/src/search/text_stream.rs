//! The text of a file, a piece of whole lines at a time, in one buffer that is used again.

use crate::fs::Errno;
use crate::fs::tree::File;
use crate::text::encoding::{Bom, Decoder, Encoding};

/// Bytes read at a time. Between 16 KiB and 1 MiB the size made no difference to a search of the
/// Linux sources.
const BLOCK: usize = 256 << 10;

/// Memory that a thread keeps after a long line.
const KEPT: usize = 4 << 20;

/// Longest line that is looked at, in bytes; the buffer grows up to it.
pub(crate) const MAX_LINE: usize = 32 << 20;

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    text: Vec<u8>,
    raw: Vec<u8>,
}

/// Why there is no more text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The file cannot be read.
    Unreadable(Errno),
    /// It has more bytes than allowed.
    TooLong,
    /// It has a line of more than [`MAX_LINE`] bytes.
    LineTooLong,
}

/// A file being read.
#[derive(Debug)]
pub(crate) struct TextStream<'a> {
    file: &'a File,
    text: &'a mut Vec<u8>,
    raw: &'a mut Vec<u8>,
    /// The part of `text` that holds text.
    filled: usize,
    /// Bytes of `text` that earlier pieces gave.
    consumed: usize,
    /// Bytes read from the file, and how many may be.
    total: u64,
    max_bytes: u64,
    ended: bool,
    started: bool,
    /// For files that are not UTF-8.
    decoder: Option<Decoder>,
}

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    /// Whole lines with their ends; the last line of the file may lack its end.
    pub(crate) text: &'t [u8],
    /// The file's first bytes as they are, in the first piece of a file without the byte order
    /// mark of UTF-16 or UTF-32; else empty.
    pub(crate) head: &'t [u8],
    /// Whether it is the last piece.
    pub(crate) is_last: bool,
    /// Bytes read from the file so far.
    pub(crate) bytes_read: u64,
}

impl<'a> TextStream<'a> {
    /// Begins to read a file of which at most `max_bytes` are taken.
    pub(crate) fn new(file: &'a File, buffers: &'a mut Buffers, max_bytes: u64) -> Self {
        let Buffers { text, raw } = buffers;
        text.resize(BLOCK, 0);
        Self {
            file,
            text,
            raw,
            filled: 0,
            consumed: 0,
            total: 0,
            max_bytes,
            ended: false,
            started: false,
            decoder: None,
        }
    }

    /// The next piece; `None` after the last.
    ///
    /// # Errors
    /// [`Broken`], which ends the file.
    pub(crate) fn next(&mut self) -> Result<Option<Piece<'_>>, Broken> {
        if self.ended {
            return Ok(None);
        }
        self.text.copy_within(self.consumed..self.filled, 0);
        self.filled -= self.consumed;
        self.consumed = 0;
        let is_first = !self.started;
        let mut start = 0;
        loop {
            if self.filled == self.text.len() {
                self.grow()?;
            }
            let searched = self.filled;
            if self.started {
                self.fill()?;
            } else {
                start = self.begin()?;
            }
            if self.ended {
                self.consumed = self.filled;
                break;
            }
            let fresh = &self.text[searched..self.filled];
            if let Some(end) = memchr::memrchr(b'\n', fresh) {
                self.consumed = searched + end + 1;
                break;
            }
        }
        let head = if is_first && self.decoder.is_none() { self.filled } else { 0 };
        Ok(Some(Piece {
            text: &self.text[start..self.consumed],
            head: &self.text[..head],
            is_last: self.ended,
            bytes_read: self.total,
        }))
    }

    /// Reads the first bytes and finds out how they are encoded. Gives where the text begins.
    fn begin(&mut self) -> Result<usize, Broken> {
        self.started = true;
        self.read_text()?;
        match Bom::detect(&self.text[..self.filled]) {
            None => Ok(0),
            Some(bom) if bom.encoding == Encoding::Utf8 => Ok(bom.bytes().len()),
            Some(_) => {
                let mut decoded = String::new();
                let mut decoder = Decoder::new();
                decoder.push(&self.text[..self.filled], &mut decoded);
                self.filled = 0;
                self.take_decoded(decoder, decoded)?;
                Ok(0)
            }
        }
    }

    fn fill(&mut self) -> Result<(), Broken> {
        let Some(mut decoder) = self.decoder.take() else { return self.read_text() };
        self.raw.resize(BLOCK, 0);
        let mut raw = std::mem::take(self.raw);
        let read = self.read_block(&mut raw);
        let mut decoded = String::new();
        if let Ok(count) = read {
            decoder.push(&raw[..count], &mut decoded);
        }
        *self.raw = raw;
        read?;
        self.take_decoded(decoder, decoded)
    }

    /// Appends decoded text, all of it if the file has ended.
    fn take_decoded(&mut self, decoder: Decoder, mut decoded: String) -> Result<(), Broken> {
        if self.ended {
            decoder.clone().finish(&mut decoded);
        }
        self.decoder = Some(decoder);
        while self.text.len() - self.filled < decoded.len() {
            self.grow()?;
        }
        self.text[self.filled..self.filled + decoded.len()].copy_from_slice(decoded.as_bytes());
        self.filled += decoded.len();
        Ok(())
    }

    /// Reads into the rest of the text buffer, until it is full or the file ends.
    fn read_text(&mut self) -> Result<(), Broken> {
        let mut text = std::mem::take(self.text);
        let read = self.read_block(&mut text[self.filled..]);
        *self.text = text;
        self.filled += read?;
        Ok(())
    }

    fn read_block(&mut self, block: &mut [u8]) -> Result<usize, Broken> {
        let mut count = 0;
        while count < block.len() {
            let read = self.file.read(&mut block[count..]).map_err(Broken::Unreadable)?;
            count += read;
            self.total += read as u64;
            if self.total > self.max_bytes {
                return Err(Broken::TooLong);
            }
            // A short read at the expected end saves asking again. Files of procfs give their
            // size as 0 and their text in short reads.
            let size = self.file.size();
            if read == 0 || (count < block.len() && size > 0 && self.total >= size) {
                self.ended = true;
                break;
            }
        }
        Ok(count)
    }

    fn grow(&mut self) -> Result<(), Broken> {
        if self.text.len() >= MAX_LINE {
            return Err(Broken::LineTooLong);
        }
        let length = (self.text.len() * 2).min(MAX_LINE);
        self.text.resize(length, 0);
        Ok(())
    }
}

impl Drop for TextStream<'_> {
    fn drop(&mut self) {
        // One long line must not cost every thread its memory for the rest of the search.
        self.text.truncate(BLOCK);
        if self.text.capacity() > KEPT {
            self.text.shrink_to(BLOCK);
        }
    }
}
