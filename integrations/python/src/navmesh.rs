//! Navmeshes: baking, reading and queries.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyArray2;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use walkable::{
    bake::{AreaTable, BakeConfig, BakeInput, BakeLimits, BakePlan, bake as bake_all},
    check,
    export::{ExportFormat, ExportInput},
    glam::Vec3,
    ids::AreaId,
    navmesh,
    query::{
        self, Filter, MeshPoint, NavPath, NearestRequest, PathRequest, RandomPointRequest,
        RaycastRequest, Reachability, Scratch, Seeded, TileChoice, find_path, find_shortest_path,
        nearest, random_point, raycast,
    },
};

use crate::{
    level::{Level, to_array},
    report::{Diagnostic, from_json, put},
    settings::Settings,
    to_error, work,
};

/// Linked tiles.
#[pyclass(frozen, module = "walkable")]
pub(crate) struct NavMesh {
    mesh: navmesh::NavMesh,
    areas: AreaTable,
    scratch: Mutex<Scratch>,
}

/// Returns the limits of memory and time of a bake.
pub(crate) fn limits(max_memory_mb: u64) -> BakeLimits {
    BakeLimits { n_bytes: max_memory_mb.saturating_mul(1_000_000), secs: f64::INFINITY }
}

/// Returns the plan of a bake within its limits.
pub(crate) fn plan(level: &Level, config: &BakeConfig, limits: BakeLimits) -> PyResult<BakePlan> {
    let input: BakeInput = config.clone().with_mesh(Arc::clone(&level.mesh));
    let plan = BakePlan::new(input).map_err(|error| to_error(&error))?;
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    plan.check_limits(n_threads, limits).map_err(|error| to_error(&error))?;
    Ok(plan)
}

/// Bakes all tiles of a level on all cores.
#[pyfunction]
#[pyo3(signature = (level, settings = None, *, max_memory_mb = 1000))]
pub(crate) fn bake(
    py: Python<'_>,
    level: &Level,
    settings: Option<&Settings>,
    max_memory_mb: u64,
) -> PyResult<NavMesh> {
    let config = settings.map(|settings| settings.0.clone()).unwrap_or_default();
    let plan = plan(level, &config, limits(max_memory_mb))?;
    let mesh = work::run(py, |monitor| bake_all(plan.input().clone(), monitor))?;
    let mesh = mesh.map_err(|error| to_error(&error))?;
    Ok(NavMesh::new(mesh, config.areas))
}

#[pymethods]
impl NavMesh {
    /// Reads a tile set (MSET).
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        let mesh = navmesh::NavMesh::from_bytes(data).map_err(|error| to_error(&error))?;
        Ok(Self::new(mesh, AreaTable::default()))
    }

    /// Returns the tile set (MSET) that Detour's samples load.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.mesh.to_bytes())
    }

    /// Returns the contents of a file in another format, by its name or its file ending.
    fn export<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let known = ExportFormat::of_key(format).or_else(|| ExportFormat::of_ending(format));
        let format = known.ok_or_else(|| {
            let keys: Vec<_> = ExportFormat::ALL.iter().map(|format| format.key()).collect();
            let keys = keys.join(", ");
            PyValueError::new_err(format!("unknown format \"{format}\"; there are {keys}"))
        })?;
        let input = ExportInput::new(&self.mesh, &self.areas);
        let bytes = format.write(&input).map_err(|error| to_error(&error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Finds a path from `start` to `end`.
    #[pyo3(signature = (start, end, *, costs = None, include = 0xffff, exclude = 0, shortest = false, max_nodes = query::MAX_NODES))]
    #[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
    fn find_path(
        &self,
        start: [f32; 3],
        end: [f32; 3],
        costs: Option<&Bound<'_, PyDict>>,
        include: u16,
        exclude: u16,
        shortest: bool,
        max_nodes: usize,
    ) -> PyResult<Path> {
        let filter = filter(costs, include, exclude)?;
        let mut request = PathRequest::new(start.into(), end.into(), &filter);
        request.max_nodes = max_nodes;
        let scratch = &mut *self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let find = if shortest { find_shortest_path } else { find_path };
        let path = find(&self.mesh, &request, scratch).map_err(|error| to_error(&error))?;
        Ok(Path(path))
    }

    /// Returns the nearest point of the navmesh and its polygon; `None` if no polygon is within `half_extents`.
    #[pyo3(signature = (point, *, half_extents = [2.0, 4.0, 2.0]))]
    fn nearest(
        &self,
        point: [f32; 3],
        half_extents: [f32; 3],
    ) -> PyResult<Option<([f32; 3], u64)>> {
        let found = self.nearest_point(point.into(), half_extents.into())?;
        Ok(found.map(|found| (found.point.to_array(), found.poly.0.get())))
    }

    /// Walks straight from `start` toward `end`, seen from above; `None` if the start is off the navmesh.
    fn raycast<'py>(
        &self,
        py: Python<'py>,
        start: [f32; 3],
        end: [f32; 3],
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let start = self.nearest_point(start.into(), NearestRequest::HALF_EXTENTS)?;
        let Some(start) = start else { return Ok(None) };
        let filter = Filter::default();
        let request = RaycastRequest::new(start, end.into(), &filter);
        let ray = raycast(&self.mesh, &request).map_err(|error| to_error(&error))?;
        let dict = PyDict::new(py);
        put(&dict, "t", &ray.hit.t)?;
        put(&dict, "normal", &ray.hit.normal)?;
        put(&dict, "cost", &ray.hit.cost)?;
        put(&dict, "visited", &ray.visited)?;
        Ok(Some(dict))
    }

    /// Returns random points of the ground, evenly distributed over its area: an array of shape (n, 3).
    #[pyo3(signature = (n, *, seed = 1))]
    fn random_points<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
    ) -> Bound<'py, PyArray2<f32>> {
        let filter = Filter::default();
        let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
        let mut random = Seeded::new(seed);
        let points = (0..n).map_while(|_| random_point(&self.mesh, &request, || random.share()));
        to_array(py, points.map(|point| point.point.to_array()))
    }

    /// Returns the ground as triangles: vertices of shape (n, 3) and their indices of shape (m, 3).
    fn ground<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>) {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for tile in self.mesh.tiles() {
            for poly in 0..tile.polys.len() {
                for &triangle in tile.detail_of(poly) {
                    let corners = tile.detail_corners(poly, triangle);
                    let first = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
                    vertices.extend(corners.map(|corner: Vec3| corner.to_array()));
                    triangles.push([first, first + 1, first + 2]);
                }
            }
        }
        (to_array(py, vertices.into_iter()), to_array(py, triangles.into_iter()))
    }

    /// Returns the number of islands: parts without links to other parts.
    fn n_islands(&self) -> usize {
        Reachability::new(&self.mesh, &Filter::default()).n_islands()
    }

    /// Number of tiles.
    #[getter]
    fn n_tiles(&self) -> usize {
        self.mesh.tiles().count()
    }

    /// Number of polygons, including off-mesh links.
    #[getter]
    fn n_polygons(&self) -> usize {
        self.mesh.tiles().map(|tile| tile.polys.len()).sum()
    }

    /// The lowest and the highest corner of its bounding box.
    #[getter]
    fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let bounds = self.mesh.bounds();
        (bounds.min.to_array(), bounds.max.to_array())
    }

    /// Finds faults that break queries. With its level and settings, also compares the surface with the level.
    #[pyo3(signature = (level = None, settings = None, *, max_memory_mb = 1000))]
    fn check(
        &self,
        py: Python<'_>,
        level: Option<&Level>,
        settings: Option<&Settings>,
        max_memory_mb: u64,
    ) -> PyResult<Vec<Diagnostic>> {
        let config = settings.map(|settings| settings.0.clone()).unwrap_or_default();
        let plan = level.map(|level| plan(level, &config, limits(max_memory_mb))).transpose()?;
        let report = work::run(py, |monitor| check::check(&self.mesh, plan.as_ref(), monitor))?;
        let report = report.map_err(|error| to_error(&error))?;
        Ok(report.all().cloned().map(Diagnostic).collect())
    }

    fn __repr__(&self) -> String {
        format!("<NavMesh of {} polygons in {} tiles>", self.n_polygons(), self.n_tiles())
    }
}

