//! The handle that ends work early.

use llm_chat_file_core as core;
use napi_derive::napi;

/// Ends the work it was handed to at its next check.
#[napi]
#[derive(Debug, Default)]
pub struct Cancel {
    token: core::Cancel,
}

#[napi]
impl Cancel {
    /// A handle for one or more operations.
    #[napi(constructor, catch_unwind)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends them. May be called more than once.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// The token that the core watches.
    #[must_use]
    pub fn token(&self) -> &core::Cancel {
        &self.token
    }
}
