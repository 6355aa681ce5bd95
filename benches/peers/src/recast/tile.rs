//! Tile data.

use std::ptr;

use recastnavigation_sys::{
    dtCreateNavMeshData, dtFree, dtNavMeshCreateParams, rcPolyMesh, rcPolyMeshDetail,
};

use super::{TileInput, areas, count, signed};

/// Tile data, freed when dropped.
pub(super) struct TileData {
    pointer: *mut u8,
    len: usize,
}

impl TileData {
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: Detour made this many bytes.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
    }
}

impl Drop for TileData {
    fn drop(&mut self) {
        // SAFETY: Detour allocated it, and it is freed once.
        unsafe { dtFree(self.pointer.cast()) };
    }
}

/// Off-mesh connections as Detour reads them.
struct Connections {
    ends: Vec<f32>,
    radii: Vec<f32>,
    flags: Vec<u16>,
    areas: Vec<u8>,
    directions: Vec<u8>,
    ids: Vec<u32>,
}

impl Connections {
    fn new(input: &TileInput) -> Self {
        let links = &input.off_mesh;
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
}

/// Areas, flags and bytes, as RecastDemo makes them; `None` where nothing is walkable.
pub(super) fn tile_data(
    input: &TileInput,
    mesh: &rcPolyMesh,
    detail: &rcPolyMeshDetail,
) -> Option<TileData> {
    let n_polys = usize::try_from(mesh.npolys).ok().filter(|n| *n > 0)?;
    // SAFETY: Recast allocated one entry per polygon, and nothing else refers to them.
    let areas = unsafe { std::slice::from_raw_parts_mut(mesh.areas, n_polys) };
    // SAFETY: as above.
    let flags = unsafe { std::slice::from_raw_parts_mut(mesh.flags, n_polys) };
    for (area, flags) in areas.iter_mut().zip(flags) {
        if *area == areas::WALKABLE {
            *area = 0;
        }
        *flags = flags_of(*area);
    }
    let settings = &input.settings;
    let links = Connections::new(input);
    let mut params = dtNavMeshCreateParams {
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
        offMeshConVerts: links.ends.as_ptr(),
        offMeshConRad: links.radii.as_ptr(),
        offMeshConFlags: links.flags.as_ptr(),
        offMeshConAreas: links.areas.as_ptr(),
        offMeshConDir: links.directions.as_ptr(),
        offMeshConUserID: links.ids.as_ptr(),
        offMeshConCount: count(links.ids.len()),
        userId: 0,
        tileX: signed(input.coord.x),
        tileY: signed(input.coord.z),
        tileLayer: 0,
        bmin: mesh.bmin,
        bmax: mesh.bmax,
        walkableHeight: settings.agent_height,
        walkableRadius: settings.agent_radius,
        walkableClimb: settings.agent_max_climb,
        cs: mesh.cs,
        ch: mesh.ch,
        buildBvTree: true,
    };
    let (mut pointer, mut len) = (ptr::null_mut(), 0);
    // SAFETY: all arrays are those of `mesh`, `detail` and `links`, with their lengths.
    let made = unsafe { dtCreateNavMeshData(&raw mut params, &raw mut pointer, &raw mut len) };
    assert!(made, "Detour refused the tile");
    Some(TileData { pointer, len: usize::try_from(len).expect("a length is not negative") })
}

/// Walk, swim and door flags of RecastDemo's areas.
const fn flags_of(area: u8) -> u16 {
    match area {
        0 | 2 | 4 => 1,
        1 => 2,
        3 => 5,
        _ => 0,
    }
}
