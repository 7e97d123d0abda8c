//! A page: whole lines in succession, and what there is beside them.

/// How much a page may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLimits {
    /// Most lines that the caller wants.
    pub limit: Option<u64>,
    /// Most lines of any page.
    pub max_lines: u64,
    /// Most bytes of any page: those of its lines in UTF-8 and of the newlines between them.
    pub max_bytes: usize,
}

/// The limit that ended a page before the lines that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TruncatedBy {
    /// [`PageLimits::max_lines`].
    Lines,
    /// [`PageLimits::max_bytes`].
    Bytes,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The lines with newlines between them; their own ends, `\n` or `\r\n`, are not part of them.
    pub text: String,
    /// Number of the first line, from 1.
    pub first_line: u64,
    /// Number of lines, all of them whole.
    pub lines: u64,
    /// Lines of the file.
    pub total_lines: u64,
    /// The line to go on with; `None` at the end of the file.
    pub next_offset: Option<u64>,
    /// Why lines that were asked for are missing, if any are.
    pub truncated_by: Option<TruncatedBy>,
}

impl Page {
    /// The page of `count` lines from `first_line` on, in a file of `total_lines`.
    pub(super) fn new(
        text: String,
        first_line: u64,
        count: u64,
        is_full: bool,
        total_lines: u64,
        limits: &PageLimits,
    ) -> Self {
        let next = first_line.saturating_add(count);
        let next_offset = (next <= total_lines).then_some(next);
        let is_all = limits.limit.is_some_and(|limit| count >= limit);
        let truncated_by = match next_offset {
            Some(_) if is_full => Some(TruncatedBy::Bytes),
            Some(_) if !is_all => Some(TruncatedBy::Lines),
            _ => None,
        };
        Self { text, first_line, lines: count, total_lines, next_offset, truncated_by }
    }
}
