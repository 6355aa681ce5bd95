//! Reads PLY files, text and binary of both byte orders: bytes in, vertices and triangles out.
//!
//! Of the elements, only `vertex` (x, y, z, and for pictures red, green, blue) and `face` (`vertex_indices` or
//! `vertex_index`) are used; other elements and properties are skipped. Polygons are split as in OBJ
//! files. PLY has no names, so the level has one part without names.
//!
//! Our own reader, because a message must name the line or the element, and memory must stay in proportion to the
//! triangles: a general PLY library keeps every property of every element.
//!
//! Source: G. Turk, The PLY Polygon File Format, 1994.
//! Differs: triangle strips (`tristrips`) are not read.

mod body;
mod header;

use body::Body;
use glam::Vec3;
use header::{Element, Kind};
use walkable_mesh::{MaterialColors, MeshPart};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{
    Appearance, FileWarnings, LevelFile, LevelReading,
    appearance::color_byte,
    faces,
    level_file::{MAX_TRIANGLES, rounded},
    level_memory::{bytes_of, most_bytes},
    oddities,
};

/// Why bytes are not a readable PLY file. Lines count from 1; vertices and faces count from 0, as in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlyError {
    /// The file is empty or contains only white space.
    #[error("the file is empty")]
    Empty,
    /// The first line is not `ply`.
    #[error("not a PLY file: its first line is not \"ply\"")]
    NotPly,
    /// A line of the header cannot be read.
    #[error("line {line}: {reason}")]
    Header {
        /// The line.
        line: u32,
        /// The reason.
        reason: String,
    },
    /// The header has no end.
    #[error("the file is cut off: its header has no line \"end_header\"")]
    NoEndOfHeader,
    /// The header does not declare an element that a level needs.
    #[error("the header has no element \"{0}\"")]
    NoElement(&'static str),
    /// The header claims more elements than the rest of the file can hold.
    #[error(
        "the header says {n} of element \"{element}\", which take at least {needed} bytes, but only {found} bytes follow"
    )]
    TooShort {
        /// Name of the element.
        element: String,
        /// Number in the header.
        n: u64,
        /// Minimum number of bytes for them.
        needed: u128,
        /// Number of bytes that follow.
        found: usize,
    },
    /// The file ends within an element.
    #[error("the file is cut off in {place}")]
    CutOff {
        /// The element.
        place: String,
    },
    /// An element has a value that cannot be read.
    #[error("{place}: {reason}")]
    Element {
        /// The element, with its line in a text file.
        place: String,
        /// The reason.
        reason: String,
    },
    /// A face refers to a vertex that does not exist.
    #[error("{place} refers to vertex {index}, but the file has {n_vertices}")]
    IndexOutOfRange {
        /// The face, with its line in a text file.
        place: String,
        /// The index.
        index: String,
        /// Number of vertices.
        n_vertices: u64,
    },
    /// A coordinate is infinite or not a number.
    #[error("{place}: the coordinate {value} is not a finite number")]
    NotFinite {
        /// The vertex, with its line in a text file.
        place: String,
        /// The coordinate.
        value: String,
    },
    /// There is no face with three corners.
    #[error("the file has {n_vertices} vertices but no face with three or more corners")]
    NoFaces {
        /// Number of vertices.
        n_vertices: u64,
    },
    /// There are too many triangles, or they take too much memory.
    #[error(
        "the faces have too many triangles: more than {MAX_TRIANGLES}, or more than the memory for a file of this \
         size or the memory limit allows; split the level into files for `walkable bin`"
    )]
    TooMany,
}

/// Reads a PLY file.
///
/// # Errors
/// Returns a [`PlyError`] that names the first line or element that cannot be read.
pub fn read_ply(bytes: &[u8]) -> Result<LevelFile, PlyError> {
    read_ply_within(bytes, LevelReading::TRIANGLES)
}

/// Reads a PLY file with its vertex colors (`red`, `green`, `blue`).
///
/// # Errors
/// Returns the errors of [`read_ply`].
pub fn read_ply_with_appearance(bytes: &[u8]) -> Result<LevelFile, PlyError> {
    read_ply_within(bytes, LevelReading::ALL)
}

/// Reads a PLY file within a memory limit, with its vertex colors if they are wanted.
///
/// # Errors
/// Returns the errors of [`read_ply`], and [`PlyError::TooMany`] if it takes more memory.
pub fn read_ply_within(bytes: &[u8], reading: LevelReading) -> Result<LevelFile, PlyError> {
    if bytes.trim_ascii().is_empty() {
        return Err(PlyError::Empty);
    }
    let header = header::parse(bytes)?;
    let mut body = Body::new(&header, bytes);
    let max_bytes = most_bytes(bytes.len(), reading.max_bytes);
    let appearance = reading.appearance.then(Box::default);
    let origin = reading.origin;
    let mut level = Polygons { appearance, max_bytes, origin, ..Polygons::default() };
    let n_vertices = header.vertex()?.n;
    header.face()?;
    for element in &header.elements {
        body.check_size(element)?;
        match element.kind {
            Kind::Vertex { axes, color } => {
                level.read_vertices(element, (axes, color), &mut body)?;
            }
            Kind::Face { corners } => level.read_faces(element, corners, n_vertices, &mut body)?,
            Kind::Other => body.skip(element)?,
        }
    }
    level.finish(n_vertices)
}

/// The vertices and faces read so far.
#[derive(Default)]
struct Polygons {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Face of each triangle.
    faces: Vec<u32>,
    n_faces: usize,
    warnings: FileWarnings,
    /// The vertex colors, if they are read.
    appearance: Option<Box<Appearance>>,
    /// Maximum memory of the triangles, in bytes.
    max_bytes: usize,
    /// Subtracted from all positions.
    origin: [f64; 3],
}

