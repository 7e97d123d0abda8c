//! The policy: a snapshot of the configuration that answers every question with a permit or a
//! refusal. It never changes; a changed configuration makes a new one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::access::permit::Ambient;
use crate::access::{Deny, Grant, Permit, Right, RightKind, lexical};
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
#[derive(Debug, Default)]
pub struct PolicySpec {
    /// Grants in the order of the configuration.
    pub grants: Vec<GrantSpec>,
    /// Which grant decides.
    pub precedence: Precedence,
    /// Whether links are resolved before access is decided. Only then is a grant a boundary.
    pub resolve_symlinks: bool,
    /// Names of directories that walks leave out.
    pub skip_dirs: Vec<OsString>,
    /// What is not touched, whatever is granted.
    pub deny: Option<Deny>,
}

/// An immutable snapshot of the access configuration.
#[derive(Debug)]
pub struct Policy {
    grants: Vec<Arc<Grant>>,
    precedence: Precedence,
    resolve_symlinks: bool,
    skip_dirs: Arc<[OsString]>,
    deny: Option<Arc<Deny>>,
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
            deny: spec.deny.map(Arc::new),
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
            deny: self.deny.as_ref().map(Arc::clone),
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
    /// follows the links of the deepest ancestor that exists, as [`Policy::led`] does.
    #[must_use]
    pub fn normalize(&self, cwd: &Path, input: &Path) -> PathBuf {
        let path = lexical::resolve(cwd, input);
        if self.resolve_symlinks { self.led(&path).unwrap_or(path) } else { path }
    }

    /// Where the links of `path` (absolute, normalised) lead. What lies outside the grants is not
    /// told: unless its links lead back in, the answer is where the last link inside leads as it
    /// says, the same whatever is there.
    ///
    /// # Errors
    /// `ELOOP`; `ERR_NOT_GRANTED` with the path as given when it leads to what is denied.
    pub fn led(&self, path: &Path) -> Result<PathBuf> {
        let is_inside = |path: &Path| self.deciding_grant(path, RightKind::Read).is_some();
        let led = links::follow(Permit::ambient(Ambient::ResolveLinks), path, is_inside)?;
        if !is_inside(&led.real) {
            return Ok(led.left.unwrap_or_else(|| path.to_path_buf()));
        }
        if led.left.is_some() && self.deny_rule_of_real(&led.real).is_some() {
            return Err(Self::refusal(path));
        }
        Ok(led.real)
    }

    /// Whether `input` (relative to `cwd`) lies within a grant of at least `right`. Asks the disk
    /// only when links are resolved.
    #[must_use]
    pub fn allows(&self, cwd: &Path, input: &Path, right: RightKind) -> bool {
        let path = self.normalize(cwd, input);
        self.deciding_grant(&path, right).is_some() && self.rule_against(&path).is_none()
    }

    /// The rule that denies what `path` means: by its spelling, and by where its links lead.
    pub(in crate::access) fn rule_against(&self, path: &Path) -> Option<&str> {
        self.deny()?;
        self.deny_rule(path).or_else(|| {
            let real = links::resolve(Permit::ambient(Ambient::DenyRules), path).ok()?;
            self.deny_rule_of_real(&real)
        })
    }

    /// The rules about what is not touched, if there are any.
    #[must_use]
    pub fn deny(&self) -> Option<&Deny> {
        self.deny.as_deref()
    }

    /// The rule that denies `path` (absolute, normalised), as it is spelled: by the roots of all
    /// grants that contain it, and with links resolved also by where these roots really are.
    #[must_use]
    pub fn deny_rule(&self, path: &Path) -> Option<&str> {
        let deny = self.deny()?;
        self.grants.iter().find_map(|grant| {
            let spelled = lexical::relative_within(grant.lexical(), path);
            spelled.and_then(|relative| deny.rule(relative)).or_else(|| {
                let root = if self.resolve_symlinks { canonical_root(grant) } else { None };
                deny.rule(lexical::relative_within(&root?, path)?)
            })
        })
    }

    /// The rule that denies what really is at `path`, all links followed. Outside every grant, where
    /// a policy that does not resolve links can lead, the file system's root is what rules are
    /// anchored at.
    #[must_use]
    pub fn deny_rule_of_real(&self, path: &Path) -> Option<&str> {
        self.find_rule(path, Deny::rule)
    }

    /// The same for an entry of a directory that is not denied itself.
    #[must_use]
    pub fn deny_rule_of_entry(&self, path: &Path) -> Option<&str> {
        self.find_rule(path, Deny::rule_of_entry)
    }

