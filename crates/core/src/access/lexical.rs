//! Paths as text: Node's `path.posix` arithmetic on bytes, asking nothing of the disk.
//!
//! Names are bytes, so a name that is not UTF-8 passes through unharmed. What these functions say
//! about containment is a first answer only; symbolic links are the gate's business.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// UTF-16 units of the received value that Node's `ERR_INVALID_ARG_VALUE` shows before `...`.
/// Source: `lib/internal/errors.js`.
const SHOWN_UNITS: usize = 128;

/// UTF-16 units of a string beyond which `util.inspect` looks no further (`maxStringLength`).
const INSPECTED_UNITS: usize = 10_000;

/// UTF-16 units up to which `util.inspect` keeps a string of several lines in one literal: its
/// `breakLength` of 80 less 4. Source: `formatPrimitive` in `lib/internal/util/inspect.js`.
const ONE_LITERAL_UNITS: usize = 76;

/// Node's `path.posix.resolve(base, input)`: `input` seen from the absolute path `base`.
///
/// The result is absolute and normalised: no empty, `.` or `..` component, no trailing slash
/// except in `/`. A `..` at the root stays at the root. NUL bytes pass through; [`check`] refuses
/// them. A `base` that is not absolute is read as if it began at `/`. Allocates once.
#[must_use]
pub fn resolve(base: &Path, input: &Path) -> PathBuf {
    let base = base.as_os_str().as_bytes();
    let input = input.as_os_str().as_bytes();
    let mut resolved = Vec::with_capacity(base.len() + input.len() + 2);
    if !input.starts_with(b"/") {
        append(&mut resolved, base);
    }
    append(&mut resolved, input);
    if resolved.is_empty() {
        resolved.push(b'/');
    }
    PathBuf::from(OsString::from_vec(resolved))
}

/// Walks the names of `path` on from the normalised `resolved`, in which `/` is still empty.
fn append(resolved: &mut Vec<u8>, path: &[u8]) {
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => resolved.truncate(memchr::memrchr(b'/', resolved).unwrap_or(0)),
            name => {
                resolved.push(b'/');
                resolved.extend_from_slice(name);
            }
        }
    }
}

/// What of `path` lies below `root`, component by component: empty if they are equal, `None` if
/// `path` is not within `root`. So `/a` contains `/a/..foo` but not `/ab`, and `/` contains all.
///
/// Both must be absolute and normalised, as [`resolve`] gives them. A rest that is not normalised
/// (`/a/../b` under `/a`) counts as outside.
#[must_use]
pub fn relative_within<'p>(root: &Path, path: &'p Path) -> Option<&'p Path> {
    let root = root.as_os_str().as_bytes();
    let path = path.as_os_str().as_bytes();
    if !root.starts_with(b"/") || !path.starts_with(b"/") {
        return None;
    }
    let root = root.strip_suffix(b"/").unwrap_or(root);
    let rest = match path.strip_prefix(root)? {
        b"" | b"/" => b"",
        rest => rest.strip_prefix(b"/")?,
    };
    let normalised = rest.is_empty()
        || rest.split(|byte| *byte == b'/').all(|name| !matches!(name, b"" | b"." | b".."));
    normalised.then(|| Path::new(OsStr::from_bytes(rest)))
}

/// The directory a normalised `path` lies in, and its last name. `None` for `/` and for the empty
/// path; the parent of a single relative name is the empty path.
#[must_use]
pub fn parent_and_name(path: &Path) -> Option<(&Path, &OsStr)> {
    let path = path.as_os_str().as_bytes();
    let (parent, name) = match memchr::memrchr(b'/', path) {
        Some(0) => (&path[..1], &path[1..]),
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (&path[..0], path),
    };
    (!name.is_empty()).then(|| (Path::new(OsStr::from_bytes(parent)), OsStr::from_bytes(name)))
}

/// `name` in the directory `dir`: always below `dir`, where `Path::join` would let an absolute
/// name replace it. An empty `dir` gives the name alone. Allocates once.
#[must_use]
pub fn join(dir: &Path, name: &OsStr) -> PathBuf {
    let dir = dir.as_os_str().as_bytes();
    let mut joined = Vec::with_capacity(dir.len() + name.len() + 1);
    joined.extend_from_slice(dir);
    if !dir.is_empty() && !dir.ends_with(b"/") {
        joined.push(b'/');
    }
    joined.extend_from_slice(name.as_bytes());
    PathBuf::from(OsString::from_vec(joined))
}

