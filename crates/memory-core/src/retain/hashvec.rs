//! Vectors by hashing, as the journal tool makes them: 128 buckets by SHA-1 of each token, counted and set to
//! length one. They are read and checked for its sake; nothing here is compared by them, because they see only ASCII.

/// How many numbers such a vector has.
pub const HASH_DIMS: usize = 128;
/// So many tokens of a text count.
const TOKENS: usize = 2000;

/// The vector of a text; all zero where it has no token.
pub fn hash_vector(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0_f32; HASH_DIMS];
    let lower = text.to_lowercase();
    let tokens = lower.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
    for token in tokens.filter(|token| token.len() >= 2).take(TOKENS) {
        if let Some(count) = counts.get_mut(hash_bucket(token)) {
            *count += 1.0;
        }
    }
    let length = counts.iter().map(|count| count * count).sum::<f32>().sqrt();
    if length > 0.0 {
        counts.iter_mut().for_each(|count| *count /= length);
    }
    counts
}

/// The bucket of a token.
pub fn hash_bucket(token: &str) -> usize {
    sha1(token.as_bytes())[0] as usize % HASH_DIMS
}

/// SHA-1, which is good enough for buckets and for nothing else.
fn sha1(bytes: &[u8]) -> [u32; 5] {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in padded.chunks_exact(64) {
        let mut words = [0_u32; 80];
        for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for n in 16..80 {
            words[n] = (words[n - 3] ^ words[n - 8] ^ words[n - 14] ^ words[n - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (n, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match n / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(mixed)
                .wrapping_add(e)
                .wrapping_add(constant)
                .wrapping_add(word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(part);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha1_is_sha1() {
        let hex = |bytes: &[u8]| sha1(bytes).map(|word| format!("{word:08x}")).concat();
        assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(&[b'a'; 200]), "e61cfffe0d9195a525fc6cf06ca2d77119c24a40");
    }

    /// The buckets that the journal tool gives to these tokens.
    #[test]
    fn buckets_are_those_of_the_journal_tool() {
        for (token, bucket) in [
            ("operator", 57),
            ("prefers", 17),
            ("deployment", 54),
            ("on", 91),
            ("fridays", 88),
            ("line2", 31),
            ("user", 111),
            ("dark", 68),
            ("mode", 4),
            ("use", 18),
            ("pnpm", 63),
            ("the", 46),
            ("rust", 15),
            ("memory", 27),
            ("agent", 5),
            ("__init__", 71),
            ("v2", 43),
        ] {
            assert_eq!(hash_bucket(token), bucket, "{token}");
        }
    }

    #[test]
    fn vectors_have_length_one_or_none() {
        let vector = hash_vector("Rust, rust and memory!");
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(vector[15] > vector[27] && vector[27] > 0.0);
        assert!(hash_vector("é 日本 a").iter().all(|x| *x == 0.0));
    }
}
