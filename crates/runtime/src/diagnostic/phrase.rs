//! Texts for users that can be shown in another language or unit.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use super::Diagnostic;

/// A text for users: an English template with its arguments. `Display` writes it in English and in meters.
///
/// [`phrase!`](crate::phrase) creates it. Text formats of serde, such as JSON, get the English text; binary formats get
/// the template with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Phrase {
    template: Cow<'static, str>,
    arguments: Vec<PhraseArgument>,
}

crate::text_form!(Phrase, |phrase| phrase.to_string());

/// An argument of a [`Phrase`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhraseArgument {
    /// Name in the template.
    pub name: Cow<'static, str>,
    /// Value of the argument.
    pub value: ArgumentValue,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ArgumentValue {
    /// A name, or the English text of an error.
    Text(String),
    /// A length, an area or an angle.
    Quantity {
        /// The number.
        value: f32,
        /// Unit: `m`, `m²` or `°`.
        unit: Cow<'static, str>,
        /// The number with its unit, rounded for users.
        text: String,
    },
    /// A part of the text.
    Phrase(Phrase),
    /// A part of a sentence: its first letter is lower-case.
    Within(Phrase),
    /// A count with its noun, such as `3 tiles`.
    Count {
        /// The count.
        n: usize,
        /// Noun for a count of 1.
        one: Cow<'static, str>,
        /// Noun for all other counts.
        many: Cow<'static, str>,
    },
    /// A finding with its locations.
    Diagnostic(Box<Diagnostic>),
}

impl Phrase {
    /// Creates a phrase. Each placeholder of `template` is the name of an argument in braces.
    pub fn new(template: impl Into<Cow<'static, str>>, arguments: Vec<PhraseArgument>) -> Self {
        Self { template: template.into(), arguments }
    }

    /// Creates a phrase of a text without arguments of its own, such as a name or the English text of an error.
    pub fn verbatim(text: impl Into<String>) -> Self {
        let value = ArgumentValue::Text(text.into());
        Self::new("{text}", vec![PhraseArgument { name: "text".into(), value }])
    }

    /// Returns the phrase as an argument in the middle of a sentence, where its first letter is lower-case.
    pub const fn within(self) -> ArgumentValue {
        ArgumentValue::Within(self)
    }

    /// Returns the English text with the names of the arguments in braces.
    pub fn template(&self) -> &str {
        &self.template
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> &[PhraseArgument] {
        &self.arguments
    }

    /// Returns all lengths, areas and angles in the order of the arguments, in meters, square meters and degrees.
    pub fn quantities(&self) -> Vec<f32> {
        let of = |argument: &PhraseArgument| match &argument.value {
            ArgumentValue::Quantity { value, .. } => vec![*value],
            ArgumentValue::Phrase(part) | ArgumentValue::Within(part) => part.quantities(),
            ArgumentValue::Text(_) | ArgumentValue::Count { .. } | ArgumentValue::Diagnostic(_) => {
                Vec::new()
            }
        };
        self.arguments.iter().flat_map(of).collect()
    }

    /// Returns whether `template` has exactly the placeholders `names`.
    #[doc(hidden)]
    pub const fn has_placeholders(template: &str, names: &[&str]) -> bool {
        let (bytes, mut at, mut n_found) = (template.as_bytes(), 0, 0);
        let mut is_used = [false; 16];
        while at < bytes.len() {
            if bytes[at] == b'{' {
                let start = at + 1;
                while at < bytes.len() && bytes[at] != b'}' {
                    at += 1;
                }
                let mut index = 0;
                while index < names.len() && !is_slice(bytes, (start, at), names[index].as_bytes())
                {
                    index += 1;
                }
                if index == names.len() {
                    return false;
                }
                n_found += !is_used[index] as usize;
                is_used[index] = true;
            }
            at += 1;
        }
        n_found == names.len()
    }
}

/// Returns whether `bytes` from `start` to `end` are `other`.
const fn is_slice(bytes: &[u8], (start, end): (usize, usize), other: &[u8]) -> bool {
    if end - start != other.len() {
        return false;
    }
    let mut at = 0;
    while at < other.len() {
        if bytes[start + at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Replaces the placeholders of `template` by the values with their names, and `{{` by `{`.
pub fn fill<N: AsRef<str>, V: AsRef<str>>(template: &str, values: &[(N, V)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find(['{', '}']) {
        filled.push_str(&rest[..start]);
        let opens = rest[start..].starts_with('{');
        let inside = &rest[start + 1..];
        match inside.find('}') {
            Some(end) if opens && !inside.starts_with('{') => {
                let value = values.iter().find(|(name, _)| name.as_ref() == &inside[..end]);
                filled.push_str(value.map_or("", |(_, value)| value.as_ref()));
                rest = &inside[end + 1..];
            }
            _ => {
                filled.push_str(&rest[start..=start]);
                rest = inside.strip_prefix(['{', '}']).unwrap_or(inside);
            }
        }
    }
    filled.push_str(rest);
    filled
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |argument: &PhraseArgument| (argument.name.clone(), argument.value.to_string());
        let values: Vec<_> = self.arguments.iter().map(value).collect();
        f.write_str(&fill(&self.template, &values))
    }
}

impl fmt::Display for ArgumentValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Quantity { text, .. } => f.write_str(text),
            Self::Phrase(phrase) => phrase.fmt(f),
            Self::Within(phrase) => f.write_str(&lower_first(&phrase.to_string())),
            Self::Count { n: 1, one, .. } => write!(f, "1 {one}"),
            Self::Count { n, many, .. } => write!(f, "{n} {many}"),
            Self::Diagnostic(found) => found.fmt(f),
        }
    }
}

/// Returns `text` with a lower-case first letter.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

impl From<Phrase> for ArgumentValue {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}

impl From<Diagnostic> for ArgumentValue {
    fn from(found: Diagnostic) -> Self {
        Self::Diagnostic(Box::new(found))
    }
}

impl From<&str> for ArgumentValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A text without arguments of its own, such as that of an error.
impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self::verbatim(text)
    }
}

