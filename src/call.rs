//! What every operation takes, as JavaScript hands it over and as the core wants it.

use std::path::PathBuf;
use std::sync::Arc;

use llm_chat_file_core as core;
use llm_chat_file_core::engine::{AnswerBudget, Call, Gatekeeper};
use napi::bindgen_prelude::{ClassInstance, Function, Object, ToNapiValue};
use napi::{Env, Result};
use napi_derive::napi;

use crate::cancel::Cancel;
use crate::gatekeeper::{JsGatekeeper, Question};
use crate::job::{self, Rejection, Weight};
use crate::policy::Policy;
use crate::pool::Pool;

/// Paths that one call may be answered for on the JavaScript thread.
const PATHS_NOW: usize = 4;

/// What every operation takes.
#[napi(object, object_to_js = false)]
pub struct CallContext<'env> {
    /// Who may touch what.
    pub policy: ClassInstance<'env, Policy>,
    /// Absolute path that relative ones are resolved against.
    pub cwd: String,
    /// Ends the operation early.
    pub cancel: Option<ClassInstance<'env, Cancel>>,
    /// What has been read; without it a write asks for no read before.
    pub pool: Option<ClassInstance<'env, Pool>>,
    /// The host's own rules, asked for many paths at once on the JavaScript thread.
    #[napi(ts_type = "(write: boolean, paths: string[]) => boolean[]")]
    pub gatekeeper: Option<Function<'env, Question, Vec<bool>>>,
}

/// One operation: the snapshot that the core works with, free of JavaScript references.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What the core takes.
    pub call: Call,
    gatekeeper: Option<Arc<JsGatekeeper>>,
}

impl CallContext<'_> {
    /// The pool, if there is one.
    #[must_use]
    pub fn pool(&self) -> Option<Arc<core::pool::Pool>> {
        self.pool.as_ref().map(|pool| Arc::clone(pool.inner()))
    }

    /// Takes the snapshot.
    ///
    /// # Errors
    /// When Node-API gives no bridge to the gatekeeper.
    pub fn operation(self) -> Result<Operation> {
        let cancel = self.cancel.map_or_else(core::Cancel::new, |cancel| cancel.token().clone());
        let gatekeeper = self
            .gatekeeper
            .map(|callback| JsGatekeeper::new(&callback, cancel.clone()))
            .transpose()?;
        let call = Call {
            policy: self.policy.inner().for_call(),
            cwd: PathBuf::from(self.cwd),
            cancel,
            gatekeeper: gatekeeper.clone().map(|gatekeeper| gatekeeper as Arc<dyn Gatekeeper>),
            budget: AnswerBudget::default(),
        };
        Ok(Operation { call, gatekeeper })
    }
}

impl Operation {
    /// Ends the work at its next check.
    pub fn cancel(&self) {
        self.call.cancel.cancel();
    }

    /// Runs `work` as a job. What the gatekeeper threw meanwhile rejects the promise.
    ///
    /// # Errors
    /// As [`job::run`].
    pub fn run<'env, T, W>(self, env: &'env Env, weight: Weight, work: W) -> Result<Object<'env>>
    where
        T: ToNapiValue + Send + 'static,
        W: FnOnce(&Call) -> T + Send + 'static,
    {
        self.try_run(env, weight, |call| Ok(work(call)))
    }

    /// [`Operation::run`] for work whose errors reject the promise.
    ///
    /// # Errors
    /// As [`job::run`].
    pub fn try_run<'env, T, W>(
        self,
        env: &'env Env,
        weight: Weight,
        work: W,
    ) -> Result<Object<'env>>
    where
        T: ToNapiValue + Send + 'static,
        W: FnOnce(&Call) -> core::Result<T> + Send + 'static,
    {
        job::run(env, weight, move || {
            let answer = work(&self.call);
            match self.gatekeeper.as_ref().and_then(|gatekeeper| gatekeeper.take_rejection()) {
                Some(rejection) => Err(rejection),
                None => answer.map_err(Rejection::from),
            }
        })
    }
}

/// Answers for a few paths on the JavaScript thread, through `one` that never waits; `None` when
/// any of them has no such answer, or the host has rules of its own, which could not be asked.
///
/// # Errors
/// When the arguments cannot be taken.
pub fn now<T>(
    context: CallContext<'_>,
    paths: &[String],
    one: impl Fn(&Call, &str) -> Option<T>,
) -> Result<Option<Vec<T>>> {
    if context.gatekeeper.is_some() || paths.len() > PATHS_NOW {
        return Ok(None);
    }
    let Operation { call, .. } = context.operation()?;
    Ok(paths.iter().map(|path| one(&call, path)).collect())
}
