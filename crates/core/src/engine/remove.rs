//! Removing files, links and directories.

use std::path::{Path, PathBuf};

use crate::access::{RightKind, Write};
use crate::engine::Call;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::stat::{self, Kind};
use crate::fs::{open, remove as gate};
use crate::pool::locks::{self, LockKey};
use crate::pool::{FileKey, Pool};
use crate::text::shown::shown_path;

/// What became of a removal.
#[derive(Clone, Debug)]
pub struct RemoveAnswer {
    /// The entry; a link itself, not what it leads to.
    pub path: PathBuf,
    /// Kind of the entry; `None` if there is none, or it cannot be looked at.
    pub kind: Option<Kind>,
    /// Whether it is gone.
    pub result: Result<()>,
}

/// Removes what `raw` means; a directory that is not empty only if `recursive`. A grant's root, and
/// what contains one, stays. Given a pool, what was known of removed files is forgotten.
///
/// # Errors
/// `ERR_NOT_GRANTED` and what keeps the path from being looked up at all. What happens to an entry
/// that was found stands in the answer: `ERR_ROOT`, Node's errors of `unlink` and `rmdir`,
/// `ERR_NOT_GRANTED` for an entry that the host's own rules keep.
pub fn remove(
    call: &Call,
    raw: &str,
    recursive: bool,
    pool: Option<&Pool>,
) -> Result<RemoveAnswer> {
    call.cancel.check()?;
    let permit = call.place::<Write>(raw)?;
    let path = permit.path().to_path_buf();
    if call.policy.holds_root(&path) {
        return Ok(of_root(path));
    }
    let looked = open::slot(&permit, "lstat")
        .and_then(|slot| stat::at(&slot, "lstat").map(|metadata| (slot, metadata.kind)));
    let (slot, kind) = match looked {
        Ok(looked) => looked,
        // A link on the way leads out.
        Err(error) if error.code == "ERR_NOT_GRANTED" => return Err(error),
        Err(error) => return Ok(RemoveAnswer { path, kind: None, result: Err(error) }),
    };
    // With links resolved the path may have turned out to be another one.
    let path = slot.path().to_path_buf();
    if call.policy.holds_root(&path) {
        return Ok(of_root(path));
    }
    let result = remove_slot(call, &slot, kind, recursive, pool);
    Ok(RemoveAnswer { path, kind: Some(kind), result })
}

fn remove_slot(
    call: &Call,
    slot: &Slot<Write>,
    kind: Kind,
    recursive: bool,
    pool: Option<&Pool>,
) -> Result<()> {
    let key = FileKey::of(slot)?;
    let _turn = locks::lock(vec![LockKey::Name(key.clone())], &call.cancel)?;
    let ask = |paths: &[PathBuf]| call.gatekeeper_allows(RightKind::Write, paths);
    let ask: Option<gate::Ask<'_>> = call.gatekeeper.is_some().then_some(&ask);
    let directories = gate::remove(slot, kind, recursive, ask, &call.cancel)?;
    if let Some(pool) = pool {
        pool.forget(&key);
        pool.forget_in(&directories);
    }
    Ok(())
}

fn of_root(path: PathBuf) -> RemoveAnswer {
    let result = Err(holds_root(&path));
    RemoveAnswer { path, kind: Some(Kind::Directory), result }
}

/// The refusal to remove or move a grant's root or what contains one.
pub(super) fn holds_root(path: &Path) -> Error {
    let message = format!(
        "'{}' is, or contains, the root of a granted directory and stays where it is",
        shown_path(path)
    );
    Error::new("ERR_ROOT", message).with_path(path)
}
