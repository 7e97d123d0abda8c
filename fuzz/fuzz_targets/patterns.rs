//! Any pattern on any lines: compiling and matching end, and the ways to ask for a match agree.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use llm_chat_file_pattern::{Flags, Pattern, Properties};

/// Times that one question may ask its budget; after that it has to end.
const PATIENCE: usize = 20;

/// Longer patterns cost time and find nothing that shorter ones do not.
const MAX_SOURCE: usize = 48;
const MAX_BUFFER: usize = 512;

fuzz_target!(|input: (u8, &str, &str)| {
    let (letters, source, buffer) = input;
    if source.len() > MAX_SOURCE || buffer.len() > MAX_BUFFER {
        return;
    }
    let flags = Flags {
        ignore_case: letters & 1 != 0,
        unicode: letters & 2 != 0,
        multiline: letters & 4 != 0,
        dot_all: letters & 8 != 0,
    };
    let units: Vec<u16> = source.encode_utf16().collect();
    let Ok(pattern) = Pattern::compile(&units, flags, &Properties::default()) else { return };
    let mut scratch = pattern.scratch();
    let mut asked = 0;
    let mut budget = || {
        asked += 1;
        if asked > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut first = None;
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        let text =
            line.strip_suffix('\n').map_or(line, |ended| ended.strip_suffix('\r').unwrap_or(ended));
        let Ok(found) = pattern.find(&mut scratch, text, &mut budget) else { return };
        let Ok(is_match) = pattern.is_match(&mut scratch, text, &mut budget) else { return };
        assert_eq!(is_match, found.is_some(), "{text:?}");
        if let Some(found) = found {
            assert!(found.start <= found.end && found.end <= text.len());
            first = first.or(Some(at..at + text.len()));
        }
        at += line.len();
    }
    let Ok(line) = pattern.next_matching_line(&mut scratch, buffer.as_bytes(), 0, &mut budget)
    else {
        return;
    };
    assert_eq!(line.map(|line| line.range), first);
});
