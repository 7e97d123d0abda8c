//! The core's one error type: what happened, to which path, in the words of Node's `fs`.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::fs::Errno;
use crate::text::shown::shown_path;

/// Result of a core operation.
pub type Result<T> = std::result::Result<T, Error>;

/// A failed operation. `Display` gives the message, worded as Node words it where Node has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

/// What an [`Error`] tells; reached through the error itself (`error.code`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// Errno name (`ENOENT`) or one of the product's codes (`ERR_NOT_READ`).
    pub code: &'static str,
    /// Full message, code included where Node includes it.
    pub message: String,
    /// Positive errno of the system call, if one failed.
    pub errno: Option<i32>,
    /// System call by Node's name (`open`, `scandir`), if one failed.
    pub syscall: Option<&'static str>,
    /// Path the operation was about.
    pub path: Option<PathBuf>,
    /// Second path of a rename or copy.
    pub dest: Option<PathBuf>,
    /// Size in bytes, where the size of a file was the reason.
    pub size: Option<u64>,
}

impl Deref for Error {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl Error {
    /// An error of our own: a code and a finished sentence.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            code,
            message: message.into(),
            errno: None,
            syscall: None,
            path: None,
            dest: None,
            size: None,
        }))
    }

    /// Names the path the error is about (a property; the message stays as it is).
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_path_buf());
        self
    }

    /// Says more in the message, after a semicolon.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        self.0.message = format!("{}; {note}", self.0.message);
        self
    }

    /// A failed system call on `path`: `ENOENT: no such file or directory, open '/a'`.
    #[must_use]
    pub fn io(errno: Errno, syscall: &'static str, path: &Path) -> Self {
        let (code, text) = describe(errno);
        let message = format!("{code}: {text}, {syscall} '{}'", shown_path(path));
        Self::failed_call(errno, syscall, path, message)
    }

    /// A failed system call without a path in its message, as Node words `read` and `write`:
    /// `ENOSPC: no space left on device, write`. The path is kept as a property.
    #[must_use]
    pub fn io_on_descriptor(errno: Errno, syscall: &'static str, path: &Path) -> Self {
        let (code, text) = describe(errno);
        Self::failed_call(errno, syscall, path, format!("{code}: {text}, {syscall}"))
    }

    /// A failed system call on two paths: `EXDEV: cross-device link not permitted, rename 'a' -> 'b'`.
    #[must_use]
    pub fn io_between(errno: Errno, syscall: &'static str, path: &Path, dest: &Path) -> Self {
        let (code, text) = describe(errno);
        let message =
            format!("{code}: {text}, {syscall} '{}' -> '{}'", shown_path(path), shown_path(dest));
        let mut error = Self::failed_call(errno, syscall, path, message);
        error.0.dest = Some(dest.to_path_buf());
        error
    }

    fn failed_call(errno: Errno, syscall: &'static str, path: &Path, message: String) -> Self {
        let mut error = Self::new(describe(errno).0, message).with_path(path);
        error.0.errno = Some(errno.raw_os_error());
        error.0.syscall = Some(syscall);
        error
    }

    /// A file of `size` bytes where at most `max` are taken.
    #[must_use]
    pub fn too_large(size: u64, max: u64, path: &Path) -> Self {
        let message = format!("File too large ({size} bytes, max {max})");
        let mut error = Self::new("ERR_TOO_LARGE", message).with_path(path);
        error.0.size = Some(size);
        error
    }

    /// A file that is not text.
    #[must_use]
    pub fn binary(path: &Path) -> Self {
        Self::new("ERR_BINARY", "File appears to be binary; only text files can be read")
            .with_path(path)
    }

    /// The caller cancelled.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new("ABORT_ERR", "The operation was aborted")
    }

    /// The operation's deadline passed and it has no partial answer.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::new("ETIMEDOUT", "The operation timed out")
    }

    /// The raw errno as rustix names it, if a system call failed.
    #[must_use]
    pub fn raw(&self) -> Option<Errno> {
        self.errno.map(Errno::from_raw_os_error)
    }

    /// Whether the kernel said that the name does not exist (`ENOENT`).
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.code == "ENOENT"
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Errno name and text as libuv's `uv_err_name` and `uv_strerror` give them, so that messages
/// read as Node's do. Source: the `UV_ERRNO_MAP` table of libuv's `include/uv.h`.
fn describe(errno: Errno) -> (&'static str, &'static str) {
    match errno {
        Errno::ACCESS => ("EACCES", "permission denied"),
        Errno::AGAIN => ("EAGAIN", "resource temporarily unavailable"),
        Errno::BADF => ("EBADF", "bad file descriptor"),
        Errno::BUSY => ("EBUSY", "resource busy or locked"),
        Errno::DQUOT => ("EDQUOT", "disk quota exceeded"),
        Errno::EXIST => ("EEXIST", "file already exists"),
        Errno::FBIG => ("EFBIG", "file too large"),
        Errno::INTR => ("EINTR", "interrupted system call"),
        Errno::INVAL => ("EINVAL", "invalid argument"),
        Errno::IO => ("EIO", "i/o error"),
        Errno::ISDIR => ("EISDIR", "illegal operation on a directory"),
        Errno::LOOP => ("ELOOP", "too many symbolic links encountered"),
        Errno::MFILE => ("EMFILE", "too many open files"),
        Errno::MLINK => ("EMLINK", "too many links"),
        Errno::NAMETOOLONG => ("ENAMETOOLONG", "name too long"),
        Errno::NFILE => ("ENFILE", "file table overflow"),
        Errno::NODEV => ("ENODEV", "no such device"),
        Errno::NOENT => ("ENOENT", "no such file or directory"),
        Errno::NOMEM => ("ENOMEM", "not enough memory"),
        Errno::NOSPC => ("ENOSPC", "no space left on device"),
        Errno::NOSYS => ("ENOSYS", "function not implemented"),
        Errno::NOTDIR => ("ENOTDIR", "not a directory"),
        Errno::NOTEMPTY => ("ENOTEMPTY", "directory not empty"),
        Errno::NXIO => ("ENXIO", "no such device or address"),
        Errno::OPNOTSUPP => ("ENOTSUP", "operation not supported on socket"),
        Errno::PERM => ("EPERM", "operation not permitted"),
        Errno::ROFS => ("EROFS", "read-only file system"),
        Errno::STALE => ("ESTALE", "stale file handle"),
        Errno::TXTBSY => ("ETXTBSY", "text file is busy"),
        Errno::XDEV => ("EXDEV", "cross-device link not permitted"),
        _ => ("UNKNOWN", "unknown error"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_a_failed_call_as_node_does() {
        let error = Error::io(Errno::NOENT, "stat", Path::new("/nope"));
        assert_eq!(error.to_string(), "ENOENT: no such file or directory, stat '/nope'");
        assert_eq!(error.code, "ENOENT");
    }

    #[test]
    fn words_a_rename_with_both_paths() {
        let error = Error::io_between(Errno::XDEV, "rename", Path::new("/a"), Path::new("/b"));
        assert_eq!(
            error.to_string(),
            "EXDEV: cross-device link not permitted, rename '/a' -> '/b'"
        );
    }
}
