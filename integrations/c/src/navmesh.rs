//! Navmeshes: baking, reading and queries.

use std::{
    ffi::c_char,
    mem::MaybeUninit,
    ptr,
    sync::{Mutex, PoisonError},
};

use walkable::{
    bake::{AreaTable, bake},
    check::check,
    export::{ExportFormat, ExportInput},
    glam::Vec3,
    navmesh,
    query::{
        Filter, MAX_NODES, MeshPoint, NearestRequest, PathRequest, PathStatus, RaycastRequest,
        Scratch, find_path, find_shortest_path, nearest, raycast,
    },
};

use crate::{
    Bytes, Status, array,
    error::{error_text, free, guard, guard_new},
    free_array,
    level::{Level, Limits, Settings, point},
    object, text, to_array, to_string,
};

/// Linked tiles.
#[derive(Debug)]
pub struct NavMesh {
    mesh: navmesh::NavMesh,
    areas: AreaTable,
    scratch: Mutex<Scratch>,
}

/// The polygons that a path may use, and their costs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct QueryFilter {
    /// A polygon is used only if it has at least one of these flags.
    pub include_flags: u16,
    /// A polygon with any of these flags is not used.
    pub exclude_flags: u16,
    /// Cost per meter in each area.
    pub area_cost: [f32; 64],
}

impl From<QueryFilter> for Filter {
    fn from(filter: QueryFilter) -> Self {
        let QueryFilter { include_flags, exclude_flags, area_cost } = filter;
        Self { include_flags, exclude_flags, area_cost, ..Self::default() }
    }
}

/// The extent of a path.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathExtent {
    /// The path reaches the end.
    Complete = 0,
    /// The path leads to the reachable polygon nearest to the end.
    Partial = 1,
    /// There is no path.
    Unreachable = 2,
}

/// The result of a path search. Free it with `walkable_path_free`.
#[repr(C)]
#[derive(Debug)]
pub struct Path {
    /// The extent of the path.
    pub extent: PathExtent,
    /// The corners of the path, three floats each.
    pub points: *mut f32,
    /// Number of points.
    pub n_points: usize,
    /// References of the polygons to pass.
    pub corridor: *mut u64,
    /// Number of polygons.
    pub n_corridor: usize,
    /// Length of the path, in meters.
    pub length: f32,
    /// Cost of the corridor.
    pub cost: f32,
}

/// A point of a navmesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// The point.
    pub point: [f32; 3],
    /// Reference of its polygon.
    pub polygon: u64,
}

/// The end of a ray.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Fraction of the line that can be walked; 1 if no wall was hit.
    pub t: f32,
    /// Whether a wall was hit.
    pub is_hit: bool,
    /// Horizontal direction away from the wall; zero if no wall was hit.
    pub normal: [f32; 3],
}

/// Returns the filter that accepts all polygons with any flag, at cost 1.
#[unsafe(no_mangle)]
pub extern "C" fn walkable_filter_default() -> QueryFilter {
    let Filter { include_flags, exclude_flags, area_cost, .. } = Filter::default();
    QueryFilter { include_flags, exclude_flags, area_cost }
}

/// Bakes all tiles of a level on all cores. `limits` may be NULL.
///
/// # Safety
/// `level` is a level, `settings` are settings, `limits` is NULL or points to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_bake(
    level: *const Level,
    settings: *const Settings,
    limits: *const Limits,
) -> *mut NavMesh {
    guard_new(|| {
        // SAFETY: by contract.
        let (level, settings) = unsafe { (object(level, "level")?, object(settings, "settings")?) };
        // SAFETY: by contract.
        let limits = unsafe { Limits::at(limits) };
        let plan = level.plan(settings, limits)?;
        let mesh = bake(plan.input().clone(), &limits).map_err(|error| error_text(&error))?;
        Ok(NavMesh { mesh, areas: settings.0.areas.clone(), scratch: Mutex::default() })
    })
}

/// Reads a tile set (MSET), as RecastDemo and `walkable bake` write it.
///
/// # Safety
/// `data` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_read(data: *const u8, len: usize) -> *mut NavMesh {
    guard_new(|| {
        // SAFETY: by contract.
        let bytes = unsafe { array(data, len, "data") }?;
        let mesh = navmesh::NavMesh::from_bytes(bytes).map_err(|error| error_text(&error))?;
        Ok(NavMesh { mesh, areas: AreaTable::default(), scratch: Mutex::default() })
    })
}

