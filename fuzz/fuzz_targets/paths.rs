//! Any path against any directory: resolving is idempotent, leaves nothing to resolve, and says of
//! what lies within a root what a comparison of components says.
#![no_main]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use llm_chat_file_core::access::lexical;

/// POSIX resolution by its definition: one component after the other.
fn expected(base: &[u8], input: &[u8]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = Vec::new();
    let parts = if input.starts_with(b"/") { vec![input] } else { vec![base, input] };
    for part in parts {
        for name in part.split(|&byte| byte == b'/') {
            match name {
                b"" | b"." => {}
                b".." => {
                    names.pop();
                }
                _ => names.push(name),
            }
        }
    }
    [b"/", names.join(&b'/').as_slice()].concat()
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fuzz_target!(|input: (&[u8], &[u8], &[u8])| {
    let (base, root, name) = input;
    let base = [b"/", base].concat();
    let resolved = lexical::resolve(path(&base), path(name));
    assert_eq!(resolved.as_os_str().as_bytes(), expected(&base, name));
    assert_eq!(lexical::resolve(path(b"/elsewhere"), &resolved), resolved);

    let root = lexical::resolve(path(&base), path(root));
    let within = lexical::relative_within(&root, &resolved);
    let is_prefix =
        resolved.components().zip(root.components()).filter(|(one, other)| one == other).count()
            == root.components().count();
    assert_eq!(within.is_some(), is_prefix);
    if let Some(relative) = within {
        assert_eq!(lexical::resolve(&root, relative), resolved);
    }
    if let Some((parent, name)) = lexical::parent_and_name(&resolved) {
        assert_eq!(lexical::join(parent, name), resolved);
    }
    let _ = lexical::check(&resolved);
});
