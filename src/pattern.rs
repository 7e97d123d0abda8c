//! Compiled patterns.

use std::ops::ControlFlow;
use std::sync::Arc;

use llm_chat_file_core as core;
use llm_chat_file_pattern::{self as pattern, Flags, PatternError, PatternErrorKind, Properties};
use napi::bindgen_prelude::{
    ClassInstance, Object, ObjectFinalize, ToNapiValue, Uint32Array, Utf16String,
};
use napi::{Env, Result, sys};
use napi_derive::napi;

use crate::cancel::Cancel;
use crate::failure::coded_error;
use crate::job::{self, Rejection, Weight};

/// Code of a pattern, or a line, that would cost more than it may.
const LIMIT_CODE: &str = "ERR_PATTERN_LIMIT";

/// Checkpoints (about 10 ms each) that [`Pattern::test`] may take on the calling thread.
const TEST_CHECKPOINTS: usize = 100;

/// What a `\p{…}` holds.
#[napi(object, object_to_js = false)]
pub struct Property {
    /// What stands between the braces.
    pub name: String,
    /// First and last code point of each range, flattened.
    pub ranges: Uint32Array,
}

/// Handle of a compiled pattern. V8 is told what it holds, so that it collects those that nobody
/// uses in time.
#[napi(custom_finalize)]
#[derive(Debug)]
pub struct Pattern {
    source: Vec<u16>,
    flags: String,
    inner: Arc<pattern::Pattern>,
}

/// Compiles a pattern that V8 accepts, which may take a tenth of a second, on another thread.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` for unknown flags; when the job cannot be started. The promise is rejected with
/// `ERR_PATTERN_LIMIT` naming the cap, and with `ERR_INVALID_ARG_VALUE` for what is no pattern.
#[napi(catch_unwind, ts_return_type = "Promise<Pattern>")]
pub fn compile_pattern<'env>(
    env: &'env Env,
    source: &[u16],
    flags: String,
    properties: Vec<Property>,
    cancel: Option<ClassInstance<'_, Cancel>>,
) -> Result<Object<'env>> {
    let cancel = cancel.map(|cancel| cancel.token().clone());
    let meaning = meaning_of(env, &flags)?;
    let source = source.to_vec();
    let properties: Vec<_> =
        properties.into_iter().map(|Property { name, ranges }| (name, ranges.to_vec())).collect();
    job::run(env, Weight::Compilation, move || {
        if cancel.is_some_and(|cancel| cancel.is_cancelled()) {
            return Err(Rejection::Failed(core::Error::cancelled()));
        }
        let mut sets = Properties::default();
        for (name, ranges) in properties {
            let (pairs, _) = ranges.as_chunks::<2>();
            sets.insert(name, pairs.iter().map(|&[first, last]| (first, last)).collect());
        }
        let inner =
            pattern::Pattern::compile(&source, meaning, &sets).map_err(|error| refusal(&error))?;
        Ok(Weighed(Pattern { source, flags, inner: Arc::new(inner) }))
    })
}

/// Names of the `\p{…}` escapes in a pattern, which need not be valid.
///
/// # Errors
/// As [`compile_pattern`].
#[napi(catch_unwind)]
pub fn pattern_properties(env: &Env, source: &[u16], flags: String) -> Result<Vec<String>> {
    pattern::property_names(source, meaning_of(env, &flags)?).map_err(|error| {
        let refusal = refusal(&error);
        coded_error(env, refusal.code, &refusal.message)
    })
}

/// A pattern on its way to JavaScript.
struct Weighed(Pattern);

impl ToNapiValue for Weighed {
    unsafe fn to_napi_value(env: sys::napi_env, Self(pattern): Self) -> Result<sys::napi_value> {
        Env::from_raw(env).adjust_external_memory(pattern.weight())?;
        // SAFETY: the caller's promise about `env` is passed on.
        unsafe { Pattern::to_napi_value(env, pattern) }
    }
}

impl ObjectFinalize for Pattern {
    fn finalize(self, env: Env) -> Result<()> {
        env.adjust_external_memory(-self.weight()).map(drop)
    }
}

#[napi]
impl Pattern {
    /// The pattern as it was written.
    #[napi(getter, catch_unwind, ts_return_type = "string")]
    #[must_use]
    pub fn source(&self) -> Utf16String {
        self.source.clone().into()
    }

    /// Its flags as they were given.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn flags(&self) -> String {
        self.flags.clone()
    }

    /// `RegExp.prototype.test` on one line, on the calling thread.
    ///
    /// # Errors
    /// `ERR_PATTERN_LIMIT` when it takes about a second.
    #[napi(catch_unwind)]
    pub fn test(&self, env: &Env, line: String) -> Result<bool> {
        let mut left = TEST_CHECKPOINTS;
        let mut budget = || match left.checked_sub(1) {
            Some(rest) => {
                left = rest;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        self.inner
            .is_match(&mut self.inner.scratch(), &line, &mut budget)
            .map_err(|_| coded_error(env, LIMIT_CODE, "The pattern takes too long on this line"))
    }

    /// Bytes that it holds, roughly.
    fn weight(&self) -> i64 {
        i64::try_from(self.inner.memory_usage()).unwrap_or(i64::MAX)
    }

    /// The compiled pattern.
    #[must_use]
    pub fn inner(&self) -> &Arc<pattern::Pattern> {
        &self.inner
    }
}

/// The flags that change what matches; `d`, `g` and `y` do not.
fn meaning_of(env: &Env, flags: &str) -> Result<Flags> {
    let mut meaning = Flags::default();
    for flag in flags.chars() {
        match flag {
            'i' => meaning.ignore_case = true,
            'm' => meaning.multiline = true,
            's' => meaning.dot_all = true,
            'u' => meaning.unicode = true,
            'd' | 'g' | 'y' => {}
            other => {
                let message = format!("The flag '{other}' is not supported");
                return Err(coded_error(env, "ERR_INVALID_ARG_VALUE", &message));
            }
        }
    }
    Ok(meaning)
}

fn refusal(error: &PatternError) -> core::Error {
    let code = match error.kind {
        PatternErrorKind::TooLong | PatternErrorKind::TooDeep | PatternErrorKind::TooLarge => {
            LIMIT_CODE
        }
        PatternErrorKind::UnknownProperty | PatternErrorKind::Syntax => "ERR_INVALID_ARG_VALUE",
    };
    core::Error::new(code, error.message.clone())
}
