//! Formats numbers for users: with about three significant digits, with units, and with separators between thousands.

use std::time::Duration;

use glam::Vec3;
use jiff::{Timestamp, tz::TimeZone};
use walkable::{
    bake::{Param, ParamKind, ParamValue},
    diagnostic::{ArgumentValue, Phrase},
    phrase,
};

use crate::{
    lang::{self, tr},
    units::{self, Units, units},
    values::plain,
};

/// Formats a number with at most three significant digits, but with all digits before the point: 0.3, 12.5, 1480.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "n/a".to_owned();
    }
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 || v == 0.0 => 2,
        _ => 3,
    };
    trimmed(plain(value, decimals))
}

/// Formats `value` with the fewest digits that parse to it again, as it was typed.
pub fn exact(value: f32) -> String {
    value.to_string()
}

/// Returns the `f64` that prints as `value` does: 0.3 instead of 0.30000001192092896.
pub fn typed(value: f32) -> f64 {
    exact(value).parse().unwrap_or_else(|_| f64::from(value))
}

pub fn quantity(value: f64, unit: &str) -> String {
    let shown = units::shown(unit);
    format!("{}{}", number(value / shown.size), units::suffix(shown.symbol))
}

/// Formats a quantity that is stored in `unit`, in the unit of the window, with all digits that matter.
pub fn exact_quantity(value: f32, unit: &str) -> String {
    format!("{}{}", exact_number(value, unit), units::suffix(units::shown(unit).symbol))
}

pub fn setting(param: &Param, value: ParamValue) -> String {
    let is_zero = matches!(value, ParamValue::Float(0.0) | ParamValue::Integer(0));
    match (value, param.kind) {
        _ if is_zero && !param.zero.is_empty() => tr(param.zero).to_owned(),
        (ParamValue::Choice(i), ParamKind::Choice(choices)) => {
            choices.get(i).map_or("", |choice| tr(choice.label)).to_owned()
        }
        (ParamValue::Switch(on), _) => if on { tr!("on") } else { tr!("off") }.to_owned(),
        (ParamValue::Place(None), _) => tr!("from the level").to_owned(),
        (ParamValue::Place(Some(place)), _) => position(place),
        (ParamValue::Float(value), _) => exact_quantity(value, param.unit),
        (value, _) => {
            format!("{}{}", param.format(value), units::suffix(units::shown(param.unit).symbol))
        }
    }
}

pub fn exact_number(value: f32, unit: &str) -> String {
    let shown = units::shown(unit);
    if shown.symbol == unit {
        return exact(value);
    }
    trimmed(format!("{:.4}", typed(value) / shown.size))
}

/// Formats a length in meters, in the unit of the window.
pub fn length(meters: impl Into<f64>) -> String {
    quantity(meters.into(), "m")
}

pub fn area(square_meters: impl Into<f64>) -> String {
    quantity(square_meters.into(), "m²")
}

/// Formats a length to about a centimeter, for values that are compared.
pub fn fixed_length(meters: impl Into<f64>) -> String {
    format!("{} {}", fixed(meters), units().symbol())
}

/// Formats a difference of lengths to about a centimeter, with its sign.
pub fn signed_length(meters: impl Into<f64>) -> String {
    let units = units();
    format!("{:+.*} {}", units.decimals(), meters.into() / units.meters(), units.symbol())
}

pub fn speed(meters: impl Into<f64>) -> String {
    format!("{}/s", fixed_length(meters))
}

/// Formats the lengths of sides: `12 × 3.5 m`.
pub fn size<const N: usize>(sides: [f32; N]) -> String {
    let sides = sides.map(|side| number(f64::from(side) / units().meters()));
    format!("{} {}", sides.join(" × "), units().symbol())
}

/// Formats a position in the unit of the window, without the unit.
pub fn coordinates(point: Vec3) -> [String; 3] {
    point.to_array().map(fixed)
}

pub fn position(point: Vec3) -> String {
    format!("{} {}", coordinates(point).join(", "), units().symbol())
}

/// Formats a position to about a centimeter, without trailing zeros and without the unit.
pub fn rounded_coordinates(point: Vec3) -> [String; 3] {
    coordinates(point).map(trimmed)
}

/// Converts the lengths and areas in a text, such as `climbs steps of 0.4 m`, to the units of this thread. Each number
/// must have its own unit.
pub fn converted(text: impl Into<String>) -> String {
    let text = text.into();
    if units() == Units::Meters {
        return text;
    }
    let mut converted = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(gap) = rest.find(" m") {
        let (before, after) = (&rest[..gap], &rest[gap + " m".len()..]);
        let (unit, after) = after.strip_prefix('²').map_or(("m", after), |after| ("m²", after));
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let (words, number) = before.split_at(before.trim_end_matches(is_digit).len());
        let is_word =
            words.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        match number.parse::<f64>() {
            Ok(number) if !is_word => {
                converted.push_str(words);
                converted.push_str(&quantity(number, unit));
            }
            _ => converted.push_str(&rest[..rest.len() - after.len()]),
        }
        rest = after;
    }
    converted.push_str(rest);
    converted
}

