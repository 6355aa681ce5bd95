//! The levels of crowds: floors with doors, generated levels, meshes of `RecastDemo`.

use std::sync::{Arc, LazyLock};

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, LayerCut, OffMeshLink, bake},
    ids::AreaId,
    level::{LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, RandomPointRequest, TileChoice, random_point},
    tile_cache::TileCache,
};
use walkable_runtime::random::Random;

use crate::levels::Level;

/// A baked level.
#[derive(Debug)]
pub struct CrowdLevel {
    /// The name.
    pub name: String,
    /// The mesh as a file.
    pub bytes: Vec<u8>,
    /// The layers, if obstacles can be placed.
    pub cache: Option<TileCache>,
    /// Size of the level if it is one floor with rectangular rooms, from x = 0 and z = 0.
    pub floor: Option<Vec3>,
}

/// Levels for agreement tests, each baked on first use.
pub static LEVELS: [LazyLock<CrowdLevel>; 14] = [
    LazyLock::new(|| floor("open floor", &[[0.0, 0.0, 30.0, 30.0]], 0, false)),
    LazyLock::new(|| floor("open floor in tiles", &[[0.0, 0.0, 30.0, 30.0]], 32, false)),
    LazyLock::new(|| floor("open floor with obstacles", &[[0.0, 0.0, 30.0, 30.0]], 40, true)),
    LazyLock::new(|| floor("passage", &[[0.0, 0.0, 40.0, 5.0]], 0, false)),
    LazyLock::new(|| floor("passage with obstacles", &[[0.0, 0.0, 40.0, 8.0]], 32, true)),
    LazyLock::new(|| floor("door", &ROOMS, 0, false)),
    LazyLock::new(|| floor("door in tiles", &ROOMS, 24, false)),
    LazyLock::new(|| generated(LevelKind::Town, 70.0, false)),
    LazyLock::new(|| generated(LevelKind::Town, 70.0, true)),
    LazyLock::new(|| generated(LevelKind::Maze, 40.0, false)),
    LazyLock::new(|| generated(LevelKind::Tower, 24.0, false)),
    LazyLock::new(|| generated(LevelKind::Caves, 40.0, false)),
    LazyLock::new(|| generated(LevelKind::Sample, 30.0, true)),
    LazyLock::new(|| {
        let mesh = Level::named("nav_test").and_then(|level| level.mesh());
        match mesh {
            Some(mesh) => with_links("nav_test", mesh, settings(48), false),
            None => generated(LevelKind::Terrain, 60.0, false),
        }
    }),
];

/// Two rooms with a door 2 m wide between them.
const ROOMS: [[f32; 4]; 3] =
    [[0.0, 0.0, 14.0, 14.0], [14.0, 6.0, 15.0, 8.0], [15.0, 0.0, 29.0, 14.0]];

fn settings(tile_size: u32) -> BakeSettings {
    BakeSettings { agent_radius: 0.3, cell_size: 0.2, tile_size, ..BakeSettings::default() }
}

/// Returns the triangles of rectangles of floor, each with minimum and maximum x and z.
pub fn rectangles(rectangles: &[[f32; 4]]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for &[x0, z0, x1, z1] in rectangles {
        let first = u32::try_from(vertices.len()).expect("there are few");
        let corners = [[x0, z0], [x0, z1], [x1, z1], [x1, z0]];
        vertices.extend(corners.map(|[x, z]| Vec3::new(x, 0.0, z)));
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|n| first + n)));
    }
    TriMesh::new(vertices, triangles).expect("coordinates are finite")
}

fn floor(name: &str, rooms: &[[f32; 4]], tile_size: u32, is_cached: bool) -> CrowdLevel {
    let side = |axis: usize| rooms.iter().map(|room| room[axis]).fold(0.0, f32::max);
    let size = Vec3::new(side(2), 0.0, side(3));
    let input = BakeInput::new(Arc::new(rectangles(rooms)), settings(tile_size));
    CrowdLevel { floor: Some(size), ..baked(name, input, is_cached) }
}

fn generated(kind: LevelKind, size: f32, is_cached: bool) -> CrowdLevel {
    let level = generate(kind, 3, size).expect("the generator takes this size");
    let name = if is_cached { format!("{kind} with obstacles") } else { kind.to_string() };
    with_links(&name, Arc::new(level.mesh), settings(48), is_cached)
}

/// Bakes a level with off-mesh links between random places.
fn with_links(
    name: &str,
    mesh: Arc<TriMesh>,
    settings: BakeSettings,
    is_cached: bool,
) -> CrowdLevel {
    let plain = bake(BakeInput::new(mesh.clone(), settings.clone()), &Unmonitored);
    let plain = plain.expect("levels can be baked");
    let mut random = Random::new(5);
    let mut off_mesh = Vec::new();
    for _ in 0..2000 {
        let [start, end] = [(); 2].map(|()| place(&plain, &mut random));
        if off_mesh.len() < 8 && (2.0..9.0).contains(&start.distance(end)) {
            off_mesh.push(OffMeshLink {
                start,
                end,
                radius: 0.5,
                bidirectional: random.chance(0.5),
                area: AreaId(5),
                flags: 8,
                user_id: 0,
            });
        }
    }
    let input = BakeInput { off_mesh, ..BakeInput::new(mesh, settings) };
    baked(name, input, is_cached)
}

/// Returns a random point on a mesh.
///
/// # Panics
/// Panics if the mesh is empty.
pub fn place(mesh: &NavMesh, random: &mut Random) -> Vec3 {
    let filter = Filter::default();
    let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
    random_point(mesh, &request, || random.unit()).expect("the mesh has polygons").point
}

fn baked(name: &str, input: BakeInput, is_cached: bool) -> CrowdLevel {
    let (mesh, cache) = if is_cached {
        let plan = BakePlan::new(input).expect("the settings are sound");
        let cache = TileCache::bake(&plan, LayerCut::Sweep, &Unmonitored);
        let cache = cache.expect("levels have layers").cache;
        (cache.nav_mesh(&Unmonitored).expect("layers can be meshed"), Some(cache))
    } else {
        (bake(input, &Unmonitored).expect("levels can be baked"), None)
    };
    CrowdLevel { name: name.to_owned(), bytes: mesh.to_bytes(), cache, floor: None }
}
