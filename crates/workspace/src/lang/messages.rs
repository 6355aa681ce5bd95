//! Diagnostics in the language and the unit of the window.

use std::{borrow::Cow, error::Error};

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
    fill(&with_setting_names(tr(phrase.template())), &values)
}

/// Replaces keys of settings by their names in the window. A key before `=` stays, because it is part of a command.
fn with_setting_names(template: &str) -> Cow<'_, str> {
    if !template.contains('_') {
        return Cow::Borrowed(template);
    }
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut text, mut rest) = (String::new(), template);
    while let Some(start) = rest.find(is_key) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(word.find(|c| !is_key(c)).unwrap_or(word.len()));
        let is_name = word.contains('_') && !before.ends_with('{') && !after.starts_with('=');
        let name = Some(word).filter(|_| is_name).and_then(setting_name);
        text.push_str(before);
        text.push_str(name.as_deref().unwrap_or(word));
        rest = after;
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Returns the name of the setting with this key, as in the middle of a sentence.
fn setting_name(key: &str) -> Option<String> {
    let label = Param::find(key).ok()?.label;
    Some(match language() {
        Language::English => label.to_lowercase(),
        Language::Chinese => tr(label).to_owned(),
    })
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

pub fn lines(lines: impl IntoIterator<Item = Phrase>) -> Phrase {
    let both = |text, line| Phrase::new("{text}\n{line}", pair(["text", "line"], text, line));
    lines.into_iter().reduce(both).unwrap_or_else(|| Phrase::verbatim(""))
}

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

/// Returns an error and its causes as a phrase, in which [`phrase`] translates each text as [`error_text`] does.
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
        Location::Setting(key) => setting_name(key).unwrap_or_else(|| key.to_string()),
        Location::Point(point) => format::rounded_coordinates(*point).join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use walkable::phrase as new_phrase;

    use super::*;
    use crate::lang::set_language;

    #[test]
    fn the_window_calls_settings_by_their_names() {
        let key = "agent_radius";
        let advice = new_phrase!(
            "use a larger agent_max_climb or cell_size, not {key} (--set agent_height=2)",
            key
        );
        assert_eq!(
            phrase(&advice),
            "use a larger max climb or cell size, not agent_radius (--set agent_height=2)"
        );
        set_language(Language::Chinese);
        let translated = phrase(&new_phrase!(
            "use a smaller agent_radius, or a smaller cell_size where passages are narrow"
        ));
        set_language(Language::English);
        assert!(!translated.contains('_'), "{translated}");
    }
}
