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

/// Where a path leads.
#[derive(Debug)]
pub struct Led {
    /// Every link resolved.
    pub real: PathBuf,
    /// Where the last of the links on the way that lie inside leads, as it says and no further.
    pub left: Option<PathBuf>,
}

/// Resolves every link of `path` (absolute, normalised). From the first name that does not exist,
/// or may not be looked at, the rest is kept as it is spelled: the deepest existing ancestor
/// decides where a new file would come to lie. A dangling link leads to its target.
///
/// # Errors
/// `ELOOP` when links lead round in a circle.
pub fn resolve(permit: AmbientPermit, path: &Path) -> Result<PathBuf> {
    follow(permit, path, |_| false).map(|led| led.real)
}

/// As [`resolve`]; `is_inside` tells which places are inside.
///
/// # Errors
/// `ELOOP` when links lead round in a circle, and none of them leads from inside to elsewhere.
pub fn follow(
    _permit: AmbientPermit,
    path: &Path,
    is_inside: impl Fn(&Path) -> bool,
) -> Result<Led> {
    let mut names: VecDeque<OsString> = names_of(path.as_os_str());
    let mut resolved = PathBuf::from("/");
    let mut left: Option<PathBuf> = None;
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
                    return match left {
                        Some(left) if !is_inside(&left) => {
                            Ok(Led { real: left.clone(), left: Some(left) })
                        }
                        _ => Err(Error::io(Errno::LOOP, "realpath", path)),
                    };
                }
                let from_inside = is_inside(&resolved);
                resolved.pop();
                let target = OsString::from_vec(target.into_bytes());
                if target.as_bytes().starts_with(b"/") {
                    resolved = PathBuf::from("/");
                }
                let mut ahead = names_of(&target);
                ahead.append(&mut names);
                names = ahead;
                if from_inside {
                    left = Some(spelled(&resolved, &names));
                }
            }
            // No link: a name like any other.
            Err(Errno::INVAL) => {}
            Err(_) => exists = false,
        }
    }
    Ok(Led { real: resolved, left })
}

/// `directory` and the names beneath it, by their spelling.
fn spelled(directory: &Path, names: &VecDeque<OsString>) -> PathBuf {
    let mut path = directory.to_path_buf();
    for name in names {
        if name == ".." {
            path.pop();
        } else {
            path.push(name);
        }
    }
    path
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
    fn tells_where_a_link_from_inside_leads_and_no_more() {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        let inside = root.join("inside");
        std::fs::create_dir(&inside).unwrap();
        std::fs::create_dir(root.join("outside")).unwrap();
        symlink("../outside", inside.join("out")).unwrap();
        symlink("/etc/hosts", root.join("outside/chain")).unwrap();
        symlink("loop", root.join("outside/loop")).unwrap();
        for name in ["chain", "loop", "none"] {
            let path = inside.join("out").join(name);
            let permit = Permit::ambient(Ambient::ResolveLinks);
            let led = follow(permit, &path, |path| path.starts_with(&inside)).unwrap();
            assert_eq!(led.left, Some(root.join("outside").join(name)));
        }
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
