//! The policy: a snapshot of the configuration that answers every question with a permit or a
//! refusal. It never changes; a changed configuration makes a new one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::access::permit::Ambient;
use crate::access::{Grant, Permit, Right, RightKind, lexical};
use crate::error::{Error, Result};
use crate::fs::links;
use crate::text::shown::shown_path;

/// Which grant decides when several contain a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precedence {
    /// Any grant that suffices decides (the published `write-wins` and `last-added-wins`, which
    /// differ only in how duplicates of one path are merged, before the policy is made).
    #[default]
    AnySufficient,
    /// The deepest grant that contains the path decides, alone.
    MostSpecific,
}

/// One grant as configured.
#[derive(Clone, Debug)]
pub struct GrantSpec {
    /// What may be done.
    pub right: RightKind,
    /// Absolute, normalised root.
    pub path: PathBuf,
}

/// What a policy is made of.
#[derive(Clone, Debug, Default)]
pub struct PolicySpec {
    /// Grants in the order of the configuration.
    pub grants: Vec<GrantSpec>,
    /// Which grant decides.
    pub precedence: Precedence,
    /// Whether links are resolved before access is decided. Only then is a grant a boundary.
    pub resolve_symlinks: bool,
    /// Names of directories that walks leave out.
    pub skip_dirs: Vec<OsString>,
}

/// An immutable snapshot of the access configuration.
#[derive(Debug)]
pub struct Policy {
    grants: Vec<Arc<Grant>>,
    precedence: Precedence,
    resolve_symlinks: bool,
    skip_dirs: Arc<[OsString]>,
}

impl Policy {
    /// Makes a policy. Roots that `previous` holds open are taken over, so that a configuration
    /// that changes often does not open the same directories again and again.
    #[must_use]
    pub fn new(spec: PolicySpec, previous: Option<&Policy>) -> Arc<Self> {
        let grants = spec
            .grants
            .into_iter()
            .map(|grant| {
                let known = previous.and_then(|policy| {
                    policy
                        .grants
                        .iter()
                        .find(|old| old.right() == grant.right && old.lexical() == grant.path)
                });
                known.map_or_else(|| Arc::new(Grant::new(grant.right, &grant.path)), Arc::clone)
            })
            .collect();
        Arc::new(Self {
            grants,
            precedence: spec.precedence,
            resolve_symlinks: spec.resolve_symlinks,
            skip_dirs: spec.skip_dirs.into(),
        })
    }

    /// Which grant decides.
    #[must_use]
    pub fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// The policy as one call sees it: each grant's root is checked once, when it is first needed.
    #[must_use]
    pub fn for_call(&self) -> Arc<Self> {
        Arc::new(Self {
            grants: self.grants.iter().map(|grant| Arc::new(grant.for_call())).collect(),
            precedence: self.precedence,
            resolve_symlinks: self.resolve_symlinks,
            skip_dirs: Arc::clone(&self.skip_dirs),
        })
    }

    /// Whether links are resolved before access is decided.
    #[must_use]
    pub fn resolve_symlinks(&self) -> bool {
        self.resolve_symlinks
    }

    /// Whether walks leave out directories of this name.
    #[must_use]
    pub fn skips(&self, name: &OsStr) -> bool {
        self.skip_dirs.iter().any(|skipped| skipped == name)
    }

    /// The grants, in the order of the configuration.
    #[must_use]
    pub fn grants(&self) -> &[Arc<Grant>] {
        &self.grants
    }

    /// Resolves `input` against `cwd` as Node's `path.resolve` does and, when links are resolved,
    /// follows the links of the deepest ancestor that exists.
    #[must_use]
    pub fn normalize(&self, cwd: &Path, input: &Path) -> PathBuf {
        let path = lexical::resolve(cwd, input);
        if self.resolve_symlinks {
            links::resolve(Permit::ambient(Ambient::ResolveLinks), &path).unwrap_or(path)
        } else {
            path
        }
    }

    /// Whether `input` (relative to `cwd`) lies within a grant of at least `right`. Asks the disk
    /// only when links are resolved.
    #[must_use]
    pub fn allows(&self, cwd: &Path, input: &Path, right: RightKind) -> bool {
        self.deciding_grant(&self.normalize(cwd, input), right).is_some()
    }

    /// Leave to act at `path` (absolute, normalised). With links resolved this says that the
    /// spelling lies within a grant; the gate asks again for whatever a link leads to.
    ///
    /// # Errors
    /// `ERR_NOT_GRANTED` when no grant suffices; `ERR_INVALID_ARG_VALUE` for a NUL in the path.
    pub fn permit<R: Right>(self: &Arc<Self>, path: &Path) -> Result<Permit<R>> {
        let permit = self.decide(path)?;
        // Refused first: what lies outside is outside, whatever else is wrong with it.
        lexical::check(path)?;
        Ok(permit)
    }

