//! Searches whose results are taken in portions, and directories that are searched in parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use llm_chat_file_core::engine::search::{
    Answer, Dates, EntryKind, Portion, Query, Search, StoppedBy, search,
};
use llm_chat_file_pattern::{Flags, Pattern, Properties};

use crate::support::call;

/// More entries than one thread searches at a stretch.
const LONG: usize = 700;

fn query(content: Option<&str>) -> Query {
    let pattern = |source: &str| {
        let units: Vec<u16> = source.encode_utf16().collect();
        Arc::new(Pattern::compile(&units, Flags::default(), &Properties::default()).unwrap())
    };
    Query {
        name: None,
        content: content.map(pattern),
        kind: EntryKind::Both,
        dates: Dates::default(),
        max_size: None,
        max_file_size: 10 << 20,
        max_results: usize::MAX,
        max_entries: usize::MAX,
        timeout_ms: 60_000.0,
        threads: 2,
        progress: None,
    }
}

/// A long directory, with subdirectories among its files, one of them long as well.
fn long_directory() -> (tempfile::TempDir, PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    for index in 0..LONG {
        let path = root.join(format!("{index:04}"));
        if index % 100 == 55 {
            std::fs::create_dir(&path).unwrap();
            let count = if index == 255 { LONG } else { 3 };
            for inner in 0..count {
                std::fs::write(path.join(format!("{inner:04}")), "x\nneedle\nx\n").unwrap();
            }
        } else {
            std::fs::write(path, "needle\n\nneedle").unwrap();
        }
    }
    (base, root)
}

fn portions(root: &Path, query: &Query, portion: Portion) -> Vec<Answer> {
    let call = call(root);
    let mut search = Search::open(&call, ".", query.clone()).unwrap();
    let mut answers = Vec::new();
    loop {
        let answer = search.next(&call, portion).unwrap();
        let has_more = answer.has_more;
        answers.push(answer);
        if !has_more {
            return answers;
        }
    }
}

#[test]
fn long_directories_keep_the_order_of_their_names() {
    let (_base, root) = long_directory();
    for threads in [1, 2, 5] {
        for content in [None, Some("needle")] {
            let query = Query { threads, ..query(content) };
            let answer = search(&call(&root), ".", &query).unwrap();
            let found: Vec<_> = answer
                .results
                .iter()
                .map(|found| (found.path.as_ref(), found.line.as_ref().map(|line| line.number)))
                .collect();
            assert!(found.is_sorted(), "{threads}");
            assert_eq!(answer.visited, 2 * LONG + 18);
            let files = 2 * LONG + 18 - 7;
            let lines = 2 * (LONG - 7) + LONG + 18;
            assert_eq!(found.len(), if content.is_none() { files + 7 } else { lines });
            assert!(answer.is_complete());
        }
    }
}

#[test]
fn limits_hold_within_parts_of_long_directories() {
    let (_base, root) = long_directory();
    let whole = search(&call(&root), ".", &query(Some("needle"))).unwrap();
    for threads in [1, 5] {
        for limit in [1, 255, 256, 257, 300, 511, 512, 513, 600, 900, 1200] {
            let query = Query { threads, ..query(Some("needle")) };
            let few = Query { max_results: limit, ..query.clone() };
            let answer = search(&call(&root), ".", &few).unwrap();
            assert_eq!(answer.results, whole.results[..limit]);
            assert_eq!(answer.stopped_by, Some(StoppedBy::Limit));
            let near = Query { max_entries: limit, ..query };
            let answer = search(&call(&root), ".", &near).unwrap();
            assert_eq!(answer.results, whole.results[..answer.results.len()]);
            assert_eq!((answer.stopped_by, answer.visited), (Some(StoppedBy::Entries), limit));
        }
    }
}

/// More directories wait for their later parts than are held.
#[test]
fn parts_of_directories_that_are_not_held_are_searched() {
    const LEVELS: usize = 40;
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    let mut directory = root.clone();
    for _ in 0..LEVELS {
        for index in 0..260 {
            std::fs::write(directory.join(format!("file{index}")), "needle").unwrap();
        }
        directory.push("a");
        std::fs::create_dir(&directory).unwrap();
    }
    for threads in [1, 3] {
        let query = Query { threads, ..query(Some("needle")) };
        let answer = search(&call(&root), ".", &query).unwrap();
        assert_eq!(answer.results.len(), LEVELS * 260);
        assert!(answer.is_complete());
    }
}

#[test]
fn portions_make_up_the_answer() {
    let (_base, root) = long_directory();
    for query in [query(Some("needle")), query(None), query(Some("nothing"))] {
        let whole = search(&call(&root), ".", &query).unwrap();
        for (enough, most) in [(1, 1), (1, 700), (50, 50), (64, 10), (usize::MAX, 100)] {
            let query = Query { max_results: whole.results.len().max(1), ..query.clone() };
            let answers = portions(&root, &query, Portion { enough, patience: None, most });
            assert!(answers.iter().all(|answer| answer.results.len() <= most));
            assert!(answers.iter().all(|answer| answer.is_complete() != answer.has_more));
            assert!(answers.iter().all(|answer| answer.visited <= whole.visited));
            let last = answers.last().unwrap().clone();
            let results = answers.into_iter().flat_map(|answer| answer.results).collect();
            assert_eq!(Answer { results, ..last }, whole);
        }
    }
}

#[test]
fn a_search_rests_when_it_has_found_enough() {
    let (_base, root) = long_directory();
    let call = call(&root);
    let rests = |enough, patience| {
        // One thread alone: how far others look ahead is up to the system.
        let query = Query { threads: 1, ..query(Some("needle")) };
        let mut search = Search::open(&call, ".", query).unwrap();
        search.next(&call, Portion { enough, patience, most: 1 }).unwrap()
    };
    let enough = rests(10, None);
    assert!(enough.visited < LONG, "{}", enough.visited);
    let late = rests(usize::MAX, Some(Duration::ZERO));
    assert!(late.visited < LONG, "{}", late.visited);
    let whole = rests(usize::MAX, None);
    assert_eq!((whole.visited, whole.has_more, whole.results.len()), (2 * LONG + 18, true, 1));
    assert_eq!(whole.found, 2 * (LONG - 7) + LONG + 18);
}

#[test]
fn time_and_a_cancel_end_a_portion() {
    let (_base, root) = long_directory();
    let call = call(&root);
    let none = Query { timeout_ms: 0.0, ..query(Some("needle")) };
    let answers = portions(&root, &none, Portion { enough: 1, patience: None, most: 1 });
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].stopped_by, Some(StoppedBy::Timeout));
    call.cancel.cancel();
    let mut search = Search::open(&call, ".", query(None)).unwrap();
    assert_eq!(search.next(&call, Portion::ALL).unwrap_err().code, "ABORT_ERR");
}
