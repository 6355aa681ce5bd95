//! One pass over the lines of an OBJ file, which reads everything in it.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use glam::{DVec3, Vec3};
use walkable_mesh::names::{NameError, NameId, NamePool};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{
    FileWarnings, ObjError, appearance::color_byte, file_warnings::excerpt,
    level_file::parse_coordinate, level_memory::bytes_of,
};

/// The contents of a file.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The vertices.
    pub(super) vertices: Vec<Vec3>,
    /// The corners of all faces in sequence. They can refer to vertices that do not exist.
    pub(super) corners: Vec<u32>,
    /// Number of corners of each face; empty if all have three.
    arities: Vec<u32>,
    /// The first error in a statement.
    error: Option<ObjError>,
    /// Line of each vertex.
    pub(super) vertex_lines: Vec<u32>,
    /// Line of each face with three or more corners.
    pub(super) face_lines: Vec<u32>,
    /// Runs of faces with the same names. The first run begins at face 0.
    pub(super) runs: Vec<Run>,
    /// Number of faces with fewer corners.
    pub(super) n_dropped: usize,
    /// Findings about the file.
    pub(super) warnings: FileWarnings,
    /// What only a picture needs, if it is read.
    pub(super) appearance: Option<SurveyedAppearance>,
}

/// Vertex colors and texture coordinates.
#[derive(Debug, Default)]
pub(super) struct SurveyedAppearance {
    /// Color of each vertex that has one.
    pub(super) vertex_colors: Vec<Option<[u8; 3]>>,
    /// Texture coordinates, in the order of the `vt` statements.
    coordinates: Vec<[f32; 2]>,
    /// Index of the texture coordinate of each corner of the kept faces; out of range if it has none.
    corners: Vec<u32>,
}

impl SurveyedAppearance {
    /// Returns the texture coordinate of a corner of the kept faces; 0, 0 if it has none.
    pub(super) fn coordinate(&self, corner: usize) -> [f32; 2] {
        let index = self.corners.get(corner).map(|&index| index as usize);
        index.and_then(|index| self.coordinates.get(index)).copied().unwrap_or_default()
    }

    /// Adds the color of a vertex: the numbers after its coordinates, if there are three.
    fn add_vertex<'a>(&mut self, after_coordinates: impl Iterator<Item = &'a str>) {
        let numbers =
            after_coordinates.map(|word| word.parse().ok().filter(|n: &f32| n.is_finite()));
        let numbers: Option<Vec<f32>> = numbers.take(4).collect();
        let color = numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
        self.vertex_colors.push(color.map(|color| color.map(color_byte)));
    }

    /// Adds a texture coordinate. In the file, v points up.
    fn add_coordinate<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let mut next = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0_f32);
        let [u, v] = [next(), 1.0 - next()];
        self.coordinates.push([u, v].map(|c| if c.is_finite() { c } else { 0.0 }));
    }

    /// Adds a corner, `12/7/9` for example: its texture coordinate has the number 7. Negative numbers count back from
    /// the last coordinate so far.
    fn add_corner(&mut self, word: &str) {
        let number = word.split('/').nth(1).and_then(|number| number.parse::<i64>().ok());
        let n = i64::try_from(self.coordinates.len()).unwrap_or(i64::MAX);
        let index = number.map(|number| if number < 0 { n + number } else { number - 1 });
        self.corners.push(index.and_then(|index| u32::try_from(index).ok()).unwrap_or(u32::MAX));
    }
}

/// The names of the faces from `first_face` to the next run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Index of the first face.
    pub(super) first_face: usize,
    /// Object and group.
    pub(super) object: Arc<str>,
    /// Material.
    pub(super) material: Arc<str>,
}

impl Survey {
    pub(super) fn n_vertices(&self) -> usize {
        self.vertex_lines.len()
    }

    pub(super) fn n_faces(&self) -> usize {
        self.face_lines.len()
    }

    /// Returns the number of corners of a face.
    pub(super) fn arity(&self, face: usize) -> usize {
        self.arities.get(face).map_or(3, |&n| n as usize)
    }

    /// Checks that all statements could be read.
    pub(super) fn check(&self) -> Result<(), ObjError> {
        let n_vertices = self.n_vertices();
        let is_missing = |&corner: &u32| corner as usize >= n_vertices;
        // Faces may refer to vertices that follow them, so only now is it known which are missing.
        if let Some(corner) = self.corners.iter().position(is_missing) {
            let mut end = 0;
            let face = (0..self.n_faces()).find(|&face| {
                end += self.arity(face);
                corner < end
            });
            let line = face.map_or(0, |face| self.face_lines[face]);
            let text = (u64::from(self.corners[corner]) + 1).to_string();
            return Err(ObjError::IndexOutOfRange { line, text, n_vertices });
        }
        match self.error.clone() {
            None => Ok(()),
            // The number of vertices was not known yet.
            Some(ObjError::IndexOutOfRange { line, text, .. }) if !text.starts_with('-') => {
                Err(ObjError::IndexOutOfRange { line, text, n_vertices })
            }
            Some(error) => Err(error),
        }
    }
}

