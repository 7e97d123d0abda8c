//! Any bytes as text and as names: the borders of chunks make no difference, what is valid comes
//! back as it was, and shown names are harmless and can be read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llm_chat_file_core::text::binary::is_binary;
use llm_chat_file_core::text::encoding::{Decoder, decode, encode};
use llm_chat_file_core::text::shown::{is_hidden, shown, unquote};
use llm_chat_file_core::text::utf16;

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (step, bytes) = input;
    let whole = decode(&bytes);
    let mut text = String::new();
    let mut decoder = Decoder::new();
    for chunk in bytes.chunks(usize::from(step).max(1)) {
        decoder.push(chunk, &mut text);
    }
    assert_eq!(decoder.finish(&mut text), whole.format);
    assert_eq!(text, whole.text);
    if !whole.format.lossy {
        assert_eq!(encode(&text, whole.format.encoding, whole.format.bom), bytes);
    }
    if !whole.format.bom {
        assert_eq!(text, String::from_utf8_lossy(&bytes));
    }
    assert_eq!(utf16::units(&text), text.encode_utf16().count());
    let cut = utf16::truncate(&text, usize::from(step));
    assert!(text.starts_with(cut) && utf16::units(cut) <= usize::from(step));

    let _ = is_binary(&bytes, true);
    let _ = is_binary(&bytes, false);

    let name = shown(&bytes);
    assert!(!name.chars().any(is_hidden), "{name:?}");
    if name.starts_with('"') {
        assert_eq!(unquote(&name).as_deref(), Some(bytes.as_slice()), "{name:?}");
    } else {
        assert_eq!(name.as_bytes(), bytes);
    }
});
