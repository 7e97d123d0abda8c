//! Edits by content: literal, in one pass, with the line ends of the text.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use llm_chat_file_core::edit::{Edit, EditError, Outcome, Plan, apply, compose, plan};
use proptest::prelude::*;

fn replacement(old: &str, new: &str, all: bool) -> Edit {
    Edit::ReplaceContent { old: old.to_owned(), new: new.to_owned(), all }
}

fn edited(text: &str, old: &str, new: &str, all: bool) -> Result<(String, Outcome), EditError> {
    let plan = plan(text.as_bytes(), &replacement(old, new, all), usize::MAX)?;
    let result = String::from_utf8(apply(text.as_bytes(), &plan.splices)).unwrap();
    assert_eq!(plan.result_units, result.encode_utf16().count());
    Ok((result, plan.outcome))
}

fn first(text: &str, old: &str, new: &str) -> String {
    edited(text, old, new, false).unwrap().0
}

fn all(text: &str, old: &str, new: &str) -> String {
    edited(text, old, new, true).unwrap().0
}

#[test]
fn replaces_the_first_or_all_without_overlap() {
    assert_eq!(first("foo foo", "foo", "bar"), "bar foo");
    assert_eq!(all("foo foo", "foo", "bar"), "bar bar");
    assert_eq!(all("aaa", "aa", "b"), "ba");
    assert_eq!(all("aaa", "a", "aa"), "aaaaaa");
    assert_eq!(first("abc", "abc", ""), "");
    let outcome = edited("x\nfoo\ny\nfoo\nbar", "foo\n", "", false).unwrap().1;
    assert_eq!(outcome, Outcome { start_line: 2, end_line: 3, occurrences: 1 });
    let outcome = edited("x\nfoo\ny\nfoo", "foo", "", true).unwrap().1;
    assert_eq!(outcome, Outcome { start_line: 2, end_line: 4, occurrences: 2 });
}

#[test]
fn dollar_signs_are_literal() {
    assert_eq!(first("a b", "b", "$& $1 $$ $`"), "a $& $1 $$ $`");
    assert_eq!(first("a$1", "$1", "$2"), "a$2");
}

#[test]
fn faults_e4_an_empty_needle_is_refused() {
    assert_eq!(edited("abc", "", "x", false), Err(EditError::EmptyNeedle));
    assert_eq!(edited("", "", "x", true), Err(EditError::EmptyNeedle));
}

#[test]
fn what_is_nowhere_is_not_found() {
    assert_eq!(edited("abc", "x", "y", true), Err(EditError::NotFound));
    assert_eq!(edited("a\r\nb", "a\nc", "y", true), Err(EditError::NotFound));
    assert_eq!(edited("", "x", "y", false), Err(EditError::NotFound));
}

#[test]
fn faults_e2_lf_finds_crlf_and_keeps_it() {
    assert_eq!(first("1\r\na\r\nb\r\n2", "a\nb", "x\ny\nz"), "1\r\nx\r\ny\r\nz\r\n2");
    assert_eq!(first("a\r\nb\r\n", "a\nb\n", "x\n"), "x\r\n");
    assert_eq!(first("a\r\nb\r\nc", "\nb\nc", "\nx"), "a\r\nx");
    assert_eq!(all("a\r\nb\r\na\r\nb", "a\nb", "x"), "x\r\nx");
    assert_eq!(first("a\nb\nc", "a\r\nb", "x\r\ny"), "x\ny\nc");
    let outcome = edited("1\r\na\r\nb\r\n2", "a\nb\n", "", false).unwrap().1;
    assert_eq!(outcome, Outcome { start_line: 2, end_line: 4, occurrences: 1 });
}

#[test]
fn faults_e2_the_exact_text_comes_first() {
    // Mixed: only the exact occurrence, although the other comes earlier or is meant by all.
    assert_eq!(first("a\r\nb a\nb", "a\nb", "x"), "a\r\nb x");
    assert_eq!(all("a\r\nb a\nb", "a\nb", "x"), "a\r\nb x");
    assert_eq!(all("a\nb a\r\nb", "a\r\nb", "x"), "a\nb x");
}

#[test]
fn faults_e2_new_text_takes_the_line_end_of_the_match_or_of_the_line_before() {
    assert_eq!(first("a\r\nb\r\nc", "b", "x\ny"), "a\r\nx\r\ny\r\nc");
    assert_eq!(first("a\nb\r\nc", "b", "x\ny"), "a\nx\ny\r\nc");
    assert_eq!(first("a\nb\r\nc", "b\r\n", "x\ny\n"), "a\nx\r\ny\r\nc");
    // No line before: the text's own.
    assert_eq!(first("b\r\nc", "b", "x\ny"), "x\r\ny\r\nc");
    assert_eq!(first("b", "b", "x\ny"), "x\ny");
    assert_eq!(all("b\nb\r\nb", "b", "x\ny"), "x\ny\nx\ny\r\nx\r\ny");
    // Where LF rules, what is written is meant.
    assert_eq!(first("a\nb", "b", "x\r\ny"), "a\nx\r\ny");
}

