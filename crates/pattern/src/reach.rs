//! How far from its beginning a match can look.

use crate::ast::Node;

/// Most characters that [`reach`] tells.
const MOST: usize = 1024;

/// How many characters, to either side of where a match begins, decide about it; `None` if that is not
/// bounded, or more than [`MOST`].
pub(crate) fn reach(node: &Node) -> Option<usize> {
    let reach = match node {
        Node::Empty => 0,
        Node::Set(_) | Node::Start { .. } | Node::End { .. } | Node::WordBoundary { .. } => 1,
        Node::Concat(nodes) => {
            nodes.iter().try_fold(0, |sum: usize, node| Some(sum + reach(node)?))?
        }
        Node::Alternation(nodes) => {
            nodes.iter().try_fold(0, |most: usize, node| Some(most.max(reach(node)?)))?
        }
        Node::Group(body, _) => reach(body)?,
        Node::Look(look) => reach(&look.body)?,
        Node::Repeat(repeat) => match (reach(&repeat.body)?, repeat.max) {
            (0, _) => 0,
            (body, max) => body.checked_mul(usize::try_from(max?).ok()?)?,
        },
        Node::BackReference { .. } => return None,
    };
    (reach <= MOST).then_some(reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Flags;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn of(source: &str) -> Option<usize> {
        let units: Vec<u16> = source.encode_utf16().collect();
        reach(&parse(&units, Flags::default(), &Properties::default()).unwrap().root)
    }

    #[test]
    fn adds_up_what_follows_and_what_is_looked_at() {
        assert_eq!(of("abc"), Some(3));
        assert_eq!(of("(ab|c)d{2,5}"), Some(7));
        assert_eq!(of("unwrap(?!_or)"), Some(9));
        assert_eq!(of(r"(?<=ab)^\bc$"), Some(6));
        assert_eq!(of("(?:){9}"), Some(0));
        assert_eq!(of("(?:){9,}"), Some(0));
    }

    #[test]
    fn is_unknown_where_nothing_bounds_it() {
        for source in ["a*", "(?!a+)b", r"(a)\1", "a{1025}", "(?:a{40}){40}", "^|a{2,}"] {
            assert_eq!(of(source), None, "{source}");
        }
    }
}
