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

/// Goes through the tree beneath `root` on at most `threads` threads, this one included.
///
/// # Errors
/// `ABORT_ERR` when cancelled; the first error of a visitor.
pub(crate) fn run<V: Visitor, S: Sink<V::Found>>(
    visitor: &V,
    root: V::Place,
    sink: S,
    threads: usize,
    cancel: &Cancel,
) -> Result<(S, Ended)> {
    let shared = Shared {
        state: Mutex::new(State {
            queue: vec![Task { id: 0, place: root }],
            unfinished: 1,
            next_id: 1,
            cursor: Cursor::new(sink),
            outcome: None,
        }),
        changed: Condvar::new(),
        over: AtomicBool::new(false),
        cancel,
    };
    thread::scope(|scope| {
        let start = || shared.start_helpers(visitor, threads, scope);
        let helpers = Helpers { due: Instant::now() + HEAD_START, start: &start };
        let helpers = (threads > 1).then_some(helpers);
        Member { shared: &shared, children: Vec::new(), helpers }.work(visitor);
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.outcome {
        Some(outcome) => outcome.map(|ended| (state.cursor.into_sink(), ended)),
        None if cancel.is_cancelled() => Err(Error::cancelled()),
        None => Ok((state.cursor.into_sink(), Ended::TimedOut)),
    }
}

struct Task<P> {
    id: usize,
    place: P,
}

struct State<P, F, S> {
    queue: Vec<Task<P>>,
    /// Directories offered and not visited yet.
    unfinished: usize,
    next_id: usize,
    cursor: Cursor<F, S>,
    outcome: Option<Result<Ended>>,
}

impl<P, F, S: Sink<F>> State<P, F, S> {
    /// The directory to visit next. Too far ahead of the cursor, only the one it waits for.
    fn take(&mut self) -> Option<Task<P>> {
        let Some(needed) = self.cursor.waits_for() else { return self.queue.pop() };
        let position = self.queue.iter().rposition(|task| task.id == needed)?;
        Some(self.queue.remove(position))
    }
}

struct Shared<'c, P, F, S> {
    state: Mutex<State<P, F, S>>,
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
            if state.outcome.is_some() || state.unfinished == 0 || self.cancel.stop().is_some() {
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
mod tests {
    use std::ops::{ControlFlow, Range};

    use super::*;
    use crate::search::cursor::MAX_WAITING;

    /// Directories by number; each has entries, and subdirectories among them.
    struct Forest {
        entries: Vec<usize>,
        subdirectories: Vec<Vec<(usize, usize)>>,
        /// Work of a visit in microseconds.
        work: fn(usize) -> u64,
        /// Directory whose visit runs out of time after so many entries.
        slow: Option<(usize, usize)>,
    }

    impl Forest {
        fn new(count: usize, work: fn(usize) -> u64) -> Self {
            let entries = (0..count).map(|directory| directory * 7 % 5).collect();
            let mut forest =
                Self { entries, subdirectories: vec![Vec::new(); count], work, slow: None };
            for child in 1..count {
                let parent = child * 31 % child.min(40);
                let index = forest.entries[parent];
                forest.subdirectories[parent].push((index, child));
                forest.entries[parent] += 1 + child % 3;
            }
            forest
        }

        /// Directory and entry, in the order of a serial walk.
        fn serial(&self) -> Vec<(usize, usize)> {
            let mut order = Vec::new();
            let mut stack = vec![(0, 0)];
            while let Some((directory, index)) = stack.pop() {
                if index == self.entries[directory] {
                    continue;
                }
                order.push((directory, index));
                stack.push((directory, index + 1));
                let children = &self.subdirectories[directory];
                stack.extend(children.iter().filter(|(at, _)| *at == index).map(|(_, c)| (*c, 0)));
            }
            order
        }
    }

    impl Visitor for Forest {
        type Place = usize;
        type Found = usize;
        type Scratch = ();

        fn scratch(&self) {}

        fn visit(
            &self,
            place: usize,
            _: &mut (),
            crew: &mut dyn Crew<usize>,
        ) -> Result<Visit<usize>> {
            crew.offer(self.subdirectories[place].clone());
            thread::sleep(Duration::from_micros((self.work)(place)));
            let cut = self.slow.filter(|(slow, _)| *slow == place).map(|(_, cut)| cut);
            Ok(Visit { entries: self.entries[place], cut, found: place })
        }
    }

    struct Order {
        met: Vec<(usize, usize)>,
        max: usize,
    }

    impl Sink<usize> for Order {
        fn enter(&mut self, _: &mut usize) {}

        fn entries(&mut self, found: &mut usize, indices: Range<usize>) -> ControlFlow<()> {
            for index in indices {
                self.met.push((*found, index));
                if self.met.len() == self.max {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        }

        /// So heavy that a few results fill the waiting room.
        fn weight(_: &usize) -> usize {
            MAX_WAITING / 3
        }
    }

    fn order(max: usize) -> Order {
        Order { met: Vec::new(), max }
    }

    #[test]
    fn keeps_the_serial_order_with_any_number_of_threads() {
        let uneven = |directory| if directory % 5 == 0 { 2500 } else { 50 };
        let forest = Forest::new(200, uneven);
        let serial = forest.serial();
        for threads in [1, 2, 7] {
            for max in [1, 17, serial.len() - 1, usize::MAX] {
                let cancel = Cancel::new();
                let (told, ended) = run(&forest, 0, order(max), threads, &cancel).unwrap();
                assert_eq!(told.met, serial[..max.min(serial.len())]);
                let whole = max > serial.len();
                assert_eq!(ended, if whole { Ended::Whole } else { Ended::Enough });
            }
        }
    }

    #[test]
    fn ends_where_a_visit_ran_out_of_time() {
        let mut forest = Forest::new(50, |_| 400);
        let serial = forest.serial();
        for threads in [1, 3] {
            for (slow, cut) in [(0, 0), (0, 3), (7, 0), (7, 1)] {
                forest.slow = Some((slow, cut));
                let (told, ended) =
                    run(&forest, 0, order(usize::MAX), threads, &Cancel::new()).unwrap();
                let end = serial.iter().position(|place| *place == (slow, cut));
                assert_eq!(told.met, serial[..end.unwrap()], "{slow} {cut}");
                assert_eq!(ended, Ended::TimedOut);
            }
        }
    }

    #[test]
    fn a_deadline_and_a_cancel_end_it() {
        let forest = Forest::new(200, |_| 1000);
        let cancel = Cancel::new().with_deadline(Instant::now() + Duration::from_millis(20));
        let (told, ended) = run(&forest, 0, order(usize::MAX), 2, &cancel).unwrap();
        assert_eq!(ended, Ended::TimedOut);
        assert_eq!(told.met, forest.serial()[..told.met.len()]);
        cancel.cancel();
        assert_eq!(run(&forest, 0, order(9), 2, &cancel).err(), Some(Error::cancelled()));
    }

    #[test]
    fn an_error_ends_it() {
        let mut forest = Forest::new(100, |_| 500);
        forest.subdirectories[20].push((forest.entries[20], usize::MAX));
        let forest = Guarded(forest);
        assert_eq!(
            run(&forest, 0, order(usize::MAX), 4, &Cancel::new()).err(),
            Some(Error::cancelled())
        );
    }

    /// Knows the directory that fails.
    struct Guarded(Forest);

    impl Visitor for Guarded {
        type Place = usize;
        type Found = usize;
        type Scratch = ();

        fn scratch(&self) {}

        fn visit(
            &self,
            place: usize,
            _: &mut (),
            crew: &mut dyn Crew<usize>,
        ) -> Result<Visit<usize>> {
            if place == usize::MAX {
                return Err(Error::cancelled());
            }
            assert!(place != usize::MAX - 1, "a visitor that panics");
            self.0.visit(place, &mut (), crew)
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let mut forest = Forest::new(100, |_| 500);
        forest.subdirectories[20].push((forest.entries[20], usize::MAX - 1));
        let forest = Guarded(forest);
        let cancel = Cancel::new();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            run(&forest, 0, order(usize::MAX), 4, &cancel).map(|_| ())
        }));
        assert!(caught.is_err());
    }
}
