//! Making a directory and those above it.

use std::path::PathBuf;

use crate::access::Write;
use crate::engine::Call;
use crate::error::Result;
use crate::fs::create_dir;

/// A directory that is there now.
#[derive(Clone, Debug)]
pub struct CreateDirectory {
    /// Its path.
    pub path: PathBuf,
    /// Whether it, or one above it, was made.
    pub created: bool,
}

/// Makes the directory that `raw` means, and those that are missing above it.
///
/// # Errors
/// `ERR_NOT_GRANTED`; Node's errors of `mkdir`.
pub fn create_directory(call: &Call, raw: &str) -> Result<CreateDirectory> {
    call.cancel.check()?;
    let permit = call.place::<Write>(raw)?;
    let created = create_dir::create_dir_all(&permit)?;
    Ok(CreateDirectory { path: permit.path().to_path_buf(), created })
}
