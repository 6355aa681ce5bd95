//! Maps of Moving AI's benchmarks as levels: grids as floor plans with walls, volumes as blocks.

use std::path::{Path, PathBuf};

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeSettings},
    diagnostic::Phrase,
    grid::{Cell, Grid},
    mesh::TriMesh,
    phrase,
    voxel::{Volume, Voxel},
};
use walkable_workspace::{
    files::FileKind,
    lang,
    searches::{Map, map_of_scenario, read_queries},
};

use crate::session::OpenMap;

/// Height of the walls of a grid, in meters.
const WALL: f32 = 1.0;

const fn is_scenario(kind: FileKind) -> bool {
    matches!(kind, FileKind::GridScenario | FileKind::VolumeScenario)
}

pub(super) fn companions(path: &Path, kind: FileKind) -> Vec<PathBuf> {
    if is_scenario(kind) { vec![map_of_scenario(path)] } else { Vec::new() }
}

pub(super) fn read_map(path: &Path, kind: FileKind) -> Result<(OpenMap, TriMesh), Phrase> {
    let is_scenario = is_scenario(kind);
    let file = if is_scenario { map_of_scenario(path) } else { path.to_path_buf() };
    let map = if is_scenario { Map::of_scenario(path) } else { Map::read(path) };
    let map = map.map_err(|error| format!("{error:#}"))?;
    let mesh = match &map {
        Map::Grid(grid) => of_grid(grid),
        Map::Volume(volume) => of_volume(volume),
        Map::Polygons(_) => Err(phrase!("it is a polygon mesh; search it by `walkable search`")),
    };
    let mesh = mesh.map_err(|error| lang::with_more(file.display().to_string(), error))?;
    let queries = if is_scenario {
        read_queries(path, &map).map_err(|error| format!("{error:#}"))?
    } else {
        Vec::new()
    };
    Ok((OpenMap { map, queries }, mesh))
}

/// Returns the settings for such a level: an agent narrow enough for every passage, two voxels per cell.
pub(super) fn config() -> BakeConfig {
    let settings = BakeSettings {
        cell_size: 0.5,
        agent_height: 1.0,
        agent_radius: 0.0,
        agent_max_climb: 0.4,
        region_min_size: 0.0,
        tile_size: 128,
        ..BakeSettings::default()
    };
    BakeConfig { settings, ..BakeConfig::default() }
}

/// Returns the edges to draw: those of the walls of a grid. The borders of the strips and blocks that make up floors
/// and volumes are not drawn.
pub(super) fn edges(map: &Map, all: &[[Vec3; 2]]) -> Vec<[Vec3; 2]> {
    let is_above = |edge: &&[Vec3; 2]| edge.iter().any(|end| end.y > 0.5 * WALL);
    if matches!(map, Map::Grid(_)) {
        all.iter().filter(is_above).copied().collect()
    } else {
        Vec::new()
    }
}

type Mesh = Result<TriMesh, Phrase>;

/// Maximum number of faces of the level built from a map. Searches on the command line take larger maps.
const MAX_FACES: usize = 1 << 22;

#[derive(Default)]
struct Faces {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Faces {
    /// Adds a rectangle from a corner along two sides; its normal is `along` × `across`.
    fn add(&mut self, corner: Vec3, along: Vec3, across: Vec3) {
        let first = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        self.vertices.extend([corner, corner + along, corner + along + across, corner + across]);
        self.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|n| first + n)));
    }

    fn are_too_many(&self) -> bool {
        self.vertices.len() > 4 * MAX_FACES
    }

    fn finish(self) -> Mesh {
        if self.are_too_many() {
            return Err(phrase!(
                "it has more than {n} walls and floors; search it by `walkable search`",
                n = MAX_FACES
            ));
        }
        if self.triangles.is_empty() {
            return Err(phrase!("it is empty"));
        }
        Ok(TriMesh::new(self.vertices, self.triangles).map_err(|error| error.to_string())?)
    }
}

