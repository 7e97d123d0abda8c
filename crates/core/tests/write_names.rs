//! Directories made, entries removed and renamed.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test makes real files"
)]

mod writes;

use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use llm_chat_file_core::access::RightKind;
use llm_chat_file_core::engine::create_directory::create_directory;
use llm_chat_file_core::engine::remove::{RemoveAnswer, remove};
use llm_chat_file_core::engine::rename::{Stage, rename};
use llm_chat_file_core::engine::{Call, Gatekeeper};
use llm_chat_file_core::fs::stat::Kind;
use llm_chat_file_core::{Error, Result};

use crate::writes::Granted;

fn removed(call: &Call, path: &str, recursive: bool) -> RemoveAnswer {
    remove(call, path, recursive, None).unwrap()
}

fn refused(call: &Call, path: &str, recursive: bool) -> Error {
    removed(call, path, recursive).result.unwrap_err()
}

fn rename_error(call: &Call, from: &str, to: &str) -> (Stage, Error) {
    rename(call, from, to, None).result.unwrap_err()
}

#[test]
fn makes_directories_as_node_does() {
    let granted = Granted::new();
    granted.make("f", "x");
    std::fs::create_dir(granted.path("d")).unwrap();
    symlink("nowhere", granted.path("dangling")).unwrap();
    symlink("d", granted.path("linked")).unwrap();
    symlink("f", granted.path("to-file")).unwrap();
    let root = granted.root.display().to_string();
    for (index, call) in granted.calls().into_iter().enumerate() {
        let made = create_directory(call, &format!("new{index}/a/b/")).unwrap();
        assert!(made.created && made.path.ends_with(format!("new{index}/a/b")));
        for existing in [".", "d", "linked", &format!("new{index}/a")] {
            assert!(!create_directory(call, existing).unwrap().created, "{existing}");
        }
        assert!(create_directory(call, &format!("linked/q{index}/r")).unwrap().created);
        assert!(granted.path(&format!("d/q{index}/r")).is_dir());
        let message = |path: &str| create_directory(call, path).unwrap_err().to_string();
        let exists = "EEXIST: file already exists, mkdir";
        let not_directory = "ENOTDIR: not a directory, mkdir";
        assert_eq!(message("f"), format!("{exists} '{root}/f'"));
        assert_eq!(message("to-file"), format!("{exists} '{root}/to-file'"));
        assert_eq!(message("f/x"), format!("{not_directory} '{root}/f/x'"));
        assert_eq!(message("f/x/y"), format!("{not_directory} '{root}/f/x/y'"));
        assert_eq!(message("to-file/x"), format!("{not_directory} '{root}/to-file/x'"));
        assert_eq!(
            message("dangling"),
            format!("ENOENT: no such file or directory, mkdir '{root}/dangling'")
        );
        assert_eq!(message("dangling/x"), format!("{not_directory} '{root}/dangling'"));
        let long = "n".repeat(300);
        assert_eq!(
            message(&format!("made/on/{long}/x")),
            format!("ENAMETOOLONG: name too long, mkdir '{root}/made/on/{long}'")
        );
        assert!(!granted.path("made").exists());
    }
}

#[test]
fn links_out_of_the_grant_make_nothing_outside() {
    let (granted, outside) = (Granted::new(), Granted::new());
    symlink(&outside.root, granted.path("out")).unwrap();
    outside.make("kept", "x");
    granted.make("a", "x");
    let error = remove(&granted.strict, "out/kept", false, None).unwrap_err();
    assert_eq!(error.code, "ERR_NOT_GRANTED");
    assert_eq!(rename_error(&granted.strict, "out/kept", "b").0, Stage::Source);
    assert_eq!(rename_error(&granted.strict, "a", "out/b").0, Stage::Destination);
    assert_eq!(rename_error(&granted.strict, "a", "out/b/c").0, Stage::Destination);
    for path in ["out/a", "out/a/b", "out"] {
        let error = create_directory(&granted.strict, path).unwrap_err();
        assert_eq!(error.code, "ERR_NOT_GRANTED", "{path}");
    }
    assert_eq!(outside.names("."), ["kept"]);
}

