//! Failed operations as the plain objects that cross to JavaScript.

use std::path::Path;

use llm_chat_file_core as core;
use llm_chat_file_core::fs::Errno;
use llm_chat_file_core::fs::tree::RootError;
use llm_chat_file_core::text::shown;
use napi::bindgen_prelude::{JsObjectValue as _, JsValue as _};
use napi::{Env, Error, Result, Status};
use napi_derive::napi;

use crate::number::float;

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

impl Failure {
    /// [`Failure::path`] as answers show it.
    #[must_use]
    pub fn shown_path(&self) -> Option<String> {
        self.path.as_deref().map(|path| shown(Path::new(path)))
    }
}

impl From<core::Error> for Failure {
    fn from(error: core::Error) -> Self {
        Self {
            code: error.code,
            message: error.message.clone(),
            errno: error.errno.map(|errno| -errno),
            syscall: error.syscall,
            path: error.path.as_deref().map(path_text),
            dest: error.dest.as_deref().map(path_text),
            size: error.size.map(float),
        }
    }
}

impl From<RootError> for Failure {
    fn from(error: RootError) -> Self {
        match error {
            RootError::Failed(error) => error.into(),
            RootError::NotADirectory(path) => {
                core::Error::io(Errno::NOTDIR, "scandir", &path).into()
            }
        }
    }
}

/// A path as answers show it: quoted when it holds what cannot be shown.
#[must_use]
pub fn shown(path: &Path) -> String {
    shown::shown_path(path).into_owned()
}

/// The path that a failed operation was about, as answers show it.
#[must_use]
pub fn shown_path_of(error: &core::Error) -> Option<String> {
    error.path.as_deref().map(shown)
}

/// A path as a JavaScript string; bytes that are not UTF-8 become U+FFFD, as Node's `fs` has it.
#[must_use]
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// An error object with a `code`, as JavaScript sees it when it is thrown. To be called on the
/// JavaScript thread.
#[must_use]
pub fn coded_error(env: &Env, code: &str, message: &str) -> Error {
    let coded = || -> Result<Error> {
        let mut object = env.create_error(Error::new(Status::GenericFailure, message))?;
        object.set_named_property("code", code)?;
        Ok(Error::from_unknown_without_coercion(object.to_unknown()))
    };
    coded().unwrap_or_else(|error| error)
}

#[cfg(test)]
mod tests {
    use llm_chat_file_core::access;

    use super::*;

    #[test]
    fn errno_is_negative_as_on_nodes_errors() {
        let policy = access::Policy::new(
            access::PolicySpec {
                grants: vec![access::GrantSpec {
                    right: access::RightKind::Read,
                    path: "/no such directory".into(),
                }],
                ..access::PolicySpec::default()
            },
            None,
        );
        let permit = policy.permit::<access::Read>(Path::new("/no such directory/a")).unwrap();
        let error = core::fs::stat::entry(&permit).unwrap_err();
        assert_eq!(shown_path_of(&error).as_deref(), Some("/no such directory/a"));
        let failure = Failure::from(error);
        assert_eq!((failure.code, failure.errno), ("ENOENT", Some(-2)));
        assert_eq!(failure.path.as_deref(), Some("/no such directory/a"));
    }
}
