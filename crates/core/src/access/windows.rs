//! Windows paths as text: the arithmetic of Node's `path.win32` and the names Win32 reads as
//! something other than a file, asking nothing of the system.
//!
//! What these functions say about containment is a first answer only: short names, reparse points
//! and the volume's own case table are known to the opened handle alone.

use super::lexical::{invalid_path, null_byte};
use crate::error::Result;

/// Names of devices in every directory, in upper case. `COM` and `LPT` with a digit are the rest.
/// Source: "Naming Files, Paths, and Namespaces" of the Windows documentation.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

const NAMESPACE: &str = "must not be in a Windows device namespace";

/// What a path begins with, as `path.win32` reads it.
#[derive(Clone, Copy)]
enum Prefix<'a> {
    /// Neither drive nor share.
    None,
    /// A drive designator, `C:`.
    Drive(&'a str),
    /// `\\server\share`.
    Share { server: &'a str, share: &'a str },
    /// `\\.` or `\\?`; holds the mark.
    Namespace(&'a str),
}

/// A path taken apart.
#[derive(Clone, Copy)]
struct Parts<'a> {
    prefix: Prefix<'a>,
    /// Whether the tail starts at the root rather than in a current directory.
    rooted: bool,
    tail: &'a str,
}

fn is_separator(character: char) -> bool {
    matches!(character, '\\' | '/')
}

/// Takes a path apart as `path.win32.resolve` does.
fn split(path: &str) -> Parts<'_> {
    if let Some(tail) = path.strip_prefix(is_separator) {
        let Some(named) = tail.strip_prefix(is_separator) else {
            return Parts { prefix: Prefix::None, rooted: true, tail };
        };
        return split_share(named).unwrap_or(Parts { prefix: Prefix::None, rooted: true, tail });
    }
    match path.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => {
            let (drive, tail) = path.split_at(2);
            Parts { prefix: Prefix::Drive(drive), rooted: tail.starts_with(is_separator), tail }
        }
        _ => Parts { prefix: Prefix::None, rooted: false, tail: path },
    }
}

/// The parts of a path after its two leading separators, if a server and a share follow.
fn split_share(named: &str) -> Option<Parts<'_>> {
    let (server, after) = named.split_once(is_separator)?;
    let after = after.trim_start_matches(is_separator);
    if server.is_empty() || after.is_empty() {
        return None;
    }
    if matches!(server, "." | "?") {
        return Some(Parts { prefix: Prefix::Namespace(server), rooted: true, tail: after });
    }
    let (share, tail) = after.split_at(after.find(is_separator).unwrap_or(after.len()));
    Some(Parts { prefix: Prefix::Share { server, share }, rooted: true, tail })
}

/// Node's `path.win32.resolve(base, input)`: `input` seen from the absolute path `base`, which
/// names a drive or a share.
///
/// The result is absolute and normalised, with `\` between names. A rooted input without a drive
/// (`\x`) stays on the drive or share of `base`. Drives have no current directory here: `C:x` is
/// seen from `base` if that lies on `C:`, else from `C:\`. Refuses nothing; that is [`check`]'s.
#[must_use]
pub fn resolve(base: &str, input: &str) -> String {
    let (from, to) = (split(base), split(input));
    let (prefix, from_base) = match (from.prefix, to.prefix) {
        (prefix, Prefix::None) => (prefix, !to.rooted),
        (Prefix::Drive(here), Prefix::Drive(there)) => {
            (to.prefix, !to.rooted && here.eq_ignore_ascii_case(there))
        }
        (_, prefix) => (prefix, false),
    };
    let mut resolved = String::with_capacity(base.len() + input.len() + 4);
    let device: &[&str] = match prefix {
        Prefix::None => &[],
        Prefix::Drive(drive) => &[drive],
        Prefix::Share { server, share } => &["\\\\", server, "\\", share],
        Prefix::Namespace(mark) => &["\\\\", mark],
    };
    resolved.extend(device.iter().copied());
    let root = resolved.len();
    if from_base {
        append(&mut resolved, root, from.tail);
    }
    append(&mut resolved, root, to.tail);
    if resolved.len() == root {
        resolved.push('\\');
    }
    resolved
}