#[test]
fn removes_files_links_and_trees_and_follows_nothing() {
    let (granted, outside) = (Granted::new(), Granted::new());
    outside.make("kept", "x");
    for call in granted.calls() {
        granted.make("tree/a/b/c", "x");
        granted.make("tree/d", "x");
        symlink(&outside.root, granted.path("tree/a/link")).unwrap();
        symlink(outside.path("kept"), granted.path("link")).unwrap();
        symlink("nowhere", granted.path("dangling")).unwrap();
        assert_eq!(removed(call, "link", true).kind, Some(Kind::Symlink));
        removed(call, "dangling", false).result.unwrap();
        let root = granted.root.display();
        assert_eq!(
            refused(call, "tree", false).to_string(),
            format!("ENOTEMPTY: directory not empty, rmdir '{root}/tree'")
        );
        removed(call, "tree/d", true).result.unwrap();
        let answer = removed(call, "tree", true);
        assert_eq!((answer.kind, answer.path), (Some(Kind::Directory), granted.path("tree")));
        answer.result.unwrap();
        let gone = removed(call, "tree", true);
        assert_eq!((gone.kind, gone.result.unwrap_err().code), (None, "ENOENT"));
        assert_eq!(granted.names("."), [""; 0]);
    }
    assert_eq!(outside.names("."), ["kept"]);
}

#[test]
fn roots_stay() {
    let granted = Granted::new();
    granted.make("inner/ws/file", "x");
    let mut call = granted.call.clone();
    let inner = granted.path("inner/ws");
    call.policy =
        writes::most_specific(&[(RightKind::Write, &granted.root), (RightKind::Write, &inner)]);
    for path in [".", "inner", "inner/ws"] {
        assert_eq!(refused(&call, path, true).code, "ERR_ROOT", "{path}");
        let (stage, error) = rename_error(&call, path, "elsewhere/x");
        assert_eq!((stage, error.code), (Stage::Rename, "ERR_ROOT"), "{path}");
    }
    assert_eq!(granted.names("."), ["inner"]);
}

#[test]
fn removes_a_directory_of_stale_temporaries() {
    let granted = Granted::new();
    granted.make("dir/.0123456789abcdef-00.llmfs", "half");
    removed(&granted.call, "dir", false).result.unwrap();
    granted.make("dir/.0123456789abcdef-00.llmfs", "half");
    granted.make("dir/file", "x");
    assert_eq!(refused(&granted.call, "dir", false).code, "ENOTEMPTY");
    assert_eq!(granted.content("dir/file"), b"x");
}

#[test]
fn removes_many_entries_and_deep_trees_with_few_descriptors() {
    let granted = Granted::new();
    for index in 0..1500 {
        granted.make(&format!("wide/{index}"), "");
        if index % 3 == 0 {
            std::fs::create_dir_all(granted.path(&format!("wide/d{index}/e"))).unwrap();
        }
    }
    removed(&granted.call, "wide", true).result.unwrap();
    dig(&granted.path("deep"), 1000);
    removed(&granted.call, "deep", true).result.unwrap();
    assert_eq!(granted.names("."), [""; 0]);
}

/// A chain of directories longer than any path may be.
fn dig(top: &Path, depth: usize) {
    use rustix::fs::{Mode, OFlags};
    std::fs::create_dir(top).unwrap();
    let mode = Mode::from_raw_mode(0o700);
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let mut held = rustix::fs::open(top, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&held, "deeper", mode).unwrap();
        held = rustix::fs::openat(&held, "deeper", flags, Mode::empty()).unwrap();
    }
}

#[derive(Debug)]
struct AllBut(PathBuf);

impl Gatekeeper for AllBut {
    fn allows(&self, _: RightKind, paths: &[PathBuf]) -> Result<Vec<bool>> {
        Ok(paths.iter().map(|path| *path != self.0).collect())
    }
}

#[test]
fn a_host_rule_against_one_entry_keeps_the_whole_tree() {
    let granted = Granted::new();
    granted.make("tree/a/b", "x");
    granted.make("tree/c", "x");
    let mut call = granted.call.clone();
    let kept = granted.path("tree/a/b");
    call.gatekeeper = Some(Arc::new(AllBut(kept.clone())));
    let error = refused(&call, "tree", true);
    assert_eq!((error.code, error.path.clone()), ("ERR_NOT_GRANTED", Some(kept)));
    assert!(granted.path("tree/c").exists());
    call.gatekeeper = Some(Arc::new(AllBut(granted.path("other"))));
    removed(&call, "tree", true).result.unwrap();
    assert!(!granted.path("tree").exists());
}

#[test]
fn renames_links_themselves_and_replaces_nothing() {
    let granted = Granted::new();
    for call in granted.calls() {
        granted.make("a", "a");
        granted.make("b", "b");
        symlink("nowhere", granted.path("dangling")).unwrap();
        std::fs::create_dir(granted.path("empty")).unwrap();
        for taken in ["b", "empty", "dangling", "."] {
            let (stage, error) = rename_error(call, "a", taken);
            let path = lexical(&granted.root, taken);
            assert_eq!(stage, Stage::Rename);
            assert_eq!(error.to_string(), format!("Destination already exists: {path}"));
            assert_eq!(error.code, "EEXIST");
        }
        rename(call, "a", "./a", None).result.unwrap();
        rename(call, "dangling", "sub/link", None).result.unwrap();
        assert!(granted.path("sub/link").is_symlink());
        rename(call, "a", "x/y/z", None).result.unwrap();
        assert_eq!(granted.content("x/y/z"), b"a");
        for name in ["b", "empty", "sub", "x"] {
            removed(call, name, true).result.unwrap();
        }
    }
}

