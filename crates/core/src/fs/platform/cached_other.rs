//! Systems without calls that refuse to wait: nothing is answered from memory.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use crate::fs::root::Root;
use crate::fs::stat::Metadata;

pub(crate) fn open_cached_file(_: BorrowedFd<'_>, _: &Path, _: bool) -> Option<OwnedFd> {
    None
}

pub(crate) fn open_cached_entry(_: BorrowedFd<'_>, _: &Path, _: bool) -> Option<OwnedFd> {
    None
}

pub(crate) fn open_cached_directory(_: BorrowedFd<'_>, _: &Path, _: bool) -> Option<OwnedFd> {
    None
}

pub(crate) fn stat_cached(_: BorrowedFd<'_>) -> Option<Metadata> {
    None
}

pub(crate) fn is_current_cached(_: &Root, _: &Path) -> bool {
    false
}

pub(crate) fn read_cached(_: BorrowedFd<'_>, _: usize) -> Option<Vec<u8>> {
    None
}
