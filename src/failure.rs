//! Failed operations as the plain objects that cross to JavaScript.

use std::path::Path;

use llm_chat_file_core as core;
use napi_derive::napi;

/// A failed operation, as the core reports it.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Failure {
    /// Errno name (`ENOENT`) or one of ours (`ERR_NOT_GRANTED`).
    pub code: &'static str,
    /// Finished message.
    pub message: String,
    /// Negative errno, as on Node's errors.
    pub errno: Option<i32>,
    /// System call by Node's name.
    pub syscall: Option<&'static str>,
    /// Path the operation was about.
    pub path: Option<String>,
    /// Second path of a rename.
    pub dest: Option<String>,
    /// Size of the file in bytes, where the size was the reason.
    pub size: Option<f64>,
}

impl From<core::Error> for Failure {
    fn from(error: core::Error) -> Self {
        Self {
            code: error.code,
            message: error.message,
            errno: error.errno.map(|errno| -errno),
            syscall: error.syscall,
            path: error.path.as_deref().map(path_text),
            dest: error.dest.as_deref().map(path_text),
            size: None,
        }
    }
}

/// A path as a JavaScript string; bytes that are not UTF-8 become U+FFFD, as Node's `fs` has it.
#[must_use]
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errno_is_negative_as_on_nodes_errors() {
        let mut error = core::Error::new("ENOENT", "ENOENT: gone").with_path(Path::new("/a"));
        error.errno = Some(2);
        let failure = Failure::from(error);
        assert_eq!(failure.errno, Some(-2));
        assert_eq!(failure.path.as_deref(), Some("/a"));
    }
}
