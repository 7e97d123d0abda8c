//! Jobs: work on a blocking thread whose answer settles a promise.

use std::sync::Arc;
use std::time::Instant;

use llm_chat_file_core as core;
use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Env, Error, JsDeferred, Result, Status, sys};

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout_at;

use crate::failure::coded_error;
use crate::guard::{self, Panic};
use crate::runtime;

/// How much of the machine a job takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Waits for the disk, takes little of the processor.
    Light,
    /// Recursive list, recursive removal: takes one of as many permits as there are cores before it
    /// takes a thread.
    Heavy,
    /// Search: as [`Weight::Heavy`], but at that moment, when its time is over, it waits no longer and
    /// only says so.
    HeavyUntil(Instant),
    /// Compilation of a pattern, which has permits of its own.
    Compilation,
}

/// Why a promise is rejected.
#[derive(Debug)]
pub enum Rejection {
    /// With what JavaScript threw while it was asked.
    Thrown(Error),
    /// With an error of the core.
    Failed(core::Error),
}

impl From<core::Error> for Rejection {
    fn from(error: core::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Error> for Rejection {
    fn from(error: Error) -> Self {
        Self::Thrown(error)
    }
}

impl Rejection {
    fn into_error(self, env: &Env) -> Error {
        match self {
            Self::Thrown(error) => error,
            Self::Failed(error) => coded_error(env, error.code, &error.message),
        }
    }
}

/// What a job's work gives.
pub type Outcome<T> = std::result::Result<T, Rejection>;

/// Runs `work` on a blocking thread and gives the promise of its answer, converted on the
/// JavaScript thread. A panic in the work or in the conversion rejects the promise, and so does a
/// [`Rejection`].
///
/// # Errors
/// When the promise cannot be made.
pub fn run<'env, T, W>(env: &'env Env, weight: Weight, work: W) -> Result<Object<'env>>
where
    T: ToNapiValue + Send + 'static,
    W: FnOnce() -> Outcome<T> + Send + 'static,
{
    let (promise, object) = Pending::new(env)?;
    let work = move || {
        let outcome = guard::run(work);
        promise.settle(Box::new(move |env| convert(env, outcome)));
    };
    schedule(weight, work)?;
    Ok(object)
}

fn schedule(weight: Weight, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let runtime = runtime::get()?;
    let (permits, until) = match weight {
        Weight::Light => (None, None),
        Weight::Heavy => (Some(runtime::heavy()), None),
        Weight::HeavyUntil(until) => (Some(runtime::heavy()), Some(until)),
        Weight::Compilation => (Some(runtime::compiling()), None),
    };
    let spawned = guard::run(|| {
        let Some(permits) = permits else { return drop(runtime.spawn_blocking(work)) };
        let permits = Arc::clone(permits);
        // A free permit saves the hop over the runtime's own thread.
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            return drop(runtime.spawn_blocking(move || holding(Some(permit), work)));
        }
        drop(runtime.spawn(async move {
            let permit = match until {
                Some(until) => timeout_at(until.into(), permits.acquire_owned()).await.ok(),
                None => Some(permits.acquire_owned().await),
            };
            let permit = permit.and_then(std::result::Result::ok);
            drop(runtime.spawn_blocking(move || holding(permit, work)));
        }));
    });
    // tokio panics when the system gives it no thread; the dropped work rejects its promise.
    spawned.map_err(|_| Error::new(Status::GenericFailure, "The system gives no more threads"))
}

fn holding(permit: Option<OwnedSemaphorePermit>, work: impl FnOnce()) {
    work();
    drop(permit);
}

fn convert<T: ToNapiValue>(
    env: Env,
    outcome: std::result::Result<Outcome<T>, Panic>,
) -> Result<Converted> {
    let answer = outcome
        .map_err(|panic| panic.into_error(&env))?
        .map_err(|rejection| rejection.into_error(&env))?;
    // SAFETY: called by Node-API on the thread of `env`, within its handle scope.
    let converted = guard::run(|| unsafe { T::to_napi_value(env.raw(), answer) });
    converted.map_err(|panic| panic.into_error(&env))?.map(Converted)
}

/// A value that is converted already, so that nothing is left to do outside [`guard::run`].
struct Converted(sys::napi_value);

impl ToNapiValue for Converted {
    unsafe fn to_napi_value(_env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        Ok(value.0)
    }
}

type Settle = Box<dyn FnOnce(Env) -> Result<Converted> + Send>;

/// A promise that is settled even if the work is dropped before it ran.
struct Pending(Option<JsDeferred<Converted, Settle>>);

impl Pending {
    fn new(env: &Env) -> Result<(Self, Object<'_>)> {
        let (deferred, promise) = env.create_deferred::<Converted, Settle>()?;
        Ok((Self(Some(deferred)), promise))
    }

    fn settle(mut self, settle: Settle) {
        if let Some(deferred) = self.0.take() {
            deferred.resolve(settle);
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(deferred) = self.0.take() {
            deferred.reject(Error::new(Status::Cancelled, "The work was dropped before it ran"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex, mpsc};
    use std::time::Duration;

    use super::*;

    /// Longer than any healthy run takes.
    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn heavy_jobs_leave_threads_to_light_ones() {
        const HEAVY: usize = 40;
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let running = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let (sender, ended) = mpsc::channel();
        for _ in 0..HEAVY {
            let (gate, running, most) =
                (Arc::clone(&gate), Arc::clone(&running), Arc::clone(&most));
            let sender = sender.clone();
            schedule(Weight::Heavy, move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let open = gate.1.wait_while(gate.0.lock().unwrap(), |open| !*open).unwrap();
                drop(open);
                running.fetch_sub(1, Ordering::SeqCst);
                sender.send(()).unwrap();
            })
            .unwrap();
        }
        let (light, answered) = mpsc::channel();
        schedule(Weight::Light, move || light.send(()).unwrap()).unwrap();
        answered.recv_timeout(PATIENCE).unwrap();
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        for _ in 0..HEAVY {
            ended.recv_timeout(PATIENCE).unwrap();
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(most.load(Ordering::SeqCst) <= cores);
    }

    #[test]
    fn a_heavy_job_whose_time_is_over_waits_for_no_permit() {
        let permits = runtime::heavy();
        let all = u32::try_from(permits.available_permits()).unwrap_or(u32::MAX);
        let held = Arc::clone(permits).try_acquire_many_owned(all);
        let (sender, ended) = mpsc::channel();
        schedule(Weight::HeavyUntil(Instant::now()), move || sender.send(()).unwrap()).unwrap();
        ended.recv_timeout(PATIENCE).unwrap();
        drop(held);
    }
}