/// The names of a normalised path, first to last. Empty and `/` have none.
pub fn components(path: &Path) -> impl DoubleEndedIterator<Item = &OsStr> {
    let names = path.as_os_str().as_bytes().split(|byte| *byte == b'/');
    names.filter(|name| !name.is_empty()).map(OsStr::from_bytes)
}

/// Refuses a path that no file can have.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE`, in Node's words, if the path contains a NUL byte.
pub fn check(path: &Path) -> Result<()> {
    match memchr::memchr(0, path.as_os_str().as_bytes()) {
        Some(_) => Err(null_byte(&path.to_string_lossy())),
        None => Ok(()),
    }
}

/// The refusal of a path with a NUL in it, as Node's `fs` words it.
pub(super) fn null_byte(path: &str) -> Error {
    invalid_path(path, "must be a string, Uint8Array, or URL without null bytes")
}

/// A refusal of the argument `path` in the form of Node's `ERR_INVALID_ARG_VALUE`; `reason` says
/// what the argument must or must not be.
#[cold]
pub(super) fn invalid_path(path: &str, reason: &str) -> Error {
    let mut received = inspected(path);
    if let Some((end, splits_pair)) = cut(&received, SHOWN_UNITS) {
        received.truncate(end);
        // Node leaves half a surrogate pair here, which UTF-8 can only replace.
        received.push_str(if splits_pair { "\u{fffd}..." } else { "..." });
    }
    let message = format!("The argument 'path' {reason}. Received {received}");
    Error::new("ERR_INVALID_ARG_VALUE", message)
}

/// A string as `util.inspect` shows it: quoted and escaped, a long one line by line.
fn inspected(value: &str) -> String {
    let value = cut(value, INSPECTED_UNITS).map_or(value, |(end, _)| &value[..end]);
    let mut shown = String::with_capacity(value.len() + 2);
    if cut(value, ONE_LITERAL_UNITS).is_none() {
        quote(&mut shown, value);
        return shown;
    }
    for (index, line) in value.split_inclusive('\n').enumerate() {
        shown.push_str(if index == 0 { "" } else { " +\n  " });
        quote(&mut shown, line);
    }
    shown
}

/// Appends `text` as a JavaScript literal, in the first quotes of `'`, `"` and backtick that need
/// no escape, else in `'`. Source: `strEscape` in `lib/internal/util/inspect.js`.
fn quote(shown: &mut String, text: &str) {
    let mark = if !text.contains('\'') {
        '\''
    } else if !text.contains('"') {
        '"'
    } else if !text.contains('`') && !text.contains("${") {
        '`'
    } else {
        '\''
    };
    shown.push(mark);
    for character in text.chars() {
        match character {
            '\'' if mark == '\'' => shown.push_str("\\'"),
            '\\' => shown.push_str("\\\\"),
            '\x08' => shown.push_str("\\b"),
            '\t' => shown.push_str("\\t"),
            '\n' => shown.push_str("\\n"),
            '\x0c' => shown.push_str("\\f"),
            '\r' => shown.push_str("\\r"),
            control if control.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(shown, "\\x{:02X}", u32::from(control));
            }
            character => shown.push(character),
        }
    }
    shown.push(mark);
}

