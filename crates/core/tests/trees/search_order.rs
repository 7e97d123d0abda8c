//! The answer of a search is that of a serial loop over a plain walk, with any number of threads.

use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use llm_chat_file_core::access::PolicySpec;
use llm_chat_file_core::engine::search::{
    self, Answer, Dates, EntryKind, LineMatch, Match, Query, Skipped, StoppedBy, Times,
};
use llm_chat_file_core::text::{binary, encoding, trim, utf16};
use llm_chat_file_pattern::{Flags, Pattern, Properties};

use crate::call::call_with;
use crate::support::{Numbers, grow};

/// Trees of a run, unless the environment variable `SEARCH_TREES` says how many.
const TREES: u64 = 150;

/// Milliseconds since the epoch of the first of the [`DAYS`] days that entries are dated to.
const FIRST_DAY: u64 = 1_700_000_000_000;

const DAY: u64 = 86_400_000;

const DAYS: u64 = 5;

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
                None if kind.is_file() && too_large(&entry.path(), query) => {}
                None => {
                    if let Some(times) = dated(&entry.path(), &query.dates) {
                        let is_directory = kind.is_dir();
                        let path = entry.path().into();
                        answer.results.push(Match { path, is_directory, line: None, times });
                    }
                }
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

fn too_large(path: &Path, query: &Query) -> bool {
    query.max_size.is_some_and(|max| path.symlink_metadata().unwrap().len() > max)
}

/// The times to show of an entry within the dates, none if none are asked for; `None` for others.
#[expect(clippy::option_option, reason = "whether it is admitted, and what is shown of it")]
fn dated(path: &Path, dates: &Dates) -> Option<Option<Times>> {
    let bounds =
        [dates.created_after, dates.created_before, dates.modified_after, dates.modified_before];
    if bounds == [None; 4] {
        return Some(None);
    }
    let metadata = path.symlink_metadata().unwrap();
    let created = metadata.created().unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let created = (created.as_nanos() as f64 / 1e6).round();
    let modified = (metadata.mtime() as f64 * 1000.0 + metadata.mtime_nsec() as f64 / 1e6).round();
    let within = dates.created_after.is_none_or(|bound| created >= bound)
        && dates.created_before.is_none_or(|bound| created <= bound)
        && dates.modified_after.is_none_or(|bound| modified >= bound)
        && dates.modified_before.is_none_or(|bound| modified <= bound);
    within.then_some(Some(Times { created, modified }))
}

fn naive_content(
    path: &Path,
    content: &Pattern,
    query: &Query,
    answer: &mut Answer,
    cut: &mut bool,
) {
    let bytes = std::fs::read(path).unwrap();
    if query.max_size.is_some_and(|max| max < query.max_file_size && bytes.len() as u64 > max) {
        return;
    }
    let Some(times) = dated(path, &query.dates) else { return };
    if bytes.len() as u64 > query.max_file_size {
        answer.skipped.oversized += 1;
        return;
    }
    let text = encoding::decode(&bytes).text;
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found_here = 0;
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
        let (snippet_column, snippet) = snippet(line, found.start, found.end);
        found_here += 1;
        if answer.results.len() >= query.max_results {
            // What is known to be left out was found, and there is no room for it.
            *cut = true;
            return;
        }
        answer.results.push(Match {
            path: path.into(),
            is_directory: false,
            line: Some(LineMatch {
                number: index + 1,
                start_column: utf16::units(&line[..found.start]),
                end_column: utf16::units(&line[..found.end]),
                snippet_column,
                snippet,
            }),
            times,
        });
        if found_here >= query.max_results {
            let rest: usize = lines[index + 1..].iter().map(|line| line.len() + 1).sum();
            // Nothing but an empty last line is nothing to look at.
            *cut |= rest > 1;
            return;
        }
    }
}

