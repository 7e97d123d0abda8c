//! The threads that jobs run on: one tokio runtime of our own, made at the first job.
//!
//! It is not the one that napi manages. napi shuts its runtime down when the last environment
//! ends and makes the next one with tokio's defaults (512 blocking threads), whatever was
//! installed before; a process that only uses the addon in successive worker threads would lose
//! every bound. Ours lives as long as the process, and its threads end with it.

use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use napi::{Error, Result, Status};

/// Threads for work that waits for disks. More than the cores, because they mostly wait; bounded,
/// because each holds a stack and, while it works, descriptors.
const BLOCKING_THREADS: usize = 16;

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

static HEAVY: LazyLock<Arc<Semaphore>> = LazyLock::new(permits);

static COMPILING: LazyLock<Arc<Semaphore>> = LazyLock::new(permits);

/// As many permits as there are cores; of either kind, so that blocking threads are left for light
/// jobs.
fn permits() -> Arc<Semaphore> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Arc::new(Semaphore::new(cores.min((BLOCKING_THREADS - 1) / 2)))
}

/// The runtime.
///
/// # Errors
/// When the system gives no thread to it.
pub fn get() -> Result<&'static Runtime> {
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = Builder::new_multi_thread()
        // Only hands waiting heavy jobs to blocking threads.
        .worker_threads(1)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("llm-chat-file")
        .enable_time()
        .build()
        .map_err(|error| Error::new(Status::GenericFailure, format!("No threads: {error}")))?;
    // Two environments may race; the loser's runtime has run nothing and is dropped.
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Permits for heavy jobs, as many as the cores, so that a search never delays a read.
#[must_use]
pub fn heavy() -> &'static Arc<Semaphore> {
    &HEAVY
}

/// Permits for the compilation of patterns: each takes up to a tenth of a second and some
/// megabytes.
#[must_use]
pub fn compiling() -> &'static Arc<Semaphore> {
    &COMPILING
}
