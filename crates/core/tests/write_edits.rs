//! Edits: the order of the checks, their words, and that no change is lost.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "the test makes real files")]

mod writes;

use std::os::unix::fs::symlink;
use std::thread;
use std::time::{Duration, Instant};

use llm_chat_file_core::edit::Edit;
use llm_chat_file_core::engine::edit_text::{EditOptions, edit_text};
use llm_chat_file_core::pool::Pool;

use crate::writes::{EDIT, Granted, append, edit, replace};

#[test]
fn checks_in_the_published_order_and_words() {
    let granted = Granted::new();
    std::fs::create_dir(granted.path("dir")).unwrap();
    granted.make("binary", b"\0\x01\x02\xff");
    granted.make("text", "a\nb\nc");
    let pool = Pool::new();
    let root = granted.root.display().to_string();
    let edits = [replace("nowhere", "x")];
    let run = |path: &str, options: EditOptions| {
        let error = edit_text(&granted.call, path, &edits, &options, Some(&pool)).unwrap_err();
        (error.code, error.to_string())
    };
    let small = EditOptions { max_file_size: 2, ..EDIT };
    assert_eq!(
        run("nope", small),
        ("ENOENT", format!("ENOENT: no such file or directory, stat '{root}/nope'"))
    );
    assert_eq!(
        run("nope/deeper", small),
        ("ENOENT", format!("ENOENT: no such file or directory, stat '{root}/nope/deeper'"))
    );
    assert_eq!(
        run("text/x", small),
        ("ENOTDIR", format!("ENOTDIR: not a directory, stat '{root}/text/x'"))
    );
    assert_eq!(run("dir", small), ("ERR_NOT_REGULAR", "Path is not a file".to_owned()));
    assert_eq!(run(".", small), ("ERR_NOT_REGULAR", "Path is not a file".to_owned()));
    assert_eq!(
        run("binary", small),
        ("ERR_TOO_LARGE", "File too large (4 bytes, max 2)".to_owned())
    );
    assert_eq!(
        run("binary", EDIT),
        (
            "ERR_BINARY",
            "File appears to be binary; this tool works with text files only".to_owned()
        )
    );
    assert_eq!(
        run("text", EDIT),
        ("ERR_NOT_READ", format!("File must be read before writing: {root}/text"))
    );
    pool.record_read(&granted.path("text"));
    assert_eq!(run("text", EDIT), ("ERR_NO_MATCH", "old_content not found in file".to_owned()));
}

#[test]
fn refusals_of_edits() {
    let granted = Granted::new();
    granted.make("a", "a\nb\nc");
    let lines = |start, end| Edit::ReplaceLines { start, end, content: "x".to_owned() };
    let insert = |line| Edit::Insert { line: Some(line), content: "x".to_owned() };
    for (edit_of, code, message) in [
        (lines(4, 4), "ERR_OUT_OF_RANGE", "start_line (4) exceeds file length (3 lines)"),
        (lines(2, 4), "ERR_OUT_OF_RANGE", "end_line (4) exceeds file length (3 lines)"),
        (
            insert(5),
            "ERR_OUT_OF_RANGE",
            "line (5) out of range: file has 3 lines, must be between 1 and 4",
        ),
    ] {
        let error = edit(&granted.call, "a", &[edit_of], None).unwrap_err();
        assert_eq!((error.code, error.to_string().as_str()), (code, message));
    }
    let short = EditOptions { max_chars: 6, ..EDIT };
    let error = edit_text(&granted.call, "a", &[append("xyz")], &short, None).unwrap_err();
    assert_eq!(error.code, "ERR_TOO_LARGE");
    assert_eq!(error.to_string(), "Resulting file would be 9 chars, exceeds max length of 6");
    assert_eq!(granted.content("a"), b"a\nb\nc");
}

#[test]
fn bytes_outside_an_edit_stay_and_a_dry_run_writes_nothing() {
    let granted = Granted::new();
    granted.make("a", b"caf\xe9 one\r\nplain two\n");
    let dry = EditOptions { dry_run: true, ..EDIT };
    let answer = edit_text(&granted.call, "a", &[replace("one", "1")], &dry, None).unwrap();
    assert_eq!(answer.after, b"caf\xe9 1\r\nplain two\n");
    assert_eq!(answer.unchanged_bytes, 17);
    assert_eq!(granted.content("a"), b"caf\xe9 one\r\nplain two\n");
    let answer = edit(&granted.call, "a", &[replace("one", "1")], None).unwrap();
    assert_eq!(granted.content("a"), answer.after);
    assert_eq!(answer.applied.len(), 1);
}

#[test]
fn parallel_edits_lose_nothing() {
    let granted = Granted::new();
    granted.make("dir/a", "begin");
    symlink("dir/a", granted.path("link")).unwrap();
    symlink("dir", granted.path("alias")).unwrap();
    let pool = Pool::new();
    pool.record_read(&granted.path("dir/a"));
    let spellings = ["dir/a", "dir/../dir/./a", "link", "alias/a"];
    thread::scope(|scope| {
        for worker in 0..8 {
            let (granted, pool) = (&granted, &pool);
            scope.spawn(move || {
                for round in 0..25 {
                    let path = spellings[(worker + round) % spellings.len()];
                    let call = granted.calls()[worker % 2];
                    let line = append(&format!("{worker}:{round}"));
                    edit(call, path, &[line], Some(pool)).unwrap();
                }
            });
        }
    });
    let text = String::from_utf8(granted.content("dir/a")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 201);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 201);
    assert_eq!(granted.names("dir"), ["a"]);
}

/// Another program saves by rename as fast as it can while edits append. An edit may for a moment
/// stand over a save that it did not see, and then gives the place back: no save is lost.
#[test]
fn saves_of_another_program_are_never_lost() {
    let granted = Granted::new();
    let path = granted.make("a", "save 0\n");
    let stop = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        let saver = scope.spawn(|| {
            let mut count = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                count += 1;
                let draft = granted.path("draft");
                let saved = format!("save {count}\n");
                std::fs::write(&draft, &saved).unwrap();
                std::fs::rename(&draft, &path).unwrap();
                let is_there = || std::fs::read(&path).unwrap().starts_with(saved.as_bytes());
                let deadline = Instant::now() + Duration::from_secs(5);
                while !is_there() {
                    assert!(Instant::now() < deadline, "{saved:?} was lost");
                }
            }
            count
        });
        let mut done = 0;
        for _ in 0..100 {
            done += usize::from(edit(&granted.call, "a", &[append("edit")], None).is_ok());
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(saver.join().unwrap() > 0);
        assert!(done <= 100);
    });
    assert_eq!(granted.names("."), ["a"]);
}

#[test]
fn readers_see_one_version_or_the_other() {
    let granted = Granted::new();
    let (old, new) = ("o".repeat(200_000), "n".repeat(150_000));
    let path = granted.make("a", &old);
    let stop = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let seen = std::fs::read(&path).unwrap();
                assert!(seen == old.as_bytes() || seen == new.as_bytes(), "{} bytes", seen.len());
            }
        });
        for round in 0..60 {
            let text = if round % 2 == 0 { &new } else { &old };
            crate::writes::write(&granted.call, "a", text, None).unwrap();
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
