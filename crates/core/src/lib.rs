//! Access-controlled file operations for agents.
//!
//! Every touch of the disk passes one gate ([`fs`]), and the gate acts only through a permit that
//! the access policy ([`access`]) made. The crate knows no JavaScript.

pub mod access;
pub mod cancel;
pub mod edit;
pub mod engine;
pub mod error;
pub mod fs;
pub mod pool;
pub mod reader;
pub mod search;
pub mod text;

pub use cancel::Cancel;
pub use error::{Error, Result};
