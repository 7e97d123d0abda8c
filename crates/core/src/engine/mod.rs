//! Operations as callers ask for them: one function per operation, composed of the policy, the
//! gate and the pure modules. Each takes the [`Call`] it runs under and a path as it was typed.

pub mod call;
pub mod list;
pub mod walk;

pub use call::{Call, Gatekeeper};
