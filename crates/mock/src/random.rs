//! Numbers that look like chance and are the same every time.
//! Given a seed and a place in its sequence, or bytes; hands on a number. Deliberately absent: real chance.

/// The number at a place of the seed's sequence (SplitMix64).
pub(crate) fn at(seed: u64, place: u64) -> u64 {
    let step = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (step ^ (step >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Whether a number falls into a share from 0 to 1.
pub(crate) fn falls_into(number: u64, share: f64) -> bool {
    // The upper 53 bits are what an f64 holds exactly.
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
    let unit = (number >> 11) as f64 / (1u64 << 53) as f64;
    unit < share
}

/// A number made of bytes, going on from another: a multiply and a turn over eight bytes at a time; every
/// byte counts. Prompts are digested on every call, so it has to be quick.
pub(crate) fn digest(from: u64, bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(from, |sum, word| step(sum, u64::from_le_bytes(*word)));
    let sum = rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)));
    step(sum, bytes.len() as u64)
}

/// Where a digest begins.
pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_met_within_a_percent_and_is_the_same_each_time() {
        let hits = (0..100_000).filter(|place| falls_into(at(7, *place), 0.2)).count();
        assert!((19_000..21_000).contains(&hits), "{hits}");
        assert_eq!(at(7, 3), at(7, 3));
        assert_ne!(at(7, 3), at(8, 3));
    }

    #[test]
    fn every_byte_and_the_length_count() {
        let base = digest(START, b"a prompt of some length");
        assert_eq!(base, digest(START, b"a prompt of some length"));
        assert_ne!(base, digest(START, b"a prompt of some lengtH"));
        assert_ne!(base, digest(START, b"A prompt of some length"));
        assert_ne!(digest(START, b"a"), digest(START, b"a\0"));
    }

    #[test]
    fn nothing_falls_into_no_share_and_all_into_the_whole() {
        assert!((0..1000).all(|place| !falls_into(at(1, place), 0.0) && falls_into(at(1, place), 1.0)));
    }
}