/// Names set by the statements so far.
struct Names {
    pool: NamePool,
    object: NameId,
    group: NameId,
    material: NameId,
    /// Names of objects and groups that were joined before. Joining takes time in proportion to the length.
    joined: BTreeMap<(NameId, NameId), NameId>,
}

impl Names {
    fn new(n_file_bytes: usize) -> Result<Self, NameError> {
        let mut pool = NamePool::for_file(n_file_bytes);
        let none = pool.id("")?;
        Ok(Self { pool, object: none, group: none, material: none, joined: BTreeMap::new() })
    }

    /// Stores the name of an `o`, `g` or `usemtl` statement.
    fn set(&mut self, keyword: &str, name: &str) -> Result<(), NameError> {
        let name = self.pool.id(name)?;
        match keyword {
            "o" => (self.object, self.group) = (name, self.pool.id("")?),
            "g" => self.group = name,
            _ => self.material = name,
        }
        Ok(())
    }

    /// Returns object and group as one name.
    fn object_and_group(&mut self) -> Result<NameId, NameError> {
        let key = (self.object, self.group);
        if let Some(&joined) = self.joined.get(&key) {
            return Ok(joined);
        }
        let [object, group] = [self.pool.text(self.object), self.pool.text(self.group)];
        let joined = match (&*object, &*group) {
            (name, "") | ("", name) => self.pool.id(name)?,
            (object, group) => self.pool.id(&format!("{object}/{group}"))?,
        };
        self.joined.insert(key, joined);
        Ok(joined)
    }
}

/// Reads all statements of `text`, those for pictures into `appearance`. The level may take `max_bytes`.
pub(super) fn survey(
    text: &str,
    (appearance, origin): (Option<SurveyedAppearance>, Option<DVec3>),
    max_bytes: usize,
) -> Result<Survey, ObjError> {
    let mut survey = Survey { appearance, ..Survey::default() };
    let refused =
        |line| move |error: NameError| ObjError::Names { line, reason: error.to_string() };
    let mut names = Names::new(text.len()).map_err(refused(1))?;
    let mut names_changed = true;
    for (line, statement) in (Statements { rest: text, next_line: 1 }) {
        let mut words = statement.split_whitespace();
        match words.next().unwrap_or_default() {
            "" => {}
            "v" => {
                add_vertex(&mut survey, (line, origin), words);
                if bytes_of(0, survey.n_vertices()) > max_bytes {
                    return Err(ObjError::TooMuchMemory { line, max_bytes });
                }
            }
            "f" | "fo" => {
                if add_face(&mut survey, line, words) && names_changed {
                    start_run(&mut survey, &mut names).map_err(refused(line))?;
                    names_changed = false;
                }
                // A face has two triangles fewer than corners.
                let n_triangles = survey.corners.len().saturating_sub(2 * survey.n_faces());
                if bytes_of(n_triangles, survey.n_vertices()) > max_bytes {
                    return Err(ObjError::TooMuchMemory { line, max_bytes });
                }
            }
            keyword @ ("o" | "g" | "usemtl") => {
                let name = statement.trim_start()[keyword.len()..].trim();
                names.set(keyword, name).map_err(refused(line))?;
                names_changed = true;
            }
            "vt" => {
                if let Some(appearance) = &mut survey.appearance {
                    appearance.add_coordinate(words);
                }
            }
            keyword if is_silent(keyword) => {}
            keyword => survey.warnings.add(Code::StatementUnknown, || {
                let statement = excerpt(keyword);
                (Location::Line(line), Finding::StatementUnknown { statement })
            }),
        }
    }
    Ok(survey)
}

/// Returns whether the statement is irrelevant for navigation.
fn is_silent(keyword: &str) -> bool {
    keyword.starts_with('#')
        || matches!(keyword, "vn" | "vp" | "s" | "mg" | "mtllib" | "l" | "p")
        || matches!(keyword, "usemap" | "maplib" | "lod" | "bevel" | "c_interp" | "d_interp")
        || matches!(keyword, "shadow_obj" | "trace_obj")
}

/// Returns the words of a statement before its comment.
fn without_comment<'a>(words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    words.take_while(|word| !word.starts_with('#'))
}