    fn decide<R: Right>(self: &Arc<Self>, path: &Path) -> Result<Permit<R>> {
        if let Some((grant, relative)) = self.deciding_grant(path, R::KIND) {
            let root = if self.resolve_symlinks { canonical_root(grant) } else { None };
            let shown = root.map_or_else(|| path.to_path_buf(), |root| join(root, relative));
            return Ok(self.grants_leave(grant, relative, shown));
        }
        // A loop leads nowhere, so into no grant either.
        if self.resolve_symlinks
            && let Ok(resolved) = links::resolve(Permit::ambient(Ambient::ResolveLinks), path)
            && let Some((grant, relative)) = self.deciding_grant(&resolved, R::KIND)
        {
            return Ok(self.grants_leave(grant, relative, resolved.clone()));
        }
        Err(Self::refusal(path))
    }

    fn grants_leave<R: Right>(
        self: &Arc<Self>,
        grant: &Arc<Grant>,
        relative: &Path,
        shown: PathBuf,
    ) -> Permit<R> {
        Permit::new(Arc::clone(self), Arc::clone(grant), relative.to_path_buf(), shown)
    }

    /// The refusal for `path`, the same whether or not something exists there.
    #[must_use]
    pub fn refusal(path: &Path) -> Error {
        Error::new(
            "ERR_NOT_GRANTED",
            format!(
                "Access denied: '{}' is not within a directory granted for this operation",
                shown_path(path)
            ),
        )
        .with_path(path)
    }

    /// [`Policy::permit`] for a thread that must not wait: answers only when that takes no look at
    /// the disk.
    #[must_use]
    pub fn permit_now<R: Right>(self: &Arc<Self>, path: &Path) -> Option<Permit<R>> {
        lexical::check(path).ok()?;
        if !self.resolve_symlinks {
            return self.permit(path).ok();
        }
        // Only roots that are held and spelled without a link can be judged without a look.
        let plain = |grant: &Grant| {
            grant.root_now().is_some_and(|root| root.canonical() == grant.lexical())
        };
        if self.precedence == Precedence::MostSpecific
            && !self.grants.iter().all(|grant| plain(grant))
        {
            return None;
        }
        let (grant, relative) = self.deciding(R::KIND, |grant| {
            lexical::relative_within(grant.lexical(), path).filter(|_| plain(grant))
        })?;
        Some(self.grants_leave(grant, relative, path.to_path_buf()))
    }

    /// Whether `path` is a grant's root or contains one; such a directory is never removed or
    /// moved.
    #[must_use]
    pub fn holds_root(&self, path: &Path) -> bool {
        self.grants.iter().any(|grant| {
            lexical::relative_within(path, grant.lexical()).is_some()
                || canonical_root(grant)
                    .is_some_and(|root| lexical::relative_within(path, &root).is_some())
        })
    }

    /// The grant that decides about `path` for `right`, and the path relative to its root. Both
    /// spellings of a root that goes through a link count when links are resolved.
    pub(in crate::access) fn deciding_grant<'p>(
        &self,
        path: &'p Path,
        right: RightKind,
    ) -> Option<(&Arc<Grant>, &'p Path)> {
        let spelled = |grant: &Grant| lexical::relative_within(grant.lexical(), path);
        if !self.resolve_symlinks {
            return self.deciding(right, spelled);
        }
        if self.precedence == Precedence::AnySufficient
            && let Some(found) = self.deciding(right, spelled)
        {
            // One that suffices is enough; where the others' links lead need not be asked.
            return Some(found);
        }
        self.deciding(right, |grant| {
            spelled(grant).or_else(|| lexical::relative_within(&canonical_root(grant)?, path))
        })
    }

    fn deciding<'p>(
        &self,
        right: RightKind,
        relative_to: impl Fn(&Grant) -> Option<&'p Path>,
    ) -> Option<(&Arc<Grant>, &'p Path)> {
        let mut best: Option<(&Arc<Grant>, &'p Path)> = None;
        for grant in &self.grants {
            if self.precedence == Precedence::AnySufficient && grant.right() < right {
                continue;
            }
            let Some(relative) = relative_to(grant) else { continue };
            // All candidates are ends of one path: the shorter the rest, the deeper the root.
            let length = relative.as_os_str().len();
            let better = best.is_none_or(|(held, rest)| {
                let held_length = rest.as_os_str().len();
                length < held_length || (length == held_length && grant.right() > held.right())
            });
            if better {
                best = Some((grant, relative));
            }
        }
        best.filter(|(grant, _)| grant.right() >= right)
    }
}

fn join(mut root: PathBuf, relative: &Path) -> PathBuf {
    if !relative.as_os_str().is_empty() {
        root.push(relative);
    }
    root
}

/// The root with its links resolved, whether or not it exists.
fn canonical_root(grant: &Grant) -> Option<PathBuf> {
    match grant.root() {
        Ok(root) => Some(root.canonical().to_path_buf()),
        Err(_) => links::resolve(Permit::ambient(Ambient::GrantRoot), grant.lexical()).ok(),
    }
}
