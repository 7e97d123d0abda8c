//! Where a path leads once its links are followed, for paths whose end need not exist.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::access::permit::AmbientPermit;
use crate::error::{Error, Result};

/// Links followed before a path counts as a loop; Linux's own limit (`MAXSYMLINKS`, path_resolution(7)).
const MAX_LINKS: usize = 40;

/// Resolves every link of `path` (absolute, normalised). From the first name that does not exist,
/// or may not be looked at, the rest is kept as it is spelled: the deepest existing ancestor
/// decides where a new file would come to lie. A dangling link leads to its target.
///
/// # Errors
/// `ELOOP` when links lead round in a circle.
pub fn resolve(_permit: AmbientPermit, path: &Path) -> Result<PathBuf> {
    let mut names: VecDeque<OsString> = names_of(path.as_os_str());
    let mut resolved = PathBuf::from("/");
    let mut followed = 0;
    let mut exists = true;
    while let Some(name) = names.pop_front() {
        if name == ".." {
            resolved.pop();
            continue;
        }
        resolved.push(&name);
        if !exists {
            continue;
        }
        match rustix::fs::readlink(&resolved, Vec::new()) {
            Ok(target) => {
                followed += 1;
                if followed > MAX_LINKS {
                    return Err(Error::io(Errno::LOOP, "realpath", path));
                }
                resolved.pop();
                let target = OsString::from_vec(target.into_bytes());
                if target.as_bytes().starts_with(b"/") {
                    resolved = PathBuf::from("/");
                }
                let mut ahead = names_of(&target);
                ahead.append(&mut names);
                names = ahead;
            }
            // No link: a name like any other.
            Err(Errno::INVAL) => {}
            Err(_) => exists = false,
        }
    }
    Ok(resolved)
}

fn names_of(path: &OsStr) -> VecDeque<OsString> {
    path.as_bytes()
        .split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty() && *name != b".")
        .map(|name| OsStr::from_bytes(name).to_os_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::access::Permit;
    use crate::access::permit::Ambient;

    fn resolved(path: &Path) -> PathBuf {
        resolve(Permit::ambient(Ambient::ResolveLinks), path).unwrap()
    }

    #[test]
    fn follows_links_and_keeps_what_does_not_exist() {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("alias")).unwrap();
        symlink("../outside/born", root.join("real/dangling")).unwrap();
        assert_eq!(resolved(&root.join("alias/new/file")), root.join("real/new/file"));
        assert_eq!(resolved(&root.join("alias/dangling")), root.join("outside/born"));
        assert_eq!(resolved(&root.join("alias/dangling/x")), root.join("outside/born/x"));
    }

    #[test]
    fn names_a_loop() {
        let base = tempfile::tempdir().unwrap();
        symlink("b", base.path().join("a")).unwrap();
        symlink("a", base.path().join("b")).unwrap();
        let looped = resolve(Permit::ambient(Ambient::ResolveLinks), &base.path().join("a"));
        assert_eq!(looped.unwrap_err().code, "ELOOP");
    }
}
