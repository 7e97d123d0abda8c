//! Whether a file is binary, judged by its first bytes.
//!
//! The rules are those of isbinaryfile 6.0.0, which the published tools ask, for the first 512
//! bytes, and one of our own: a NUL among the first 8192 makes a file binary unless the byte order
//! mark of UTF-16 or UTF-32 explains it. So a NUL right after the short sample counts, also after a
//! UTF-8 or GB18030 mark, and UTF-16 without a mark, which would be shown as garbage, is binary.

use memchr::memchr;

use super::encoding::{Bom, Encoding};

/// As many first bytes are looked at; more may be given.
pub const SAMPLE: usize = 8192;

/// Bytes in which everything but NUL is looked for.
const SCANNED: usize = 512;

/// Bytes beyond [`SCANNED`] that may complete a character which begins there.
const RESERVE: usize = 3;

/// The encoding signature of GB18030.
const GB18030_MARK: &[u8] = b"\x84\x31\x95\x33";

/// More suspicious bytes than this make a file binary.
const SUSPICIOUS_PERCENT: usize = 10;

/// The verdict on a file that begins with `head`. `eof` tells that `head` is the whole file; else
/// give [`SAMPLE`] bytes at least, for a shorter sample sees less.
#[must_use]
pub fn is_binary(head: &[u8], eof: bool) -> bool {
    let head = &head[..head.len().min(SAMPLE)];
    let bom = Bom::detect(head);
    if bom.is_some_and(|bom| bom.encoding != Encoding::Utf8) {
        return false;
    }
    if memchr(0, head).is_some() {
        return true;
    }
    if bom.is_some() || head.starts_with(GB18030_MARK) {
        return false;
    }
    if head.starts_with(b"%PDF-") {
        return true;
    }
    let seen = &head[..head.len().min(SCANNED + RESERVE)];
    let scanned = seen.len().min(SCANNED);
    let suspicious = suspicious_bytes(seen, scanned, eof);
    suspicious * 100 > scanned * SUSPICIOUS_PERCENT
        || (suspicious > 1 && looks_like_protobuf(&seen[..scanned]))
}

/// Counts, among the first `scanned` bytes of `seen`, those that neither are common in text nor
/// belong to something like a UTF-8 character. An incomplete character at the end is held against
/// the file only if the file ends there too.
fn suspicious_bytes(seen: &[u8], scanned: usize, eof: bool) -> usize {
    let mut suspicious = 0;
    let mut at = 0;
    while at < scanned {
        let byte = seen[at];
        at += 1;
        let Some(length) = sequence_length(byte) else {
            suspicious += usize::from(!matches!(byte, 7..=14 | 32..=127));
            continue;
        };
        let following = &seen[at..seen.len().min(at + length - 1)];
        let continues = following.iter().all(|byte| matches!(byte, 0x80..=0xbf));
        if following.len() < length - 1 {
            if continues && !eof {
                break;
            }
            suspicious += 1;
        } else if continues {
            at += following.len();
        } else {
            suspicious += 1;
            // isbinaryfile does not look again at the byte after a false start.
            at += 1;
        }
    }
    suspicious
}

/// Bytes of the UTF-8 character that `first` begins, checked as loosely as isbinaryfile does:
/// overlong forms and values beyond Unicode pass.
fn sequence_length(first: u8) -> Option<usize> {
    match first {
        0xc0..=0xdf => Some(2),
        0xe0..=0xef => Some(3),
        0xf0..=0xf7 => Some(4),
        _ => None,
    }
}

/// Whether `bytes` read as Protocol Buffers fields, at least one of them complete, up to the end.
fn looks_like_protobuf(bytes: &[u8]) -> bool {
    let mut reader = Fields { rest: bytes };
    let mut complete = 0;
    loop {
        match reader.field() {
            Field::Complete => complete += 1,
            Field::Cut => return complete > 0,
            Field::Unknown => return false,
        }
    }
}

enum Field {
    Complete,
    /// The bytes ended within it, or its length is impossible.
    Cut,
    /// It has a wire type that does not exist or is out of use.
    Unknown,
}

struct Fields<'b> {
    rest: &'b [u8],
}

impl Fields<'_> {
    /// Reads one field: a tag and, by the wire type in its low bits, the value. Source:
    /// "Encoding" in the Protocol Buffers documentation.
    fn field(&mut self) -> Field {
        let Some(tag) = self.varint() else { return Field::Cut };
        let value = match tag & 7 {
            0 => self.varint().map(drop),
            1 => self.skip(8),
            2 => self.varint().and_then(|length| self.skip(usize::try_from(length).ok()?)),
            5 => self.skip(4),
            _ => return Field::Unknown,
        };
        value.map_or(Field::Cut, |()| Field::Complete)
    }

    /// A variable-length integer of at most ten bytes. Its value is that of JavaScript's 32-bit
    /// shifts, whose distance counts modulo 32, because the verdict has to be isbinaryfile's.
    fn varint(&mut self) -> Option<i32> {
        let mut value = 0;
        for index in 0..11 {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= i32::from(byte & 0x7f).wrapping_shl(7 * index);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        Some(())
    }
}
