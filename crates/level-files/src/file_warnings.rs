use std::{collections::BTreeMap, fmt};

use serde::Serialize;

/// What kind of oddity a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileWarningKind {
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
    /// A primitive consists of points or lines and was left out.
    NotTriangles,
    /// A node has a skin, or a mesh has morph targets: it is taken as it lies in the file.
    IgnoredPose,
    /// A scene is not the one to show and was left out.
    OtherScene,
    /// The file needs an extension that is not known: something of it may be missing.
    UnknownExtension,
}

impl FileWarningKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::DroppedFace,
        Self::DegenerateTriangle,
        Self::DuplicateTriangle,
        Self::UnusedVertex,
        Self::UnknownStatement,
        Self::NotTriangles,
        Self::IgnoredPose,
        Self::OtherScene,
        Self::UnknownExtension,
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
            (Self::NotTriangles, 1) => "primitive of points or lines",
            (Self::NotTriangles, _) => "primitives of points or lines",
            (Self::IgnoredPose, 1) => "skin or shape that was ignored",
            (Self::IgnoredPose, _) => "skins and shapes that were ignored",
            (Self::OtherScene, 1) => "scene that is not the one to show",
            (Self::OtherScene, _) => "scenes that are not the one to show",
            (Self::UnknownExtension, 1) => "unknown extension that the file needs",
            (Self::UnknownExtension, _) => "unknown extensions that the file needs",
        }
    }
}

/// Where in a file something is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FilePlace {
    /// A line, from 1.
    Line(u32),
    /// A numbered and perhaps named part of the file, from 0, such as `mesh 2 "Wall", primitive 0`.
    Element(String),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Element(element) => f.write_str(element),
        }
    }
}

/// One oddity and where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileWarning {
    /// Where.
    #[serde(flatten)]
    pub place: FilePlace,
    /// What kind.
    pub kind: FileWarningKind,
    /// Which one, in words: an index, a count, a keyword.
    pub detail: String,
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, kind, detail } = self;
        write!(f, "{place}: ")?;
        match kind {
            FileWarningKind::DroppedFace => write!(f, "face with {detail} corners"),
            FileWarningKind::DegenerateTriangle => write!(f, "triangle {detail} has no area"),
            FileWarningKind::DuplicateTriangle => write!(f, "triangle {detail}"),
            FileWarningKind::UnusedVertex => write!(f, "no face uses vertex {detail}"),
            FileWarningKind::UnknownStatement => write!(f, "unknown statement \"{detail}\""),
            FileWarningKind::NotTriangles => write!(f, "{detail} are left out"),
            FileWarningKind::IgnoredPose => write!(f, "its {detail} left out of account"),
            FileWarningKind::OtherScene => f.write_str("not the scene to show, left out"),
            FileWarningKind::UnknownExtension => {
                f.write_str("the file needs it, and it is not known")
            }
        }
    }
}

/// Oddities of a file: all are counted, the first of each kind are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileWarnings {
    listed: Vec<FileWarning>,
    counts: BTreeMap<FileWarningKind, usize>,
}

impl FileWarnings {
    /// Most warnings of one kind that are listed.
    pub const MAX_LISTED: usize = 100;

    /// The first [`FileWarnings::MAX_LISTED`] of each kind, by place.
    pub fn listed(&self) -> &[FileWarning] {
        &self.listed
    }

    /// How many there are of one kind, listed or not.
    pub fn count(&self, kind: FileWarningKind) -> usize {
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
    pub(super) fn add(
        &mut self,
        kind: FileWarningKind,
        place_and_detail: impl FnOnce() -> (FilePlace, String),
    ) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= Self::MAX_LISTED {
            let (place, detail) = place_and_detail();
            self.listed.push(FileWarning { place, kind, detail });
        }
    }

    /// Brings the list into the order of places.
    pub(super) fn sort(&mut self) {
        self.listed.sort_by(|a, b| (&a.place, a.kind).cmp(&(&b.place, b.kind)));
    }
}

/// Longest text of a file that is quoted.
const EXCERPT_CHARS: usize = 40;

/// The start of `text`, for a message.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
