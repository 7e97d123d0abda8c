//! How much one call may give back, however many paths it names.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

/// Bytes of text that one call may give. JavaScript holds up to twice as much again while the
/// answer is handed over.
const LIMIT: usize = 64 * 1024 * 1024;

/// What is left of one call's answer. Clones share it.
#[derive(Clone, Debug)]
pub struct AnswerBudget(Arc<AtomicUsize>);

impl Default for AnswerBudget {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(LIMIT)))
    }
}

impl AnswerBudget {
    /// Takes `bytes` of the answer.
    ///
    /// # Errors
    /// `ERR_TOO_LARGE` when the call has given as much as it may.
    pub fn take(&self, bytes: usize) -> Result<()> {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes))
            .map(|_| ())
            .map_err(|_| {
                Error::new(
                    "ERR_TOO_LARGE",
                    format!(
                        "The texts of this call are larger than {LIMIT} bytes together; ask for \
                         fewer files or smaller ranges at once"
                    ),
                )
            })
    }
}
