//! What the backtracking engine needs at least to run a pattern.

use crate::ast::{Ast, Node};
use crate::error::{PatternError, PatternErrorKind};
use crate::limits::TRAIL_ENTRIES;

/// Refuses a pattern with a way through its required repetitions that no trail can hold: every search that
/// takes this way would be stopped.
pub(crate) fn check_trail(ast: &Ast) -> Result<(), PatternError> {
    if entries(&ast.root) <= TRAIL_ENTRIES {
        return Ok(());
    }
    Err(PatternError::new(
        PatternErrorKind::TooLarge,
        format!(
            "the counted repetitions of the pattern need more than {TRAIL_ENTRIES} entries of memory"
        ),
    ))
}

/// Entries of the trail on the longest way through `node` that takes no more iterations than it must, and one
/// where it need not take any.
fn entries(node: &Node) -> usize {
    match node {
        Node::Concat(nodes) => nodes.iter().map(entries).fold(0, usize::saturating_add),
        Node::Alternation(nodes) => nodes.iter().map(entries).max().unwrap_or(0),
        // Both edges, set and reset.
        Node::Group(body, _) => entries(body).saturating_add(4),
        Node::Look(look) => entries(&look.body),
        Node::Repeat(repeat) if !matches!(repeat.body, Node::Set(_)) => {
            // The counter, at both ends of each iteration.
            let iteration = entries(&repeat.body).saturating_add(2);
            iteration.saturating_mul(repeat.min.max(1).min(repeat.max.unwrap_or(u32::MAX)) as usize)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Flags;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn need(source: &str) -> usize {
        let units: Vec<u16> = source.encode_utf16().collect();
        entries(&parse(&units, Flags::default(), &Properties::default()).unwrap().root)
    }

    #[test]
    fn counts_what_required_iterations_leave_behind() {
        assert_eq!(need("a{1000}b*"), 0);
        assert_eq!(need("(?:ab){1000}"), 2000);
        assert_eq!(need("(?:ab){0,1000}"), 2);
        assert_eq!(need("(?:ab){0}"), 0);
        assert_eq!(need("(a?){1000}|b"), 6000);
        assert_eq!(need("(?=(?:ab){3})(?:(?:ab){2}|c){5}"), 6 + 5 * (4 + 2));
        assert_eq!(need("(?:(?:ab){2147483646}){2147483646}".repeat(3).as_str()), usize::MAX);
    }
}
