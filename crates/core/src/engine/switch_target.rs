//! What a switch of the current path must know about its target.

use std::path::Path;

use crate::access::Permit;
use crate::access::permit::Ambient;
use crate::fs::kind_at::kind_at;
use crate::fs::stat::Kind;

/// Whether `path` (absolute, within a grant) may become the current path: it is a directory, or
/// nothing that could be looked at, and may become one later. Only what is known to be no
/// directory is refused.
#[must_use]
pub fn is_directory_or_missing(path: &Path) -> bool {
    kind_at(Permit::ambient(Ambient::ResolveLinks), path)
        .map_or(true, |kind| kind == Kind::Directory)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test lays out what is looked at")]

    use super::*;

    #[test]
    fn refuses_only_what_is_no_directory() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("file");
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink("file", base.path().join("link")).unwrap();
        std::os::unix::fs::symlink("gone", base.path().join("dangling")).unwrap();
        assert!(is_directory_or_missing(base.path()));
        assert!(is_directory_or_missing(&base.path().join("missing")));
        assert!(is_directory_or_missing(&base.path().join("dangling")));
        assert!(!is_directory_or_missing(&file));
        assert!(!is_directory_or_missing(&base.path().join("link")));
    }
}
