//! Deny rules: names that no operation touches, whatever is granted.
//!
//! The syntax is that of gitignore(5), matched by the crate `ignore`; as there, nothing beneath a
//! denied directory can be taken out again. Where a rule means directories only (`secrets/`), a file of
//! that name is denied as well: a policy is asked before anything is known about the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{Error, Result};
use crate::text::shown::shown;

/// Rules in the order in which they were given; the last one that matches decides.
#[derive(Debug)]
pub struct Deny {
    matcher: Gitignore,
    /// Rules as they were given, by what the matcher was given for them where that differs.
    given: HashMap<String, String>,
}

impl Deny {
    /// Compiles rules; `None` when there are none to keep to.
    ///
    /// # Errors
    /// `ERR_INVALID_ARG_VALUE` for a rule that is no pattern, or one that no path can match.
    pub fn new(rules: &[String]) -> Result<Option<Self>> {
        // Paths are matched relative to a root, so it needs none of its own.
        let mut builder = GitignoreBuilder::new("");
        // A class that is not closed is a slip, and would match nothing that was meant.
        builder.allow_unclosed_class(false);
        // Where names differ in case and mean one file, so do rules.
        let is_caseless = cfg!(any(target_os = "macos", windows));
        builder.case_insensitive(is_caseless).map_err(|error| invalid("", &error.to_string()))?;
        let mut given = HashMap::new();
        for rule in rules {
            if rule.contains(['\0', '\n', '\r']) {
                return Err(invalid(rule, "it holds a line end or a NUL"));
            }
            if matches_nothing(rule) {
                return Err(invalid(rule, "no path can match it"));
            }
            let line = with_plain_braces(rule);
            builder.add_line(None, &line).map_err(|error| invalid(rule, &error.to_string()))?;
            if let Cow::Owned(line) = line {
                given.insert(line, rule.clone());
            }
        }
        let matcher = builder.build().map_err(|error| invalid("", &error.to_string()))?;
        Ok((!matcher.is_empty()).then_some(Self { matcher, given }))
    }

    /// The rule that denies `relative`, a normalised path within a root: its own, or that of a
    /// directory above it. The root itself is never denied.
    #[must_use]
    pub fn rule(&self, relative: &Path) -> Option<&str> {
        let above = relative.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        // From the top: what is beneath a denied directory is of no account any more.
        let mut above: Vec<&Path> = above.collect();
        above.reverse();
        above
            .into_iter()
            .find_map(|directory| self.rule_as(directory, true))
            .or_else(|| self.rule_of_entry(relative))
    }

    /// The rule that denies an entry of a directory that is not denied itself.
    #[must_use]
    pub fn rule_of_entry(&self, relative: &Path) -> Option<&str> {
        if relative.as_os_str().is_empty() {
            return None;
        }
        self.rule_as(relative, false).or_else(|| self.rule_as(relative, true))
    }

    fn rule_as(&self, relative: &Path, is_directory: bool) -> Option<&str> {
        match self.matcher.matched(relative, is_directory) {
            ignore::Match::Ignore(glob) => {
                let line = glob.original();
                Some(self.given.get(line).map_or(line, String::as_str))
            }
            ignore::Match::None | ignore::Match::Whitelist(_) => None,
        }
    }
}

/// Whether a rule, no comment and not blank, names what no normalised path has in it: nothing at
/// all, `.`, or `..`. Git takes such rules in silence; one who writes `./.env` believes it denied.
fn matches_nothing(rule: &str) -> bool {
    let rule = rule.trim_end_matches(' ');
    if rule.is_empty() || rule.starts_with('#') {
        return false;
    }
    let path = rule.strip_prefix('!').unwrap_or(rule);
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').any(|name| matches!(name, "" | "." | ".."))
}

/// The rule as the matcher has to be given it, for which `{a,b}` means one of two. In gitignore's
/// syntax braces are characters like any other.
fn with_plain_braces(rule: &str) -> Cow<'_, str> {
    if !rule.contains(['{', '}']) {
        return Cow::Borrowed(rule);
    }
    let mut line = String::with_capacity(rule.len() + 8);
    let mut characters = rule.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                line.push(character);
                line.extend(characters.next());
            }
            '{' | '}' => line.extend(['[', character, ']']),
            '[' => {
                let class = class_length(characters.as_str());
                line.push(character);
                line.extend(characters.by_ref().take(class));
            }
            _ => line.push(character),
        }
    }
    Cow::Owned(line)
}

/// Characters of the class that `rest` follows the bracket of, up to the one that closes it. One
/// that is not closed is refused later.
fn class_length(rest: &str) -> usize {
    let negation = usize::from(rest.starts_with(['!', '^']));
    // Right at its beginning the closing bracket is a member.
    let first = negation + usize::from(rest.chars().nth(negation) == Some(']'));
    let end = rest.chars().skip(first).position(|character| character == ']');
    end.map_or(rest.len(), |end| first + end)
}

