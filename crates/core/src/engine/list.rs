//! Listings: the entries of a directory, or all beneath it, counted and shown.

use std::ffi::OsStr;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use crate::access::Read;
use crate::cancel::Stop;
use crate::engine::Call;
use crate::engine::walk::CallRules;
use crate::error::{Error, Result};
use crate::fs::entries::{Entries, Unread};
use crate::fs::stat::Kind;
use crate::fs::tree::{self, Root, RootError};
use crate::fs::walk::Rules as _;
use crate::search::candidates::{self, Place, Unlisted};
use crate::search::cursor::{Ended, Sink, Visit};
use crate::search::schedule::{Crew, Schedule, Visitor};
use crate::search::shown_paths::ShownPaths;
use crate::search::thread_count;

/// How to list.
#[derive(Clone, Copy, Debug)]
pub struct ListOptions {
    /// Whether to list what is in subdirectories, too: then directories and regular files only.
    pub recursive: bool,
    /// The listing stops when it has met this many entries.
    pub max_entries: usize,
    /// Above this many entries only the counts are given.
    pub max_shown: usize,
}

/// What a directory holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The directory as resolved.
    pub path: PathBuf,
    /// Shown paths joined by newlines, directories with `/` at their end; empty above `max_shown`,
    /// and where a flat listing counted on beyond `max_entries`.
    pub text: String,
    /// A `UV_DIRENT_*` number ([`Kind`]) for each line of the text.
    pub kinds: Vec<u8>,
    /// Entries met. A flat listing counts on beyond `max_entries`.
    pub total: usize,
    /// Regular files among them.
    pub files: usize,
    /// Directories among them.
    pub directories: usize,
    /// Links and special files among them; recursive listings pass them over.
    pub others: usize,
    /// Directories left out by name.
    pub skipped: usize,
    /// Directories that could not be read; recursive listings only.
    pub unreadable: usize,
    /// Whether there were as many entries as `max_entries`.
    pub stopped: bool,
}

/// Lists the directory that `raw` names.
///
/// # Errors
/// [`RootError`]: Node's `stat` error for the directory, `scandir` error where a flat listing
/// cannot read it; `ABORT_ERR` when cancelled.
pub fn list(
    call: &Call,
    raw: &str,
    options: ListOptions,
) -> std::result::Result<Listing, RootError> {
    let root = tree::open_root(&call.place::<Read>(raw)?)?;
    if options.recursive { recursive(call, root, options) } else { flat(call, root, options) }
}

impl Listing {
    fn count(&mut self, kind: Kind) {
        self.total += 1;
        match kind {
            Kind::File => self.files += 1,
            Kind::Directory => self.directories += 1,
            _ => self.others += 1,
        }
    }

    fn end_line(&mut self, kind: Kind) {
        self.text.push('\n');
        self.kinds.push(kind as u8);
    }

    fn finish(&mut self, max_shown: usize) {
        if self.total > max_shown {
            self.text = String::new();
            self.kinds = Vec::new();
        }
        // Lines are joined, not ended, by newlines.
        self.text.pop();
    }
}

fn flat(call: &Call, root: Root, options: ListOptions) -> std::result::Result<Listing, RootError> {
    let directory = root.tree?.root();
    let mut listing = Listing { path: root.path, ..Listing::default() };
    let mut entries = Entries::default();
    let most = options.max_shown.min(options.max_entries);
    // The host's own rules are asked about all entries at once, so all names are needed.
    let gated = call.gatekeeper.is_some();
    let keep = |name: &OsStr, kind| {
        if kind == Kind::Directory && call.policy.skips(name) {
            listing.skipped += 1;
            return false;
        }
        if gated {
            return true;
        }
        listing.count(kind);
        listing.total <= most
    };
    match directory.read_entries(&mut entries, keep, &call.cancel) {
        Ok(()) => {}
        Err(Unread::Failed(errno)) => {
            return Err(Error::io(errno, "scandir", &directory.path()).into());
        }
        Err(Unread::Stopped(Stop::Cancelled)) => return Err(Error::cancelled().into()),
        Err(Unread::Stopped(Stop::TimedOut)) => return Err(Error::timed_out().into()),
    }
    if gated {
        CallRules(call).admit(&directory, &mut entries)?;
        entries.iter().for_each(|(_, kind)| listing.count(kind));
    }
    listing.stopped = listing.total >= options.max_entries;
    if listing.total <= most {
        let paths = ShownPaths::new(&directory.path());
        for (name, kind) in entries.iter() {
            paths.push(&mut listing.text, name, kind == Kind::Directory);
            listing.end_line(kind);
        }
    }
    listing.finish(most);
    Ok(listing)
}

