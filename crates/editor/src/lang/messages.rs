//! Diagnostics in the language and the unit of the window.

use walkable::{
    bake::Param,
    diagnostic::{ArgumentValue, Diagnostic, Location, Phrase, PhraseArgument},
};

use super::{Language, fill, language, tr};
use crate::{format, units};

/// Returns the text of `phrase`.
pub fn phrase(phrase: &Phrase) -> String {
    let value = |argument: &PhraseArgument| (argument.name, value(&argument.value));
    let values: Vec<_> = phrase.arguments().iter().map(value).collect();
    fill(tr(phrase.template()), &values)
}

fn value(value: &ArgumentValue) -> String {
    match value {
        ArgumentValue::Quantity { value, unit, .. } if units::shown(unit).symbol != *unit => {
            format::quantity(f64::from(*value), unit)
        }
        ArgumentValue::Text(text) | ArgumentValue::Quantity { text, .. } => text.clone(),
        ArgumentValue::Phrase(part) => phrase(part),
    }
}

/// Returns the text of `found` without its locations.
pub fn diagnostic(found: &Diagnostic) -> String {
    let text = phrase(&found.finding().phrase());
    match found.count() {
        0 | 1 => text,
        count => tr!("{text} (and {} more)", count - 1),
    }
}

/// Returns the text of `found` with its locations.
pub fn located(found: &Diagnostic) -> String {
    let locations = found.locations().iter().map(location);
    locations.chain([diagnostic(found)]).collect::<Vec<_>>().join(tr!(": "))
}

/// Returns the line of `found` for the log: severity, locations, text and code.
pub fn line(found: &Diagnostic) -> String {
    let line = format!("{} [{}]", located(found), found.code());
    if language() == Language::English {
        return format!("{}: {line}", found.severity());
    }
    line
}

fn location(location: &Location) -> String {
    match location {
        Location::Line(line) => tr!("line {line}"),
        Location::Tile(tile) => tr!("tile {tile}"),
        Location::Layer(layer) => tr!("layer {layer}"),
        Location::Region(region) => tr!("region {region}"),
        Location::Polygon(reference) => tr!("polygon {reference}"),
        Location::Area(area) => tr!("area {area}"),
        Location::OffMeshLink(number) => tr!("off-mesh link {number}"),
        Location::Setting(key) if language() != Language::English => {
            let param = Param::find(key).map(|param| tr(param.label));
            param.map_or_else(|_unknown| (*key).to_owned(), str::to_owned)
        }
        Location::Point(point) => format::rounded_coordinates(*point).join(","),
        other => other.to_string(),
    }
}
