//! What has been read, for the read-before-write rule.

use std::path::PathBuf;
use std::sync::Arc;

use llm_chat_file_core as core;
use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;

use crate::failure::Failure;
use crate::job::{self, Weight};

/// What has been read, by file identity.
#[napi]
#[derive(Debug, Default)]
pub struct Pool {
    inner: Arc<core::pool::Pool>,
}

#[napi]
impl Pool {
    /// A pool that knows nothing yet.
    #[napi(constructor, catch_unwind)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers the file at `path` as it is now, as read.
    ///
    /// # Errors
    /// When the job cannot be started.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn record_read<'env>(&self, env: &'env Env, path: String) -> Result<Object<'env>> {
        let pool = Arc::clone(&self.inner);
        job::run(env, Weight::Light, move || {
            pool.record_read(&PathBuf::from(path));
            Ok(())
        })
    }

    /// Remembers the file at `path` as it is now, as written.
    ///
    /// # Errors
    /// When the job cannot be started.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn record_write<'env>(&self, env: &'env Env, path: String) -> Result<Object<'env>> {
        let pool = Arc::clone(&self.inner);
        job::run(env, Weight::Light, move || {
            pool.record_write(&PathBuf::from(path));
            Ok(())
        })
    }

    /// `null` when a write may go on, else why not.
    ///
    /// # Errors
    /// When the job cannot be started.
    #[napi(catch_unwind, ts_return_type = "Promise<Failure | null>")]
    pub fn verify_write<'env>(
        &self,
        env: &'env Env,
        path: String,
        allow_new: bool,
    ) -> Result<Object<'env>> {
        let pool = Arc::clone(&self.inner);
        job::run(env, Weight::Light, move || {
            Ok(pool.verify_write(&PathBuf::from(path), allow_new).err().map(Failure::from))
        })
    }

    /// The core's pool.
    #[must_use]
    pub fn inner(&self) -> &Arc<core::pool::Pool> {
        &self.inner
    }
}
