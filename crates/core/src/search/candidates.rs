//! The entries of one directory that a search or a listing looks at.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::sync::Arc;

use crate::fs::Errno;

use crate::cancel::{Cancel, Stop};
use crate::error::{Error, Result};
use crate::fs::entries::{Entries, Unread};
use crate::fs::stat::Kind;
use crate::fs::tree::{Directory, Root};
use crate::fs::walk::Rules;
use crate::search::schedule::Crew;

/// Entries to look at: those of a directory, or of a part of a long one.
#[derive(Debug)]
pub(crate) struct Place {
    opening: Opening,
    /// Entries that come before them, at least.
    pub(crate) before: usize,
}

#[derive(Debug)]
enum Opening {
    Root(std::result::Result<Arc<Directory>, Error>),
    Child { parent: Arc<Directory>, name: OsString },
    Part { directory: Arc<Directory>, entries: Arc<Entries>, range: Range<usize> },
}

impl Place {
    /// The root of a tree.
    pub(crate) fn root(root: Root) -> Self {
        let directory = root.tree.map(|tree| Arc::new(tree.root()));
        Self { opening: Opening::Root(directory), before: 0 }
    }
}

/// Entries of a directory that has been read.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The directory, held. One that has been replaced by another since has no descriptor.
    pub(crate) directory: Arc<Directory>,
    /// Its subdirectories that are left out by name; told with its first part.
    pub(crate) skipped: usize,
    /// All its entries, where they are looked at in parts.
    shared: Option<Arc<Entries>>,
    range: Range<usize>,
}

impl Listed {
    /// Number of the entries to look at.
    pub(crate) fn len(&self) -> usize {
        self.range.len()
    }

    /// The entries to look at; `own` is what [`list`] filled.
    pub(crate) fn entries<'e>(
        &'e self,
        own: &'e Entries,
    ) -> impl ExactSizeIterator<Item = (&'e OsStr, Kind)> {
        self.all(own).iter().skip(self.range.start).take(self.range.len())
    }

    fn all<'e>(&'e self, own: &'e Entries) -> &'e Entries {
        self.shared.as_deref().unwrap_or(own)
    }
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

/// Reads the directory of a place into `entries` by the rules, if it has not been read. One with
/// more than `per_part` entries is looked at in parts of so many.
///
/// # Errors
/// `ABORT_ERR` when cancelled; what the host's own rules threw.
pub(crate) fn list(
    place: Place,
    rules: &dyn Rules,
    entries: &mut Entries,
    per_part: usize,
    cancel: &Cancel,
) -> Result<std::result::Result<Listed, Unlisted>> {
    let directory = match place.opening {
        Opening::Root(Ok(directory)) => directory,
        Opening::Root(Err(_)) => return Ok(Err(Unlisted::Unreadable)),
        Opening::Child { parent, name } => match parent.open_directory(&name) {
            Ok(directory) => Arc::new(directory),
            Err(errno) => return Ok(Err(unlisted(errno))),
        },
        Opening::Part { directory, entries, range } => {
            let directory = directory.held().unwrap_or(directory);
            return Ok(Ok(Listed { directory, skipped: 0, shared: Some(entries), range }));
        }
    };
    let mut skipped = 0;
    let keep = |name: &OsStr, kind| {
        let wanted = rules.wants(name, kind);
        skipped += usize::from(kind == Kind::Directory && !wanted);
        wanted
    };
    match directory.read_entries(entries, keep, cancel) {
        Ok(()) => {}
        Err(Unread::Failed(errno)) => return Ok(Err(unlisted(errno))),
        Err(Unread::Stopped(Stop::TimedOut)) => return Ok(Err(Unlisted::TimedOut)),
        Err(Unread::Stopped(Stop::Cancelled)) => return Err(Error::cancelled()),
    }
    rules.admit(&directory, entries)?;
    let range = 0..entries.len().min(per_part);
    let shared = (entries.len() > per_part).then(|| Arc::new(std::mem::take(entries)));
    Ok(Ok(Listed { directory, skipped, shared, range }))
}

/// Offers to the other threads what lies beneath and behind the entries that were listed, but for
/// what comes after as many entries as the search may look at: their subdirectories, and with the
/// first part of a directory its other parts. `own` is what [`list`] filled; `before` counts the
/// entries before these.
pub(crate) fn offer(
    listed: &Listed,
    own: &Entries,
    before: usize,
    max_entries: usize,
    crew: &mut dyn Crew<Place>,
) {
    let mut anchor = None;
    let directory = &listed.directory;
    let mut anchored = || {
        let anchored = anchor
            .get_or_insert_with(|| directory.anchor().unwrap_or_else(|_| Arc::clone(directory)));
        Arc::clone(anchored)
    };
    let within = max_entries.saturating_sub(before);
    let mut places = Vec::new();
    for (index, (name, kind)) in listed.entries(own).enumerate().take(within) {
        if kind == Kind::Directory {
            let opening = Opening::Child { parent: anchored(), name: name.to_os_string() };
            places.push((index, Place { opening, before: before + index + 1 }));
        }
    }
    if let Some(entries) = listed.shared.as_ref().filter(|_| listed.range.start == 0) {
        let per_part = listed.len();
        for start in (per_part..entries.len().min(within)).step_by(per_part) {
            let range = start..entries.len().min(start + per_part);
            let (directory, entries) = (anchored(), Arc::clone(entries));
            let opening = Opening::Part { directory, entries, range };
            places.push((per_part - 1, Place { opening, before: before + start }));
        }
    }
    crew.offer(places);
}

fn unlisted(errno: Errno) -> Unlisted {
    match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => Unlisted::Vanished,
        _ => Unlisted::Unreadable,
    }
}
