//! One token that ends long work: cancelled by its owner, or by its deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::error::{Error, Result};

/// Why work has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The caller gave up (an `AbortSignal`); the answer is thrown away.
    Cancelled,
    /// The time limit passed; what was found so far is the answer.
    TimedOut,
}

/// Shared by the caller and every thread of one operation. Cloning shares the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Cancel {
    /// A token without a deadline.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same flag with a deadline. Work that asks after it stops with [`Stop::TimedOut`].
    #[must_use]
    pub fn with_deadline(&self, deadline: Instant) -> Self {
        Self { flag: Arc::clone(&self.flag), deadline: Some(deadline) }
    }

    /// Ends the work at its next check. May be called from any thread, more than once.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the caller gave up; costs one relaxed load, so it may stand in the tightest loop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Why to stop now, if at all. Reads the clock when there is a deadline: ask at least every
    /// few milliseconds of work, not at every byte.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        if self.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Stop::TimedOut),
            _ => None,
        }
    }

    /// [`Cancel::stop`] as an error, for operations that have no partial answer.
    ///
    /// # Errors
    /// `ABORT_ERR` when cancelled, `ETIMEDOUT` when the deadline has passed.
    pub fn check(&self) -> Result<()> {
        match self.stop() {
            None => Ok(()),
            Some(Stop::Cancelled) => Err(Error::cancelled()),
            Some(Stop::TimedOut) => Err(Error::timed_out()),
        }
    }
}
