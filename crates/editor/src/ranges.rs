//! Ranges of the numbers in preferences and layout files. Numbers that have no range are ignored.

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};
use walkable::{diagnostic::Phrase, phrase};

const MAX_LISTED: usize = 10;

#[derive(Clone, Copy, Debug)]
pub struct NumberRange {
    /// Keys and indices, separated by dots; `*` stands for any of them.
    pub path: &'static str,
    pub kind: NumberKind,
}

#[derive(Clone, Copy, Debug)]
pub enum NumberKind {
    /// An integer from the first to the second.
    Whole(u64, u64),
    /// A number from the first to the second.
    Real(f64, f64),
    /// An integer that is only compared with others.
    Id,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    /// The first ones, as `path: found -> used`.
    listed: Vec<String>,
    n: usize,
}

impl Corrected {
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    pub fn phrase(&self) -> Phrase {
        let changes = self.listed.join("; ");
        match self.n - self.listed.len() {
            0 => phrase!("Changed: {changes}.", changes),
            n => phrase!("Changed: {changes}; and {n} more.", changes, n),
        }
    }
}

/// Parses a JSON text. Moves each number that is out of its range to the nearest valid one, and ignores numbers that
/// have no range. Fails if the text is not JSON, or if it does not describe a `T`.
pub fn read<T: DeserializeOwned>(
    text: &str,
    ranges: &[NumberRange],
) -> serde_json::Result<(T, Corrected)> {
    let mut value = serde_json::from_str(text)?;
    let mut reading = Reading { ranges, path: Vec::new(), corrected: Corrected::default() };
    reading.correct(&mut value);
    Ok((serde_json::from_value(value)?, reading.corrected))
}

struct Reading<'a> {
    ranges: &'a [NumberRange],
    path: Vec<String>,
    corrected: Corrected,
}

impl Reading<'_> {
    /// Corrects the numbers in `value`. What has no range becomes null. The parser limits how deep values are nested.
    fn correct(&mut self, value: &mut Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => {}
            Value::Number(found) => {
                let number = self.range().and_then(|kind| kind.nearest(found));
                if let Some(number) = number.as_ref().filter(|number| *number != found) {
                    self.note(found, number);
                }
                *value = number.map_or(Value::Null, Value::Number);
            }
            Value::Array(values) => {
                for (index, value) in values.iter_mut().enumerate() {
                    self.path.push(index.to_string());
                    self.correct(value);
                    self.path.pop();
                }
            }
            Value::Object(values) => values.retain(|key, value| {
                self.path.push(key.clone());
                let is_number = value.is_number();
                self.correct(value);
                // NaN is written as null. A field that is absent has its default.
                let is_kept = !value.is_null() || (!is_number && self.range().is_none());
                self.path.pop();
                is_kept
            }),
        }
    }

    fn range(&self) -> Option<NumberKind> {
        let is_here = |range: &&NumberRange| {
            let mut names = range.path.split('.');
            self.path
                .iter()
                .all(|part| names.next().is_some_and(|name| name == "*" || name == part))
                && names.next().is_none()
        };
        self.ranges.iter().find(is_here).map(|range| range.kind)
    }

    fn note(&mut self, found: &Number, used: &Number) {
        self.corrected.n += 1;
        if self.corrected.listed.len() < MAX_LISTED {
            self.corrected.listed.push(format!("{}: {found} -> {used}", self.path.join(".")));
        }
    }
}

impl NumberKind {
    /// Returns the valid number that is nearest to `number`; `None` if an id is invalid.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    fn nearest(self, number: &Number) -> Option<Number> {
        let real = number.as_f64()?;
        match self {
            Self::Whole(least, most) => {
                let whole = number.as_u64().unwrap_or_else(|| real.round() as u64);
                Some(whole.clamp(least, most).into())
            }
            Self::Real(least, most) if (least..=most).contains(&real) => Some(number.clone()),
            Self::Real(least, most) => Number::from_f64(real.clamp(least, most)),
            Self::Id => number.as_u64().map(Number::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGES: [NumberRange; 4] = [
        NumberRange { path: "scale", kind: NumberKind::Real(0.5, 3.0) },
        NumberRange { path: "at.*.x", kind: NumberKind::Real(-1.0, 1.0) },
        NumberRange { path: "n", kind: NumberKind::Whole(1, 10) },
        NumberRange { path: "id", kind: NumberKind::Id },
    ];

    fn corrected(text: &str) -> (String, Corrected) {
        let (value, corrected) = read::<Value>(text, &RANGES).unwrap();
        (value.to_string(), corrected)
    }

    #[test]
    fn each_number_is_brought_into_its_range() {
        for (text, expected) in [
            (r#"{"scale":1.25}"#, r#"{"scale":1.25}"#),
            (r#"{"scale":0}"#, r#"{"scale":0.5}"#),
            (r#"{"scale":-1}"#, r#"{"scale":0.5}"#),
            (r#"{"scale":1e38}"#, r#"{"scale":3.0}"#),
            (r#"{"scale":1e308}"#, r#"{"scale":3.0}"#),
            (r#"{"scale":null,"on":null}"#, r#"{"on":null}"#),
            (r#"{"at":[{"x":2},{"x":-0.5}]}"#, r#"{"at":[{"x":1.0},{"x":-0.5}]}"#),
            (r#"{"n":9223372036854775808}"#, r#"{"n":10}"#),
            (r#"{"n":-3}"#, r#"{"n":1}"#),
            (r#"{"n":2.6}"#, r#"{"n":3}"#),
            (r#"{"id":18446744073709551615}"#, r#"{"id":18446744073709551615}"#),
            (r#"{"id":-1}"#, "{}"),
            // Without a range.
            (r#"{"other":7,"all":[1,"a"],"text":"2"}"#, r#"{"all":[null,"a"],"text":"2"}"#),
        ] {
            assert_eq!(corrected(text).0, expected, "{text}");
        }
    }

    #[test]
    fn the_log_says_what_was_changed() {
        let corrected = |text| corrected(text).1;
        assert!(corrected(r#"{"scale":2,"n":10,"other":1e300}"#).is_empty());
        let found = corrected(r#"{"at":[{"x":-7.5}],"scale":1e38}"#);
        assert_eq!(
            found.phrase().to_string(),
            "Changed: at.0.x: -7.5 -> -1.0; scale: 1e+38 -> 3.0."
        );
        let many: Vec<_> = (0..12).map(|n| format!(r#""{n}":{{"x":9}}"#)).collect();
        let found = corrected(&format!(r#"{{"at":{{{}}}}}"#, many.join(",")));
        assert!(found.phrase().to_string().ends_with("; and 2 more."), "{}", found.phrase());
    }
}
