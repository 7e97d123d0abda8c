//! The host's own rules: verdicts of an overridden `canRead` or `canWrite`, asked of JavaScript
//! by a worker that waits for them.

use std::fmt;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use llm_chat_file_core as core;
use llm_chat_file_core::access::RightKind;
use llm_chat_file_core::engine::Gatekeeper;
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Error, Result, Status};

use crate::failure::path_text;
use crate::guard;
use crate::job::Rejection;

/// Arguments of the callback: whether to write, and the paths.
pub type Question = FnArgs<(bool, Vec<String>)>;

/// The callback as it is handed over.
pub type Callback<'env> = Function<'env, Question, Vec<bool>>;

/// Weak: it does not keep the process alive; the promise of the operation does.
type Bridge = ThreadsafeFunction<Question, Vec<bool>, Question, Status, false, true>;

/// Code of an operation that the callback ended.
const HOOK_CODE: &str = "ERR_HOOK";

/// How often a waiting worker looks whether the operation was cancelled or its host is gone.
const LOOK: Duration = Duration::from_millis(10);

/// The callback as the core asks it.
pub struct JsGatekeeper {
    bridge: Bridge,
    cancel: core::Cancel,
    rejection: Mutex<Option<Rejection>>,
}

impl JsGatekeeper {
    /// Takes the callback. `cancel` ends a wait for it.
    ///
    /// # Errors
    /// When Node-API gives no bridge to the JavaScript thread.
    pub fn new(callback: &Callback<'_>, cancel: core::Cancel) -> Result<Arc<Self>> {
        let bridge = callback
            .build_threadsafe_function()
            .callee_handled::<false>()
            .weak::<true>()
            .build()?;
        Ok(Arc::new(Self { bridge, cancel, rejection: Mutex::new(None) }))
    }

    /// Why the operation is rejected, if the callback failed: what it threw, or that it gave no
    /// verdicts.
    #[must_use]
    pub fn take_rejection(&self) -> Option<Rejection> {
        self.rejection.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, error: Error) -> core::Error {
        let (told, rejection) = if error.status == Status::PendingException {
            let told = format!("The access hook failed: {}", error.reason);
            (core::Error::new(HOOK_CODE, told), Rejection::Thrown(error))
        } else {
            let told = core::Error::new(
                "ERR_INVALID_RETURN_VALUE",
                "The access hook must return an array of booleans",
            );
            (told.clone(), Rejection::Failed(told))
        };
        self.rejection.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(rejection);
        told
    }
}

impl Gatekeeper for JsGatekeeper {
    fn allows(&self, right: RightKind, paths: &[PathBuf]) -> core::Result<Vec<bool>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        self.cancel.check()?;
        let texts = paths.iter().map(|path| path_text(path)).collect();
        let question = FnArgs::from((right == RightKind::Write, texts));
        let (sender, verdicts) = mpsc::sync_channel(1);
        let status = self.bridge.call_with_return_value(
            question,
            ThreadsafeFunctionCallMode::NonBlocking,
            move |answer, env| {
                let sent = guard::run(|| sender.send(answer));
                // The worker may have stopped waiting. An error here would end the process.
                drop(sent.map_err(|panic| panic.into_error(&env)));
                Ok(())
            },
        );
        if status != Status::Ok {
            return Err(host_is_gone());
        }
        loop {
            match verdicts.recv_timeout(LOOK) {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => return Err(self.keep(error)),
                Err(RecvTimeoutError::Disconnected) => return Err(host_is_gone()),
                Err(RecvTimeoutError::Timeout) => {
                    self.cancel.check()?;
                    // A question that was queued when the host ended is never answered.
                    if self.bridge.aborted() {
                        return Err(host_is_gone());
                    }
                }
            }
        }
    }
}

impl fmt::Debug for JsGatekeeper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JsGatekeeper").finish_non_exhaustive()
    }
}

fn host_is_gone() -> core::Error {
    core::Error::new(HOOK_CODE, "The access hook cannot be asked: its thread has ended")
}
