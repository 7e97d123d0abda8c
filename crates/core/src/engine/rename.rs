//! Moving and renaming.

use std::path::{Path, PathBuf};

use crate::access::{Permit, RightKind, Write, lexical};
use crate::engine::Call;
use crate::engine::remove::holds_root;
use crate::error::{Error, Result};
use crate::fs::open::Slot;
use crate::fs::stat::{self, Kind, Metadata};
use crate::fs::{Errno, create_dir, open, remove, rename as gate};
use crate::pool::locks::{self, LockKey};
use crate::pool::{FileKey, Pool};
use crate::text::trim;

/// How far a rename came before it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The source may not be moved.
    Source,
    /// Nothing may be put at the destination.
    Destination,
    /// The source was looked at.
    Look,
    /// The move itself.
    Rename,
}

/// What became of a rename.
#[derive(Clone, Debug)]
pub struct RenameOutcome {
    /// The source; empty if it was refused.
    pub from: PathBuf,
    /// The destination; empty if it was refused.
    pub to: PathBuf,
    /// Whether it is done, else what failed and when.
    pub result: std::result::Result<(), (Stage, Error)>,
}

/// Gives what `from` means (a link itself, not what it leads to) the name that `to` means, which
/// must be free; directories that are missing above it are made. A move onto itself is done
/// already. Given a pool, what is known of the file moves along.
///
/// Failures, in the outcome: `ERR_NOT_GRANTED`; Node's errors of `stat`, `mkdir` and `rename`;
/// `ERR_NOT_REGULAR` for what is neither file, directory nor link; `ERR_ROOT`; `EEXIST`. After a
/// failure everything is as it was.
#[must_use]
pub fn rename(call: &Call, from: &str, to: &str, pool: Option<&Pool>) -> RenameOutcome {
    let mut outcome = RenameOutcome { from: PathBuf::new(), to: PathBuf::new(), result: Ok(()) };
    outcome.result = run(call, from, to, pool, &mut outcome);
    outcome
}

fn run(
    call: &Call,
    from: &str,
    to: &str,
    pool: Option<&Pool>,
    outcome: &mut RenameOutcome,
) -> std::result::Result<(), (Stage, Error)> {
    let at = |stage| move |error| (stage, error);
    call.cancel.check().map_err(at(Stage::Source))?;
    // Both are refused first; a name that cannot be is found wanting where it is used.
    let source = unless_refused(call.place::<Write>(from)).map_err(at(Stage::Source))?;
    let destination = unless_refused(call.place::<Write>(to)).map_err(at(Stage::Destination))?;
    let source = source.map_err(at(Stage::Look))?;
    outcome.from = source.path().to_path_buf();
    if let Ok(destination) = &destination {
        outcome.to = destination.path().to_path_buf();
    }
    if call.policy.holds_root(source.path()) {
        return Err((Stage::Rename, holds_root(source.path())));
    }
    let (slot, metadata) =
        look(&source).map_err(|error| (refused_or(&error, Stage::Source, Stage::Look), error))?;
    if call.policy.holds_root(slot.path()) {
        return Err((Stage::Rename, holds_root(slot.path())));
    }
    outcome.from = slot.path().to_path_buf();
    let destination =
        destination.map_err(|error| (Stage::Rename, bad_destination(call, to, error)))?;
    ask_beneath(call, &slot, &metadata, &destination)?;
    move_slot(call, &slot, &metadata, &destination, pool)
        .map_err(|error| (refused_or(&error, Stage::Destination, Stage::Rename), error))
}

/// Node's `mkdir` is the first to see the destination's directory, and `rename` its name, which is
/// another argument there.
fn bad_destination(call: &Call, to: &str, error: Error) -> Error {
    let path = lexical::resolve(&call.cwd, Path::new(trim::trim_js(to)));
    let parent = lexical::parent_and_name(&path).map(|(parent, _)| lexical::check(parent));
    match parent {
        Some(Err(of_directory)) => of_directory,
        _ => Error::new(error.code, error.message.replacen("'path'", "'newPath'", 1)),
    }
}

