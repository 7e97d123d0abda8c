//! ECMAScript regular expressions on linear-time engines, bounded in time and memory.
//!
//! A [`Pattern`] means what V8's `RegExp` makes of the same source and flags, tested line by line. V8
//! validates the source and words its errors; this crate parses it once more, and runs it on
//!
//! 1. an automaton of regex-automata over whole buffers, which is exact for most patterns and a filter for
//!    the others;
//! 2. a linear-time simulation, for lookarounds, for loops that may take nothing and for the lines the
//!    automaton cannot be trusted with;
//! 3. a backtracking engine, for backreferences and for counted loops that are too large to unroll.
//!
//! No search runs away: each asks its [`Budget`] every few milliseconds, and memory has [`limits`].
//!
//! V8's empty matches inside surrogate pairs are reproduced. Where older V8 errs against ECMA-262, this crate
//! does not: V8 11 misses matches of a lazily repeated group that begins with a lookbehind
//! (`/xy(?:(?<=y)abab)*?k/` on "xyababk") and of a character beyond U+FFFF that stands right after a reference to
//! a later group (`/\1😀|(b)/u` on "😀"), and V8 13 mistakes modifiers next to alternatives
//! (`/(?i:k|[cb])/` on "B").
//!
//! ```
//! use std::ops::ControlFlow;
//! use llm_chat_file_pattern::{Flags, Pattern, Properties};
//!
//! let source: Vec<u16> = r"unwrap(?!_or)\b".encode_utf16().collect();
//! let pattern = Pattern::compile(&source, Flags::default(), &Properties::default())?;
//! let mut scratch = pattern.scratch();
//! let mut budget = || ControlFlow::Continue(());
//! let buffer = b"a.unwrap_or(b)\r\na.unwrap()\r\n";
//! let line = pattern.next_matching_line(&mut scratch, buffer, 0, &mut budget)?;
//! assert_eq!(line.map(|line| line.range), Some(16..26));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod agreement;
mod ast;
mod auto;
mod backtrack;
mod budget;
mod charset;
mod error;
mod exact;
mod finder;
mod first_set;
mod fold;
mod guards;
mod hir;
pub mod limits;
mod linear;
mod lines;
mod literals;
mod matcher;
mod parse;
mod properties;
mod reach;
mod scanner;
mod units;

pub use ast::Flags;
pub use budget::{Budget, Stopped};
pub use error::{PatternError, PatternErrorKind};
pub use lines::decoded;
pub use matcher::{MatchingLine, Pattern, Scratch};
pub use properties::{Properties, property_names};
