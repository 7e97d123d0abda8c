//! Editing a text file by splices on its bytes.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::access::Write;
use crate::edit::{self, Composed, Edit, EditError, Outcome};
use crate::engine::Call;
use crate::engine::target::Target;
use crate::error::{Error, Result};
use crate::fs::Errno;
use crate::fs::place::{Content, Place};
use crate::fs::seen::Seen;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::write::{self, Expect, WriteOptions};
use crate::pool::{self, Fingerprint, Pool, Reading};
use crate::text::binary;

/// Times another program may write between the read and the write of an edit without a pool.
const MAX_TRIES: usize = 8;

/// How to edit.
#[derive(Clone, Copy, Debug)]
pub struct EditOptions {
    /// Bytes above which the file is refused.
    pub max_file_size: u64,
    /// UTF-16 units that the text may have afterwards.
    pub max_chars: usize,
    /// Do everything but the write.
    pub dry_run: bool,
    /// How the file is written.
    pub write: WriteOptions,
}

/// An edited file.
#[derive(Clone, Debug)]
pub struct EditText {
    /// The file, its links resolved when the policy resolves links.
    pub path: PathBuf,
    /// What each edit did.
    pub applied: Vec<Outcome>,
    /// Bytes of the file afterwards.
    pub bytes: u64,
    /// Bytes before the first change and behind the last one.
    pub unchanged_bytes: u64,
    /// Whether the write was all or nothing for every reader; true of a dry run.
    pub atomic: bool,
    /// The content before.
    pub before: Vec<u8>,
    /// The content afterwards.
    pub after: Vec<u8>,
}

/// Carries out `edits` on the file that `raw` means, one after the other, all or none. From the
/// check of the pool to the write no other writer of this process touches the file; what another
/// program writes meanwhile is never overwritten.
///
/// # Errors
/// `ERR_NOT_GRANTED`; Node's errors of `stat` for what cannot be found; `ERR_NOT_REGULAR`,
/// `ERR_TOO_LARGE`, `ERR_BINARY`, `ERR_NOT_READ`, `ERR_CHANGED`; for the edits `ERR_OUT_OF_RANGE`,
/// `ERR_NO_MATCH`, `ERR_INVALID_ARG_VALUE`, `ERR_ENCODING`, `ERR_TOO_LARGE`; Node's errors of `open`
/// and `write`. After an error the file is as it was.
pub fn edit_text(
    call: &Call,
    raw: &str,
    edits: &[Edit],
    options: &EditOptions,
    pool: Option<&Pool>,
) -> Result<EditText> {
    call.cancel.check()?;
    let permit = call.place::<Write>(raw)?;
    if permit.relative().as_os_str().is_empty() {
        return Err(not_a_file(permit.path()));
    }
    let target =
        Target::lock(&permit, options.write.hard_links, "stat", &call.cancel).map_err(|error| {
            match error.code {
                // A link led to the root of a grant.
                "ERR_ROOT" => not_a_file(error.path.as_deref().unwrap_or(permit.path())),
                _ => error,
            }
        })?;
    let mut tries = 0;
    loop {
        match edit_once(call, &target, edits, options, pool) {
            Err(error) if error.code == "ERR_CHANGED" && pool.is_none() && tries < MAX_TRIES => {
                tries += 1;
            }
            result => return result,
        }
    }
}

