//! Operations as callers ask for them: one function per operation, composed of the policy, the
//! gate and the pure modules. Each takes the [`Call`] it runs under and a path as it was typed.

pub mod budget;
pub mod call;
pub mod create_directory;
pub mod edit_text;
pub mod info;
pub mod is_binary;
pub mod list;
pub mod read_page;
pub mod read_text;
pub mod remove;
pub mod rename;
pub mod search;
pub mod switch_target;
mod target;
pub mod walk;
pub mod write_text;

pub use budget::AnswerBudget;
pub use call::{Call, Gatekeeper};
