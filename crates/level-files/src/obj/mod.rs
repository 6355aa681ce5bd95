//! Reads Wavefront OBJ files: bytes in, vertices, triangles and names out.
//!
//! [`tobj`] reads the numbers. It would lose data that a bake depends on, so it gets a cleaned copy of the text, which
//! the line survey in `survey.rs` makes:
//!
//! * tobj keeps only vertices that a face of the same object uses, numbered by first use. The copy has one object and
//!   begins with one polygon over all vertices in order. So the numbering is that of the file and no vertex is lost:
//!   unused vertices count for the bounds of the level.
//! * tobj divides by a fourth vertex number and rejects a fifth. Here, as in RecastDemo, only the first three count.
//!   Texture coordinates and normals are omitted, because tobj can panic on their indices. The survey reads the texture
//!   coordinates for pictures.
//! * tobj drops the name of a material that it has not read from a material file, and has no line numbers. Names and
//!   lines come from the survey. If tobj rejects the text, `explain.rs` finds the line.
//!
//! Polygons are split into a fan from their first corner, in file order, as in RecastDemo. Degenerate and duplicated
//! triangles are counted and listed, but kept, because they add spans.
//!
//! Source: RecastDemo `Mesh::readFromObj`.
//! Differs: there is no limit on the corners of a face or the length of a line; an index out of range is an error
//! instead of a silently dropped triangle; faces may refer to vertices that follow them.

mod explain;
mod materials;
mod survey;

use std::{io::Read as _, sync::Arc};

use glam::Vec3;
use walkable_mesh::{MaterialColors, MeshPart};
use walkable_runtime::diagnostic::Location;

use crate::{LevelFile, SideFile, oddities};
use materials::Materials;
use survey::Survey;

/// Why bytes are not a readable OBJ file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjError {
    /// The file is empty or contains only white space.
    #[error("the file is empty")]
    Empty,
    /// The file contains a zero byte, which text does not.
    #[error("not an OBJ file: byte {offset} is zero, so this is a binary file or UTF-16 text")]
    Binary {
        /// Offset of the zero byte.
        offset: usize,
    },
    /// There is neither a vertex nor a face.
    #[error("not an OBJ file: no line starts with \"v\" or \"f\"")]
    NotObj,
    /// There are vertices, but no face with three corners.
    #[error("the file has {n_vertices} vertices but no face with three or more corners")]
    NoFaces {
        /// Number of vertices.
        n_vertices: usize,
    },
    /// A vertex has fewer than three numbers.
    #[error("line {line}: a vertex needs three coordinates, but this one has {found}")]
    MissingCoordinate {
        /// The line.
        line: u32,
        /// Number of numbers.
        found: usize,
    },
    /// A coordinate is not a number.
    #[error("line {line}: \"{text}\" is not a number")]
    BadNumber {
        /// The line.
        line: u32,
        /// The text in the file.
        text: String,
    },
    /// A coordinate is infinite, not a number, or too large for 32 bits.
    #[error("line {line}: the coordinate {text} is not a finite number")]
    NotFinite {
        /// The line.
        line: u32,
        /// The text in the file.
        text: String,
    },
    /// A corner of a face is not a whole number.
    #[error("line {line}: \"{text}\" is not a vertex index")]
    BadIndex {
        /// The line.
        line: u32,
        /// The text in the file.
        text: String,
    },
    /// A corner of a face is 0, but vertices count from 1.
    #[error("line {line}: a face refers to vertex 0, but indices start at 1")]
    IndexZero {
        /// The line.
        line: u32,
    },
    /// A corner of a face names a vertex that does not exist.
    #[error("line {line}: a face refers to vertex {text}, but the file has {n_vertices} so far")]
    IndexOutOfRange {
        /// The line.
        line: u32,
        /// The index in the file. Negative indices count back from the last vertex before the line.
        text: String,
        /// Number of vertices that it can refer to.
        n_vertices: usize,
    },
    /// There are more vertices or triangles than 32 bits can number.
    #[error("the file has more than {} {what}", u32::MAX)]
    TooMany {
        /// Vertices or triangles.
        what: &'static str,
    },
    /// A name is too long, or the names are too long in total.
    #[error("line {line}: {reason}")]
    Names {
        /// The line.
        line: u32,
        /// The limit that is exceeded.
        reason: String,
    },
    /// The parser rejected a text in which the survey finds no error.
    #[error("the file cannot be read: {reason}")]
    Refused {
        /// The message of the parser.
        reason: String,
    },
}

