//! Parses the words of line-based text files. Errors quote the word.

use std::str::FromStr;

use anyhow::{Context as _, bail};
use glam::Vec3;

use crate::values;

pub(crate) fn whole_number<T: FromStr>(word: &str) -> anyhow::Result<T> {
    word.parse().ok().with_context(|| format!("\"{word}\" is not a whole number in range"))
}

pub(crate) fn finite(word: &str) -> anyhow::Result<f32> {
    values::finite(word).with_context(|| format!("\"{word}\" is not a finite number"))
}

/// Parses a point, whose coordinates are separate words.
pub(crate) fn point(words: &[&str]) -> anyhow::Result<Vec3> {
    let [x, y, z] = words else { bail!("expected three coordinates") };
    Ok(Vec3::new(finite(x)?, finite(y)?, finite(z)?))
}

/// Formats a field of a CSV file. A text that contains a comma or a quotation mark is quoted; line breaks become
/// spaces.
pub(crate) fn csv_field(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
