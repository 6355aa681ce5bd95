//! C++ Detour: a mesh and its queries, with the results as Rust types.

pub mod crowd;

use glam::Vec3;
use recastnavigation_sys::{
    dtAlloc, dtAllocHint_DT_ALLOC_PERM, dtAllocNavMesh, dtAllocNavMeshQuery, dtFreeNavMesh,
    dtFreeNavMeshQuery, dtNavMesh, dtNavMesh_addTile, dtNavMesh_getTileRefAt, dtNavMesh_init,
    dtNavMesh_removeTile, dtNavMeshParams, dtNavMeshQuery, dtNavMeshQuery_findNearestPoly,
    dtNavMeshQuery_findPath, dtNavMeshQuery_findStraightPath, dtNavMeshQuery_init,
    dtNavMeshQuery_raycast1, dtPolyRef, dtQueryFilter, dtRaycastHit,
    dtRaycastOptions_DT_RAYCAST_USE_COSTS, dtTileFlags_DT_TILE_FREE_DATA, dtTileRef,
};
use walkable::navmesh::format::RefWidth;

/// Maximum number of polygons of a corridor and points of a path.
const MOST: usize = 8192;
/// Maximum number of nodes of a search: a node's index has 16 bits.
pub const MAX_NODES: usize = 65_535;
/// Width of references, which is fixed when Detour is compiled.
pub const REF_WIDTH: RefWidth =
    if size_of::<dtPolyRef>() == 8 { RefWidth::Bits64 } else { RefWidth::Bits32 };
/// Number of bytes before each tile in a set: its reference and length, padded as in C++.
const TILE_HEADER: usize = 2 * size_of::<dtTileRef>();

/// A mesh in C++.
#[derive(Debug)]
pub struct Mesh(*mut dtNavMesh);

impl Mesh {
    /// Reads a set of tiles as RecastDemo does: each tile is copied and added under its own reference.
    ///
    /// # Panics
    /// Panics if Detour rejects a tile.
    pub fn load(bytes: &[u8]) -> Self {
        let word = |at: usize| -> [u8; 4] { bytes[at..at + 4].try_into().expect("four bytes") };
        let int = |at: usize| i32::from_le_bytes(word(at));
        let float = |at: usize| f32::from_le_bytes(word(at));
        let params = dtNavMeshParams {
            orig: [float(12), float(16), float(20)],
            tileWidth: float(24),
            tileHeight: float(28),
            maxTiles: int(32),
            maxPolys: int(36),
        };
        // SAFETY: the mesh is allocated and freed by Detour; each tile is copied into memory of Detour, which the mesh
        // then owns.
        unsafe {
            let mesh = dtAllocNavMesh();
            assert!(!mesh.is_null() && is_success(dtNavMesh_init(mesh, &raw const params)));
            let mut at = 40;
            for _ in 0..int(8) {
                let after = at + size_of::<dtTileRef>();
                let reference = bytes[at..after].try_into().expect("as many bytes");
                let length = usize::try_from(int(after)).expect("sizes are not negative");
                let tile = &bytes[at + TILE_HEADER..at + TILE_HEADER + length];
                add_tile(mesh, tile, dtTileRef::from_le_bytes(reference));
                at += TILE_HEADER + length;
            }
            Self(mesh)
        }
    }

    /// Removes the tile at `x`, `z` and `layer`, if there is one, and adds `tile`, if there is one.
    ///
    /// # Panics
    /// Panics if Detour rejects the tile.
    pub fn replace_tile(&mut self, [x, z, layer]: [i32; 3], tile: Option<&[u8]>) {
        // SAFETY: the mesh is live, and its tiles own their memory.
        unsafe {
            let old = dtNavMesh_getTileRefAt(self.0, x, z, layer);
            if old != 0 {
                let (data, size) = (std::ptr::null_mut(), std::ptr::null_mut());
                assert!(is_success(dtNavMesh_removeTile(self.0, old, data, size)));
            }
            if let Some(tile) = tile {
                add_tile(self.0, tile, 0);
            }
        }
    }
}

/// Copies a tile into memory that the mesh owns, and adds it.
///
/// # Safety
/// The mesh must be live.
unsafe fn add_tile(mesh: *mut dtNavMesh, tile: &[u8], reference: dtTileRef) {
    let size = i32::try_from(tile.len()).expect("tiles are small");
    // SAFETY: the memory has the size of the tile.
    unsafe {
        let data = dtAlloc(tile.len(), dtAllocHint_DT_ALLOC_PERM).cast::<u8>();
        assert!(!data.is_null());
        std::ptr::copy_nonoverlapping(tile.as_ptr(), data, tile.len());
        let flags = dtTileFlags_DT_TILE_FREE_DATA.cast_signed();
        let status = dtNavMesh_addTile(mesh, data, size, flags, reference, std::ptr::null_mut());
        assert!(is_success(status), "Detour refuses a tile: {status:#x}");
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        // SAFETY: allocated by Detour and freed once.
        unsafe { dtFreeNavMesh(self.0) };
    }
}

