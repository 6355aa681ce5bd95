//! Simplifies a level that is read in pieces, without having all of it in memory.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use walkable_mesh::{MeshPart, TriMesh};
use walkable_runtime::geom::Aabb;

/// Number of bits of the coordinate of a cell along an axis.
const AXIS_BITS: u32 = 21;
/// Maximum number of cells along the longest side of the level at the start.
const MAX_CELLS: f32 = 1_048_576.0;

/// Reduces triangles that are added one after the other to at most a given number, as
/// [`coarse_mesh`](super::coarse_mesh) does: corners in the same cell of a grid are merged. Whenever too many triangles
/// are left, the cells double in size. Memory is in proportion to that number, not to that of the added triangles.
#[derive(Clone, Debug)]
pub struct CoarseStream {
    min: Vec3,
    cell_size: f32,
    max: usize,
    /// Mean position and number of the corners in a cell.
    places: BTreeMap<Cell, (Vec3, f32)>,
    /// The remaining triangles by their sorted cells: cells in the order of the corners, and the group.
    triangles: BTreeMap<[Cell; 3], ([Cell; 3], u32)>,
}

/// A cell as a number with [`AXIS_BITS`] bits for each axis.
type Cell = u64;

impl CoarseStream {
    /// Creates a stream for triangles within `bounds`.
    pub fn new(bounds: &Aabb, max: usize) -> Self {
        let size = bounds.size();
        // Ground without slopes would have `max` triangles.
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let by_area = (2.0 * size.x * size.z / max.max(1) as f32).sqrt();
        let least = (size.max_element() / MAX_CELLS).max(f32::MIN_POSITIVE);
        Self {
            min: bounds.min,
            cell_size: by_area.max(least),
            max,
            places: BTreeMap::new(),
            triangles: BTreeMap::new(),
        }
    }

    /// Adds a triangle of a group, such as a material.
    pub fn add(&mut self, corners: [Vec3; 3], group: u32) {
        let cells = corners.map(|corner| self.cell_of(corner));
        let [a, b, c] = cells;
        if a == b || b == c || c == a {
            return;
        }
        for (cell, corner) in cells.into_iter().zip(corners) {
            merge(&mut self.places, cell, (corner, 1.0));
        }
        self.triangles.entry(sorted(cells)).or_insert((cells, group));
        while self.triangles.len() > self.max {
            self.coarsen();
        }
    }

    /// Returns the triangles that are left, those of each group as a part whose material has the name of the group;
    /// `None` if there are none.
    pub fn mesh(&self, names: &[Arc<str>]) -> Option<TriMesh> {
        let cells: Vec<Cell> = self.places.keys().copied().collect();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let index = |cell: Cell| number(cells.partition_point(|&other| other < cell));
        let mut found: Vec<_> = self.triangles.values().copied().collect();
        found.sort_by_key(|&(_, group)| group);
        let mut parts = Vec::new();
        for of_group in found.chunk_by(|a, b| a.1 == b.1) {
            let material = names.get(of_group[0].1 as usize).cloned().unwrap_or_default();
            let start = parts.last().map_or(0, |part: &MeshPart| part.triangles.end);
            let triangles = start..start + number(of_group.len());
            parts.push(MeshPart { object: Arc::default(), material, triangles });
        }
        let triangles: Vec<_> = found.iter().map(|(cells, _)| cells.map(index)).collect();
        let vertices = self.places.values().map(|&(mean, _)| mean).collect();
        (!triangles.is_empty()).then(|| TriMesh::with_parts(vertices, triangles, parts).ok())?
    }

    fn cell_of(&self, at: Vec3) -> Cell {
        let last = (1_u64 << AXIS_BITS) - 1;
        let cell = ((at - self.min) / self.cell_size).as_u64vec3().to_array();
        let [x, y, z] = cell.map(|at| at.min(last));
        (x << (2 * AXIS_BITS)) | (y << AXIS_BITS) | z
    }

