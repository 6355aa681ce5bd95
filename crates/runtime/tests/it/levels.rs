//! Generated levels with random areas and closed polygons, for property tests.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::{Vec3, Vec3Swizzles as _};
use proptest::{prelude::*, test_runner::TestCaseResult};
use walkable::{
    bake::{BakeConfig, BakeSettings, bake},
    ids::AreaId,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, MeshPoint, RandomPointRequest, Seeded, TileChoice, closest_on_boundary,
        random_point,
    },
};

/// Flag of polygons that the filter excludes.
const CLOSED: u16 = 0x100;
/// Tolerance of the horizontal distance of a point from the polygon in which it should be, in meters, for rounding.
pub(crate) const BESIDE: f32 = 0.001;
/// Number of levels.
const N_LEVELS: usize = 6;

/// Returns levels with stairs, bridges, narrow passages and tile borders; in each, a few polygons are closed and some
/// have other areas.
fn levels() -> [NavMesh; N_LEVELS] {
    let kinds = [
        (LevelKind::Sample, 1, 0),
        (LevelKind::Town, 4, 48),
        (LevelKind::Caves, 2, 32),
        (LevelKind::Tower, 3, 64),
        (LevelKind::Terrain, 5, 64),
        (LevelKind::Maze, 6, 40),
    ];
    kinds.map(|(kind, seed, tile_size)| {
        let size = kind.default_size().min(60.0);
        let level = generate(kind, seed, size).unwrap();
        let settings = BakeSettings { tile_size, ..level.config.settings.clone() };
        let config = BakeConfig { settings, ..level.config };
        let mut mesh = bake(config.with_mesh(Arc::new(level.mesh)), &Unmonitored).unwrap();
        let mut seeded = Seeded::new(seed);
        for poly in polys(&mesh) {
            let share = seeded.share();
            if share < 0.08 {
                mesh.set_flags(poly, 1 | CLOSED);
            } else if share < 0.4 {
                mesh.set_area(poly, AreaId(if share < 0.2 { 4 } else { 9 }));
            }
        }
        mesh
    })
}

pub(crate) fn polys(mesh: &NavMesh) -> Vec<PolyRef> {
    let slots = mesh.slots().flat_map(|(slot, tile)| {
        (0..tile.polys.len()).map(move |poly| mesh.poly_ref(slot, poly).unwrap())
    });
    slots.collect()
}

thread_local! { pub(crate) static LEVELS: [NavMesh; N_LEVELS] = levels(); }

/// A level, two points on its open ground, and a filter.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// Index into [`levels`].
    pub(crate) level: usize,
    pub(crate) seed: u64,
    /// Cost per meter of area 4.
    pub(crate) cost: f32,
    /// Cost of entering area 4.
    pub(crate) entering: f32,
}

pub(crate) fn setting() -> impl Strategy<Value = Setting> {
    (0..N_LEVELS, any::<u64>(), 1.0f32..8.0, prop_oneof![Just(0.0f32), 0.0f32..5.0])
        .prop_map(|(level, seed, cost, entering)| Setting { level, seed, cost, entering })
}

impl Setting {
    pub(crate) fn filter(&self) -> Filter {
        let mut filter = Filter { exclude_flags: CLOSED, ..Filter::default() };
        filter.area_cost[4] = self.cost;
        filter.area_cost[9] = 2.0;
        filter.rules.entering_cost[4] = self.entering;
        filter
    }

    /// Checks the level with the filter and two random points.
    pub(crate) fn with(
        &self,
        check: impl FnOnce(&NavMesh, &Filter, [MeshPoint; 2]) -> TestCaseResult,
    ) -> TestCaseResult {
        LEVELS.with(|levels| {
            let mesh = &levels[self.level];
            let (filter, mut seeded) = (self.filter(), Seeded::new(self.seed));
            let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
            let mut draw = || random_point(mesh, &request, || seeded.share()).unwrap();
            let ends = [draw(), draw()];
            check(mesh, &filter, ends)
        })
    }
}

/// Returns the horizontal distance of a point from a polygon.
pub(crate) fn beside(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> f32 {
    closest_on_boundary(mesh, poly, point).unwrap().xz().distance(point.xz())
}
