//! Numbers in groups of three digits, which are one number: `5,000`.

/// Where a number that begins here in groups of three digits ends: `5,000`, `12,500,000`. Two groups of three may be two
/// numbers, unless the last is zeros; between points all but the first must be, since `1.234` is less than two, or cents
/// follow: `48.500,00`.
pub(super) fn grouped(bytes: &[u8], start: usize, sign: u8) -> Option<usize> {
    let digits = |at: usize| bytes.iter().skip(at).take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let first = digits(start);
    if !(1..=3).contains(&first) || bytes.get(start) == Some(&b'0') {
        return None;
    }
    let (mut end, mut zeros, mut all_zeros) = (start + first, false, true);
    while bytes.get(end) == Some(&sign) && digits(end + 1) == 3 {
        zeros = bytes.get(end + 1..end + 4) == Some(b"000");
        all_zeros &= zeros;
        end += 4;
    }
    let goes_on = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        || bytes.get(end) == Some(&sign) && digits(end + 1) > 0;
    let has_cents = || bytes.get(end) == Some(&b',') && digits(end + 1) == 2;
    let is_one = if sign == b'.' { all_zeros || has_cents() } else { first < 3 || zeros };
    (end > start + first && is_one && !goes_on).then_some(end)
}

/// Where the number ends that several of something are called by: `502s`.
pub(super) fn several(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
    let end = start + digits;
    let ends = bytes.get(end + 1).is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric());
    (digits > 1 && bytes.get(end) == Some(&b's') && ends).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_of_a_number_are_called_by_it() {
        for (text, end) in [
            ("502s", Some(3)),
            ("502s,", Some(3)),
            ("502", None),
            ("502sx", None),
            ("5s", None),
            ("502sé", None),
        ] {
            assert_eq!(several(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn groups_of_three_digits_are_one_number() {
        for (text, comma, point) in [
            ("5,000 rows", Some(5), None),
            ("12,500,000", Some(10), None),
            ("1,234", Some(5), None),
            ("100,000", Some(7), None),
            ("5.000 linhas", None, Some(5)),
            ("100,200", None, None),
            ("1.234", None, None),
            ("48.500,00", None, Some(6)),
            ("1.234,5", None, None),
            ("1.234,500", None, None),
            ("5,00", None, None),
            ("5,0000", None, None),
            ("5,000x", None, None),
            ("0,500", None, None),
            ("5,000,1", None, None),
            ("1.000.0", None, None),
            ("5000", None, None),
            ("", None, None),
        ] {
            let found = [b',', b'.'].map(|sign| grouped(text.as_bytes(), 0, sign));
            assert_eq!(found, [comma, point], "{text}");
        }
    }
}
