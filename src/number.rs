//! Counts and sizes between JavaScript's numbers and the core's.

/// A limit or line number: fractions are dropped, what is negative or no number is 0, and what is
/// beyond the largest count (`Infinity`) is that.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is what is meant"
)]
pub fn count(number: f64) -> usize {
    number as usize
}

/// A whole number that may be negative; fractions are dropped, what is no number is 0.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is what is meant")]
pub fn integer(number: f64) -> i64 {
    number as i64
}

/// [`count`] for bytes and milliseconds.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is what is meant"
)]
pub fn size(number: f64) -> u64 {
    number as u64
}

/// A count or a size as JavaScript counts; exact up to 2^53.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "JavaScript has no larger exact numbers")]
pub fn float(number: u64) -> f64 {
    number as f64
}

/// [`float`] for counts of things in memory.
#[must_use]
pub fn float_count(number: usize) -> f64 {
    float(u64::try_from(number).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturates_and_drops_fractions() {
        assert_eq!(count(f64::INFINITY), usize::MAX);
        assert_eq!(count(-1.0), 0);
        assert_eq!(count(f64::NAN), 0);
        assert_eq!(size(2.9), 2);
        assert_eq!(integer(-2.9), -2);
        assert_eq!(float_count(7), 7.0);
    }
}
