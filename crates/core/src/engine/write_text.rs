//! Writing a whole text file.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::access::{Permit, Write};
use crate::engine::Call;
use crate::engine::target::Target;
use crate::error::{Error, Result};
use crate::fs::place::Place;
use crate::fs::stat::{Kind, Metadata};
use crate::fs::write::{Expect, WriteOptions, Written};
use crate::fs::{Errno, create_dir, write};
use crate::pool::{self, Fingerprint, Pool};
use crate::text::encoding::{self, Bom};

/// Times another program may write in the moment between the check and the write.
const MAX_TRIES: usize = 16;

/// How to write a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteTextOptions {
    /// Refuse if something has the name.
    pub create_only: bool,
    /// How the file is written.
    pub write: WriteOptions,
}

/// A written text.
#[derive(Clone, Debug)]
pub struct WriteText {
    /// The file, its links resolved when the policy resolves links.
    pub path: PathBuf,
    /// Whether there was no file before.
    pub created: bool,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether the write was all or nothing for every reader.
    pub atomic: bool,
}

/// Writes `text` as the whole content of the file that `raw` means; directories that are missing
/// above it are made. An existing file keeps its byte order mark and the encoding that goes with
/// it. Given a pool, a file that exists must have been read.
///
/// # Errors
/// `ERR_NOT_GRANTED`, `ERR_NOT_READ`, `ERR_CHANGED`; Node's errors of `mkdir`, `open` and `write`;
/// `ERR_NOT_REGULAR`. After an error everything is as it was.
pub fn write_text(
    call: &Call,
    raw: &str,
    text: &str,
    options: &WriteTextOptions,
    pool: Option<&Pool>,
) -> Result<WriteText> {
    call.cancel.check()?;
    let permit = call.place::<Write>(raw)?;
    if permit.relative().as_os_str().is_empty() {
        let pool = pool.filter(|_| permit.grant().root().is_ok());
        return Err(onto_root(permit.path(), pool));
    }
    let mut tries = 0;
    loop {
        let made = create_dir::parents(&permit)?;
        match write_locked(call, &permit, text, options, pool) {
            Ok(written) => {
                made.keep();
                return Ok(written);
            }
            // Whoever made the directory took it away again, because their own write failed.
            Err(error) if error.is_not_found() && tries < MAX_TRIES => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

fn write_locked(
    call: &Call,
    permit: &Permit<Write>,
    text: &str,
    options: &WriteTextOptions,
    pool: Option<&Pool>,
) -> Result<WriteText> {
    let target =
        Target::lock(permit, options.write.hard_links, "open", &call.cancel).map_err(|error| {
            match error.code {
                "ERR_ROOT" => onto_root(error.path.as_deref().unwrap_or(permit.path()), pool),
                _ => error,
            }
        })?;
    let mut tries = 0;
    loop {
        match write_once(call, &target, text, options, pool) {
            Err(error) if tries < MAX_TRIES && is_conflict(&error, options) => tries += 1,
            result => return result,
        }
    }
}

/// A grant's root is a directory like any other here: never read, and nothing to write to.
fn onto_root(path: &Path, pool: Option<&Pool>) -> Error {
    match pool {
        Some(_) => pool::not_read(path),
        None => Error::io(Errno::ISDIR, "open", path),
    }
}

/// Whether the file changed between the check and the write. The next try checks again, and then
/// the check itself refuses what has to be refused.
fn is_conflict(error: &Error, options: &WriteTextOptions) -> bool {
    error.code == "ERR_CHANGED" || (error.code == "EEXIST" && !options.create_only)
}

fn write_once(
    call: &Call,
    target: &Target,
    text: &str,
    options: &WriteTextOptions,
    pool: Option<&Pool>,
) -> Result<WriteText> {
    let slot = &target.slot;
    let (seen, found) = match (pool, options.create_only) {
        (Some(pool), false) => {
            let seen = pool.verify(slot, true, &call.cancel)?;
            let found = seen.as_ref().map(|seen| seen.metadata);
            (seen, found)
        }
        _ => (None, Place::from(slot).metadata("open")?),
    };
    let expect = match (&seen, found) {
        (_, Some(_)) if options.create_only => {
            return Err(Error::io(Errno::EXIST, "open", slot.path()));
        }
        (Some(seen), _) => Expect::Seen(seen),
        (None, Some(_)) => Expect::Any,
        (None, None) => Expect::New,
    };
    let bytes = encode(target, found.as_ref(), text)?;
    let Written { created, atomic, metadata } =
        write::write(slot, &bytes, expect, &options.write, &call.cancel)?;
    if let Some(pool) = pool {
        pool.record(target.key.clone(), Fingerprint::new(&metadata, xxh3_64(&bytes)));
    }
    Ok(WriteText { path: slot.path().to_path_buf(), created, bytes: bytes.len() as u64, atomic })
}

/// The text in the encoding that the file's byte order mark announces, mark included.
fn encode(target: &Target, found: Option<&Metadata>, text: &str) -> Result<Vec<u8>> {
    let is_file = found.is_some_and(|found| found.kind == Kind::File && found.size > 0);
    if !is_file {
        return Ok(text.as_bytes().to_vec());
    }
    let head = match Place::from(&target.slot).head(Bom::MAX_LEN) {
        Ok(head) => head,
        // Write-only, or gone: nothing to keep.
        Err(error) if matches!(error.code, "EACCES" | "ENOENT") => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(match Bom::detect(&head) {
        Some(bom) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            encoding::encode(text, bom.encoding, true)
        }
        None => text.as_bytes().to_vec(),
    })
}
