//! C++ Recast and Detour: the bake of one tile, stage by stage, as in `RecastDemo`.

mod areas;
mod filled;
mod hash;
mod layers;
mod polygons;
mod release;
mod tile;
mod tile_cache;
mod voxels;

use recastnavigation_sys::{
    CreateContext, DeleteContext, rcCompactHeightfield, rcContext, rcContourSet, rcHeightfield,
    rcPolyMesh, rcPolyMeshDetail,
};
use walkable::{
    bake::{AreaVolume, BakePlan, BakeSettings, GridFrame, OffMeshLink, SurfaceUse, VoxelParams},
    ids::TileCoord,
    stage::Stage,
};

use crate::clock::{StageTimes, stage_index, thread_nanoseconds};
pub use filled::fill_memory;
pub use release::Release;
pub use tile_cache::{NoRoom, mesh_layer};

/// A level prepared for C++: its arrays in the format of Recast.
#[derive(Debug)]
pub struct Level {
    vertices: Vec<f32>,
    triangles: Vec<[i32; 3]>,
}

/// The input of one tile: the triangles over it, looked up in advance.
#[derive(Debug)]
pub struct TileInput {
    triangles: Vec<[i32; 3]>,
    /// Area of each triangle that is walkable by its slope; empty if all are plain ground.
    surfaces: Vec<u8>,
    frame: GridFrame,
    params: VoxelParams,
    settings: BakeSettings,
    volumes: Vec<AreaVolume>,
    off_mesh: Vec<OffMeshLink>,
    coord: TileCoord,
    release: Release,
}

impl Level {
    /// Prepares the mesh of `plan`.
    pub fn new(plan: &BakePlan) -> Self {
        let mesh = &plan.input().mesh;
        let triangles = mesh.triangles().iter().map(|corners| corners.map(u32::cast_signed));
        Self {
            vertices: mesh.vertices().iter().flat_map(glam::Vec3::to_array).collect(),
            triangles: triangles.collect(),
        }
    }

    /// Returns the input with which Recast bakes `coord`.
    pub fn tile(&self, plan: &BakePlan, coord: TileCoord) -> TileInput {
        let over = plan.tile_triangles(coord);
        let uses: Vec<_> = over.iter().map(|index| plan.surface_use(*index)).collect();
        let area = |becomes: &Option<SurfaceUse>| match becomes {
            Some(SurfaceUse::Area(area)) => area.0,
            _ => areas::WALKABLE,
        };
        let input = plan.input();
        TileInput {
            triangles: over.into_iter().map(|index| self.triangles[index as usize]).collect(),
            surfaces: if uses.iter().all(Option::is_none) {
                Vec::new()
            } else {
                uses.iter().map(area).collect()
            },
            frame: plan.tile_frame(coord),
            params: *plan.params(),
            settings: input.settings.clone(),
            volumes: input.volumes.clone(),
            off_mesh: input.off_mesh.clone(),
            coord,
            release: Release::linked(),
        }
    }

    /// Bakes a tile. `looker` gets the result of each stage, outside of the measured time.
    ///
    /// Without height samples, it ends with the polygons, since C++ reads out of bounds for the detail. There is no
    /// tile data if polygons may have more than 6 vertices.
    ///
    /// # Panics
    /// Panics if Recast fails.
    pub fn bake(&self, input: &TileInput, looker: &mut dyn FnMut(Stage, View<'_>)) -> StageTimes {
        let context = Owned::new(unsafe { CreateContext(false) }, DeleteContext);
        let times = StageTimes::default();
        let mut job = Job { context: context.pointer, level: self, input, looker, times };
        let open = job.voxels();
        job.polygons(open);
        job.times
    }
}

/// The result of a stage of C++ Recast.
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
    /// Returns the hash over the stream of `stage`, as in `walkable::bake::StageDigest`.
    pub fn hash(&self, stage: Stage) -> Option<u64> {
        // SAFETY: Recast created the structures, and their arrays have the lengths that they state.
        unsafe { hash::of(stage, self) }
    }

    /// Sets the edge flags of the triangles of a detail mesh to those of `triangles` if the linked release has others:
    /// see [`Release::Of2023`]. Does nothing if the number of triangles differs, or the release is later.
    pub fn take_edge_flags(&self, triangles: &[[u8; 4]]) {
        let View::Detail(mesh) = self else { return };
        if Release::linked() == Release::Of2023
            && usize::try_from(mesh.ntris) == Ok(triangles.len())
        {
            for (index, [.., flags]) in triangles.iter().enumerate() {
                // SAFETY: four bytes per triangle, to which there are no other references meanwhile.
                unsafe { *mesh.tris.add(4 * index + 3) = *flags };
            }
        }
    }

    /// Returns the hash of the heightfield layers of open spans, as in `walkable::bake::HeightLayerSet`; `None` if
    /// Recast refuses to build them, and for other results.
    pub fn layers_hash(&self, params: &VoxelParams) -> Option<u64> {
        match self {
            View::Open(open) => layers::hash(open, params),
            _ => None,
        }
    }
}

/// An object that C++ allocated and must free.
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
        // SAFETY: not null, and valid until dropped.
        unsafe { &*self.pointer }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: freed once, by the function that belongs to it.
        unsafe { (self.free)(self.pointer) };
    }
}

/// The bake of one tile. Its stages are in the modules `voxels` and `polygons`.
struct Job<'a> {
    context: *mut rcContext,
    level: &'a Level,
    input: &'a TileInput,
    looker: &'a mut dyn FnMut(Stage, View<'_>),
    times: StageTimes,
}

impl Job<'_> {
    /// Does the work of a stage and measures its time.
    fn stage<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = thread_nanoseconds();
        let result = work();
        self.times[stage_index(stage)] += thread_nanoseconds() - start;
        result
    }
}

fn signed(n: u32) -> i32 {
    i32::try_from(n).expect("settings are far below the limits of C++")
}

fn count(n: usize) -> i32 {
    i32::try_from(n).expect("levels are far below the limits of C++")
}
