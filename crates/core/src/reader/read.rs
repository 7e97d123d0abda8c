//! A page of an open file, by its index if there is one.

use std::path::Path;
use std::sync::Arc;

use super::cache::{self, Known};
use super::index::LineIndex;
use super::page::{Page, PageLimits};
use super::page_builder::Taken;
use super::scan::{self, CHUNK, Scanned};
use crate::access::Read;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::fs::read::File;
use crate::pool::Fingerprint;
use crate::text::shown::shown_path;

/// Bytes of a file up to which reading it whole takes no longer than waiting for a disk.
const QUICK: u64 = 16 << 20;

/// Times a page is looked for at the end of a file that changes meanwhile.
const MAX_PASSES: usize = 8;

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At this line, from 1.
    Line(u64),
    /// So many lines before the end; at the first line of a file that has fewer.
    FromEnd(u64),
}

impl Start {
    fn line(self, total: u64) -> u64 {
        match self {
            Self::Line(line) => line,
            Self::FromEnd(count) => (total + 1).saturating_sub(count).max(1),
        }
    }
}

/// Whether a page of the file takes no long pass over it.
#[must_use]
pub fn is_at_hand(file: &File<Read>) -> bool {
    file.metadata().size <= QUICK || cache::find(file.metadata()).is_some()
}

/// The page that begins at `start`, and the fingerprint of the file that was read.
///
/// # Errors
/// `ERR_BINARY`; `ERR_OUT_OF_RANGE` for a line beyond the end; `ERR_LINE_TOO_LONG` when no page
/// can hold the first line; `ERR_CHANGED` for a file that changes faster than it is read; as
/// `read` and [`Cancel::check`].
pub fn read(
    file: &File<Read>,
    start: Start,
    limits: &PageLimits,
    cancel: &Cancel,
) -> Result<(Page, Fingerprint)> {
    if let Some(known) = cache::find(file.metadata())
        && let Some(page) = by_index(file, &known.index, start, limits, cancel)?
    {
        return Ok((page, known.fingerprint));
    }
    match start {
        Start::Line(line) => {
            let (known, taken) = pass(file, Some(line), limits, cancel)?;
            let page = page(taken, line, known.index.lines(), limits, file.permit().path())?;
            Ok((page, known.fingerprint))
        }
        Start::FromEnd(_) => {
            for _ in 0..MAX_PASSES {
                let (known, _) = pass(file, None, limits, cancel)?;
                if let Some(page) = by_index(file, &known.index, start, limits, cancel)? {
                    return Ok((page, known.fingerprint));
                }
            }
            Err(changing(file.permit().path()))
        }
    }
}

/// Reads the file from its beginning and remembers where its lines are.
fn pass(
    file: &File<Read>,
    first_line: Option<u64>,
    limits: &PageLimits,
    cancel: &Cancel,
) -> Result<(Arc<Known>, Option<Taken>)> {
    // Taken first: a long pass must not make the last change before it look old.
    let fingerprint = Fingerprint::new(file.metadata(), 0);
    let Scanned { index, hash, taken } = scan::whole(file, first_line, limits, cancel)?;
    let known = Arc::new(Known { fingerprint: fingerprint.with_hash(hash), index });
    let is_whole = known.index.end() == file.metadata().size;
    // What one chunk holds is found as fast without an index.
    if is_whole
        && known.index.end() > CHUNK as u64
        && cache::is_current(&known.fingerprint, &file.metadata_now()?)
    {
        cache::keep(Arc::clone(&known));
    }
    Ok((known, taken))
}

/// The page where the index says that it is; `None` when the file is another by now.
fn by_index(
    file: &File<Read>,
    index: &LineIndex,
    start: Start,
    limits: &PageLimits,
    cancel: &Cancel,
) -> Result<Option<Page>> {
    let total = index.lines();
    let line = start.line(total);
    let taken =
        if line <= total { Some(scan::part(file, index, line, limits, cancel)?) } else { None };
    let (then, now) = (file.metadata(), file.metadata_now()?);
    if (then.size, then.modified, then.changed) != (now.size, now.modified, now.changed) {
        return Ok(None);
    }
    page(taken, line, total, limits, file.permit().path()).map(Some)
}

fn page(
    taken: Option<Taken>,
    line: u64,
    total: u64,
    limits: &PageLimits,
    path: &Path,
) -> Result<Page> {
    if line > total.max(1) {
        return Err(beyond(line, total, path));
    }
    match taken.unwrap_or_default() {
        Taken::Lines { text, count, is_full } => {
            Ok(Page::new(text, line, count, is_full, total, limits))
        }
        Taken::TooLong(bytes) => Err(too_long(line, bytes, limits.max_bytes, path)),
    }
}

fn beyond(line: u64, total: u64, path: &Path) -> Error {
    let lines = if total == 1 { "1 line".to_owned() } else { format!("{total} lines") };
    let message = format!("Offset {line} is beyond the end of the file, which has {lines}");
    Error::new("ERR_OUT_OF_RANGE", message).with_path(path)
}

fn too_long(line: u64, bytes: u64, max: usize, path: &Path) -> Error {
    let message = format!("Line {line} is too long to be shown ({bytes} bytes, max {max})");
    Error::new("ERR_LINE_TOO_LONG", message).with_path(path)
}

fn changing(path: &Path) -> Error {
    let message = format!("File changes while it is read: {}", shown_path(path));
    Error::new("ERR_CHANGED", message).with_path(path)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests make real files")]

    use super::*;
    use crate::access::{GrantSpec, Policy, PolicySpec, RightKind};
    use crate::fs::read::open_regular;

    const LIMITS: PageLimits = PageLimits { limit: None, max_lines: 9, max_bytes: 99 };

    fn open(root: &Path, name: &str) -> File<Read> {
        let grants = vec![GrantSpec { right: RightKind::Read, path: root.to_path_buf() }];
        let policy = Policy::new(PolicySpec { grants, ..PolicySpec::default() }, None);
        open_regular(&policy.permit(&root.join(name)).unwrap()).unwrap()
    }

    #[test]
    fn an_index_is_of_no_use_for_a_file_that_changed_since() {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("a");
        std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
        let file = open(base.path(), "a");
        let cancel = Cancel::new();
        let (known, _) = pass(&file, None, &LIMITS, &cancel).unwrap();
        let last = || by_index(&file, &known.index, Start::FromEnd(1), &LIMITS, &cancel).unwrap();
        assert_eq!(last().unwrap().text, "three");
        let beyond = by_index(&file, &known.index, Start::Line(4), &LIMITS, &cancel);
        assert_eq!(beyond.unwrap_err().code, "ERR_OUT_OF_RANGE");
        // In place and of the same length, so that only the times tell.
        let modified = file.metadata().modified;
        while file.metadata_now().unwrap().modified == modified {
            std::fs::write(&path, "seven\neight\ng\n").unwrap();
        }
        assert_eq!(last(), None);
        let beyond = by_index(&file, &known.index, Start::Line(4), &LIMITS, &cancel);
        assert_eq!(beyond.unwrap(), None);
    }

    #[test]
    fn counts_from_the_end_as_far_as_there_are_lines() {
        for (count, total, line) in [(1, 3, 3), (3, 3, 1), (4, 3, 1), (u64::MAX, 3, 1), (1, 0, 1)] {
            assert_eq!(Start::FromEnd(count).line(total), line);
        }
        assert_eq!(Start::Line(9).line(3), 9);
    }
}
