//! Arguments of findings: numbers with their units, and names.

use std::fmt;

use serde::Serialize;

/// A value that a finding's text may hold.
pub trait Argument {
    /// What its number counts or measures, for the documentation.
    const UNIT: &'static str;
}

impl Argument for usize {
    const UNIT: &'static str = "number";
}

impl Argument for u64 {
    const UNIT: &'static str = "number";
}

impl Argument for u32 {
    const UNIT: &'static str = "number";
}

impl Argument for u8 {
    const UNIT: &'static str = "number";
}

impl Argument for f32 {
    const UNIT: &'static str = "number";
}

impl Argument for char {
    const UNIT: &'static str = "letter";
}

impl Argument for String {
    const UNIT: &'static str = "text";
}

impl Argument for &'static str {
    const UNIT: &'static str = "text";
}

/// A length, written as `0.25 m`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Meters(pub f32);

impl Argument for Meters {
    const UNIT: &'static str = "m";
}

impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", short(self.0))
    }
}

/// An angle, written as `45°`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Degrees(pub f32);

impl Argument for Degrees {
    const UNIT: &'static str = "°";
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\u{b0}", short(self.0))
    }
}

/// At most two decimals, unless the number is so small that these would say nothing.
fn short(value: f32) -> String {
    if value.abs() < 0.1 || !value.is_finite() {
        // Adding 0 turns a negative zero into a plain one.
        return (value + 0.0).to_string();
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_with_few_decimals() {
        let meters = [0.0, -0.0, 0.05, 0.3, 1.0 / 3.0, 12.0, 1000.0, 100.5];
        let texts = meters.map(|value| Meters(value).to_string());
        let expected = ["0 m", "0 m", "0.05 m", "0.3 m", "0.33 m", "12 m", "1000 m", "100.5 m"];
        assert_eq!(texts, expected);
        assert_eq!(Degrees(47.25).to_string(), "47.25\u{b0}");
    }
}
