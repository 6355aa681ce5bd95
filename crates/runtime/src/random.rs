//! Random numbers and noise that are the same on every machine: integers, and only such float
//! operations as IEEE 754 rounds exactly.

/// A stream of random numbers.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates the stream that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f32 {
        unit_from(self.next())
    }

    /// Returns a number from `low` up to, but not including, `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }

    /// Returns a number less than `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The modulus favors small results by less than one in 2^32 for the small `n` used here.
        usize::try_from(self.next() >> 32).unwrap_or(0) % n
    }

    /// Returns `true` with probability `p`.
    pub fn chance(&mut self, p: f32) -> bool {
        self.unit() < p
    }

    /// Returns one of `choices`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Mixes the bits of a number.
pub(crate) const fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[expect(clippy::cast_precision_loss, reason = "24 bits fit an f32 exactly")]
fn unit_from(bits: u64) -> f32 {
    const UNITS: f32 = 16_777_216.0;
    (bits >> 40) as f32 / UNITS
}

/// Smooth noise over the plane, from 0 to 1, that varies over about one unit of length.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    seed: u64,
}

impl Noise {
    /// Creates the noise that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed: mixed(seed ^ 0x6e6f_6973_6500_0000) }
    }

    /// Returns the value at a point: random at integer coordinates, blended smoothly between them.
    pub fn at(self, x: f32, z: f32) -> f32 {
        let (left, near) = (x.floor(), z.floor());
        let (u, v) = (smooth(x - left), smooth(z - near));
        let corner = |dx, dz| self.corner(left + dx, near + dz);
        let along_near = blend(corner(0.0, 0.0), corner(1.0, 0.0), u);
        let along_far = blend(corner(0.0, 1.0), corner(1.0, 1.0), u);
        blend(along_near, along_far, v)
    }

    /// Returns the sum of `n_octaves` noises, each with half the size and half the amplitude of the one before; 0 to 1.
    pub fn fractal(self, x: f32, z: f32, n_octaves: u8) -> f32 {
        let (mut sum, mut height, mut scale, mut highest) = (0.0, 1.0, 1.0, 0.0);
        for octave in 0..n_octaves {
            // The integer coordinates of different octaves must not coincide.
            let shift = f32::from(octave) * 37.25;
            sum += height * self.at(x * scale + shift, z * scale - shift);
            highest += height;
            height *= 0.5;
            scale *= 2.0;
        }
        sum / highest
    }

    /// Returns the value at a point with integer coordinates.
    fn corner(self, x: f32, z: f32) -> f32 {
        let place = (u64::from(x.to_bits()) << 32) | u64::from(z.to_bits());
        unit_from(mixed(mixed(place ^ self.seed).wrapping_add(self.seed)))
    }
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn blend(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_in_range() {
        let mut random = Random::new(7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!(random.below(3) < 3);
        }
    }

    #[test]
    fn noise_is_continuous() {
        let noise = Noise::new(3);
        for step in 0..4000_u16 {
            let x = f32::from(step) / 256.0 - 7.0;
            let (here, there) = (noise.fractal(x, 1.5, 3), noise.fractal(x + 1.0 / 256.0, 1.5, 3));
            assert!((0.0..=1.0).contains(&here), "{here}");
            assert!((here - there).abs() < 0.03, "at {x}: {here} {there}");
        }
    }
}
