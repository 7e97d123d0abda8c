//! What is known about an entry, links not followed.

use crate::access::Read;
use crate::engine::Call;
use crate::error::Result;
use crate::fs::stat::Entry;
use crate::fs::{cached, stat};

/// Looks at the entry that `raw` means.
///
/// # Errors
/// Node's `lstat` errors; `ERR_NOT_GRANTED`.
pub fn info(call: &Call, raw: &str) -> Result<Entry<Read>> {
    call.cancel.check()?;
    stat::entry(&call.place::<Read>(raw)?)
}

/// [`info`] for an entry that the kernel holds in memory; `None` when the answer might have to
/// wait.
#[must_use]
pub fn info_now(call: &Call, raw: &str) -> Option<Entry<Read>> {
    cached::entry(&call.place_now::<Read>(raw)?)
}
