//! Walks: what is met, in which order, and what is told of what cannot be read.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use llm_chat_file_core::access::PolicySpec;
use llm_chat_file_core::engine::list::{self, ListOptions};
use llm_chat_file_core::engine::walk::{self, Batch, ENTER, FILE, LEAVE, RootError, UNREADABLE};
use llm_chat_file_core::engine::{Call, Gatekeeper};
use llm_chat_file_core::fs::stat::Kind;

use crate::call::call_with;
use crate::dig::dig;
use crate::support::{NoSecrets, Numbers, as_ordinary_user, call, grow, reference, set_mode};

/// Runs the program of a batch as the facade does.
fn replay(
    batch: &Batch,
    path: &mut PathBuf,
    met: &mut Vec<(PathBuf, Kind)>,
    failed: &mut Vec<(PathBuf, String)>,
) {
    let mut names = batch.names.split_terminator('/');
    let mut failures = batch.failures.iter();
    for kind in &batch.kinds {
        match *kind {
            FILE => met.push((path.join(names.next().unwrap()), Kind::File)),
            ENTER => {
                path.push(names.next().unwrap());
                met.push((path.clone(), Kind::Directory));
            }
            LEAVE => assert!(path.pop()),
            UNREADABLE => failed.push((path.clone(), failures.next().unwrap().message.clone())),
            other => panic!("kind {other}"),
        }
    }
    assert_eq!((names.next(), failures.next()), (None, None));
}

type Met = (Vec<(PathBuf, Kind)>, Vec<(PathBuf, String)>);

fn walked(call: &Call, raw: &str, max: usize) -> Met {
    let mut walk = walk::open(call, raw).unwrap();
    let root = walk.path().to_path_buf();
    let mut path = root.clone();
    let (mut met, mut failed) = (Vec::new(), Vec::new());
    while let Some(batch) = walk.next_batch(max).unwrap() {
        assert!(batch.kinds.iter().filter(|kind| matches!(**kind, FILE | ENTER)).count() <= max);
        replay(&batch, &mut path, &mut met, &mut failed);
    }
    assert_eq!(path, root);
    (met, failed)
}

#[test]
fn meets_what_a_plain_walk_meets_in_any_batches() {
    for seed in 0..60 {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        grow(&root, &mut Numbers(seed), 5);
        let spec = || PolicySpec { skip_dirs: vec!["skip".into()], ..PolicySpec::default() };
        let expected = reference(&root, &["skip"]);
        for resolve_symlinks in [false, true] {
            let call = call_with(&root, PolicySpec { resolve_symlinks, ..spec() });
            for max in [1, 3, 4096] {
                assert_eq!(walked(&call, ".", max), (expected.clone(), vec![]), "seed {seed}");
            }
        }
    }
}

#[test]
fn skips_by_name_but_never_the_root() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("skip/skip")).unwrap();
    std::fs::write(root.join("skip/file"), "").unwrap();
    let spec =
        PolicySpec { skip_dirs: vec!["skip".into(), "file".into()], ..PolicySpec::default() };
    let call = call_with(&root, spec);
    assert_eq!(walked(&call, "skip", 10).0, [(root.join("skip/file"), Kind::File)]);
    assert_eq!(walked(&call, ".", 10).0, []);
}

#[test]
fn gives_names_of_any_bytes() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    let invalid = OsString::from_vec(b"in\xffvalid".to_vec());
    std::fs::create_dir(root.join(&invalid)).unwrap();
    std::fs::write(root.join(&invalid).join("new\nline"), "").unwrap();
    let shown = root.join("in\u{fffd}valid");
    let expected = [(shown.clone(), Kind::Directory), (shown.join("new\nline"), Kind::File)];
    assert_eq!(walked(&call(&root), ".", 10).0, expected);
}

