use std::{collections::BTreeMap, fmt};

use serde::Serialize;

/// What kind of oddity a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ObjWarningKind {
    /// A face has fewer than three corners and was left out.
    DroppedFace,
    /// A triangle has no area. It is kept: it may still leave spans.
    DegenerateTriangle,
    /// A triangle has the corners of an earlier one, in the same order. It is kept.
    DuplicateTriangle,
    /// No face uses a vertex. It is kept and counts for the bounds of the level.
    UnusedVertex,
    /// A statement that is not known was ignored.
    UnknownStatement,
}

impl ObjWarningKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::DroppedFace,
        Self::DegenerateTriangle,
        Self::DuplicateTriangle,
        Self::UnusedVertex,
        Self::UnknownStatement,
    ];

    /// What `n` of them are called.
    pub const fn noun(self, n: usize) -> &'static str {
        match (self, n) {
            (Self::DroppedFace, 1) => "face with fewer than three corners",
            (Self::DroppedFace, _) => "faces with fewer than three corners",
            (Self::DegenerateTriangle, 1) => "triangle without area",
            (Self::DegenerateTriangle, _) => "triangles without area",
            (Self::DuplicateTriangle, 1) => "duplicated triangle",
            (Self::DuplicateTriangle, _) => "duplicated triangles",
            (Self::UnusedVertex, 1) => "unused vertex",
            (Self::UnusedVertex, _) => "unused vertices",
            (Self::UnknownStatement, 1) => "unknown statement",
            (Self::UnknownStatement, _) => "unknown statements",
        }
    }
}

/// One oddity and where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ObjWarning {
    /// Line, from 1.
    pub line: u32,
    /// What kind.
    pub kind: ObjWarningKind,
    /// Which one, in words: an index, a count, a keyword.
    pub detail: String,
}

impl fmt::Display for ObjWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, kind, detail } = self;
        match kind {
            ObjWarningKind::DroppedFace => write!(f, "line {line}: face with {detail} corners"),
            ObjWarningKind::DegenerateTriangle => {
                write!(f, "line {line}: triangle {detail} has no area")
            }
            ObjWarningKind::DuplicateTriangle => write!(f, "line {line}: triangle {detail}"),
            ObjWarningKind::UnusedVertex => write!(f, "line {line}: no face uses vertex {detail}"),
            ObjWarningKind::UnknownStatement => {
                write!(f, "line {line}: unknown statement \"{detail}\"")
            }
        }
    }
}

/// Oddities of a file: all are counted, the first of each kind are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ObjWarnings {
    listed: Vec<ObjWarning>,
    counts: BTreeMap<ObjWarningKind, usize>,
}

impl ObjWarnings {
    /// Most warnings of one kind that are listed.
    pub const MAX_LISTED: usize = 100;

    /// The first [`ObjWarnings::MAX_LISTED`] of each kind, by line.
    pub fn listed(&self) -> &[ObjWarning] {
        &self.listed
    }

    /// How many there are of one kind, listed or not.
    pub fn count(&self, kind: ObjWarningKind) -> usize {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// How many there are, listed or not.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// One phrase a kind, such as "3 unused vertices".
    pub fn summary(&self) -> impl Iterator<Item = String> + '_ {
        self.counts.iter().map(|(kind, &n)| format!("{n} {}", kind.noun(n)))
    }

    /// Counts a warning and lists it if there is room.
    pub(super) fn add(&mut self, line: u32, kind: ObjWarningKind, detail: impl FnOnce() -> String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= Self::MAX_LISTED {
            self.listed.push(ObjWarning { line, kind, detail: detail() });
        }
    }

    /// Brings the list into the order of lines.
    pub(super) fn sort(&mut self) {
        self.listed.sort_by_key(|warning| (warning.line, warning.kind));
    }
}
