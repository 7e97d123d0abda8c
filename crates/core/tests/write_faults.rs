//! Writes where the system says no: missing rights, full disks, mount points, sudden death. Parts
//! that take root to arrange are left out without it.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test makes real files and starts itself again"
)]

mod writes;

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use llm_chat_file_core::engine::create_directory::create_directory;
use llm_chat_file_core::engine::remove::remove;
use llm_chat_file_core::engine::write_text::{WriteTextOptions, write_text};
use llm_chat_file_core::fs::write::{HardLinks, WriteOptions};

use crate::writes::{Granted, append, call_on, edit, write};

/// Names the directory to work in to a test that runs in a process of its own.
const INNER: &str = "WRITE_FAULTS_DIRECTORY";

const NOBODY: u32 = 65534;

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs one test of this program in a process of its own. The copy of the program lies where a
/// user without rights may reach it.
fn again(test: &str, directory: &Path, copy: &tempfile::TempDir) -> Command {
    set_mode(copy.path(), 0o755);
    let program = copy.path().join("tests");
    // By another process: while this one writes a program, a test beside this one may fork with the
    // file open, and nobody can run it (ETXTBSY).
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    let mut command = Command::new(program);
    command.args(["--exact", test, "--quiet"]).env(INNER, directory);
    command.stdout(Stdio::null());
    command
}

