//! Which rule decides about a path, in words: what `allows` answers, with its reason.

use std::path::{Path, PathBuf};

use crate::access::{Grant, Policy, Precedence, RightKind, lexical};
use crate::text::shown::{shown, shown_path};

/// A decision and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Whether the right is given.
    pub allowed: bool,
    /// The path that was decided about: resolved, and with links followed if the policy does so.
    pub path: PathBuf,
    /// Root of the grant that decided; `None` when no grant contains the path.
    pub grant: Option<PathBuf>,
    /// Right of that grant.
    pub right: Option<RightKind>,
    /// One sentence: the rule that decided.
    pub reason: String,
}

impl Policy {
    /// [`Policy::allows`] with its reason.
    #[must_use]
    pub fn explain(&self, cwd: &Path, input: &Path, right: RightKind) -> Explanation {
        let path = self.normalize(cwd, input);
        if let Err(error) = lexical::check(&path) {
            return Explanation {
                allowed: false,
                path,
                grant: None,
                right: None,
                reason: error.message.clone(),
            };
        }
        if let Some(rule) = self.rule_against(&path) {
            let reason = format!("The path is denied by the rule '{}'", shown(rule.as_bytes()));
            return Explanation { allowed: false, path, grant: None, right: None, reason };
        }
        let sufficient = self.deciding_grant(&path, right).map(|(grant, _)| grant);
        let decided = sufficient
            .or_else(|| self.deciding_grant(&path, RightKind::Read).map(|(grant, _)| grant));
        let (grant, held, reason) = match decided {
            Some(grant) => (
                Some(grant.lexical().to_path_buf()),
                Some(grant.right()),
                self.reason(grant, sufficient.is_some()),
            ),
            None => (None, None, "The path lies within no granted directory".to_owned()),
        };
        Explanation { allowed: sufficient.is_some(), path, grant, right: held, reason }
    }

    fn reason(&self, grant: &Grant, allowed: bool) -> String {
        let root = shown_path(grant.lexical());
        let granted = match (grant.right(), allowed) {
            (RightKind::Write, _) => "for reading and writing",
            (RightKind::Read, true) => "for reading",
            (RightKind::Read, false) => "for reading only",
        };
        let rule = match self.precedence() {
            Precedence::AnySufficient => "",
            Precedence::MostSpecific => "; the deepest grant that contains a path decides",
        };
        format!("The path lies within '{root}', which is granted {granted}{rule}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::access::{GrantSpec, PolicySpec};

    fn policy(precedence: Precedence) -> Arc<Policy> {
        let grant = |right, path: &str| GrantSpec { right, path: PathBuf::from(path) };
        let grants = vec![grant(RightKind::Write, "/w"), grant(RightKind::Read, "/w/r")];
        Policy::new(PolicySpec { grants, precedence, ..PolicySpec::default() }, None)
    }

    fn explain(precedence: Precedence, input: &str, right: RightKind) -> Explanation {
        policy(precedence).explain(Path::new("/w"), Path::new(input), right)
    }

    #[test]
    fn names_the_grant_that_allows() {
        let explained = explain(Precedence::AnySufficient, "r/x", RightKind::Write);
        assert!(explained.allowed);
        assert_eq!(explained.path, Path::new("/w/r/x"));
        assert_eq!(explained.grant.as_deref(), Some(Path::new("/w")));
        assert_eq!(explained.right, Some(RightKind::Write));
    }

    #[test]
    fn names_the_grant_that_refuses() {
        let explained = explain(Precedence::MostSpecific, "r/x", RightKind::Write);
        assert!(!explained.allowed);
        assert_eq!(explained.grant.as_deref(), Some(Path::new("/w/r")));
        assert_eq!(
            explained.reason,
            "The path lies within '/w/r', which is granted for reading only; \
             the deepest grant that contains a path decides"
        );
    }

    #[test]
    fn says_when_no_grant_contains_the_path() {
        let explained = explain(Precedence::AnySufficient, "../x", RightKind::Read);
        assert!(!explained.allowed);
        assert_eq!(explained.grant, None);
        assert_eq!(explained.reason, "The path lies within no granted directory");
    }

    #[test]
    fn refuses_a_nul() {
        assert!(!explain(Precedence::AnySufficient, "a\0b", RightKind::Read).allowed);
    }
}