fn lexical(root: &Path, name: &str) -> String {
    let root = root.display();
    if name == "." { root.to_string() } else { format!("{root}/{name}") }
}

#[test]
fn a_failed_rename_leaves_nothing_behind() {
    let granted = Granted::new();
    granted.make("d/e/f", "x");
    let root = granted.root.display();
    for call in granted.calls() {
        let (stage, error) = rename_error(call, "nope", "made/on/the/way");
        assert_eq!(stage, Stage::Look);
        assert_eq!(
            error.to_string(),
            format!("ENOENT: no such file or directory, stat '{root}/nope'")
        );
        let (_, error) = rename_error(call, "d", "d/e/new/x");
        assert_eq!(
            error.to_string(),
            format!("EINVAL: invalid argument, rename '{root}/d' -> '{root}/d/e/new/x'")
        );
        let (_, error) = rename_error(call, "d/e", "d/e/f/g");
        assert_eq!(error.code, "EINVAL");
        let (_, error) = rename_error(call, "d", "d/e/f/g/h");
        assert_eq!(error.code, "EINVAL");
        assert_eq!(rename_error(call, "/etc/passwd", "x").0, Stage::Source);
        assert_eq!(rename_error(call, "d", "/etc/x").0, Stage::Destination);
        assert_eq!(granted.names("."), ["d"]);
        assert_eq!(granted.names("d/e"), ["f"]);
    }
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, granted.path("p"), rustix::fs::FileType::Fifo, mode, 0)
        .unwrap();
    let (_, error) = rename_error(&granted.call, "p", "made/p");
    assert_eq!(error.to_string(), "Source is not a file or directory");
    assert_eq!(granted.names("."), ["d", "p"]);
}

/// Needs a second file system: the memory file system that Linux mounts for shared memory.
#[test]
fn moves_between_file_systems_with_mode_and_times() {
    let memory = Path::new("/dev/shm");
    let (granted, elsewhere) = (
        Granted::new(),
        match memory.is_dir() {
            true => Granted::within(memory),
            false => return,
        },
    );
    if granted.root.metadata().unwrap().dev() == elsewhere.root.metadata().unwrap().dev() {
        return;
    }
    let mut call = granted.call.clone();
    call.policy = writes::most_specific(&[
        (RightKind::Write, &granted.root),
        (RightKind::Write, &elsewhere.root),
    ]);
    granted.make("tree/a/b.sh", "script");
    granted.make("tree/c", "x".repeat(700_000));
    symlink("a/b.sh", granted.path("tree/link")).unwrap();
    use std::os::unix::fs::PermissionsExt;
    let script = granted.path("tree/a/b.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o750)).unwrap();
    let past = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    std::fs::File::open(&script).unwrap().set_modified(past).unwrap();
    std::fs::File::open(granted.path("tree/a")).unwrap().set_modified(past).unwrap();
    let there = |name: &str| elsewhere.path(name).display().to_string();

    elsewhere.make("taken", "x");
    let (_, error) = rename_error(&call, "tree", &there("taken"));
    assert_eq!(error.code, "EEXIST");
    rename(&call, "tree", &there("new/tree"), None).result.unwrap();
    assert_eq!(granted.names("."), [""; 0]);
    assert_eq!(elsewhere.names("new"), ["tree"]);
    for moved in ["new/tree/a", "new/tree/a/b.sh"] {
        let moved = elsewhere.path(moved).metadata().unwrap();
        assert_eq!(moved.modified().unwrap(), past);
    }
    let script = elsewhere.path("new/tree/a/b.sh").metadata().unwrap();
    assert_eq!(script.mode() & 0o777, 0o750);
    assert_eq!(elsewhere.content("new/tree/link"), b"script");
    rename(&call, &there("new/tree/c"), "c", None).result.unwrap();
    assert_eq!(granted.content("c").len(), 700_000);

    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let pipe = elsewhere.path("new/tree/a/pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let (_, error) = rename_error(&call, &there("new/tree"), "made/tree");
    assert_eq!(error.code, "ERR_NOT_REGULAR");
    assert_eq!(granted.names("."), ["c"]);
    assert!(elsewhere.path("new/tree/a/b.sh").exists());
}