fn invalid(rule: &str, reason: &str) -> Error {
    let rule = shown(rule.as_bytes());
    Error::new("ERR_INVALID_ARG_VALUE", format!("The deny rule '{rule}' is no pattern: {reason}"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn deny(rules: &[&str]) -> Deny {
        let rules: Vec<String> = rules.iter().map(|&rule| rule.to_owned()).collect();
        Deny::new(&rules).unwrap().unwrap()
    }

    #[track_caller]
    fn check(rules: &[&str], denied: &[&str], allowed: &[&str]) {
        let deny = deny(rules);
        for path in denied {
            assert!(deny.rule(Path::new(path)).is_some(), "{rules:?} should deny {path}");
        }
        for path in allowed {
            assert_eq!(deny.rule(Path::new(path)), None, "{rules:?} should allow {path}");
        }
    }

    #[test]
    fn without_a_slash_a_rule_holds_at_any_depth() {
        check(
            &[".env"],
            &[".env", "a/.env", "a/b/.env", ".env/x"],
            &[".env.example", "env", "", "x.env"],
        );
        check(&["*.pem"], &["a.pem", "deep/er/b.pem", "dir.pem/x"], &["pem", "a.pem.txt"]);
    }

    #[test]
    fn with_a_slash_it_is_anchored() {
        check(&["/conf"], &["conf", "conf/a"], &["a/conf"]);
        check(&["a/conf"], &["a/conf", "a/conf/x"], &["conf", "b/a/conf"]);
        check(&["secrets/**"], &["secrets/a", "secrets/a/b"], &["secrets", "x/secrets/a"]);
        check(&["**/secrets/*.key"], &["secrets/a.key", "x/y/secrets/a.key"], &["secrets/a"]);
    }

    #[test]
    fn a_rule_for_directories_denies_files_of_that_name_too() {
        check(&["private/"], &["private", "private/a", "a/private", "a/private/b"], &["privates"]);
    }

    #[test]
    fn the_last_rule_decides_but_not_beneath_a_denied_directory() {
        check(&["*.env", "!example.env"], &["a.env", "d/b.env"], &["example.env", "d/example.env"]);
        check(&["secrets", "!secrets/public"], &["secrets/public", "secrets/a"], &["public"]);
        check(
            &["secrets/*", "!secrets/public"],
            &["secrets/a"],
            &["secrets/public", "secrets/public/b"],
        );
        // Only a directory is taken out, and whether this is one is not known.
        check(&["build", "!build/"], &["build"], &[]);
    }

    #[test]
    fn braces_are_characters_as_in_git() {
        check(&["{x}"], &["{x}", "a/{x}"], &["x"]);
        check(&["{a,b}/c"], &["{a,b}/c"], &["a/c", "b/c"]);
        check(&["x{", "}"], &["x{", "}"], &["x"]);
        check(&["\\{y\\}"], &["{y}"], &["y"]);
        check(&["[{}]", "[]{]z", "[!{]w"], &["{", "}", "{z", "]z", "aw"], &["[", "az", "{w"]);
    }

    #[test]
    fn names_the_rule() {
        assert_eq!(deny(&["*.a", "/b/"]).rule(Path::new("b/c/d")), Some("/b/"));
        assert_eq!(deny(&["/{x}"]).rule(Path::new("{x}/y")), Some("/{x}"));
    }

    #[test]
    fn comments_and_blank_rules_are_none() {
        let rules = ["", "# comment", "  "].map(str::to_owned);
        assert!(Deny::new(&rules).unwrap().is_none());
        assert!(deny(&["\\#x"]).rule(Path::new("#x")).is_some());
    }

    #[test]
    fn refuses_what_is_no_pattern() {
        for rule in ["a[", "a\\", "x\0", "a\nb"] {
            let error = Deny::new(&[rule.to_owned()]).unwrap_err();
            assert_eq!(error.code, "ERR_INVALID_ARG_VALUE", "{rule:?}");
        }
    }

    #[test]
    fn refuses_what_no_path_can_match() {
        for rule in ["!", "! ", "/", "!/", "//", "./.env", "../x", "a//b", "a/./b", ".", "a/.."] {
            let error = Deny::new(&[rule.to_owned()]).unwrap_err();
            assert_eq!(error.code, "ERR_INVALID_ARG_VALUE", "{rule:?}");
        }
    }

    #[test]
    fn reads_names_that_are_not_utf_8() {
        use std::os::unix::ffi::OsStrExt;
        let name = Path::new(OsStr::from_bytes(b"\xff.pem"));
        assert!(deny(&["*.pem"]).rule(name).is_some());
    }
}
