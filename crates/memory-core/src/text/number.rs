//! Numbers in groups of three digits, which are one number: `5,000`.

/// Where a number that begins here in groups of three digits ends: `5,000`, `12,500,000`. Two groups of three may be two
/// numbers, unless the last is zeros; between points all but the first must be, since `1.234` is less than two.
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
    let is_one = if sign == b'.' { all_zeros } else { first < 3 || zeros };
    (end > start + first && is_one && !goes_on).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

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