/// Formats a length to about a centimeter, without its unit.
pub fn fixed(meters: impl Into<f64>) -> String {
    plain(meters.into() / units().meters(), units().decimals())
}

/// Formats a time. Zero means less than a step of the clock, which browsers make as long as a tenth of a millisecond.
pub fn time(time: Duration) -> String {
    let secs = time.as_secs_f64();
    match secs {
        0.0 => "< 0.1 ms".to_owned(),
        s if s >= 60.0 => {
            let whole = time.as_secs();
            format!("{} min {:02} s", whole / 60, whole % 60)
        }
        s if s >= 0.9995 => format!("{} s", number(s)),
        s if s >= 0.000_999_5 => format!("{} ms", number(s * 1e3)),
        s => format!("{} µs", number(s * 1e6)),
    }
}

/// Formats a duration in milliseconds with their unit, for columns that are compared.
pub fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    let decimals = if millis < 10.0 { 2 } else { 1 };
    format!("{millis:.decimals$} ms")
}

/// Formats a count with thin spaces between thousands.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// Formats a count in as few characters as three digits need: 845, 4.1k, 1.25M.
pub fn short_count(n: usize) -> String {
    match n {
        n if n >= 999_500 => format!("{}M", number(ratio(n, 1_000_000))),
        n if n >= 1000 => format!("{}k", number(ratio(n, 1000))),
        n => n.to_string(),
    }
}

/// Formats a count with its noun. Catalogs translate `{n}` with the noun for many.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    match lang::translation(&format!("{{n}} {many}")) {
        Some(translation) => lang::fill(translation, &[("n", count(n))]),
        None => format!("{} {}", count(n), if n == 1 { one } else { many }),
    }
}

pub fn counted_value(n: usize, one: &'static str, many: &'static str) -> ArgumentValue {
    ArgumentValue::Count { n, one: one.into(), many: many.into() }
}

pub fn bytes(n: usize) -> String {
    const STEPS: [(usize, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match STEPS.into_iter().find(|(size, _)| n >= *size) {
        Some((size, unit)) => format!("{} {unit}", number(ratio(n, size))),
        None => format!("{n} B"),
    }
}

/// Formats how long ago `written` was, and adds the date if it was days ago. Both times are counted from the Unix
/// epoch. `None` if `now` is earlier than `written`.
pub fn when(written: Duration, now: Duration) -> Option<Phrase> {
    let elapsed = now.checked_sub(written)?;
    let age = age(elapsed);
    if elapsed < DATED_AFTER {
        return Some(age);
    }
    let seconds = i64::try_from(written.as_secs()).ok()?;
    let date = Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::system()).date();
    Some(phrase!("{age} · {date}", age, date = date.to_string()))
}

/// Formats the time of day in the time zone of the system, such as `14:03:07`. `at` is counted from the Unix epoch.
pub fn time_of_day(at: Duration) -> Option<String> {
    let seconds = i64::try_from(at.as_secs()).ok()?;
    let time = Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::system()).time();
    Some(format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second()))
}

const DATED_AFTER: Duration = Duration::from_hours(48);

fn age(elapsed: Duration) -> Phrase {
    match elapsed.as_secs() / 60 {
        0 => phrase!("less than a minute ago"),
        1 => phrase!("a minute ago"),
        n @ 2..120 => phrase!("{n} minutes ago", n),
        n @ 120..2880 => phrase!("{n} hours ago", n = n / 60),
        n => phrase!("{n} days ago", n = n / 1440),
    }
}