fn unless_refused<T>(place: Result<T>) -> Result<Result<T>> {
    match place {
        Err(error) if error.code == "ERR_NOT_GRANTED" => Err(error),
        result => Ok(result),
    }
}

/// A link on the way may lead out of the grants; then the place was refused, only later.
fn refused_or(error: &Error, refused: Stage, failed: Stage) -> Stage {
    if error.code == "ERR_NOT_GRANTED" { refused } else { failed }
}

fn look(source: &Permit<Write>) -> Result<(Slot<Write>, Metadata)> {
    let slot = open::slot(source, "stat")?;
    let metadata = stat::at(&slot, "stat")?;
    match metadata.kind {
        Kind::File | Kind::Directory | Kind::Symlink => Ok((slot, metadata)),
        _ => Err(Error::new("ERR_NOT_REGULAR", "Source is not a file or directory")
            .with_path(slot.path())),
    }
}

/// Asks the host's own rules about every entry of a directory, where it is and where it would be,
/// before anything is moved.
fn ask_beneath(
    call: &Call,
    slot: &Slot<Write>,
    metadata: &Metadata,
    destination: &Permit<Write>,
) -> std::result::Result<(), (Stage, Error)> {
    if call.gatekeeper.is_none() || metadata.kind != Kind::Directory {
        return Ok(());
    }
    let here = |paths: &[PathBuf]| call.gatekeeper_allows(RightKind::Write, paths);
    remove::ask_beneath(slot, &here, &call.cancel).map_err(|error| (Stage::Source, error))?;
    let there = |paths: &[PathBuf]| {
        let moved: Vec<PathBuf> = paths
            .iter()
            .filter_map(|path| lexical::relative_within(slot.path(), path))
            .map(|relative| destination.path().join(relative))
            .collect();
        call.gatekeeper_allows(RightKind::Write, &moved)
    };
    remove::ask_beneath(slot, &there, &call.cancel).map_err(|error| (Stage::Destination, error))
}

fn move_slot(
    call: &Call,
    slot: &Slot<Write>,
    metadata: &Metadata,
    destination: &Permit<Write>,
    pool: Option<&Pool>,
) -> Result<()> {
    if destination.path() == slot.path() {
        return Ok(());
    }
    if destination.relative().as_os_str().is_empty() {
        create_dir::create_dir_all(destination)?;
        return Err(gate::exists(destination.path()));
    }
    // What is too long is refused as that, further down.
    let fits = open::refuse_long(destination, "rename").is_ok();
    if metadata.kind == Kind::Directory && fits {
        refuse_into_itself(slot.path(), destination.path())?;
    }
    let made = create_dir::parents(destination)?;
    let target = open::slot(destination, "rename").map_err(|error| match error.raw() {
        Some(errno) => Error::io_between(errno, "rename", slot.path(), destination.path()),
        None => error,
    })?;
    let (source_key, target_key) = (FileKey::of(slot)?, FileKey::of(&target)?);
    if source_key == target_key {
        return Ok(());
    }
    if metadata.kind == Kind::Directory {
        // The destination's links are resolved by now.
        refuse_into_itself(slot.path(), target.path())?;
    }
    let keys = [&source_key, &target_key].map(|key| LockKey::Name(key.clone()));
    let _turn = locks::lock(keys.to_vec(), &call.cancel)?;
    gate::rename(slot, metadata, &target, &call.cancel)?;
    made.keep();
    if let Some(pool) = pool {
        pool.move_key(&source_key, target_key);
    }
    Ok(())
}

fn refuse_into_itself(from: &Path, to: &Path) -> Result<()> {
    match lexical::relative_within(from, to) {
        Some(_) => Err(Error::io_between(Errno::INVAL, "rename", from, to)),
        None => Ok(()),
    }
}
