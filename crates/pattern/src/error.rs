//! Why a pattern was not compiled.

use std::fmt;

/// The kind of a [`PatternError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternErrorKind {
    /// The source has more UTF-16 units than [`limits::SOURCE_UNITS`](crate::limits::SOURCE_UNITS).
    TooLong,
    /// Groups are nested deeper than [`limits::NESTING`](crate::limits::NESTING).
    TooDeep,
    /// The compiled form would exceed a cap of [`limits`](crate::limits).
    TooLarge,
    /// A `\p{…}` names a property the host did not resolve.
    UnknownProperty,
    /// The source is not a valid pattern; the host's `RegExp` constructor should have refused it.
    Syntax,
}

/// A pattern that cannot be compiled, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What went wrong, for code.
    pub kind: PatternErrorKind,
    /// What went wrong, for people; names the cap that was exceeded.
    pub message: String,
}

impl PatternError {
    /// An error of `kind`, worded `message`.
    pub(crate) fn new(kind: PatternErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// A [`PatternErrorKind::Syntax`] error at `position` of the source.
    pub(crate) fn syntax(what: &str, position: usize) -> Self {
        Self::new(PatternErrorKind::Syntax, format!("{what} at position {position}"))
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}
