//! The gate: the only code that touches the disk. Every function takes a permit, which only the
//! access policy makes, and acts on descriptors beneath the grant's root.
#![expect(
    clippy::disallowed_methods,
    reason = "this module is the gate that the lint guards everywhere else"
)]

pub mod cached;
pub mod entries;
pub mod links;
pub mod open;
mod platform;
pub mod read;
pub mod root;
pub mod stat;
mod temporary;
pub mod tree;
pub mod walk;

/// The kernel's error numbers, for the core's error type.
pub use rustix::io::Errno;
