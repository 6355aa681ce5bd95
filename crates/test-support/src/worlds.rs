//! Large levels, pairs of distant points in them, and times of searches, for measurements.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are small, and times are shown rounded"
)]

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter},
    path::Path,
    sync::Arc,
    time::Duration,
};

use cpu_time::ThreadTime;
use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    glam::Vec3,
    ids::TileCoord,
    level::{LevelKind, generate},
    mesh::{BinnedWriter, TriMesh},
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, MeshPoint, RandomPointRequest, TileChoice, random_point},
    store::TileStore,
};
use walkable_runtime::{random::Random, side_by_side};

/// Side of the largest level that is not assembled from several, in meters.
const MAX_PIECE: f32 = 2000.0;
/// Size of the squares of a written level, as of `walkable bin`, in meters.
const SQUARE: f32 = 40.0;

/// Returns a navmesh: of a town, if `text` is its side in meters, or from a tile set or a tile store.
pub fn nav_mesh(text: &str) -> NavMesh {
    if let Ok(size) = text.parse() {
        return bake_town(size);
    }
    if Path::new(text).extension().is_some_and(|extension| extension == "tiles") {
        let mut file = BufReader::new(File::open(text).unwrap());
        return TileStore::read(&mut file).unwrap().nav_mesh(&mut file).unwrap();
    }
    NavMesh::from_bytes(&fs::read(text).unwrap()).unwrap()
}

fn bake_town(size: f32) -> NavMesh {
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let plan = BakePlan::new(BakeInput::new(Arc::new(town(size)), settings)).unwrap();
    let coords: Vec<TileCoord> = plan.tiles().collect();
    let tile =
        |&coord: &TileCoord| bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile;
    let tiles = side_by_side::each(&coords, usize::MAX, tile);
    plan.link(tiles.into_iter().flatten().map(Arc::new)).unwrap()
}

fn town(size: f32) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for piece in World::Town.pieces(size) {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(piece.vertices());
        triangles.extend(piece.triangles().iter().map(|corners| corners.map(|at| at + first)));
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// A kind of large level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// A town; a large one is a square of smaller ones.
    Town,
    /// Hills; large ones are a square of smaller ones, each the mirror image of its neighbors, so that the ground
    /// continues from one to the next.
    Terrain,
}

impl World {
    fn pieces(self, size: f32) -> impl Iterator<Item = TriMesh> {
        let n = (size / MAX_PIECE).ceil() as u16;
        let side = size / f32::from(n);
        (0..n * n).map(move |at| self.piece([at % n, at / n], n, side))
    }

    /// Returns the piece at a column and row of a level with `n` columns.
    fn piece(self, [column, row]: [u16; 2], n: u16, side: f32) -> TriMesh {
        let (kind, seed, mirrors) = match self {
            Self::Town => (LevelKind::Town, row * n + column + 1, [false; 2]),
            Self::Terrain => (LevelKind::Terrain, 1, [column, row].map(|at| at % 2 == 1)),
        };
        let piece = generate(kind, seed.into(), side).unwrap().mesh;
        let bounds = piece.bounds();
        let corner = Vec3::new(f32::from(column), 0.0, f32::from(row)) * side;
        let placed = |&vertex: &Vec3| {
            let image = bounds.min + bounds.max - vertex;
            let x = if mirrors[0] { image.x } else { vertex.x };
            let z = if mirrors[1] { image.z } else { vertex.z };
            corner + Vec3::new(x, vertex.y, z) - bounds.min.with_y(0.0)
        };
        // One mirror turns faces over.
        let is_turned = mirrors[0] != mirrors[1];
        let wound = |&[a, b, c]: &[u32; 3]| if is_turned { [a, c, b] } else { [a, b, c] };
        let vertices = piece.vertices().iter().map(placed).collect();
        TriMesh::new(vertices, piece.triangles().iter().map(wound).collect()).unwrap()
    }
}

/// Writes a level for `walkable bake`, as `walkable bin` does.
pub fn write_world(world: World, size: f32, path: &Path) {
    written_pieces(world, size, path).0.finish().unwrap();
}