#[expect(clippy::cast_precision_loss, reason = "maps have at most 2^19 cells along a side")]
fn at(n: u32) -> f32 {
    n as f32
}

/// Returns the runs of numbers below `n` for which `is` holds, as start and length.
fn runs(n: u32, is: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for place in (0..n).filter(|&place| is(place)) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == place => *length += 1,
            _ => runs.push((place, 1)),
        }
    }
    runs
}

/// Creates floors on passable cells, with walls towards blocked cells.
fn of_grid(grid: &Grid) -> Mesh {
    let (n_x, n_y) = (grid.n_x(), grid.n_y());
    let free = |x: u32, y: u32| grid.is_passable(Cell::new(x, y));
    let mut faces = Faces::default();
    // Equal rows share one floor.
    let mut open: Vec<(u32, (u32, u32))> = Vec::new();
    for y in 0..=n_y {
        let row = if y < n_y { runs(n_x, |x| free(x, y)) } else { Vec::new() };
        if faces.are_too_many() {
            return faces.finish();
        }
        // The runs of a row are sorted, so a binary search finds them: a row may have thousands.
        let (kept, ended): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, run)| row.binary_search(run).is_ok());
        for (first, (x, length)) in ended {
            let corner = Vec3::new(at(x), 0.0, at(first));
            faces.add(corner, Vec3::Z * at(y - first), Vec3::X * at(length));
        }
        let mut old: Vec<_> = kept.iter().map(|(_, run)| *run).collect();
        old.sort_unstable();
        let new = row.into_iter().filter(|run| old.binary_search(run).is_err());
        open = kept.iter().copied().chain(new.map(|run| (y, run))).collect();
    }
    let up = Vec3::Y * WALL;
    for y in 0..n_y {
        if faces.are_too_many() {
            break;
        }
        // Towards smaller y the wall lies at y, towards larger ones at y + 1.
        for (x, n) in runs(n_x, |x| free(x, y) && (y == 0 || !free(x, y - 1))) {
            faces.add(Vec3::new(at(x), 0.0, at(y)), Vec3::X * at(n), up);
        }
        for (x, n) in runs(n_x, |x| free(x, y) && !free(x, y + 1)) {
            faces.add(Vec3::new(at(x), 0.0, at(y + 1)), up, Vec3::X * at(n));
        }
    }
    for x in 0..n_x {
        if faces.are_too_many() {
            break;
        }
        for (y, n) in runs(n_y, |y| free(x, y) && (x == 0 || !free(x - 1, y))) {
            faces.add(Vec3::new(at(x), 0.0, at(y)), up, Vec3::Z * at(n));
        }
        for (y, n) in runs(n_y, |y| free(x, y) && !free(x + 1, y)) {
            faces.add(Vec3::new(at(x + 1), 0.0, at(y)), Vec3::Z * at(n), up);
        }
    }
    faces.finish()
}

/// Creates the faces between blocked and free voxels.
fn of_volume(volume: &Volume) -> Mesh {
    let blocked: Vec<Voxel> = volume.blocked().collect();
    let mut faces = Faces::default();
    for axis in 0..3 {
        // Faces across `axis` are merged along `along`; `across` is the third axis.
        let (along, across) = ((axis + 1) % 3, (axis + 2) % 3);
        let unit =
            |axis: usize| Vec3::from_array(std::array::from_fn(|n| f32::from(u8::from(n == axis))));
        let row_of = |voxel: &Voxel| [voxel[axis], voxel[across]];
        // Only rows with blocked voxels are visited, because a volume may be almost empty.
        let mut sorted = blocked.clone();
        sorted.sort_unstable_by_key(|voxel| (row_of(voxel), voxel[along]));
        for row in sorted.chunk_by(|a, b| row_of(a) == row_of(b)) {
            if faces.are_too_many() {
                return faces.finish();
            }
            for farther in [false, true] {
                let shows = |own: &Voxel| {
                    let mut beside = *own;
                    beside[axis] = own[axis].wrapping_add_signed(if farther { 1 } else { -1 });
                    !(volume.contains(beside) && volume.is_blocked(beside))
                };
                let shown: Vec<u32> =
                    row.iter().filter(|own| shows(own)).map(|own| own[along]).collect();
                for run in shown.chunk_by(|a, b| a + 1 == *b) {
                    let mut start = row[0];
                    start[along] = run[0];
                    let mut corner = Vec3::from_array(start.map(at));
                    let length = u32::try_from(run.len()).unwrap_or(u32::MAX);
                    let (side, other) = (unit(along) * at(length), unit(across));
                    if farther {
                        corner += unit(axis);
                        faces.add(corner, side, other);
                    } else {
                        faces.add(corner, other, side);
                    }
                }
            }
        }
    }
    faces.finish()
}

