//! Resolves paths for `reliability/paths.mjs`: reads `[base, input]` as JSON, one a line, and
//! writes what POSIX and what Windows make of it, in the same form.
#![expect(clippy::print_stdout, reason = "that is what the program is for")]

use std::io::BufRead;
use std::path::Path;

use llm_chat_file_core::access::{lexical, windows};

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok([kind, base, input]) = serde_json::from_str::<[String; 3]>(&line) else { return };
        let resolved = match kind.as_str() {
            "posix" => lexical::resolve(Path::new(&base), Path::new(&input)).display().to_string(),
            _ => windows::resolve(&base, &input),
        };
        println!("{}", serde_json::Value::from(resolved));
    }
}
