//! Levels.

use std::{fs, path::PathBuf, sync::Arc};

use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::{exceptions::PyValueError, prelude::*};
use walkable::{
    glam::Vec3,
    level::{LevelKind, generate},
    mesh::{ImportOptions, LevelFile, LevelFormat, TriMesh, UpAxis},
};

use crate::{WalkableError, report::Diagnostic, settings::Settings, to_error};

/// Maximum size of a level file and of each file that it references, in bytes.
const MAX_BYTES: u64 = 512 << 20;

/// The triangles of a level.
#[pyclass(frozen, module = "walkable")]
pub(crate) struct Level {
    pub(crate) mesh: Arc<TriMesh>,
    warnings: Vec<walkable::diagnostic::Diagnostic>,
}

#[pymethods]
impl Level {
    #[new]
    fn new(
        vertices: PyReadonlyArray2<'_, f32>,
        triangles: PyReadonlyArray2<'_, u32>,
    ) -> PyResult<Self> {
        let vertices: Vec<Vec3> = rows(&vertices, "vertices")?.map(Vec3::from_array).collect();
        let triangles = rows(&triangles, "triangles")?.collect();
        Ok(Self::of_mesh(TriMesh::new(vertices, triangles).map_err(|error| to_error(&error))?))
    }

    /// Reads an OBJ, PLY, STL, glTF or GLB file, and the files that a glTF file references in its folder.
    #[staticmethod]
    #[pyo3(signature = (path, *, up = "y", scale = 1.0, mirror = false, flip = false, collision_only = false, origin = [0.0; 3]))]
    #[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
    fn read(
        path: PathBuf,
        up: &str,
        scale: f32,
        mirror: bool,
        flip: bool,
        collision_only: bool,
        origin: [f64; 3],
    ) -> PyResult<Self> {
        let options = import_options(up, scale, origin)?;
        let options = ImportOptions { mirror, flip, collision_only, ..options };
        let bytes = read_file(&path)?;
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let side_file =
            |name: &str| read_file(&folder.join(name)).map_err(|error| error.to_string());
        let format = LevelFormat::of(&path, &bytes).ok_or_else(|| {
            let (path, known) = (path.display(), LevelFormat::names());
            WalkableError::new_err(format!("{path}: it is not a level ({known})"))
        })?;
        let file = format.read(&bytes, &side_file, options.reading());
        Self::of_file(file.map_err(|error| in_file(&path, &error))?, options)
    }

    /// Reads the contents of an OBJ, PLY or STL file, or of a glTF file without other files.
    #[staticmethod]
    #[pyo3(signature = (data, format, *, up = "y", scale = 1.0, mirror = false, flip = false, collision_only = false, origin = [0.0; 3]))]
    #[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
    fn from_bytes(
        data: &[u8],
        format: &str,
        up: &str,
        scale: f32,
        mirror: bool,
        flip: bool,
        collision_only: bool,
        origin: [f64; 3],
    ) -> PyResult<Self> {
        let options = import_options(up, scale, origin)?;
        let options = ImportOptions { mirror, flip, collision_only, ..options };
        let no_files = |_: &str| Err("only Level.read reads other files".to_owned());
        let format = LevelFormat::of_extension(format).ok_or_else(|| {
            let known = LevelFormat::ALL.iter().flat_map(|format| format.extensions());
            let known = known.copied().collect::<Vec<_>>().join(", ");
            PyValueError::new_err(format!("unknown format \"{format}\"; there are {known}"))
        })?;
        let file = format.read(data, &no_files, options.reading());
        Self::of_file(file.map_err(|error| to_error(&error))?, options)
    }

    /// Generates a level, and settings that suit it.
    #[staticmethod]
    #[pyo3(signature = (kind, *, seed = 1, size = 60.0))]
    fn generate(kind: &str, seed: u64, size: f32) -> PyResult<(Self, Settings)> {
        let kind: LevelKind = kind.parse().map_err(|error| to_error(&error))?;
        let level = generate(kind, seed, size).map_err(|error| to_error(&error))?;
        Ok((Self::of_mesh(level.mesh), Settings(level.config)))
    }

    /// The vertices, an array of shape (n, 3), in meters, y up.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        to_array(py, self.mesh.vertices().iter().map(|vertex| vertex.to_array()))
    }

    /// The vertex indices of the triangles, an array of shape (n, 3).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u32>> {
        to_array(py, self.mesh.triangles().iter().copied())
    }

    /// Warnings about the file.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.iter().cloned().map(Diagnostic).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Level of {} triangles>", self.mesh.triangles().len())
    }
}

impl Level {
    fn of_mesh(mesh: TriMesh) -> Self {
        Self { mesh: Arc::new(mesh), warnings: Vec::new() }
    }

    fn of_file(file: LevelFile, options: ImportOptions) -> PyResult<Self> {
        let file = options.select(file);
        let warnings = file.warnings.summary().collect();
        let mesh = options.import(file).map_err(|error| to_error(&error))?;
        Ok(Self { mesh: Arc::new(mesh), warnings })
    }
}

/// Returns import options with this up axis and scale.
fn import_options(up: &str, scale: f32, origin: [f64; 3]) -> PyResult<ImportOptions> {
    let up = match up {
        "y" => UpAxis::Y,
        "z" => UpAxis::Z,
        _ => return Err(PyValueError::new_err("up must be \"y\" or \"z\"")),
    };
    if !(scale.is_finite() && scale > 0.0) {
        return Err(PyValueError::new_err("scale must be a positive number"));
    }
    if !origin.iter().all(|n| n.is_finite()) {
        return Err(PyValueError::new_err("origin must be three finite numbers"));
    }
    Ok(ImportOptions { up, scale, origin, ..ImportOptions::default() })
}

/// Reads a file. Fails if it is not a regular file or too large.
fn read_file(path: &std::path::Path) -> PyResult<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(WalkableError::new_err(format!("{} is not a file", path.display())));
    }
    if metadata.len() > MAX_BYTES {
        let text = format!("{} has more than {MAX_BYTES} bytes", path.display());
        return Err(WalkableError::new_err(text));
    }
    Ok(fs::read(path)?)
}

fn in_file(path: &std::path::Path, error: &dyn std::error::Error) -> PyErr {
    WalkableError::new_err(format!("{}: {error}", path.display()))
}

/// Returns the rows of an array of shape (n, 3).
fn rows<T: numpy::Element + Copy>(
    array: &PyReadonlyArray2<'_, T>,
    name: &str,
) -> PyResult<impl Iterator<Item = [T; 3]>> {
    let view = array.as_array();
    if view.ncols() != 3 {
        let text = format!("{name} must have the shape (n, 3)");
        return Err(PyValueError::new_err(text));
    }
    let rows: Vec<_> = view.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect();
    Ok(rows.into_iter())
}

/// Returns an array of shape (n, 3).
pub(crate) fn to_array<T: numpy::Element + Copy>(
    py: Python<'_>,
    rows: impl Iterator<Item = [T; 3]>,
) -> Bound<'_, PyArray2<T>> {
    let flat: Vec<T> = rows.flatten().collect();
    let n = flat.len() / 3;
    let array = numpy::ndarray::Array2::from_shape_vec((n, 3), flat);
    PyArray2::from_owned_array(py, array.unwrap_or_else(|_| unreachable!("three numbers a row")))
}
