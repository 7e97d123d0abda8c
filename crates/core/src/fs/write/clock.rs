//! Whether a file system's time stamps tell any two writes of a file apart.
//!
//! Kernels took them from a clock that stands still for some milliseconds; since 6.13 Linux gives a
//! file a finer stamp when somebody looked at the last one (`Documentation/filesystems/
//! multigrain-ts.rst`). No call tells which it is, so it is tried out, once for each file system.

use std::collections::HashMap;
use std::os::fd::BorrowedFd;
use std::sync::{Mutex, PoisonError};

use rustix::io::{Errno, retry_on_intr};

use crate::fs::platform;

/// Writes tried. A clock that stands still would have to move on between all of them.
const TRIES: usize = 16;

/// What was found out, by device and file system identifier: another file system may be mounted from
/// a device later.
static KNOWN: Mutex<Option<HashMap<(u64, u64), bool>>> = Mutex::new(None);

/// Whether a write of a file on the file system of `file`, after somebody looked, always changes the
/// time of its last modification. `file` is on `device`, new and empty, and is empty afterwards.
pub(super) fn tells_writes_apart(file: BorrowedFd<'_>, device: u64) -> Result<bool, Errno> {
    let key = (device, rustix::fs::fstatvfs(file)?.f_fsid);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known().as_ref().and_then(|known| known.get(&key).copied()) {
        return Ok(known);
    }
    // Elsewhere the stamps seen may be remembered ones.
    let found = platform::is_local(file) && try_out(file)?;
    known().get_or_insert_default().insert(key, found);
    Ok(found)
}

fn try_out(file: BorrowedFd<'_>) -> Result<bool, Errno> {
    let mut last = None;
    let mut is_apart = true;
    for _ in 0..TRIES {
        retry_on_intr(|| rustix::io::pwrite(file, b"x", 0))?;
        let stat = rustix::fs::fstat(file)?;
        let stamp = (stat.st_mtime, stat.st_mtime_nsec);
        is_apart &= last.replace(stamp) != Some(stamp);
    }
    retry_on_intr(|| rustix::fs::ftruncate(file, 0))?;
    Ok(is_apart)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn leaves_the_file_empty_and_finds_the_same_twice() {
        let file = tempfile::tempfile().unwrap();
        let found = tells_writes_apart(file.as_fd(), u64::MAX).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert_eq!(tells_writes_apart(file.as_fd(), u64::MAX), Ok(found));
    }
}
