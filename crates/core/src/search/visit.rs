//! The search of one directory: its entries tested in order, its subdirectories offered.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::sync::Arc;

use llm_chat_file_pattern::{Pattern, Scratch};

use crate::cancel::{Cancel, Stop};
use crate::error::{Error, Result};
use crate::fs::Errno;
use crate::fs::entries::Entries;
use crate::fs::stat::Kind;
use crate::fs::tree::Directory;
use crate::fs::walk::Rules;
use crate::search::answer::{Match, Omission};
use crate::search::candidates::{self, Place, Unlisted};
use crate::search::collect::{Event, Found};
use crate::search::content::{ContentSearcher, FileEnd};
use crate::search::cursor::Visit;
use crate::search::query::{Query, Times};
use crate::search::schedule::{Crew, Visitor};

/// Entries tested between two looks at the clock where no file is opened.
const ENTRIES_PER_CHECK: usize = 128;

/// Files that one thread searches at a stretch: a long directory is work for many, and what is
/// found in it is told as the search goes on.
const FILES_PER_PART: usize = 256;

/// The same where no file is opened.
const ENTRIES_PER_PART: usize = 1 << 14;

/// Searches directories by one query.
pub(crate) struct Searcher<'q> {
    pub(crate) query: &'q Query,
    pub(crate) rules: &'q (dyn Rules + Sync),
    pub(crate) cancel: &'q Cancel,
}

/// What one thread uses again.
pub(crate) struct Tools<'q> {
    entries: Entries,
    name: Option<(&'q Pattern, Scratch)>,
    content: Option<ContentSearcher<'q>>,
}

/// How the work on an entry ended.
enum Tested {
    Done,
    /// Time was up on the way.
    TimedOut,
    /// Nobody needs the rest.
    Over,
}

impl<'q> Visitor for Searcher<'q> {
    type Place = Place;
    type Found = Found;
    type Scratch = Tools<'q>;

    fn scratch(&self) -> Tools<'q> {
        Tools {
            entries: Entries::default(),
            name: self.query.name.as_deref().map(|pattern| (pattern, pattern.scratch())),
            content: self
                .query
                .content
                .as_deref()
                .map(|pattern| ContentSearcher::new(pattern, self.query.progress.as_deref())),
        }
    }

    fn visit(
        &self,
        place: Place,
        tools: &mut Tools<'q>,
        crew: &mut dyn Crew<Place>,
    ) -> Result<Visit<Found>> {
        let before = place.before;
        let Tools { entries, name, content } = tools;
        let per_part = if content.is_some() { FILES_PER_PART } else { ENTRIES_PER_PART };
        let listed = match candidates::list(place, self.rules, entries, per_part, self.cancel)? {
            Ok(listed) => listed,
            Err(Unlisted::TimedOut) => {
                return Ok(Visit { entries: 0, cut: Some(0), found: Found::default() });
            }
            Err(Unlisted::Unreadable) => {
                let found = Found::unlisted(Omission::UnreadableDirectory);
                return Ok(Visit { entries: 0, cut: None, found });
            }
            Err(Unlisted::Vanished) => {
                let found = Found::unlisted(Omission::Vanished);
                return Ok(Visit { entries: 0, cut: None, found });
            }
        };
        let max_entries = self.query.max_entries;
        candidates::offer(&listed, entries, before, max_entries, crew);
        let mut work = DirectoryWork {
            searcher: self,
            directory: &listed.directory,
            name,
            content,
            found: Found::listed(listed.skipped),
            results: 0,
        };
        // The entry that the limit is noticed at is not tested any more.
        let within = max_entries.saturating_sub(before.saturating_add(1));
        let per_check = if work.content.is_some() { 1 } else { ENTRIES_PER_CHECK };
        let mut cut = None;
        for (index, (name, kind)) in listed.entries(entries).enumerate().take(within) {
            if work.results >= self.query.max_results || crew.is_over() {
                break;
            }
            if index.is_multiple_of(per_check) && self.is_timed_out()? {
                cut = Some(index);
                break;
            }
            match work.test(index, name, kind, crew)? {
                Tested::Done => {}
                Tested::TimedOut => {
                    cut = Some(index + 1);
                    break;
                }
                Tested::Over => break,
            }
        }
        Ok(Visit { entries: listed.len(), cut, found: work.found })
    }
}

impl Searcher<'_> {
    /// # Errors
    /// `ABORT_ERR` when cancelled.
    fn is_timed_out(&self) -> Result<bool> {
        match self.cancel.stop() {
            None => Ok(false),
            Some(Stop::TimedOut) => Ok(true),
            Some(Stop::Cancelled) => Err(Error::cancelled()),
        }
    }
}

/// The work on one directory.
struct DirectoryWork<'w, 'q> {
    searcher: &'w Searcher<'q>,
    directory: &'w Arc<Directory>,
    name: &'w mut Option<(&'q Pattern, Scratch)>,
    content: &'w mut Option<ContentSearcher<'q>>,
    found: Found,
    /// Results among the events.
    results: usize,
}

