//! What differs between operating systems, one small module each.

#[cfg(target_os = "linux")]
#[path = "cached_linux.rs"]
mod cached;
#[cfg(not(target_os = "linux"))]
#[path = "cached_other.rs"]
mod cached;
#[cfg(target_os = "linux")]
mod linux;
pub(crate) mod names;
#[cfg(target_os = "linux")]
#[path = "publish_linux.rs"]
mod publish;
#[cfg(not(target_os = "linux"))]
#[path = "publish_other.rs"]
mod publish;
mod unix;

pub(crate) use publish::{exchange, flush_data, name_file, open_nameless, rename_new};

pub(crate) use cached::{
    is_current_cached, open_cached_directory, open_cached_entry, open_cached_file, read_cached,
    stat_cached,
};

#[cfg(target_os = "linux")]
pub(crate) use linux::{O_PATH, is_local, open_beneath, path_of, stat_at};
#[cfg(not(target_os = "linux"))]
pub(crate) use unix::{O_PATH, is_local, open_beneath, path_of, stat_at};
