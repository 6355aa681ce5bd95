//! What the program has to say about a level, its settings, a bake or a navmesh: one kind of message, with a
//! stable code, for the window, the command line and JSON.
//!
//! A [`Finding`] is what was found, with its arguments; its [`Code`] names it in scripts and in
//! `docs/diagnostics.md`. A [`Diagnostic`] is a finding at its locations. Text is never stored: it is made
//! from the code and the arguments when it is shown, so that another language is another table.

mod argument;
mod location;
mod table;

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

pub use argument::{Argument, Degrees, Meters};
pub use location::Location;
pub use table::{ArgumentPage, Code, CodePage, Finding};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// Something is probably not what was meant, and the work goes on.
    Warning,
    /// Something could not be done.
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

/// A finding at its locations.
///
/// As text it is the locations and the finding, `tile 3,4: region 7: …`. As JSON it is an object with `code`,
/// `severity`, `text` (the finding without its locations), `locations`, `arguments` and `count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    finding: Finding,
    locations: Vec<Location>,
    count: usize,
}

impl Diagnostic {
    /// A finding without a location.
    pub fn new(finding: Finding) -> Self {
        Self { finding, locations: Vec::new(), count: 1 }
    }

    /// Adds a location inside the ones it has.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }

    /// Adds a location around the ones it has.
    #[must_use]
    pub fn within(mut self, location: Location) -> Self {
        self.locations.insert(0, location);
        self
    }

    /// Makes it stand for `count` findings of its code; it is the first of them.
    #[must_use]
    pub fn times(mut self, count: usize) -> Self {
        self.count = count.max(1);
        self
    }

    /// What was found.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The stable name of what was found.
    pub fn code(&self) -> Code {
        self.finding.code()
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code().page().severity
    }

    /// Whether it is worse than a note: what `--strict` refuses.
    pub fn is_warning(&self) -> bool {
        self.severity() >= Severity::Warning
    }

    /// Where it was found, from the outermost location to the innermost.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// How many findings of this code it stands for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The setting that it is about, if it is about one.
    pub fn setting(&self) -> Option<&'static str> {
        self.locations.iter().find_map(|location| match location {
            Location::Setting(key) => Some(*key),
            _ => None,
        })
    }

    /// The text without its locations, for where these are shown in another way.
    pub fn text(&self) -> String {
        match self.count {
            0 | 1 => self.finding.to_string(),
            count => format!("{} (and {} more)", self.finding, count - 1),
        }
    }

    /// A line of the command line: severity, locations, text and code.
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
