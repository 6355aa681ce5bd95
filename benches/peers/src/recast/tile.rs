//! Tile data.

use std::ptr;

use recastnavigation_sys::{
    dtCreateNavMeshData, dtFree, dtNavMeshCreateParams, rcPolyMesh, rcPolyMeshDetail,
};

use walkable::bake::OffMeshLink;

use super::{TileInput, areas, count, signed};

/// Tile data, freed when dropped.
pub(super) struct TileData {
    pointer: *mut u8,
    len: usize,
}

impl TileData {
    /// Creates tile data from `params`, whose arrays must have the lengths that they state.
    pub(super) fn new(mut params: dtNavMeshCreateParams) -> Self {
        let (mut pointer, mut len) = (ptr::null_mut(), 0);
        // SAFETY: as the caller promises.
        let made = unsafe { dtCreateNavMeshData(&raw mut params, &raw mut pointer, &raw mut len) };
        assert!(made, "Detour refused the tile");
        Self { pointer, len: usize::try_from(len).expect("a length is not negative") }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: Detour allocated this many bytes.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
    }
}

impl Drop for TileData {
    fn drop(&mut self) {
        // SAFETY: Detour allocated it, and it is freed once.
        unsafe { dtFree(self.pointer.cast()) };
    }
}

/// Off-mesh links in the format of Detour.
pub(super) struct Connections {
    ends: Vec<f32>,
    radii: Vec<f32>,
    flags: Vec<u16>,
    areas: Vec<u8>,
    directions: Vec<u8>,
    ids: Vec<u32>,
}

impl Connections {
    pub(super) fn new(links: &[OffMeshLink]) -> Self {
        Self {
            ends: links
                .iter()
                .flat_map(|link| [link.start, link.end])
                .flat_map(|p| p.to_array())
                .collect(),
            radii: links.iter().map(|link| link.radius).collect(),
            flags: links.iter().map(|link| link.flags).collect(),
            areas: links.iter().map(|link| link.area.0).collect(),
            directions: links.iter().map(|link| u8::from(link.bidirectional)).collect(),
            ids: links.iter().map(|link| link.user_id).collect(),
        }
    }
    /// Returns parameters with only these off-mesh links, which must outlive the parameters.
    pub(super) fn params(&self) -> dtNavMeshCreateParams {
        // SAFETY: numbers of zero, and null pointers to empty arrays.
        let nothing: dtNavMeshCreateParams = unsafe { std::mem::zeroed() };
        dtNavMeshCreateParams {
            offMeshConVerts: self.ends.as_ptr(),
            offMeshConRad: self.radii.as_ptr(),
            offMeshConFlags: self.flags.as_ptr(),
            offMeshConAreas: self.areas.as_ptr(),
            offMeshConDir: self.directions.as_ptr(),
            offMeshConUserID: self.ids.as_ptr(),
            offMeshConCount: count(self.ids.len()),
            ..nothing
        }
    }
}

/// Sets areas and flags like RecastDemo and returns the bytes of the tile; `None` if nothing is walkable.
pub(super) fn tile_data(
    input: &TileInput,
    mesh: &rcPolyMesh,
    detail: &rcPolyMeshDetail,
) -> Option<TileData> {
    let n_polys = usize::try_from(mesh.npolys).ok().filter(|n| *n > 0)?;
    // SAFETY: Recast allocated one entry per polygon of both.
    unsafe { give_flags(mesh.areas, mesh.flags, n_polys) };
    let settings = &input.settings;
    let links = Connections::new(&input.off_mesh);
    Some(TileData::new(dtNavMeshCreateParams {
        verts: mesh.verts,
        vertCount: mesh.nverts,
        polys: mesh.polys,
        polyFlags: mesh.flags,
        polyAreas: mesh.areas,
        polyCount: mesh.npolys,
        nvp: mesh.nvp,
        detailMeshes: detail.meshes,
        detailVerts: detail.verts,
        detailVertsCount: detail.nverts,
        detailTris: detail.tris,
        detailTriCount: detail.ntris,
        tileX: signed(input.coord.x),
        tileY: signed(input.coord.z),
        bmin: mesh.bmin,
        bmax: mesh.bmax,
        walkableHeight: settings.agent_height,
        walkableRadius: settings.agent_radius,
        walkableClimb: settings.agent_max_climb,
        cs: mesh.cs,
        ch: mesh.ch,
        buildBvTree: true,
        ..links.params()
    }))
}

/// Sets plain ground to area 0, and polygons to the flags of their areas.
///
/// # Safety
/// Both arrays must have `n` entries, to which there are no other references.
pub(super) unsafe fn give_flags(areas: *mut u8, flags: *mut u16, n: usize) {
    // SAFETY: as the caller promises.
    let (areas, flags) = unsafe {
        (std::slice::from_raw_parts_mut(areas, n), std::slice::from_raw_parts_mut(flags, n))
    };
    for (area, flags) in areas.iter_mut().zip(flags) {
        if *area == areas::WALKABLE {
            *area = 0;
        }
        *flags = flags_of(*area);
    }
}

/// Returns the walk, swim and door flags of RecastDemo's areas; other areas have the walk flag, as in Walkable.
const fn flags_of(area: u8) -> u16 {
    match area {
        1 => 2,
        3 => 5,
        _ => 1,
    }
}
