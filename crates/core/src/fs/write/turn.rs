//! One writer of a file at a time, in other processes and other copies of this code too.
//!
//! While two names are exchanged the new file is seen before it is certain to stay. A writer that read
//! it then and wrote over it would build on a change that is taken back, and undo one that was
//! acknowledged. So the file that is replaced and the one that replaces it are both locked
//! (`flock`), and who waited for the lock looks again at what has the name.

use std::os::fd::BorrowedFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::cancel::Cancel;
use crate::error::Result;

/// Longest wait. Writers hold the lock for microseconds, so after that it is held for something else
/// by a program that does not mean us.
const PATIENCE: Duration = Duration::from_secs(1);

/// Tries before the processor is left to others for longer.
const SHORT_WAITS: usize = 16;

/// Pause between later tries.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits for the lock on `file`, which goes when the descriptor does, or [`end_turn`] is called. File systems without locks, and
/// holders without end, are passed by: then only what the exchange brings out tells of others.
///
/// # Errors
/// As [`Cancel::check`].
pub(super) fn wait_for_turn(file: BorrowedFd<'_>, cancel: &Cancel) -> Result<()> {
    let mut tries = 0;
    let mut deadline = None;
    loop {
        match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {}
            Err(Errno::INTR) => continue,
            Ok(()) | Err(_) => return Ok(()),
        }
        cancel.check()?;
        let now = Instant::now();
        if now >= *deadline.get_or_insert(now + PATIENCE) {
            return Ok(());
        }
        tries += 1;
        if tries <= SHORT_WAITS { thread::yield_now() } else { thread::sleep(PAUSE) }
    }
}

/// Gives the lock on `file` back before its descriptor goes.
pub(super) fn end_turn(file: BorrowedFd<'_>) {
    let _ = rustix::fs::flock(file, FlockOperation::Unlock);
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn waits_for_another_writer_and_passes_by_who_holds_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let open = || {
            let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::RDWR;
            rustix::fs::open(&path, flags, rustix::fs::Mode::RUSR).unwrap()
        };
        let (one, other) = (open(), open());
        let cancel = Cancel::new();
        wait_for_turn(one.as_fd(), &cancel).unwrap();
        let start = Instant::now();
        wait_for_turn(other.as_fd(), &cancel).unwrap();
        assert!(start.elapsed() >= PATIENCE);

        let (started, starts) = std::sync::mpsc::channel();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                started.send(()).unwrap();
                wait_for_turn(other.as_fd(), &Cancel::new()).unwrap();
                let third = open();
                rustix::fs::flock(&third, FlockOperation::NonBlockingLockExclusive)
            });
            starts.recv().unwrap();
            end_turn(one.as_fd());
            assert_eq!(waiting.join().unwrap(), Err(Errno::WOULDBLOCK), "the waiter has the lock");
        });

        cancel.cancel();
        assert_eq!(wait_for_turn(one.as_fd(), &cancel).unwrap_err().code, "ABORT_ERR");
    }
}
