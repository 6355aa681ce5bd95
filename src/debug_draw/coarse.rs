//! Fewer primitives that look much the same from afar, for pictures that must be drawn at once.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use glam::{UVec3, Vec3};

use super::{Block, DrawList};
use crate::{geom::Aabb, mesh::TriMesh};

/// Cells double this often at most: by then everything lies in one.
const MAX_DOUBLINGS: u32 = 40;

/// A picture of `list` with at most `max` primitives of each kind: what lies in one cell of a grid in
/// space becomes one corner, line, point or block there, and the grid is as fine as `max` allows.
///
/// Paints stay; what shrinks to nothing is left out. Comes back as it was where it is small already.
pub fn coarse(list: &DrawList, max: usize) -> DrawList {
    let n = [list.triangles.len(), list.lines.len(), list.points.len(), list.blocks.len()];
    let most = n.into_iter().max().unwrap_or(0);
    if most <= max {
        return list.clone();
    }
    let bounds = list.bounds();
    // A surface cut into cells has about two triangles in each.
    let cells = first_cell(&bounds, bounds.size().length().powi(2), max);
    let fits = |list: &DrawList| {
        [list.triangles.len(), list.lines.len(), list.points.len(), list.blocks.len()]
            .into_iter()
            .all(|n| n <= max)
    };
    let merged = cells.map(|cell_size| merged(list, Cells { bounds, cell_size }));
    let mut last = DrawList::default();
    for list in merged {
        last = list;
        if fits(&last) {
            break;
        }
    }
    last
}

/// `mesh` and the lines `edges` on it with at most `max` triangles, by the grid of [`coarse`]; `None`
/// where nothing would be left or the mesh is small already.
pub fn coarse_mesh(
    mesh: &TriMesh,
    edges: &[[Vec3; 2]],
    max: usize,
) -> Option<(TriMesh, Vec<[Vec3; 2]>)> {
    if mesh.triangles().len() <= max {
        return None;
    }
    let bounds = mesh.bounds();
    let areas = (0..mesh.triangles().len()).map(|index| {
        let [a, b, c] = mesh.corners(index);
        (b - a).cross(c - a).length() * 0.5
    });
    let mut sizes = first_cell(&bounds, areas.sum(), max);
    let fitting = sizes.find_map(|cell_size| {
        let mut corners = Corners::new(Cells { bounds, cell_size });
        let of_vertex: Vec<_> = mesh.vertices().iter().map(|&at| corners.add(at)).collect();
        let mut seen = HashSet::new();
        let triangles = mesh.triangles().iter().map(|t| t.map(|v| of_vertex[v as usize]));
        let triangles: Vec<_> = triangles.filter(|&t| is_new(&mut seen, t)).collect();
        (triangles.len() <= max).then_some((corners, triangles))
    });
    let (mut corners, triangles) = fitting?;
    let mut seen = HashSet::new();
    let edges = edges.iter().map(|edge| edge.map(|at| corners.add(at)));
    let edges: Vec<_> =
        edges.filter(|&[a, b]| a != b && seen.insert([a.min(b), a.max(b)])).collect();
    let at = corners.means();
    let edges = edges.iter().map(|edge| edge.map(|corner| at[corner as usize])).collect();
    Some((TriMesh::new(at, triangles).ok()?, edges))
}

/// Sizes of cells to try, in metres, each twice the last: first the one by which a surface of `area`
/// square metres comes to `max` triangles.
fn first_cell(bounds: &Aabb, area: f32, max: usize) -> impl Iterator<Item = f32> + use<> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let by_area = (2.0 * area / max.max(1) as f32).sqrt();
    // No more than 2^20 cells a side, and never none.
    let least = (bounds.size().max_element() / 1_048_576.0).max(f32::MIN_POSITIVE);
    let first = by_area.max(least);
    (0..MAX_DOUBLINGS).map(move |doubling| first * 2f32.powi(doubling.cast_signed()))
}

/// A grid in space.
#[derive(Clone, Copy)]
struct Cells {
    bounds: Aabb,
    cell_size: f32,
}

impl Cells {
    fn of(&self, at: Vec3) -> UVec3 {
        ((at - self.bounds.min) / self.cell_size).as_uvec3()
    }
}

/// What corners of a picture become: one corner a cell, in the middle of those that lie there.
struct Corners {
    cells: Cells,
    by_cell: HashMap<UVec3, u32>,
    /// Sum of offsets from the first one, and the first.
    sums: Vec<(Vec3, f32, Vec3)>,
}

impl Corners {
    fn new(cells: Cells) -> Self {
        Self { cells, by_cell: HashMap::new(), sums: Vec::new() }
    }

    fn add(&mut self, at: Vec3) -> u32 {
        let next = u32::try_from(self.sums.len()).unwrap_or(u32::MAX);
        match self.by_cell.entry(self.cells.of(at)) {
            Entry::Occupied(entry) => {
                let corner = *entry.get();
                if let Some((sum, n, first)) = self.sums.get_mut(corner as usize) {
                    *sum += at - *first;
                    *n += 1.0;
                }
                corner
            }
            Entry::Vacant(entry) => {
                self.sums.push((Vec3::ZERO, 1.0, at));
                *entry.insert(next)
            }
        }
    }

