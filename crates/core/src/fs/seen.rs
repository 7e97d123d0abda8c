//! A file as it was seen before it is written over.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use crate::fs::stat::Metadata;

/// An open file. As long as it is held, no other file can get its inode number, so that whatever has
/// its device and inode is this file.
#[derive(Debug)]
pub struct Held(OwnedFd);

impl Held {
    pub(in crate::fs) fn new(file: OwnedFd) -> Self {
        Self(file)
    }
}

impl AsFd for Held {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// What must still stand under a name when it is written.
#[derive(Debug)]
pub struct Seen {
    /// The file when its content was last known.
    pub metadata: Metadata,
    /// XXH3 (64 bits) of its content. It decides where time stamps are too young to.
    pub hash: u64,
    /// The file itself, held since before it was read. Without it a file that took the inode of the
    /// one that was seen can pass for it within a tick of the clock, and the content is asked.
    pub file: Option<Held>,
}