#[test]
fn words_the_errors_of_a_root() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::write(root.join("file"), "").unwrap();
    for resolve_symlinks in [false, true] {
        let call = call_with(&root, PolicySpec { resolve_symlinks, ..PolicySpec::default() });
        let failure = |raw: &str| match walk::open(&call, raw) {
            Err(RootError::Failed(error)) => error,
            other => panic!("{other:?}"),
        };
        let missing = root.join("missing").display().to_string();
        assert_eq!(
            failure("missing").message,
            format!("ENOENT: no such file or directory, stat '{missing}'")
        );
        let below = root.join("file/below").display().to_string();
        assert_eq!(
            failure("file/below").message,
            format!("ENOTDIR: not a directory, stat '{below}'")
        );
        assert_eq!(failure("/").code, "ERR_NOT_GRANTED");
        match walk::open(&call, "file") {
            Err(RootError::NotADirectory(path)) => assert_eq!(path, root.join("file")),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn goes_on_past_directories_that_cannot_be_read() {
    if !as_ordinary_user("walk_order::goes_on_past_directories_that_cannot_be_read") {
        return;
    }
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    for name in ["a", "locked", "z"] {
        std::fs::create_dir(root.join(name)).unwrap();
        std::fs::write(root.join(name).join("file"), "").unwrap();
    }
    set_mode(&root.join("locked"), 0);
    let (met, failed) = walked(&call(&root), ".", 2);
    let inside = walked(&call(&root), "locked", 2);
    set_mode(&root.join("locked"), 0o700);
    let names: Vec<&Path> = met.iter().map(|(path, _)| path.strip_prefix(&root).unwrap()).collect();
    assert_eq!(names, ["a", "a/file", "locked", "z", "z/file"].map(Path::new));
    let locked = root.join("locked");
    let error = format!("EACCES: permission denied, scandir '{}'", locked.display());
    assert_eq!(failed, [(locked.clone(), error.clone())]);
    assert_eq!(inside, (vec![], vec![(locked, error)]));
}

#[test]
fn ends_when_cancelled() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    let call = call(&root);
    let mut walk = walk::open(&call, ".").unwrap();
    assert!(walk.next_batch(1).unwrap().is_some());
    call.cancel.cancel();
    assert_eq!(walk.next_batch(1).unwrap_err().code, "ABORT_ERR");
    assert_eq!(walk.next_batch(1), Ok(None));
}

#[test]
fn asks_the_host_about_each_directory_at_once() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("secret/inner")).unwrap();
    std::fs::create_dir_all(root.join("a")).unwrap();
    std::fs::write(root.join("a/secret"), "").unwrap();
    std::fs::write(root.join("b"), "").unwrap();
    let gatekeeper = Arc::new(NoSecrets::default());
    let call =
        Call { gatekeeper: Some(Arc::clone(&gatekeeper) as Arc<dyn Gatekeeper>), ..call(&root) };
    let expected = [(root.join("a"), Kind::Directory), (root.join("b"), Kind::File)];
    assert_eq!(walked(&call, ".", 10).0, expected);
    assert_eq!(gatekeeper.questions(), [3, 1]);
    let options = |recursive| ListOptions { recursive, max_entries: 9, max_shown: 9 };
    for recursive in [false, true] {
        let listing = list::list(&call, ".", options(recursive)).unwrap();
        assert_eq!((listing.files, listing.directories), (1, 1));
        assert_eq!(listing.text, format!("{0}/a/\n{0}/b", root.display()));
    }
    assert_eq!(gatekeeper.questions(), [3, 1, 3, 3, 1]);
}

#[test]
fn notices_a_directory_that_was_replaced_while_it_was_not_held() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    dig(&root, 60);
    let mut walk = walk::open(&call(&root), ".").unwrap();
    let mut batch = walk.next_batch(60).unwrap().unwrap();
    let place: PathBuf = std::iter::repeat_n("d", 50).collect();
    std::fs::rename(root.join(&place), root.join("moved")).unwrap();
    std::fs::create_dir_all(root.join(&place).join("e")).unwrap();
    let (mut path, mut met, mut failed) = (root.clone(), vec![], vec![]);
    loop {
        replay(&batch, &mut path, &mut met, &mut failed);
        let Some(next) = walk.next_batch(60).unwrap() else { break };
        batch = next;
    }
    let place = root.join(place);
    assert!(failed.iter().any(|(path, message)| *path == place.join("e")
        && message == &format!("ENOENT: no such file or directory, scandir '{}'", path.display())));
    assert!(failed.iter().all(|(path, _)| path.starts_with(&place)));
    assert!(met.contains(&(root.join("d/e/f"), Kind::File)));
}
