//! Reads STL files, text and binary: bytes in, vertices, triangles and names out.
//!
//! Each `solid NAME` of a text file becomes an object; a binary file has no names. Vertices at the same position are
//! joined, since STL repeats them in each triangle. Normals are ignored: the winding of a facet decides its front, and
//! writers often leave normals at zero.
//!
//! Our own reader, because others recognize binary files by the word `solid` alone, which many binary files also begin
//! with, and keep neither names nor lines.
//!
//! Source: 3D Systems, `StereoLithography` Interface Specification, 1989.
//! Differs: a loop can have more than three vertices, and is split as a face of an OBJ file.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use walkable_mesh::{
    MaterialColors, MeshPart,
    names::{NameError, NamePool},
};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{
    FileWarnings, LevelFile, LevelReading,
    faces::{FaceSplitter, Split},
    file_warnings::excerpt,
    level_file::{MAX_TRIANGLES, parse_coordinate},
    oddities,
};

/// Size of the header of a binary file, in bytes. The number of triangles follows.
const HEADER_BYTES: usize = 80;
/// Offset of the first triangle of a binary file.
const FIRST_TRIANGLE: usize = HEADER_BYTES + 4;
/// Size of a triangle in a binary file: normal, three vertices, 16 bits.
const TRIANGLE_BYTES: usize = 50;

/// Why bytes are not a readable STL file. Lines count from 1, facets from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StlError {
    /// The file is empty or contains only white space.
    #[error("the file is empty")]
    Empty,
    /// The file is neither text nor long enough for a binary file.
    #[error(
        "not an STL file: it does not start with \"solid\", and is too short for a binary file"
    )]
    NotStl,
    /// A binary file is shorter than its number of triangles requires.
    #[error(
        "the file is cut off, or not an STL file: {n} triangles take {needed} bytes, but the file has {found}"
    )]
    CutOff {
        /// Number of triangles in the header.
        n: u32,
        /// The size for them, in bytes.
        needed: u64,
        /// Size of the file, in bytes.
        found: usize,
    },
    /// A text file ends within a solid.
    #[error("the file is cut off: after line {line}, \"{expected}\" is missing")]
    NoEnd {
        /// The last line.
        line: u32,
        /// The statement that is missing.
        expected: &'static str,
    },
    /// A line of a text file has an unexpected statement.
    #[error("line {line}: \"{found}\" where \"{expected}\" is expected")]
    Statement {
        /// The line.
        line: u32,
        /// The beginning of the line.
        found: String,
        /// The expected statement.
        expected: &'static str,
    },
    /// A vertex does not have three numbers.
    #[error("line {line}: a vertex needs three numbers, but the line is \"{found}\"")]
    BadVertex {
        /// The line.
        line: u32,
        /// The beginning of the line.
        found: String,
    },
    /// A loop has fewer than three vertices.
    #[error("line {line}: the facet has {n} vertices, but needs three")]
    TooFewVertices {
        /// The line of its end.
        line: u32,
        /// Number of vertices.
        n: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("{place}: the coordinate {value} is not a finite number")]
    NotFinite {
        /// The line of a text file, or the facet of a binary file.
        place: String,
        /// The coordinate.
        value: String,
    },
    /// A name is too long, or the names are too long in total.
    #[error("line {line}: {reason}")]
    Names {
        /// The line.
        line: u32,
        /// The limit that is exceeded.
        reason: String,
    },
    /// There are no facets.
    #[error("the file has no facets")]
    NoFacets,
    /// There are too many triangles.
    #[error(
        "the file has more than {MAX_TRIANGLES} triangles; split the level into files for `walkable bin`"
    )]
    TooMany,
}

/// Reads an STL file, text or binary.
///
/// # Errors
/// Returns a [`StlError`] that names the first line or facet that cannot be read.
pub fn read_stl(bytes: &[u8]) -> Result<LevelFile, StlError> {
    read_stl_within(bytes, LevelReading::TRIANGLES)
}

/// Reads an STL file; the number of its triangles limits the memory.
///
/// # Errors
/// Returns the errors of [`read_stl`].
pub fn read_stl_within(bytes: &[u8], reading: LevelReading) -> Result<LevelFile, StlError> {
    if bytes.trim_ascii().is_empty() {
        return Err(StlError::Empty);
    }
    let read = if is_binary(bytes) { read_binary } else { read_text };
    let facets = read(bytes, reading.moved())?;
    facets.finish()
}

/// Returns whether the file is binary. Both kinds can begin with `solid`, so the size decides, then a zero byte.
fn is_binary(bytes: &[u8]) -> bool {
    let is_text = bytes.trim_ascii_start().get(..5).is_some_and(is_solid) && !bytes.contains(&0);
    !is_text || binary_size(bytes).is_some_and(|(_, size)| size == bytes.len() as u64)
}

