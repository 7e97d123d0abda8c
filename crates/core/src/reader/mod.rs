//! Pages of text files: some whole lines at a time, in memory that the page bounds and not the
//! file.
//!
//! A line is what a newline ends; a final newline begins no other line, so an empty file has none.
//! `\r\n` is a line end like `\n`, and neither is shown. The first page of a file is read in one
//! pass over all of it, because its lines are counted; the pass leaves an index, by which later
//! pages, of the same file unchanged, are found at once.

mod cache;
mod index;
mod line_ends;
mod page;
mod page_builder;
mod read;
mod scan;
mod window;

pub use page::{Page, PageLimits, TruncatedBy};
pub use read::{Start, is_at_hand, read};
