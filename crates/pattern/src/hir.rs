//! Tree to the intermediate representation of regex-automata, over UTF-8.
//!
//! The result matches in every line in which the pattern matches; [`Plan::exact`] tells in which lines it
//! matches in no others. Sets never hold `\n`, so it may be run over many lines at once, and `$` is taken to
//! match before `\r` too, so that it finds the end of lines that end with `\r\n`.

use std::collections::HashMap;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

use crate::ast::{Ast, Node, SetId};
use crate::charset::{CharSet, LAST};
use crate::guards::Guards;
use crate::limits::SET_RANGES;

/// Most conditions beside the main one.
const CONDITIONS: usize = 3;

/// What to search for, and where that is not the whole truth.
pub(crate) struct Plan {
    /// Every matching line matches all of these. The first is the one to search for.
    pub(crate) conditions: Vec<Hir>,
    /// A line that matches the conditions matches the pattern, up to the exceptions below.
    pub(crate) exact: bool,
    /// Not exact in lines with other characters than ASCII.
    pub(crate) exact_in_ascii_only: bool,
    /// Not exact in lines that hold `\r`.
    pub(crate) exact_without_return: bool,
    /// May match at, or beyond, the `\r` before a `\n`.
    pub(crate) touches_return: bool,
    /// Lines in which the conditions may miss a match.
    pub(crate) guards: Guards,
}

/// The plan for `ast`; `None` if it would be too large.
pub(crate) fn plan(ast: &Ast) -> Option<Plan> {
    let mut translator = Translator {
        ast,
        plan: Plan {
            conditions: Vec::new(),
            exact: true,
            exact_in_ascii_only: false,
            exact_without_return: false,
            touches_return: false,
            guards: Guards::default(),
        },
        classes: HashMap::new(),
        ranges_left: SET_RANGES,
    };
    let mut conditions = vec![translator.translate(&ast.root)?];
    if !translator.plan.exact {
        let mut bodies = Vec::new();
        required(&ast.root, &mut bodies);
        for body in bodies {
            let condition = translator.translate(body)?;
            if matches_something(&condition) {
                conditions.push(condition);
            }
        }
    }
    if let Some(index) = conditions.iter().position(matches_something) {
        conditions.swap(0, index);
        conditions.retain(matches_something);
    }
    let mut plan = translator.plan;
    plan.conditions = conditions;
    plan.guards.astral |= ast.unicode && ast.root.matches_inside_pair();
    Some(plan)
}

/// Does the condition say anything, that is, can it not match the empty text?
fn matches_something(condition: &Hir) -> bool {
    condition.properties().minimum_len() != Some(0)
}

/// The bodies of the positive lookarounds that every match passes through.
fn required<'a>(node: &'a Node, bodies: &mut Vec<&'a Node>) {
    if bodies.len() >= CONDITIONS {
        return;
    }
    match node {
        Node::Look(look) if !look.negated => {
            bodies.push(&look.body);
            required(&look.body, bodies);
        }
        Node::Concat(nodes) => nodes.iter().for_each(|node| required(node, bodies)),
        Node::Group(body, _) => required(body, bodies),
        Node::Repeat(repeat) if repeat.min > 0 => required(&repeat.body, bodies),
        _ => {}
    }
}

struct Translator<'a> {
    ast: &'a Ast,
    plan: Plan,
    classes: HashMap<SetId, Hir>,
    /// Ranges that classes may still take.
    ranges_left: usize,
}

impl Translator<'_> {
    fn translate(&mut self, node: &Node) -> Option<Hir> {
        Some(match node {
            Node::Empty => Hir::empty(),
            Node::Set(set) => self.class(*set)?,
            Node::Concat(nodes) => Hir::concat(self.translate_all(nodes)?),
            Node::Alternation(nodes) => Hir::alternation(self.translate_all(nodes)?),
            Node::Group(body, _) => self.translate(body)?,
            Node::Repeat(repeat) => Hir::repetition(Repetition {
                min: repeat.min,
                max: repeat.max,
                greedy: repeat.greedy,
                sub: Box::new(self.translate(&repeat.body)?),
            }),
            Node::Start { multiline: false } => Hir::look(Look::StartLF),
            Node::Start { multiline: true } => {
                self.plan.guards.separators = true;
                self.plan.exact_without_return = true;
                self.plan.touches_return = true;
                Hir::look(Look::StartCRLF)
            }
            Node::End { multiline } => {
                self.plan.guards.separators |= *multiline;
                self.plan.exact_without_return = true;
                Hir::look(Look::EndCRLF)
            }
            Node::WordBoundary { negated, folded } => {
                self.plan.guards.folded_words |= *folded;
                if !negated {
                    return Some(Hir::look(Look::WordAscii));
                }
                // Over bytes `\B` also matches inside a character, and over UTF-16 inside a pair.
                self.plan.exact_in_ascii_only = true;
                self.plan.touches_return = true;
                self.plan.guards.astral |= !self.ast.unicode;
                Hir::look(Look::WordAsciiNegate)
            }
            Node::Look(_) => {
                self.plan.exact = false;
                Hir::empty()
            }
            Node::BackReference { .. } => {
                self.plan.exact = false;
                self.plan.touches_return = true;
                self.plan.guards.undecodable = true;
                let any = CharSet::single(0x0a).complement();
                let sub =
                    Box::new(Hir::class(Class::Unicode(ClassUnicode::new(scalars(&any, LAST)))));
                Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub })
            }
        })
    }

    fn translate_all(&mut self, nodes: &[Node]) -> Option<Vec<Hir>> {
        nodes.iter().map(|node| self.translate(node)).collect()
    }

    fn class(&mut self, id: SetId) -> Option<Hir> {
        let set = &self.ast.sets[id as usize];
        self.ranges_left = self.ranges_left.checked_sub(set.ranges().len() + 1)?;
        self.plan.touches_return |= set.contains(0x0d);
        self.plan.guards.undecodable |= set.contains(0xfffd);
        // Without flag `u` such a set matches half of a pair.
        self.plan.guards.astral |= !self.ast.unicode && set.intersects(0xd800, 0xdfff);
        let hir = self.classes.entry(id).or_insert_with(|| {
            // Without flag `u` members are units: a character beyond the last one is never a member.
            let last = if self.ast.unicode { LAST } else { 0xffff };
            Hir::class(Class::Unicode(ClassUnicode::new(scalars(set, last))))
        });
        Some(hir.clone())
    }
}

