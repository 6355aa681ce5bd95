//! C++ `DetourTileCache`: tile data of one layer with obstacles.

use std::ptr;

use recastnavigation_sys::{
    CreateDefaultTileCacheAlloc, DT_SUCCESS, DeleteTileCacheAlloc, dtAllocTileCacheContourSet,
    dtAllocTileCachePolyMesh, dtBuildTileCacheContours, dtBuildTileCachePolyMesh,
    dtBuildTileCacheRegions, dtFreeTileCacheContourSet, dtFreeTileCachePolyMesh, dtMarkBoxArea,
    dtMarkBoxArea1, dtMarkCylinderArea, dtNavMeshCreateParams, dtTileCacheAlloc,
    dtTileCacheContourSet, dtTileCacheLayer, dtTileCacheLayerHeader, dtTileCachePolyMesh,
};
use walkable::{
    bake::{HeightLayer, OffMeshLink},
    tile_cache::{LayerKey, Obstacle, TileCacheParams},
};

use super::{
    Owned, count, signed,
    tile::{Connections, TileData, give_flags},
};

/// Detour has no space for the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

/// Returns the bytes of the tile that Detour builds from the layer `key`, given without obstacles, with `obstacles` on
/// it; `None` if nothing is walkable.
///
/// # Errors
/// Returns [`NoRoom`] if Detour has no space for the layer.
///
/// # Panics
/// Panics if Detour rejects the tile.
pub fn mesh_layer(
    params: &TileCacheParams,
    key: LayerKey,
    layer: &HeightLayer,
    obstacles: &[Obstacle],
    links: &[OffMeshLink],
) -> Result<Option<Vec<u8>>, NoRoom> {
    let mut header = header(key, layer);
    let mut heights = layer.heights.clone();
    let mut areas: Vec<u8> = layer.areas.iter().map(|area| area.0).collect();
    let mut cons: Vec<u8> = layer.links.iter().map(|links| links.0).collect();
    let mut regs = vec![0; areas.len()];
    let mut theirs = dtTileCacheLayer {
        header: &raw mut header,
        regCount: 0,
        heights: heights.as_mut_ptr(),
        areas: areas.as_mut_ptr(),
        cons: cons.as_mut_ptr(),
        regs: regs.as_mut_ptr(),
    };
    obstacles.iter().for_each(|obstacle| mark(&mut theirs, params, obstacle));
    // SAFETY: all arrays have a byte per cell of the header's grid.
    unsafe {
        let alloc = Owned::new(CreateDefaultTileCacheAlloc(), DeleteTileCacheAlloc);
        let parts = Parts::new(alloc.pointer);
        #[expect(clippy::cast_possible_truncation, reason = "as Detour truncates it")]
        let climb = (params.agent_max_climb / params.cell_height) as i32;
        let error = params.edge_max_error;
        let layer = &raw mut theirs;
        for status in [
            dtBuildTileCacheRegions(alloc.pointer, layer, climb),
            dtBuildTileCacheContours(alloc.pointer, layer, climb, error, parts.contours),
            dtBuildTileCachePolyMesh(alloc.pointer, parts.contours, parts.mesh),
        ] {
            if status & DT_SUCCESS == 0 {
                return Err(NoRoom);
            }
        }
        let tile = tile_data(params, &header, &*parts.mesh, &Connections::new(links));
        Ok(tile.map(|tile| tile.bytes().to_vec()))
    }
}

fn header(key: LayerKey, layer: &HeightLayer) -> dtTileCacheLayerHeader {
    let byte = |n: u32| u8::try_from(n).expect("layers have at most 255 cells a side");
    dtTileCacheLayerHeader {
        magic: 0,
        version: 1,
        tx: signed(key.x),
        ty: signed(key.z),
        tlayer: signed(key.layer),
        bmin: layer.bounds.min.to_array(),
        bmax: layer.bounds.max.to_array(),
        hmin: layer.min_y_vx,
        hmax: layer.max_y_vx,
        width: byte(layer.n_x),
        height: byte(layer.n_z),
        minx: byte(layer.used.min_x),
        maxx: byte(layer.used.max_x),
        miny: byte(layer.used.min_z),
        maxy: byte(layer.used.max_z),
    }
}

