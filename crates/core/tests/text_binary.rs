//! A corpus of first bytes, each with its verdict and the reason. Where the verdict is not that of
//! isbinaryfile 6.0.0, which the published tools ask, the reason says why.

use llm_chat_file_core::text::binary::{SAMPLE, is_binary};

/// The verdict of isbinaryfile 6.0.0 as well.
const SAME: bool = true;
/// Our own verdict; isbinaryfile 6.0.0 says the opposite.
const OURS: bool = false;

struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    binary: bool,
    same: bool,
    why: &'static str,
}

fn text(name: &'static str, bytes: impl Into<Vec<u8>>, same: bool, why: &'static str) -> Case {
    Case { name, bytes: bytes.into(), binary: false, same, why }
}

fn binary(name: &'static str, bytes: impl Into<Vec<u8>>, same: bool, why: &'static str) -> Case {
    Case { name, bytes: bytes.into(), binary: true, same, why }
}

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// `length` ASCII letters.
fn filler(length: usize) -> Vec<u8> {
    vec![b'x'; length]
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn marks() -> Vec<Case> {
    let le = utf16("hello world, text", u16::to_le_bytes);
    let be = utf16("hello world, text", u16::to_be_bytes);
    vec![
        text("utf-8 mark", "\u{feff}hello", SAME, "mark"),
        text("utf-8 mark alone", "\u{feff}", SAME, "mark"),
        text("utf-8 mark, junk", b"\xef\xbb\xbf\x01\x02\xff\xfe\x03", SAME, "mark, no NUL"),
        binary("utf-8 mark, NULs", b"\xef\xbb\xbf\0\0\0\0", OURS, "design Text: no NUL in UTF-8"),
        text("utf-16le mark", join(&[b"\xff\xfe", &le]), SAME, "mark explains the NULs"),
        text("utf-16be mark", join(&[b"\xfe\xff", &be]), SAME, "mark explains the NULs"),
        text("utf-16le mark, junk", b"\xff\xfe\x01\x80\x02\x90", SAME, "mark"),
        text("utf-16le mark, NUL units", b"\xff\xfea\0\0\0b\0", SAME, "mark"),
        text("utf-32le mark", b"\xff\xfe\0\0a\0\0\0", SAME, "mark explains the NULs"),
        text("utf-32be mark", b"\0\0\xfe\xff\0\0\0a", SAME, "mark explains the NULs"),
        text("gb18030 mark", b"\x84\x31\x95\x33\xc4\xe3\xba\xc3", SAME, "mark"),
        binary(
            "gb18030 mark, NUL",
            b"\x84\x31\x95\x33a\0",
            OURS,
            "design Text: NUL, not UTF-16/32",
        ),
        binary("half a utf-8 mark", b"\xef\xbb", SAME, "all of it is suspicious"),
        binary("utf-16le, no mark", le, OURS, "design Text: NUL, shown as garbage (faults R5)"),
        binary("utf-16be, no mark", be, OURS, "design Text: NUL, shown as garbage (faults R5)"),
        binary("utf-32be, no mark", b"\0\0\0a\0\0\0b\0\0\0c", SAME, "NUL"),
    ]
}

fn formats() -> Vec<Case> {
    vec![
        binary("pdf", b"%PDF-1.7\n", SAME, "signature"),
        text("pdf without dash", b"%PDF 1.7\n", SAME, "no signature"),
        text("pdf later", b"x%PDF-1.7\n", SAME, "signature only at the start"),
        text("pdf behind a mark", "\u{feff}%PDF-1.7\n", SAME, "mark comes first"),
        binary("elf", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0", SAME, "NUL"),
        binary("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10", SAME, "NUL"),
        binary("png signature alone", b"\x89PNG\r\n\x1a\n", SAME, "2 of 8 suspicious"),
        binary("gzip", b"\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcb\x48", SAME, "NUL"),
        binary(
            "gzip without NULs",
            b"\x1f\x8b\x08\x08\x92\x11\x99\x66\x02\xff\xcb\x48",
            SAME,
            "suspicious",
        ),
        binary("zip", b"PK\x03\x04\x14\0\0\0\x08\0", SAME, "NUL"),
        binary("jpeg", b"\xff\xd8\xff\xe0\x10JFIF\x01", SAME, "suspicious"),
        binary("wasm", b"\0asm\x01\0\0\0", SAME, "NUL"),
        binary("class file", b"\xca\xfe\xba\xbe\0\0\0\x34", SAME, "NUL"),
        text("svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", SAME, "text"),
        text("postscript", b"%!PS-Adobe-3.0\n", SAME, "text"),
        // A complete field of 16 bytes and a cut one; 3 bytes of 50 are suspicious.
        binary(
            "protobuf",
            b"\x12\x10hello, world 123\x1a\x7fhello again, hello again, hello",
            SAME,
            "protobuf",
        ),
        text("one control byte", b"hello, world\x12, hello again, world", SAME, "1 suspicious"),
        text("two, no protobuf", b"x\x12 hello, world\x12, hello again, world", SAME, "wire type"),
        binary(
            "protobuf varint",
            b"\x08\x96\x01\x12\x1ahello world, how are you...",
            SAME,
            "protobuf",
        ),
        text(
            "only a cut field",
            b"\x12\x7fhello\x12, world, hello again, hello again",
            SAME,
            "no complete field, so no protobuf",
        ),
    ]
}

fn legacy() -> Vec<Case> {
    vec![
        binary("koi8-r", b"\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2", SAME, "suspicious"),
        binary(
            "shift-jis",
            b"\x83\x65\x83\x58\x83\x67\x82\xcc\x93\xfa\x96\x7b",
            SAME,
            "suspicious",
        ),
        text("latin-1, few accents", b"Le caf\xe9 est ferm\xe9, revenez demain matin", SAME, "6 %"),
        binary("latin-1, many accents", b"\xe9t\xe9, \xe0 No\xebl, h\xf4tel", SAME, "over 10 %"),
        binary("latin-1, short", b"caf\xe9\n", SAME, "1 of 5"),
        text("exactly 10 %", b"123456789\x80", SAME, "not more than 10 %"),
        binary("just over 10 %", b"12345678\x80", SAME, "1 of 9"),
        text("gb2312 as pairs", b"\xc4\xa3\xc4\xa3\xc4\xa3", SAME, "looks like 2-byte UTF-8"),
        text(
            "ansi colours",
            b"\x1b[1mbold\x1b[0m and the rest of the line",
            SAME,
            "2 of 40, no protobuf",
        ),
        binary("ansi colours only", b"\x1b[1m\x1b[0m", SAME, "2 of 8"),
        text("bel to so", b"\x07\x08\t\n\x0b\x0c\r\x0e", SAME, "counted as text"),
        text("del", b"\x7f\x7f\x7f", SAME, "counted as text"),
        binary("only control characters", b"\x01\x02\x03\x04\x05", SAME, "suspicious"),
        binary("only continuation bytes", b"\x80\x80\x80\x80", SAME, "suspicious"),
    ]
}

fn utf8() -> Vec<Case> {
    vec![
        text("empty", "", SAME, "nothing to hold against it"),
        text("ascii", "hello\n", SAME, "text"),
        text("german", "Größe, Maß, Übung\n", SAME, "utf-8"),
        text("japanese", "日本語のテキスト", SAME, "utf-8"),
        text("emoji", "😀😀😀", SAME, "utf-8"),
        text("zero width", "\u{200b}\u{202e}x", SAME, "utf-8"),
        text("surrogate", b"\xed\xa0\x80\xed\xa0\x80", SAME, "loose check, as published"),
        text("overlong", b"\xc0\xaf\xc0\xaf", SAME, "loose check, as published"),
        binary("file ends in a character", b"abc\xe2\x82", SAME, "the file ends, not the sample"),
        binary("false start hides a NUL", b"aaaaaaaaaaaaaaaaaaaa\xc3\0", OURS, "design Text: NUL"),
        binary("single NUL", b"\0", SAME, "NUL"),
        binary("the published test", b"\0\x01\x02\xff", SAME, "NUL"),
        binary("NUL at the end", b"hello\0", SAME, "NUL"),
    ]
}

/// What stands around the ends of the samples: 512 scanned, 515 read, 8192 searched for NUL.
fn borders() -> Vec<Case> {
    let euro = "€".as_bytes();
    vec![
        text(
            "character over 512",
            join(&[&filler(511), euro, &filler(20)]),
            SAME,
            "complete by 515",
        ),
        text("emoji over 512", join(&[&filler(511), "😀".as_bytes()]), SAME, "complete by 515"),
        text("all multibyte", "€".repeat(400), SAME, "utf-8"),
        text("all multibyte, shifted", format!("x{}", "€".repeat(400)), SAME, "utf-8"),
        text("all emoji, shifted", format!("xx{}", "😀".repeat(400)), SAME, "utf-8"),
        binary(
            "file ends at 512 in a character",
            join(&[&filler(510), &euro[..2]]),
            SAME,
            "2 suspicious, and x reads as protobuf",
        ),
        binary("NUL at 511", join(&[&filler(511), b"\0"]), SAME, "NUL"),
        binary(
            "NUL at 512",
            join(&[&filler(512), b"\0"]),
            OURS,
            "faults Reading: NUL after the sample",
        ),
        binary(
            "NUL at 515",
            join(&[&filler(515), b"\0x"]),
            OURS,
            "faults Reading: NUL after the sample",
        ),
        binary(
            "NUL at 1024",
            join(&[&filler(1024), b"\0x"]),
            OURS,
            "faults Reading: NUL after the sample",
        ),
        binary(
            "NUL at 8191",
            join(&[&filler(8191), b"\0x"]),
            OURS,
            "faults Reading: NUL after the sample",
        ),
        text("NUL at 8192", join(&[&filler(8192), b"\0x"]), SAME, "beyond what is looked at"),
        text(
            "utf-8 mark, NUL at 8192",
            join(&["\u{feff}".as_bytes(), &filler(8189), b"\0"]),
            SAME,
            "beyond",
        ),
        text("junk after 512", join(&[&filler(512), &[0xff; 600]]), SAME, "beyond what is scanned"),
        text("51 bad of 512", join(&[&[0xff; 51], &filler(600)]), SAME, "under 10 %, no protobuf"),
        binary("52 bad of 512", join(&[&[0xff; 52], &filler(600)]), SAME, "over 10 %"),
        text(
            "%PDF- at 1024",
            join(&[&filler(1024), b"%PDF-"]),
            SAME,
            "signature only at the start",
        ),
    ]
}

fn corpus() -> Vec<Case> {
    [marks(), formats(), legacy(), utf8(), borders()].into_iter().flatten().collect()
}

#[test]
fn judges_the_corpus() {
    for Case { name, bytes, binary, why, .. } in corpus() {
        assert_eq!(is_binary(&bytes, true), binary, "{name}: {why}");
        // A caller that gives no more than the sample gets the same answer.
        let sample = &bytes[..bytes.len().min(SAMPLE)];
        assert_eq!(is_binary(sample, bytes.len() <= SAMPLE), binary, "{name}, sample: {why}");
    }
}

/// Differences come from NULs alone: they are what the published check misses.
#[test]
fn differs_from_the_published_check_only_where_there_is_a_nul() {
    let own: Vec<Case> = corpus().into_iter().filter(|case| case.same == OURS).collect();
    assert_eq!(own.len(), 9);
    assert!(own.iter().all(|case| case.binary && case.bytes.contains(&0)));
}

#[test]
fn a_character_cut_by_the_sample_is_no_evidence() {
    for character in ["é", "€", "😀"] {
        for kept in 1..character.len() {
            let cut = &character.as_bytes()[..kept];
            assert!(!is_binary(cut, false), "{character} cut to {kept}");
            assert!(is_binary(cut, true), "{character} cut to {kept}, at the end of the file");
            assert!(!is_binary(&join(&[b"abc", cut]), false));
            // At each end of a sample, in a file that goes on.
            for end in [512, 515, SAMPLE] {
                let sample = join(&[&filler(end - kept), cut]);
                assert!(!is_binary(&sample, false), "{character} cut at {end}");
            }
        }
    }
    // A false start is evidence wherever it stands.
    assert!(is_binary(b"a\xe2x", false));
}
