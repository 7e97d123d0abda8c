//! The kind of what stands at a path, before anything of it is used.

use std::path::Path;

use rustix::fs::FileType;

use crate::access::permit::AmbientPermit;
use crate::error::{Error, Result};
use crate::fs::stat::Kind;

/// The kind of the entry at `path` (absolute), links followed.
///
/// # Errors
/// As `stat`.
pub fn kind_at(_permit: AmbientPermit, path: &Path) -> Result<Kind> {
    rustix::fs::stat(path)
        .map(|stat| FileType::from_raw_mode(stat.st_mode).into())
        .map_err(|errno| Error::io(errno, "stat", path))
}