#[cfg(test)]
mod tests {
    use walkable::{grid::read_map as grid_of, voxel::Fill};

    use super::*;

    fn area(mesh: &TriMesh, facing: Vec3) -> f32 {
        let doubled = (0..mesh.triangles().len()).map(|index| {
            let [a, b, c] = mesh.corners(index);
            (b - a).cross(c - a).dot(facing).max(0.0)
        });
        doubled.sum::<f32>() / 2.0
    }

    #[test]
    fn a_grid_has_a_floor_a_cell_and_walls_that_face_it() {
        let text = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";
        let mesh = of_grid(&grid_of(text).unwrap()).unwrap();
        assert!((area(&mesh, Vec3::Y) - 10.0).abs() < 1e-4);
        assert!(area(&mesh, Vec3::NEG_Y) < 1e-4, "seen from above only");
        for (facing, length) in
            [(Vec3::X, 4.0), (Vec3::NEG_X, 4.0), (Vec3::Z, 6.0), (Vec3::NEG_Z, 6.0)]
        {
            assert!((area(&mesh, facing) - length).abs() < 1e-4, "{facing}");
        }
    }

    #[test]
    fn a_volume_shows_the_faces_that_can_be_seen() {
        let mut volume = Volume::new([4, 4, 4]).unwrap();
        for voxel in [[1, 1, 1], [2, 1, 1], [0, 3, 3]] {
            volume.set(voxel, Fill::Blocked);
        }
        let mesh = of_volume(&volume).unwrap();
        for (facing, n) in [
            (Vec3::X, 2.0),
            (Vec3::NEG_X, 2.0),
            (Vec3::Y, 3.0),
            (Vec3::NEG_Y, 3.0),
            (Vec3::Z, 3.0),
            (Vec3::NEG_Z, 3.0),
        ] {
            assert!((area(&mesh, facing) - n).abs() < 1e-4, "{facing}");
        }
        assert_eq!(mesh.bounds().min, Vec3::new(0.0, 1.0, 1.0));
        assert!(of_volume(&Volume::new([2, 2, 2]).unwrap()).is_err(), "nothing to see");
    }

    #[test]
    fn a_checkerboard_has_too_many_walls_and_says_so() {
        // Rows of two thousand runs each: comparing all with all would take minutes.
        let grid = Grid::new(4000, 1200, |cell| (cell.x + cell.y) % 2 == 0).unwrap();
        let error = of_grid(&grid).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it has more than 4194304 walls and floors; search it by `walkable search`"
        );
    }

    #[test]
    fn rows_of_many_runs_are_kept_in_order() {
        // Columns of one cell that begin and end in different rows.
        let grid = Grid::new(40, 9, |cell| cell.x % 2 == 0 && cell.y >= cell.x % 5).unwrap();
        let mesh = of_grid(&grid).unwrap();
        let n_free = (0..40).step_by(2).map(|x| 9.0 - at(x % 5)).sum::<f32>();
        assert!((area(&mesh, Vec3::Y) - n_free).abs() < 1e-3);
    }

    #[test]
    fn an_empty_volume_costs_little_however_large() {
        let mut volume = Volume::new([1 << 19, 128, 2]).unwrap();
        volume.set([9, 9, 1], Fill::Blocked);
        let mesh = of_volume(&volume).unwrap();
        assert_eq!(mesh.triangles().len(), 12);
    }
}