    /// Doubles the size of the cells.
    fn coarsen(&mut self) {
        self.cell_size *= 2.0;
        for (cell, place) in std::mem::take(&mut self.places) {
            merge(&mut self.places, parent(cell), place);
        }
        for (cells, group) in std::mem::take(&mut self.triangles).into_values() {
            let cells = cells.map(parent);
            let [a, b, c] = cells;
            if a != b && b != c && c != a {
                self.triangles.entry(sorted(cells)).or_insert((cells, group));
            }
        }
    }
}

/// Returns the cell of twice the size that contains a cell.
fn parent(cell: Cell) -> Cell {
    // The highest bit of an axis must not be shifted into the next axis.
    let axis = (1_u64 << (AXIS_BITS - 1)) - 1;
    (cell >> 1) & (axis | (axis << AXIS_BITS) | (axis << (2 * AXIS_BITS)))
}

fn sorted(mut cells: [Cell; 3]) -> [Cell; 3] {
    cells.sort_unstable();
    cells
}

/// Adds `n` corners with a mean position to those of a cell.
fn merge(places: &mut BTreeMap<Cell, (Vec3, f32)>, cell: Cell, (at, n): (Vec3, f32)) {
    let (mean, n_all) = places.entry(cell).or_insert((at, 0.0));
    *n_all += n;
    *mean += (at - *mean) * (n / *n_all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{self, LevelKind};

    fn reduced(mesh: &TriMesh, max: usize) -> TriMesh {
        let mut stream = CoarseStream::new(&mesh.bounds(), max);
        for part in mesh.parts() {
            for triangle in part.triangles.clone() {
                stream.add(mesh.corners(triangle as usize), u32::from(&*part.material == "road"));
            }
        }
        stream.mesh(&["rest".into(), "road".into()]).unwrap()
    }

    fn ground_area(mesh: &TriMesh) -> f32 {
        let areas = (0..mesh.triangles().len()).map(|index| {
            let [a, b, c] = mesh.corners(index);
            0.5 * (b - a).cross(c - a).y
        });
        areas.sum()
    }

    #[test]
    fn a_level_keeps_its_size_its_ground_and_its_orientation() {
        let mesh = level::generate(LevelKind::Terrain, 1, 120.0).unwrap().mesh;
        let n = mesh.triangles().len();
        for max in [n / 4, n / 20] {
            let few = reduced(&mesh, max);
            let left = few.triangles().len();
            assert!((max / 8..=max).contains(&left), "{left} of {n}, at most {max}");
            let (old, new) = (mesh.bounds().size(), few.bounds().size());
            assert!((old - new).abs().max_element() < 0.1 * old.x, "{old} to {new}");
            let share = ground_area(&few) / ground_area(&mesh);
            assert!((0.8..1.02).contains(&share), "{share}");
        }
        assert_eq!(reduced(&mesh, n / 20), reduced(&mesh, n / 20));
    }

    #[test]
    fn groups_are_parts_with_their_names() {
        let mut stream = CoarseStream::new(&Aabb::new(Vec3::ZERO, Vec3::ONE), 100);
        let triangle = [Vec3::ZERO, Vec3::Z, Vec3::X];
        stream.add(triangle.map(|at| at * 0.9), 1);
        stream.add([Vec3::ONE, Vec3::X, Vec3::Z], 0);
        // Too small for the cells.
        stream.add(triangle.map(|at| at * 0.001), 2);
        let mesh = stream.mesh(&["a".into(), "b".into()]).unwrap();
        let parts: Vec<_> =
            mesh.parts().iter().map(|part| (&*part.material, part.triangles.clone())).collect();
        assert_eq!(parts, [("a", 0..1), ("b", 1..2)]);
        assert!(CoarseStream::new(&mesh.bounds(), 100).mesh(&[]).is_none());
    }

    #[test]
    fn cells_of_twice_the_size_do_not_mix_axes() {
        let cell = |x: u64, y: u64, z: u64| (x << (2 * AXIS_BITS)) | (y << AXIS_BITS) | z;
        assert_eq!(parent(cell(5, 7, 9)), cell(2, 3, 4));
        assert_eq!(parent(cell(1, 1, 1)), 0);
        let last = (1 << AXIS_BITS) - 1;
        assert_eq!(parent(cell(last, last, last)), cell(last >> 1, last >> 1, last >> 1));
    }
}
