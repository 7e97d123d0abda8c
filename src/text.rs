//! Text on its way to JavaScript, prepared where the work is done.

use napi::bindgen_prelude::{Latin1String, ToNapiValue, TypeName, Utf16String};
use napi::{Result, ValueType, sys};

/// Bytes up to which V8 decodes UTF-8 on the JavaScript thread; above it, text that is not ASCII
/// crosses as UTF-16, which costs that thread a quarter of the time (20 MB: 16 ms for 55-63).
const DECODED_THERE: usize = 64 * 1024;

/// A string in the form that is cheapest for the JavaScript thread.
#[derive(Debug)]
pub enum Text {
    /// Copied without decoding.
    Ascii(Latin1String),
    /// Decoded by V8.
    Utf8(String),
    /// Decoded already.
    Utf16(Utf16String),
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.is_ascii() {
            Self::Ascii(text.into())
        } else if text.len() <= DECODED_THERE {
            Self::Utf8(text)
        } else {
            Self::Utf16(text.into())
        }
    }
}

impl TypeName for Text {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ToNapiValue for Text {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        // SAFETY: the caller's promise about `env` is passed on.
        unsafe {
            match value {
                Self::Ascii(text) => Latin1String::to_napi_value(env, text),
                Self::Utf8(text) => String::to_napi_value(env, text),
                Self::Utf16(text) => Utf16String::to_napi_value(env, text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_the_form_by_content_and_size() {
        assert!(matches!(Text::from("a".repeat(DECODED_THERE * 2)), Text::Ascii(_)));
        assert!(matches!(Text::from("é".to_owned()), Text::Utf8(_)));
        assert!(matches!(Text::from("é".repeat(DECODED_THERE)), Text::Utf16(_)));
    }
}
