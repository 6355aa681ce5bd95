use std::ops::Deref;

use serde::Serialize;
use walkable_runtime::diagnostic::{Code, Diagnostic, Finding, FindingList, Location};

/// The findings in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct FileWarnings(FindingList);

impl Deref for FileWarnings {
    type Target = FindingList;

    fn deref(&self) -> &FindingList {
        &self.0
    }
}

impl FileWarnings {
    /// Counts a finding of `code` and lists it if there is room.
    pub(super) fn add(&mut self, code: Code, found: impl FnOnce() -> (Location, Finding)) {
        self.0.add_with(code, || {
            let (location, finding) = found();
            Diagnostic::new(finding).at(location)
        });
    }

    /// Sorts the list by location.
    pub(super) fn sort(&mut self) {
        self.0.sort_by(|a, b| order(a).cmp(&order(b)));
    }

    /// Returns the findings as [`FindingList::into_diagnostics`] does.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.0.into_diagnostics()
    }
}

/// Returns the sort key of a finding: line, element and code.
fn order(found: &Diagnostic) -> (u32, &str, Code) {
    let location = found.locations().first();
    let line = match location {
        Some(Location::Line(line)) => *line,
        _ => 0,
    };
    let element = match location {
        Some(Location::Element(element)) => element,
        _ => "",
    };
    (line, element, found.code())
}

/// Maximum length of a quotation from a file, in characters.
const EXCERPT_CHARS: usize = 40;

/// Returns the start of `text`, for a message.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