impl From<Diagnostic> for Phrase {
    fn from(found: Diagnostic) -> Self {
        Self::new("{found}", vec![PhraseArgument { name: "found".into(), value: found.into() }])
    }
}

/// Errors that the window shows in its language.
impl std::error::Error for Phrase {}

/// Serializes a type as another value in text formats, such as JSON, which people and scripts read. In binary formats, the
/// type has all its fields; it derives both traits with `#[serde(remote = "Self")]`.
#[doc(hidden)]
#[macro_export]
macro_rules! text_form {
    ($type:ty, |$value:ident| $form:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                if to.is_human_readable() {
                    let $value = self;
                    serde::Serialize::serialize(&$form, to)
                } else {
                    Self::serialize(self, to)
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::deserialize(from)
            }
        }
    };
}

/// Creates a [`Phrase`](crate::diagnostic::Phrase) of a template and its arguments: `phrase!("slope {slope}", slope =
/// Degrees(12.0))`, or `phrase!("slope {slope}", slope)` for a variable of that name.
///
/// A template whose placeholders are not the names of its arguments does not compile.
#[macro_export]
macro_rules! phrase {
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const {
            assert!(
                $crate::diagnostic::Phrase::has_placeholders($template, &[$(stringify!($name)),*]),
                "the placeholders are not the names of the arguments"
            );
        }
        $crate::diagnostic::Phrase::new(
            $template,
            vec![$($crate::diagnostic::PhraseArgument {
                name: stringify!($name).into(),
                value: $crate::diagnostic::ArgumentValue::from($crate::phrase!(@value $name $(= $value)?)),
            }),*],
        )
    }};
    (@value $name:ident) => { $name };
    (@value $name:ident = $value:expr) => { $value };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Degrees, Finding, Location, Meters};

    #[test]
    fn a_phrase_is_its_template_with_its_arguments() {
        let limit = Degrees(45.0);
        let slope = phrase!("slope {slope} > {limit}", slope = Degrees(47.25), limit);
        assert_eq!(slope.to_string(), "slope 47.25° > 45°");
        let whole = phrase!("{reason}, {room} high", reason = slope.clone(), room = Meters(2.0));
        assert_eq!(whole.to_string(), "slope 47.25° > 45°, 2 m high");
        assert_eq!(whole.template(), "{reason}, {room} high");
        let [reason, room] = whole.arguments() else { panic!("two arguments") };
        assert_eq!(reason.value, ArgumentValue::Phrase(slope));
        let quantity =
            ArgumentValue::Quantity { value: 2.0, unit: "m".into(), text: "2 m".to_owned() };
        assert_eq!((&*room.name, &room.value), ("room", &quantity));
        assert_eq!(Phrase::verbatim("{}").to_string(), "{}");
        let named = phrase!("Change {setting}", setting = phrase!("Max slope").within());
        assert_eq!(named.to_string(), "Change max slope");
        let tiles = |n| ArgumentValue::Count { n, one: "tile".into(), many: "tiles".into() };
        let counts = phrase!("{one}, {many}", one = tiles(1), many = tiles(2000));
        assert_eq!(counts.to_string(), "1 tile, 2000 tiles");
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let found = phrase!("a.obj: {found}", found = found.at(Location::Line(3)));
        let expected = "a.obj: line 3: the level is only 0.5 m across, too small for the agent: try a scale of 100";
        assert_eq!(found.to_string(), expected);
    }

    #[test]
    fn placeholders_must_be_the_names_of_the_arguments() {
        for (template, names, is_right) in [
            ("slope {a} > {b}", &["a", "b"][..], true),
            ("{a}{a}", &["a"], true),
            ("no argument", &[], true),
            ("slope {a}", &["b"], false),
            ("slope {a}", &["a", "b"], false),
            ("slope {a} > {b}", &["a"], false),
            ("slope {ab}", &["a"], false),
            ("slope {a", &["a"], true),
        ] {
            assert_eq!(Phrase::has_placeholders(template, names), is_right, "{template} {names:?}");
        }
    }
}
