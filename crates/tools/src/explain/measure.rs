use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::diagnostic::ArgumentValue;

/// The unit of a [`Measure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeasureUnit {
    /// Meters.
    #[serde(rename = "m")]
    Meters,
    /// Degrees.
    #[serde(rename = "deg")]
    Degrees,
    /// Cells of the grid.
    #[serde(rename = "cells")]
    Cells,
    /// Nodes of a search.
    #[serde(rename = "nodes")]
    Nodes,
}

/// The decisive value and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The measured value.
    pub measured: Option<f32>,
    /// The maximum or minimum allowed, as the bake uses it: after rounding to voxels.
    pub limit: Option<f32>,
    /// Unit of both values.
    pub unit: MeasureUnit,
}

/// The JSON fields of an optional [`Measure`], rounded to tenths of a millimeter because the remaining digits are float
/// noise.
#[derive(Serialize)]
pub(crate) struct MeasureFields {
    measured: Option<f32>,
    limit: Option<f32>,
    unit: Option<MeasureUnit>,
}

impl From<Option<Measure>> for MeasureFields {
    fn from(measure: Option<Measure>) -> Self {
        let rounded = |value: f32| (value * 1e4).round() / 1e4;
        Self {
            measured: measure.and_then(|measure| measure.measured).map(rounded),
            limit: measure.and_then(|measure| measure.limit).map(rounded),
            unit: measure.map(|measure| measure.unit),
        }
    }
}

/// Returns a length in meters, with about three significant digits.
pub(crate) fn meters(length: f32) -> ArgumentValue {
    with_digits(length, 0)
}

/// Returns lengths in meters, with as many digits as tell them apart.
pub(crate) fn meters_apart<const N: usize>(lengths: [f32; N]) -> [ArgumentValue; N] {
    let differs = |texts: &[ArgumentValue; N]| {
        let same = |i: usize, j: usize| texts[i].to_string() == texts[j].to_string();
        (0..N).all(|i| (0..i).all(|j| (lengths[i] - lengths[j]).abs() < 1e-4 || !same(i, j)))
    };
    let all = (0..3).map(|more| lengths.map(|length| with_digits(length, more)));
    all.into_iter().find(differs).unwrap_or_else(|| lengths.map(meters))
}

/// Returns a length in meters, with about three significant digits and `more`.
fn with_digits(length: f32, more: usize) -> ArgumentValue {
    let digits = more
        + match length.abs() {
            a if a >= 100.0 => 0,
            a if a >= 10.0 => 1,
            _ => 2,
        };
    let text = format!("{length:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    ArgumentValue::Quantity { value: length, unit: "m".into(), text: format!("{text} m") }
}

/// Returns an area in square meters, to hundredths.
pub(crate) fn square_meters(area: f32) -> ArgumentValue {
    ArgumentValue::Quantity { value: area, unit: "m²".into(), text: format!("{area:.2} m²") }
}

/// Returns an angle, to tenths of a degree.
pub(crate) fn degrees(angle: f32) -> ArgumentValue {
    ArgumentValue::Quantity { value: angle, unit: "°".into(), text: format!("{angle:.1}°") }
}

/// Returns a point in the form of the command line, to centimeters.
pub(crate) fn point(at: Vec3) -> ArgumentValue {
    let [x, y, z] = at.to_array();
    ArgumentValue::Text(format!("{x:.2},{y:.2},{z:.2}"))
}
