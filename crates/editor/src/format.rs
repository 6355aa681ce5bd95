//! Formats numbers for people: three significant digits, always with a unit, with separated thousands. Independent of
//! the window.

use std::time::Duration;

use crate::lang::{self, tr};

/// At most three significant digits, but no fewer than those before the point: 0.3, 12.5, 1480.
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
    let text = trimmed(format!("{value:.decimals$}"));
    if text == "-0" { "0".to_owned() } else { text }
}

/// The shortest number that reads back as `value`, as it was typed.
pub fn exact(value: f32) -> String {
    value.to_string()
}

/// A length.
pub fn meters(value: f32) -> String {
    format!("{} m", number(f64::from(value)))
}

/// A time, in the unit that suits it.
pub fn time(time: Duration) -> String {
    let secs = time.as_secs_f64();
    match secs {
        s if s >= 60.0 => {
            let whole = time.as_secs();
            format!("{} min {:02} s", whole / 60, whole % 60)
        }
        s if s >= 0.9995 => format!("{} s", number(s)),
        s if s >= 0.000_999_5 => format!("{} ms", number(s * 1e3)),
        s => format!("{} µs", number(s * 1e6)),
    }
}

/// Milliseconds with their unit, for columns that are compared.
pub fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    let decimals = if millis < 10.0 { 2 } else { 1 };
    format!("{millis:.decimals$} ms")
}

/// A count with thin spaces between thousands.
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

/// A count in as few characters as three digits need: 845, 4.1k, 1.25M.
pub fn short_count(n: usize) -> String {
    match n {
        n if n >= 999_500 => format!("{}M", number(ratio(n, 1_000_000))),
        n if n >= 1000 => format!("{}k", number(ratio(n, 1000))),
        n => n.to_string(),
    }
}

/// A count with its noun. Catalogs translate `{n}` with the noun for many.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    match lang::translation(&format!("{{n}} {many}")) {
        Some(translation) => lang::fill(translation, &[("n", count(n))]),
        None => format!("{} {}", count(n), if n == 1 { one } else { many }),
    }
}

/// An amount of memory.
pub fn bytes(n: usize) -> String {
    const STEPS: [(usize, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match STEPS.into_iter().find(|(size, _)| n >= *size) {
        Some((size, unit)) => format!("{} {unit}", number(ratio(n, size))),
        None => format!("{n} B"),
    }
}

/// How long ago something was, in words.
pub fn age(elapsed: Duration) -> String {
    match elapsed.as_secs() / 60 {
        0 => tr!("less than a minute ago").to_owned(),
        1 => tr!("a minute ago").to_owned(),
        n @ 2..120 => tr!("{n} minutes ago"),
        n @ 120..2880 => tr!("{} hours ago", n / 60),
        n => tr!("{} days ago", n / 1440),
    }
}

/// `text` with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `text` with a small first letter, to stand within a sentence.
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
    fn times_pick_their_unit() {
        let cases =
            [(0.000_012, "12 µs"), (0.0345, "34.5 ms"), (2.5, "2.5 s"), (125.0, "2 min 05 s")];
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
            assert_eq!(age(Duration::from_secs(secs)), words);
        }
    }
}