impl NavMesh {
    fn new(mesh: navmesh::NavMesh, areas: AreaTable) -> Self {
        Self { mesh, areas, scratch: Mutex::default() }
    }

    fn nearest_point(&self, center: Vec3, half_extents: Vec3) -> PyResult<Option<MeshPoint>> {
        let filter = Filter::default();
        let request = NearestRequest { center, half_extents, filter: &filter };
        nearest(&self.mesh, &request).map_err(|error| to_error(&error))
    }
}

/// Returns a filter with these costs by area.
pub(crate) fn filter(
    costs: Option<&Bound<'_, PyDict>>,
    include_flags: u16,
    exclude_flags: u16,
) -> PyResult<Filter> {
    let mut filter = Filter { include_flags, exclude_flags, ..Filter::default() };
    for (area, cost) in costs.into_iter().flatten() {
        let (area, cost) = (area.extract::<usize>()?, cost.extract::<f32>()?);
        let Some(entry) = filter.area_cost.get_mut(area) else {
            let text = format!("there is no area {area}; areas are 0 to {}", AreaId::COUNT - 1);
            return Err(PyValueError::new_err(text));
        };
        if !(cost.is_finite() && cost >= 0.0) {
            return Err(PyValueError::new_err("costs must be finite and not negative"));
        }
        *entry = cost;
    }
    Ok(filter)
}

/// The result of a path search.
#[pyclass(frozen, module = "walkable")]
pub(crate) struct Path(NavPath);

#[pymethods]
impl Path {
    /// `complete`, `partial` or `unreachable`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.0.status)
    }

    /// The reason if the path is not complete, such as `disconnected`.
    #[getter]
    fn why<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.0.why)
    }

    /// The corners of the path, an array of shape (n, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        to_array(py, self.0.points.iter().map(|point| point.to_array()))
    }

    /// References of the polygons to pass.
    #[getter]
    fn corridor(&self) -> Vec<u64> {
        self.0.corridor.iter().map(|poly| poly.0.get()).collect()
    }

    /// Length of the path, in meters.
    #[getter]
    fn length(&self) -> f32 {
        self.0.length
    }

    /// Cost of the corridor.
    #[getter]
    fn cost(&self) -> f32 {
        self.0.cost
    }

    /// Number of nodes taken from the open list.
    #[getter]
    fn n_expanded(&self) -> usize {
        self.0.n_expanded
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Path(NavPath { length, points, .. }) = self;
        Ok(format!("<Path {}, {length:.2} m, {} points>", self.status(py)?, points.len()))
    }
}
