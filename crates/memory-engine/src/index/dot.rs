//! The dot products of one vector with many, by the widest instructions that the machine has.
#![expect(unsafe_code, reason = "calling a function built for instructions that were just found to be there")]

/// The dot product of `vector` with each row of `rows`, which stand one after the other.
pub(crate) fn dots(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512bw") && std::arch::is_x86_feature_detected!("avx512vnni") {
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn with_avx512(vector: &[i8], rows: &[u8], out: &mut Vec<i32>) {
    plain(vector, rows, out);
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
    for row in rows.chunks_exact(vector.len()) {
        let dot: i32 =
            vector.iter().zip(row).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b as i8))).sum();
        out.push(dot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same() {
        let vector: Vec<i8> = (0..256).map(|n| (n * 37 % 255 - 127) as i8).collect();
        let rows: Vec<u8> = (0..256 * 7).map(|n| (n * 91 % 256) as u8).collect();
        let mut fast = Vec::new();
        dots(&vector, &rows, &mut fast);
        let exact = |row: &[u8]| {
            vector.iter().zip(row).map(|(&a, &b)| i32::from(a) * i32::from(b as i8)).sum::<i32>()
        };
        assert_eq!(fast, rows.chunks(256).map(exact).collect::<Vec<_>>());
        assert_eq!(fast.len(), 7);
    }
}
