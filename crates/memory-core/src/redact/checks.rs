//! Arithmetic about tokens: entropy, checksums, base64, and how natural a run of letters is.
//!
//! Each function is total and takes time linear in its argument.

/// Shannon entropy of a text, in bits for each byte.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for b in text.bytes() {
        counts[usize::from(b)] += 1;
    }
    let total = text.len() as f64;
    let share = |count: u32| f64::from(count) / total;
    counts.iter().filter(|count| **count > 0).map(|count| -share(*count) * share(*count).log2()).sum()
}

/// Whether the last six characters are the CRC-32 of those before them, written in base 62. GitHub and npm
/// tokens end so.
pub(super) fn crc32_base62(variable: &str) -> bool {
    let Some((random, sum)) = variable.len().checked_sub(6).and_then(|at| variable.split_at_checked(at))
    else {
        return false;
    };
    let mut value = 0_u64;
    for b in sum.bytes() {
        let digit = match b {
            b'0'..=b'9' => b - b'0',
            b'A'..=b'Z' => b - b'A' + 10,
            b'a'..=b'z' => b - b'a' + 36,
            _ => return false,
        };
        value = value * 62 + u64::from(digit);
    }
    value == u64::from(crc32(random.as_bytes()))
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for b in bytes {
        crc ^= u32::from(*b);
        for _ in 0..8 {
            let odd = crc & 1 == 1;
            crc >>= 1;
            if odd {
                crc ^= 0xEDB8_8320;
            }
        }
    }
    !crc
}

/// Whether a bot token begins with the base64 of a number: the account it belongs to.
pub(super) fn discord(token: &str) -> bool {
    let account = token.split('.').next().unwrap_or_default();
    decode(account).is_some_and(|id| (17..=20).contains(&id.len()) && id.iter().all(u8::is_ascii_digit))
}

/// Whether a token mixes large letters, small letters and digits, as words joined by underscores do not.
pub(super) fn mixed(token: &str) -> bool {
    let any = |is: fn(&u8) -> bool| token.as_bytes().iter().any(is);
    any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase) && any(u8::is_ascii_digit)
}

/// Decodes base64 or base64url, with or without padding.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    let mut held = 0_u32;
    let mut bits = 0;
    for b in digits.bytes() {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(six)) & 0xFFFF;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits & 0xFF) as u8);
        }
    }
    Some(out)
}

/// How much of a text reads like words: the share of common letter pairs among all letter pairs and all
/// steps between a letter and a digit. Words and identifiers come out above 0.8, random tokens near 0.3.
/// `None` if the text has neither letter pairs nor such steps.
pub(super) fn naturalness(text: &str) -> Option<f64> {
    let (mut natural, mut all) = (0_u32, 0_u32);
    let bytes = text.as_bytes();
    for pair in bytes.windows(2) {
        let &[left, right] = pair else { continue };
        if left.is_ascii_alphabetic() && right.is_ascii_alphabetic() {
            all += 1;
            natural += u32::from(is_common(left, right));
        } else if left.is_ascii_alphanumeric()
            && right.is_ascii_alphanumeric()
            && left.is_ascii_digit() != right.is_ascii_digit()
        {
            all += 1;
        }
    }
    (all > 0).then(|| f64::from(natural) / f64::from(all))
}

fn is_common(left: u8, right: u8) -> bool {
    let column = usize::from(left.to_ascii_lowercase().wrapping_sub(b'a'));
    let row = right.to_ascii_lowercase().wrapping_sub(b'a');
    PAIRS.get(column).is_some_and(|rows| rows >> u32::from(row) & 1 == 1)
}

/// The letters that commonly follow each letter, from `a` to `z`. These pairs make up some 94 % of all
/// pairs in English, Portuguese and program identifiers, and 36 % of random ones.
const FOLLOWERS: [&str; 26] = [
    "bcdgilmnoprstuvy",
    "aeilorsuy",
    "acehiklortu",
    "adeiorsu",
    "acdefgilmnpqrstvwx",
    "abefiloru",
    "aehinorsu",
    "aeiot",
    "abcdefglmnoprstvxz",
    "aou",
    "eis",
    "adeilostuy",
    "abeimopsu",
    "acdefghilostuv",
    "bcdefgiklmnoprstuvw",
    "aeiloprstu",
    "u",
    "acdegikmnorstuy",
    "acehiopstuy",
    "acehiloprstuy",
    "abcdegilmnprst",
    "aeio",
    "aehior",
    "eipt",
    "ps",
    "ae",
];

const PAIRS: [u32; 26] = {
    let mut pairs = [0_u32; 26];
    let mut column = 0;
    while column < 26 {
        let rows = FOLLOWERS[column].as_bytes();
        let mut i = 0;
        while i < rows.len() {
            pairs[column] |= 1 << (rows[i] - b'a');
            i += 1;
        }
        column += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_known_texts() {
        assert_eq!(entropy(""), 0.0);
        assert_eq!(entropy("aaaa"), 0.0);
        assert_eq!(entropy("abab"), 1.0);
        assert_eq!(entropy("abcdefgh"), 3.0);
    }

    #[test]
    fn the_published_sample_token_has_its_checksum() {
        let random = "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ";
        assert!(crc32_base62(&format!("{random}0mLq17")));
        assert!(!crc32_base62(&format!("{random}0mLq18")));
        assert!(!crc32_base62("short"));
        assert!(!crc32_base62("ééééé"));
    }

    #[test]
    fn base64_of_both_alphabets() {
        assert_eq!(decode("aGk_").as_deref(), Some(&b"hi?"[..]));
        assert_eq!(decode("aGk/").as_deref(), Some(&b"hi?"[..]));
        assert_eq!(decode("aGk=").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decode("a b"), None);
    }

    #[test]
    fn words_are_natural_and_tokens_are_not() {
        for word in
            ["configuration", "max_output_length", "getUserById", "AuthenticationError", "senha_do_banco"]
        {
            assert!(naturalness(word).is_some_and(|n| n > 0.75), "{word} {:?}", naturalness(word));
        }
        for token in ["x7Kp2mQ9vL4nR8tYzWb", "3f2a9c81be04d7f65a10", "qzvXkJwPbHdTgRmN"] {
            assert!(naturalness(token).is_some_and(|n| n < 0.5), "{token} {:?}", naturalness(token));
        }
        assert_eq!(naturalness("1 2 3"), None);
    }
}
