//! A row of the table added to a sum, by the widest instructions that the machine has.
#![expect(unsafe_code, reason = "calling a function built for instructions that were just found to be there")]

/// Steps lie on both sides of zero, half a step off it at the least.
const MIDDLE: f32 = 7.5;

/// Adds a row of steps from 0 to 15 to a sum, each multiplied by the same number. A byte holds two: the low half is
/// of the first half of the sum.
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
    let (first, second) = sum.split_at_mut(sum.len() / 2);
    for ((first, second), steps) in first.iter_mut().zip(second).zip(row) {
        *first += scale * (f32::from(steps & 15) - MIDDLE);
        *second += scale * (f32::from(steps >> 4) - MIDDLE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_same() {
        for dims in [2, 14, 16, 224, 230] {
            let row: Vec<u8> = (0..dims / 2).map(|n| (n * 91 % 256) as u8).collect();
            let (mut fast, mut slow) = (vec![0.1; dims], vec![0.1; dims]);
            for scale in [0.37, -1.0e-3, 2.5e4] {
                add_scaled(&mut fast, scale, &row);
                plain(&mut slow, scale, &row);
            }
            let bits = |sum: &[f32]| sum.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&fast), bits(&slow));
        }
    }
    #[test]
    fn both_halves_of_a_byte_are_steps() {
        let mut sum = [1.0, 2.0, 3.0, 4.0];
        add_scaled(&mut sum, 2.0, &[0xf0, 0x78]);
        assert_eq!(sum, [1.0 - 15.0, 2.0 + 1.0, 3.0 + 15.0, 4.0 - 1.0]);
    }
}
