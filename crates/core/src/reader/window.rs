//! The lines that are wanted of a file whose bytes pass by.

use super::line_ends::LineEnds;
use super::page::PageLimits;
use super::page_builder::{PageBuilder, Taken};
use crate::text::encoding::{Decoder, Encoding};

/// Lets the lines before the first wanted one pass, decodes from there on, and fills a page.
#[derive(Debug)]
pub(super) struct Window {
    ends: LineEnds,
    /// Number of the line that the next byte belongs to.
    line: u64,
    first_line: u64,
    decoder: Decoder,
    decoded: String,
    page: PageBuilder,
}

impl Window {
    /// For bytes that begin with line `line`; the page is to begin with `first_line`, not before.
    pub(super) fn new(encoding: Encoding, line: u64, first_line: u64, limits: &PageLimits) -> Self {
        Self {
            ends: LineEnds::of(encoding),
            line,
            first_line,
            decoder: Decoder::of(encoding),
            decoded: String::new(),
            page: PageBuilder::new(limits),
        }
    }

    /// Whether no further bytes are of use.
    pub(super) fn is_done(&self) -> bool {
        self.page.is_done()
    }

    /// The next bytes, which begin with a whole code unit and have `newlines` line ends.
    pub(super) fn push(&mut self, bytes: &[u8], newlines: u64) {
        if self.is_done() {
            return;
        }
        let ahead = self.first_line - self.line;
        if newlines < ahead {
            self.line += newlines;
            return;
        }
        let start = match ahead.checked_sub(1) {
            None => Some(0),
            Some(skipped) => {
                usize::try_from(skipped).ok().and_then(|at| self.ends.after(bytes).nth(at))
            }
        };
        let wanted = start.and_then(|start| bytes.get(start..)).unwrap_or_default();
        self.line = self.first_line;
        self.decoder.push(wanted, &mut self.decoded);
        self.page.push(&self.decoded);
        self.decoded.clear();
    }

    /// [`Window::push`] for who has not counted the line ends.
    pub(super) fn push_uncounted(&mut self, bytes: &[u8]) {
        let newlines = if self.line < self.first_line { self.ends.count(bytes) as u64 } else { 0 };
        self.push(bytes, newlines);
    }

    /// The end of the file, or of what is wanted.
    pub(super) fn finish(mut self) -> Taken {
        if !self.page.is_done() {
            self.decoder.finish(&mut self.decoded);
            self.page.push(&self.decoded);
        }
        self.page.finish()
    }
}
