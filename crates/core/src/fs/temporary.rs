//! The names of the files that a write keeps beside its target until it is complete.

/// Lower-case hexadecimal digits of the target name's hash.
const HASH_DIGITS: usize = 16;

/// Whether `name` has the form of a write's temporary file: `.<16 hex>-<random>.llmfs`, the random
/// part letters and digits.
#[must_use]
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b".") else { return false };
    let Some(rest) = rest.strip_suffix(b".llmfs") else { return false };
    let Some((hash, random)) = rest.split_at_checked(HASH_DIGITS) else { return false };
    let Some(random) = random.strip_prefix(b"-") else { return false };
    hash.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        && !random.is_empty()
        && random.iter().all(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_exactly_its_own_form() {
        assert!(is_temporary(b".0123456789abcdef-a1B2.llmfs"));
        for other in [
            "0123456789abcdef-a1.llmfs",
            ".0123456789abcdef-.llmfs",
            ".0123456789abcde-a1.llmfs",
            ".0123456789abcdeg-a1.llmfs",
            ".0123456789ABCDEF-a1.llmfs",
            ".0123456789abcdef-a/1.llmfs",
            ".0123456789abcdef-a1.llmf",
            ".llmfs",
            ".",
        ] {
            assert!(!is_temporary(other.as_bytes()), "{other}");
        }
    }
}
