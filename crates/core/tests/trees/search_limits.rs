//! What a search leaves out, and how it ends.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use llm_chat_file_core::engine::Call;
use llm_chat_file_core::engine::search::{
    self, Answer, Dates, EntryKind, Query, Skipped, StoppedBy,
};
use llm_chat_file_core::engine::walk::RootError;
use llm_chat_file_pattern::{Flags, Pattern, Properties};

use crate::dig::dig;
use crate::support::{NoSecrets, as_ordinary_user, call, set_mode};

fn pattern(source: &str) -> Option<Arc<Pattern>> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let flags = Flags { ignore_case: true, unicode: true, ..Flags::default() };
    Some(Arc::new(Pattern::compile(&units, flags, &Properties::default()).unwrap()))
}

fn content(source: &str) -> Query {
    Query {
        name: None,
        content: pattern(source),
        kind: EntryKind::Both,
        dates: Dates::default(),
        max_size: None,
        max_file_size: 10 << 20,
        max_results: 50,
        max_entries: 5000,
        timeout_ms: 10_000.0,
        threads: 2,
        progress: None,
    }
}

fn everything() -> Query {
    Query { content: None, ..content("") }
}

fn run(root: &Path, query: &Query) -> Answer {
    search::search(&call(root), ".", query).unwrap()
}

/// Results as `name:line: snippet`, or as names.
fn shown(root: &Path, answer: &Answer) -> Vec<String> {
    let shown = answer.results.iter().map(|found| {
        let path = found.path.strip_prefix(root).unwrap().display();
        match &found.line {
            Some(line) => format!("{path}:{}: {}", line.number, line.snippet),
            None => format!("{path}{}", if found.is_directory { "/" } else { "" }),
        }
    });
    shown.collect()
}

fn tree(files: &[(&str, &[u8])]) -> (tempfile::TempDir, std::path::PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    for (name, bytes) in files {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), bytes).unwrap();
    }
    (base, root)
}

/// faults Q7.
#[test]
fn lists_everything_without_a_pattern_and_only_files_with_content() {
    let (_base, root) = tree(&[("d/f", b"x"), ("f", b"x")]);
    assert_eq!(shown(&root, &run(&root, &everything())), ["d/", "d/f", "f"]);
    assert_eq!(shown(&root, &run(&root, &content("x"))), ["d/f:1: x", "f:1: x"]);
    let named = Query { name: pattern("^d$"), ..content("x") };
    assert_eq!(shown(&root, &run(&root, &named)), [""; 0]);
}

/// faults Q8.
#[test]
fn dates_hold_for_directories() {
    let (_base, root) = tree(&[("d/f", b"x")]);
    let future = Dates { modified_after: Some(4e12), ..Dates::default() };
    assert_eq!(run(&root, &Query { dates: future, ..everything() }).results, []);
    let past = Dates { created_after: Some(1e12), ..Dates::default() };
    let answer = run(&root, &Query { dates: past, ..everything() });
    assert_eq!(shown(&root, &answer), ["d/", "d/f"]);
    assert!(answer.results.iter().all(|found| {
        found.times.is_some_and(|times| times.created > 1e12 && times.modified.fract() == 0.0)
    }));
}

/// faults Q5, Q6.
#[test]
fn counts_oversized_files_and_searches_all_of_the_others() {
    let late = ["a".repeat(120), "\n".into()].concat().repeat(5000) + "needle";
    let (_base, root) = tree(&[("big", &[b'n'; 700_000]), ("late", late.as_bytes())]);
    let query = Query { max_file_size: 650_000, ..content("n") };
    let answer = run(&root, &query);
    assert_eq!(shown(&root, &answer), ["late:5001: needle"]);
    assert_eq!(answer.skipped, Skipped { oversized: 1, ..Skipped::default() });
    assert!(!answer.is_complete());
    let own = Query { max_size: Some(10), ..query };
    let answer = run(&root, &own);
    assert_eq!((answer.results.len(), answer.is_complete()), (0, true));
}

/// faults Q10, Q11.
#[test]
fn line_ends_are_no_part_of_a_line_and_snippets_hold_the_match() {
    let long = format!("{}needle{}\r\n", "\u{1f600}".repeat(300), "b".repeat(300));
    let (_base, root) = tree(&[("crlf", b"foo\r\nbar\r\nfoo"), ("long", long.as_bytes())]);
    assert_eq!(shown(&root, &run(&root, &content("foo$"))), ["crlf:1: foo", "crlf:3: foo"]);
    let answer = run(&root, &content("needle"));
    let line = answer.results[0].line.as_ref().unwrap();
    assert!(line.snippet.contains("needle"));
    assert_eq!(line.snippet.encode_utf16().count(), 200);
    assert_eq!((line.start_column, line.end_column), (600, 606));
}

