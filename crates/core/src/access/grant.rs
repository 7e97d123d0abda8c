//! One grant: a directory, what may be done beneath it, and its root once it has been opened.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::access::RightKind;
use crate::error::Result;
use crate::fs::root::{self, Root};

/// A directory that the user opened to the agent.
#[derive(Debug)]
pub struct Grant {
    right: RightKind,
    lexical: PathBuf,
    root: Mutex<Option<Arc<Root>>>,
}

impl Grant {
    /// A grant of `right` beneath `lexical`, an absolute, normalised path. Nothing is asked of the
    /// disk until the grant is used.
    #[must_use]
    pub fn new(right: RightKind, lexical: PathBuf) -> Self {
        Self { right, lexical, root: Mutex::new(None) }
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
        let mut held = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = held.as_ref()
            && root::is_current(root, &self.lexical)
        {
            return Ok(Arc::clone(root));
        }
        *held = None;
        let opened = Arc::new(root::open(&self.lexical)?);
        *held = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// The root only if it is open already, without asking the disk: for work on a thread that
    /// must not wait.
    #[must_use]
    pub fn held_root(&self) -> Option<Arc<Root>> {
        self.root.try_lock().ok()?.clone()
    }
}
