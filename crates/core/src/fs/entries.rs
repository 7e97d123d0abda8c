//! The entries of one directory: names in one arena, sorted by bytes, each with its kind.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use crate::cancel::{Cancel, Stop};
use crate::fs::platform::names;
use crate::fs::stat::Kind;
use crate::fs::temporary;

/// Names read between two looks at the clock: well under a millisecond.
const NAMES_PER_CHECK: usize = 1024;

/// Entries sorted at once: some 5 ms. Longer directories are sorted in runs that are then merged,
/// so that the clock is looked at in between.
const SORT_RUN: usize = 1 << 15;

/// Why a directory was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The kernel refused.
    Failed(Errno),
    /// The call was cancelled, or its time was over.
    Stopped(Stop),
}

impl From<Errno> for Unread {
    fn from(errno: Errno) -> Self {
        Self::Failed(errno)
    }
}

#[derive(Clone, Copy, Debug)]
struct Item {
    start: u32,
    length: u16,
    kind: Kind,
}

/// Names and kinds of a directory's entries. May be filled again, keeping its memory.
#[derive(Debug, Default)]
pub struct Entries {
    arena: Vec<u8>,
    items: Vec<Item>,
}

impl Entries {
    /// Reads the entries of `directory` (open for reading, at its beginning), sorted bytewise: no
    /// `.` and `..`, no temporaries of our writes, and only those that `keep` wants. What was held
    /// before goes; its memory is used again.
    ///
    /// # Errors
    /// [`Unread`]; nothing of use is held then.
    pub(in crate::fs) fn read(
        &mut self,
        directory: BorrowedFd<'_>,
        mut keep: impl FnMut(&OsStr, Kind) -> bool,
        cancel: &Cancel,
    ) -> Result<(), Unread> {
        self.arena.clear();
        self.items.clear();
        let mut count = 0_usize;
        let mut going = go_on(cancel);
        let read = names::for_each_name(directory, &mut |name, kind| {
            if going.is_err() {
                return ControlFlow::Break(());
            }
            count += 1;
            if count.is_multiple_of(NAMES_PER_CHECK) {
                going = go_on(cancel);
            }
            if matches!(name, b"." | b"..") {
                return ControlFlow::Continue(());
            }
            let name = OsStr::from_bytes(name);
            let kind = known_kind(directory, name, kind);
            if kind == Kind::File && is_our_temporary(directory, name) {
                return ControlFlow::Continue(());
            }
            if keep(name, kind)
                && let Err(errno) = self.push(name.as_bytes(), kind)
            {
                going = Err(errno.into());
            }
            ControlFlow::Continue(())
        });
        going?;
        read.map_err(Unread::Failed)?;
        self.sort(cancel)
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Name and kind of the entry at `index`, which is below [`Entries::len`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<(&OsStr, Kind)> {
        self.items.get(index).map(|item| (self.name(*item), item.kind))
    }

    /// Names and kinds in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&OsStr, Kind)> {
        self.items.iter().map(|item| (self.name(*item), item.kind))
    }

    /// Keeps the entries for which `keep`, asked in order, says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&OsStr, Kind) -> bool) {
        let arena = &self.arena;
        self.items.retain(|item| keep(name_in(arena, *item), item.kind));
    }

    fn name(&self, item: Item) -> &OsStr {
        name_in(&self.arena, item)
    }

    fn push(&mut self, name: &[u8], kind: Kind) -> Result<(), Errno> {
        let start = u32::try_from(self.arena.len()).map_err(|_| Errno::NOMEM)?;
        let length = u16::try_from(name.len()).map_err(|_| Errno::NAMETOOLONG)?;
        self.arena.extend_from_slice(name);
        self.items.push(Item { start, length, kind });
        Ok(())
    }

    fn sort(&mut self, cancel: &Cancel) -> Result<(), Unread> {
        let arena = &self.arena;
        let compare = |left: &Item, right: &Item| name_in(arena, *left).cmp(name_in(arena, *right));
        for run in self.items.chunks_mut(SORT_RUN) {
            go_on(cancel)?;
            run.sort_unstable_by(compare);
        }
        let mut run = SORT_RUN;
        while run < self.items.len() {
            let mut merged = Vec::with_capacity(self.items.len());
            for pair in self.items.chunks(run.saturating_mul(2)) {
                let (left, right) = pair.split_at(run.min(pair.len()));
                merge(left, right, compare, &mut merged, cancel)?;
            }
            self.items = merged;
            run = run.saturating_mul(2);
        }
        Ok(())
    }
}

