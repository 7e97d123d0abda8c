//! What a match can begin with.

use std::collections::BTreeSet;

use crate::ast::{Ast, Node, SetId};
use crate::charset::CharSet;
use crate::units::SetTable;

/// The set of the characters a match can begin with; `None` if it can be empty or begin with a
/// backreference.
pub(crate) fn first_set(ast: &Ast) -> Option<SetTable> {
    let mut sets = BTreeSet::new();
    if collect_first(&ast.root, &mut sets)? {
        return None;
    }
    let ranges = sets.iter().flat_map(|&set| ast.sets[set as usize].ranges());
    Some(SetTable::new(CharSet::new(ranges.copied().collect())))
}

/// Adds the sets that `node` can begin with; answers whether it can match the empty text, `None` if its
/// beginning is not known.
fn collect_first(node: &Node, sets: &mut BTreeSet<SetId>) -> Option<bool> {
    match node {
        Node::Set(set) => {
            sets.insert(*set);
            Some(false)
        }
        Node::Concat(nodes) => {
            for node in nodes {
                if !collect_first(node, sets)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        Node::Alternation(nodes) => {
            let mut nullable = false;
            for node in nodes {
                nullable |= collect_first(node, sets)?;
            }
            Some(nullable)
        }
        Node::Group(body, _) => collect_first(body, sets),
        Node::Repeat(repeat) => Some(collect_first(&repeat.body, sets)? || repeat.min == 0),
        Node::BackReference { .. } => None,
        Node::Empty
        | Node::Start { .. }
        | Node::End { .. }
        | Node::WordBoundary { .. }
        | Node::Look(_) => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Flags;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn of(source: &str) -> Option<String> {
        let units: Vec<u16> = source.encode_utf16().collect();
        let set = first_set(&parse(&units, Flags::default(), &Properties::default()).unwrap())?;
        Some(('a'..='e').filter(|&letter| set.contains(u32::from(letter))).collect())
    }

    #[test]
    fn gathers_all_beginnings() {
        assert_eq!(of("a?b|(?=e)c"), Some("abc".into()));
        assert_eq!(of("(?:a*)+d"), Some("ad".into()));
        assert_eq!(of("a*"), None);
        assert_eq!(of(r"\1(a)|b"), None);
    }
}
