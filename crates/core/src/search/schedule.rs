//! Threads that go through a tree together, and one order in which what they find is counted.
//!
//! The threads share a stack of directories, last in first out: whoever takes one offers its
//! subdirectories and then works on its files. A cursor follows the results in the order of a
//! serial walk (depth first, a directory before what is in it) and tells them to a [`Sink`], which
//! says when the answer is complete. So answers, counts and cut-offs do not depend on the threads;
//! they work at most a directory each too far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::search::cursor::{Cursor, Ended, Sink, Visit, Visited};

/// Work of the first thread before others join it: starting them costs as much as many a search.
const HEAD_START: Duration = Duration::from_millis(1);

/// Work on one directory.
pub(crate) trait Visitor: Sync {
    /// Names a directory.
    type Place: Send;
    /// What is found in one directory.
    type Found: Send;
    /// Buffers of one thread.
    type Scratch;

    /// Makes a thread's buffers.
    fn scratch(&self) -> Self::Scratch;

    /// Works on a directory: offers its subdirectories to the crew, then looks at its files.
    ///
    /// # Errors
    /// What ends the whole search without an answer.
    fn visit(
        &self,
        place: Self::Place,
        scratch: &mut Self::Scratch,
        crew: &mut dyn Crew<Self::Place>,
    ) -> Result<Visit<Self::Found>>;
}

/// The other threads, as one of them sees them.
pub(crate) trait Crew<P> {
    /// Offers the subdirectories of the directory in work, each with its index among the entries,
    /// in order. Once for each directory.
    fn offer(&mut self, subdirectories: Vec<(usize, P)>);

    /// Whether the answer is complete already. To be asked between files.
    fn is_over(&mut self) -> bool;
}

/// A tree that threads go through, until all of it is seen or the sink has had enough. It can be
/// left when the sink pauses, and taken up again.
#[derive(Debug)]
pub(crate) struct Schedule<P, F, S> {
    state: Mutex<State<P, F, S>>,
    /// Work of the first thread before others join it.
    head_start: Duration,
}

impl<P: Send, F: Send, S: Sink<F>> Schedule<P, F, S> {
    /// Of the tree beneath `root`.
    pub(crate) fn new(root: P, sink: S) -> Self {
        Self {
            state: Mutex::new(State {
                queue: vec![Task { id: 0, place: root }],
                unfinished: 1,
                next_id: 1,
                cursor: Cursor::new(sink),
                is_paused: false,
                outcome: None,
            }),
            head_start: HEAD_START,
        }
    }