fn name_in(arena: &[u8], item: Item) -> &OsStr {
    let start = item.start as usize;
    OsStr::from_bytes(arena.get(start..start + usize::from(item.length)).unwrap_or_default())
}

fn merge(
    mut left: &[Item],
    mut right: &[Item],
    compare: impl Fn(&Item, &Item) -> std::cmp::Ordering,
    merged: &mut Vec<Item>,
    cancel: &Cancel,
) -> Result<(), Unread> {
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if merged.len().is_multiple_of(SORT_RUN) {
            go_on(cancel)?;
        }
        if compare(first, second).is_le() {
            merged.push(*first);
            left = left_rest;
        } else {
            merged.push(*second);
            right = right_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

fn go_on(cancel: &Cancel) -> Result<(), Unread> {
    cancel.stop().map_or(Ok(()), |stop| Err(Unread::Stopped(stop)))
}

/// The kind, looked up where the file system does not tell it with the name.
fn known_kind(directory: BorrowedFd<'_>, name: &OsStr, kind: FileType) -> Kind {
    if kind != FileType::Unknown {
        return kind.into();
    }
    rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .map_or(Kind::Unknown, |stat| FileType::from_raw_mode(stat.st_mode).into())
}

fn is_our_temporary(directory: BorrowedFd<'_>, name: &OsStr) -> bool {
    temporary::is_temporary(name.as_bytes())
        && rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| stat.st_uid == rustix::process::geteuid().as_raw())
}

#[cfg(test)]
mod tests {
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use rustix::fs::{Mode, OFlags};

    use super::*;

    fn opened(directory: &Path) -> OwnedFd {
        rustix::fs::open(directory, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap()
    }

    fn read(directory: &Path) -> Vec<(String, Kind)> {
        let handle = opened(directory);
        let mut entries = Entries::default();
        let cancel = Cancel::new();
        entries.read(handle.as_fd(), |_, _| true, &cancel).unwrap();
        entries.iter().map(|(name, kind)| (name.to_string_lossy().into_owned(), kind)).collect()
    }

    #[test]
    fn sorts_by_bytes_and_names_kinds() {
        let base = tempfile::tempdir().unwrap();
        for name in ["b", "a", "Z", "é", "10", "9", ".z", "_"] {
            std::fs::write(base.path().join(name), "").unwrap();
        }
        std::fs::create_dir(base.path().join("dir")).unwrap();
        symlink("a", base.path().join("link")).unwrap();
        let names: Vec<String> = read(base.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [".z", "10", "9", "Z", "_", "a", "b", "dir", "link", "é"]);
        let kinds = read(base.path());
        assert!(kinds.contains(&("dir".into(), Kind::Directory)));
        assert!(kinds.contains(&("link".into(), Kind::Symlink)));
    }

    #[test]
    fn hides_regular_files_named_as_our_temporaries() {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join(".0123456789abcdef-x.llmfs"), "").unwrap();
        std::fs::create_dir(base.path().join(".0123456789abcdef-y.llmfs")).unwrap();
        assert_eq!(read(base.path()), [(".0123456789abcdef-y.llmfs".to_string(), Kind::Directory)]);
    }

    #[test]
    fn merges_the_runs_of_a_long_directory() {
        let mut entries = Entries::default();
        let count = SORT_RUN * 2 + 77;
        for index in 0..count {
            let name = (index.wrapping_mul(7919) % count).to_string();
            entries.push(name.as_bytes(), Kind::File).unwrap();
        }
        entries.sort(&Cancel::new()).unwrap();
        let names: Vec<&OsStr> = entries.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), count);
        assert!(names.is_sorted());
    }

    #[test]
    fn stops_when_cancelled() {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join("a"), "").unwrap();
        let handle = opened(base.path());
        let cancel = Cancel::new();
        cancel.cancel();
        let mut entries = Entries::default();
        let result = entries.read(handle.as_fd(), |_, _| true, &cancel);
        assert_eq!(result, Err(Unread::Stopped(Stop::Cancelled)));
    }
}