/// The trimmed line, or 200 UTF-16 units of it, so that the match between the bytes `start` and
/// `end` of the line is in them, with as much before it as behind it; and its column.
fn snippet(line: &str, start: usize, end: usize) -> (usize, String) {
    let trimmed = trim::trim_js(line);
    let offset = if trimmed.is_empty() { line.len() } else { line.find(trimmed).unwrap() };
    let shown: Vec<u16> = trimmed.encode_utf16().collect();
    let unit = |byte: usize| {
        let at = byte.saturating_sub(offset).min(trimmed.len());
        trimmed[..at].encode_utf16().count()
    };
    let (start, end) = (unit(start), unit(end));
    let mut from = 0;
    if end > 200 || (end == 200 && is_inside_pair(&shown, 200)) {
        let before = 200_usize.saturating_sub(end - start) / 2;
        from = start.saturating_sub(before).min(shown.len().saturating_sub(200));
        from += usize::from(is_inside_pair(&shown, from));
    }
    let mut to = shown.len().min(from + 200);
    to -= usize::from(is_inside_pair(&shown, to));
    (utf16::units(&line[..offset]) + from, String::from_utf16(&shown[from..to]).unwrap())
}

/// Whether the border before unit `at` lies within a surrogate pair.
fn is_inside_pair(units: &[u16], at: usize) -> bool {
    units.get(at).is_some_and(|unit| (0xdc00..0xe000).contains(unit))
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

/// Bytes of a file that is harder to read than those of [`grow`].
fn odd_bytes(numbers: &mut Numbers) -> Vec<u8> {
    let line =
        ["needle\r\n", "é needle \u{1f600}\r\n", "\r\n", "\n", "hay\rhay\n", "hay, no more\n"];
    let mut text: String =
        (0..numbers.below(9)).map(|_| line[numbers.below(line.len() as u64) as usize]).collect();
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let long = |numbers: &mut Numbers| {
        let filler = ["x", "é", "\u{1f600}", " "][numbers.below(4) as usize];
        filler.repeat(numbers.below(400) as usize)
    };
    match numbers.below(12) {
        // A line longer than a snippet, the match anywhere in it.
        0 => [long(numbers), "needle".into(), long(numbers), "\r\n".into(), text].concat().into(),
        // Lines across the borders of the blocks that are read.
        1 => {
            let block = [1 << 16, 1 << 18][numbers.below(2) as usize];
            let before = ["hay".repeat(666), "\r\n".into()].concat().repeat(block / 2000);
            let before = [before, "z".repeat(block % 2000 - 20)].concat();
            let fill = "y".repeat(numbers.below(30) as usize);
            [before, fill, "needle\r\n".into(), text].concat().into()
        }
        // Many results in one file.
        2 => "needle\n".repeat(1 + numbers.below(300) as usize).into(),
        3 => wide(&text, u16::to_le_bytes),
        4 => wide(&text, u16::to_be_bytes),
        // Half a unit, or half a pair, at the end.
        5 => [wide(&text, u16::to_le_bytes), vec![0x3d; 1 + numbers.below(2) as usize]].concat(),
        6 => {
            text.insert(0, '\u{feff}');
            let cut = text.len() - numbers.below(3).min(text.len() as u64) as usize;
            text.as_bytes()[..cut].into()
        }
        // UTF-16 without a mark is binary.
        7 => wide(&text, u16::to_le_bytes)[2..].into(),
        8 => [text.as_bytes(), &[0; 40], b"\nneedle\n"].concat(),
        // NULs behind the part that tells what is binary.
        9 => ["hay, hay, hay and more of it\n".repeat(300).as_bytes(), &[0; 40], b"\nneedle\n"]
            .concat(),
        10 => [text.as_bytes(), b"caf\xe9 needle \xf0\x9f\n", b"needle\xe2\x82"].concat(),
        _ => Vec::new(),
    }
}

/// Adds odd files, nested empty directories, skipped ones with something in them, and crowds.
fn enrich(root: &Path, numbers: &mut Numbers, depth: u64) {
    for name in ["a~crlf", "m.c", "odd", "zz"] {
        if numbers.below(3) == 0 {
            std::fs::write(root.join(name), odd_bytes(numbers)).unwrap();
        }
    }
    if numbers.below(6) == 0 {
        std::fs::create_dir_all(root.join("hollow/hollow/skip/hollow")).unwrap();
        std::fs::write(root.join("hollow/hollow/skip/a"), "needle").unwrap();
    }
    if numbers.below(8) == 0 {
        std::fs::create_dir_all(root.join("crowd")).unwrap();
        for number in 0..numbers.below(80) {
            std::fs::write(root.join(format!("crowd/{number}.c")), "needle\nend").unwrap();
        }
    }
    let entries: Vec<_> = std::fs::read_dir(root).unwrap().map(Result::unwrap).collect();
    for entry in entries {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && depth > 0 && numbers.below(2) == 0 {
            enrich(&entry.path(), numbers, depth - 1);
        }
        if kind.is_dir() || kind.is_file() {
            date(&entry.path(), FIRST_DAY + numbers.below(DAYS) * DAY);
        }
    }
}

/// Dates the last change of the entry, so that bounds lie before, on and after it.
fn date(path: &Path, milliseconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
    std::fs::File::open(path).unwrap().set_modified(time).unwrap();
}

fn random_dates(numbers: &mut Numbers) -> Dates {
    let mut day = |odds: u64| {
        (numbers.below(odds) == 0).then(|| (FIRST_DAY + numbers.below(DAYS) * DAY) as f64)
    };
    Dates {
        created_after: day(8),
        created_before: day(40),
        modified_after: day(8),
        modified_before: day(8),
    }
}

fn random_query(
    numbers: &mut Numbers,
    names: &[Option<Arc<Pattern>>],
    contents: &[Option<Arc<Pattern>>],
) -> Query {
    let pick = |limit: &mut Numbers| match limit.below(4) {
        0 => usize::MAX,
        1 => limit.below(400) as usize,
        _ => limit.below(40) as usize,
    };
    let kinds = [EntryKind::Both, EntryKind::File, EntryKind::Directory];
    Query {
        name: names[numbers.below(names.len() as u64) as usize].clone(),
        content: contents[numbers.below(contents.len() as u64) as usize].clone(),
        kind: kinds[numbers.below(3) as usize],
        dates: random_dates(numbers),
        max_size: (numbers.below(5) == 0).then(|| [0, 10, 60, 20 << 20][numbers.below(4) as usize]),
        max_file_size: [20, 700, 70_000, 10 << 20, 10 << 20, 10 << 20][numbers.below(6) as usize],
        max_results: pick(numbers),
        max_entries: pick(numbers),
        ..everything()
    }
}

/// A number of the environment, for longer runs and for repeating one.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}

/// `SEARCH_TREES` is the number of trees; `SEARCH_SEED` repeats a run from the seed it printed.
#[test]
#[expect(clippy::print_stdout, reason = "the seed repeats a run, the figures tell what it saw")]
fn any_number_of_threads_answers_as_a_serial_loop() {
    let trees = setting("SEARCH_TREES").unwrap_or(TREES);
    let first = setting("SEARCH_SEED").unwrap_or_else(|| {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as u64
            % 1_000_000_000
    });
    println!("SEARCH_SEED={first}");
    let contents = ["needle", "needle$", "^$", ".", "nothing", r"\u{1f600}|\ufffd", "y", r"\s$"];
    let names = ["a", r"\.c$", "^[^.]+$"];
    let compiled = |sources: &[&str]| -> Vec<_> {
        [None, None].into_iter().chain(sources.iter().map(|source| Some(pattern(source)))).collect()
    };
    let (contents, names) = (compiled(&contents), compiled(&names));
    let (mut answers, mut results, mut stopped) = (0_u64, 0, 0_u64);
    let mut skipped = Skipped::default();
    for seed in first..first + trees {
        let mut numbers = Numbers(seed);
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        grow(&root, &mut numbers, 5);
        enrich(&root, &mut numbers, 4);
        let policy = PolicySpec {
            skip_dirs: vec!["skip".into()],
            resolve_symlinks: seed % 2 == 0,
            ..PolicySpec::default()
        };
        let call = call_with(&root, policy);
        for _ in 0..8 {
            let query = random_query(&mut numbers, &names, &contents);
            let expected = serial(&root, &query);
            for threads in [1, 2, 5] {
                let query = Query { threads, ..query.clone() };
                let answer = search::search(&call, ".", &query).unwrap();
                assert_eq!(answer, expected, "SEARCH_TREES=1 SEARCH_SEED={seed}, {query:?}");
                answers += 1;
            }
            results += expected.results.len();
            stopped += u64::from(expected.stopped_by.is_some());
            skipped.oversized += expected.skipped.oversized;
            skipped.binary += expected.skipped.binary;
            skipped.skip_dirs += expected.skipped.skip_dirs;
        }
    }
    println!(
        "{answers} answers on {trees} trees agree: {results} results, \
         {stopped} queries stopped early, {skipped:?}"
    );
}
