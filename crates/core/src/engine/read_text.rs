//! Reading text: a range of lines, with memory bounded by the answer and not by the file.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::access::Read;
use crate::engine::Call;
use crate::error::{Error, Result};
use crate::fs::read::File;
use crate::fs::stat::Metadata;
use crate::fs::{cached, read};
use crate::pool::{Pool, Reading};
use crate::text::binary;
use crate::text::encoding::{Decoder, TextFormat};
use crate::text::lines::{LineRange, Slicer};

/// Bytes read at once. A file is never held whole.
const CHUNK: usize = 64 * 1024;

/// What to read of a file.
#[derive(Clone, Debug)]
pub struct ReadTextOptions {
    /// Lines to give.
    pub range: LineRange,
    /// Most UTF-16 units to give.
    pub max_chars: usize,
    /// Bytes above which the file is refused.
    pub max_file_size: u64,
}

/// Lines of a text file.
#[derive(Clone, Debug)]
pub struct ReadText {
    /// The file, its links resolved when the policy resolves links.
    pub path: PathBuf,
    /// The lines with the newlines between them; at most `max_chars` units.
    pub text: String,
    /// First line given.
    pub start_line: usize,
    /// Last line given.
    pub end_line: usize,
    /// Lines of the file: pieces of its text split at `\n`.
    pub total_lines: usize,
    /// UTF-16 units of the file's text, its byte order mark not counted.
    pub total_chars: usize,
    /// How the text was stored.
    pub format: TextFormat,
    /// Whether the lines were longer than `max_chars`.
    pub truncated: bool,
}

/// Reads the text file that `raw` means and, given a pool, remembers what was read.
///
/// # Errors
/// Those of [`read::open_regular`]; `ERR_NOT_GRANTED`, `ERR_TOO_LARGE`, `ERR_BINARY`; `ERR_TOO_LARGE`
/// too when the texts of one call grow beyond its budget.
pub fn read_text(
    call: &Call,
    raw: &str,
    options: &ReadTextOptions,
    pool: Option<&Pool>,
) -> Result<ReadText> {
    call.cancel.check()?;
    let permit = call.place::<Read>(raw)?;
    let mut file = read::open_regular(&permit)?;
    let path = file.permit().path().to_path_buf();
    refuse_large(file.metadata().size, options, &path)?;
    // One byte more than the file has tells whether it ends there.
    let room = usize::try_from(file.metadata().size).map_or(CHUNK, |size| size + 1);
    // Files without a size, as in /proc, may have a text all the same.
    let mut buffer = vec![0; if room == 1 { CHUNK } else { room.min(CHUNK) }];
    let mut filled = file.fill(&mut buffer)?;
    let is_whole = filled < buffer.len();
    refuse_binary(buffer.get(..filled).unwrap_or_default(), is_whole, &path)?;
    let mut reader = Reader::new(options, pool.is_some());
    let mut total = 0;
    while filled > 0 {
        call.cancel.check()?;
        total += filled as u64;
        // A file may grow while it is read, and /proc files have no size: what is read counts.
        refuse_large(total, options, &path)?;
        reader.push(buffer.get(..filled).unwrap_or_default());
        filled = if filled < buffer.len() { 0 } else { file.fill(&mut buffer)? };
    }
    let hash = reader.hash.digest();
    let answer = reader.finish(path);
    call.budget.take(answer.text.len())?;
    if let Some(pool) = pool {
        remember(pool, &file, hash);
    }
    Ok(answer)
}

/// [`read_text`] for a small file whose bytes the kernel holds in memory; `None` when the answer
/// might have to wait, or is a refusal.
#[must_use]
pub fn read_text_now(
    call: &Call,
    raw: &str,
    options: &ReadTextOptions,
    pool: Option<&Pool>,
) -> Option<ReadText> {
    let permit = call.place_now::<Read>(raw)?;
    let snapshot = cached::read(&permit)?;
    let head = snapshot.bytes.get(..binary::SAMPLE).unwrap_or(&snapshot.bytes);
    let eof = head.len() == snapshot.bytes.len();
    if snapshot.metadata.size > options.max_file_size || binary::is_binary(head, eof) {
        return None;
    }
    if let Some(pool) = pool {
        let slot = cached::slot(&permit)?;
        let reading = Reading {
            before: snapshot.metadata,
            after: snapshot.metadata_after,
            hash: xxh3_64(&snapshot.bytes),
        };
        pool.record_reading_at(&slot, &reading).ok()?;
    }
    let mut reader = Reader::new(options, false);
    reader.push(&snapshot.bytes);
    let answer = reader.finish(permit.path().to_path_buf());
    call.budget.take(answer.text.len()).ok()?;
    Some(answer)
}

/// Decodes, counts and hashes what is read.
struct Reader {
    decoder: Decoder,
    slicer: Slicer,
    hash: Xxh3,
    hashes: bool,
    decoded: String,
}

impl Reader {
    fn new(options: &ReadTextOptions, hashes: bool) -> Self {
        Self {
            decoder: Decoder::new(),
            slicer: Slicer::new(options.range, options.max_chars),
            hash: Xxh3::new(),
            hashes,
            decoded: String::new(),
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.hashes {
            self.hash.update(bytes);
        }
        self.decoder.push(bytes, &mut self.decoded);
        self.slicer.push(&self.decoded);
        self.decoded.clear();
    }

    fn finish(mut self, path: PathBuf) -> ReadText {
        let format = self.decoder.finish(&mut self.decoded);
        self.slicer.push(&self.decoded);
        let sliced = self.slicer.finish();
        ReadText {
            path,
            text: sliced.text,
            start_line: sliced.start_line,
            end_line: sliced.end_line,
            total_lines: sliced.total_lines,
            total_chars: sliced.total_units,
            format,
            truncated: sliced.cut,
        }
    }
}

/// A file that cannot be remembered (its directory went away meanwhile) reads all the same; a
/// write then asks for it to be read again.
fn remember(pool: &Pool, file: &File<Read>, hash: u64) {
    let before: Metadata = *file.metadata();
    if let Ok(after) = file.metadata_now() {
        pool.record_reading(file.permit(), &Reading { before, after, hash }).unwrap_or_default();
    }
}

fn refuse_large(size: u64, options: &ReadTextOptions, path: &Path) -> Result<()> {
    if size > options.max_file_size {
        return Err(Error::too_large(size, options.max_file_size, path));
    }
    Ok(())
}

fn refuse_binary(head: &[u8], eof: bool, path: &Path) -> Result<()> {
    let sample = head.get(..binary::SAMPLE).unwrap_or(head);
    if binary::is_binary(sample, eof && sample.len() == head.len()) {
        return Err(Error::binary(path));
    }
    Ok(())
}