fn mark(layer: &mut dtTileCacheLayer, params: &TileCacheParams, obstacle: &Obstacle) {
    let (cs, ch) = (params.cell_size, params.cell_height);
    // SAFETY: the layer is complete; points are three numbers, a rotation is two.
    unsafe {
        let origin = (*layer.header).bmin.as_ptr();
        match obstacle {
            Obstacle::Cylinder { base, radius, height } => {
                let base = base.to_array();
                dtMarkCylinderArea(layer, origin, cs, ch, base.as_ptr(), *radius, *height, 0);
            }
            Obstacle::Box(bounds) => {
                let [min, max] = [bounds.min, bounds.max].map(|corner| corner.to_array());
                dtMarkBoxArea(layer, origin, cs, ch, min.as_ptr(), max.as_ptr(), 0);
            }
            Obstacle::TurnedBox { center, half_size, yaw } => {
                let [center, half] = [center, half_size].map(glam::Vec3::to_array);
                let (cosine, sine) = ((0.5 * yaw).cos(), (-0.5 * yaw).sin());
                let turn = [cosine * sine, cosine * cosine - 0.5];
                let (center, half) = (center.as_ptr(), half.as_ptr());
                dtMarkBoxArea1(layer, origin, cs, ch, center, half, turn.as_ptr(), 0);
            }
            // Detour has no prisms.
            Obstacle::Prism { .. } => {}
        }
    }
}

/// Intermediate results of Detour for a layer.
struct Parts {
    alloc: *mut dtTileCacheAlloc,
    contours: *mut dtTileCacheContourSet,
    mesh: *mut dtTileCachePolyMesh,
}

impl Parts {
    /// # Safety
    /// The allocator must outlive it.
    unsafe fn new(alloc: *mut dtTileCacheAlloc) -> Self {
        // SAFETY: as the caller promises.
        let (contours, mesh) =
            unsafe { (dtAllocTileCacheContourSet(alloc), dtAllocTileCachePolyMesh(alloc)) };
        assert!(!contours.is_null() && !mesh.is_null(), "C++ ran out of memory");
        Self { alloc, contours, mesh }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        // SAFETY: created by the same allocator, and freed once.
        unsafe {
            dtFreeTileCacheContourSet(self.alloc, self.contours);
            dtFreeTileCachePolyMesh(self.alloc, self.mesh);
        }
    }
}

fn tile_data(
    params: &TileCacheParams,
    header: &dtTileCacheLayerHeader,
    mesh: &dtTileCachePolyMesh,
    links: &Connections,
) -> Option<TileData> {
    let n_polys = usize::try_from(mesh.npolys).ok().filter(|n| *n > 0)?;
    // SAFETY: Detour allocated at least one entry per polygon of both.
    unsafe { give_flags(mesh.areas, mesh.flags, n_polys) };
    Some(TileData::new(dtNavMeshCreateParams {
        verts: mesh.verts,
        vertCount: mesh.nverts,
        polys: mesh.polys,
        polyFlags: mesh.flags,
        polyAreas: mesh.areas,
        polyCount: count(n_polys),
        nvp: recastnavigation_sys::DT_VERTS_PER_POLYGON,
        detailMeshes: ptr::null(),
        detailVerts: ptr::null(),
        detailVertsCount: 0,
        detailTris: ptr::null(),
        detailTriCount: 0,
        tileX: header.tx,
        tileY: header.ty,
        tileLayer: header.tlayer,
        bmin: header.bmin,
        bmax: header.bmax,
        walkableHeight: params.agent_height,
        walkableRadius: params.agent_radius,
        walkableClimb: params.agent_max_climb,
        cs: params.cell_size,
        ch: params.cell_height,
        buildBvTree: false,
        ..links.params()
    }))
}
