//! Which line end new text takes.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

/// The two line ends that a text is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    Lf,
    CrLf,
}

impl LineEnd {
    /// The line end whose LF stands at `newline`.
    pub(super) fn at(text: &[u8], newline: usize) -> Self {
        if text[..newline].ends_with(b"\r") { Self::CrLf } else { Self::Lf }
    }

    /// The first line end in `text[from..to]`; a CR just before `from` belongs to it.
    pub(super) fn first_in(text: &[u8], from: usize, to: usize) -> Option<Self> {
        memchr(b'\n', &text[from..to]).map(|at| Self::at(text, from + at))
    }

    /// The last line end in `text[from..to]`.
    pub(super) fn last_in(text: &[u8], from: usize, to: usize) -> Option<Self> {
        memrchr(b'\n', &text[from..to]).map(|at| Self::at(text, from + at))
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// `content` with CRLF for every LF that has no CR, if this is CRLF. For LF nothing changes: a
    /// CR that someone writes into a text with LF is meant.
    pub(super) fn widen(self, content: &str) -> Cow<'_, str> {
        if self == Self::Lf || !content.contains('\n') {
            return Cow::Borrowed(content);
        }
        let mut out = String::with_capacity(content.len() + content.len() / 16);
        for piece in content.split_inclusive('\n') {
            match piece.strip_suffix('\n') {
                Some(line) if !line.ends_with('\r') => {
                    out.push_str(line);
                    out.push_str("\r\n");
                }
                _ => out.push_str(piece),
            }
        }
        Cow::Owned(out)
    }

    /// `content` with this line end for both kinds.
    pub(super) fn unify(self, content: &str) -> Cow<'_, str> {
        match self {
            Self::Lf if content.contains("\r\n") => Cow::Owned(content.replace("\r\n", "\n")),
            _ => self.widen(content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_only_what_has_no_cr() {
        assert_eq!(LineEnd::CrLf.widen("a\nb\r\nc\n"), "a\r\nb\r\nc\r\n");
        assert_eq!(LineEnd::Lf.widen("a\nb\r\n"), "a\nb\r\n");
    }

    #[test]
    fn unifies_both_ways() {
        assert_eq!(LineEnd::Lf.unify("a\nb\r\n"), "a\nb\n");
        assert_eq!(LineEnd::CrLf.unify("a\nb\r\n"), "a\r\nb\r\n");
    }
}
