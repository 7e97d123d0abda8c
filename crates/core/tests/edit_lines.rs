//! Edits by line number: the published arithmetic on LF texts, and the line ends of CRLF texts.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use llm_chat_file_core::edit::{Edit, EditError, Outcome, apply, plan};
use proptest::prelude::*;

fn replace(start: usize, end: usize, content: &str) -> Edit {
    Edit::ReplaceLines { start, end, content: content.to_owned() }
}

fn insert(line: Option<i64>, content: &str) -> Edit {
    Edit::Insert { line, content: content.to_owned() }
}

fn edited(text: &str, edit: &Edit) -> (String, Outcome) {
    let plan = plan(text.as_bytes(), edit, usize::MAX).unwrap();
    let result = String::from_utf8(apply(text.as_bytes(), &plan.splices)).unwrap();
    assert_eq!(plan.result_units, result.encode_utf16().count());
    (result, plan.outcome)
}

fn result(text: &str, edit: &Edit) -> String {
    edited(text, edit).0
}

fn error(text: &str, edit: &Edit) -> EditError {
    plan(text.as_bytes(), edit, usize::MAX).unwrap_err()
}

#[test]
fn replaces_lines() {
    let text = "l1\nl2\nl3";
    assert_eq!(result(text, &replace(1, 1, "X")), "X\nl2\nl3");
    assert_eq!(result(text, &replace(2, 2, "X\nY")), "l1\nX\nY\nl3");
    assert_eq!(result(text, &replace(3, 3, "X")), "l1\nl2\nX");
    assert_eq!(result(text, &replace(1, 3, "X")), "X");
    assert_eq!(result("l1\n", &replace(2, 2, "X")), "l1\nX");
    let outcome = edited(text, &replace(2, 3, "X")).1;
    assert_eq!(outcome, Outcome { start_line: 2, end_line: 3, occurrences: 1 });
}

#[test]
fn empty_content_deletes_lines_with_the_line_end_that_separates_them() {
    assert_eq!(result("a\nb\nc", &replace(2, 2, "")), "a\nc");
    assert_eq!(result("a\nb\nc", &replace(2, 3, "")), "a");
    assert_eq!(result("a\nb\nc", &replace(1, 3, "")), "");
    assert_eq!(result("a\r\nb\r\nc", &replace(1, 1, "")), "b\r\nc");
    assert_eq!(result("a\r\nb\r\nc", &replace(3, 3, "")), "a\r\nb");
    assert_eq!(result("a\r\nb\r\n", &replace(2, 3, "")), "a");
}

#[test]
fn faults_e1_appends_behind_the_final_newline() {
    for line in [None, Some(3), Some(4)] {
        let (text, outcome) = edited("a\nb\n", &insert(line, "X"));
        assert_eq!(text, "a\nb\nX\n");
        assert_eq!((outcome.start_line, outcome.end_line), (3, 3));
    }
    assert_eq!(result("a\nb\n", &insert(None, "X\n")), "a\nb\nX\n");
    assert_eq!(result("a\nb\n", &insert(None, "X\n\n")), "a\nb\nX\n\n");
    let (text, outcome) = edited("a\nb\n", &insert(None, "X\nY\n"));
    assert_eq!(text, "a\nb\nX\nY\n");
    assert_eq!((outcome.start_line, outcome.end_line), (3, 4));
    assert_eq!(result("\n", &insert(None, "X")), "\nX\n");
    assert_eq!(result("a\r\nb\r\n", &insert(None, "X\nY")), "a\r\nb\r\nX\r\nY\r\n");
    assert_eq!(result("a\r\nb\r\n", &insert(None, "X\n")), "a\r\nb\r\nX\r\n");
}

#[test]
fn faults_e1_appending_to_an_empty_text_leaves_no_blank_line() {
    let (text, outcome) = edited("", &insert(None, "X\nY"));
    assert_eq!((text.as_str(), outcome.start_line, outcome.end_line), ("X\nY", 1, 2));
    assert_eq!(result("", &insert(Some(2), "X")), "X");
    assert_eq!(result("", &insert(Some(1), "X")), "X\n");
}

#[test]
fn appends_as_published_where_no_newline_ends_the_text() {
    let (text, outcome) = edited("line1\nline2", &insert(None, "appended"));
    assert_eq!(text, "line1\nline2\nappended");
    assert_eq!((outcome.start_line, outcome.end_line), (3, 3));
    assert_eq!(result("a", &insert(Some(2), "X\n")), "a\nX\n");
    assert_eq!(result("a\r\nb", &insert(None, "X\nY")), "a\r\nb\r\nX\r\nY");
}

#[test]
fn inserts_before_a_line() {
    let (text, outcome) = edited("a\nb", &insert(Some(2), "X\nY"));
    assert_eq!(text, "a\nX\nY\nb");
    assert_eq!((outcome.start_line, outcome.end_line), (2, 3));
    assert_eq!(result("a\nb", &insert(Some(1), "")), "\na\nb");
    // In front of the empty last line, as published: only appending is different.
    assert_eq!(result("a\nb\n", &insert(Some(3), "X\n")), "a\nb\nX\n\n");
}

