//! Functions that are applied to decoded elements.

/// A filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    /// Unit quaternions of 16-bit components, without the largest one.
    Quaternion,
    /// Floats as a mantissa of 24 bits and an exponent of 8.
    Exponential,
}

/// Returns the supported filter with this name.
pub(super) fn named(name: &str) -> Option<Filter> {
    match name {
        "NONE" => Some(Filter::None),
        "QUATERNION" => Some(Filter::Quaternion),
        "EXPONENTIAL" => Some(Filter::Exponential),
        _ => None,
    }
}

impl Filter {
    /// Returns whether elements can have this size. It must be a multiple of 4 in any case.
    pub(super) const fn fits(self, stride: usize) -> bool {
        match self {
            Self::None | Self::Exponential => true,
            Self::Quaternion => stride == 8,
        }
    }

    pub(super) fn apply(self, elements: &mut [u8]) {
        match self {
            Self::None => {}
            Self::Quaternion => elements.as_chunks_mut().0.iter_mut().for_each(turn),
            Self::Exponential => elements.as_chunks_mut().0.iter_mut().for_each(float),
        }
    }
}

fn float(bytes: &mut [u8; 4]) {
    let value = i32::from_le_bytes(*bytes);
    let (exponent, mantissa) = (value >> 24, value << 8 >> 8);
    #[expect(clippy::cast_possible_truncation, reason = "a valid exponent is in -100..=100")]
    let number = (f64::from(mantissa) * f64::from(exponent).exp2()) as f32;
    *bytes = number.to_le_bytes();
}

fn turn(bytes: &mut [u8; 8]) {
    let input: [i16; 4] =
        std::array::from_fn(|at| i16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]));
    // The last component is 1, with as many bits as the others have; its lowest two bits encode which component is
    // missing.
    let one = f32::from(input[3] | 3);
    let scale = std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z, _] = input.map(|component| f32::from(component) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let missing = usize::from(input[3].to_le_bytes()[0] & 3);
    for (at, component) in [w, x, y, z].into_iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "rounded, and saturating")]
        let stored = (component * f32::from(i16::MAX)).round() as i16;
        let place = (missing + at) % 4 * 2;
        bytes[place..place + 2].copy_from_slice(&stored.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mantissa_and_exponent_have_signs() {
        for (value, expected) in [
            (0x0000_0000_u32, 0.0_f32),
            (0x0000_0001, 1.0),
            (0x00ff_ffff, -1.0),
            (0x017f_ffff, 16_777_214.0),
            (0xff80_0000, -4_194_304.0),
            (0x9c00_0003, 3.0 * 2.0_f32.powi(-100)),
        ] {
            let mut bytes = value.to_le_bytes();
            float(&mut bytes);
            assert_eq!(bytes, expected.to_le_bytes(), "{value:x}");
        }
    }
}
