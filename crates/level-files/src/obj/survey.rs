//! One pass over the lines of an OBJ file: what tobj shall read, and everything that it would lose.

use std::borrow::Cow;

use crate::{FilePlace, FileWarningKind, FileWarnings, file_warnings::excerpt};

/// What the lines of a file say, apart from the numbers in them.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The `v` and `f` statements, one a line: three coordinates, or corners without `/…`.
    pub(super) text: String,
    /// Line of each vertex.
    pub(super) vertex_lines: Vec<u32>,
    /// Line of each face with three or more corners.
    pub(super) face_lines: Vec<u32>,
    /// Names in force, from a face on. The first run begins at face 0.
    pub(super) runs: Vec<Run>,
    /// Faces with fewer corners.
    pub(super) n_dropped: usize,
    /// What was odd.
    pub(super) warnings: FileWarnings,
}

/// Names that hold from `first_face` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Index of the first face.
    pub(super) first_face: usize,
    /// Object and group.
    pub(super) object: String,
    /// Material.
    pub(super) material: String,
}

impl Survey {
    pub(super) fn n_vertices(&self) -> usize {
        self.vertex_lines.len()
    }

    pub(super) fn n_faces(&self) -> usize {
        self.face_lines.len()
    }
}

/// Names set by the statements so far.
#[derive(Default)]
struct Names {
    object: String,
    group: String,
    material: String,
}

impl Names {
    /// Object and group as one name.
    fn object_and_group(&self) -> String {
        match (self.object.as_str(), self.group.as_str()) {
            (name, "") | ("", name) => name.to_owned(),
            (object, group) => format!("{object}/{group}"),
        }
    }
}

/// Reads all statements of `text`.
pub(super) fn survey(text: &str) -> Survey {
    let mut survey = Survey { text: String::with_capacity(text.len()), ..Survey::default() };
    let mut names = Names::default();
    let mut names_changed = true;
    for (line, statement) in (Statements { rest: text, next_line: 1 }) {
        let mut words = statement.split_whitespace();
        match words.next().unwrap_or_default() {
            "" => {}
            "v" => add_vertex(&mut survey, line, words),
            "f" | "fo" => {
                if add_face(&mut survey, line, words) && names_changed {
                    start_run(&mut survey, &names);
                    names_changed = false;
                }
            }
            keyword @ ("o" | "g" | "usemtl") => {
                let name = statement.trim_start()[keyword.len()..].trim().to_owned();
                match keyword {
                    "o" => (names.object, names.group) = (name, String::new()),
                    "g" => names.group = name,
                    _ => names.material = name,
                }
                names_changed = true;
            }
            keyword if is_silent(keyword) => {}
            keyword => survey.warnings.add(FileWarningKind::UnknownStatement, || {
                (FilePlace::Line(line), excerpt(keyword))
            }),
        }
    }
    survey
}

/// Statements that have nothing to say about where an agent can walk.
fn is_silent(keyword: &str) -> bool {
    keyword.starts_with('#')
        || matches!(keyword, "vt" | "vn" | "vp" | "s" | "mg" | "mtllib" | "l" | "p")
        || matches!(keyword, "usemap" | "maplib" | "lod" | "bevel" | "c_interp" | "d_interp")
        || matches!(keyword, "shadow_obj" | "trace_obj")
}

/// The words of a statement up to a comment.
fn without_comment<'a>(words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    words.take_while(|word| !word.starts_with('#'))
}

fn add_vertex<'a>(survey: &mut Survey, line: u32, words: impl Iterator<Item = &'a str>) {
    survey.text.push('v');
    for word in without_comment(words).take(3) {
        survey.text.push(' ');
        survey.text.push_str(word);
    }
    survey.text.push('\n');
    survey.vertex_lines.push(line);
}

/// Whether the face was kept: those with fewer than three corners enclose nothing.
fn add_face<'a>(survey: &mut Survey, line: u32, words: impl Iterator<Item = &'a str>) -> bool {
    let before = survey.text.len();
    let mut n_corners = 0;
    survey.text.push('f');
    for word in without_comment(words) {
        let vertex = word.split_once('/').map_or(word, |(vertex, _)| vertex);
        survey.text.push(' ');
        // A lone slash keeps the place of a corner without a vertex, and is refused later.
        survey.text.push_str(if vertex.is_empty() { "/" } else { vertex });
        n_corners += 1;
    }
    if n_corners < 3 {
        survey.text.truncate(before);
        survey.n_dropped += 1;
        let corners = || (FilePlace::Line(line), n_corners.to_string());
        survey.warnings.add(FileWarningKind::DroppedFace, corners);
        return false;
    }
    survey.text.push('\n');
    survey.face_lines.push(line);
    true
}

/// Begins a run at the face just added, unless the names are those of the run before.
fn start_run(survey: &mut Survey, names: &Names) {
    let object = names.object_and_group();
    let material = names.material.clone();
    if survey.runs.last().is_some_and(|run| run.object == object && run.material == material) {
        return;
    }
    survey.runs.push(Run { first_face: survey.n_faces() - 1, object, material });
}

/// The statements of a text with the line on which each begins. Lines end with LF, CR LF or CR; one
/// that ends with a backslash goes on in the next.
struct Statements<'a> {
    rest: &'a str,
    next_line: u32,
}

impl<'a> Statements<'a> {
    fn next_physical(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        self.next_line = self.next_line.saturating_add(1);
        let bytes = self.rest.as_bytes();
        let end = bytes.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(bytes.len());
        let skip = if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + skip..).unwrap_or_default();
        Some(line)
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = (u32, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.next_line;
        let mut statement = Cow::Borrowed(self.next_physical()?);
        while let Some(head) = statement.trim_ascii_end().strip_suffix('\\') {
            let mut joined = head.to_owned();
            joined.push(' ');
            joined.push_str(self.next_physical().unwrap_or_default());
            statement = Cow::Owned(joined);
        }
        Some((line, statement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_statements(text: &str, expected: &[(u32, &str)]) {
        let statements: Vec<_> = Statements { rest: text, next_line: 1 }.collect();
        let found: Vec<_> = statements.iter().map(|(line, s)| (*line, s.as_ref())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_end_in_three_ways() {
        check_statements("a\nb\n", &[(1, "a"), (2, "b")]);
        check_statements("a\r\nb", &[(1, "a"), (2, "b")]);
        check_statements("a\rb\r", &[(1, "a"), (2, "b")]);
        check_statements("a\n\r\nb", &[(1, "a"), (2, ""), (3, "b")]);
    }

    #[test]
    fn a_backslash_joins_lines() {
        check_statements("f 1 \\\n2 3\nv", &[(1, "f 1  2 3"), (3, "v")]);
        check_statements("a\\\r\nb\\\r\nc\r\nd", &[(1, "a b c"), (4, "d")]);
        check_statements("a\\", &[(1, "a ")]);
    }
}