#[test]
fn faults_e2_new_lines_take_the_line_ends_around_them() {
    assert_eq!(result("a\r\nb\r\nc", &replace(2, 2, "X\nY")), "a\r\nX\r\nY\r\nc");
    assert_eq!(result("a\r\nb", &replace(2, 2, "X\nY")), "a\r\nX\r\nY");
    assert_eq!(result("a\r\nb", &replace(1, 1, "X\r\nY")), "X\r\nY\r\nb");
    assert_eq!(result("a\r\nb\r\n", &insert(Some(2), "X\nY")), "a\r\nX\r\nY\r\nb\r\n");
    assert_eq!(result("a\r\nb", &insert(Some(1), "X")), "X\r\na\r\nb");
    // Mixed: the lines replaced decide, else the line before.
    assert_eq!(result("a\r\nb\nc", &replace(2, 2, "X\nY")), "a\r\nX\nY\nc");
    assert_eq!(result("a\nb\r\nc", &replace(3, 3, "X\nY")), "a\nb\r\nX\r\nY");
    assert_eq!(result("a\nb\r\nc\r\n", &insert(Some(2), "X\nY")), "a\nX\nY\nb\r\nc\r\n");
}

#[test]
fn a_line_copied_with_its_cr_does_not_double_it() {
    assert_eq!(result("a\r\nb\r\nc", &replace(2, 2, "X\r")), "a\r\nX\r\nc");
    assert_eq!(result("a\r\nb\r\nc", &replace(1, 2, "X\r\nY\r")), "X\r\nY\r\nc");
    assert_eq!(result("a\r\nb", &insert(Some(2), "X\r")), "a\r\nX\r\nb");
}

#[test]
fn keeps_controls_and_lone_carriage_returns() {
    assert_eq!(result("a\0\x1b\rb\nc", &replace(2, 2, "\0$&\x07")), "a\0\x1b\rb\n\0$&\x07");
}

#[test]
fn names_the_numbers_that_do_not_fit() {
    use EditError::*;
    assert_eq!(error("a\nb", &replace(3, 4, "")), StartBeyondEnd { start: 3, lines: 2 });
    assert_eq!(error("a\nb", &replace(2, 3, "")), EndBeyondEnd { end: 3, lines: 2 });
    assert_eq!(error("a", &replace(0, 1, "")), InvalidRange { start: 0, end: 1 });
    assert_eq!(error("a", &replace(2, 1, "")), InvalidRange { start: 2, end: 1 });
    assert_eq!(error("a\n", &insert(Some(4), "")), LineOutOfRange { line: 4, lines: 2 });
    assert_eq!(error("a\n", &insert(Some(0), "")), LineOutOfRange { line: 0, lines: 2 });
    assert_eq!(error("a", &replace(1, usize::MAX, "")), EndBeyondEnd { end: usize::MAX, lines: 1 });
    let long = plan(b"ab", &insert(None, "😀"), 4).unwrap_err();
    assert_eq!(long, TooLong { units: 5, max: 4 });
    assert_eq!(long.to_string(), "Resulting file would be 5 chars, exceeds max length of 4");
}

/// What the published tool does: cut at LF, splice the pieces, join with LF.
fn published(text: &str, at: usize, delete: usize, content: Option<&str>) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let new = content.map_or(vec![], |content| content.split('\n').collect());
    lines.splice(at..at + delete, new);
    lines.join("\n")
}

fn lf_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![Just("\n".to_owned()), "[a-zé€😀\0\t]{0,4}"];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn replacing_equals_the_published_result(text in lf_text(), content in lf_text(), a: usize, b: usize) {
        let lines = text.split('\n').count();
        let (a, b) = (a % lines + 1, b % lines + 1);
        let (start, end) = (a.min(b), a.max(b));
        let expected =
            published(&text, start - 1, end + 1 - start, Some(&*content).filter(|c| !c.is_empty()));
        prop_assert_eq!(result(&text, &replace(start, end, &content)), expected);
    }

    #[test]
    fn inserting_equals_the_published_result(text in lf_text(), content in lf_text(), at: usize) {
        let lines = text.split('\n').count();
        // One behind the last line of such texts is fault E1.
        let is_ended = text.is_empty() || text.ends_with('\n');
        let line = at % (lines + usize::from(!is_ended)) + 1;
        let (result, outcome) = edited(&text, &insert(i64::try_from(line).ok(), &content));
        prop_assert_eq!(result, published(&text, line - 1, 0, Some(&content)));
        let last = line + content.split('\n').count() - 1;
        prop_assert_eq!((outcome.start_line, outcome.end_line), (line, last));
    }

    #[test]
    fn a_crlf_text_is_edited_as_its_lf_form(
        (head, tail) in (lf_text(), lf_text()),
        content in lf_text(),
        a: usize,
        b: usize,
    ) {
        let text = format!("{head}\n{tail}");
        let lines = text.split('\n').count();
        let (a, b) = (a % lines + 1, b % lines + 1);
        let wide = text.replace('\n', "\r\n");
        for edit in [replace(a.min(b), a.max(b), &content), insert(i64::try_from(a).ok(), &content), insert(None, &content)] {
            prop_assert_eq!(result(&wide, &edit), result(&text, &edit).replace('\n', "\r\n"));
        }
    }
}