/// Where to end `text` so that it has at most `limit` UTF-16 units, and whether the limit falls
/// inside a surrogate pair. `None` if `text` is no longer than that.
fn cut(text: &str, limit: usize) -> Option<(usize, bool)> {
    let mut units = 0;
    for (index, character) in text.char_indices() {
        let width = character.len_utf16();
        if units + width > limit {
            return Some((index, units < limit));
        }
        units += width;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `path.posix.resolve(base, input)` of Node 20.
    const RESOLVED: &[(&str, &str, &str)] = &[
        ("/ws", "", "/ws"),
        ("/ws", ".", "/ws"),
        ("/ws", "./", "/ws"),
        ("/ws", "..", "/"),
        ("/ws", "../", "/"),
        ("/ws", "../..", "/"),
        ("/", "..", "/"),
        ("/", "../../a", "/a"),
        ("/", "", "/"),
        ("/", ".", "/"),
        ("/", "a", "/a"),
        ("/ws", "a", "/ws/a"),
        ("/ws", "a/", "/ws/a"),
        ("/ws", "a//b", "/ws/a/b"),
        ("/ws", "a/./b", "/ws/a/b"),
        ("/ws", "a/../b", "/ws/b"),
        ("/ws", "a/../../b", "/b"),
        ("/ws", "./a/.", "/ws/a"),
        ("/ws", "/", "/"),
        ("/ws", "//", "/"),
        ("/ws", "///x", "/x"),
        ("/ws", "//x//y//", "/x/y"),
        ("/ws", "/etc/passwd", "/etc/passwd"),
        ("/ws", "/etc/../ws/x", "/ws/x"),
        ("/ws", "..foo", "/ws/..foo"),
        ("/ws", "...", "/ws/..."),
        ("/ws", "..../x", "/ws/..../x"),
        ("/ws", ".hidden", "/ws/.hidden"),
        ("/ws", "a/..b", "/ws/a/..b"),
        ("/ws", "a/b..", "/ws/a/b.."),
        ("/ws", r"a\..\b", r"/ws/a\..\b"),
        ("/ws", " ", "/ws/ "),
        ("/ws", " /..", "/ws"),
        ("/ws", "~/x", "/ws/~/x"),
        ("/ws", "a\x00b", "/ws/a\x00b"),
        ("/ws", "a\x00/../b", "/ws/b"),
        ("/ws/", "x", "/ws/x"),
        ("/ws//sub/../y/.", "z", "/ws/y/z"),
        ("/a/../..", "b", "/b"),
        ("/ws", "é/../ß", "/ws/ß"),
        ("/ws", "a\n/b", "/ws/a\n/b"),
        ("/ws", "../ws-evil/x", "/ws-evil/x"),
        ("/ws", "../ws/x", "/ws/x"),
        ("/a/b/c/d", "../../../../../../e/..", "/"),
        ("/ws", r"C:\x", r"/ws/C:\x"),
        ("/ws", ".. /x", "/ws/.. /x"),
    ];

    #[test]
    fn resolves_as_node_does() {
        for (base, input, expected) in RESOLVED {
            let resolved = resolve(Path::new(base), Path::new(input));
            assert_eq!(resolved, Path::new(expected), "{base:?} {input:?}");
        }
    }

    #[test]
    fn contains_by_component_never_by_prefix() {
        let cases = [
            ("/a", "/a", Some("")),
            ("/a", "/a/b/c", Some("b/c")),
            ("/a", "/a/..foo", Some("..foo")),
            ("/a", "/ab", None),
            ("/a", "/", None),
            ("/a/b", "/a", None),
            ("/a", "/A/b", None),
            ("/", "/", Some("")),
            ("/", "/a", Some("a")),
            ("/a", "/a/../b", None),
            ("/", "//etc", None),
            ("/a", "a/b", None),
            ("", "/a", None),
        ];
        for (root, path, expected) in cases {
            let rest = relative_within(Path::new(root), Path::new(path));
            assert_eq!(rest.and_then(Path::to_str), expected, "{root} {path}");
        }
    }

    #[test]
    fn splits_and_joins() {
        let split = |path| parent_and_name(Path::new(path));
        assert_eq!(split("/a/b"), Some((Path::new("/a"), OsStr::new("b"))));
        assert_eq!(split("/a"), Some((Path::new("/"), OsStr::new("a"))));
        assert_eq!(split("a"), Some((Path::new(""), OsStr::new("a"))));
        assert_eq!((split("/"), split("")), (None, None));
        assert_eq!(join(Path::new("/"), OsStr::new("a")).as_os_str(), "/a");
        assert_eq!(join(Path::new("/a"), OsStr::new("/b")).as_os_str(), "/a//b");
        assert_eq!(join(Path::new(""), OsStr::new("a")).as_os_str(), "a");
        assert!(components(Path::new("/a/b")).eq(["a", "b"]));
        assert!(components(Path::new("a/b")).rev().eq(["b", "a"]));
        assert_eq!(components(Path::new("/")).count(), 0);
    }

    #[test]
    fn keeps_names_that_are_not_utf8() {
        let resolved = resolve(Path::new("/ws"), Path::new(OsStr::from_bytes(b"x/../\xff\xfe")));
        assert_eq!(resolved.as_os_str().as_bytes(), b"/ws/\xff\xfe");
    }

    #[test]
    fn refuses_nul_in_nodes_words() {
        let long = "a".repeat(200);
        let (pair, lines) = (format!("{}\u{1f600}\0", &long[..126]), "ab\n".repeat(60) + "\0");
        let cases = [
            ("a\0b", r"'a\x00b'".to_owned()),
            ("it's\0", r#""it's\x00""#.to_owned()),
            ("it's\"\0", r#"`it's"\x00`"#.to_owned()),
            ("it's\"`\0", r#"'it\'s"`\x00'"#.to_owned()),
            ("'\"${\0", r#"'\'"${\x00'"#.to_owned()),
            (
                "a\\\0\n\t\x08\x0c\r\x0b\x1b\x7f\u{80}\u{9f}é",
                r"'a\\\x00\n\t\b\f\r\x0B\x1B\x7F\x80\x9Fé'".to_owned(),
            ),
            (&format!("\0{long}"), format!(r"'\x00{}...", &long[..123])),
            (&pair, format!("'{}\u{fffd}...", &long[..126])),
            (&lines, format!("'ab\\n' +\n  {}'ab\\n' ...", "'ab\\n' +\n  ".repeat(10))),
            (&format!("{}\0", "\n".repeat(75)), format!("'{}\\...", r"\n".repeat(63))),
        ];
        for (path, received) in cases {
            let error = check(Path::new(path)).unwrap_err();
            assert_eq!(error.code, "ERR_INVALID_ARG_VALUE");
            assert_eq!(
                error.message,
                format!(
                    "The argument 'path' must be a string, Uint8Array, or URL without null bytes. \
                     Received {received}"
                )
            );
        }
        assert_eq!(check(Path::new("/a b'")), Ok(()));
    }

    /// The definition, without an eye to speed: join, split, and a stack.
    fn naive_resolve(base: &[u8], input: &[u8]) -> Vec<u8> {
        let whole = if input.first() == Some(&b'/') {
            input.to_vec()
        } else {
            [base, b"/", input].concat()
        };
        let mut stack: Vec<&[u8]> = Vec::new();
        for name in whole.split(|byte| *byte == b'/') {
            if name == b".." {
                stack.pop();
            } else if !name.is_empty() && name != b"." {
                stack.push(name);
            }
        }
        [b"/".to_vec(), stack.join(&b'/')].concat()
    }

    /// Paths dense in separators and dots, with bytes that are no UTF-8.
    fn path_bytes() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(proptest::sample::select(b"//...ab\0\xff".to_vec()), 0..40)
    }

    proptest! {
        #[test]
        fn resolves_as_defined(base in path_bytes(), input in path_bytes()) {
            let base = [b"/".to_vec(), base].concat();
            let path = |bytes| Path::new(OsStr::from_bytes(bytes));
            let resolved = resolve(path(&base), path(&input));
            prop_assert_eq!(resolved.as_os_str().as_bytes(), naive_resolve(&base, &input));
            prop_assert_eq!(resolve(path(b"/x"), &resolved), resolved);
        }

        #[test]
        fn contains_as_component_lists_do(root in path_bytes(), path in path_bytes()) {
            let root = resolve(Path::new("/"), Path::new(OsStr::from_bytes(&root)));
            for path in [
                resolve(Path::new("/"), Path::new(OsStr::from_bytes(&path))),
                resolve(&root, Path::new(OsStr::from_bytes(&path))),
            ] {
                let expected = path.strip_prefix(&root).ok();
                let rest = relative_within(&root, &path);
                prop_assert_eq!(rest.map(Path::as_os_str), expected.map(Path::as_os_str));
                if let Some((parent, name)) = parent_and_name(&path) {
                    prop_assert_eq!(join(parent, name).into_os_string(), path.as_os_str());
                }
            }
        }
    }
}
