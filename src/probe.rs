//! Exports that panic on purpose, one of each kind: a test shows that none ends the process. Only
//! the cargo feature `panic-probe` has them.
#![expect(clippy::panic, reason = "panicking is what these exports are for")]

use std::sync::mpsc;

use napi::bindgen_prelude::{Function, Object, ToNapiValue};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi::{Env, Error, Result, Status, sys};
use napi_derive::napi;

use crate::guard;
use crate::job::{self, Outcome, Rejection, Weight};

/// Panics where it is called.
///
/// # Panics
/// Always.
#[napi(catch_unwind)]
pub fn panic_sync() {
    panic!("probe of a synchronous export");
}

/// Panics in a job.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn panic_job(env: &Env) -> Result<Object<'_>> {
    job::run(env, Weight::Light, || -> Outcome<()> { panic!("probe of a job") })
}

/// Panics in a job that waits for a permit.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn panic_async(env: &Env) -> Result<Object<'_>> {
    job::run(env, Weight::Heavy, || -> Outcome<()> { panic!("probe of a heavy job") })
}

/// Panics while a job's answer is converted on the JavaScript thread.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn panic_answer(env: &Env) -> Result<Object<'_>> {
    job::run(env, Weight::Light, || Ok(Unconvertible))
}

/// Panics where a worker receives what a callback gave, on the JavaScript thread.
///
/// # Errors
/// When the job cannot be started.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn panic_callback<'env>(
    env: &'env Env,
    callback: Function<'_, (), ()>,
) -> Result<Object<'env>> {
    let bridge =
        callback.build_threadsafe_function().callee_handled::<false>().weak::<true>().build()?;
    job::run(env, Weight::Light, move || {
        let (sender, receiver) = mpsc::sync_channel(1);
        let status = bridge.call_with_return_value(
            (),
            ThreadsafeFunctionCallMode::NonBlocking,
            move |_, env| {
                let caught = guard::run(|| panic!("probe of a callback"));
                let told =
                    sender.send(caught.map_err(|panic: guard::Panic| panic.into_error(&env)));
                drop(told);
                Ok(())
            },
        );
        match status {
            Status::Ok => receiver.recv().unwrap_or(Ok(())).map_err(Rejection::from),
            status => Err(Error::from_status(status).into()),
        }
    })
}

/// Panics in its constructor and in its getter.
#[napi]
#[derive(Debug)]
pub struct PanicProbe {}

#[napi]
impl PanicProbe {
    /// Panics if told so.
    ///
    /// # Panics
    /// If told so.
    #[napi(constructor, catch_unwind)]
    #[must_use]
    pub fn new(now: bool) -> Self {
        assert!(!now, "probe of a constructor");
        Self {}
    }

    /// Panics.
    ///
    /// # Panics
    /// Always.
    #[napi(getter, catch_unwind)]
    pub fn value(&self) -> u32 {
        panic!("probe of a getter");
    }
}

struct Unconvertible;

impl ToNapiValue for Unconvertible {
    unsafe fn to_napi_value(_env: sys::napi_env, _value: Self) -> Result<sys::napi_value> {
        panic!("probe of a conversion");
    }
}
