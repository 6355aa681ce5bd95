//! C++ Recast and Detour: the bake of one tile, stage by stage, as `RecastDemo` does it.

mod hash;

use std::ptr;

use recastnavigation_sys::{
    CreateContext, DeleteContext, RC_WALKABLE_AREA, dtCreateNavMeshData, dtFree,
    dtNavMeshCreateParams, rcAllocCompactHeightfield, rcAllocContourSet, rcAllocHeightfield,
    rcAllocPolyMesh, rcAllocPolyMeshDetail, rcBuildCompactHeightfield, rcBuildContours,
    rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES, rcBuildDistanceField, rcBuildPolyMesh,
    rcBuildPolyMeshDetail, rcBuildRegions, rcCompactHeightfield, rcContext, rcContourSet,
    rcCreateHeightfield, rcErodeWalkableArea, rcFilterLedgeSpans,
    rcFilterLowHangingWalkableObstacles, rcFilterWalkableLowHeightSpans, rcFreeCompactHeightfield,
    rcFreeContourSet, rcFreeHeightField, rcFreePolyMesh, rcFreePolyMeshDetail, rcHeightfield,
    rcMarkWalkableTriangles, rcPolyMesh, rcPolyMeshDetail, rcRasterizeTriangles,
};
use walkable::{
    bake::{BakePlan, BakeSettings, GridFrame, VoxelParams},
    ids::TileCoord,
    stage::Stage,
};

use crate::clock::{StageTimes, stage_index, thread_nanoseconds};

/// A level ready for C++: its arrays as Recast reads them.
#[derive(Debug)]
pub struct Level {
    vertices: Vec<f32>,
    triangles: Vec<[i32; 3]>,
}

/// One tile's input: the triangles over it, looked up beforehand.
#[derive(Debug)]
pub struct TileInput {
    triangles: Vec<[i32; 3]>,
    frame: GridFrame,
    params: VoxelParams,
    settings: BakeSettings,
    coord: TileCoord,
}

impl Level {
    /// The mesh of `plan`.
    pub fn new(plan: &BakePlan) -> Self {
        let mesh = &plan.input().mesh;
        let triangles = mesh.triangles().iter().map(|corners| corners.map(u32::cast_signed));
        Self {
            vertices: mesh.vertices().iter().flat_map(glam::Vec3::to_array).collect(),
            triangles: triangles.collect(),
        }
    }

    /// What Recast needs to bake `coord`.
    pub fn tile(&self, plan: &BakePlan, coord: TileCoord) -> TileInput {
        let over = plan.tile_triangles(coord);
        TileInput {
            triangles: over.into_iter().map(|index| self.triangles[index as usize]).collect(),
            frame: plan.tile_frame(coord),
            params: *plan.params(),
            settings: plan.input().settings.clone(),
            coord,
        }
    }

