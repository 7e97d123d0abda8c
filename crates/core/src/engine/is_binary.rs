//! The exported `isBinary(path)`: any path, no policy.

use std::path::Path;

use crate::access::Permit;
use crate::access::permit::Ambient;
use crate::error::Result;
use crate::fs::read;
use crate::text::binary;

/// Whether the file at `path` is binary, by its first [`binary::SAMPLE`] bytes.
///
/// # Errors
/// Whatever keeps the file from being read; the published function answers `true` then.
pub fn is_binary(path: &Path) -> Result<bool> {
    let head = read::head_of(Permit::ambient(Ambient::IsBinary), path, binary::SAMPLE)?;
    Ok(binary::is_binary(&head.bytes, head.is_whole))
}
