//! Any edits of any file: bytes outside the splices stay, taking the splices back restores the file,
//! and what is said about the result is true of it.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use llm_chat_file_core::edit::{Edit, Splice, apply, compose, diff, plan};
use llm_chat_file_core::text::encoding::decode;

/// Units that a text may have.
const MAX_UNITS: usize = 4096;

#[derive(Arbitrary, Debug)]
enum AnyEdit {
    Lines { start: u8, more: u8, content: String },
    Insert { line: Option<i8>, content: String },
    Content { old: String, new: String, all: bool },
}

impl From<AnyEdit> for Edit {
    fn from(edit: AnyEdit) -> Self {
        match edit {
            AnyEdit::Lines { start, more, content } => {
                let start = usize::from(start);
                Self::ReplaceLines { start, end: start + usize::from(more), content }
            }
            AnyEdit::Insert { line, content } => {
                Self::Insert { line: line.map(i64::from), content }
            }
            AnyEdit::Content { old, new, all } => Self::ReplaceContent { old, new, all },
        }
    }
}

/// The splices that take `splices` back.
fn inverse(bytes: &[u8], splices: &[Splice]) -> Vec<Splice> {
    let mut moved = 0_isize;
    splices
        .iter()
        .map(|splice| {
            let at = splice.at.wrapping_add_signed(moved);
            moved += splice.insert.len() as isize - splice.delete as isize;
            let insert = bytes[splice.at..splice.at + splice.delete].to_vec();
            Splice { at, delete: splice.insert.len(), insert }
        })
        .collect()
}

fuzz_target!(|input: (Vec<u8>, Vec<AnyEdit>)| {
    let (bytes, edits) = input;
    let edits: Vec<Edit> = edits.into_iter().map(Edit::from).collect();
    for edit in &edits {
        let Ok(planned) = plan(&bytes, edit, MAX_UNITS) else { continue };
        let edited = apply(&bytes, &planned.splices);
        let mut done = 0;
        for splice in &planned.splices {
            assert!(splice.at >= done, "splices overlap");
            done = splice.at + splice.delete;
        }
        if let (Some(first), Some(last)) = (planned.splices.first(), planned.splices.last()) {
            assert_eq!(bytes[..first.at], edited[..first.at]);
            assert!(edited.ends_with(&bytes[last.at + last.delete..]));
        }
        assert_eq!(apply(&edited, &inverse(&bytes, &planned.splices)), bytes);
        let (before, after) = (decode(&bytes).format, decode(&edited));
        assert_eq!(after.format.encoding, before.encoding);
        assert!(planned.result_units <= MAX_UNITS);
        // Two halves of a mark may have come together: it is no longer part of the text.
        if after.format.bom == before.bom {
            assert_eq!(planned.result_units, after.text.encode_utf16().count());
        }
        let composed =
            compose(&bytes, std::slice::from_ref(edit), MAX_UNITS).expect("it was planned");
        assert_eq!(composed.bytes, edited);
    }
    if let Ok(composed) = compose(&bytes, &edits, MAX_UNITS) {
        let shown = diff::unified(&bytes, &composed.bytes, "file");
        assert!(!shown.is_empty() || decode(&bytes).text == decode(&composed.bytes).text);
    }
});