fn recursive(
    call: &Call,
    root: Root,
    options: ListOptions,
) -> std::result::Result<Listing, RootError> {
    let listing = Listing { path: root.path.clone(), ..Listing::default() };
    let lister = Lister { call, options };
    let collector = Collector { listing, options };
    let mut schedule = Schedule::new(Place::root(root), collector);
    let ended = schedule.run(&lister, thread_count(0), &call.cancel)?;
    if ended == Some(Ended::TimedOut) {
        return Err(Error::timed_out().into());
    }
    let mut listing = schedule.into_sink().listing;
    listing.finish(options.max_shown);
    Ok(listing)
}

/// What the work on one directory gives.
#[derive(Debug, Default)]
struct Found {
    kinds: Vec<Kind>,
    /// Lines of the first entries, each with its newline.
    lines: String,
    /// Where each line ends.
    ends: Vec<usize>,
    skipped: usize,
    unreadable: bool,
}

impl Found {
    /// The line of the entry at `index`, with its newline.
    fn line(&self, index: usize) -> &str {
        let before = index.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        let end = self.ends.get(index).copied().unwrap_or_default();
        self.lines.get(before.unwrap_or_default()..end).unwrap_or_default()
    }
}

struct Lister<'c> {
    call: &'c Call,
    options: ListOptions,
}

impl Visitor for Lister<'_> {
    type Place = Place;
    type Found = Found;
    type Scratch = Entries;

    fn scratch(&self) -> Self::Scratch {
        Entries::default()
    }

    fn visit(
        &self,
        place: Place,
        entries: &mut Entries,
        crew: &mut dyn Crew<Place>,
    ) -> Result<Visit<Found>> {
        let before = place.before;
        let rules = CallRules(self.call);
        let cancel = &self.call.cancel;
        let listed = match candidates::list(place, &rules, entries, usize::MAX, cancel)? {
            Ok(listed) => listed,
            Err(Unlisted::TimedOut) => {
                return Ok(Visit { entries: 0, cut: Some(0), found: Found::default() });
            }
            Err(Unlisted::Unreadable | Unlisted::Vanished) => {
                let found = Found { unreadable: true, ..Found::default() };
                return Ok(Visit { entries: 0, cut: None, found });
            }
        };
        let max_entries = self.options.max_entries;
        candidates::offer(&listed, entries, before, max_entries, crew);
        let mut found = Found { skipped: listed.skipped, ..Found::default() };
        found.kinds.extend(entries.iter().map(|(_, kind)| kind));
        let shown = self.options.max_shown.saturating_sub(before);
        if shown > 0 {
            let paths = ShownPaths::new(&listed.directory.path());
            for (name, kind) in entries.iter().take(shown) {
                paths.push(&mut found.lines, name, kind == Kind::Directory);
                found.lines.push('\n');
                found.ends.push(found.lines.len());
            }
        }
        Ok(Visit { entries: entries.len(), cut: None, found })
    }
}

struct Collector {
    listing: Listing,
    options: ListOptions,
}

impl Sink<Found> for Collector {
    fn enter(&mut self, found: &mut Found) {
        self.listing.skipped += found.skipped;
        self.listing.unreadable += usize::from(found.unreadable);
    }

    fn entries(&mut self, found: &mut Found, indices: Range<usize>) -> ControlFlow<()> {
        for index in indices {
            let Some(kind) = found.kinds.get(index) else { continue };
            self.listing.count(*kind);
            if self.listing.total <= self.options.max_shown {
                self.listing.text.push_str(found.line(index));
                self.listing.kinds.push(*kind as u8);
            }
            if self.listing.total >= self.options.max_entries {
                self.listing.stopped = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn weight(found: &Found) -> usize {
        found.kinds.len() + found.lines.len() + size_of_val(found.ends.as_slice())
    }
}
