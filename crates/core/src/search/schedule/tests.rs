//! Schedules over forests whose visits take their time.

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

    fn visit(&self, place: usize, _: &mut (), crew: &mut dyn Crew<usize>) -> Result<Visit<usize>> {
        crew.offer(self.subdirectories[place].clone());
        thread::sleep(Duration::from_micros((self.work)(place)));
        let cut = self.slow.filter(|(slow, _)| *slow == place).map(|(_, cut)| cut);
        Ok(Visit { entries: self.entries[place], cut, found: place })
    }
}

struct Order {
    met: Vec<(usize, usize)>,
    max: usize,
    /// Pauses when so much has been met.
    pause: usize,
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

    fn pauses(&self) -> bool {
        self.met.len() >= self.pause
    }

    /// So heavy that a few results fill the waiting room.
    fn weight(_: &usize) -> usize {
        MAX_WAITING / 3
    }
}

/// Goes through a forest in one go.
fn run<V: Visitor<Place = usize, Found = usize>>(
    visitor: &V,
    sink: Order,
    threads: usize,
    cancel: &Cancel,
) -> Result<(Order, Option<Ended>)> {
    let mut schedule = Schedule::new(0, sink);
    let ended = schedule.run(visitor, threads, cancel)?;
    Ok((schedule.into_sink(), ended))
}

fn order(max: usize) -> Order {
    Order { met: Vec::new(), max, pause: usize::MAX }
}

#[test]
fn keeps_the_serial_order_with_any_number_of_threads() {
    let uneven = |directory| if directory % 5 == 0 { 2500 } else { 50 };
    let forest = Forest::new(200, uneven);
    let serial = forest.serial();
    for threads in [1, 2, 7] {
        for max in [1, 17, serial.len() - 1, usize::MAX] {
            let cancel = Cancel::new();
            let (told, ended) = run(&forest, order(max), threads, &cancel).unwrap();
            assert_eq!(told.met, serial[..max.min(serial.len())]);
            let whole = max > serial.len();
            assert_eq!(ended, Some(if whole { Ended::Whole } else { Ended::Enough }));
        }
    }
}

#[test]
fn goes_on_where_it_paused() {
    let forest = Forest::new(200, |directory| if directory % 5 == 0 { 900 } else { 20 });
    let serial = forest.serial();
    for threads in [1, 2, 7] {
        let mut schedule = Schedule::new(0, Order { pause: 1, ..order(usize::MAX) });
        let mut pauses = 0;
        let cancel = Cancel::new();
        let ended = loop {
            if let Some(ended) = schedule.run(&forest, threads, &cancel).unwrap() {
                break ended;
            }
            pauses += 1;
            let sink = schedule.sink();
            assert_eq!(sink.met, serial[..sink.met.len()]);
            sink.pause = sink.met.len() + 50;
        };
        assert_eq!(ended, Ended::Whole);
        assert_eq!(schedule.run(&forest, threads, &cancel).unwrap(), Some(Ended::Whole));
        assert_eq!(schedule.into_sink().met, serial);
        assert!(pauses > 2, "{pauses}");
    }
}

#[test]
fn ends_where_a_visit_ran_out_of_time() {
    let mut forest = Forest::new(50, |_| 400);
    let serial = forest.serial();
    for threads in [1, 3] {
        for (slow, cut) in [(0, 0), (0, 3), (7, 0), (7, 1)] {
            forest.slow = Some((slow, cut));
            let (told, ended) = run(&forest, order(usize::MAX), threads, &Cancel::new()).unwrap();
            let end = serial.iter().position(|place| *place == (slow, cut));
            assert_eq!(told.met, serial[..end.unwrap()], "{slow} {cut}");
            assert_eq!(ended, Some(Ended::TimedOut));
        }
    }
}

#[test]
fn a_deadline_and_a_cancel_end_it() {
    let forest = Forest::new(200, |_| 1000);
    let cancel = Cancel::new().with_deadline(Instant::now() + Duration::from_millis(20));
    let (told, ended) = run(&forest, order(usize::MAX), 2, &cancel).unwrap();
    assert_eq!(ended, Some(Ended::TimedOut));
    assert_eq!(told.met, forest.serial()[..told.met.len()]);
    cancel.cancel();
    assert_eq!(run(&forest, order(9), 2, &cancel).err(), Some(Error::cancelled()));
}

#[test]
fn an_error_ends_it() {
    let mut forest = Forest::new(100, |_| 500);
    forest.subdirectories[20].push((forest.entries[20], usize::MAX));
    let forest = Guarded(forest);
    assert_eq!(run(&forest, order(usize::MAX), 4, &Cancel::new()).err(), Some(Error::cancelled()));
}

/// Knows the directory that fails.
struct Guarded(Forest);

impl Visitor for Guarded {
    type Place = usize;
    type Found = usize;
    type Scratch = ();

    fn scratch(&self) {}

    fn visit(&self, place: usize, _: &mut (), crew: &mut dyn Crew<usize>) -> Result<Visit<usize>> {
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
        run(&forest, order(usize::MAX), 4, &cancel).map(|_| ())
    }));
    assert!(caught.is_err());
}