#[test]
fn faults_e2_nothing_but_line_ends_is_literal() {
    assert_eq!(all("a\r\nb\r\n", "\r\n", "\n"), "a\nb\n");
    assert_eq!(all("a\nb\n", "\n", "\r\n"), "a\r\nb\r\n");
    assert_eq!(edited("a\r\n\r\nb", "\n\n", "\n", true), Err(EditError::NotFound));
    assert_eq!(first("a\r\nb", "\r", ""), "a\nb");
}

#[test]
fn a_match_that_begins_with_lf_does_not_leave_half_a_line_end() {
    assert_eq!(first("a\r\nb\r\nc", "\nb", ""), "a\r\nc");
    assert_eq!(first("a\r\nb\r\nc", "\nb", "\nx\ny"), "a\r\nx\r\ny\r\nc");
    assert_eq!(all("a\r\nb\r\nb", "\nb", " b"), "a b b");
    // The CR that the match before has taken is not taken again.
    assert_eq!(all("\nb\r\nb\r", "\nb\r", "x"), "xx");
}

#[test]
fn close_changes_share_a_splice_and_far_ones_do_not() {
    let near =
        plan("ab".repeat(1000).as_bytes(), &replacement("a", "x", true), usize::MAX).unwrap();
    assert_eq!(near.splices.len(), 1);
    assert_eq!(near.outcome.occurrences, 1000);
    let far = format!("a{0}a{0}", "-".repeat(64));
    assert_eq!(plan(far.as_bytes(), &replacement("a", "x", true), 200).unwrap().splices.len(), 2);
}

#[test]
fn a_result_too_long_is_measured_but_not_built() {
    let text = "a".repeat(1_000_000);
    let edit = replacement("a", &"b".repeat(100_000), true);
    let error = plan(text.as_bytes(), &edit, 100_000).unwrap_err();
    assert_eq!(error, EditError::TooLong { units: 100_000_000_000, max: 100_000 });
    assert!(plan(b"ab", &replacement("a", "😀", false), 3).is_ok());
}

#[test]
fn many_matches_without_line_ends_take_one_pass() {
    let text = "a ".repeat(2_000_000);
    let Plan { outcome, result_units, .. } =
        plan(text.as_bytes(), &replacement("a", "b\nc", true), usize::MAX).unwrap();
    assert_eq!((outcome.occurrences, result_units), (2_000_000, 8_000_000));
}

#[test]
fn edits_of_one_call_build_on_each_other() {
    let edits = [
        replacement("one", "1\n1", false),
        Edit::ReplaceLines { start: 2, end: 2, content: "2".into() },
        Edit::Insert { line: None, content: "end".into() },
    ];
    let composed = compose(b"one\n", &edits, usize::MAX).unwrap();
    assert_eq!(composed.bytes, b"1\n2\nend\n");
    assert_eq!(composed.result_units, 8);
    assert_eq!(composed.outcomes.len(), 3);
    assert_eq!(composed.outcomes[2].start_line, 3);

    let edits = [replacement("one", "two", false), replacement("one", "two", false)];
    assert_eq!(compose(b"one", &edits, usize::MAX), Err((1, EditError::NotFound)));
    let none = compose("\u{feff}😀".as_bytes(), &[], 0).unwrap();
    assert_eq!((none.bytes.len(), none.result_units), (7, 2));
}

proptest! {
    #[test]
    fn on_lf_texts_equals_split_and_join(
        text in "[abé😀\n$]{0,40}",
        old in "[abé😀\n$]{1,3}",
        new in "[abé😀\n\r$&]{0,4}",
    ) {
        let expected = text.split(&*old).collect::<Vec<_>>().join(&new);
        match edited(&text, &old, &new, true) {
            Ok((result, outcome)) => {
                prop_assert_eq!(result, expected);
                prop_assert_eq!(outcome.occurrences, text.split(&*old).count() - 1);
                prop_assert_eq!(first(&text, &old, &new), text.replacen(&*old, &new, 1));
            }
            Err(error) => {
                prop_assert_eq!(error, EditError::NotFound);
                prop_assert_eq!(expected, text);
            }
        }
    }

    #[test]
    fn a_crlf_text_is_edited_as_its_lf_form(
        text in "[ab\n]{0,20}\n[ab\n]{0,20}",
        old in "[ab\n]{0,2}[ab][ab\n]{0,2}",
        new in "[ab\n]{0,4}",
        all: bool,
    ) {
        let wide = text.replace('\n', "\r\n");
        let expected = edited(&text, &old, &new, all).map(|(text, outcome)| (text.replace('\n', "\r\n"), outcome));
        prop_assert_eq!(edited(&wide, &old, &new, all), expected);
    }
}