/// Reads an OBJ file, without colors: see [`material_files`](crate::material_files).
///
/// # Errors
/// Returns an [`ObjError`] that names the first line that cannot be read.
pub fn read_obj(bytes: &[u8]) -> Result<LevelFile, ObjError> {
    read(bytes, None)
}

/// Reads an OBJ file with vertex colors (`v x y z r g b`), and the colors and textures of its material files
/// (`mtllib`), which `side_file` loads, as it loads the textures (`map_Kd`).
///
/// # Errors
/// Returns the errors of [`read_obj`].
pub fn read_obj_with_appearance(
    bytes: &[u8],
    side_file: &SideFile<'_>,
) -> Result<LevelFile, ObjError> {
    read(bytes, Some(side_file))
}

/// Reads an OBJ file; with `side_file`, also its appearance.
fn read(bytes: &[u8], side_file: Option<&SideFile<'_>>) -> Result<LevelFile, ObjError> {
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Err(ObjError::Binary { offset });
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_ascii().is_empty() {
        return Err(ObjError::Empty);
    }
    let surveyed = side_file.map(|_| survey::SurveyedAppearance::default());
    let mut survey = survey::survey(text, surveyed)?;
    if survey.n_vertices() == 0 && survey.n_faces() == 0 && survey.n_dropped == 0 {
        return Err(ObjError::NotObj);
    }
    if u32::try_from(survey.n_vertices()).is_err() {
        return Err(ObjError::TooMany { what: "vertices" });
    }
    let polygons = parse(&survey)?;
    if survey.n_faces() == 0 {
        return Err(ObjError::NoFaces { n_vertices: survey.n_vertices() });
    }
    let fans = fan_out(&polygons, &survey)?;
    let Survey { face_lines, vertex_lines, warnings, .. } = &mut survey;
    let place_of = |triangle: usize| Location::Line(face_lines[fans.faces[triangle] as usize]);
    oddities::check_triangles(&polygons.vertices, &fans.triangles, place_of, warnings);
    let vertex = |at: usize| (Location::Line(vertex_lines[at]), at + 1);
    oddities::check_use(&polygons.vertices, &fans.triangles, vertex, warnings);
    let n_faces = survey.n_faces();
    let Survey { mut warnings, appearance: surveyed, .. } = survey;
    let (mut colors, mut appearance) = (MaterialColors::new(), None);
    if let (Some(side_file), Some(surveyed)) = (side_file, surveyed) {
        let materials = Materials::read(bytes, side_file);
        let corners = polygons.corners_of_triangles(n_faces);
        let of = materials.appearance(surveyed, &fans.parts, corners, side_file, &mut warnings);
        (colors, appearance) = (materials.colors, Some(Box::new(of)));
    }
    warnings.sort();
    let Polygons { vertices, .. } = polygons;
    let Fans { triangles, parts, .. } = fans;
    Ok(LevelFile { vertices, triangles, parts, colors, appearance, n_faces, warnings })
}

/// The result of tobj: all vertices, and the corners of all faces in sequence.
struct Polygons {
    vertices: Vec<Vec3>,
    corners: Vec<u32>,
    /// Number of corners of each face; empty if all have three.
    arities: Vec<u32>,
}

impl Polygons {
    fn arity(&self, face: usize) -> usize {
        self.arities.get(face).map_or(3, |&n| n as usize)
    }

