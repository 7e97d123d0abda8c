//! Panics become errors: native code must not end its host.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::{Env, Error};

use crate::failure::coded_error;

/// Code of the JavaScript error that a caught panic becomes.
pub const PANIC_CODE: &str = "ERR_INTERNAL_PANIC";

/// A panic that was caught: a defect of this package.
#[derive(Debug)]
pub struct Panic(String);

/// Runs `work` and catches its panic. What it shared with others is left as the panic left it:
/// locks of the core recover from poisoning, and everything else is immutable.
///
/// # Errors
/// The panic.
pub fn run<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panic(text_of(payload.as_ref())))
}

impl Panic {
    /// The panic as the error that JavaScript sees: code `ERR_INTERNAL_PANIC`, a message that
    /// says whose defect it is. To be called on the JavaScript thread.
    #[must_use]
    pub fn into_error(self, env: &Env) -> Error {
        let message = format!("llm-chat-file-native failed inside, please report it: {}", self.0);
        coded_error(env, PANIC_CODE, &message)
    }
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catches_a_panic_with_its_message() {
        assert_eq!(run(|| 7).unwrap(), 7);
        let caught = run(|| panic!("broken {}", 1)).unwrap_err();
        assert_eq!(caught.0, "broken 1");
        assert_eq!(run(|| panic!("plain")).unwrap_err().0, "plain");
        let odd = run(|| std::panic::panic_any(5)).unwrap_err();
        assert_eq!(odd.0, "a panic without a message");
    }
}