/// Writes a level as [`write_world`] does, with a block in its middle.
pub fn write_world_with_block(world: World, size: f32, path: &Path) {
    let (mut writer, height) = written_pieces(world, size, path);
    writer.add(&block(Vec3::new(0.5 * size, height, 0.5 * size))).unwrap();
    writer.finish().unwrap();
}

/// Writes the pieces of a level. Returns the writer, and a height for a block: that of the ground of a town; in a terrain,
/// one within the heights of the hills, because tiles depend on the heights of the whole level.
fn written_pieces(world: World, size: f32, path: &Path) -> (BinnedWriter<BufWriter<File>>, f32) {
    let file = BufWriter::new(File::create(path).unwrap());
    let mut writer = BinnedWriter::new(file, SQUARE).unwrap();
    let mut height = 0.0;
    for piece in world.pieces(size) {
        if world == World::Terrain {
            height = piece.bounds().center().y;
        }
        writer.add(&piece).unwrap();
    }
    (writer, height)
}

/// Returns a cube; `corner` is its lowest one.
fn block(corner: Vec3) -> TriMesh {
    const SIDE: f32 = 2.0;
    let vertices = (0..8_u8)
        .map(|at| corner + SIDE * Vec3::from([at & 1, at >> 1 & 1, at >> 2].map(f32::from)))
        .collect();
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh::new(vertices, triangles).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_pieces_of_a_terrain_meet_and_face_up() {
        let [left, right] = [[0, 0], [1, 0]].map(|at| World::Terrain.piece(at, 2, 64.0));
        let border = left.bounds().max.x;
        assert!((right.bounds().min.x - border).abs() < 0.01);
        let heights = |mesh: &TriMesh| {
            let on_border = mesh.vertices().iter().filter(|at| (at.x - border).abs() < 0.01);
            let mut heights: Vec<_> =
                on_border.map(|at| (at.z.to_bits(), at.y.to_bits())).collect();
            heights.sort_unstable();
            heights
        };
        assert!(heights(&left).len() > 10);
        assert_eq!(heights(&left), heights(&right));
        let n_facing_up = |mesh: &TriMesh| {
            let normals = mesh.triangles().iter().map(|corners| {
                let [a, b, c] = corners.map(|at| mesh.vertices()[at as usize]);
                (b - a).cross(c - a).y
            });
            normals.filter(|y| *y > 0.0).count()
        };
        let n_up = [&left, &right].map(n_facing_up);
        assert_eq!(n_up[0], n_up[1]);
        assert!(2 * n_up[0] > left.triangles().len(), "{n_up:?}");
    }
}

/// Returns the minimum distance of distant points in a navmesh: three quarters of its larger side.
pub fn far(mesh: &NavMesh) -> f32 {
    0.75 * mesh.bounds().size().with_y(0.0).max_element()
}

/// Returns pairs of random points at least [`far`] apart, always the same.
pub fn far_points<'a>(
    mesh: &'a NavMesh,
    filter: &'a Filter,
) -> impl Iterator<Item = [MeshPoint; 2]> + 'a {
    let far = far(mesh);
    let mut random = Random::new(1);
    let mut point = move || {
        let request =
            RandomPointRequest { tiles: TileChoice::Alike, ..RandomPointRequest::new(filter) };
        random_point(mesh, &request, || random.unit()).unwrap()
    };
    let pairs = std::iter::repeat_with(move || [point(), point()]);
    pairs.filter(move |[start, end]| start.point.distance(end.point) >= far)
}

/// Returns the result, and the processor time of this thread.
pub fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let clock = ThreadTime::now();
    let result = run();
    (clock.elapsed(), result)
}

/// Returns the result of the last of three runs, and the processor time of the shortest.
pub fn shortest<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let before = timed(&mut run).0.min(timed(&mut run).0);
    let (last, result) = timed(run);
    (before.min(last), result)
}

/// Times of the same work on different inputs.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Adds a time.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns whether there are no times.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of times.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the mean in milliseconds.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64() * 1e3 / self.0.len() as f64
    }

    /// Returns the time in milliseconds that a share of the times does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted[((sorted.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3
    }
}

/// Converts bytes to megabytes.
pub fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
