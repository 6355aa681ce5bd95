//! Levels baked from a file of triangles give the same result as from memory, and the memory does not grow with them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    alloc::System,
    io::Cursor,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use walkable::{
    bake::{
        BakeConfig, BakeOutput, BakePlan, BakeSettings, RawArea, StreamedBake, SurfaceRule,
        SurfaceSource, SurfaceUse, bake, bake_tile,
    },
    level::{LevelKind, generate},
    mesh::{BinnedLevel, BinnedWriter, TriMesh},
    monitor::{Monitor, Unmonitored},
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Tests share the allocator, so they run one after another.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns the bytes in use.
fn in_use() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Records the memory in use whenever the bake checks for cancellation.
struct Watch(AtomicUsize);

impl Monitor for Watch {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_max(in_use(), Relaxed);
        false
    }
}

fn config(tile_size: u32) -> BakeConfig {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    BakeConfig { settings, ..BakeConfig::default() }
}

/// Writes `mesh` divided into pieces of `n_triangles` triangles.
fn binned(mesh: &TriMesh, n_triangles: usize) -> Vec<u8> {
    let mut writer = BinnedWriter::new(Vec::new(), 20.0).unwrap();
    for piece in mesh.triangles().chunks(n_triangles) {
        writer.add(&TriMesh::new(mesh.vertices().to_vec(), piece.to_vec()).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

#[track_caller]
fn check_same(level: &BinnedLevel, bytes: &[u8], mesh: TriMesh, config: &BakeConfig) {
    let plan = BakePlan::new(config.clone().with_mesh(Arc::new(mesh))).unwrap();
    let streamed = StreamedBake::new(level.clone(), config.clone()).unwrap();
    assert_eq!(streamed.plan().n_tiles(), plan.n_tiles());
    let mut file = Cursor::new(bytes);
    let mut tiles = Vec::new();
    for coord in plan.tiles() {
        let whole = bake_tile(&plan, coord, BakeOutput::Stages, &Unmonitored).unwrap();
        let part = streamed.bake_tile(coord, &mut file, BakeOutput::Stages, &Unmonitored).unwrap();
        let spans = |bake: &walkable::bake::TileBake| bake.stages.as_ref().unwrap().spans.clone();
        assert_eq!(spans(&part), spans(&whole), "{coord}");
        assert_eq!(part.tile, whole.tile, "{coord}");
        tiles.extend(part.tile.map(Arc::new));
    }
    let whole = bake(plan.input().clone(), &Unmonitored).unwrap();
    assert_eq!(streamed.plan().link(tiles).unwrap().to_bytes(), whole.to_bytes());
}

#[test]
fn tiles_are_those_of_the_whole_level() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (kind, size) in
        [(LevelKind::Town, 80.0), (LevelKind::Caves, 40.0), (LevelKind::Tower, 30.0)]
    {
        let mesh = generate(kind, 3, size).unwrap().mesh;
        let bytes = binned(&mesh, 999);
        let level = BinnedLevel::read(&mut Cursor::new(&bytes)).unwrap();
        check_same(&level, &bytes, mesh, &config(32));
    }
}

#[test]
fn objects_keep_their_areas() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mesh = generate(LevelKind::Sample, 1, 30.0).unwrap().mesh;
    let mut writer = BinnedWriter::new(Vec::new(), 8.0).unwrap();
    writer.add(&mesh).unwrap();
    let bytes = writer.finish().unwrap();
    let level = BinnedLevel::read(&mut Cursor::new(&bytes)).unwrap();
    assert!(1 < mesh.parts().len());
    let rule = |(index, part): (usize, &walkable::mesh::MeshPart)| SurfaceRule {
        source: SurfaceSource::Object,
        name: part.object.to_string(),
        becomes: match index % 3 {
            0 => SurfaceUse::LeftOut,
            1 => SurfaceUse::Area(RawArea(5)),
            _ => SurfaceUse::Area(RawArea(2)),
        },
    };
    let surfaces: Vec<_> = mesh.parts().iter().skip(1).enumerate().map(rule).collect();
    let config = BakeConfig { surfaces, ..config(24) };
    let streamed = StreamedBake::new(level.clone(), config.clone()).unwrap();
    assert!(streamed.plan().unused_surfaces().is_empty());
    check_same(&level, &bytes, mesh, &config);
}

/// Returns the peak memory beyond that of the directory while any tile of a terrain is baked, and the latter.
fn peak(size: f32) -> [usize; 2] {
    let mesh = generate(LevelKind::Terrain, 1, size).unwrap().mesh;
    let bytes = binned(&mesh, usize::MAX);
    drop(mesh);
    let mut file = Cursor::new(&bytes);
    let before = in_use();
    let level = BinnedLevel::read(&mut file).unwrap();
    let streamed = StreamedBake::new(level, config(48)).unwrap();
    let list = in_use() - before;
    let watch = Watch(AtomicUsize::new(0));
    for coord in streamed.plan().tiles() {
        drop(streamed.bake_tile(coord, &mut file, BakeOutput::Tile, &watch).unwrap());
    }
    [watch.0.load(Relaxed) - list - before, list]
}

#[test]
fn memory_does_not_grow_with_the_level() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Both levels have tiles with the maximum number of triangles and polygons.
    let [[small, _], [large, list]] = [100.0, 300.0].map(peak);
    assert!(large < small + small / 4, "{small} bytes for 100 m, {large} for 300 m");
    // A tile has some 750 triangles and 3,364 cells.
    assert!(large < 400_000, "{large} bytes");
    assert!(list < 100_000, "{list} bytes");
}