    fn means(&self) -> Vec<Vec3> {
        self.sums.iter().map(|&(sum, n, first)| first + sum / n).collect()
    }
}

/// Whether `triangle` is one, and was not seen before in any order of its corners.
fn is_new(seen: &mut HashSet<[u32; 3]>, triangle: [u32; 3]) -> bool {
    let mut sorted = triangle;
    sorted.sort_unstable();
    sorted[0] != sorted[1] && sorted[1] != sorted[2] && seen.insert(sorted)
}

fn merged(list: &DrawList, cells: Cells) -> DrawList {
    let mut corners = Corners::new(cells);
    let mut seen = HashSet::new();
    let triangles = list.triangles.iter().map(|t| (t.corners.map(|at| corners.add(at)), t.paint));
    let triangles: Vec<_> = triangles.filter(|&(t, _)| is_new(&mut seen, t)).collect();
    let mut seen = HashSet::new();
    let lines = list.lines.iter().map(|line| (corners.add(line.a), corners.add(line.b), *line));
    let lines: Vec<_> =
        lines.filter(|&(a, b, _)| a != b && seen.insert([a.min(b), a.max(b)])).collect();
    let mut seen = HashSet::new();
    let points = list.points.iter().filter(|point| seen.insert(cells.of(point.at)));
    let at = corners.means();
    let place = |corner: u32| at[corner as usize];
    DrawList {
        triangles: triangles
            .into_iter()
            .map(|(corners, paint)| super::Triangle { corners: corners.map(place), paint })
            .collect(),
        lines: lines
            .into_iter()
            .map(|(a, b, line)| super::Line { a: place(a), b: place(b), ..line })
            .collect(),
        points: points.copied().collect(),
        blocks: merged_blocks(&list.blocks, cells),
    }
}

/// One block around all whose tops lie in one cell, painted as the first.
fn merged_blocks(blocks: &[Block], cells: Cells) -> Vec<Block> {
    let mut merged: Vec<Block> = Vec::new();
    let mut by_cell = HashMap::new();
    for block in blocks {
        let top = Vec3::new(block.min.x, block.max.y, block.min.z);
        let next = merged.len();
        let index = *by_cell.entry(cells.of(top)).or_insert(next);
        if let Some(other) = merged.get_mut(index) {
            other.min = other.min.min(block.min);
            other.max = other.max.max(block.max);
            other.cell_size = cells.cell_size.max(block.cell_size);
        } else {
            merged.push(*block);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{debug_draw::Paint, level};

    fn picture() -> DrawList {
        let mut list = DrawList::default();
        for n in 0..40u16 {
            let at = Vec3::new(f32::from(n % 8), f32::from(n % 3), f32::from(n / 8));
            list.fill(&[at, at + Vec3::X, at + Vec3::ONE, at + Vec3::Z], Paint::Hue(n.into()));
            list.ring(&[at, at + Vec3::X, at + Vec3::ONE], 1.0, Paint::InnerEdge);
            list.point(at, 2.0, Paint::Expanded);
            let (min, max) = (at, at + Vec3::ONE);
            list.blocks.push(Block { min, max, cell_size: 1.0, paint: Paint::Blocked });
        }
        list
    }

    #[test]
    fn never_more_than_asked_and_never_beyond_the_bounds() {
        let list = picture();
        let all = list.bounds();
        for max in [0, 1, 2, 5, 20, 39, 79, 119] {
            let few = coarse(&list, max);
            let n = [few.triangles.len(), few.lines.len(), few.points.len(), few.blocks.len()];
            assert!(n.into_iter().all(|n| n <= max.max(1)), "{n:?} at most {max}");
            let bounds = few.bounds();
            let close = Vec3::splat(1e-4);
            let is_inside =
                (bounds.min + close).cmpge(all.min) & (bounds.max - close).cmple(all.max);
            assert!(few.is_empty() || is_inside.all(), "{bounds:?} in {all:?}");
        }
        assert_eq!(coarse(&list, 120), list);
    }

    #[test]
    fn a_surface_stays_a_surface() {
        let few = coarse(&picture(), 60);
        assert!(few.triangles.len() > 10, "{}", few.triangles.len());
        let paints = |triangle: &super::super::Triangle| matches!(triangle.paint, Paint::Hue(_));
        assert!(few.triangles.iter().all(paints));
    }

    #[test]
    fn a_level_keeps_its_extent_with_fewer_triangles() {
        let mesh = level::generate(level::LevelKind::Terrain, 1, 60.0).unwrap().mesh;
        let max = mesh.triangles().len() / 20;
        let (few, edges) =
            coarse_mesh(&mesh, &[[mesh.bounds().min, mesh.bounds().max]], max).unwrap();
        assert!(few.triangles().len() <= max && few.triangles().len() > max / 8);
        let (old, new) = (mesh.bounds().size(), few.bounds().size());
        assert!((old - new).abs().max_element() < old.max_element() * 0.2, "{old} became {new}");
        assert_eq!(edges.len(), 1);
        assert!(coarse_mesh(&few, &[], max).is_none());
    }
}
