//! Diagnostics in the language and the unit of the window.

use walkable::{
    bake::Param,
    diagnostic::{ArgumentText, Diagnostic, Location},
};

use super::{Language, fill, language, tr, translation};
use crate::{
    format,
    units::{Units, units},
};

/// Returns the text of `found` without its locations.
pub fn diagnostic(found: &Diagnostic) -> String {
    let template = found.code().page().text;
    let text = match translation(template) {
        None if units() == Units::Meters => return found.text(),
        translation => {
            let arguments: Vec<_> = found.finding().arguments().into_iter().map(argument).collect();
            fill(translation.unwrap_or(template), &arguments)
        }
    };
    match found.count() {
        0 | 1 => text,
        count => tr!("{text} (and {} more)", count - 1),
    }
}

/// Returns the name and the text of an argument.
fn argument(argument: ArgumentText) -> (&'static str, String) {
    let ArgumentText { name, text, quantity } = argument;
    match quantity {
        Some((value, unit)) if units() != Units::Meters => {
            (name, format::quantity(value.into(), unit))
        }
        _ => (name, text),
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