fn is_success(status: u32) -> bool {
    status & recastnavigation_sys::DT_SUCCESS != 0
}

/// Queries of a mesh, with buffers for their results.
#[derive(Debug)]
pub struct Query<'a> {
    _mesh: &'a Mesh,
    query: *mut dtNavMeshQuery,
    filter: dtQueryFilter,
    refs: Vec<dtPolyRef>,
    points: Vec<Vec3>,
}

impl<'a> Query<'a> {
    /// Creates queries with space for the maximum number of nodes of Detour.
    ///
    /// # Panics
    /// Panics if Detour cannot allocate memory.
    pub fn new(mesh: &'a Mesh) -> Self {
        Self::with_room(mesh, MAX_NODES, MOST).expect("Detour has memory for a query")
    }

    /// Creates queries with space for `n_nodes` nodes of a search, and results of `n_polys` polygons; `None` if Detour
    /// refuses.
    pub fn with_room(mesh: &'a Mesh, n_nodes: usize, n_polys: usize) -> Option<Self> {
        let n_nodes = i32::try_from(n_nodes).ok()?;
        // SAFETY: the query outlives neither the mesh nor itself.
        unsafe {
            let query = dtAllocNavMeshQuery();
            if query.is_null() || !is_success(dtNavMeshQuery_init(query, mesh.0, n_nodes)) {
                dtFreeNavMeshQuery(query);
                return None;
            }
            let filter = dtQueryFilter::new();
            let (refs, points) = (vec![0; n_polys], vec![Vec3::ZERO; n_polys]);
            Some(Self { _mesh: mesh, query, filter, refs, points })
        }
    }

    /// Returns the polygon and point nearest to `center`; polygon 0 for none.
    pub fn nearest(&self, center: Vec3, half_extents: Vec3) -> (dtPolyRef, Vec3) {
        let (mut reference, mut point) = (0, Vec3::ZERO);
        // SAFETY: here and below, vectors are three floats, and arrays have the lengths passed with them.
        unsafe {
            dtNavMeshQuery_findNearestPoly(
                self.query,
                (&raw const center).cast(),
                (&raw const half_extents).cast(),
                &raw const self.filter,
                &raw mut reference,
                (&raw mut point).cast(),
            );
        }
        (reference, point)
    }

    /// Returns the corridor between two points on polygons, and Detour's status.
    pub fn corridor(&mut self, [start, end]: [(dtPolyRef, Vec3); 2]) -> (&[dtPolyRef], u32) {
        let mut n = 0;
        let status = unsafe {
            dtNavMeshQuery_findPath(
                self.query,
                start.0,
                end.0,
                (&raw const start.1).cast(),
                (&raw const end.1).cast(),
                &raw const self.filter,
                self.refs.as_mut_ptr(),
                &raw mut n,
                self.refs.len() as i32,
            )
        };
        (&self.refs[..count(n)], status)
    }

    /// Returns the funnel's points through a corridor.
    pub fn straight(&mut self, ends: [Vec3; 2], corridor: &[dtPolyRef]) -> &[Vec3] {
        let mut n = 0;
        unsafe {
            dtNavMeshQuery_findStraightPath(
                self.query,
                (&raw const ends[0]).cast(),
                (&raw const ends[1]).cast(),
                corridor.as_ptr(),
                corridor.len() as i32,
                self.points.as_mut_ptr().cast(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut n,
                self.refs.len() as i32,
                0,
            );
        }
        &self.points[..count(n)]
    }

    /// Casts a ray: returns the fraction of it that can be walked, above 1 for all of it, its cost, and the passed
    /// polygons.
    pub fn raycast(&mut self, start: (dtPolyRef, Vec3), end: Vec3) -> (f32, f32, &[dtPolyRef]) {
        // SAFETY: all zeros is a hit without space for polygons, which is added below.
        let mut hit: dtRaycastHit = unsafe { std::mem::zeroed() };
        hit.path = self.refs.as_mut_ptr();
        hit.maxPath = self.refs.len() as i32;
        unsafe {
            dtNavMeshQuery_raycast1(
                self.query,
                start.0,
                (&raw const start.1).cast(),
                (&raw const end).cast(),
                &raw const self.filter,
                dtRaycastOptions_DT_RAYCAST_USE_COSTS,
                &raw mut hit,
                0,
            );
        }
        (hit.t, hit.pathCost, &self.refs[..count(hit.pathCount)])
    }
}

impl Drop for Query<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated by Detour and freed once.
        unsafe { dtFreeNavMeshQuery(self.query) };
    }
}

fn count(n: i32) -> usize {
    usize::try_from(n).expect("counts are not negative")
}
