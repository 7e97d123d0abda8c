//! Short strings from JavaScript, with one Node-API call instead of two.

use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, TypeName, ValidateNapiValue};
use napi::{Error, Result, Status, ValueType, check_status, sys};

/// Room for the first try, in bytes; longer strings take a second call. Most paths fit.
const FIRST_TRY: usize = 256;

/// A string argument as UTF-8; lone surrogates become U+FFFD.
#[derive(Debug)]
pub struct PathText(String);

impl PathText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TypeName for PathText {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ValidateNapiValue for PathText {}

impl FromNapiValue for PathText {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut bytes = Vec::with_capacity(FIRST_TRY);
        // SAFETY: `env` and `value` are those of the running call, as the trait demands.
        let mut length = unsafe { read(env, value, &mut bytes)? };
        // Node writes whole characters and a NUL, so a cut text ends up to four bytes early.
        if length + 4 >= FIRST_TRY {
            // SAFETY: as above; a null buffer asks for the length.
            let status = unsafe {
                sys::napi_get_value_string_utf8(env, value, ptr::null_mut(), 0, &mut length)
            };
            check_status!(status)?;
            bytes = Vec::with_capacity(length + 1);
            // SAFETY: as above.
            unsafe { read(env, value, &mut bytes)? };
        }
        String::from_utf8(bytes)
            .map(Self)
            .map_err(|_| Error::new(Status::StringExpected, "The string is not well formed"))
    }
}

/// Reads as much of the string as fits into the capacity of `bytes`; gives the count.
///
/// # Safety
/// `env` and `value` must belong to the running call.
unsafe fn read(env: sys::napi_env, value: sys::napi_value, bytes: &mut Vec<u8>) -> Result<usize> {
    let mut written = 0;
    // SAFETY: the buffer has the capacity that is named, and Node-API writes no more than that,
    // its NUL included.
    let status = unsafe {
        sys::napi_get_value_string_utf8(
            env,
            value,
            bytes.as_mut_ptr().cast(),
            bytes.capacity(),
            &mut written,
        )
    };
    check_status!(status, "A string was expected")?;
    // SAFETY: Node-API has written this many bytes.
    unsafe { bytes.set_len(written) };
    Ok(written)
}
