//! The dot products of one vector with many, by the widest instructions that the machine has.
#![expect(unsafe_code, reason = "calling a function built for instructions that were just found to be there")]

/// The dot product of `vector` with each row of `rows`, which stand one after the other.
pub(crate) fn dots(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512vnni")
    {
        // SAFETY: the instructions that the function is built for are there.
        return unsafe { with_avx512(vector, rows, out) };
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        return unsafe { with_avx2(vector, rows, out) };
    }
    plain(vector, rows, out);
}

/// Sums of products of bytes exist for an unsigned and a signed side. A row's bytes with their first bit flipped are 128
/// more, which adds 128 times the sum of the vector to each product, whatever the row.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn with_avx512(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    use std::arch::x86_64::{
        _mm256_dpbusd_epi32, _mm256_loadu_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_xor_si256,
        _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_set1_epi8,
        _mm512_setzero_si512, _mm512_xor_si512, _mm512_zextsi256_si512,
    };
    if vector.is_empty() {
        return;
    }
    let (wide, rest) = vector.as_chunks::<64>();
    let (half, rest) = rest.as_chunks::<32>();
    let (flip, flip_half) = (_mm512_set1_epi8(i8::MIN), _mm256_set1_epi8(i8::MIN));
    // 128 times the vector is its product with bytes of nothing but the first bit.
    let (mut more, mut more_half) = (_mm512_setzero_si512(), _mm256_setzero_si256());
    for a in wide {
        // SAFETY: it is 64 bytes long, of which all are read.
        more = _mm512_dpbusd_epi32(more, flip, unsafe { _mm512_loadu_si512(a.as_ptr().cast()) });
    }
    for a in half {
        // SAFETY: it is 32 bytes long, of which all are read.
        more_half =
            _mm256_dpbusd_epi32(more_half, flip_half, unsafe { _mm256_loadu_si256(a.as_ptr().cast()) });
    }
    let more = _mm512_reduce_add_epi32(_mm512_add_epi32(more, _mm512_zextsi256_si512(more_half)));
    out.reserve(rows.len() / vector.len());
    for row in rows.chunks_exact(vector.len()) {
        let (row_wide, row_rest) = row.as_chunks::<64>();
        let (row_half, row_rest) = row_rest.as_chunks::<32>();
        let mut sum = _mm512_setzero_si512();
        for n in 0..wide.len() {
            // SAFETY: each is 64 bytes long, of which all are read.
            let (a, b) = unsafe {
                (_mm512_loadu_si512(wide[n].as_ptr().cast()), _mm512_loadu_si512(row_wide[n].as_ptr().cast()))
            };
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(b, flip), a);
        }
        let mut sum_half = _mm256_setzero_si256();
        for n in 0..half.len() {
            // SAFETY: each is 32 bytes long, of which all are read.
            let (a, b) = unsafe {
                (_mm256_loadu_si256(half[n].as_ptr().cast()), _mm256_loadu_si256(row_half[n].as_ptr().cast()))
            };
            sum_half = _mm256_dpbusd_epi32(sum_half, _mm256_xor_si256(b, flip_half), a);
        }
        let mut dot = _mm512_reduce_add_epi32(_mm512_add_epi32(sum, _mm512_zextsi256_si512(sum_half))) - more;
        for n in 0..rest.len() {
            dot += i32::from(rest[n]) * i32::from(row_rest[n] as i8);
        }
        out.push(dot);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    plain(vector, rows, out);
}

#[inline(always)]
fn plain(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    if vector.is_empty() {
        return;
    }
    out.reserve(rows.len() / vector.len());
    out.extend(rows.chunks_exact(vector.len()).map(|row| dot(vector, row)));
}

/// The dot product of `vector` with one row.
#[inline(always)]
pub(crate) fn dot(vector: &[i8], row: &[u8]) -> i32 {
    vector.iter().zip(row).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b as i8))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same() {
        for dims in [1, 63, 64, 65, 224, 256, 384] {
            let vector: Vec<i8> = (0..dims).map(|n| (n * 37 % 255 - 127) as i8).collect();
            let dims = vector.len();
            let mut rows: Vec<u8> = (0..dims * 7).map(|n| (n * 91 % 256) as u8).collect();
            rows.extend([vec![0x80; dims], vec![0x7f; dims], vec![0; dims]].concat());
            let mut fast = Vec::new();
            dots(&vector, &rows, &mut fast);
            let exact = |row: &[u8]| {
                vector.iter().zip(row).map(|(&a, &b)| i32::from(a) * i32::from(b as i8)).sum::<i32>()
            };
            assert_eq!(fast, rows.chunks(dims).map(exact).collect::<Vec<_>>());
            assert_eq!(fast.len(), 10);
            let mut plainly = Vec::new();
            plain(&vector, &rows, &mut plainly);
            assert_eq!(fast, plainly);
        }
    }
}
