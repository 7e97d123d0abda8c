//! Bytes and text: encodings, lines, lengths, what is binary, and how names are shown.
//!
//! Nothing here touches the disk. Lengths and columns are UTF-16 units, because that is how
//! JavaScript measures strings; offsets into Rust strings are bytes.

pub mod binary;
pub mod encoding;
pub mod lines;
pub mod shown;
pub mod trim;
pub mod utf16;
