//! Pages of whole lines: against a plain loop over the lines, in every encoding, by index and in
//! one pass, within limits, and while the file changes.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test makes real files"
)]

mod writes;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use llm_chat_file_core::Result;
use llm_chat_file_core::engine::Call;
use llm_chat_file_core::engine::read_page::{ReadPageOptions, read_page};
use llm_chat_file_core::pool::Pool;
use llm_chat_file_core::reader::{Page, PageLimits, Start, TruncatedBy};
use llm_chat_file_core::text::encoding::{Encoding, encode};
use proptest::prelude::*;

use writes::{Granted, append, call_on, edit};

const LIMITS: PageLimits = PageLimits { limit: None, max_lines: 2000, max_bytes: 51_200 };

fn page(call: &Call, path: &str, start: Start, limits: PageLimits) -> Result<Page> {
    let options = ReadPageOptions { start, limits, confined: true, patient: true };
    read_page(call, path, &options, None).map(|read| read.unwrap().page)
}

fn code(result: Result<Page>) -> &'static str {
    result.unwrap_err().code
}

/// Lines as they are shown.
fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line),
            None => line,
        })
        .collect()
}

/// The page that a plain loop over the lines gives; `Err` is the size of a first line that is too
/// long.
fn expected(lines: &[&str], first: usize, limits: &PageLimits) -> std::result::Result<Page, usize> {
    let wanted = limits.limit.unwrap_or(u64::MAX).min(limits.max_lines) as usize;
    let mut text = String::new();
    let mut count = 0;
    let mut is_full = false;
    for line in lines.iter().skip(first - 1).take(wanted) {
        let more = [text.as_str(), if count > 0 { "\n" } else { "" }, line].concat();
        if more.len() > limits.max_bytes {
            if count == 0 {
                return Err(line.len());
            }
            is_full = true;
            break;
        }
        text = more;
        count += 1;
    }
    let next = first + count;
    let next_offset = (next <= lines.len()).then_some(next as u64);
    let is_all = limits.limit.is_some_and(|limit| count as u64 >= limit);
    let truncated_by = match next_offset {
        Some(_) if is_full => Some(TruncatedBy::Bytes),
        Some(_) if !is_all => Some(TruncatedBy::Lines),
        _ => None,
    };
    Ok(Page {
        text,
        first_line: first as u64,
        lines: count as u64,
        total_lines: lines.len() as u64,
        next_offset,
        truncated_by,
    })
}

fn check(granted: &Granted, lines: &[&str], first: usize, limits: PageLimits) {
    let by_line = page(&granted.strict, "a", Start::Line(first as u64), limits);
    let from_end = Start::FromEnd((lines.len() + 1 - first) as u64);
    let by_index = page(&granted.strict, "a", from_end, limits);
    match expected(lines, first, &limits) {
        Ok(page) => {
            assert_eq!(by_line.unwrap(), page);
            assert_eq!(by_index.unwrap(), page);
        }
        Err(size) => {
            for error in [by_line.unwrap_err(), by_index.unwrap_err()] {
                assert_eq!(error.code, "ERR_LINE_TOO_LONG");
                let told = format!("Line {first} is too long to be shown ({size} bytes, max ");
                assert!(error.message.starts_with(&told), "{error}");
            }
        }
    }
}

fn encoding() -> impl Strategy<Value = (Encoding, bool)> {
    prop::sample::select(vec![
        (Encoding::Utf8, false),
        (Encoding::Utf8, true),
        (Encoding::Utf16Le, true),
        (Encoding::Utf16Be, true),
        (Encoding::Utf32Le, true),
        (Encoding::Utf32Be, true),
    ])
}

fn limits() -> impl Strategy<Value = PageLimits> {
    (prop::option::of(1u64..6), 1u64..6, 1usize..40)
        .prop_map(|(limit, max_lines, max_bytes)| PageLimits { limit, max_lines, max_bytes })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_page_is_that_of_a_plain_loop(
        text in "([abcé€😀]{0,12}(\\n|\\r\\n|\\r|\\n\\n)?){0,12}",
        (encoding, bom) in encoding(),
        limits in limits(),
    ) {
        let granted = Granted::new();
        granted.make("a", encode(&text, encoding, bom));
        let lines = lines_of(&text);
        for first in 1..=lines.len() {
            check(&granted, &lines, first, limits);
        }
        let beyond = page(&granted.strict, "a", Start::Line(lines.len() as u64 + 1), limits);
        if lines.is_empty() {
            prop_assert_eq!(beyond.unwrap().text, "");
        } else {
            prop_assert_eq!(code(beyond), "ERR_OUT_OF_RANGE");
        }
    }

    #[test]
    fn following_the_next_offset_gives_every_line_once(
        text in "([abcé€😀]{0,9}(\\n|\\r\\n)){0,40}[ab]{0,3}",
        (encoding, bom) in encoding(),
        limits in limits(),
    ) {
        let limits = PageLimits { max_bytes: limits.max_bytes + 36, ..limits };
        let granted = Granted::new();
        granted.make("a", encode(&text, encoding, bom));
        let mut shown = Vec::new();
        let mut next = Some(1);
        while let Some(offset) = next {
            let page = page(&granted.strict, "a", Start::Line(offset), limits).unwrap();
            if page.lines > 0 {
                shown.extend(page.text.split('\n').map(str::to_owned));
            }
            prop_assert_eq!(shown.len() as u64, page.first_line + page.lines - 1);
            next = page.next_offset;
        }
        prop_assert_eq!(shown, lines_of(&text));
    }
}

