//! Messages about a level, its settings, a bake or a navmesh: one type with a stable code, for the window, the command
//! line and JSON.
//!
//! A [`Finding`] is a problem with its arguments; its [`Code`] identifies it in scripts and in `docs/diagnostics.md`.
//! A [`Diagnostic`] is a finding with its locations. Text is never stored: it is generated from the code and the
//! arguments when it is shown, so that a translation only needs another table.

mod argument;
mod error_text;
mod list;
mod location;
mod phrase;
mod printable;
mod stored;
mod table;

use std::fmt;

pub use argument::{Argument, Degrees, Meters, SquareMeters};
pub use error_text::error_text;
pub use list::FindingList;
pub use location::Location;
pub use phrase::{ArgumentValue, Phrase, PhraseArgument, fill};
pub use printable::printable;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeStruct as _,
};
use serde_bytes::ByteBuf;
pub use table::{ArgumentPage, Code, CodePage, Finding};

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// Something is probably unintended, but the operation continues.
    Warning,
    /// Something failed.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A finding with its locations.
///
/// Its text consists of the locations and the finding, `tile 3,4: region 7: …`. Its JSON is an object with `code`,
/// `severity`, `text` (the finding without its locations), `locations`, `arguments` and `count`. Binary formats of serde
/// get the bytes of [`Diagnostic::store`].
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    finding: Finding,
    locations: Vec<Location>,
    count: usize,
}

impl Diagnostic {
    /// Creates a diagnostic without a location.
    pub fn new(finding: Finding) -> Self {
        Self { finding, locations: Vec::new(), count: 1 }
    }

    /// Adds a location inside the existing ones.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }

    /// Adds a location around the existing ones.
    #[must_use]
    pub fn within(mut self, location: Location) -> Self {
        self.locations.insert(0, location);
        self
    }

    /// Makes the diagnostic stand for `count` findings with the same code, itself included.
    #[must_use]
    pub fn times(mut self, count: usize) -> Self {
        self.count = count.max(1);
        self
    }

    /// Returns the finding.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// Returns the stable code of the finding.
    pub fn code(&self) -> Code {
        self.finding.code()
    }

    /// Returns the severity of the finding.
    pub fn severity(&self) -> Severity {
        self.code().page().severity
    }

    /// Returns whether the diagnostic is worse than a note; `--strict` turns such diagnostics into errors.
    pub fn is_warning(&self) -> bool {
        self.severity() >= Severity::Warning
    }

    /// Returns the locations, from the outermost to the innermost.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// Returns the number of findings of this code that the diagnostic stands for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the setting that the finding is about, if there is one.
    pub fn setting(&self) -> Option<&str> {
        self.locations.iter().find_map(|location| match location {
            Location::Setting(key) => Some(&**key),
            _ => None,
        })
    }

    /// Returns the text without its locations, for when these are shown in another way.
    pub fn text(&self) -> String {
        match self.count {
            0 | 1 => self.finding.to_string(),
            count => format!("{} (and {} more)", self.finding, count - 1),
        }
    }

    /// Returns the line for the command line: severity, locations, text and code.
    pub fn line(&self) -> String {
        format!("{}: {self} [{}]", self.severity(), self.code())
    }
}

impl From<Finding> for Diagnostic {
    fn from(finding: Finding) -> Self {
        Self::new(finding)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for location in &self.locations {
            write!(f, "{location}: ")?;
        }
        f.write_str(&self.text())
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            let mut bytes = Vec::new();
            self.store(&mut bytes);
            return to.serialize_bytes(&bytes);
        }
        let mut object = to.serialize_struct("Diagnostic", 6)?;
        object.serialize_field("code", &self.code())?;
        object.serialize_field("severity", &self.severity())?;
        object.serialize_field("text", &self.text())?;
        object.serialize_field("locations", &self.locations)?;
        object.serialize_field("arguments", &self.finding)?;
        object.serialize_field("count", &self.count)?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Diagnostic {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = ByteBuf::deserialize(from)?;
        let mut rest = &bytes[..];
        let found = Self::restore(&mut rest).filter(|_| rest.is_empty());
        found.ok_or_else(|| D::Error::custom("a diagnostic is damaged"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ids::TileCoord;

    #[test]
    fn codes_have_one_name_each_and_are_found_by_it() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            let name = code.name();
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit()));
            assert_eq!(Code::from_name(name), Some(*code));
        }
        assert_eq!(Code::from_name("no-such-code"), None);
    }

    #[test]
    fn pages_are_written_as_sentences() {
        for code in Code::ALL {
            let CodePage { title, cause, remedy, .. } = code.page();
            assert!(title.starts_with(char::is_uppercase) && !title.ends_with('.'), "{title}");
            for text in [cause, remedy] {
                assert!(text.starts_with(char::is_uppercase) && text.ends_with('.'), "{text}");
                assert!(!text.contains("  "), "{text}");
            }
        }
    }

    #[test]
    fn one_renderer_gives_text_line_and_json() {
        let found = Diagnostic::new(Finding::ContourHolesNotJoined { n: 2 })
            .at(Location::Region(7))
            .within(Location::Tile(TileCoord::new(3, 4)));
        let text = "holes that could not be joined to the contour around them: 2";
        assert_eq!(found.to_string(), format!("tile 3,4: region 7: {text}"));
        let line = format!("warning: tile 3,4: region 7: {text} [contour-holes-not-joined]");
        assert_eq!(found.line(), line);
        let json = serde_json::json!({
            "code": "contour-holes-not-joined",
            "severity": "warning",
            "text": text,
            "locations": [{ "tile": { "x": 3, "z": 4 } }, { "region": 7 }],
            "arguments": { "n": 2 },
            "count": 1,
        });
        assert_eq!(serde_json::to_value(&found).unwrap(), json);
        assert!(found.times(5).to_string().ends_with("around them: 2 (and 4 more)"));
    }
}
