//! Reading a file for its lines: once from its beginning, which gives their index, or only where
//! an index says that the wanted lines are. Either way through one buffer.

use xxhash_rust::xxh3::Xxh3;

use super::index::{IndexBuilder, LineIndex};
use super::page::PageLimits;
use super::page_builder::Taken;
use super::window::Window;
use crate::access::Read;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::read::File;
use crate::text::binary;
use crate::text::encoding::{Bom, Encoding};

/// Bytes read at once: whole units of every encoding. Cancellation is asked for between them.
pub(super) const CHUNK: usize = 64 * 1024;

/// Bytes that are taken of a file which says that it has none, as those in /proc do.
const MAX_UNSIZED: u64 = 64 << 20;

/// What one pass over a file gave.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) index: LineIndex,
    /// XXH3 (64 bits) of the file's bytes.
    pub(super) hash: u64,
    /// The lines from the first wanted one on, if any were wanted.
    pub(super) taken: Option<Taken>,
}

/// Reads a file whole, as long as it was when it was opened: one that grows meanwhile ends there.
///
/// # Errors
/// `ERR_BINARY`; `ERR_TOO_LARGE` for a file of unknown size that does not end; as `read` and
/// [`Cancel::check`].
pub(super) fn whole(
    file: &File<Read>,
    first_line: Option<u64>,
    limits: &PageLimits,
    cancel: &Cancel,
) -> Result<Scanned> {
    let size = file.metadata().size;
    let mut source = Source::new(file, 0, if size == 0 { MAX_UNSIZED + 1 } else { size });
    let head = source.next(cancel)?;
    let sample = head.get(..binary::SAMPLE).unwrap_or(head);
    if binary::is_binary(sample, head.len() < CHUNK && sample.len() == head.len()) {
        return Err(Error::binary(file.permit().path()));
    }
    let bom = Bom::detect(head);
    let encoding = bom.map_or(Encoding::Utf8, |bom| bom.encoding);
    let mark = bom.map_or(0, |bom| bom.bytes().len());
    let mut builder = IndexBuilder::new(encoding, mark as u64, CHUNK as u64);
    let mut window = first_line.map(|first| Window::new(encoding, 1, first, limits));
    let mut hash = Xxh3::new();
    let mut text = head.get(mark..).unwrap_or_default();
    hash.update(head);
    while !text.is_empty() {
        let newlines = builder.push(text);
        if let Some(window) = &mut window {
            window.push(text, newlines);
        }
        text = source.next(cancel)?;
        hash.update(text);
    }
    if size == 0 && source.position > MAX_UNSIZED {
        return Err(Error::too_large(source.position, MAX_UNSIZED, file.permit().path()));
    }
    let taken = window.map(Window::finish);
    Ok(Scanned { index: builder.finish(), hash: hash.digest(), taken })
}

/// Takes the lines from `first_line` on, which the file must have.
///
/// # Errors
/// As `read` and [`Cancel::check`].
pub(super) fn part(
    file: &File<Read>,
    index: &LineIndex,
    first_line: u64,
    limits: &PageLimits,
    cancel: &Cancel,
) -> Result<Taken> {
    let mark = index.mark_before(first_line);
    let mut source = Source::new(file, mark.at, index.end());
    let mut window = Window::new(index.encoding(), mark.line, first_line, limits);
    while !window.is_done() {
        let bytes = source.next(cancel)?;
        if bytes.is_empty() {
            break;
        }
        window.push_uncounted(bytes);
    }
    Ok(window.finish())
}

/// Chunks of a file in one buffer.
struct Source<'f> {
    file: &'f File<Read>,
    position: u64,
    end: u64,
    buffer: Vec<u8>,
}

impl<'f> Source<'f> {
    fn new(file: &'f File<Read>, position: u64, end: u64) -> Self {
        let room = usize::try_from(end.saturating_sub(position)).unwrap_or(CHUNK).min(CHUNK);
        Self { file, position, end, buffer: vec![0; room] }
    }

    /// The next bytes, [`CHUNK`] of them unless the file ends; none at its end.
    fn next(&mut self, cancel: &Cancel) -> Result<&[u8]> {
        cancel.check()?;
        let left = usize::try_from(self.end - self.position).unwrap_or(CHUNK);
        let room = left.min(self.buffer.len());
        let buffer = self.buffer.get_mut(..room).unwrap_or_default();
        let count = self.file.fill_at(buffer, self.position)?;
        self.position += count as u64;
        if count < room {
            // Shorter than it was. Should it grow again, what follows would not begin with a unit.
            self.end = self.position;
        }
        Ok(self.buffer.get(..count).unwrap_or_default())
    }
}