/// Returns `text` with an upper-case first letter, [`unbroken`].
pub fn sentence(text: &str) -> String {
    let text = unbroken(text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns `text` with non-breaking spaces between numbers and units.
pub fn unbroken(text: &str) -> String {
    let mut words = text.split(' ');
    let mut result = words.next().unwrap_or_default().to_owned();
    for word in words {
        let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_unit = letters.starts_with(char::is_alphabetic) && letters.chars().count() <= 3;
        let is_value = result.ends_with(|c: char| c.is_ascii_digit());
        result.push(if is_value && is_unit { '\u{a0}' } else { ' ' });
        result.push_str(word);
    }
    result
}

/// Returns `text` with a lower-case first letter, for use within a sentence.
pub fn within(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
fn ratio(n: usize, size: usize) -> f64 {
    n as f64 / size as f64
}

fn trimmed(text: String) -> String {
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.0001, "0"),
            (0.3, "0.3"),
            (0.1234, "0.123"),
            (1.0, "1"),
            (3.1459, "3.15"),
            (12.34, "12.3"),
            (99.96, "100"),
            (1480.2, "1480"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "n/a"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn a_sentence_keeps_numbers_and_units_together() {
        let text = "steps of 0.9 m, 12.5 m² in 3 places; 4 MiB";
        let expected = "Steps of 0.9_m, 12.5_m² in 3 places; 4_MiB".replace('_', "\u{a0}");
        assert_eq!(sentence(text), expected);
    }

    #[test]
    fn a_setting_of_0_says_what_that_means() {
        for (key, value, expected) in [
            ("tile_size", ParamValue::Integer(0), "one piece"),
            ("tile_size", ParamValue::Integer(64), "64 voxels"),
            ("edge_max_len", ParamValue::Float(0.0), "no limit"),
            ("agent_radius", ParamValue::Float(0.0), "0 m"),
        ] {
            assert_eq!(setting(Param::find(key).unwrap(), value), expected, "{key}");
        }
    }

    #[test]
    fn lengths_are_in_the_unit_of_the_window() {
        let texts = || {
            [
                length(1.8_f32),
                length(0.3_f32),
                area(2.5),
                fixed_length(0.625_f32),
                signed_length(-1.5_f32),
                speed(3.5_f32),
                size([0.6, 12.0]),
                position(Vec3::new(1.0, -2.5, 100.0)),
                exact_quantity(0.35, "m"),
                exact_quantity(45.0, "°"),
                quantity(4.0, "vx"),
            ]
        };
        let cases = [
            (
                Units::Meters,
                "1.8 m|0.3 m|2.5 m²|0.62 m|-1.50 m|3.50 m/s|0.6 × 12 m|1.00, -2.50, 100.00 m|0.35 m|45°|4 vx",
            ),
            (
                Units::Centimeters,
                "180 cm|30 cm|2.5 m²|62 cm|-150 cm|350 cm/s|60 × 1200 cm|100, -250, 10000 cm|35 cm|45°|4 vx",
            ),
            (
                Units::Feet,
                "5.91 ft|0.984 ft|26.9 ft²|2.05 ft|-4.92 ft|11.48 ft/s|1.97 × 39.4 ft|3.28, -8.20, 328.08 ft|1.1483 ft|45°|4 vx",
            ),
        ];
        for (unit, expected) in cases {
            units::set_units(unit);
            assert_eq!(texts().join("|"), expected);
        }
        units::set_units(Units::Meters);
    }

    #[test]
    fn sentences_of_the_library_are_converted_and_names_are_not() {
        let cases = [
            ("step of 0.62 m > 0.5 m", "step of 62 cm > 50 cm"),
            ("enlarge it by 0.75 m²", "enlarge it by 0.75 m²"),
            ("−0.5 m/s", "−50 cm/s"),
            ("at 3 meters, 12 mm, 5 min", "at 3 meters, 12 mm, 5 min"),
            ("object wall2 m", "object wall2 m"),
            ("1.2.3 m, . m and m", "1.2.3 m, . m and m"),
            ("2 m", "200 cm"),
        ];
        for (text, expected) in cases {
            assert_eq!(converted(text), text);
            units::set_units(Units::Centimeters);
            assert_eq!(converted(text), expected);
            units::set_units(Units::Meters);
        }
        units::set_units(Units::Feet);
        assert_eq!(converted("enlarge it by 0.75 m²"), "enlarge it by 8.07 ft²");
        units::set_units(Units::Meters);
    }

    #[test]
    fn times_pick_their_unit() {
        let cases = [
            (0.0, "< 0.1 ms"),
            (0.000_012, "12 µs"),
            (0.0345, "34.5 ms"),
            (2.5, "2.5 s"),
            (125.0, "2 min 05 s"),
        ];
        for (secs, expected) in cases {
            assert_eq!(time(Duration::from_secs_f64(secs)), expected);
        }
    }

    #[test]
    fn counts_group_thousands() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1\u{2009}000"),
            (1_234_567, "1\u{2009}234\u{2009}567"),
        ];
        for (n, expected) in cases {
            assert_eq!(count(n), expected);
        }
        assert_eq!(counted(1, "polygon", "polygons"), "1 polygon");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(1536), "1.5 KiB");
    }

    #[test]
    fn ages_are_in_words() {
        let cases = [
            (20, "less than a minute ago"),
            (70, "a minute ago"),
            (600, "10 minutes ago"),
            (3 * 3600, "3 hours ago"),
            (5 * 86_400, "5 days ago"),
        ];
        for (secs, words) in cases {
            assert_eq!(age(Duration::from_secs(secs)).to_string(), words);
        }
    }

    #[test]
    fn ages_of_days_have_a_date() {
        let now = Duration::from_secs(1_790_000_000);
        let ago = |seconds| {
            let written = now.checked_sub(Duration::from_secs(seconds)).unwrap();
            when(written, now).map(|age| age.to_string())
        };
        assert_eq!(ago(3600).as_deref(), Some("60 minutes ago"));
        // The day depends on the time zone.
        let words = ago(10 * 86_400).unwrap();
        let days = ["11", "12"].map(|day| format!("10 days ago · 2026-09-{day}"));
        assert!(days.contains(&words), "{words}");
        assert_eq!(when(now, Duration::ZERO), None);
    }
}