/// Long enough for many chunks and marks; characters and line ends lie across their borders.
fn long_text() -> String {
    let mut text = String::new();
    for line in 0..12_000_usize {
        text.push_str(&format!("{line}:{}", "é€😀x".repeat(line * 7 % 23)));
        text.push_str(if line % 3 == 0 { "\r\n" } else { "\n" });
    }
    text
}

#[test]
fn finds_lines_in_files_of_many_chunks() {
    let text = long_text();
    let lines = lines_of(&text);
    for encoding in
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be]
    {
        let granted = Granted::new();
        granted.make("a", encode(&text, encoding, true));
        for first in (1..=lines.len()).step_by(613).chain([lines.len() - 1, lines.len()]) {
            check(&granted, &lines, first, PageLimits { limit: Some(3), ..LIMITS });
            check(&granted, &lines, first, LIMITS);
        }
    }
}

#[test]
fn names_the_size_of_a_line_that_is_longer_than_many_chunks() {
    let granted = Granted::new();
    granted.make("a", ["short\n", &"€".repeat(100_000), "\r\nend"].concat());
    let error = page(&granted.strict, "a", Start::Line(2), LIMITS).unwrap_err();
    assert_eq!(error.message, "Line 2 is too long to be shown (300000 bytes, max 51200)");
    assert_eq!(error.path.as_deref(), Some(granted.path("a").as_path()));
    let before = page(&granted.strict, "a", Start::Line(1), LIMITS).unwrap();
    assert_eq!((before.text.as_str(), before.next_offset), ("short", Some(2)));
    assert_eq!(before.truncated_by, Some(TruncatedBy::Bytes));
    assert_eq!(page(&granted.strict, "a", Start::Line(3), LIMITS).unwrap().text, "end");
}

#[test]
fn refuses_what_is_outside_by_its_spelling_or_by_a_link_in_the_same_words() {
    let base = tempfile::tempdir().unwrap();
    let top = base.path().canonicalize().unwrap();
    for name in ["root", "rootling", "out"] {
        std::fs::create_dir(top.join(name)).unwrap();
        std::fs::write(top.join(name).join("a"), "secret").unwrap();
    }
    let root = top.join("root");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, root.join(name)).unwrap();
    };
    link("../out/a", "there");
    link("../out/none", "nowhere");
    link("loop", "../out/loop");
    link("../out/loop", "round");
    link("a", "inside");
    let call = call_on(&root, true);
    let told = |path: &str| page(&call, path, Start::Line(1), LIMITS).unwrap_err();
    for (path, shown) in [
        ("../out/a", "out/a"),
        ("../out/none", "out/none"),
        ("../rootling/a", "rootling/a"),
        ("x/../../out/a", "out/a"),
        ("there", "root/there"),
        ("nowhere", "root/nowhere"),
        ("round", "root/round"),
        ("there/", "root/there"),
    ] {
        let error = told(path);
        assert_eq!(error.code, "ERR_NOT_GRANTED", "{path}");
        assert!(error.message.contains(&format!("'{}'", top.join(shown).display())), "{error}");
    }
    assert_eq!(page(&call, "inside", Start::Line(1), LIMITS).unwrap().text, "secret");
    let alias = top.join("alias");
    std::os::unix::fs::symlink("root", &alias).unwrap();
    let aliased = call_on(&alias, true);
    for path in [alias.join("a"), root.join("a")] {
        let read = page(&aliased, path.to_str().unwrap(), Start::Line(1), LIMITS);
        assert_eq!(read.unwrap().text, "secret");
    }
}

