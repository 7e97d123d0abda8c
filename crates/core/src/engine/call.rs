//! What every operation of one call shares: the policy snapshot, the current path, cancellation.

use std::fmt::Debug;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::access::{Permit, Policy, Read, Right, RightKind, lexical};
use crate::cancel::Cancel;
use crate::engine::AnswerBudget;
use crate::error::{Error, Result};
use crate::fs::stat;
use crate::text::{shown, trim};

/// Answers for entries that operations meet on their own (walks, listings, searches, recursive
/// removal): the host's own rules on top of the policy.
pub trait Gatekeeper: Debug + Send + Sync {
    /// One verdict per path; `false` leaves the entry, and all beneath it, out.
    ///
    /// # Errors
    /// What the host's rule threw, or that the host is gone.
    fn allows(&self, right: RightKind, paths: &[PathBuf]) -> Result<Vec<bool>>;
}

/// One call: everything is a snapshot taken when it was made.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who may touch what.
    pub policy: Arc<Policy>,
    /// Absolute path that relative ones are resolved against.
    pub cwd: PathBuf,
    /// Ends the call early.
    pub cancel: Cancel,
    /// The host's own rules, if it has any.
    pub gatekeeper: Option<Arc<dyn Gatekeeper>>,
    /// What is left of the answer the call may give.
    pub budget: AnswerBudget,
}

impl Call {
    /// The place that a typed path means, with leave to act on it.
    ///
    /// The exact name comes first. Blanks around it are dropped, and a name in the quoted form
    /// that answers show ([`shown::unquote`]) is read, only if nothing of the exact name exists.
    ///
    /// # Errors
    /// `ERR_NOT_GRANTED`; `ERR_INVALID_ARG_VALUE` for a path with a NUL.
    pub fn place<R: Right>(&self, raw: &str) -> Result<Permit<R>> {
        self.place_within(raw, |_| true)
    }

    /// [`Call::place`] among the places that `contains` says yes to; of others nothing is asked.
    ///
    /// # Errors
    /// As [`Call::place`]; `ERR_NOT_GRANTED` too when the path as typed is none of those places.
    pub fn place_within<R: Right>(
        &self,
        raw: &str,
        contains: impl Fn(&Path) -> bool,
    ) -> Result<Permit<R>> {
        let exact = self.absolute(Path::new(raw));
        if !contains(&exact) {
            return Err(Policy::refusal(&exact));
        }
        let trimmed = trim::trim_js(raw);
        if trimmed.len() == raw.len() && !trimmed.starts_with('"') {
            return self.policy.permit(&exact);
        }
        let unquoted =
            shown::unquote(trimmed).map(|bytes| PathBuf::from(std::ffi::OsString::from_vec(bytes)));
        let bare = Some(self.absolute(Path::new(trimmed))).filter(|path| contains(path));
        let quoted = unquoted.map(|path| self.absolute(&path)).filter(|path| contains(path));
        for candidate in [Some(&exact), bare.as_ref(), quoted.as_ref()].into_iter().flatten() {
            if self.exists(candidate) {
                return self.policy.permit(candidate);
            }
        }
        self.policy.permit(quoted.or(bare).as_ref().unwrap_or(&exact))
    }

    /// [`Call::place`] for a thread that must not wait: plain paths whose policy answers without a
    /// look at the disk.
    #[must_use]
    pub fn place_now<R: Right>(&self, raw: &str) -> Option<Permit<R>> {
        if raw.starts_with('"') || trim::trim_js(raw).len() != raw.len() {
            return None;
        }
        self.policy.permit_now(&self.absolute(Path::new(raw)))
    }

    /// Whether the host's own rules, if there are any, allow each of the paths.
    ///
    /// # Errors
    /// What the host's rule threw.
    pub fn gatekeeper_allows(&self, right: RightKind, paths: &[PathBuf]) -> Result<Vec<bool>> {
        let Some(gatekeeper) = &self.gatekeeper else { return Ok(vec![true; paths.len()]) };
        let verdicts = gatekeeper.allows(right, paths)?;
        if verdicts.len() == paths.len() {
            Ok(verdicts)
        } else {
            Err(Error::new("ERR_INVALID_RETURN_VALUE", "The access hook answered for fewer paths"))
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        lexical::resolve(&self.cwd, path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.policy.permit::<Read>(path).is_ok_and(|permit| stat::entry(&permit).is_ok())
    }
}
