//! The gate: the only code that touches the disk. Every function takes a permit, which only the
//! access policy makes, and acts on descriptors beneath the grant's root.
#![expect(
    clippy::disallowed_methods,
    reason = "this module is the gate that the lint guards everywhere else"
)]

pub mod cached;
pub mod create_dir;
mod denied;
pub mod entries;
pub mod kind_at;
pub mod links;
mod metadata;
pub mod open;
pub mod place;
mod platform;
pub mod read;
pub mod remove;
pub mod rename;
pub mod root;
pub mod seen;
mod staged;
pub mod stat;
mod sweep;
mod temporary;
mod transfer;
pub mod tree;
pub mod walk;
pub mod write;

/// The kernel's error numbers, for the core's error type.
pub use rustix::io::Errno;