impl DirectoryWork<'_, '_> {
    fn test(
        &mut self,
        index: usize,
        name: &OsStr,
        kind: Kind,
        crew: &mut dyn Crew<Place>,
    ) -> Result<Tested> {
        let query = self.searcher.query;
        if let Some(progress) = &query.progress {
            progress.add_entry();
        }
        if !query.kind.admits(kind) {
            return Ok(Tested::Done);
        }
        let cancel = self.searcher.cancel;
        let mut budget = || match cancel.stop().is_some() || crew.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        if let Some((pattern, scratch)) = self.name {
            match pattern.is_match(scratch, &name.to_string_lossy(), &mut budget) {
                Ok(true) => {}
                Ok(false) => return Ok(Tested::Done),
                Err(_) if budget().is_break() => return self.stopped(crew),
                Err(_) => {
                    self.omit(index, Omission::Undecodable);
                    return Ok(Tested::Done);
                }
            }
        }
        match (self.content.as_mut(), kind) {
            (None, _) => self.test_metadata(index, name, kind),
            (Some(_), Kind::Directory) => {}
            (Some(content), _) => {
                let end =
                    search_file(query, self.directory, name, content, &mut budget, &mut |event| {
                        if matches!(event, Event::Match(_)) {
                            self.results += 1;
                            query.progress.iter().for_each(|progress| progress.add_match());
                        }
                        self.found.events.push((index, event));
                    });
                if end == FileEnd::Stopped {
                    return self.stopped(crew);
                }
            }
        }
        Ok(Tested::Done)
    }

    /// Why the budget ended the work.
    fn stopped(&self, crew: &mut dyn Crew<Place>) -> Result<Tested> {
        if self.searcher.is_timed_out()? {
            return Ok(Tested::TimedOut);
        }
        debug_assert!(crew.is_over(), "there are two reasons to stop");
        Ok(Tested::Over)
    }

    /// An entry that needs no look into it.
    fn test_metadata(&mut self, index: usize, name: &OsStr, kind: Kind) {
        let Query { dates, max_size, .. } = self.searcher.query;
        let max_size = max_size.filter(|_| kind == Kind::File);
        let mut times = None;
        if dates.any() || max_size.is_some() {
            match self.directory.metadata(name) {
                Ok(metadata) if max_size.is_some_and(|max| metadata.size > max) => return,
                Ok(metadata) => times = dates.any().then(|| Times::of(&metadata)),
                Err(errno) => return self.omit(index, omission(errno, kind)),
            }
        }
        if times.is_some_and(|times| !dates.hold(times)) {
            return;
        }
        let path = self.directory.path_of(name).into();
        let is_directory = kind == Kind::Directory;
        self.results += 1;
        self.searcher.query.progress.iter().for_each(|progress| progress.add_match());
        let found = Match { path, is_directory, line: None, times };
        self.found.events.push((index, Event::Match(found)));
    }

    fn omit(&mut self, index: usize, omission: Omission) {
        self.found.events.push((index, Event::Omitted(omission)));
    }
}

/// Searches one file's content, if its size and times admit it.
fn search_file(
    query: &Query,
    directory: &Directory,
    name: &OsStr,
    content: &mut ContentSearcher<'_>,
    budget: &mut dyn llm_chat_file_pattern::Budget,
    tell: &mut dyn FnMut(Event),
) -> FileEnd {
    let file = match directory.open_file(name) {
        Ok(file) => file,
        Err(errno) => {
            tell(Event::Omitted(omission(errno, Kind::File)));
            return FileEnd::Whole;
        }
    };
    // A limit of the caller's that is no lower than ours is ours.
    if query.max_size.is_some_and(|max| max < query.max_file_size && file.size() > max) {
        return FileEnd::Whole;
    }
    let mut times = None;
    if query.dates.any() {
        match file.metadata() {
            Ok(metadata) => times = Some(Times::of(&metadata)),
            Err(errno) => {
                tell(Event::Omitted(omission(errno, Kind::File)));
                return FileEnd::Whole;
            }
        }
    }
    if times.is_some_and(|times| !query.dates.hold(times)) {
        return FileEnd::Whole;
    }
    if file.size() > query.max_file_size {
        tell(Event::Omitted(Omission::Oversized));
        return FileEnd::Whole;
    }
    let mut path = None;
    let end = content.search(&file, query.max_file_size, query.max_results, budget, &mut |line| {
        let path = Arc::clone(path.get_or_insert_with(|| directory.path_of(name).into()));
        tell(Event::Match(Match { path, is_directory: false, line: Some(line), times }));
    });
    match end {
        FileEnd::CutShort => tell(Event::CutShort),
        FileEnd::Omitted(omission) => tell(Event::Omitted(omission)),
        FileEnd::Whole | FileEnd::Stopped => {}
    }
    end
}

fn omission(errno: Errno, kind: Kind) -> Omission {
    match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO => Omission::Vanished,
        _ if kind == Kind::Directory => Omission::UnreadableDirectory,
        _ => Omission::UnreadableFile,
    }
}
