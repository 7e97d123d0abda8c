//! One grant: a directory, what may be done beneath it, and its root once it has been opened.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::access::RightKind;
use crate::error::Result;
use crate::fs::cached;
use crate::fs::root::{self, Root};

/// A directory that the user opened to the agent.
#[derive(Debug)]
pub struct Grant {
    right: RightKind,
    lexical: Arc<Path>,
    held: Arc<Mutex<Option<Arc<Root>>>>,
    /// In the view of one call: the root once it has been checked. Elsewhere it is checked again
    /// at every use.
    checked: Option<OnceLock<Arc<Root>>>,
}

impl Grant {
    /// A grant of `right` beneath `lexical`, an absolute, normalised path. Nothing is asked of the
    /// disk until the grant is used.
    #[must_use]
    pub fn new(right: RightKind, lexical: &Path) -> Self {
        Self { right, lexical: lexical.into(), held: Arc::default(), checked: None }
    }

    /// The same grant as one call sees it: its root is checked once, and stays what it was then.
    #[must_use]
    pub fn for_call(&self) -> Self {
        Self {
            right: self.right,
            lexical: Arc::clone(&self.lexical),
            held: Arc::clone(&self.held),
            checked: Some(OnceLock::new()),
        }
    }

    /// What may be done beneath the root.
    #[must_use]
    pub fn right(&self) -> RightKind {
        self.right
    }

    /// The root as configured: absolute and normalised, links unresolved.
    #[must_use]
    pub fn lexical(&self) -> &Path {
        &self.lexical
    }

    /// The opened root. The descriptor is kept, and reopened when the directory at that path is
    /// another one now (the user may have removed the workspace and made it again).
    ///
    /// # Errors
    /// What opening the directory says: `ENOENT` for a root that does not exist, `ENOTDIR` for one
    /// that is no directory.
    pub fn root(&self) -> Result<Arc<Root>> {
        if let Some(root) = self.checked.as_ref().and_then(OnceLock::get) {
            return Ok(Arc::clone(root));
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = held.as_ref()
            && root::is_current(root, &self.lexical)
        {
            return Ok(self.keep(root));
        }
        *held = None;
        let opened = Arc::new(root::open(&self.lexical)?);
        *held = Some(Arc::clone(&opened));
        Ok(self.keep(&opened))
    }

    /// [`Grant::root`] for a thread that must not wait: only a root that is open already, lies on
    /// a local file system, and is seen to be current without a look at the disk.
    #[must_use]
    pub fn root_now(&self) -> Option<Arc<Root>> {
        if let Some(root) = self.checked.as_ref().and_then(OnceLock::get) {
            return root.is_local().then(|| Arc::clone(root));
        }
        let held = self.held.try_lock().ok()?;
        let root = held.as_ref()?;
        (root.is_local() && cached::is_current(root, &self.lexical)).then(|| self.keep(root))
    }

    fn keep(&self, root: &Arc<Root>) -> Arc<Root> {
        match &self.checked {
            Some(checked) => Arc::clone(checked.get_or_init(|| Arc::clone(root))),
            None => Arc::clone(root),
        }
    }
}