fn is_solid(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"solid")
}

/// Returns the number of triangles of a binary file, and the size of the file with so many triangles, in bytes.
fn binary_size(bytes: &[u8]) -> Option<(u32, u64)> {
    let n = u32::from_le_bytes(*bytes.get(HEADER_BYTES..)?.first_chunk()?);
    Some((n, FIRST_TRIANGLE as u64 + u64::from(n) * TRIANGLE_BYTES as u64))
}

/// The facets read so far.
#[derive(Default)]
struct Surface {
    /// The vertices of each triangle, three per triangle.
    corners: Vec<Vec3>,
    /// Facet of each triangle of a text file.
    facets: Vec<u32>,
    n_facets: usize,
    parts: Vec<MeshPart>,
    /// Line of each facet of a text file.
    lines: Vec<u32>,
    warnings: FileWarnings,
    splitter: FaceSplitter,
}

fn read_binary(bytes: &[u8], origin: Option<DVec3>) -> Result<Surface, StlError> {
    let (n, needed) = binary_size(bytes).ok_or(StlError::NotStl)?;
    let found = bytes.len();
    if needed > found as u64 {
        return Err(StlError::CutOff { n, needed, found });
    }
    let mut facets = Surface::default();
    let (triangles, _) = bytes[FIRST_TRIANGLE..].as_chunks::<TRIANGLE_BYTES>();
    for (index, triangle) in triangles.iter().take(n as usize).enumerate() {
        let (numbers, _) = triangle.as_chunks::<4>();
        // The first three numbers are the normal.
        let [_, corners @ ..] = [0, 3, 6, 9].map(|at| {
            let corner = [at, at + 1, at + 2].map(|at| f32::from_le_bytes(numbers[at]));
            let corner = Vec3::from_array(corner);
            origin.map_or(corner, |origin| (corner.as_dvec3() - origin).as_vec3())
        });
        facets.check(&corners, || format!("facet {index}"))?;
        facets.corners.extend(corners);
        facets.n_facets += 1;
    }
    let end = facets.n_triangles();
    facets.parts.push(MeshPart { object: "".into(), material: "".into(), triangles: 0..end });
    Ok(facets)
}

impl Surface {
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.corners.len() / 3).unwrap_or(u32::MAX)
    }

    fn check(&self, corners: &[Vec3], place: impl FnOnce() -> String) -> Result<(), StlError> {
        if self.corners.len() / 3 >= MAX_TRIANGLES {
            return Err(StlError::TooMany);
        }
        let numbers = corners.iter().flat_map(Vec3::to_array);
        match numbers.into_iter().find(|value| !value.is_finite()) {
            Some(value) => Err(StlError::NotFinite { place: place(), value: value.to_string() }),
            None => Ok(()),
        }
    }

    /// Ends the part of a solid that began at triangle `start`.
    fn end_solid(&mut self, object: &Arc<str>, start: u32) {
        let end = self.n_triangles();
        match self.parts.last_mut().filter(|last| last.object == *object) {
            Some(last) => last.triangles.end = end,
            None if start < end => self.parts.push(MeshPart {
                object: Arc::clone(object),
                material: "".into(),
                triangles: start..end,
            }),
            None => {}
        }
    }

    fn finish(self) -> Result<LevelFile, StlError> {
        if self.corners.is_empty() {
            return Err(StlError::NoFacets);
        }
        let (vertices, triangles) = join(&self.corners);
        let Self { corners, facets, n_facets, parts, lines, mut warnings, splitter: _ } = self;
        drop(corners);
        let place_of = |triangle: usize| {
            let facet = facets.get(triangle).map_or(triangle, |&facet| facet as usize);
            match lines.get(facet) {
                Some(&line) => Location::Line(line),
                None => Location::Element(format!("facet {facet}")),
            }
        };
        oddities::check_triangles(&vertices, &triangles, place_of, &mut warnings);
        warnings.sort();
        let (colors, n_faces) = (MaterialColors::new(), n_facets);
        Ok(LevelFile { vertices, triangles, parts, colors, appearance: None, n_faces, warnings })
    }
}

/// Joins vertices at the same position; returns them in the order of their first use, and the triangles.
fn join(corners: &[Vec3]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut indices = oddities::weld(corners);
    let mut vertices = Vec::new();
    for (at, corner) in corners.iter().enumerate() {
        // The first of the vertices at a position comes before the others, so it already has its index.
        let first = indices[at] as usize;
        indices[at] = if first == at {
            vertices.push(*corner);
            u32::try_from(vertices.len() - 1).unwrap_or(u32::MAX)
        } else {
            indices[first]
        };
    }
    let (triangles, _) = indices.as_chunks::<3>();
    (vertices, triangles.to_vec())
}

