//! A row of bytes added to a sum, by the widest instructions that the machine has.
#![expect(unsafe_code, reason = "calling a function built for instructions that were just found to be there")]

/// Adds a row of signed bytes to a sum, each multiplied by the same number.
pub(super) fn add_scaled(sum: &mut [f32], scale: f32, row: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the instructions that the function is built for are there.
        return unsafe { with_avx2(sum, scale, row) };
    }
    plain(sum, scale, row);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(sum: &mut [f32], scale: f32, row: &[u8]) {
    plain(sum, scale, row);
}

/// Products and sums are rounded one by one, so every machine gets the same to the last bit.
#[inline(always)]
fn plain(sum: &mut [f32], scale: f32, row: &[u8]) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += scale * f32::from(*number as i8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same() {
        for dims in [1, 7, 8, 224, 230] {
            let row: Vec<u8> = (0..dims).map(|n| (n * 91 % 256) as u8).collect();
            let (mut fast, mut slow) = (vec![0.1; row.len()], vec![0.1; row.len()]);
            for scale in [0.37, -1.0e-3, 2.5e4] {
                add_scaled(&mut fast, scale, &row);
                plain(&mut slow, scale, &row);
            }
            let bits = |sum: &[f32]| sum.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&fast), bits(&slow));
        }
    }
}
