//! Opens, looks and reads that never wait: what the kernel holds in memory is answered at once,
//! everything else with `None`, and the caller takes the road that may wait. Small files only.
//!
//! `RESOLVE_CACHED` opens only what the dentry cache can resolve, `RESOLVE_NO_XDEV` stays on the
//! root's file system (which must be local: on FUSE even a cached open was seen to block), and
//! `RWF_NOWAIT` reads only what the page cache holds.

use std::os::fd::AsFd;
use std::path::Path;

use crate::access::{Permit, Read};
use crate::fs::open::Slot;
use crate::fs::platform;
use crate::fs::root::Root;
use crate::fs::stat::{Entry, Kind, Metadata};

/// Largest file answered without waiting, in bytes.
pub const MAX_SIZE: u64 = 64 * 1024;

/// A whole small file, read from memory.
#[derive(Debug)]
pub struct Snapshot {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the open file was before its bytes were read.
    pub metadata: Metadata,
    /// What it was afterwards.
    pub metadata_after: Metadata,
}

/// Whether the directory at `path` is the root, by what the kernel holds; `false` when it cannot
/// tell without waiting.
#[must_use]
pub(crate) fn is_current(root: &Root, path: &Path) -> bool {
    platform::is_current_cached(root, path)
}

/// Reads the regular file that the permit names. With links resolved, a path that meets one takes
/// the other road.
#[must_use]
pub fn read(permit: &Permit<Read>) -> Option<Snapshot> {
    let root = permit.grant().root_now()?;
    let follow = !permit.policy().resolve_symlinks();
    let descriptor = platform::open_cached_file(root.descriptor(), permit.relative(), follow)?;
    let metadata = platform::stat_cached(descriptor.as_fd())?;
    if metadata.kind != Kind::File || metadata.size > MAX_SIZE {
        return None;
    }
    let bytes = platform::read_cached(descriptor.as_fd(), usize::try_from(metadata.size).ok()?)?;
    let metadata_after = platform::stat_cached(descriptor.as_fd())?;
    Some(Snapshot { bytes, metadata, metadata_after })
}

/// Looks at the entry that the permit names, not following a link in its last place.
#[must_use]
pub fn entry(permit: &Permit<Read>) -> Option<Entry<Read>> {
    let relative = permit.relative();
    if relative.as_os_str().is_empty() {
        return None;
    }
    let root = permit.grant().root_now()?;
    let follow = !permit.policy().resolve_symlinks();
    let descriptor = platform::open_cached_entry(root.descriptor(), relative, follow)?;
    let metadata = platform::stat_cached(descriptor.as_fd())?;
    // A link's target is read on the other road.
    (metadata.kind != Kind::Symlink).then(|| Entry {
        metadata,
        link_target: None,
        permit: permit.clone(),
    })
}

/// The slot of the file that the permit names, for its identity in the pool. `None` when its
/// directory is not in memory or its last name is a link.
#[must_use]
pub fn slot(permit: &Permit<Read>) -> Option<Slot<Read>> {
    let relative = permit.relative();
    let name = relative.file_name()?;
    let root = permit.grant().root_now()?;
    let follow = !permit.policy().resolve_symlinks();
    let parent = relative.parent().unwrap_or(Path::new(""));
    let directory = platform::open_cached_directory(root.descriptor(), parent, follow)?;
    let entry = platform::open_cached_entry(directory.as_fd(), Path::new(name), false)?;
    let metadata = platform::stat_cached(entry.as_fd())?;
    (metadata.kind == Kind::File).then(|| Slot::new(directory, name.to_os_string(), permit.clone()))
}
