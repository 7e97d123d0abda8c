//! Walks, listings and searches of real trees.
#![expect(clippy::disallowed_methods, reason = "the tests make and compare real trees")]
#![expect(clippy::disallowed_types, reason = "the tests make and compare real trees")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod call;
mod dig;
mod list_counts;
mod search_limits;
mod search_order;
mod search_portions;
mod support;
mod walk_order;