impl Polygons {
    /// Reads the vertices; `axes` are the indices of the properties x, y and z, `color` those of red, green and blue.
    fn read_vertices<'a>(
        &mut self,
        element: &Element<'a>,
        (axes, color): ([usize; 3], Option<[usize; 3]>),
        body: &mut Body<'a>,
    ) -> Result<(), PlyError> {
        let color = color.filter(|_| self.appearance.is_some());
        let component = |at| color.and_then(|color| color.iter().position(|&c| c == at));
        for index in 0..element.n {
            body.start_row(element.name, index)?;
            let mut position = [0.0_f32; 3];
            let mut rgb = [0; 3];
            for (at, property) in element.properties.iter().enumerate() {
                if let Some(component) = component(at) {
                    rgb[component] = color_component(property.number, body)?;
                    continue;
                }
                let Some(axis) = axes.iter().position(|&axis| axis == at) else {
                    body.skip_property(property)?;
                    continue;
                };
                let value = body.value(property.number)?;
                let narrow = rounded(value - self.origin[axis]);
                if !narrow.is_finite() {
                    let (place, value) = (body.place(), value.to_string());
                    return Err(PlyError::NotFinite { place, value });
                }
                position[axis] = narrow;
            }
            body.end_row()?;
            if bytes_of(0, self.vertices.len() + 1) > self.max_bytes {
                return Err(PlyError::TooMany);
            }
            self.vertices.push(Vec3::from_array(position));
            if let (Some(_), Some(appearance)) = (color, &mut self.appearance) {
                appearance.vertex_colors.push(Some(rgb));
            }
        }
        Ok(())
    }

    /// Reads the faces; `corners` is the index of the property that lists the vertices of a face.
    fn read_faces<'a>(
        &mut self,
        element: &Element<'a>,
        corners: usize,
        n_vertices: u64,
        body: &mut Body<'a>,
    ) -> Result<(), PlyError> {
        for index in 0..element.n {
            body.start_row(element.name, index)?;
            for (at, property) in element.properties.iter().enumerate() {
                if at != corners {
                    body.skip_property(property)?;
                    continue;
                }
                let face = u32::try_from(index).map_err(|_too_large| PlyError::TooMany)?;
                let n = body.length(property)?;
                let n_triangles = self.triangles.len() as u64 + n.saturating_sub(2);
                let n_triangles = usize::try_from(n_triangles).unwrap_or(usize::MAX);
                let n_bytes = bytes_of(n_triangles, self.vertices.len());
                if n_triangles > MAX_TRIANGLES || n_bytes > self.max_bytes {
                    return Err(PlyError::TooMany);
                }
                // The vertices may follow in the file: until they are known, a face is a fan.
                let (mut first, mut previous) = (None, None);
                for _ in 0..n {
                    let corner = corner(n_vertices, property.number, body)?;
                    if let Some((first, previous)) = first.zip(previous) {
                        self.triangles.push([first, previous, corner]);
                        self.faces.push(face);
                    }
                    if first.is_some() { previous = Some(corner) } else { first = Some(corner) }
                }
                self.end_face(face, usize::try_from(n).unwrap_or(usize::MAX));
            }
            body.end_row()?;
        }
        Ok(())
    }

    /// Counts a face of `n` corners.
    fn end_face(&mut self, face: u32, n: usize) {
        if n < 3 {
            self.warnings.add(Code::FaceDropped, || (place_of(face), Finding::FaceDropped { n }));
        } else {
            self.n_faces += 1;
        }
    }

    fn finish(mut self, n_vertices: u64) -> Result<LevelFile, PlyError> {
        if self.triangles.is_empty() {
            return Err(PlyError::NoFaces { n_vertices });
        }
        let Self { vertices, triangles, faces, n_faces, warnings, .. } = &mut self;
        if faces.len() > *n_faces {
            faces::split_again(vertices, (triangles, faces), |face, n| {
                let found = || (place_of(face), Finding::FaceCrossing { n });
                warnings.add(Code::FaceCrossing, found);
            });
        }
        oddities::check_triangles(vertices, triangles, |at| place_of(faces[at]), warnings);
        let vertex = |at: usize| (Location::Element(format!("vertex {at}")), at);
        oddities::check_use(vertices, triangles, vertex, warnings);
        warnings.sort();
        let end = u32::try_from(triangles.len()).unwrap_or(u32::MAX);
        let whole = MeshPart { object: "".into(), material: "".into(), triangles: 0..end };
        let n_faces = *n_faces;
        let Self { vertices, triangles, warnings, appearance, .. } = self;
        let (parts, colors) = (vec![whole], MaterialColors::new());
        Ok(LevelFile { vertices, triangles, parts, colors, appearance, n_faces, warnings })
    }
}

fn place_of(face: u32) -> Location {
    Location::Element(format!("face {face}"))
}

/// Reads a component of a color.
fn color_component(number: header::Number, body: &mut Body<'_>) -> Result<u8, PlyError> {
    let value = body.value(number)? / number.full_component();
    #[expect(clippy::cast_possible_truncation, reason = "a byte follows")]
    let narrow = value as f32;
    Ok(color_byte(narrow))
}

/// Reads the index of a vertex.
fn corner(n_vertices: u64, number: header::Number, body: &mut Body<'_>) -> Result<u32, PlyError> {
    let value = body.value(number)?;
    let index = header::to_index(value).filter(|&index| index < n_vertices);
    let index = index.and_then(|index| u32::try_from(index).ok());
    index.ok_or_else(|| {
        let (place, index) = (body.place(), value.to_string());
        PlyError::IndexOutOfRange { place, index, n_vertices }
    })
}
