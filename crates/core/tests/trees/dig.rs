//! Deep trees.

use std::path::Path;

/// A chain of `depth` directories named `d`, each beside a directory `e` that holds a file `f`.
/// Made from descriptors, because the paths may be longer than the kernel takes.
pub(crate) fn dig(root: &Path, depth: usize) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let open = OFlags::RDONLY | OFlags::DIRECTORY;
    let mut at = openat(CWD, root, open, Mode::empty()).unwrap();
    for _ in 0..depth {
        for name in ["d", "e"] {
            mkdirat(&at, name, Mode::RWXU).unwrap();
        }
        openat(&at, "e/f", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        at = openat(&at, "d", open, Mode::empty()).unwrap();
    }
}