    fn find_rule<'d>(
        &'d self,
        path: &Path,
        rule: impl Fn(&'d Deny, &Path) -> Option<&'d str>,
    ) -> Option<&'d str> {
        let deny = self.deny()?;
        let mut is_granted = false;
        let found = self.grants.iter().find_map(|grant| {
            let roots = [Some(grant.lexical().to_path_buf()), canonical_root(grant)];
            roots.into_iter().flatten().find_map(|root| {
                let relative = lexical::relative_within(&root, path)?;
                is_granted = true;
                rule(deny, relative)
            })
        });
        match found {
            None if !is_granted => rule(deny, lexical::relative_within(Path::new("/"), path)?),
            found => found,
        }
    }

    /// Leave to act at `path` (absolute, normalised). With links resolved this says that the
    /// spelling lies within a grant; the gate asks again for whatever a link leads to.
    ///
    /// # Errors
    /// `ERR_NOT_GRANTED` when no grant suffices; `ERR_INVALID_ARG_VALUE` for a NUL in the path.
    pub fn permit<R: Right>(self: &Arc<Self>, path: &Path) -> Result<Permit<R>> {
        let permit: Permit<R> = self.decide(path)?;
        if self.deny_rule(path).is_some() || self.deny_rule(permit.path()).is_some() {
            return Err(Self::refusal(path));
        }
        // Refused first: what lies outside is outside, whatever else is wrong with it.
        lexical::check(path)?;
        Ok(permit)
    }

    fn decide<R: Right>(self: &Arc<Self>, path: &Path) -> Result<Permit<R>> {
        if let Some((grant, relative)) = self.deciding_grant(path, R::KIND) {
            let path =
                if self.resolve_symlinks { real_path(grant, relative, path) } else { path.into() };
            return Ok(self.grants_leave(grant, path, relative));
        }
        // A loop leads nowhere, so into no grant either.
        if self.resolve_symlinks
            && let Ok(resolved) = links::resolve(Permit::ambient(Ambient::ResolveLinks), path)
            && let Some((grant, relative)) = self.deciding_grant(&resolved, R::KIND)
        {
            return Ok(self.grants_leave(grant, resolved.as_path().into(), relative));
        }
        Err(Self::refusal(path))
    }

    fn grants_leave<R: Right>(
        self: &Arc<Self>,
        grant: &Arc<Grant>,
        path: Arc<Path>,
        relative: &Path,
    ) -> Permit<R> {
        Permit::new(Arc::clone(self), Arc::clone(grant), path, relative.as_os_str().len())
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
            // What a denied place is, only a look at what was opened tells.
            return self.deny.is_none().then(|| self.permit(path).ok()).flatten();
        }
        // Only roots that are held and spelled without a link can be judged without a look.
        let plain = |grant: &Grant| {
            grant.root_now().is_some_and(|root| root.canonical() == grant.lexical())
        };
        let asks_all = self.precedence == Precedence::MostSpecific || self.deny.is_some();
        if asks_all && !self.grants.iter().all(|grant| plain(grant)) {
            return None;
        }
        if self.grants.iter().any(|grant| {
            let relative = lexical::relative_within(grant.lexical(), path);
            relative.is_some_and(|relative| {
                self.deny().is_some_and(|deny| deny.rule(relative).is_some())
            })
        }) {
            return None;
        }
        let (grant, relative) = self.deciding(R::KIND, |grant| {
            lexical::relative_within(grant.lexical(), path).filter(|_| plain(grant))
        })?;
        Some(self.grants_leave(grant, path.into(), relative))
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

/// `path`, which is `relative` beneath the grant, with the links of the grant's root resolved.
fn real_path(grant: &Grant, relative: &Path, path: &Path) -> Arc<Path> {
    if grant.root().is_ok_and(|root| root.canonical().as_os_str() == grant.lexical().as_os_str()) {
        return path.into();
    }
    match canonical_root(grant) {
        Some(root) if relative.as_os_str().is_empty() => root.into(),
        Some(root) => lexical::join(&root, relative.as_os_str()).into(),
        None => path.into(),
    }
}

/// The root with its links resolved, whether or not it exists.
fn canonical_root(grant: &Grant) -> Option<PathBuf> {
    match grant.root() {
        Ok(root) => Some(root.canonical().to_path_buf()),
        Err(_) => links::resolve(Permit::ambient(Ambient::GrantRoot), grant.lexical()).ok(),
    }
}
