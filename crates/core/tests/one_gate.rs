//! The one gate, checked on the sources: nothing outside `crates/core/src/fs` touches the disk,
//! and permits outside the policy are made in known places only.
#![expect(clippy::disallowed_methods, reason = "the test reads the project's own sources")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names that reach the disk, or a library that does.
const DISK: [&str; 5] = ["std::fs", "tokio::fs", "rustix::", "libc::", "ignore::Walk"];

/// Where `Permit::ambient` may be called, and for what.
const AMBIENT: [(&str, &str, usize); 9] = [
    ("crates/core/src/access/policy.rs", "DenyRules", 1),
    ("crates/core/src/access/policy.rs", "GrantRoot", 1),
    ("crates/core/src/access/policy.rs", "ResolveLinks", 2),
    ("crates/core/src/engine/is_binary.rs", "IsBinary", 1),
    ("crates/core/src/engine/switch_target.rs", "ResolveLinks", 1),
    ("crates/core/src/fs/denied.rs", "DenyRules", 1),
    ("crates/core/src/fs/open.rs", "ResolveLinks", 1),
    ("crates/core/src/fs/root.rs", "GrantRoot", 1),
    ("crates/core/src/pool/mod.rs", "FilePool", 1),
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Rust sources below `directory`, with what comes before their test modules.
fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut ahead = vec![directory.to_path_buf()];
    while let Some(directory) = ahead.pop() {
        for entry in std::fs::read_dir(&directory).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                ahead.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                found.push((path, code.to_owned()));
            }
        }
    }
    assert!(!found.is_empty(), "no sources below {}", directory.display());
    found
}

fn product_sources() -> Vec<(PathBuf, String)> {
    ["src", "crates/core/src", "crates/pattern/src"]
        .iter()
        .flat_map(|directory| sources(&project().join(directory)))
        .collect()
}

#[test]
fn only_the_gate_touches_the_disk() {
    let mut wrong = Vec::new();
    for (path, code) in product_sources() {
        if path.components().any(|part| part.as_os_str() == "fs") {
            continue;
        }
        for (number, line) in code.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && DISK.iter().any(|name| line.contains(name)) {
                wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "the disk is touched outside the gate:\n{}", wrong.join("\n"));
}

#[test]
fn permits_outside_the_policy_are_made_in_known_places() {
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (path, code) in product_sources() {
        let file = path.strip_prefix(project()).unwrap().display().to_string();
        for rest in code.split("::ambient(Ambient::").skip(1) {
            let reason = rest.split(')').next().unwrap_or_default().to_owned();
            *found.entry((file.clone(), reason)).or_default() += 1;
        }
    }
    let expected: BTreeMap<(String, String), usize> = AMBIENT
        .iter()
        .map(|(file, reason, count)| (((*file).to_owned(), (*reason).to_owned()), *count))
        .collect();
    assert_eq!(found, expected);
}