    /// Returns the numbers of the corners of each triangle of a fan, counted over all faces.
    fn corners_of_triangles(&self, n_faces: usize) -> impl Iterator<Item = [usize; 3]> {
        let mut end = 0;
        (0..n_faces).flat_map(move |face| {
            let (first, n) = (end, self.arity(face));
            end += n;
            (2..n).map(move |corner| [first, first + corner - 1, first + corner])
        })
    }
}

fn parse(survey: &Survey) -> Result<Polygons, ObjError> {
    let all_vertices = polygon_over_all(survey.n_vertices());
    let mut reader = all_vertices.as_bytes().chain(survey.text.as_bytes());
    let options = tobj::LoadOptions::default();
    let no_side_files = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let refused = |reason: &str| {
        explain::first_error(survey)
            .unwrap_or_else(|| ObjError::Refused { reason: reason.to_owned() })
    };
    let (models, _materials) = tobj::load_obj_buf(&mut reader, &options, no_side_files)
        .map_err(|error| refused(&error.to_string()))?;
    let Some(mesh) = models.into_iter().next().map(|model| model.mesh) else {
        return Err(refused("no object"));
    };
    if mesh.positions.iter().any(|c| !c.is_finite()) {
        return Err(refused("a coordinate is not finite"));
    }
    let n = survey.n_vertices();
    let vertices: Vec<Vec3> =
        mesh.positions.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect();
    let corners = mesh.indices.get(n..).map(<[u32]>::to_vec);
    let arities = mesh.face_arities.get(1..).map(<[u32]>::to_vec).unwrap_or_default();
    match corners {
        Some(corners) if vertices.len() == n => Ok(Polygons { vertices, corners, arities }),
        _ => Err(refused("vertices are missing")),
    }
}

/// Returns a face statement that refers to every vertex once, in order.
fn polygon_over_all(n_vertices: usize) -> String {
    use std::fmt::Write as _;
    let mut line = String::with_capacity(2 + n_vertices * 8);
    line.push('f');
    for index in 1..=n_vertices {
        // Writing to a string cannot fail.
        let _ = write!(line, " {index}");
    }
    line.push('\n');
    line
}

/// Faces split into triangles.
struct Fans {
    triangles: Vec<[u32; 3]>,
    /// Face of each triangle.
    faces: Vec<u32>,
    parts: Vec<MeshPart>,
}

fn fan_out(polygons: &Polygons, survey: &Survey) -> Result<Fans, ObjError> {
    let n_faces = survey.n_faces();
    let mut fans = Fans { triangles: Vec::new(), faces: Vec::new(), parts: Vec::new() };
    let mut runs = survey.runs.iter().peekable();
    let mut rest = polygons.corners.as_slice();
    for face in 0..n_faces {
        let n_triangles = triangle_number(fans.triangles.len())?;
        if let Some(run) = runs.next_if(|run| run.first_face == face) {
            open_part(&mut fans.parts, run, n_triangles);
        }
        let Some((corners, others)) = rest.split_at_checked(polygons.arity(face)) else {
            return Err(ObjError::Refused { reason: "corners are missing".to_owned() });
        };
        rest = others;
        for edge in corners[1..].windows(2) {
            fans.triangles.push([corners[0], edge[0], edge[1]]);
            fans.faces.push(u32::try_from(face).unwrap_or(u32::MAX));
        }
    }
    let end = triangle_number(fans.triangles.len())?;
    close_part(&mut fans.parts, end);
    Ok(fans)
}

fn triangle_number(n: usize) -> Result<u32, ObjError> {
    u32::try_from(n).ok().ok_or(ObjError::TooMany { what: "triangles" })
}

fn open_part(parts: &mut Vec<MeshPart>, run: &survey::Run, first_triangle: u32) {
    close_part(parts, first_triangle);
    parts.push(MeshPart {
        object: Arc::clone(&run.object),
        material: Arc::clone(&run.material),
        triangles: first_triangle..first_triangle,
    });
}

fn close_part(parts: &mut [MeshPart], end: u32) {
    if let Some(last) = parts.last_mut() {
        last.triangles.end = end;
    }
}
