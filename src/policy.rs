//! The policy handle, and the questions that are answered where they are asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llm_chat_file_core::access::{self, Deny, GrantSpec, Precedence, RightKind};
use napi::{Env, Error, Result, Status};
use napi_derive::napi;

use crate::failure::{coded_error, path_text};
use crate::path_text::PathText;

/// What a policy is made of.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct PolicySpec {
    /// Absolute, normalised roots.
    pub paths: Vec<String>,
    /// For each root whether it may be written.
    pub writable: Vec<bool>,
    /// Whether the deepest grant that contains a path decides alone.
    pub most_specific_wins: bool,
    /// Whether links are resolved before access is decided.
    pub resolve_symlinks: bool,
    /// Names of directories that walks leave out.
    pub skip_dirs: Vec<String>,
    /// Rules, in gitignore's syntax, about what is not touched.
    pub deny: Vec<String>,
}

/// Answer of `explain`.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Explanation {
    /// Whether the right is given.
    pub allowed: bool,
    /// The path that was decided about.
    pub path: String,
    /// Root of the grant that decided; absent when none contains the path.
    pub grant: Option<String>,
    /// Right of that grant.
    #[napi(ts_type = "'read' | 'write'")]
    pub right: Option<&'static str>,
    /// One sentence: the rule that decided.
    pub reason: String,
}

/// Handle of an immutable access policy.
#[napi]
#[derive(Debug)]
pub struct Policy {
    inner: Arc<access::Policy>,
}

#[napi]
impl Policy {
    /// Makes a policy; roots that `previous` holds open are taken over.
    ///
    /// # Errors
    /// When the two columns of the specification differ in length; `ERR_INVALID_ARG_VALUE` for a deny
    /// rule that is no pattern.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: &Env, spec: PolicySpec, previous: Option<&Policy>) -> Result<Self> {
        if spec.paths.len() != spec.writable.len() {
            return Err(Error::new(
                Status::InvalidArg,
                "`paths` and `writable` must have one element per grant",
            ));
        }
        let deny =
            Deny::new(&spec.deny).map_err(|error| coded_error(env, error.code, &error.message))?;
        let grants = spec
            .paths
            .into_iter()
            .zip(spec.writable)
            .map(|(path, writable)| GrantSpec { right: right(writable), path: PathBuf::from(path) })
            .collect();
        let precedence = if spec.most_specific_wins {
            Precedence::MostSpecific
        } else {
            Precedence::AnySufficient
        };
        let spec = access::PolicySpec {
            grants,
            precedence,
            resolve_symlinks: spec.resolve_symlinks,
            skip_dirs: spec.skip_dirs.into_iter().map(Into::into).collect(),
            deny,
        };
        Ok(Self { inner: access::Policy::new(spec, previous.map(|policy| policy.inner.as_ref())) })
    }

    /// `path.resolve(cwd, input)`; with links resolved, of the deepest ancestor that exists.
    #[napi(catch_unwind, ts_args_type = "cwd: string, input: string")]
    #[must_use]
    pub fn normalize(&self, cwd: PathText, input: PathText) -> String {
        path_text(&self.inner.normalize(Path::new(cwd.as_str()), Path::new(input.as_str())))
    }

    /// Whether `input`, relative to `cwd`, lies within a grant of at least the right.
    #[napi(catch_unwind, ts_args_type = "cwd: string, input: string, write: boolean")]
    #[must_use]
    pub fn allows(&self, cwd: PathText, input: PathText, write: bool) -> bool {
        self.inner.allows(Path::new(cwd.as_str()), Path::new(input.as_str()), right(write))
    }

    /// Which grant decided, or why none did.
    #[napi(catch_unwind, ts_args_type = "cwd: string, input: string, write: boolean")]
    #[must_use]
    pub fn explain(&self, cwd: PathText, input: PathText, write: bool) -> Explanation {
        let explained =
            self.inner.explain(Path::new(cwd.as_str()), Path::new(input.as_str()), right(write));
        Explanation {
            allowed: explained.allowed,
            path: path_text(&explained.path),
            grant: explained.grant.as_deref().map(path_text),
            right: explained.right.map(|right| match right {
                RightKind::Read => "read",
                RightKind::Write => "write",
            }),
            reason: explained.reason,
        }
    }

    /// The core's policy.
    #[must_use]
    pub fn inner(&self) -> &Arc<access::Policy> {
        &self.inner
    }
}

/// The right that `write` asks for.
#[must_use]
pub fn right(write: bool) -> RightKind {
    if write { RightKind::Write } else { RightKind::Read }
}
