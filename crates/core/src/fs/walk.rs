//! A walk: depth first, a directory before what is in it, names by bytes. It is pulled; between
//! two pulls it holds descriptors and the names of the directories it is in, and no thread.

use std::ffi::OsStr;
use std::sync::Arc;

use crate::cancel::{Cancel, Stop};
use crate::error::{Error, Result};
use crate::fs::entries::{Entries, Unread};
use crate::fs::stat::Kind;
use crate::fs::tree::{Directory, Root};

/// What a walk leaves out.
pub trait Rules {
    /// Whether an entry is walked, by its name and kind.
    fn wants(&self, name: &OsStr, kind: Kind) -> bool;

    /// Takes out of the entries of `directory` what the host's own rules refuse.
    ///
    /// # Errors
    /// What the host's rule threw; it ends the walk.
    fn admit(&self, directory: &Directory, entries: &mut Entries) -> Result<()>;
}

/// One thing a walk meets.
#[derive(Debug)]
pub enum Step<'w> {
    /// A regular file.
    File(&'w OsStr),
    /// A directory, which is entered: what follows, up to [`Step::Leave`], is in it.
    Enter(&'w OsStr),
    /// The directory just entered (the root, if none was) cannot be read.
    Unreadable(Error),
    /// The directory entered last and not left yet is done. The root is not left.
    Leave,
}

#[derive(Debug, Default)]
struct Frame {
    /// `None` once the last subdirectory has been opened, and where nothing could be read.
    directory: Option<Arc<Directory>>,
    entries: Entries,
    next: usize,
    /// Subdirectories not entered yet.
    subdirectories: usize,
}

/// A [`Step`] by its place.
enum Met {
    Entry { frame: usize, index: usize },
    Unreadable(Error),
    Leave,
}

/// State of a walk.
#[derive(Debug)]
pub struct Walk {
    frames: Vec<Frame>,
    /// What to tell before going on.
    failure: Option<Error>,
    /// The directory told last, until it is read; at first the root.
    ahead: Option<Result<Arc<Directory>>>,
    /// Memory of directories that are done.
    spare: Vec<Entries>,
}

/// Arenas kept for use again.
const MAX_SPARE: usize = 16;

impl Walk {
    /// A walk of the tree beneath `root`. Nothing is read yet.
    #[must_use]
    pub fn new(root: Root) -> Self {
        let (ahead, failure) = match root.tree {
            Ok(tree) => (Some(Ok(Arc::new(tree.root()))), None),
            Err(error) => (None, Some(error)),
        };
        Self { frames: Vec::new(), failure, ahead, spare: Vec::new() }
    }

    /// The next thing; `None` when the walk is over.
    ///
    /// # Errors
    /// `ABORT_ERR` or `ETIMEDOUT` when told to stop, and what the rules throw. The walk is over
    /// then.
    pub fn next(&mut self, rules: &dyn Rules, cancel: &Cancel) -> Result<Option<Step<'_>>> {
        let met = match self.advance(rules, cancel) {
            Ok(Some(met)) => met,
            Ok(None) => return Ok(None),
            Err(error) => {
                self.frames.clear();
                self.ahead = None;
                return Err(error);
            }
        };
        Ok(match met {
            Met::Unreadable(error) => Some(Step::Unreadable(error)),
            Met::Leave => Some(Step::Leave),
            Met::Entry { frame, index } => {
                let entry = self.frames.get(frame).and_then(|frame| frame.entries.get(index));
                entry.map(|(name, kind)| match kind {
                    Kind::Directory => Step::Enter(name),
                    _ => Step::File(name),
                })
            }
        })
    }

    /// Whether a directory has to be read before there is anything more to tell.
    #[must_use]
    pub fn is_before_directory(&self) -> bool {
        self.ahead.is_some()
    }

    fn advance(&mut self, rules: &dyn Rules, cancel: &Cancel) -> Result<Option<Met>> {
        // Entered only now: a caller that stops at a directory has not paid for what is in it.
        if let Some(opened) = self.ahead.take() {
            self.enter(opened, rules, cancel)?;
        }
        if let Some(error) = self.failure.take() {
            return Ok(Some(Met::Unreadable(error)));
        }
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let index = frame.next;
        let Some((_, kind)) = frame.entries.get(index) else {
            self.leave();
            return Ok((!self.frames.is_empty()).then_some(Met::Leave));
        };
        frame.next += 1;
        if kind == Kind::Directory {
            self.ahead = Some(open_child(frame, index));
        }
        Ok(Some(Met::Entry { frame: depth - 1, index }))
    }

    /// Reads a directory and makes it the one that is walked; one that cannot be read becomes an
    /// empty one and a failure to tell.
    fn enter(
        &mut self,
        opened: Result<Arc<Directory>>,
        rules: &dyn Rules,
        cancel: &Cancel,
    ) -> Result<()> {
        let mut frame = Frame { entries: self.spare.pop().unwrap_or_default(), ..Frame::default() };
        match opened {
            Ok(directory) => match read(&directory, &mut frame.entries, rules, cancel) {
                Ok(()) => {
                    rules.admit(&directory, &mut frame.entries)?;
                    frame.subdirectories =
                        frame.entries.iter().filter(|(_, kind)| *kind == Kind::Directory).count();
                    if frame.subdirectories > 0 {
                        frame.directory = Some(directory.anchor().unwrap_or(directory));
                    }
                }
                Err(Unread::Failed(errno)) => {
                    self.failure = Some(Error::io(errno, "scandir", &directory.path()));
                    frame.entries.retain(|_, _| false);
                }
                Err(Unread::Stopped(Stop::Cancelled)) => return Err(Error::cancelled()),
                Err(Unread::Stopped(Stop::TimedOut)) => return Err(Error::timed_out()),
            },
            Err(error) => {
                self.failure = Some(error);
                frame.entries.retain(|_, _| false);
            }
        }
        self.frames.push(frame);
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop()
            && self.spare.len() < MAX_SPARE
        {
            self.spare.push(frame.entries);
        }
    }
}

fn read(
    directory: &Directory,
    entries: &mut Entries,
    rules: &dyn Rules,
    cancel: &Cancel,
) -> std::result::Result<(), Unread> {
    directory.read_entries(entries, |name, kind| rules.wants(name, kind), cancel)
}

/// Opens the subdirectory at `index` of the frame, and lets the frame's directory go after the
/// last.
fn open_child(frame: &mut Frame, index: usize) -> Result<Arc<Directory>> {
    frame.subdirectories = frame.subdirectories.saturating_sub(1);
    let directory =
        if frame.subdirectories == 0 { frame.directory.take() } else { frame.directory.clone() };
    let (Some(directory), Some((name, _))) = (directory, frame.entries.get(index)) else {
        return Err(Error::new("EBADF", "The walk lost the directory it was in"));
    };
    directory
        .open_directory(name)
        .map(Arc::new)
        .map_err(|errno| Error::io(errno, "scandir", &directory.path_of(name)))
}
