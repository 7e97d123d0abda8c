//! An attacker for `reliability/races.mjs`: exchanges each name with `name.link`, again and again,
//! in one step of the kernel, so that the name is never missing.
//!
//! `flip COUNT NAME…`

use std::path::PathBuf;

/// Exchanges two names; `false` where one of them is missing or the system cannot.
#[cfg(target_os = "linux")]
fn exchange(one: &PathBuf, other: &PathBuf) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchange(_one: &PathBuf, _other: &PathBuf) -> bool {
    false
}

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let count = arguments.next().and_then(|count| count.to_str()?.parse::<u64>().ok());
    let names: Vec<(PathBuf, PathBuf)> = arguments
        .map(|name| {
            let mut link = name.clone();
            link.push(".link");
            (name.into(), link.into())
        })
        .collect();
    for _ in 0..count.unwrap_or(0) {
        for (name, link) in &names {
            exchange(name, link);
        }
    }
}