/// The ranges of `set` up to `greatest`, without surrogates, which no text holds, and without `\n`, which no
/// line holds.
fn scalars(set: &CharSet, greatest: u32) -> Vec<ClassUnicodeRange> {
    let mut ranges = Vec::with_capacity(set.ranges().len() + 2);
    for &(first, last) in set.ranges() {
        let last = last.min(greatest);
        for (first, last) in [
            (first, last.min(0x09)),
            (first.max(0x0b), last.min(0xd7ff)),
            (first.max(0xe000), last),
        ] {
            if first > last {
                continue;
            }
            if let (Some(first), Some(last)) = (char::from_u32(first), char::from_u32(last)) {
                ranges.push(ClassUnicodeRange::new(first, last));
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Flags;
    use crate::parse::parse;
    use crate::properties::Properties;

    fn plan_of(source: &str, letters: &str) -> Plan {
        let units: Vec<u16> = source.encode_utf16().collect();
        let flags = Flags {
            ignore_case: letters.contains('i'),
            unicode: letters.contains('u'),
            multiline: letters.contains('m'),
            dot_all: letters.contains('s'),
        };
        plan(&parse(&units, flags, &Properties::default()).unwrap()).unwrap()
    }

    #[test]
    fn plain_patterns_are_exact_everywhere() {
        let plan = plan_of(r"^a+(?:b|c)\bd", "");
        assert!(plan.exact && !plan.exact_in_ascii_only && !plan.exact_without_return);
        assert!(!plan.touches_return);
        assert_eq!(plan.guards, Guards::default());
    }

    #[test]
    fn lookarounds_and_backreferences_are_only_approximated() {
        assert!(!plan_of("a(?!b)", "").exact);
        assert!(!plan_of(r"(a)\1", "").exact);
    }

    #[test]
    fn positive_lookarounds_become_conditions() {
        let plan = plan_of("^(?=.*pub)(?=.*fn)(?=x?)", "");
        assert_eq!(plan.conditions.len(), 2);
        assert!(plan.conditions.iter().all(matches_something));
        assert_eq!(plan_of("(?:(?=b)a)?", "").conditions.len(), 1);
        assert_eq!(plan_of("(?!b)a", "").conditions.len(), 1);
    }

    #[test]
    fn sets_with_surrogates_guard_pairs_without_flag_u() {
        assert!(plan_of("[^a]", "").guards.astral);
        assert!(plan_of(r"\ud83d", "").guards.astral);
        assert!(plan_of(r"\B", "").guards.astral);
        assert!(!plan_of("[^a]", "u").guards.astral);
        assert!(!plan_of("é", "").guards.astral);
    }

    #[test]
    fn flag_u_guards_pairs_that_an_empty_match_may_split() {
        assert!(plan_of("x*", "u").guards.astral);
        assert!(plan_of("(?<!^)", "u").guards.astral);
        assert!(!plan_of("x", "u").guards.astral);
    }

    #[test]
    fn returns_and_separators_are_noted() {
        assert!(plan_of("a$", "").exact_without_return);
        assert!(plan_of(r"a\s", "").touches_return);
        assert!(!plan_of("a.", "").touches_return);
        assert!(plan_of("^a", "m").guards.separators);
        assert!(!plan_of("^a$", "").guards.separators);
        assert!(plan_of(r"\ba", "iu").guards.folded_words);
        assert!(plan_of("a.b", "iu").guards.undecodable);
        assert!(!plan_of(r"^[\w ]+é$", "iu").guards.undecodable);
    }

    #[test]
    fn classes_hold_neither_line_feeds_nor_surrogates() {
        let ranges = |set: CharSet, last| -> Vec<(u32, u32)> {
            scalars(&set, last).iter().map(|r| (u32::from(r.start()), u32::from(r.end()))).collect()
        };
        assert_eq!(ranges(CharSet::all(), LAST), [(0, 9), (0x0b, 0xd7ff), (0xe000, LAST)]);
        assert_eq!(ranges(CharSet::all(), 0xffff), [(0, 9), (0x0b, 0xd7ff), (0xe000, 0xffff)]);
        assert_eq!(ranges(CharSet::single(0x0a), LAST), []);
        assert_eq!(ranges(CharSet::single(0xd83d), LAST), []);
        assert_eq!(ranges(CharSet::new(vec![(0x1_0000, LAST)]), 0xffff), []);
    }
}