fn add_vertex<'a>(
    survey: &mut Survey,
    (line, origin): (u32, Option<DVec3>),
    words: impl Iterator<Item = &'a str>,
) {
    let mut words = without_comment(words);
    survey.vertex_lines.push(line);
    match vertex((line, origin), words.by_ref().take(3)) {
        Ok(vertex) => survey.vertices.push(vertex),
        Err(error) => _ = survey.error.get_or_insert(error),
    }
    if let Some(appearance) = &mut survey.appearance {
        appearance.add_vertex(words);
    }
}

fn vertex<'a>(
    (line, origin): (u32, Option<DVec3>),
    words: impl Iterator<Item = &'a str>,
) -> Result<Vec3, ObjError> {
    let mut coordinates = [0.0_f32; 3];
    let mut found = 0;
    for ((axis, coordinate), word) in coordinates.iter_mut().enumerate().zip(words) {
        let Ok(value) = parse_coordinate(word, origin.map(|origin| origin[axis])) else {
            return Err(ObjError::BadNumber { line, text: excerpt(word) });
        };
        *coordinate = value;
        if !coordinate.is_finite() {
            return Err(ObjError::NotFinite { line, text: excerpt(word) });
        }
        found += 1;
    }
    if found < 3 {
        return Err(ObjError::MissingCoordinate { line, found });
    }
    Ok(Vec3::from_array(coordinates))
}

/// Adds a face; returns whether it was kept. Faces with fewer than three corners are dropped.
fn add_face<'a>(survey: &mut Survey, line: u32, words: impl Iterator<Item = &'a str>) -> bool {
    let first = survey.corners.len();
    let n_corners_before =
        survey.appearance.as_ref().map_or(0, |appearance| appearance.corners.len());
    let n_vertices = survey.n_vertices();
    let (mut n_corners, mut error) = (0, None);
    for word in without_comment(words) {
        // The corners before the first error are checked later.
        if survey.error.is_none() && error.is_none() {
            match corner(line, word, n_vertices) {
                Ok(corner) => survey.corners.push(corner),
                Err(why) => error = Some(why),
            }
        }
        if let Some(appearance) = &mut survey.appearance {
            appearance.add_corner(word);
        }
        n_corners += 1;
    }
    if n_corners < 3 {
        survey.corners.truncate(first);
        if let Some(appearance) = &mut survey.appearance {
            appearance.corners.truncate(n_corners_before);
        }
        survey.n_dropped += 1;
        let dropped = || (Location::Line(line), Finding::FaceDropped { n: n_corners });
        survey.warnings.add(Code::FaceDropped, dropped);
        return false;
    }
    survey.error = survey.error.take().or(error);
    if n_corners > 3 && survey.arities.is_empty() {
        survey.arities.resize(survey.n_faces(), 3);
    }
    if n_corners > 3 || !survey.arities.is_empty() {
        survey.arities.push(u32::try_from(n_corners).unwrap_or(u32::MAX));
    }
    survey.face_lines.push(line);
    true
}

/// Returns the index of the vertex of a corner such as `12/7/9`. Negative numbers count back from the last of the
/// `n_vertices` so far.
fn corner(line: u32, word: &str, n_vertices: usize) -> Result<u32, ObjError> {
    let number = word.split_once('/').map_or(word, |(vertex, _)| vertex);
    // A lone slash stands for a corner without a vertex.
    let number = if number.is_empty() { "/" } else { number };
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ObjError::BadIndex { line, text: excerpt(number) });
    }
    if digits.bytes().all(|byte| byte == b'0') {
        return Err(ObjError::IndexZero { line });
    }
    let n = digits.parse::<usize>().ok();
    let is_back = number.starts_with('-');
    let index = n.and_then(|n| if is_back { n_vertices.checked_sub(n) } else { Some(n - 1) });
    let out_of_range = || ObjError::IndexOutOfRange { line, text: excerpt(number), n_vertices };
    index.and_then(|index| u32::try_from(index).ok()).ok_or_else(out_of_range)
}

/// Begins a run at the face just added, unless the names are those of the previous run.
fn start_run(survey: &mut Survey, names: &mut Names) -> Result<(), NameError> {
    let object = names.object_and_group()?;
    let [object, material] = [object, names.material].map(|id| names.pool.text(id));
    // Equal texts of the pool share one allocation.
    let is_same =
        |run: &Run| Arc::ptr_eq(&run.object, &object) && Arc::ptr_eq(&run.material, &material);
    if !survey.runs.last().is_some_and(is_same) {
        survey.runs.push(Run { first_face: survey.n_faces() - 1, object, material });
    }
    Ok(())
}

/// The statements of a text with the line on which each begins. Lines end with LF, CR LF or CR. A line that ends with
/// a backslash continues on the next.
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
            let end = head.len();
            // Appends to one text, because a copy per line takes time in proportion to the square of the lines.
            let joined = statement.to_mut();
            joined.truncate(end);
            joined.push(' ');
            joined.push_str(self.next_physical().unwrap_or_default());
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