#[test]
fn a_directory_that_is_swapped_for_a_link_never_leads_out() {
    let base = tempfile::tempdir().unwrap();
    let top = base.path().canonicalize().unwrap();
    let root = top.join("root");
    for (directory, text) in [("out", "secret"), ("root/sub", "inside")] {
        std::fs::create_dir_all(top.join(directory)).unwrap();
        std::fs::write(top.join(directory).join("a"), text).unwrap();
    }
    std::os::unix::fs::symlink("../out", root.join("link")).unwrap();
    let call = call_on(&root, true);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let swap = |from: &str, to: &str| {
                std::fs::rename(root.join(from), root.join(to)).unwrap();
            };
            while !is_over.load(Ordering::Relaxed) {
                swap("sub", "kept");
                swap("link", "sub");
                swap("sub", "link");
                swap("kept", "sub");
            }
        });
        let mut refused = 0;
        let mut read = 0;
        while read < 2000 || refused == 0 {
            match page(&call, "sub/a", Start::Line(1), LIMITS) {
                Ok(page) => {
                    assert_eq!(page.text, "inside");
                    read += 1;
                }
                Err(error) => refused += usize::from(error.code == "ERR_NOT_GRANTED"),
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_large_file_takes_patience_until_its_lines_are_known() {
    let granted = Granted::new();
    granted.make("a", "0123456789abcde\n".repeat((16 << 16) + 1));
    let options =
        ReadPageOptions { start: Start::Line(7), limits: LIMITS, confined: true, patient: false };
    assert!(read_page(&granted.strict, "a", &options, None).unwrap().is_none());
    let patient = ReadPageOptions { patient: true, ..options };
    assert!(read_page(&granted.strict, "a", &patient, None).unwrap().is_some());
}

#[test]
fn a_page_counts_as_a_read_of_the_file() {
    let granted = Granted::new();
    granted.make("a", "one\ntwo\nthree\n");
    let change = |pool: &Pool| edit(&granted.call, "a", &[append("four")], Some(pool));
    assert_eq!(change(&Pool::new()).unwrap_err().code, "ERR_NOT_READ");
    for start in [Start::Line(2), Start::FromEnd(1)] {
        let limits = PageLimits { limit: Some(1), ..LIMITS };
        let options = ReadPageOptions { start, limits, confined: false, patient: true };
        let pool = Pool::new();
        read_page(&granted.call, "a", &options, Some(&pool)).unwrap();
        change(&pool).unwrap();
        let pool = Pool::new();
        read_page(&granted.call, "a", &options, Some(&pool)).unwrap();
        granted.make("a", "one\nTWO\nthree\n");
        assert_eq!(change(&pool).unwrap_err().code, "ERR_CHANGED");
    }
}

#[test]
fn a_cancelled_call_reads_nothing() {
    let granted = Granted::new();
    granted.make("a", "x");
    granted.strict.cancel.cancel();
    assert_eq!(code(page(&granted.strict, "a", Start::Line(1), LIMITS)), "ABORT_ERR");
    assert_eq!(code(page(&granted.strict, "../x", Start::Line(1), LIMITS)), "ABORT_ERR");
}

/// Reads pages of `path` while `change` runs, and gives how many there were. Every line of every
/// page must be whole.
fn read_during(call: &Call, path: &Path, change: impl FnOnce() + Send) -> usize {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            change();
            is_over.store(true, Ordering::Release);
        });
        let mut read = 0;
        for round in 0_u64.. {
            let start = match round % 3 {
                0 => Start::Line(1),
                1 => Start::Line(round * 37 % 9000 + 1),
                _ => Start::FromEnd(round % 50 + 1),
            };
            match page(call, path.to_str().unwrap(), start, LIMITS) {
                Ok(page) if page.lines > 0 => {
                    read += 1;
                    // The file may have ended within its last line at that moment.
                    let sure = page.lines - u64::from(page.next_offset.is_none());
                    for line in page.text.split('\n').take(sure as usize) {
                        let (number, rest) = line.split_once(':').unwrap();
                        assert_eq!(rest.len(), number.parse::<usize>().unwrap() % 97, "{line}");
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    assert!(["ERR_OUT_OF_RANGE", "ERR_CHANGED"].contains(&error.code), "{error}");
                }
            }
            if is_over.load(Ordering::Acquire) && read > 0 {
                return read;
            }
        }
        read
    })
}

fn line(number: usize) -> String {
    format!("{number}:{}\n", "y".repeat(number % 97))
}

#[test]
fn a_growing_file_gives_whole_lines() {
    let granted = Granted::new();
    let path = granted.make("a", line(0));
    let read = read_during(&granted.strict, &path, || {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        for number in 1..20_000 {
            file.write_all(line(number).as_bytes()).unwrap();
        }
    });
    assert!(read > 0);
}

#[test]
fn a_file_that_is_replaced_or_shrinks_gives_whole_lines_or_an_error() {
    let granted = Granted::new();
    let content = |from: usize, to: usize| (from..to).map(line).collect::<String>();
    let path = granted.make("a", content(0, 9000));
    let other = granted.path("b");
    let read = read_during(&granted.strict, &path, || {
        for round in 0..200 {
            if round % 2 == 0 {
                // Between lines: whatever is read of the file ends with one.
                let keep = content(0, 4000 + round).len() as u64;
                OpenOptions::new().write(true).open(&path).unwrap().set_len(keep).unwrap();
            } else {
                std::fs::write(&other, content(round, 9000 + round)).unwrap();
                std::fs::rename(&other, &path).unwrap();
            }
        }
    });
    assert!(read > 0);
}
