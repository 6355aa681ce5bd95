//! Evaluates the text of a number field: a number, or a calculation with units, such as `50cm` or `2*0.3 + 0.1`.

/// Maximum number of bytes of a calculation, which limits the depth of nested parentheses.
const MAX_LENGTH: usize = 200;

/// Units that can be typed, with their sizes. The units of one quantity are in one list.
const UNITS: [&[(&str, f64)]; 4] = [
    &[("m", 1.0), ("mm", 0.001), ("cm", 0.01), ("km", 1000.0), ("ft", 0.3048), ("in", 0.0254)],
    &[("m\u{b2}", 1.0), ("ft\u{b2}", 0.3048 * 0.3048)],
    &[("\u{b0}", 1.0), ("deg", 1.0), ("rad", 180.0 / std::f64::consts::PI)],
    &[("s", 1.0), ("ms", 0.001)],
];

/// Computes the value of a calculation in `unit`. Numbers have a decimal point or comma, and may be followed by a unit.
/// Operators are `+ - * /`; parentheses are allowed. `None` if the text is not a calculation, or if the value is not
/// finite.
pub fn evaluate(text: &str, unit: &str) -> Option<f64> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let mut reader = Reader { rest: text, unit };
    let value = reader.sum()?;
    (reader.next_char().is_none() && value.is_finite()).then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
    unit: &'a str,
}

impl Reader<'_> {
    /// Returns the next character that is not white space, without reading it.
    fn next_char(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Reads the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let next = self.next_char().filter(|next| wanted.contains(next))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '\u{2212}']) {
            let term = self.product()?;
            value += if sign == '+' { term } else { -term };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        while let Some(sign) = self.take(&['*', '\u{d7}', '/']) {
            let factor = self.factor()?;
            value = if sign == '/' { value / factor } else { value * factor };
        }
        Some(value)
    }

    fn factor(&mut self) -> Option<f64> {
        if let Some(sign) = self.take(&['+', '-', '\u{2212}']) {
            let value = self.factor()?;
            return Some(if sign == '+' { value } else { -value });
        }
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            self.take(&[')'])?;
            return Some(value);
        }
        Some(self.number()? * self.factor_of_unit()?)
    }

    fn number(&mut self) -> Option<f64> {
        self.next_char();
        let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        let mut length = self.rest.find(|c| !is_digit(c)).unwrap_or(self.rest.len());
        // An exponent, as in `1e-3`.
        if let Some(exponent) = self.rest[length..].strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            let n_digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
            if n_digits > 0 {
                length += 1 + exponent.len() - unsigned.len() + n_digits;
            }
        }
        let (number, rest) = self.rest.split_at(length);
        self.rest = rest;
        number.replace(',', ".").parse().ok()
    }

    /// Reads the unit after a number, and returns its factor to the field's unit; 1 if there is no unit.
    fn factor_of_unit(&mut self) -> Option<f64> {
        self.next_char();
        let is_unit = |c: char| c.is_alphabetic() || c == '\u{b0}' || c == '%' || c == '\u{b2}';
        let length = self.rest.find(|c| !is_unit(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        if name.is_empty() || name == self.unit {
            return Some(1.0);
        }
        UNITS.iter().find_map(|units| {
            let size =
                |name: &str| units.iter().find(|(unit, _)| *unit == name).map(|(_, size)| size);
            Some(size(name)? / size(self.unit)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_calculations_and_units_are_read() {
        let cases = [
            ("0.9", "m", Some(0.9)),
            (" 0,9 m ", "m", Some(0.9)),
            ("45°", "°", Some(45.0)),
            ("\u{2212}3", "", Some(-3.0)),
            ("1e3", "m", Some(1000.0)),
            ("2.5E-1m", "m", Some(0.25)),
            ("50cm", "m", Some(0.5)),
            ("2*0.3 + 0.1", "m", Some(0.7)),
            ("(1 m - 20 cm) / 2", "m", Some(0.4)),
            ("-(2+3)*2", "", Some(-10.0)),
            ("8 - 2 - 1", "", Some(5.0)),
            ("1 ft", "m", Some(0.3048)),
            ("45", "cm", Some(45.0)),
            ("0.5 m", "cm", Some(50.0)),
            ("1 m - 20 cm", "cm", Some(80.0)),
            ("2 * 30 cm", "cm", Some(60.0)),
            ("2ft", "cm", Some(60.96)),
            ("6 in", "ft", Some(0.5)),
            ("1 m - 20 cm", "ft", Some(0.8 / 0.3048)),
            ("2 + 3 ft", "ft", Some(5.0)),
            ("1 m²", "ft²", Some(1.0 / 0.092_903_04)),
            ("3 m", "ft²", None),
            ("500 ms", "s", Some(0.5)),
            ("0.5 s", "ms", Some(500.0)),
            ("12 voxels", "voxels", Some(12.0)),
            ("40%", "%", Some(40.0)),
            ("", "m", None),
            ("nan", "m", None),
            ("inf", "", None),
            ("two", "m", None),
            ("1/0", "", None),
            ("1 +", "", None),
            ("(1", "", None),
            ("1)", "", None),
            ("1 2", "", None),
            ("1.2.3", "", None),
            ("3 kg", "m", None),
            ("3 m", "°", None),
        ];
        for (text, unit, expected) in cases {
            let value = evaluate(text, unit);
            let is_equal = match (value, expected) {
                (Some(value), Some(expected)) => (value - expected).abs() < 1e-12,
                (value, expected) => value == expected,
            };
            assert!(is_equal, "{text:?}: {value:?}, expected {expected:?}");
        }
        assert_eq!(evaluate(&"(".repeat(1 << 20), ""), None);
    }
}
