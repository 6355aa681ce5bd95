use std::collections::BTreeMap;

use serde::Serialize;
use walkable_runtime::diagnostic::{Code, Diagnostic, Finding, Location};

/// The findings in a file. All are counted, and the first ones of each code are listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FileWarnings {
    listed: Vec<Diagnostic>,
    counts: BTreeMap<Code, usize>,
}

impl FileWarnings {
    /// Maximum number of listed findings per code.
    pub const MAX_LISTED: usize = 100;

    /// Returns the first [`FileWarnings::MAX_LISTED`] findings of each code, sorted by location.
    pub fn listed(&self) -> &[Diagnostic] {
        &self.listed
    }

    /// Returns the number of findings of one code, listed or not.
    pub fn count(&self, code: Code) -> usize {
        self.counts.get(&code).copied().unwrap_or(0)
    }

    /// Returns the number of findings, listed or not.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the first finding of each code, which represents all of that code.
    pub fn summary(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        self.counts.iter().filter_map(|(&code, &n)| {
            let first = self.listed.iter().find(|found| found.code() == code);
            Some(first?.clone().times(n))
        })
    }

    /// Counts a finding of `code` and lists it if there is room.
    pub(super) fn add(&mut self, code: Code, found: impl FnOnce() -> (Location, Finding)) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= Self::MAX_LISTED {
            let (location, finding) = found();
            debug_assert_eq!(finding.code(), code, "it is counted as what it is");
            self.listed.push(Diagnostic::new(finding).at(location));
        }
    }

    /// Sorts the list by location.
    pub(super) fn sort(&mut self) {
        self.listed.sort_by(|a, b| order(a).cmp(&order(b)));
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