/// Frees a navmesh.
///
/// # Safety
/// `navmesh` is NULL, or was returned by this library and not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_free(navmesh: *mut NavMesh) {
    // SAFETY: by contract.
    unsafe { free(navmesh) };
}

/// Writes a navmesh to `bytes`: as a tile set if `format` is NULL, otherwise in the format with this name on the
/// command line, such as "glb".
///
/// # Safety
/// `navmesh` is a navmesh, `format` is NULL or a string, `bytes` points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_write(
    navmesh: *const NavMesh,
    format: *const c_char,
    bytes: *mut Bytes,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let bytes = unsafe { output(bytes, "bytes") }?;
        // SAFETY: by contract.
        let NavMesh { mesh, areas, .. } = unsafe { object(navmesh, "navmesh") }?;
        let written = if format.is_null() {
            mesh.to_bytes()
        } else {
            // SAFETY: by contract.
            let key = unsafe { text(format, "format") }?;
            let format = ExportFormat::of_key(key).ok_or_else(|| {
                let keys: Vec<_> = ExportFormat::ALL.iter().map(|format| format.key()).collect();
                format!("unknown format \"{key}\"; there are {}", keys.join(", "))
            })?;
            format.write(&ExportInput::new(mesh, areas)).map_err(|error| error_text(&error))?
        };
        bytes.write(written.into());
        Ok(Status::Ok)
    })
}

/// Returns the number of polygons of a navmesh, including off-mesh links; 0 for NULL.
///
/// # Safety
/// `navmesh` is NULL or a navmesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_n_polygons(navmesh: *const NavMesh) -> usize {
    // SAFETY: by contract.
    let navmesh = unsafe { navmesh.as_ref() };
    navmesh.map_or(0, |navmesh| navmesh.mesh.tiles().map(|tile| tile.polys.len()).sum())
}

/// Finds a path by A* and string pulling. With `shortest`, finds the shortest path on ground of equal cost. `filter`
/// may be NULL.
///
/// # Safety
/// `navmesh` is a navmesh, `start` and `end` point to three floats, `filter` is NULL or points to a filter, `path`
/// points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_find_path(
    navmesh: *const NavMesh,
    start: *const f32,
    end: *const f32,
    filter: *const QueryFilter,
    shortest: bool,
    path: *mut Path,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let path = unsafe { output(path, "path") }?;
        // SAFETY: by contract.
        let navmesh = unsafe { object(navmesh, "navmesh") }?;
        // SAFETY: by contract.
        let (start, end) = unsafe { (point(start, "start")?, point(end, "end")?) };
        // SAFETY: by contract.
        let filter = unsafe { filter_at(filter) };
        let request = PathRequest { max_nodes: MAX_NODES, ..PathRequest::new(start, end, &filter) };
        let scratch = &mut *navmesh.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let find = if shortest { find_shortest_path } else { find_path };
        let found = find(&navmesh.mesh, &request, scratch).map_err(|error| error_text(&error))?;
        let points: Vec<f32> = found.points.iter().flat_map(|point| point.to_array()).collect();
        let corridor: Vec<u64> = found.corridor.iter().map(|polygon| polygon.0.get()).collect();
        let written = Path {
            extent: match found.status {
                PathStatus::Complete => PathExtent::Complete,
                PathStatus::Partial => PathExtent::Partial,
                PathStatus::Unreachable => PathExtent::Unreachable,
            },
            n_points: found.points.len(),
            points: to_array(points),
            n_corridor: corridor.len(),
            corridor: to_array(corridor),
            length: found.length,
            cost: found.cost,
        };
        path.write(written);
        Ok(Status::Ok)
    })
}

/// Frees the arrays of a path, and sets them to NULL.
///
/// # Safety
/// `path` is NULL or points to a path of `walkable_navmesh_find_path` whose arrays were not changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_path_free(path: *mut Path) {
    // SAFETY: by contract.
    let Some(path) = (unsafe { path.as_mut() }) else { return };
    // SAFETY: by contract.
    unsafe {
        free_array(path.points, 3 * path.n_points);
        free_array(path.corridor, path.n_corridor);
    }
    (path.points, path.corridor) = (ptr::null_mut(), ptr::null_mut());
    (path.n_points, path.n_corridor) = (0, 0);
}

