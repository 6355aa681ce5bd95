//! Reads Wavefront OBJ files: bytes in, vertices, triangles and names out.
//!
//! Our own reader: others drop unused vertices, which count for the bounds of the level, and lines, which messages name, and
//! take several times the memory of the file.
//!
//! Polygons are split into a fan from their first corner, in file order, as in RecastDemo, if that covers exactly their
//! inside. Degenerate and duplicated triangles are counted and listed, but kept, because they add spans.
//!
//! Source: RecastDemo `Mesh::readFromObj`.
//! Differs: other concave polygons are split by cutting off ears; there is no limit on the corners of a face or the length of a line; an index out of range is an error
//! instead of a silently dropped triangle; faces may refer to vertices that follow them.

mod materials;
mod survey;

use std::{collections::BTreeMap, sync::Arc};

use materials::Materials;
use survey::Survey;
use walkable_mesh::{MaterialColors, MeshPart};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{
    FileWarnings, LevelFile, LevelReading, SideFile,
    faces::{FaceSplitter, Split},
    level_memory::most_bytes,
    oddities,
};

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
    /// The triangles take too much memory: a polygon takes a few bytes per triangle in the file.
    #[error(
        "line {line}: the vertices and faces up to here take more than {max_bytes} bytes; split the level into files \
        for `walkable bin`"
    )]
    TooMuchMemory {
        /// The line.
        line: u32,
        /// The memory limit, in bytes.
        max_bytes: usize,
    },
    /// A name is too long, or the names are too long in total.
    #[error("line {line}: {reason}")]
    Names {
        /// The line.
        line: u32,
        /// The limit that is exceeded.
        reason: String,
    },
}

/// Reads an OBJ file, without colors: see [`material_files`](crate::material_files).
///
/// # Errors
/// Returns an [`ObjError`] that names the first line that cannot be read.
pub fn read_obj(bytes: &[u8]) -> Result<LevelFile, ObjError> {
    read_obj_within(bytes, &|_| Err(String::new()), LevelReading::TRIANGLES)
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
    read_obj_within(bytes, side_file, LevelReading::ALL)
}

/// Reads an OBJ file within a memory limit, with its appearance if it is wanted.
///
/// # Errors
/// Returns the errors of [`read_obj`], and [`ObjError::TooMuchMemory`] if it takes more memory.
pub fn read_obj_within(
    bytes: &[u8],
    side_file: &SideFile<'_>,
    reading: LevelReading,
) -> Result<LevelFile, ObjError> {
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Err(ObjError::Binary { offset });
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_ascii().is_empty() {
        return Err(ObjError::Empty);
    }
    let surveyed = reading.appearance.then(survey::SurveyedAppearance::default);
    let max_bytes = most_bytes(bytes.len(), reading.max_bytes);
    let mut survey = survey::survey(text, (surveyed, reading.moved()), max_bytes)?;
    if survey.n_vertices() == 0 && survey.n_faces() == 0 && survey.n_dropped == 0 {
        return Err(ObjError::NotObj);
    }
    if u32::try_from(survey.n_vertices()).is_err() {
        return Err(ObjError::TooMany { what: "vertices" });
    }
    survey.check()?;
    if survey.n_faces() == 0 {
        return Err(ObjError::NoFaces { n_vertices: survey.n_vertices() });
    }
    let mut warnings = std::mem::take(&mut survey.warnings);
    let fans = split_faces(&survey, &mut warnings)?;
    let place_of =
        |triangle: usize| Location::Line(survey.face_lines[fans.faces[triangle] as usize]);
    oddities::check_triangles(&survey.vertices, &fans.triangles, place_of, &mut warnings);
    let vertex = |at: usize| (Location::Line(survey.vertex_lines[at]), at + 1);
    oddities::check_use(&survey.vertices, &fans.triangles, vertex, &mut warnings);
    let n_faces = survey.n_faces();
    let (mut colors, mut appearance) = (MaterialColors::new(), None);
    if let Some(surveyed) = survey.appearance.take() {
        let materials = Materials::read(bytes, side_file);
        let corners = corners_of_triangles(&survey, &fans.ears);
        let of = materials.appearance(surveyed, &fans.parts, corners, side_file, &mut warnings);
        (colors, appearance) = (materials.colors, Some(Box::new(of)));
    }
    warnings.sort();
    let Survey { vertices, .. } = survey;
    let SplitFaces { triangles, parts, .. } = fans;
    Ok(LevelFile { vertices, triangles, parts, colors, appearance, n_faces, warnings })
}

/// The triangles of the faces that are not split into fans, as numbers of their corners.
type Ears = BTreeMap<usize, Vec<[u32; 3]>>;

/// Returns the numbers of the corners of each triangle, counted over all faces.
fn corners_of_triangles(survey: &Survey, ears: &Ears) -> impl Iterator<Item = [usize; 3]> {
    let mut end = 0;
    (0..survey.n_faces()).flat_map(move |face| {
        let (first, n) = (end, survey.arity(face));
        end += n;
        let ears = ears.get(&face);
        let fan = (2..n).filter(move |_| ears.is_none()).map(|corner| [0, corner - 1, corner]);
        let cut = ears.into_iter().flatten().map(|ear| ear.map(|corner| corner as usize));
        fan.chain(cut).map(move |triangle| triangle.map(|corner| first + corner))
    })
}

/// Faces split into triangles.
struct SplitFaces {
    triangles: Vec<[u32; 3]>,
    /// Face of each triangle.
    faces: Vec<u32>,
    parts: Vec<MeshPart>,
    /// Only kept if the appearance is read.
    ears: Ears,
}

fn split_faces(survey: &Survey, warnings: &mut FileWarnings) -> Result<SplitFaces, ObjError> {
    let n_faces = survey.n_faces();
    let n_triangles = survey.corners.len() - 2 * n_faces;
    triangle_number(n_triangles)?;
    let (triangles, faces) = (Vec::with_capacity(n_triangles), Vec::with_capacity(n_triangles));
    let mut fans = SplitFaces { triangles, faces, parts: Vec::new(), ears: Ears::new() };
    let (mut splitter, mut places) = (FaceSplitter::default(), Vec::new());
    let mut runs = survey.runs.iter().peekable();
    let mut rest = survey.corners.as_slice();
    for face in 0..n_faces {
        let n_triangles = triangle_number(fans.triangles.len())?;
        if let Some(run) = runs.next_if(|run| run.first_face == face) {
            open_part(&mut fans.parts, run, n_triangles);
        }
        let corners;
        (corners, rest) = rest.split_at(survey.arity(face));
        places.clear();
        if corners.len() > 3 {
            places.extend(corners.iter().map(|&corner| survey.vertices[corner as usize]));
        }
        let (split, is_exact) = splitter.split(&places);
        if !is_exact {
            let found = || {
                let line = Location::Line(survey.face_lines[face]);
                (line, Finding::FaceCrossing { n: corners.len() })
            };
            warnings.add(Code::FaceCrossing, found);
        }
        match split {
            Split::Fan => {
                let fan = corners[1..].windows(2).map(|edge| [corners[0], edge[0], edge[1]]);
                fans.triangles.extend(fan);
            }
            Split::Ears(ears) => {
                let cut = ears.iter().map(|ear| ear.map(|corner| corners[corner as usize]));
                fans.triangles.extend(cut);
                if survey.appearance.is_some() {
                    fans.ears.insert(face, ears.to_vec());
                }
            }
        }
        fans.faces.resize(fans.triangles.len(), u32::try_from(face).unwrap_or(u32::MAX));
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
