//! Locks on files by name, shared by the whole process: writers of one file take turns, whichever
//! spelling, link or workspace they came by.

use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cancel::Cancel;
use crate::error::Result;
use crate::pool::FileKey;

/// How often a waiting writer looks whether its caller gave up; a cancellation token cannot wake
/// anyone.
const CANCEL_CHECK: Duration = Duration::from_millis(20);

/// What is locked. Names sort before inodes, so that a writer that holds a name may go on to take
/// its inode without a deadlock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockKey {
    /// A name in a directory.
    Name(FileKey),
    /// A file under all its names, by device and inode, for writes that keep hard links.
    Inode(u64, u64),
}

/// Who holds a key (the first) and who waits, in the order of arrival.
#[derive(Debug, Default)]
struct Queue {
    tickets: VecDeque<u64>,
    moved: Arc<Condvar>,
}

#[derive(Debug, Default)]
struct Table {
    queues: BTreeMap<LockKey, Queue>,
    next_ticket: u64,
}

static TABLE: Mutex<Table> = Mutex::new(Table { queues: BTreeMap::new(), next_ticket: 0 });

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keys held until this is dropped.
#[derive(Debug, Default)]
pub struct Locked {
    held: Vec<(LockKey, u64)>,
}

/// Waits until all of `keys` are held. They are taken in one fixed order, each in the order of
/// arrival. A key must not be asked for while the same thread holds it, nor a name while it holds
/// an inode.
///
/// # Errors
/// As [`Cancel::check`], when the caller gives up while it waits; nothing is held then.
pub fn lock(mut keys: Vec<LockKey>, cancel: &Cancel) -> Result<Locked> {
    keys.sort();
    keys.dedup();
    let mut locked = Locked::default();
    for key in keys {
        wait_for(&mut locked, key, cancel)?;
    }
    Ok(locked)
}

fn wait_for(locked: &mut Locked, key: LockKey, cancel: &Cancel) -> Result<()> {
    let mut table = table();
    let ticket = table.next_ticket;
    table.next_ticket += 1;
    let queue = table.queues.entry(key.clone()).or_default();
    queue.tickets.push_back(ticket);
    let moved = Arc::clone(&queue.moved);
    // From here on the ticket is given back by the drop of `locked`, first in line or not.
    locked.held.push((key.clone(), ticket));
    loop {
        let first = table.queues.get(&key).and_then(|queue| queue.tickets.front());
        if first == Some(&ticket) {
            return Ok(());
        }
        table = moved.wait_timeout(table, CANCEL_CHECK).unwrap_or_else(PoisonError::into_inner).0;
        cancel.check()?;
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let mut table = table();
        for (key, ticket) in self.held.drain(..) {
            let Entry::Occupied(mut entry) = table.queues.entry(key) else { continue };
            let queue = entry.get_mut();
            queue.tickets.retain(|waiting| *waiting != ticket);
            queue.moved.notify_all();
            if queue.tickets.is_empty() {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Instant;

    use super::*;

    fn name(device: u64, name: &str) -> LockKey {
        LockKey::Name(FileKey::new(device, 1, name.as_ref()))
    }

    /// Keys of this test alone: the table is shared with tests that run at the same time.
    fn waiting(key: &LockKey) -> usize {
        table().queues.get(key).map_or(0, |queue| queue.tickets.len())
    }

    #[test]
    fn one_at_a_time_and_nothing_left() {
        let inside = AtomicUsize::new(0);
        let pair = || vec![name(901, "b"), name(901, "a"), LockKey::Inode(901, 5)];
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let held = lock(pair(), &Cancel::new()).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
        for key in pair() {
            assert_eq!(waiting(&key), 0);
        }
    }

    #[test]
    fn a_waiter_gives_up_and_leaves_the_line() {
        let key = name(902, "a");
        let held = lock(vec![key.clone()], &Cancel::new()).unwrap();
        let cancel = Cancel::new().with_deadline(Instant::now() + Duration::from_millis(30));
        assert_eq!(lock(vec![key.clone()], &cancel).unwrap_err().code, "ETIMEDOUT");
        assert_eq!(waiting(&key), 1);
        drop(held);
        assert_eq!(waiting(&key), 0);
    }
}