    /// Bakes a tile. `looker` is shown what each stage made, outside the time that is taken.
    ///
    /// # Panics
    /// Where Recast fails.
    pub fn bake(&self, input: &TileInput, looker: &mut dyn FnMut(Stage, View<'_>)) -> StageTimes {
        let mut clock = Laps::new();
        let context = Owned::new(unsafe { CreateContext(false) }, DeleteContext);
        let mut made = Made::new(&context);
        made.voxels(self, input, &mut clock, looker);
        made.polygons(input, &mut clock, looker);
        clock.times
    }
}

/// What a stage of C++ Recast made.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// Solid spans.
    Solid(&'a rcHeightfield),
    /// Open spans.
    Open(&'a rcCompactHeightfield),
    /// Outlines.
    Contours(&'a rcContourSet),
    /// Polygons.
    Polygons(&'a rcPolyMesh),
    /// Height detail.
    Detail(&'a rcPolyMeshDetail),
    /// Tile data.
    Tile(&'a [u8]),
}

impl View<'_> {
    /// Hash over the stream of `stage`, as `walkable::bake::StageDigest` takes it.
    pub fn hash(&self, stage: Stage) -> Option<u64> {
        // SAFETY: Recast made the structures, and their arrays are as long as they say.
        unsafe { hash::of(stage, self) }
    }
}

/// Times the stages, leaving out what happens between them.
struct Laps {
    times: StageTimes,
}

impl Laps {
    fn new() -> Self {
        Self { times: StageTimes::default() }
    }

    fn stage<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = thread_nanoseconds();
        let result = work();
        self.times[stage_index(stage)] += thread_nanoseconds() - start;
        result
    }
}

/// Something that C++ made and must free.
struct Owned<T> {
    pointer: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    fn new(pointer: *mut T, free: unsafe extern "C" fn(*mut T)) -> Self {
        assert!(!pointer.is_null(), "C++ ran out of memory");
        Self { pointer, free }
    }

    fn get(&self) -> &T {
        // SAFETY: not null, and alive until dropped.
        unsafe { &*self.pointer }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: freed once, by the function that belongs to it.
        unsafe { (self.free)(self.pointer) };
    }
}

/// What the bake of one tile has made so far.
struct Made<'a> {
    context: &'a Owned<rcContext>,
    open: Option<Owned<rcCompactHeightfield>>,
}

fn signed(n: u32) -> i32 {
    i32::try_from(n).expect("settings are far below the limits of C++")
}

impl<'a> Made<'a> {
    fn new(context: &'a Owned<rcContext>) -> Self {
        Self { context, open: None }
    }

    /// From triangles to regions.
    fn voxels(
        &mut self,
        level: &Level,
        input: &TileInput,
        clock: &mut Laps,
        looker: &mut dyn FnMut(Stage, View<'_>),
    ) {
        let context = self.context.pointer;
        let TileInput { frame, params, settings, .. } = input;
        let (height, climb) = (signed(params.walkable_height_vx), signed(params.walkable_climb_vx));
        let vertices = level.vertices.as_ptr();
        let n_vertices =
            i32::try_from(level.vertices.len() / 3).expect("the level is not that large");
        let triangles = input.triangles.as_ptr().cast::<i32>();
        let n_triangles =
            i32::try_from(input.triangles.len()).expect("the level is not that large");

        let areas = clock.stage(Stage::Slope, || {
            let mut areas = vec![0_u8; input.triangles.len()];
            // SAFETY: here and below, all pointers are to arrays of the length passed with them or to
            // structures that Recast allocated.
            unsafe {
                rcMarkWalkableTriangles(
                    context,
                    settings.agent_max_slope,
                    vertices,
                    n_vertices,
                    triangles,
                    n_triangles,
                    areas.as_mut_ptr(),
                );
            }
            areas
        });

        let solid = clock.stage(Stage::Spans, || unsafe {
            let solid = Owned::new(rcAllocHeightfield(), rcFreeHeightField);
            let [min, max] = [frame.bounds.min, frame.bounds.max].map(|corner| corner.to_array());
            assert!(rcCreateHeightfield(
                context,
                solid.pointer,
                signed(frame.n_x),
                signed(frame.n_z),
                min.as_ptr(),
                max.as_ptr(),
                frame.cell_size,
                frame.cell_height,
            ));
            assert!(rcRasterizeTriangles(
                context,
                vertices,
                n_vertices,
                triangles,
                areas.as_ptr(),
                n_triangles,
                solid.pointer,
                climb,
            ));
            solid
        });
        looker(Stage::Spans, View::Solid(solid.get()));

        clock.stage(Stage::Filtered, || unsafe {
            rcFilterLowHangingWalkableObstacles(context, climb, solid.pointer);
            // This release asks for more than the height where Recast has since asked for the height.
            rcFilterLedgeSpans(context, height - 1, climb, solid.pointer);
            rcFilterWalkableLowHeightSpans(context, height, solid.pointer);
        });
        looker(Stage::Filtered, View::Solid(solid.get()));

        let open = clock.stage(Stage::Compact, || unsafe {
            let open = Owned::new(rcAllocCompactHeightfield(), rcFreeCompactHeightfield);
            assert!(rcBuildCompactHeightfield(context, height, climb, solid.pointer, open.pointer));
            drop(solid);
            open
        });
        looker(Stage::Compact, View::Open(open.get()));

        clock.stage(Stage::Eroded, || unsafe {
            let radius = signed(params.walkable_radius_vx);
            assert!(rcErodeWalkableArea(context, radius, open.pointer));
        });
        looker(Stage::Eroded, View::Open(open.get()));

        clock.stage(Stage::Distance, || unsafe {
            assert!(rcBuildDistanceField(context, open.pointer));
        });
        looker(Stage::Distance, View::Open(open.get()));

        clock.stage(Stage::Regions, || unsafe {
            let [min, merge] = [params.min_region_area_vx, params.merge_region_area_vx].map(signed);
            assert!(rcBuildRegions(context, open.pointer, signed(params.border_vx), min, merge));
        });
        looker(Stage::Regions, View::Open(open.get()));
        self.open = Some(open);
    }

    /// From regions to tile data.
    fn polygons(
        &mut self,
        input: &TileInput,
        clock: &mut Laps,
        looker: &mut dyn FnMut(Stage, View<'_>),
    ) {
        let context = self.context.pointer;
        let TileInput { params, settings, .. } = input;
        let open = self.open.take().expect("regions come before polygons");

        let contours = clock.stage(Stage::Contours, || unsafe {
            let contours = Owned::new(rcAllocContourSet(), rcFreeContourSet);
            assert!(rcBuildContours(
                context,
                open.pointer,
                params.max_edge_error_vx,
                signed(params.max_edge_len_vx),
                contours.pointer,
                rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES.cast_signed(),
            ));
            contours
        });
        looker(Stage::Contours, View::Contours(contours.get()));
        if contours.get().nconts == 0 {
            return;
        }

        let mesh = clock.stage(Stage::Polygons, || unsafe {
            let mesh = Owned::new(rcAllocPolyMesh(), rcFreePolyMesh);
            let n = signed(settings.verts_per_poly);
            assert!(rcBuildPolyMesh(context, contours.pointer, n, mesh.pointer));
            mesh
        });
        looker(Stage::Polygons, View::Polygons(mesh.get()));

        let detail = clock.stage(Stage::Detail, || unsafe {
            let detail = Owned::new(rcAllocPolyMeshDetail(), rcFreePolyMeshDetail);
            assert!(rcBuildPolyMeshDetail(
                context,
                mesh.pointer,
                open.pointer,
                params.detail_sample_dist,
                params.detail_sample_max_error,
                detail.pointer,
            ));
            drop((open, contours));
            detail
        });
        looker(Stage::Detail, View::Detail(detail.get()));

        let data = clock.stage(Stage::Tile, || tile_data(input, mesh.get(), detail.get()));
        if let Some(data) = data {
            looker(Stage::Tile, View::Tile(data.bytes()));
        }
    }
}

/// Tile data, freed when dropped.
struct TileData {
    pointer: *mut u8,
    len: usize,
}

impl TileData {
    fn bytes(&self) -> &[u8] {
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

/// Areas, flags and bytes, as RecastDemo makes them; `None` where nothing is walkable.
fn tile_data(input: &TileInput, mesh: &rcPolyMesh, detail: &rcPolyMeshDetail) -> Option<TileData> {
    let n_polys = usize::try_from(mesh.npolys).ok().filter(|n| *n > 0)?;
    // SAFETY: Recast allocated one entry per polygon, and nothing else refers to them.
    let areas = unsafe { std::slice::from_raw_parts_mut(mesh.areas, n_polys) };
    // SAFETY: as above.
    let flags = unsafe { std::slice::from_raw_parts_mut(mesh.flags, n_polys) };
    for (area, flags) in areas.iter_mut().zip(flags) {
        if u32::from(*area) == u32::from(RC_WALKABLE_AREA) {
            *area = 0;
        }
        *flags = u16::from(*area == 0);
    }
    let settings = &input.settings;
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
        offMeshConVerts: ptr::null(),
        offMeshConRad: ptr::null(),
        offMeshConFlags: ptr::null(),
        offMeshConAreas: ptr::null(),
        offMeshConDir: ptr::null(),
        offMeshConUserID: ptr::null(),
        offMeshConCount: 0,
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
    // SAFETY: all arrays are those of `mesh` and `detail`, with their lengths.
    let made = unsafe { dtCreateNavMeshData(&raw mut params, &raw mut pointer, &raw mut len) };
    assert!(made, "Detour refused the tile");
    Some(TileData { pointer, len: usize::try_from(len).expect("a length is not negative") })
}
