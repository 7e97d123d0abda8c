//! Paths of a directory's entries as answers show them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::text::shown;

/// Shows paths of one directory's entries; the directory's own part is judged once.
#[derive(Debug)]
pub(crate) struct ShownPaths {
    /// The directory's path with a `/` at its end.
    prefix: Vec<u8>,
    /// The prefix, if it is shown as it is.
    plain: Option<String>,
}

impl ShownPaths {
    /// For the entries of `directory`.
    pub(crate) fn new(directory: &Path) -> Self {
        let mut prefix = directory.as_os_str().as_bytes().to_vec();
        if !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        let text = String::from_utf8(prefix.clone()).ok();
        let plain = text.filter(|text| *text == shown::shown(&prefix));
        Self { prefix, plain }
    }

    /// Appends the path of the entry `name` to `text`, a directory's with `/` at its end.
    pub(crate) fn push(&self, text: &mut String, name: &OsStr, is_directory: bool) {
        match (&self.plain, name.to_str()) {
            (Some(prefix), Some(name)) if !name.contains(shown::is_hidden) => {
                text.push_str(prefix);
                text.push_str(name);
            }
            _ => {
                let path = [self.prefix.as_slice(), name.as_bytes()].concat();
                text.push_str(&shown::shown(&path));
            }
        }
        if is_directory {
            text.push('/');
        }
    }
}
