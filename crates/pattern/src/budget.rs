//! Bounds on work: every engine counts its steps and asks the host between refills.

use std::ops::ControlFlow;

use crate::limits::REFILL;

/// The host's say over running searches: a deadline, a cancellation token, or both.
pub trait Budget {
    /// Called before the first step, and again after every 5 to 20 ms of work; [`ControlFlow::Break`] ends the search.
    fn checkpoint(&mut self) -> ControlFlow<()>;
}

impl<F: FnMut() -> ControlFlow<()>> Budget for F {
    fn checkpoint(&mut self) -> ControlFlow<()> {
        self()
    }
}

/// The search ended without an answer: the [`Budget`] said so, or a backtracking search needed more memory
/// than it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the search was stopped")
    }
}

impl std::error::Error for Stopped {}

/// Steps left until the next checkpoint, and whom to ask then.
pub(crate) struct Fuel<'a> {
    left: &'a mut usize,
    budget: &'a mut dyn Budget,
}

impl<'a> Fuel<'a> {
    /// `left` outlives the search, so that many short searches reach a checkpoint as one long one does.
    pub(crate) fn new(left: &'a mut usize, budget: &'a mut dyn Budget) -> Self {
        Self { left, budget }
    }

    /// Pays for `steps` steps (about 10 ns each) before or after they are done.
    #[inline]
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Stopped> {
        if let Some(left) = self.left.checked_sub(steps) {
            *self.left = left;
            return Ok(());
        }
        self.refill()
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Stopped> {
        *self.left = 0;
        match self.budget.checkpoint() {
            ControlFlow::Continue(()) => {
                *self.left = REFILL;
                Ok(())
            }
            ControlFlow::Break(()) => Err(Stopped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_once_per_refill() {
        let mut asked = 0;
        let mut left = 0;
        let mut budget = || {
            asked += 1;
            ControlFlow::Continue(())
        };
        for _ in 0..10 {
            let mut fuel = Fuel::new(&mut left, &mut budget);
            for _ in 0..REFILL / 10 {
                fuel.spend(1).unwrap();
            }
        }
        assert_eq!(asked, 1);
    }

    #[test]
    fn stays_stopped() {
        let mut left = 5;
        let mut budget = || ControlFlow::Break(());
        let mut fuel = Fuel::new(&mut left, &mut budget);
        assert_eq!(fuel.spend(5), Ok(()));
        assert_eq!(fuel.spend(1), Err(Stopped));
        assert_eq!(fuel.spend(1), Err(Stopped));
    }
}
