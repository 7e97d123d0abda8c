//! Walks: every directory and regular file beneath a place, in batches that the caller pulls.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::access::{Read, RightKind};
use crate::engine::Call;
use crate::error::{Error, Result};
use crate::fs::entries::Entries;
use crate::fs::stat::Kind;
use crate::fs::tree::{self, Directory};
use crate::fs::walk::{self, Rules, Step};

pub use crate::fs::tree::RootError;

/// [`Batch::kinds`]: the directory entered last is left.
pub const LEAVE: u8 = 0;
/// [`Batch::kinds`]: a regular file.
pub const FILE: u8 = 1;
/// [`Batch::kinds`]: a directory that is then entered.
pub const ENTER: u8 = 2;
/// [`Batch::kinds`]: the directory just entered, or the root, cannot be read.
pub const UNREADABLE: u8 = 3;

/// A walk under way. Dropping it ends it.
#[derive(Debug)]
pub struct Walk {
    call: Call,
    path: PathBuf,
    state: walk::Walk,
}

/// What a walk met, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Names of the files and directories, each followed by `/`. Bytes that are not UTF-8 stand
    /// as U+FFFD, as in Node's names.
    pub names: String,
    /// A small program over the names: [`FILE`] and [`ENTER`] take the next one. Each [`ENTER`]
    /// has its [`LEAVE`], also where [`UNREADABLE`] follows it; the root has neither.
    pub kinds: Vec<u8>,
    /// One for each [`UNREADABLE`], worded as Node's `scandir` errors.
    pub failures: Vec<Error>,
}

/// Begins a walk of the directory that `raw` names.
///
/// # Errors
/// [`RootError`], worded as Node's `stat` words it. A root that cannot be read is told by the
/// walk's first batch.
pub fn open(call: &Call, raw: &str) -> std::result::Result<Walk, RootError> {
    let root = tree::open_root(&call.place::<Read>(raw)?)?;
    let path = root.path.clone();
    Ok(Walk { call: call.clone(), path, state: walk::Walk::new(root) })
}

impl Walk {
    /// The root as resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next `max` entries (at least one), fewer at the end; `None` when the walk is over.
    ///
    /// # Errors
    /// `ABORT_ERR` when cancelled, and what the host's own rules threw. The walk is over then.
    pub fn next_batch(&mut self, max: usize) -> Result<Option<Batch>> {
        self.batch(max, false)
    }

    /// The first entries: at most `max`, and no more than the root's own that come before another
    /// directory has to be read. `None` when there are none.
    ///
    /// # Errors
    /// As [`Walk::next_batch`].
    pub fn first_batch(&mut self, max: usize) -> Result<Option<Batch>> {
        self.batch(max, true)
    }

    fn batch(&mut self, max: usize, stops_before_directory: bool) -> Result<Option<Batch>> {
        let mut batch = Batch::default();
        let mut count = 0;
        let rules = CallRules(&self.call);
        while count < max.max(1) {
            if stops_before_directory && count > 0 && self.state.is_before_directory() {
                break;
            }
            match self.state.next(&rules, &self.call.cancel)? {
                Some(Step::File(name)) => {
                    push(&mut batch, name, FILE);
                    count += 1;
                }
                Some(Step::Enter(name)) => {
                    push(&mut batch, name, ENTER);
                    count += 1;
                }
                Some(Step::Leave) => batch.kinds.push(LEAVE),
                Some(Step::Unreadable(error)) => {
                    batch.kinds.push(UNREADABLE);
                    batch.failures.push(error);
                }
                None => break,
            }
        }
        Ok((!batch.kinds.is_empty()).then_some(batch))
    }
}

fn push(batch: &mut Batch, name: &OsStr, kind: u8) {
    batch.names.push_str(&name.to_string_lossy());
    batch.names.push('/');
    batch.kinds.push(kind);
}

/// What a call leaves out of every tree it goes through: all but directories and regular files,
/// the policy's skipped directories, and what the host's own rules refuse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallRules<'c>(pub(crate) &'c Call);

impl Rules for CallRules<'_> {
    fn wants(&self, name: &OsStr, kind: Kind) -> bool {
        match kind {
            Kind::Directory => !self.0.policy.skips(name),
            Kind::File => true,
            _ => false,
        }
    }

    fn admit(&self, directory: &Directory, entries: &mut Entries) -> Result<()> {
        if self.0.gatekeeper.is_none() || entries.is_empty() {
            return Ok(());
        }
        let paths: Vec<PathBuf> = entries.iter().map(|(name, _)| directory.path_of(name)).collect();
        let mut verdicts = self.0.gatekeeper_allows(RightKind::Read, &paths)?.into_iter();
        entries.retain(|_, _| verdicts.next().unwrap_or(false));
        Ok(())
    }
}
