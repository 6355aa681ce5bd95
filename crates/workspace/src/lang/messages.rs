//! Diagnostics in the language and the unit of the window.

use std::error::Error;

use walkable::{
    bake::Param,
    diagnostic::{ArgumentValue, Diagnostic, Location, Phrase, PhraseArgument},
};

use super::{Language, fill, language, tr};
use crate::{format, units};

/// Names of arguments that are texts of errors; `text` is that of [`Phrase::verbatim`].
const ERRORS: [&str; 5] = ["text", "error", "why", "reason", "failure"];

/// Returns the text of `phrase`. Texts of errors in it are those of [`error_text`].
pub fn phrase(phrase: &Phrase) -> String {
    let value = |argument: &PhraseArgument| {
        let value = match &argument.value {
            ArgumentValue::Text(text) if ERRORS.contains(&&*argument.name) => error_text(text),
            other => value(other),
        };
        (argument.name.clone(), value)
    };
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
        ArgumentValue::Within(part) => format::within(&phrase(part)),
        ArgumentValue::Count { n, one, many } => format::counted(*n, one, many),
        ArgumentValue::Diagnostic(found) => located(found),
    }
}

/// Returns `lines` as one text.
pub fn lines(lines: impl IntoIterator<Item = Phrase>) -> Phrase {
    let both = |text, line| Phrase::new("{text}\n{line}", pair(["text", "line"], text, line));
    lines.into_iter().reduce(both).unwrap_or_else(|| Phrase::verbatim(""))
}

/// Returns `text`, a colon and `more`.
pub fn with_more(text: impl Into<Phrase>, more: impl Into<Phrase>) -> Phrase {
    let (text, more): (Phrase, Phrase) = (text.into(), more.into());
    walkable::phrase!("{text}: {more}", text, more)
}

fn pair(names: [&'static str; 2], first: Phrase, second: Phrase) -> Vec<PhraseArgument> {
    let argument = |(name, phrase): (&'static str, Phrase)| PhraseArgument {
        name: name.into(),
        value: phrase.into(),
    };
    names.into_iter().zip([first, second]).map(argument).collect()
}

/// Returns the text of an error, which is English, in the language of this thread. Values and causes in it are translated
/// too. A text that the catalog does not contain, such as that of an error of the system, stays as it is.
pub fn error_text(text: &str) -> String {
    let translation = language().catalog().and_then(|catalog| catalog.error(text));
    translation.unwrap_or_else(|| text.to_owned())
}

/// Returns the text of an error and its causes. [`phrase`] translates those that are not a [`Phrase`] as
/// [`error_text`] does.
pub fn error(error: &anyhow::Error) -> Phrase {
    let text = |cause: &(dyn Error + 'static)| {
        let phrase = cause.downcast_ref::<Phrase>().cloned();
        phrase.unwrap_or_else(|| Phrase::verbatim(cause.to_string()))
    };
    let causes: Vec<_> = error.chain().map(text).collect();
    let with_cause = |cause, text| with_more(text, cause);
    causes.into_iter().rev().reduce(with_cause).unwrap_or_else(|| Phrase::verbatim(""))
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

/// Returns the line of `found` for the log: locations, text and code.
pub fn line(found: Diagnostic) -> Phrase {
    let code = found.code().to_string();
    walkable::phrase!("{found} [{code}]", found, code)
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
            param.map_or_else(|_unknown| key.to_string(), str::to_owned)
        }
        Location::Point(point) => format::rounded_coordinates(*point).join(","),
        other => other.to_string(),
    }
}
