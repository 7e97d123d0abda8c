//! A parsed pattern: a tree whose character classes are resolved sets.

use std::ops::Range;
use std::sync::Arc;

use crate::charset::CharSet;

/// What the flags of a `RegExp` say. The other flags do not change what matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `i`
    pub ignore_case: bool,
    /// `u`
    pub unicode: bool,
    /// `m`
    pub multiline: bool,
    /// `s`
    pub dot_all: bool,
}

/// Index of a set in [`Ast::sets`].
pub(crate) type SetId = u32;

/// A whole pattern.
#[derive(Debug)]
pub(crate) struct Ast {
    pub(crate) root: Node,
    /// The distinct sets, already closed under case where flag `i` held.
    pub(crate) sets: Vec<CharSet>,
    /// Number of capture groups; they count from 1.
    pub(crate) groups: u32,
    pub(crate) has_back_reference: bool,
    /// Flag `u`.
    pub(crate) unicode: bool,
}

/// One term of a pattern. Depth is bounded by [`NESTING`](crate::limits::NESTING), so that walks and the
/// drop may recurse.
#[derive(Debug)]
pub(crate) enum Node {
    /// Matches the empty text.
    Empty,
    /// One character of a set.
    Set(SetId),
    /// One after the other.
    Concat(Vec<Node>),
    /// The first that leads to a match.
    Alternation(Vec<Node>),
    /// A capture group and its number.
    Group(Box<Node>, u32),
    /// A quantified term.
    Repeat(Box<Repeat>),
    /// `^`
    Start { multiline: bool },
    /// `$`
    End { multiline: bool },
    /// `\b`, or `\B` if negated; `folded` under both `i` and `u`.
    WordBoundary { negated: bool, folded: bool },
    /// A lookahead or lookbehind.
    Look(Box<Look>),
    /// What one of the groups of this name or number matched; at most one of them has.
    BackReference { groups: Arc<[u32]>, ignore_case: bool },
}

/// A quantified term.
#[derive(Debug)]
pub(crate) struct Repeat {
    pub(crate) body: Node,
    pub(crate) min: u32,
    /// `None`: without end.
    pub(crate) max: Option<u32>,
    pub(crate) greedy: bool,
    /// The groups inside the body, which each iteration resets.
    pub(crate) groups: Range<u32>,
}

/// A lookahead or lookbehind.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) body: Node,
    pub(crate) ahead: bool,
    pub(crate) negated: bool,
}

impl Node {
    /// May the term match the empty text? (`true` when unsure.)
    pub(crate) fn is_nullable(&self) -> bool {
        match self {
            Self::Set(_) => false,
            Self::Concat(nodes) => nodes.iter().all(Self::is_nullable),
            Self::Alternation(nodes) => nodes.iter().any(Self::is_nullable),
            Self::Group(body, _) => body.is_nullable(),
            Self::Repeat(repeat) => repeat.min == 0 || repeat.body.is_nullable(),
            Self::Empty
            | Self::Start { .. }
            | Self::End { .. }
            | Self::WordBoundary { .. }
            | Self::Look(_)
            | Self::BackReference { .. } => true,
        }
    }

    /// Does the term match nothing but the empty text? (`false` when unsure.)
    pub(crate) fn is_always_empty(&self) -> bool {
        match self {
            Self::Set(_) | Self::BackReference { .. } => false,
            Self::Concat(nodes) | Self::Alternation(nodes) => {
                nodes.iter().all(Self::is_always_empty)
            }
            Self::Group(body, _) => body.is_always_empty(),
            Self::Repeat(repeat) => repeat.max == Some(0) || repeat.body.is_always_empty(),
            Self::Empty
            | Self::Start { .. }
            | Self::End { .. }
            | Self::WordBoundary { .. }
            | Self::Look(_) => true,
        }
    }

    /// Is there a loop beyond its required iterations whose body may match the empty text? There ECMA-262
    /// ends the loop by a rule of its own, which changes where a match ends, but not whether there is one.
    pub(crate) fn has_nullable_loop(&self) -> bool {
        match self {
            Self::Concat(nodes) | Self::Alternation(nodes) => {
                nodes.iter().any(Self::has_nullable_loop)
            }
            Self::Group(body, _) => body.has_nullable_loop(),
            Self::Look(look) => look.body.has_nullable_loop(),
            Self::Repeat(repeat) => {
                (repeat.max != Some(repeat.min) && repeat.body.is_nullable())
                    || repeat.body.has_nullable_loop()
            }
            _ => false,
        }
    }

    /// Does the term match the empty text between the two halves of a surrogate pair? Under flag `u` alone
    /// V8 starts matches there too, against the standard: `/\B/u` matches inside the pair of "a😀b". A
    /// backreference does not: V8 makes it fail where it would end inside a pair, though it is empty.
    pub(crate) fn matches_inside_pair(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Set(_) | Self::Start { .. } | Self::End { .. } | Self::BackReference { .. } => {
                false
            }
            Self::WordBoundary { negated, .. } => *negated,
            Self::Concat(nodes) => nodes.iter().all(Self::matches_inside_pair),
            Self::Alternation(nodes) => nodes.iter().any(Self::matches_inside_pair),
            Self::Group(body, _) => body.matches_inside_pair(),
            Self::Repeat(repeat) => repeat.min == 0 || repeat.body.matches_inside_pair(),
            Self::Look(look) => look.body.matches_inside_pair() != look.negated,
        }
    }
}
