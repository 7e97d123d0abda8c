//! The entries of one directory that a search or a listing looks at.

use std::ffi::OsString;
use std::sync::Arc;

use crate::fs::Errno;

use crate::cancel::{Cancel, Stop};
use crate::error::{Error, Result};
use crate::fs::entries::{Entries, Unread};
use crate::fs::stat::Kind;
use crate::fs::tree::{Directory, Root};
use crate::fs::walk::Rules;
use crate::search::schedule::Crew;

/// A directory to go through.
#[derive(Debug)]
pub(crate) struct Place {
    opening: Opening,
    /// Entries that come before what is in it, at least.
    pub(crate) before: usize,
}

#[derive(Debug)]
enum Opening {
    Root(std::result::Result<Arc<Directory>, Error>),
    Child { parent: Arc<Directory>, name: OsString },
}

impl Place {
    /// The root of a tree.
    pub(crate) fn root(root: Root) -> Self {
        let directory = root.tree.map(|tree| Arc::new(tree.root()));
        Self { opening: Opening::Root(directory), before: 0 }
    }
}

/// A directory that has been read.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The directory, held.
    pub(crate) directory: Arc<Directory>,
    /// Its subdirectories that are left out by name.
    pub(crate) skipped: usize,
}

/// Why a directory was not read.
#[derive(Debug)]
pub(crate) enum Unlisted {
    /// It cannot be opened or read.
    Unreadable,
    /// It is gone, or is no directory any more.
    Vanished,
    /// Time was up.
    TimedOut,
}

/// Reads a directory into `entries` by the rules.
///
/// # Errors
/// `ABORT_ERR` when cancelled; what the host's own rules threw.
pub(crate) fn list(
    place: Place,
    rules: &dyn Rules,
    entries: &mut Entries,
    cancel: &Cancel,
) -> Result<std::result::Result<Listed, Unlisted>> {
    let directory = match place.opening {
        Opening::Root(Ok(directory)) => directory,
        Opening::Root(Err(_)) => return Ok(Err(Unlisted::Unreadable)),
        Opening::Child { parent, name } => match parent.open_directory(&name) {
            Ok(directory) => Arc::new(directory),
            Err(errno) => return Ok(Err(unlisted(errno))),
        },
    };
    let Some(descriptor) = directory.descriptor() else { return Ok(Err(Unlisted::Unreadable)) };
    let mut skipped = 0;
    let keep = |name: &std::ffi::OsStr, kind| {
        let wanted = rules.wants(name, kind);
        skipped += usize::from(kind == Kind::Directory && !wanted);
        wanted
    };
    match entries.read(descriptor, keep, cancel) {
        Ok(()) => {}
        Err(Unread::Failed(errno)) => return Ok(Err(unlisted(errno))),
        Err(Unread::Stopped(Stop::TimedOut)) => return Ok(Err(Unlisted::TimedOut)),
        Err(Unread::Stopped(Stop::Cancelled)) => return Err(Error::cancelled()),
    }
    rules.admit(&directory, entries)?;
    Ok(Ok(Listed { directory, skipped }))
}

/// Offers the subdirectories among `entries` to the other threads, but for those that come after
/// as many entries as the search may look at. `before` counts the entries before this directory's.
pub(crate) fn offer_subdirectories(
    directory: &Arc<Directory>,
    entries: &Entries,
    before: usize,
    max_entries: usize,
    crew: &mut dyn Crew<Place>,
) {
    let mut anchor = None;
    let mut places = Vec::new();
    let within = max_entries.saturating_sub(before);
    for (index, (name, kind)) in entries.iter().enumerate().take(within) {
        if kind != Kind::Directory {
            continue;
        }
        let parent = anchor
            .get_or_insert_with(|| directory.anchor().unwrap_or_else(|_| Arc::clone(directory)));
        let opening = Opening::Child { parent: Arc::clone(parent), name: name.to_os_string() };
        places.push((index, Place { opening, before: before + index + 1 }));
    }
    crew.offer(places);
}

fn unlisted(errno: Errno) -> Unlisted {
    match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => Unlisted::Vanished,
        _ => Unlisted::Unreadable,
    }
}
