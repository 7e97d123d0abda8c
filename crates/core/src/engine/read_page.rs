//! Reading a page: some whole lines of a text file, however large.

use std::path::{Path, PathBuf};

use crate::access::{Permit, Policy, Read, lexical};
use crate::engine::Call;
use crate::error::{Error, Result};
use crate::fs::open;
use crate::fs::read::{self, File};
use crate::pool::{FileKey, Fingerprint, Pool};
use crate::reader::{self, Page, PageLimits, Start};

/// What to read of a file.
#[derive(Clone, Debug)]
pub struct ReadPageOptions {
    /// First line.
    pub start: Start,
    /// How much to give.
    pub limits: PageLimits,
    /// Whether a path outside the grants is refused by its spelling alone, so that nothing is asked
    /// of the disk about it. The refusal then names the path as typed, wherever a link leads.
    pub confined: bool,
    /// Whether to read a large file from its beginning, if its lines are not known.
    pub patient: bool,
}

/// Lines of one file.
#[derive(Clone, Debug)]
pub struct ReadPage {
    /// The file, its links resolved when the policy resolves links.
    pub path: PathBuf,
    /// The lines.
    pub page: Page,
}

/// Reads a page of the text file that `raw` means and, given a pool, remembers the file as read.
/// `None` when that takes a pass over a large file and `options` are not patient.
///
/// # Errors
/// Those of [`read::open_regular`] and [`reader::read`]; `ERR_NOT_GRANTED`; `ERR_TOO_LARGE` when
/// the answers of one call grow beyond its budget.
pub fn read_page(
    call: &Call,
    raw: &str,
    options: &ReadPageOptions,
    pool: Option<&Pool>,
) -> Result<Option<ReadPage>> {
    call.cancel.check()?;
    let file = if options.confined {
        open_confined(call, raw)?
    } else {
        read::open_regular(&call.place::<Read>(raw)?)?
    };
    call.cancel.check()?;
    if !options.patient && !reader::is_at_hand(&file) {
        return Ok(None);
    }
    let (page, fingerprint) = reader::read(&file, options.start, &options.limits, &call.cancel)?;
    call.budget.take(page.text.len())?;
    if let Some(pool) = pool {
        // A file that cannot be remembered (its directory went away meanwhile) reads all the same.
        remember(pool, &file, fingerprint).unwrap_or_default();
    }
    Ok(Some(ReadPage { path: file.permit().path().to_path_buf(), page }))
}

/// Opens a file whose path lies beneath a grant's root both as it is spelled and as it leads.
fn open_confined(call: &Call, raw: &str) -> Result<File<Read>> {
    let permit: Permit<Read> =
        call.place_within(raw, |path| is_beneath_root(&call.policy, path))?;
    read::open_regular(&permit).map_err(|error| outside(error, &permit))
}

/// Whether `path` is spelled beneath a grant's root, as configured or with the links of the root
/// resolved.
fn is_beneath_root(policy: &Policy, path: &Path) -> bool {
    policy.grants().iter().any(|grant| {
        lexical::relative_within(grant.lexical(), path).is_some()
            || grant
                .root()
                .is_ok_and(|root| lexical::relative_within(root.canonical(), path).is_some())
    })
}

/// Where a link leads is not told, if that is out. Links that go round in a circle lead nowhere, so
/// to nothing beneath the root either; another answer would tell of circles outside.
fn outside(error: Error, permit: &Permit<Read>) -> Error {
    if matches!(error.code, "ERR_NOT_GRANTED" | "ELOOP") {
        Policy::refusal(permit.path())
    } else {
        error
    }
}

fn remember(pool: &Pool, file: &File<Read>, fingerprint: Fingerprint) -> Result<()> {
    let slot = open::target_slot(file.permit(), "open")?;
    pool.record(FileKey::of(&slot)?, fingerprint);
    Ok(())
}