/// The directory to work in, given only in a process of its own: elsewhere the inner tests have
/// nothing to do.
fn inner_directory() -> Option<PathBuf> {
    std::env::var_os(INNER).map(PathBuf::from)
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn rights_are_kept_to() {
    let granted = Granted::new();
    let closed = granted.path("closed");
    granted.make("closed/writable", "old and long");
    granted.make("closed/sub/file", "x");
    granted.make("open/read-only", "old");
    set_mode(&granted.path("open/read-only"), 0o444);
    set_mode(&granted.path("closed/writable"), 0o666);
    let copy = tempfile::tempdir().unwrap();
    let mut command = again("rights_are_kept_to_inner", &granted.root, &copy);
    if is_root() {
        for path in [&granted.root, &granted.path("open")] {
            set_mode(path, 0o777);
        }
        for path in [granted.path("open/read-only"), granted.path("closed/writable")] {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        command.uid(NOBODY).gid(NOBODY);
    } else {
        set_mode(&closed, 0o555);
    }
    let done = command.status().unwrap();
    set_mode(&closed, 0o755);
    assert!(done.success());
    assert_eq!(granted.content("open/read-only"), b"old");
    assert_eq!(granted.content("closed/writable"), b"new\nline");
    assert_eq!(granted.names("closed"), ["sub", "writable"]);
    assert_eq!(granted.names("open"), ["read-only"]);
}

#[test]
fn rights_are_kept_to_inner() {
    let Some(root) = inner_directory() else { return };
    let shown = root.display();
    for strict in [false, true] {
        let call = call_on(&root, strict);
        let denied = |path: &str| write(&call, path, "new", None).unwrap_err().to_string();
        let text = "EACCES: permission denied,";
        assert_eq!(denied("open/read-only"), format!("{text} open '{shown}/open/read-only'"));
        assert_eq!(denied("closed/new"), format!("{text} open '{shown}/closed/new'"));
        assert_eq!(denied("closed/a/b"), format!("{text} mkdir '{shown}/closed/a'"));
        let made = create_directory(&call, "closed/a/b").unwrap_err().to_string();
        assert_eq!(made, format!("{text} mkdir '{shown}/closed/a'"));
        let removed = |path: &str, recursive| {
            remove(&call, path, recursive, None).unwrap().result.unwrap_err().to_string()
        };
        assert_eq!(
            removed("closed/writable", false),
            format!("{text} unlink '{shown}/closed/writable'")
        );
        assert_eq!(removed("closed/sub", true), format!("{text} rmdir '{shown}/closed/sub'"));
        assert_eq!(removed("closed/sub", false), format!("{text} rmdir '{shown}/closed/sub'"));
        let written = write(&call, "closed/writable", "new", None).unwrap();
        assert!(!written.atomic && !written.created);
        assert!(!edit(&call, "closed/writable", &[append("line")], None).unwrap().atomic);
    }
}

/// Something mounted, until dropped.
struct Mount(PathBuf);

impl Mount {
    fn new(arguments: &[&str], at: &Path) -> Option<Self> {
        let done = Command::new("mount").args(arguments).arg(at).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success()).then(|| Self(at.to_path_buf()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_costs_nothing() {
    let granted = Granted::new();
    let disk = granted.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(_mount) = Mount::new(&["-t", "tmpfs", "-o", "size=256k", "none"], &disk) else {
        assert!(!is_root() || !Path::new("/bin/mount").exists(), "root could not mount");
        return;
    };
    let old = "o".repeat(50_000);
    granted.make("disk/a", &old);
    granted.make("disk/filler", "f".repeat(170_000));
    let new = "n".repeat(99_000);
    let keep = WriteTextOptions {
        write: WriteOptions { hard_links: HardLinks::Keep, ..WriteOptions::default() },
        ..WriteTextOptions::default()
    };
    std::fs::hard_link(granted.path("disk/a"), granted.path("disk/b")).unwrap();
    for options in [WriteTextOptions::default(), keep] {
        let error = write_text(&granted.call, "disk/a", &new, &options, None).unwrap_err();
        assert_eq!(error.to_string(), "ENOSPC: no space left on device, write");
        assert_eq!(granted.content("disk/a"), old.as_bytes());
        assert_eq!(granted.names("disk"), ["a", "b", "filler"]);
    }
    assert_eq!(write(&granted.call, "disk/new/c", &new, None).unwrap_err().code, "ENOSPC");
    assert_eq!(granted.names("disk"), ["a", "b", "filler"]);
}

#[test]
fn a_mounted_file_is_written_in_place() {
    let granted = Granted::new();
    let source = granted.make("source", "old");
    let target = granted.make("target", "hidden");
    let bind = ["--bind", source.to_str().unwrap()];
    let Some(mount) = Mount::new(&bind, &target) else { return };
    let written = write(&granted.call, "target", "new", None).unwrap();
    assert!(!written.atomic);
    assert!(!edit(&granted.call, "target", &[append("line")], None).unwrap().atomic);
    drop(mount);
    assert_eq!(granted.content("source"), b"new\nline");
    assert_eq!(granted.content("target"), b"hidden");
    assert_eq!(granted.names("."), ["source", "target"]);
}

const SIZE: usize = 100_000;

#[test]
fn sudden_death_leaves_one_version_whole() {
    let granted = Granted::new();
    let path = granted.make("a", "0".repeat(SIZE));
    let copy = tempfile::tempdir().unwrap();
    let mut inner = again("sudden_death_inner", &granted.root, &copy);
    let mut inodes = std::collections::HashSet::new();
    for cycle in 0..20 {
        let mut child = inner.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(40 + cycle * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        let content = std::fs::read(&path).unwrap();
        let first = content.first().copied().unwrap_or_default();
        assert!(content.len() == SIZE && content.iter().all(|byte| *byte == first));
        inodes.insert(std::fs::metadata(&path).unwrap().ino());
    }
    assert!(inodes.len() > 1, "the child wrote nothing");
    write(&granted.call, "a", "after", None).unwrap();
    assert_eq!(granted.names("."), ["a"]);
}

#[test]
fn sudden_death_inner() {
    let Some(root) = inner_directory() else { return };
    let call = call_on(&root, true);
    let pool = llm_chat_file_core::pool::Pool::new();
    pool.record_read(&root.join("a"));
    for round in 0..5000 {
        let digit = (round % 10).to_string();
        let pool = (round % 2 == 0).then_some(&pool);
        write(&call, "a", &digit.repeat(SIZE), pool).ok();
    }
}