/// Walks the names of `tail` on from `resolved`, whose first `root` bytes no `..` leaves.
fn append(resolved: &mut String, root: usize, tail: &str) {
    for name in tail.split(is_separator) {
        match name {
            "" | "." => {}
            ".." => resolved.truncate(root + resolved[root..].rfind('\\').unwrap_or(0)),
            name => {
                resolved.push('\\');
                resolved.push_str(name);
            }
        }
    }
}

/// What of `path` lies below `root`, component by component and whatever the case: empty if they
/// are equal, `None` if `path` is not within `root`. The rest keeps the case it came in.
///
/// Both must be absolute and normalised, as [`resolve`] gives them; a path that is not counts as
/// outside, and so does everything in a device namespace. Letters are equal only if Unicode's
/// simple upper and lower case agree on it: `path.win32.relative` takes the Kelvin sign for a `k`,
/// but Windows keeps them apart, and here too they stay apart.
#[must_use]
pub fn relative_within<'p>(root: &str, path: &'p str) -> Option<&'p str> {
    let parts = split(root);
    let anchored = matches!(parts.prefix, Prefix::Drive(_) | Prefix::Share { .. }) && parts.rooted;
    if !anchored || !split(path).rooted {
        return None;
    }
    let mut rest = path;
    for name in root.strip_suffix('\\').unwrap_or(root).split('\\') {
        let (head, tail) = rest.split_once('\\').unwrap_or((rest, ""));
        if !same_name(name, head) {
            return None;
        }
        rest = tail;
    }
    let normalised =
        rest.is_empty() || rest.split(is_separator).all(|name| !matches!(name, "" | "." | ".."));
    normalised.then_some(rest)
}

fn same_name(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.chars(), right.chars());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if same_letter(left, right) => {}
            _ => return false,
        }
    }
}

/// Whether two characters differ in case alone. Windows folds UTF-16 units one by one, so beyond
/// the basic plane, and where a mapping gives several characters, only equals are the same.
fn same_letter(left: char, right: char) -> bool {
    if left == right || (left.is_ascii() && right.is_ascii()) {
        return left.eq_ignore_ascii_case(&right);
    }
    let same = |left: Option<char>, right| left == right && left.is_some();
    left.max(right) <= '\u{ffff}'
        && same(only(left.to_uppercase()), only(right.to_uppercase()))
        && same(only(left.to_lowercase()), only(right.to_lowercase()))
}

fn only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    mapped.next().filter(|_| mapped.next().is_none())
}

/// Refuses a path, resolved or not, that Win32 would read as something other than the file its
/// text names.
///
/// # Errors
/// `ERR_INVALID_ARG_VALUE` with the reason: a NUL byte; a device namespace (`\\?\`, `\\.\`,
/// `\??\`); a `:` other than a drive designator's (alternate data streams); in any component a
/// trailing dot or space, which Win32 drops, or the name of a device, with or without extension.
pub fn check(path: &str) -> Result<()> {
    if path.contains('\0') {
        return Err(null_byte(path));
    }
    if in_namespace(path) {
        return Err(invalid_path(path, NAMESPACE));
    }
    let parts = split(path);
    if let Prefix::Share { server, share } = parts.prefix {
        check_name(path, server)?;
        check_name(path, share)?;
    }
    // A namespace was refused above, so that the tail is all that is left.
    parts
        .tail
        .split(is_separator)
        .filter(|name| !matches!(*name, "" | "." | ".."))
        .try_for_each(|name| check_name(path, name))
}

/// Whether Win32 reads a path as one in a device namespace, though its text need not be complete:
/// two separators or more, then `.` or `?`.
fn in_namespace(path: &str) -> bool {
    let named = path.trim_start_matches(is_separator);
    path.len() - named.len() >= 2 && matches!(named.split(is_separator).next(), Some("." | "?"))
}

/// Refuses `path` for one of its names.
fn check_name(path: &str, name: &str) -> Result<()> {
    let reason = if name.contains(':') {
        "must not contain ':' except after the drive letter (it names an alternate data stream)"
    } else if matches!(name, "?" | "??") {
        // No file is called so, but `\??` leads to the kernel's names, and `\\?` resolves to `C:\?`.
        NAMESPACE
    } else if name.ends_with(['.', ' ']) {
        "must not have a name ending in a dot or a space (Windows drops them)"
    } else if is_device(name) {
        "must not contain a name that Windows reserves for a device"
    } else {
        return Ok(());
    };
    Err(invalid_path(path, reason))
}

