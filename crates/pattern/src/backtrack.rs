//! The backtracking engine: the whole of ECMA-262 22.2.2, backreferences included. Matching with
//! backreferences is NP-hard, so only the budget bounds its time; its memory has a cap.

mod need;
mod program;
mod run;
mod state;

pub(crate) use need::check_trail;
pub(crate) use program::Backtracker;
pub(crate) use state::State;

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use super::*;
    use crate::ast::Flags;
    use crate::budget::{Fuel, Stopped};
    use crate::parse::parse;
    use crate::properties::Properties;
    use crate::units::{ANYWHERE, SetTable};

    type Found = Result<Option<(usize, usize)>, Stopped>;

    fn find(source: &str, line: &str, refills: usize) -> Found {
        let units: Vec<u16> = source.encode_utf16().collect();
        let ast = parse(&units, Flags::default(), &Properties::default()).unwrap();
        let sets: Arc<[SetTable]> = ast.sets.iter().cloned().map(SetTable::new).collect();
        let engine = Backtracker::new(&ast, &sets);
        let mut refilled = 0;
        let mut budget = || {
            refilled += 1;
            if refilled > refills { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut left = 0;
        let mut state = State::default();
        engine.find(line.as_bytes(), &ANYWHERE, &mut state, &mut Fuel::new(&mut left, &mut budget))
    }

    #[test]
    fn iterations_reset_their_captures() {
        assert_eq!(find(r"(?:(a)|b)*\1c", "abc", 1), Ok(Some((0, 3))));
        assert_eq!(find(r"(?:(a)|(b)\1)*c", "abac", 1), Ok(Some((0, 4))));
    }

    #[test]
    fn lookaheads_keep_captures_and_drop_choices() {
        assert_eq!(find(r"(?=(a+))a*b\1", "baaabac", 1), Ok(Some((3, 6))));
        assert_eq!(find(r"(?=(a*))\1a", "aaa", 1), Ok(None));
        assert_eq!(find(r"(?!(a)b)\1a", "aa", 1), Ok(Some((0, 1))));
    }

    #[test]
    fn lookbehinds_match_from_right_to_left() {
        assert_eq!(find(r"(?<=(\d+)(\d+))x\1$", "1053x1", 1), Ok(Some((4, 6))));
        assert_eq!(find(r"(?<=\1(a))b", "aab", 1), Ok(Some((2, 3))));
    }

    #[test]
    fn empty_iterations_are_refused_beyond_the_minimum() {
        assert_eq!(find("(?:a?)*?b", "aab", 1), Ok(Some((0, 3))));
        assert_eq!(find("(?:){3}a", "a", 1), Ok(Some((0, 1))));
        assert_eq!(find("(a?b??)*", "ab", 1), Ok(Some((0, 2))));
    }

    #[test]
    fn runs_try_every_length() {
        assert_eq!(find(r".*(a)\1", "xaaxa", 1), Ok(Some((0, 3))));
        assert_eq!(find("(?<=a{1,2}?)b", "aab", 1), Ok(Some((2, 3))));
        assert_eq!(find("(?<=^[ab]{2,}a)b", "baab", 1), Ok(Some((3, 4))));
    }

    #[test]
    fn the_budget_ends_exponential_searches() {
        let line = "a".repeat(40);
        assert_eq!(find(r"(?:a|a)*\1(b)", &line, 3), Err(Stopped));
    }

    #[test]
    fn the_trail_has_a_cap() {
        let line = "a".repeat(1_500_000);
        assert_eq!(find(r"(?:(a)|b)*c", &line, usize::MAX), Err(Stopped));
    }
}
