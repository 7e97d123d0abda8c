//! Permits: the only way through the gate. A permit names one place beneath one grant's root and
//! one right, and only the policy makes one.

use std::ffi::OsStr;
use std::fmt;
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::access::{Grant, Policy};

/// Read or write, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RightKind {
    /// Files can be listed and read.
    Read,
    /// Files can be read, created, changed and removed.
    Write,
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Read {}
    impl Sealed for super::Write {}
}

/// A right as a type: a function that takes `Permit<Write>` cannot be called with less.
pub trait Right: sealed::Sealed + Clone + fmt::Debug {
    /// The same right as a value.
    const KIND: RightKind;
}

/// The right to read.
#[derive(Clone, Debug)]
pub struct Read;

/// The right to change.
#[derive(Clone, Debug)]
pub struct Write;

impl Right for Read {
    const KIND: RightKind = RightKind::Read;
}

impl Right for Write {
    const KIND: RightKind = RightKind::Write;
}

/// Leave to do one kind of thing at one place.
#[derive(Clone, Debug)]
pub struct Permit<R: Right> {
    policy: Arc<Policy>,
    grant: Arc<Grant>,
    path: Arc<Path>,
    /// Bytes at the end of the path that are relative to the grant's root.
    relative_length: usize,
    right: PhantomData<R>,
}

impl<R: Right> Permit<R> {
    pub(in crate::access) fn new(
        policy: Arc<Policy>,
        grant: Arc<Grant>,
        path: Arc<Path>,
        relative_length: usize,
    ) -> Self {
        Self { policy, grant, path, relative_length, right: PhantomData }
    }

    /// The permit for a name directly within the directory this permit opened. `path` is the
    /// absolute path for messages.
    #[must_use]
    pub(crate) fn child(&self, name: &OsStr, path: &Path) -> Self {
        let separator = usize::from(self.relative_length > 0);
        let relative_length = self.relative_length + separator + name.len();
        Self { path: path.into(), relative_length, ..self.clone() }
    }

    /// The permit for another name in the directory that this permit's place lies in.
    #[must_use]
    pub(crate) fn sibling(&self, name: &OsStr, path: &Path) -> Self {
        let own = self.relative().file_name().map_or(0, OsStr::len);
        let relative_length = self.relative_length - own + name.len();
        Self { path: path.into(), relative_length, ..self.clone() }
    }

    /// The policy snapshot that gave the permit; asked again when a link is met.
    #[must_use]
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// The grant that allows it.
    #[must_use]
    pub fn grant(&self) -> &Arc<Grant> {
        &self.grant
    }

    /// The place, relative to the grant's root; empty for the root itself.
    #[must_use]
    pub fn relative(&self) -> &Path {
        let path = self.path.as_os_str().as_bytes();
        Path::new(OsStr::from_bytes(&path[path.len() - self.relative_length..]))
    }

    /// The place as an absolute path, for messages and answers. Never used to open anything
    /// beneath a root.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Why the gate may act without a grant. Each reason exists once, and a test lists the call sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambient {
    /// Opening a grant's own root, or making it when it is missing.
    GrantRoot,
    /// `normalize`, `canRead`, `canWrite` and `explain` resolve links of the path they are asked about.
    ResolveLinks,
    /// Where a link leads, when links are followed as they are and deny rules have to hold there.
    DenyRules,
    /// The exported `isBinary(path)`.
    IsBinary,
    /// `FilePool`'s public methods, which take any path.
    FilePool,
}

/// Leave to look at a path that no grant was asked about.
#[derive(Clone, Copy, Debug)]
pub struct AmbientPermit(Ambient);

impl Permit<Read> {
    /// A permit outside the policy, for exactly the reasons that [`Ambient`] lists.
    #[must_use]
    pub fn ambient(reason: Ambient) -> AmbientPermit {
        AmbientPermit(reason)
    }
}

impl AmbientPermit {
    /// The reason it was given for.
    #[must_use]
    pub fn reason(self) -> Ambient {
        self.0
    }
}
