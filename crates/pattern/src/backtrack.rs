//! The backtracking engine: the whole of ECMA-262 22.2.2, backreferences included. Matching with
//! backreferences is NP-hard, so only the budget bounds its time; its memory has a cap.

mod program;
mod run;
mod state;

pub(crate) use program::Backtracker;
pub(crate) use state::State;