/// faults Q3.
#[test]
fn a_limit_keeps_the_results() {
    let (_base, root) = tree(&[("a", b"x\nx\n"), ("b", b"x"), ("c", b"x")]);
    let entries = run(&root, &Query { max_entries: 3, ..content("x") });
    assert_eq!(shown(&root, &entries), ["a:1: x", "a:2: x", "b:1: x"]);
    assert_eq!((entries.stopped_by, entries.visited), (Some(StoppedBy::Entries), 3));
    let inside = run(&root, &Query { max_results: 1, ..content("x") });
    assert_eq!(shown(&root, &inside), ["a:1: x"]);
    assert_eq!((inside.stopped_by, inside.visited), (Some(StoppedBy::Limit), 2));
    let last = run(&root, &Query { max_results: 4, ..content("x") });
    assert_eq!((last.stopped_by, last.visited, last.is_complete()), (None, 3, true));
}

#[test]
fn no_time_is_timed_out_at_once() {
    let (_base, root) = tree(&[("a", b"x")]);
    for timeout_ms in [0.0, -5.0] {
        let answer = run(&root, &Query { timeout_ms, ..content("x") });
        assert_eq!((answer.stopped_by, answer.visited), (Some(StoppedBy::Timeout), 0));
        assert!(!answer.is_complete());
    }
    let forever = run(&root, &Query { timeout_ms: f64::INFINITY, ..content("x") });
    assert!(forever.is_complete());
}

/// faults Q1, Q4.
#[test]
fn a_slow_pattern_ends_in_time_with_what_was_found() {
    let slow = "a".repeat(60) + "b";
    let (_base, root) = tree(&[("1", b"aa"), ("2", slow.as_bytes()), ("3/x", b"aa")]);
    let query = Query { timeout_ms: 200.0, ..content(r"^(a+)+\1$") };
    let begun = Instant::now();
    let answer = run(&root, &query);
    assert!(begun.elapsed() < Duration::from_millis(1500));
    assert_eq!(answer.stopped_by, Some(StoppedBy::Timeout));
    assert_eq!(shown(&root, &answer), ["1:1: aa"]);
    assert_eq!(answer.visited, 2);
}

#[test]
fn decodes_by_the_byte_order_mark() {
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let little = wide("one\r\nneedle \u{1f600}\r\n", u16::to_le_bytes);
    let text = "x".repeat(200_000) + "\nneedle";
    let big = wide(&text, u16::to_be_bytes);
    let (_base, root) = tree(&[
        ("be", &big),
        ("bom", b"\xef\xbb\xbfneedle"),
        ("invalid", b"a needle in a haystack \xff\xfe\n"),
        ("le", &little),
        ("nul", b"\0 needle"),
    ]);
    let answer = run(&root, &content("needle"));
    let expected = [
        "be:2: needle",
        "bom:1: needle",
        "invalid:1: a needle in a haystack \u{fffd}\u{fffd}",
        "le:2: needle \u{1f600}",
    ];
    assert_eq!(shown(&root, &answer), expected);
    assert_eq!(answer.skipped, Skipped { binary: 1, ..Skipped::default() });
    assert!(answer.is_complete());
    let anchored = run(&root, &content("^needle$"));
    assert_eq!(shown(&root, &anchored), ["be:2: needle", "bom:1: needle"]);
}

#[test]
fn long_lines_are_searched_whole() {
    let mut bytes = vec![b'a'; 3 << 20];
    bytes.extend_from_slice(b" needle\nsecond needle\n\n");
    let (_base, root) = tree(&[("long", &bytes)]);
    let answer = run(&root, &content("needle"));
    let numbers: Vec<usize> =
        answer.results.iter().map(|found| found.line.as_ref().unwrap().number).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(answer.results[0].line.as_ref().unwrap().start_column, (3 << 20) + 1);
    assert_eq!(shown(&root, &run(&root, &content("^$"))), ["long:3: ", "long:4: "]);
}

#[test]
fn lines_are_numbered_across_pieces() {
    let mut text = String::new();
    for number in 1..=40_000 {
        text.push_str(&format!(
            "line {number} {}\n",
            if number % 9_999 == 0 { "needle" } else { "hay, more hay" }
        ));
    }
    let (_base, root) = tree(&[("file", text.as_bytes())]);
    let answer = run(&root, &content("needle"));
    let expected: Vec<String> =
        [9999, 19998, 29997, 39996].iter().map(|n| format!("file:{n}: line {n} needle")).collect();
    assert_eq!(shown(&root, &answer), expected);
}

