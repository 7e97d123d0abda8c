//! What differs between operating systems, one small module each.

#[cfg(target_os = "linux")]
mod linux;
pub(crate) mod names;
mod unix;

#[cfg(target_os = "linux")]
pub(crate) use linux::{O_PATH, is_local, open_beneath, stat_at};
#[cfg(not(target_os = "linux"))]
pub(crate) use unix::{O_PATH, is_local, open_beneath, stat_at};