    /// Goes on, on at most `threads` threads, this one included. `None` when the sink paused;
    /// directories in work are finished before.
    ///
    /// # Errors
    /// `ABORT_ERR` when cancelled; the first error of a visitor.
    pub(crate) fn run<V: Visitor<Place = P, Found = F>>(
        &mut self,
        visitor: &V,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Option<Ended>> {
        self.state_mut().is_paused = false;
        let shared =
            Shared { state: &self.state, changed: Condvar::new(), over: false.into(), cancel };
        thread::scope(|scope| {
            let start = || shared.start_helpers(visitor, threads, scope);
            let helpers = Helpers { due: Instant::now() + self.head_start, start: &start };
            let helpers = (threads > 1).then_some(helpers);
            Member { shared: &shared, children: Vec::new(), helpers }.work(visitor);
        });
        // What is taken up again has shown that it is worth them.
        self.head_start = Duration::ZERO;
        let state = self.state_mut();
        match &state.outcome {
            Some(outcome) => outcome.clone().map(Some),
            None if state.is_paused => Ok(None),
            None if cancel.is_cancelled() => Err(Error::cancelled()),
            None => Ok(Some(Ended::TimedOut)),
        }
    }

    /// What takes the results.
    pub(crate) fn sink(&mut self) -> &mut S {
        self.state_mut().cursor.sink()
    }

    /// What took the results.
    pub(crate) fn into_sink(self) -> S {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.cursor.into_sink()
    }

    fn state_mut(&mut self) -> &mut State<P, F, S> {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Task<P> {
    id: usize,
    place: P,
}

#[derive(Debug)]
struct State<P, F, S> {
    queue: Vec<Task<P>>,
    /// Directories offered and not visited yet.
    unfinished: usize,
    next_id: usize,
    cursor: Cursor<F, S>,
    is_paused: bool,
    outcome: Option<Result<Ended>>,
}

impl<P, F, S: Sink<F>> State<P, F, S> {
    fn has_nothing_to_do(&self) -> bool {
        self.outcome.is_some() || self.is_paused || self.unfinished == 0
    }

    /// The directory to visit next. Too far ahead of the cursor, only the one it waits for.
    fn take(&mut self) -> Option<Task<P>> {
        let Some(needed) = self.cursor.waits_for() else { return self.queue.pop() };
        let position = self.queue.iter().rposition(|task| task.id == needed)?;
        Some(self.queue.remove(position))
    }
}

struct Shared<'c, P, F, S> {
    state: &'c Mutex<State<P, F, S>>,
    changed: Condvar,
    /// Set with the outcome, for looks without the lock.
    over: AtomicBool,
    cancel: &'c Cancel,
}

impl<P: Send, F: Send, S: Sink<F>> Shared<'_, P, F, S> {
    fn lock(&self) -> MutexGuard<'_, State<P, F, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next directory; `None` when there is nothing more to do.
    fn take(&self) -> Option<Task<P>> {
        let mut state = self.lock();
        loop {
            if state.has_nothing_to_do() || self.cancel.stop().is_some() {
                self.changed.notify_all();
                return None;
            }
            if let Some(task) = state.take() {
                return Some(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn offer(&self, places: Vec<(usize, P)>) -> Vec<(usize, usize)> {
        if places.is_empty() {
            return Vec::new();
        }
        let mut state = self.lock();
        let first = state.next_id;
        state.next_id += places.len();
        state.unfinished += places.len();
        let children =
            places.iter().enumerate().map(|(at, (index, _))| (*index, first + at)).collect();
        let tasks = places.into_iter().enumerate();
        state.queue.extend(tasks.rev().map(|(at, (_, place))| Task { id: first + at, place }));
        drop(state);
        self.changed.notify_all();
        children
    }

    fn store(&self, id: usize, visited: Result<Visited<F>>) {
        let mut state = self.lock();
        state.unfinished = state.unfinished.saturating_sub(1);
        if state.outcome.is_none() {
            state.outcome = match visited {
                Ok(visited) => state.cursor.store(id, visited).map(Ok),
                Err(error) => Some(Err(error)),
            };
            state.is_paused |= state.cursor.sink().pauses();
        }
        self.over.store(state.outcome.is_some(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    fn start_helpers<'scope, V: Visitor<Place = P, Found = F>>(
        &'scope self,
        visitor: &'scope V,
        threads: usize,
        scope: &'scope Scope<'scope, '_>,
    ) {
        for _ in 1..threads {
            let work = || {
                Member { shared: self, children: Vec::new(), helpers: None }.work(visitor);
            };
            // Where the system gives no further thread, those that run do all the work.
            if thread::Builder::new().name("search".into()).spawn_scoped(scope, work).is_err() {
                return;
            }
        }
    }
}

/// Threads to start once they are worth it.
struct Helpers<'m> {
    due: Instant,
    start: &'m dyn Fn(),
}

/// One thread of a search.
struct Member<'m, P, F, S> {
    shared: &'m Shared<'m, P, F, S>,
    /// Subdirectories offered by the visit under way: entry index and task.
    children: Vec<(usize, usize)>,
    helpers: Option<Helpers<'m>>,
}

impl<P: Send, F: Send, S: Sink<F>> Member<'_, P, F, S> {
    fn work<V: Visitor<Place = P, Found = F>>(&mut self, visitor: &V) {
        let _release = ReleaseOnPanic(self.shared);
        let mut scratch = visitor.scratch();
        while let Some(Task { id, place }) = self.shared.take() {
            let visit = visitor.visit(place, &mut scratch, self);
            let children = std::mem::take(&mut self.children);
            self.shared.store(id, visit.map(|visit| Visited { visit, children }));
        }
    }

    fn start_helpers_when_due(&mut self) {
        if let Some(helpers) = self.helpers.take_if(|helpers| Instant::now() >= helpers.due) {
            (helpers.start)();
        }
    }
}

impl<P: Send, F: Send, S: Sink<F>> Crew<P> for Member<'_, P, F, S> {
    fn offer(&mut self, subdirectories: Vec<(usize, P)>) {
        self.children = self.shared.offer(subdirectories);
        self.start_helpers_when_due();
    }

    fn is_over(&mut self) -> bool {
        self.start_helpers_when_due();
        self.shared.over.load(Ordering::Relaxed)
    }
}

/// Lets the other threads go home when this one panics, so that the panic reaches the caller
/// instead of leaving them waiting.
struct ReleaseOnPanic<'m, P: Send, F: Send, S: Sink<F>>(&'m Shared<'m, P, F, S>);

impl<P: Send, F: Send, S: Sink<F>> Drop for ReleaseOnPanic<'_, P, F, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(0, Err(Error::new("ERR_INTERNAL", "A search thread panicked")));
        }
    }
}

#[cfg(test)]
mod tests;