/// Finds the nearest point of a navmesh within `half_extents` of `center`. Returns WALKABLE_STATUS_NONE if no polygon
/// is within them. `half_extents` and `filter` may be NULL.
///
/// # Safety
/// `navmesh` is a navmesh, `center` points to three floats, `half_extents` and `filter` are NULL or point to three
/// floats and a filter, `found` points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_nearest(
    navmesh: *const NavMesh,
    center: *const f32,
    half_extents: *const f32,
    filter: *const QueryFilter,
    found: *mut SurfacePoint,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let found = unsafe { output(found, "found") }?;
        // SAFETY: by contract.
        let (navmesh, center) = unsafe { (object(navmesh, "navmesh")?, point(center, "center")?) };
        let half_extents = if half_extents.is_null() {
            NearestRequest::HALF_EXTENTS
        } else {
            // SAFETY: by contract.
            unsafe { point(half_extents, "half_extents") }?
        };
        // SAFETY: by contract.
        let filter = unsafe { filter_at(filter) };
        let Some(MeshPoint { poly, point }) = near(navmesh, (center, half_extents), &filter)?
        else {
            return Ok(Status::None);
        };
        let point = SurfacePoint { point: point.to_array(), polygon: poly.0.get() };
        found.write(point);
        Ok(Status::Ok)
    })
}

/// Walks straight from `start` toward `end`, seen from above. Returns WALKABLE_STATUS_NONE if the start is off the
/// navmesh. `filter` may be NULL.
///
/// # Safety
/// `navmesh` is a navmesh, `start` and `end` point to three floats, `filter` is NULL or points to a filter, `ray`
/// points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_raycast(
    navmesh: *const NavMesh,
    start: *const f32,
    end: *const f32,
    filter: *const QueryFilter,
    ray: *mut Ray,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let ray = unsafe { output(ray, "ray") }?;
        // SAFETY: by contract.
        let navmesh = unsafe { object(navmesh, "navmesh") }?;
        // SAFETY: by contract.
        let (start, end) = unsafe { (point(start, "start")?, point(end, "end")?) };
        // SAFETY: by contract.
        let filter = unsafe { filter_at(filter) };
        let Some(start) = near(navmesh, (start, NearestRequest::HALF_EXTENTS), &filter)? else {
            return Ok(Status::None);
        };
        let request = RaycastRequest::new(start, end, &filter);
        let hit = raycast(&navmesh.mesh, &request).map_err(|error| error_text(&error))?.hit;
        let (t, is_hit) = (hit.t.unwrap_or(1.0), hit.t.is_some());
        ray.write(Ray { t, is_hit, normal: hit.normal.to_array() });
        Ok(Status::Ok)
    })
}

/// Checks a navmesh, and returns a JSON array of findings, as printed by `walkable check --json`. Free it with
/// `walkable_string_free`. `limits` may be NULL.
///
/// # Safety
/// `navmesh` is a navmesh, `limits` is NULL or points to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_navmesh_check(
    navmesh: *const NavMesh,
    limits: *const Limits,
) -> *mut c_char {
    guard(ptr::null_mut(), || {
        // SAFETY: by contract.
        let (navmesh, limits) = unsafe { (object(navmesh, "navmesh")?, Limits::at(limits)) };
        let report = check(&navmesh.mesh, None, &limits).map_err(|error| error_text(&error))?;
        let findings: Vec<_> = report.all().collect();
        Ok(to_string(serde_json::to_string(&findings).map_err(|error| error_text(&error))?))
    })
}

fn near(
    navmesh: &NavMesh,
    (center, half_extents): (Vec3, Vec3),
    filter: &Filter,
) -> Result<Option<MeshPoint>, String> {
    let request = NearestRequest { center, half_extents, filter };
    nearest(&navmesh.mesh, &request).map_err(|error| error_text(&error))
}

/// Returns the filter at `pointer`; the default filter if it is NULL.
///
/// # Safety
/// `pointer` is NULL or points to a filter.
pub(crate) unsafe fn filter_at(pointer: *const QueryFilter) -> Filter {
    // SAFETY: by contract.
    unsafe { pointer.as_ref() }.map_or_else(Filter::default, |&filter| filter.into())
}

/// Returns the memory for a result.
///
/// # Safety
/// `to` is NULL or points to writable memory that nothing else uses.
unsafe fn output<'a, T>(to: *mut T, name: &str) -> Result<&'a mut MaybeUninit<T>, String> {
    // SAFETY: by contract.
    unsafe { to.cast::<MaybeUninit<T>>().as_mut() }.ok_or_else(|| format!("{name} is NULL"))
}