#[test]
fn names_of_any_bytes_are_found() {
    let (_base, root) = tree(&[("new\nline", b"x")]);
    let invalid = root.join(OsString::from_vec(b"in\xffvalid".to_vec()));
    std::fs::write(&invalid, "x").unwrap();
    let answer = run(&root, &content("x"));
    assert_eq!(answer.results[0].path.as_os_str().as_bytes(), invalid.as_os_str().as_bytes());
    assert_eq!(answer.results[1].path.as_ref(), root.join("new\nline"));
    let named = run(&root, &Query { name: pattern("\u{fffd}"), ..everything() });
    assert_eq!(named.results.len(), 1);
}

#[test]
fn passes_over_what_is_no_file() {
    let (_base, root) = tree(&[("real", b"needle")]);
    std::os::unix::fs::symlink("real", root.join("link")).unwrap();
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo"), rustix::fs::FileType::Fifo, mode, 0)
        .unwrap();
    assert_eq!(shown(&root, &run(&root, &content("needle"))), ["real:1: needle"]);
    assert_eq!(shown(&root, &run(&root, &everything())), ["real"]);
}

/// faults Q16.
#[test]
fn counts_what_cannot_be_read() {
    if !as_ordinary_user("search_limits::counts_what_cannot_be_read") {
        return;
    }
    let (_base, root) = tree(&[("dir/f", b"x"), ("locked", b"x"), ("open", b"x")]);
    set_mode(&root.join("dir"), 0);
    set_mode(&root.join("locked"), 0);
    let answer = run(&root, &content("x"));
    let root_locked = search::search(&call(&root), "dir", &content("x")).unwrap();
    set_mode(&root.join("dir"), 0o700);
    assert_eq!(shown(&root, &answer), ["open:1: x"]);
    let skipped = Skipped { unreadable_directories: 1, unreadable_files: 1, ..Skipped::default() };
    assert_eq!((answer.skipped, answer.is_complete()), (skipped, false));
    assert_eq!(root_locked.skipped.unreadable_directories, 1);
}

#[test]
fn ends_soon_when_cancelled() {
    let slow = "a".repeat(60) + "b";
    let (_base, root) = tree(&[("slow", slow.as_bytes())]);
    let call = call(&root);
    let cancel = call.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
    });
    let begun = Instant::now();
    let query = content(r"^(a+)+\1$");
    match search::search(&call, ".", &query) {
        Err(RootError::Failed(error)) => assert_eq!(error.code, "ABORT_ERR"),
        other => panic!("{other:?}"),
    }
    assert!(begun.elapsed() < Duration::from_millis(1500));
    canceller.join().unwrap();
}

#[test]
fn a_deep_tree_is_searched_whole() {
    let (_base, root) = tree(&[]);
    dig(&root, 800);
    let query = Query { name: pattern("^f$"), max_results: 10_000, ..everything() };
    let answer = run(&root, &query);
    assert_eq!((answer.results.len(), answer.visited), (800, 2400));
    assert!(answer.is_complete());
}

#[test]
fn a_root_that_is_no_directory_is_told() {
    let (_base, root) = tree(&[("file", b"x")]);
    assert!(matches!(
        search::search(&call(&root), "file", &everything()),
        Err(RootError::NotADirectory(path)) if path == root.join("file")
    ));
    match search::search(&call(&root), "none", &everything()) {
        Err(RootError::Failed(error)) => assert_eq!(error.code, "ENOENT"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_host_refuses_is_not_there() {
    let (_base, root) = tree(&[("a/secret", b"x"), ("b", b"x"), ("secret/inner", b"x")]);
    let gatekeeper = Arc::new(NoSecrets::default());
    let call = Call { gatekeeper: Some(Arc::<NoSecrets>::clone(&gatekeeper)), ..call(&root) };
    let answer = search::search(&call, ".", &content("x")).unwrap();
    assert_eq!(shown(&root, &answer), ["b:1: x"]);
    assert_eq!((answer.visited, answer.is_complete()), (2, true));
    assert_eq!(gatekeeper.questions().iter().sum::<usize>(), 4);
}

#[test]
fn progress_counts_what_was_looked_at() {
    let (_base, root) = tree(&[("a", b"n\nx\nn\n"), ("b/c", b"n")]);
    let progress = Arc::new(search::Progress::default());
    let query = Query { progress: Some(Arc::clone(&progress)), ..content("n") };
    assert_eq!(run(&root, &query).results.len(), 3);
    assert_eq!(progress.counts(), search::Counts { entries: 3, bytes: 7, matches: 3 });
    assert_eq!(run(&root, &Query { content: None, ..query }).results.len(), 3);
    assert_eq!(progress.counts(), search::Counts { entries: 6, bytes: 7, matches: 6 });
}
