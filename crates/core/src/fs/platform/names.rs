//! Reading the names of a directory in the order and the pieces the kernel gives them.

#[cfg(target_os = "linux")]
use std::cell::Cell;
#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;

use rustix::fs::FileType;
use rustix::io::Errno;

/// Bytes asked for in one `getdents64`: some 2,000 names, within a processor's first caches.
#[cfg(target_os = "linux")]
const BUFFER_BYTES: usize = 64 << 10;

#[cfg(target_os = "linux")]
thread_local! {
    /// Memory for one reading after the other: a walk that waits to be pulled holds none.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Gives each name of `directory` (open for reading, at its beginning), `.` and `..` included, and
/// the kind as far as the file system tells it. `visit` ends the reading with `Break`.
#[cfg(target_os = "linux")]
pub(crate) fn for_each_name(
    directory: BorrowedFd<'_>,
    visit: &mut dyn FnMut(&[u8], FileType) -> ControlFlow<()>,
) -> Result<(), Errno> {
    let mut buffer = BUFFER.take();
    buffer.reserve(BUFFER_BYTES);
    let read = read_names(directory, buffer.spare_capacity_mut(), visit);
    BUFFER.set(buffer);
    read
}

#[cfg(target_os = "linux")]
fn read_names(
    directory: BorrowedFd<'_>,
    buffer: &mut [MaybeUninit<u8>],
    visit: &mut dyn FnMut(&[u8], FileType) -> ControlFlow<()>,
) -> Result<(), Errno> {
    let mut names = rustix::fs::RawDir::new(directory, buffer);
    while let Some(entry) = names.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(Errno::INTR) => continue,
            // A directory that was removed while it was open has no more names.
            Err(Errno::NOENT) => return Ok(()),
            Err(errno) => return Err(errno),
        };
        if visit(entry.file_name().to_bytes(), entry.file_type()).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

/// As the Linux half, through the C library's `readdir`.
#[cfg(not(target_os = "linux"))]
pub(crate) fn for_each_name(
    directory: BorrowedFd<'_>,
    visit: &mut dyn FnMut(&[u8], FileType) -> ControlFlow<()>,
) -> Result<(), Errno> {
    for entry in rustix::fs::Dir::read_from(directory)? {
        let entry = entry?;
        if visit(entry.file_name().to_bytes(), entry.file_type()).is_break() {
            return Ok(());
        }
    }
    Ok(())
}