/// The lines of a text file that are not blank.
struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the last line, from 1.
    line: u32,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            self.line = self.line.saturating_add(1);
            let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
            let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
            let (line, rest) = self.rest.split_at(end);
            let n = if rest.starts_with(b"\r\n") { 2 } else { 1 };
            self.rest = rest.get(n..).unwrap_or_default();
            let line = line.trim_ascii();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// Returns the next line, which must exist.
    fn need(&mut self, expected: &'static str) -> Result<&'a [u8], StlError> {
        let line = self.line;
        self.next().ok_or(StlError::NoEnd { line, expected })
    }

    /// Reads the next line, which must be `expected`.
    fn expect(&mut self, expected: &'static str) -> Result<(), StlError> {
        let line = self.need(expected)?;
        if is_statement(line, expected) { Ok(()) } else { Err(self.other(line, expected)) }
    }

    fn other(&self, found: &[u8], expected: &'static str) -> StlError {
        StlError::Statement { line: self.line, found: shown(found), expected }
    }
}

/// Returns whether a line begins with the words of `statement`, ignoring case.
fn is_statement(line: &[u8], statement: &str) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    statement
        .split(' ')
        .all(|word| words.next().is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes())))
}

fn shown(line: &[u8]) -> String {
    // A long line is not converted as a whole.
    excerpt(&String::from_utf8_lossy(&line[..line.len().min(200)]))
}

fn read_text(bytes: &[u8], origin: Option<DVec3>) -> Result<Surface, StlError> {
    let mut names = NamePool::for_file(bytes.len());
    let mut lines = Lines { rest: bytes, line: 0 };
    let mut facets = Surface::default();
    while let Some(line) = lines.next() {
        if !is_statement(line, "solid") {
            return Err(lines.other(line, "solid"));
        }
        let name = String::from_utf8_lossy(line[5..].trim_ascii());
        let refused =
            |error: NameError| StlError::Names { line: lines.line, reason: error.to_string() };
        let name = names.shared(&name).map_err(refused)?;
        let start = facets.n_triangles();
        loop {
            let line = lines.need("endsolid")?;
            if is_statement(line, "endsolid") {
                break;
            }
            if !is_statement(line, "facet") {
                return Err(lines.other(line, "facet"));
            }
            read_facet(&mut lines, origin, &mut facets)?;
        }
        facets.end_solid(&name, start);
    }
    Ok(facets)
}

/// Reads a facet after its first line.
fn read_facet(
    lines: &mut Lines<'_>,
    origin: Option<DVec3>,
    facets: &mut Surface,
) -> Result<(), StlError> {
    let facet = u32::try_from(facets.n_facets).unwrap_or(u32::MAX);
    facets.lines.push(lines.line);
    facets.n_facets += 1;
    lines.expect("outer loop")?;
    let (line, mut outline) = (lines.line, Vec::new());
    loop {
        let line = lines.need("endloop")?;
        if is_statement(line, "endloop") {
            break;
        }
        if !is_statement(line, "vertex") {
            return Err(lines.other(line, "vertex"));
        }
        let corner = vertex(line, origin)
            .ok_or_else(|| StlError::BadVertex { line: lines.line, found: shown(line) })?;
        facets.check(&[corner], || format!("line {}", lines.line))?;
        outline.push(corner);
    }
    let n = outline.len();
    if n < 3 {
        return Err(StlError::TooFewVertices { line: lines.line, n });
    }
    let (split, is_exact) = facets.splitter.split(&outline);
    if !is_exact {
        let found = || (Location::Line(line), Finding::FaceCrossing { n });
        facets.warnings.add(Code::FaceCrossing, found);
    }
    match split {
        Split::Fan => {
            let fan = outline[1..].windows(2).map(|edge| [outline[0], edge[0], edge[1]]);
            facets.corners.extend(fan.flatten());
        }
        Split::Ears(ears) => {
            facets.corners.extend(ears.iter().flatten().map(|&corner| outline[corner as usize]));
        }
    }
    facets.facets.resize(facets.corners.len() / 3, facet);
    lines.expect("endfacet")
}

/// Parses a line `vertex X Y Z`.
fn vertex(line: &[u8], origin: Option<DVec3>) -> Option<Vec3> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let mut number =
        |axis: usize| parse_coordinate(words.next()?, origin.map(|origin| origin[axis])).ok();
    let corner = Vec3::new(number(0)?, number(1)?, number(2)?);
    words.next().is_none().then_some(corner)
}
