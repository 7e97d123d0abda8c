//! The answer of a search is that of a serial loop over a plain walk, with any number of threads.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use llm_chat_file_core::access::PolicySpec;
use llm_chat_file_core::engine::search::{
    self, Answer, Dates, EntryKind, LineMatch, Match, Query, Skipped, StoppedBy,
};
use llm_chat_file_core::text::{binary, trim, utf16};
use llm_chat_file_pattern::{Flags, Pattern, Properties};

use crate::call::call_with;
use crate::support::{Numbers, grow};

fn pattern(source: &str) -> Arc<Pattern> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let flags = Flags { ignore_case: true, unicode: true, ..Flags::default() };
    Arc::new(Pattern::compile(&units, flags, &Properties::default()).unwrap())
}

fn everything() -> Query {
    Query {
        name: None,
        content: None,
        kind: EntryKind::Both,
        dates: Dates::default(),
        max_size: None,
        max_file_size: 10 << 20,
        max_results: usize::MAX,
        max_entries: usize::MAX,
        timeout_ms: 60_000.0,
        threads: 1,
        progress: None,
    }
}

fn matches(pattern: &Pattern, text: &str) -> bool {
    let mut budget = || ControlFlow::Continue(());
    pattern.is_match(&mut pattern.scratch(), text, &mut budget).unwrap()
}

/// The loop of the published tool, without threads, streams or tricks.
fn naive(directory: &Path, query: &Query, answer: &mut Answer, cut: &mut bool) -> ControlFlow<()> {
    let mut entries: Vec<_> = std::fs::read_dir(directory).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let is_skipped = |entry: &std::fs::DirEntry| {
        entry.file_type().unwrap().is_dir() && entry.file_name() == "skip"
    };
    answer.skipped.skip_dirs += entries.iter().filter(|entry| is_skipped(entry)).count();
    for entry in entries.iter().filter(|entry| !is_skipped(entry)) {
        let kind = entry.file_type().unwrap();
        if !kind.is_dir() && !kind.is_file() {
            continue;
        }
        answer.visited += 1;
        if answer.visited >= query.max_entries {
            answer.stopped_by = Some(StoppedBy::Entries);
            return ControlFlow::Break(());
        }
        if answer.results.len() >= query.max_results {
            answer.stopped_by = Some(StoppedBy::Limit);
            return ControlFlow::Break(());
        }
        let name = entry.file_name();
        let admitted = match query.kind {
            EntryKind::Both => true,
            EntryKind::File => kind.is_file(),
            EntryKind::Directory => kind.is_dir(),
        };
        let named = query
            .name
            .as_ref()
            .is_none_or(|name_pattern| matches(name_pattern, &name.to_string_lossy()));
        if admitted && named {
            match &query.content {
                None => answer.results.push(Match {
                    path: entry.path().into(),
                    is_directory: kind.is_dir(),
                    line: None,
                    times: None,
                }),
                Some(content) if kind.is_file() => {
                    naive_content(&entry.path(), content, query, answer, cut);
                }
                Some(_) => {}
            }
        }
        if kind.is_dir() {
            naive(&entry.path(), query, answer, cut)?;
        }
    }
    ControlFlow::Continue(())
}

fn naive_content(
    path: &Path,
    content: &Pattern,
    query: &Query,
    answer: &mut Answer,
    cut: &mut bool,
) {
    let bytes = std::fs::read(path).unwrap();
    if bytes.len() as u64 > query.max_file_size {
        answer.skipped.oversized += 1;
        return;
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let is_last = index + 1 == lines.len();
        let line = if is_last { line } else { line.strip_suffix('\r').unwrap_or(line) };
        if !matches(content, line) {
            continue;
        }
        if binary::is_binary(&bytes, true) {
            answer.skipped.binary += 1;
            return;
        }
        let mut budget = || ControlFlow::Continue(());
        let found = content.find(&mut content.scratch(), line, &mut budget).unwrap().unwrap();
        answer.results.push(Match {
            path: path.into(),
            is_directory: false,
            line: Some(LineMatch {
                number: index + 1,
                start_column: utf16::units(&line[..found.start]),
                end_column: utf16::units(&line[..found.end]),
                snippet: trim::trim_js(line).to_owned(),
            }),
            times: None,
        });
        if answer.results.len() >= query.max_results {
            let rest: usize = lines[index + 1..].iter().map(|line| line.len() + 1).sum();
            // Nothing but an empty last line is nothing to look at.
            *cut |= rest > 1;
            return;
        }
    }
}

fn serial(root: &Path, query: &Query) -> Answer {
    let mut answer = Answer {
        path: root.to_path_buf(),
        results: Vec::new(),
        visited: 0,
        skipped: Skipped::default(),
        stopped_by: None,
        has_more: false,
        found: 0,
    };
    let mut cut = false;
    if naive(root, query, &mut answer, &mut cut).is_continue() && cut {
        answer.stopped_by = Some(StoppedBy::Limit);
    }
    answer.found = answer.results.len();
    answer
}

#[test]
fn any_number_of_threads_answers_as_a_serial_loop() {
    let contents = [None, Some("needle"), Some("needle$"), Some("^$"), Some("."), Some("nothing")];
    let names = [None, None, Some("a"), Some(r"\.c$"), Some("^[^.]+$")];
    let contents = contents.map(|source| source.map(pattern));
    let names = names.map(|source| source.map(pattern));
    let skip_dirs = vec!["skip".into()];
    for seed in 0..150 {
        let mut numbers = Numbers(1000 + seed);
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        grow(&root, &mut numbers, 5);
        let policy = PolicySpec {
            skip_dirs: skip_dirs.clone(),
            resolve_symlinks: seed % 2 == 0,
            ..PolicySpec::default()
        };
        let call = call_with(&root, policy);
        for _ in 0..8 {
            let pick = |limit: &mut Numbers| match limit.below(3) {
                0 => usize::MAX,
                _ => limit.below(40) as usize,
            };
            let query = Query {
                name: names[numbers.below(5) as usize].clone(),
                content: contents[numbers.below(6) as usize].clone(),
                kind: [EntryKind::Both, EntryKind::File, EntryKind::Directory]
                    [numbers.below(3) as usize],
                max_file_size: if numbers.below(4) == 0 { 20 } else { 10 << 20 },
                max_results: pick(&mut numbers),
                max_entries: pick(&mut numbers),
                ..everything()
            };
            let expected = serial(&root, &query);
            for threads in [1, 2, 5] {
                let query = Query { threads, ..query.clone() };
                let answer = search::search(&call, ".", &query).unwrap();
                assert_eq!(answer, expected, "seed {seed}, {query:?}");
            }
        }
    }
}
