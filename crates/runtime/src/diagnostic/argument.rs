//! Arguments of findings: numbers with their units, and names.

use std::fmt;

use serde::Serialize;

use super::phrase::{ArgumentValue, Phrase};

/// A value that a finding's text may hold.
pub trait Argument: Sized + fmt::Display {
    /// The unit of the number, or what it counts, for the documentation.
    const UNIT: &'static str;

    /// Returns the value for texts in other languages and units.
    fn value(&self) -> ArgumentValue {
        ArgumentValue::Text(self.to_string())
    }

    /// Appends the value to `out`.
    fn store(&self, out: &mut Vec<u8>);

    /// Reads a stored value from the start of `input`, and advances `input`; `None` if there is none.
    fn restore(input: &mut &[u8]) -> Option<Self>;
}

/// Reads an array from the start of `input`, and advances `input`.
pub(super) fn take<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(*taken)
}

/// Implements [`Argument`] for numbers, stored as little-endian bytes of the type `$stored`.
macro_rules! number_arguments {
    ($($kind:ty as $stored:ty),*) => {$(
        impl Argument for $kind {
            const UNIT: &'static str = "number";

            fn store(&self, out: &mut Vec<u8>) {
                let value = <$stored>::try_from(*self).unwrap_or(<$stored>::MAX);
                out.extend(value.to_le_bytes());
            }

            fn restore(input: &mut &[u8]) -> Option<Self> {
                Self::try_from(<$stored>::from_le_bytes(take(input)?)).ok()
            }
        }
    )*};
}

number_arguments!(usize as u64, u64 as u64, u32 as u32, u16 as u16, u8 as u8, f32 as f32);

impl Argument for char {
    const UNIT: &'static str = "letter";

    fn store(&self, out: &mut Vec<u8>) {
        u32::from(*self).store(out);
    }

    fn restore(input: &mut &[u8]) -> Option<Self> {
        Self::from_u32(u32::restore(input)?)
    }
}

impl Argument for String {
    const UNIT: &'static str = "text";

    fn store(&self, out: &mut Vec<u8>) {
        self.len().store(out);
        out.extend(self.as_bytes());
    }

    fn restore(input: &mut &[u8]) -> Option<Self> {
        let length = usize::restore(input)?;
        let (text, rest) = input.split_at_checked(length)?;
        *input = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }
}

/// A length, written as `0.25 m`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Meters(pub f32);

/// An area, written as `2.5 m²`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct SquareMeters(pub f32);

/// An angle, written as `45°`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Degrees(pub f32);

/// Implements [`Argument`] for numbers with a unit. All of them except angles can be shown in another unit.
macro_rules! measured_arguments {
    ($($kind:ident: $unit:literal;)*) => {$(
        impl Argument for $kind {
            const UNIT: &'static str = $unit;

            fn value(&self) -> ArgumentValue {
                ArgumentValue::Quantity { value: self.0, unit: Self::UNIT.into(), text: self.to_string() }
            }

            fn store(&self, out: &mut Vec<u8>) {
                self.0.store(out);
            }

            fn restore(input: &mut &[u8]) -> Option<Self> {
                f32::restore(input).map(Self)
            }
        }
    )*};
}

measured_arguments! {
    Meters: "m";
    SquareMeters: "m\u{b2}";
    Degrees: "\u{b0}";
}

impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", short(self.0))
    }
}

impl fmt::Display for SquareMeters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m\u{b2}", short(self.0))
    }
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\u{b0}", short(self.0))
    }
}

/// Converts arguments of findings.
macro_rules! from_arguments {
    ($($kind:ty),*) => {$(
        impl From<$kind> for ArgumentValue {
            fn from(argument: $kind) -> Self {
                argument.value()
            }
        }
    )*};
}

from_arguments!(usize, u64, u32, u16, u8, String, Meters, SquareMeters, Degrees);

impl Argument for Phrase {
    const UNIT: &'static str = "text";

    fn value(&self) -> ArgumentValue {
        ArgumentValue::Phrase(self.clone())
    }

    /// Stores the English text.
    fn store(&self, out: &mut Vec<u8>) {
        self.to_string().store(out);
    }

    fn restore(input: &mut &[u8]) -> Option<Self> {
        String::restore(input).map(Self::verbatim)
    }
}

/// Formats a number with at most two decimals, or three below 0.1.
fn short(value: f32) -> String {
    let digits = if value.abs() < 0.1 { 3 } else { 2 };
    let text = format!("{value:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_with_few_decimals() {
        let meters = [0.0, -0.0, -5.960_464_5e-8, 0.0504, 0.3, 1.0 / 3.0, 12.0, 1000.0, 100.5];
        let texts = meters.map(|value| Meters(value).to_string());
        let expected =
            ["0 m", "0 m", "0 m", "0.05 m", "0.3 m", "0.33 m", "12 m", "1000 m", "100.5 m"];
        assert_eq!(texts, expected);
        assert_eq!(Degrees(47.25).to_string(), "47.25\u{b0}");
        assert_eq!(SquareMeters(24.3).to_string(), "24.3 m\u{b2}");
    }

    #[test]
    fn a_stored_phrase_is_its_text() {
        let mut bytes = Vec::new();
        crate::phrase!("{n} agents", n = 3_usize).store(&mut bytes);
        let restored = Phrase::restore(&mut &*bytes).map(|phrase| phrase.to_string());
        assert_eq!(restored.as_deref(), Some("3 agents"));
        assert_eq!(Phrase::restore(&mut &bytes[..4]), None);
    }
}
