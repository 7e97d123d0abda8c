//! Deny rules: names that no operation touches, whatever is granted.
//!
//! The syntax is that of gitignore(5), matched by the crate `ignore`; as there, nothing beneath a
//! denied directory can be taken out again. Where a rule means directories only (`secrets/`), a file of
//! that name is denied as well: a policy is asked before anything is known about the disk.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{Error, Result};
use crate::text::shown::shown;

/// Rules in the order in which they were given; the last one that matches decides.
#[derive(Debug)]
pub struct Deny {
    matcher: Gitignore,
}

impl Deny {
    /// Compiles rules; `None` when there are none to keep to.
    ///
    /// # Errors
    /// `ERR_INVALID_ARG_VALUE` for a rule that is no pattern.
    pub fn new(rules: &[String]) -> Result<Option<Self>> {
        // Paths are matched relative to a root, so it needs none of its own.
        let mut builder = GitignoreBuilder::new("");
        // A class that is not closed is a slip, and would match nothing that was meant.
        builder.allow_unclosed_class(false);
        // Where names differ in case and mean one file, so do rules.
        let is_caseless = cfg!(any(target_os = "macos", windows));
        builder.case_insensitive(is_caseless).map_err(|error| invalid("", &error.to_string()))?;
        for rule in rules {
            if rule.contains(['\0', '\n', '\r']) {
                return Err(invalid(rule, "it holds a line end or a NUL"));
            }
            builder.add_line(None, rule).map_err(|error| invalid(rule, &error.to_string()))?;
        }
        let matcher = builder.build().map_err(|error| invalid("", &error.to_string()))?;
        Ok((!matcher.is_empty()).then_some(Self { matcher }))
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
            ignore::Match::Ignore(glob) => Some(glob.original()),
            ignore::Match::None | ignore::Match::Whitelist(_) => None,
        }
    }
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
    fn names_the_rule() {
        assert_eq!(deny(&["*.a", "/b/"]).rule(Path::new("b/c/d")), Some("/b/"));
    }

    #[test]
    fn comments_and_blank_rules_are_none() {
        let rules = ["", "# comment", "  "].map(str::to_owned);
        assert!(Deny::new(&rules).unwrap().is_none());
        assert!(deny(&["\\#x"]).rule(Path::new("#x")).is_some());
    }

    #[test]
    fn refuses_what_is_no_pattern() {
        for rule in ["a[", "a{b", "x\0", "a\nb"] {
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