/// Whether Windows may take `name` for a device: a reserved word, alone or before an extension.
/// All decimal digits and superscripts count, though Windows lists only some of them.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    if DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem)) {
        return true;
    }
    let Some((port, number)) = stem.split_at_checked(3) else {
        return false;
    };
    let superscript = |digit| matches!(digit, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹');
    (port.eq_ignore_ascii_case("COM") || port.eq_ignore_ascii_case("LPT"))
        && only(number.chars()).is_some_and(|digit| digit.is_ascii_digit() || superscript(digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `path.win32.resolve(base, input)` of Node 20.
    const RESOLVED: &[(&str, &str, &str)] = &[
        (r"C:\ws", "", r"C:\ws"),
        (r"C:\ws", ".", r"C:\ws"),
        (r"C:\ws", "..", r"C:\"),
        (r"C:\ws", r"..\..", r"C:\"),
        (r"C:\ws", "a", r"C:\ws\a"),
        (r"C:\ws", r"a\", r"C:\ws\a"),
        (r"C:\ws", "a/b", r"C:\ws\a\b"),
        (r"C:\ws", r"a//b\\c", r"C:\ws\a\b\c"),
        (r"C:\ws", r"a\.\b", r"C:\ws\a\b"),
        (r"C:\ws", r"a\..\b", r"C:\ws\b"),
        (r"C:\ws", r"a\..\..\b", r"C:\b"),
        (r"C:\ws", r"..\ws-evil\x", r"C:\ws-evil\x"),
        (r"C:\ws", "..foo", r"C:\ws\..foo"),
        (r"C:\ws", "...", r"C:\ws\..."),
        (r"C:\ws", r"\", r"C:\"),
        (r"C:\ws", "/", r"C:\"),
        (r"C:\ws", r"\x", r"C:\x"),
        (r"C:\ws", r"\windows\win.ini", r"C:\windows\win.ini"),
        (r"C:\ws", "/windows/win.ini", r"C:\windows\win.ini"),
        (r"C:\ws", "/..", r"C:\"),
        (r"C:\ws", "C:", r"C:\ws"),
        (r"C:\ws", "c:", r"c:\ws"),
        (r"C:\ws", "C:foo", r"C:\ws\foo"),
        (r"C:\ws", "c:foo", r"c:\ws\foo"),
        (r"C:\ws", "C:..", r"C:\"),
        (r"C:\ws", r"C:..\..\x", r"C:\x"),
        (r"C:\ws", "C:.", r"C:\ws"),
        (r"C:\ws", r"C:\", r"C:\"),
        (r"C:\ws", "C:/", r"C:\"),
        (r"C:\ws", r"C:\x\..\..\y", r"C:\y"),
        (r"C:\ws", r"c:\Ws\X", r"c:\Ws\X"),
        (r"C:\ws", r"D:\", r"D:\"),
        (r"C:\ws", "D:/x/./y/", r"D:\x\y"),
        (r"C:\ws", r"D:\..", r"D:\"),
        (r"C:\ws", r"\\srv\share", r"\\srv\share\"),
        (r"C:\ws", "//srv/share", r"\\srv\share\"),
        (r"C:\ws", r"\\srv\share\", r"\\srv\share\"),
        (r"C:\ws", r"\\srv\share\..\x", r"\\srv\share\x"),
        (r"C:\ws", "//srv//share//x", r"\\srv\share\x"),
        (r"C:\ws", r"\\srv", r"C:\srv"),
        (r"C:\ws", r"\\srv\", r"C:\srv"),
        (r"C:\ws", r"\\", r"C:\"),
        (r"C:\ws", r"\\\x", r"C:\x"),
        (r"C:\ws", r"\\?\C:\x", r"\\?\C:\x"),
        (r"C:\ws", r"\\.\pipe\x", r"\\.\pipe\x"),
        (r"C:\ws", r"\\.\PhysicalDrive0", r"\\.\PhysicalDrive0"),
        (r"C:\ws", "//./pipe/../x", r"\\.\x"),
        (r"C:\ws", r"\\?", r"C:\?"),
        (r"C:\ws", r"\\?\", r"C:\?"),
        (r"C:\ws", r"\??\C:\x", r"C:\??\C:\x"),
        (r"C:\ws", "ok.txt:evil", r"C:\ws\ok.txt:evil"),
        (r"C:\ws", "dir:$I30:$INDEX_ALLOCATION", r"C:\ws\dir:$I30:$INDEX_ALLOCATION"),
        (r"C:\ws", r"1:\x", r"C:\ws\1:\x"),
        (r"C:\ws", "é:x", r"C:\ws\é:x"),
        (r"C:\ws", "a b ", r"C:\ws\a b "),
        (r"C:\ws", r"dir.\x", r"C:\ws\dir.\x"),
        (r"C:\ws", "a\x00b", "C:\\ws\\a\x00b"),
        (r"\\srv\share\d", "", r"\\srv\share\d"),
        (r"\\srv\share\d", "x", r"\\srv\share\d\x"),
        (r"\\srv\share\d", "..", r"\\srv\share\"),
        (r"\\srv\share\d", r"..\..\..\x", r"\\srv\share\x"),
        (r"\\srv\share\d", r"\x", r"\\srv\share\x"),
        (r"\\srv\share\d", "/x/y", r"\\srv\share\x\y"),
        (r"\\srv\share\d", r"\\SRV\SHARE\z", r"\\SRV\SHARE\z"),
        (r"\\srv\share\d", r"\\other\share\z", r"\\other\share\z"),
        (r"\\srv\share\d", r"C:\x", r"C:\x"),
        (r"C:\", "x", r"C:\x"),
        (r"C:\", "..", r"C:\"),
        ("c:/Ws//a/../b/", "x", r"c:\Ws\b\x"),
        (r"\\srv\share", "x", r"\\srv\share\x"),
        (r"\\srv\share\", "..", r"\\srv\share\"),
    ];

    #[test]
    fn resolves_as_node_does() {
        for (base, input, expected) in RESOLVED {
            assert_eq!(resolve(base, input), *expected, "{base:?} {input:?}");
        }
    }

    #[test]
    fn sees_another_drive_from_its_root() {
        let cases = [
            (r"C:\ws", "D:", r"D:\"),
            (r"C:\ws", "D:foo", r"D:\foo"),
            (r"C:\ws", r"D:..\x", r"D:\x"),
            (r"\\srv\share\d", "C:foo", r"C:\foo"),
        ];
        for (base, input, expected) in cases {
            assert_eq!(resolve(base, input), expected, "{base} {input}");
        }
    }

    /// Where the answer is a path, `path.win32.relative` of Node 20 gives the same.
    #[test]
    fn contains_by_component_whatever_the_case() {
        let cases = [
            (r"C:\ws", r"C:\ws", Some("")),
            (r"C:\ws", r"C:\ws\a", Some("a")),
            (r"C:\ws", r"c:\WS\A\b", Some(r"A\b")),
            (r"C:\ws", r"C:\ws\..foo", Some("..foo")),
            (r"C:\ws", r"C:\ws2", None),
            (r"C:\ws", r"C:\", None),
            (r"C:\ws", r"D:\ws\a", None),
            (r"C:\", r"C:\x", Some("x")),
            (r"C:\", r"c:\", Some("")),
            (r"C:\", r"D:\x", None),
            (r"\\srv\share\", r"\\SRV\Share\x", Some("x")),
            (r"\\srv\share\", r"\\srv\share2\x", None),
            (r"\\srv\share\d", r"\\srv\share\D\e", Some("e")),
            (r"\\srv\share\d", r"C:\d\e", None),
            ("C:\\Ü", "C:\\ü\\x", Some("x")),
            ("C:\\ß", r"C:\SS\x", None),
        ];
        for (root, path, expected) in cases {
            assert_eq!(relative_within(root, path), expected, "{root} {path}");
        }
    }

    #[test]
    fn takes_for_outside_what_is_not_plain() {
        let cases = [
            (r"C:\ws", r"C:\ws\..\x"),
            (r"C:\ws", r"C:\ws\a/../../x"),
            (r"C:\ws", r"C:\ws\\x"),
            (r"C:\", "C:x"),
            ("C:", r"C:\x"),
            ("", r"\\srv\share\x"),
            (r"\", r"\x"),
            (r"\\", r"\\srv\share\x"),
            (r"\\srv", r"\\srv\share\x"),
            (r"\\?\C:\", r"\\?\C:\x"),
            ("C:\\ok", "C:\\o\u{212a}\\x"),
            ("C:\\s", "C:\\\u{17f}\\x"),
            ("C:\\i", "C:\\\u{131}\\x"),
            ("C:\\\u{10400}", "C:\\\u{10428}\\x"),
        ];
        for (root, path) in cases {
            assert_eq!(relative_within(root, path), None, "{root} {path}");
        }
    }

    #[test]
    fn refuses_what_is_no_plain_file_name() {
        let streams = ["ok.txt:evil", "ok.txt::$DATA", r"dir:$I30:$INDEX_ALLOCATION\x", "1:x"];
        let streams = streams.into_iter().chain(["é:x", r"C:\a:b", r"\C:\x", r"\\srv\c:\x", "C::"]);
        let namespaces = [r"\\?\C:\x", r"\\.\PhysicalDrive0", "//./pipe/x", r"\??\C:\x", r"\\\?\x"];
        let namespaces = namespaces.into_iter().chain([r"\\?", r"\\.", r"C:\??\x", "C:?"]);
        let devices =
            ["CON", "nul.txt", "a/Aux.tar.gz", r"C:\prn\x", "C:con", "conin$", "CONOUT$.x"];
        let devices = devices.into_iter().chain(["com1", "LPT9.txt", "COM¹", "LPT⁰", "nul .txt"]);
        let dropped = ["secret.txt.", "secret.txt ", r"dir.\x", "COM1 ", "aux.", "...", ".. /x"];
        let dropped = dropped.into_iter().chain([r"\\srv.\share\x", r"\\..\share", r"\\srv\..\x"]);
        let cases = (streams.map(|path| (path, "alternate data stream")))
            .chain(namespaces.map(|path| (path, "device namespace")))
            .chain(devices.map(|path| (path, "reserves for a device")))
            .chain(dropped.map(|path| (path, "a dot or a space")))
            .chain([("a\0b", "without null bytes. Received 'a\\x00b'")]);
        for (path, reason) in cases {
            let error = check(path).expect_err(path);
            assert_eq!(error.code, "ERR_INVALID_ARG_VALUE");
            assert!(error.message.contains(reason), "{path}: {error}");
        }
    }

    #[test]
    fn accepts_plain_names() {
        let plain = ["", ".", "..", r"..\x", r"C:\", "c:", "C:x", r"\x", "/x/y/", r"\\srv\share\x"];
        let names = ["console.log", "nul_x", "com", "COM10", "lpt", ".env", "..a", "a b", "€€€1"];
        for path in plain.into_iter().chain(names) {
            assert_eq!(check(path), Ok(()), "{path}");
        }
    }

    proptest! {
        #[test]
        fn resolves_to_absolute_normalised_paths(
            base in r"([CDc]:|\\\\srv\\sh)\\([a-c.]{1,3}\\){0,3}",
            input in r"([CDc]:|\\\\[s?.]\\[h.]|[/\\])?[a-cCD.:/\\?é ]{0,20}",
        ) {
            let resolved = resolve(&base, &input);
            let parts = split(&resolved);
            prop_assert!(parts.rooted && !matches!(parts.prefix, Prefix::None) || check(&input).is_err());
            prop_assert!(!resolved.contains('/'));
            prop_assert!(!resolved.split('\\').skip(4).any(|name| matches!(name, "." | "..")));
            if check(&base).is_ok() && check(&input).is_ok() {
                prop_assert_eq!(check(&resolved), Ok(()));
                prop_assert_eq!(&resolve(r"E:\x", &resolved), &resolved);
                prop_assert_eq!(relative_within(&resolved, &resolved), Some(""));
            }
        }

        #[test]
        fn contains_what_was_resolved_below(
            root in r"([CDc]:|\\\\srv\\sh)\\([a-cé]{1,3}\\){0,3}",
            below in r"[a-cé]{1,3}(\\[a-cé]{1,3}){0,3}",
        ) {
            let root = resolve(&root, "");
            let path = resolve(&root, &below);
            prop_assert_eq!(relative_within(&root, &path), Some(&*below));
            prop_assert_eq!(relative_within(&root.to_uppercase(), &path), Some(&*below));
            let sibling = format!("{path}x");
            prop_assert_eq!(relative_within(&path, &sibling), None);
            prop_assert_eq!(relative_within(&path, &root), None);
        }

        #[test]
        fn never_panics(base in any::<String>(), input in any::<String>()) {
            let resolved = resolve(&base, &input);
            let _ = (relative_within(&base, &resolved), check(&resolved), check(&input));
        }
    }
}