fn edit_once(
    call: &Call,
    target: &Target,
    edits: &[Edit],
    options: &EditOptions,
    pool: Option<&Pool>,
) -> Result<EditText> {
    let slot = &target.slot;
    let path = slot.path();
    let place = Place::from(slot);
    let found = place.metadata("stat")?.ok_or_else(|| Error::io(Errno::NOENT, "stat", path))?;
    refuse_unfit(&found, options, path)?;
    let Content { digest, bytes, file } = place.content(options.max_file_size, &call.cancel)?;
    refuse_binary(&bytes, path)?;
    if let Some(pool) = pool {
        pool.verify_reading(slot, &Reading::from(digest))?;
    }
    if digest.is_torn() {
        return Err(pool::changed(path));
    }
    let composed = edit::compose(&bytes, edits, options.max_chars)
        .map_err(|(_, error)| refused(error, path))?;
    let mut answer = EditText {
        path: path.to_path_buf(),
        bytes: composed.bytes.len() as u64,
        unchanged_bytes: unchanged(&bytes, &composed),
        applied: composed.outcomes,
        atomic: true,
        before: bytes,
        after: composed.bytes,
    };
    if options.dry_run {
        return Ok(answer);
    }
    let seen = Seen { metadata: digest.before, hash: digest.hash, file: Some(file) };
    let expect = Expect::Seen(&seen);
    let written = write::write(slot, &answer.after, expect, &options.write, &call.cancel)?;
    if let Some(pool) = pool {
        let fingerprint = Fingerprint::new(&written.metadata, xxh3_64(&answer.after));
        pool.record(target.key.clone(), fingerprint);
    }
    answer.atomic = written.atomic;
    Ok(answer)
}

fn refuse_unfit(found: &Metadata, options: &EditOptions, path: &Path) -> Result<()> {
    if found.kind != Kind::File {
        return Err(not_a_file(path));
    }
    if found.size > options.max_file_size {
        return Err(Error::too_large(found.size, options.max_file_size, path));
    }
    Ok(())
}

fn not_a_file(path: &Path) -> Error {
    Error::new("ERR_NOT_REGULAR", "Path is not a file").with_path(path)
}

fn refuse_binary(bytes: &[u8], path: &Path) -> Result<()> {
    let sample = bytes.get(..binary::SAMPLE).unwrap_or(bytes);
    if binary::is_binary(sample, sample.len() == bytes.len()) {
        let message = "File appears to be binary; this tool works with text files only";
        return Err(Error::new("ERR_BINARY", message).with_path(path));
    }
    Ok(())
}

fn refused(error: EditError, path: &Path) -> Error {
    let code = match error {
        EditError::InvalidRange { .. }
        | EditError::StartBeyondEnd { .. }
        | EditError::EndBeyondEnd { .. }
        | EditError::LineOutOfRange { .. } => "ERR_OUT_OF_RANGE",
        EditError::NotFound => "ERR_NO_MATCH",
        EditError::EmptyNeedle => "ERR_INVALID_ARG_VALUE",
        EditError::TooLong { .. } => "ERR_TOO_LARGE",
        EditError::Encoding(_) => "ERR_ENCODING",
    };
    Error::new(code, error.to_string()).with_path(path)
}

/// Bytes that are the same at the beginning and at the end, beside those that no edit touched also
/// those that an edit put back.
fn unchanged(before: &[u8], edited: &Composed) -> u64 {
    let (mut before, mut after) = (before, edited.bytes.as_slice());
    let untouched = edited.untouched_head + edited.untouched_tail;
    for side in [&mut before, &mut after] {
        *side = &side[edited.untouched_head..side.len() - edited.untouched_tail];
    }
    let head = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[head..], &after[head..]);
    let pairs = before.iter().rev().zip(after.iter().rev());
    let tail = pairs.take_while(|(one, other)| one == other).count();
    (untouched + head + tail) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_the_same_at_both_ends() {
        let edit = |old: &str, new: &str, all| Edit::ReplaceContent {
            old: old.to_owned(),
            new: new.to_owned(),
            all,
        };
        for (before, edits, same) in [
            ("one two three", vec![], 13),
            ("one two three", vec![edit("two", "2", false)], 10),
            ("one two three", vec![edit("two", "tattoo", false)], 12),
            ("one two three", vec![edit("two", "x", false), edit("x", "two", false)], 13),
            ("one two three", vec![edit("o", "0", true)], 6),
            ("one two three", vec![edit("three", "3", false), edit("one", "1", false)], 0),
            ("aaaa", vec![edit("aaaa", "aa", false)], 2),
            ("aa", vec![edit("aa", "aaaa", false)], 2),
            ("x", vec![edit("x", "", false)], 0),
        ] {
            let composed = edit::compose(before.as_bytes(), &edits, usize::MAX).unwrap();
            assert_eq!(unchanged(before.as_bytes(), &composed), same, "{before} {edits:?}");
        }
    }
}
