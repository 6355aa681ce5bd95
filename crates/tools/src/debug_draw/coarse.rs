//! Reduces draw lists to fewer primitives that look similar from afar, for images that must be drawn at once.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable_mesh::{MeshPart, TriMesh};
use walkable_runtime::geom::Aabb;

use super::{Block, DrawList, Line, Triangle};

/// Growth factor from one tried cell size to the next.
const GROWTH: f32 = 1.25;
/// Maximum number of cell sizes to try. With the last one, all primitives are in one cell.
const MAX_SIZES: i32 = 100;

/// Returns a copy of `list` with at most `max` primitives of each kind. All corners, lines, points or blocks in one
/// cell of a 3D grid are merged into one, and the grid is the finest one that `max` allows.
///
/// Paints are preserved, and primitives that become degenerate are dropped. A list that is already small enough is
/// returned unchanged.
pub fn coarse(list: &DrawList, max: usize) -> DrawList {
    if most_of_a_kind(list) <= max {
        return list.clone();
    }
    let bounds = list.bounds();
    // A surface cut by the grid has about two triangles per cell.
    let sizes = first_cell(&bounds, bounds.size().length().powi(2), max);
    let mut pictures = sizes.map(|cell_size| merged(list, Cells { bounds, cell_size }));
    pictures.find(|picture| most_of_a_kind(picture) <= max).unwrap_or_default()
}

fn most_of_a_kind(list: &DrawList) -> usize {
    let DrawList { triangles, lines, points, blocks } = list;
    triangles.len().max(lines.len()).max(points.len()).max(blocks.len())
}

/// A mesh with fewer triangles, and lines on it.
#[derive(Clone, Debug, PartialEq)]
pub struct CoarseMesh {
    /// The triangles.
    pub mesh: TriMesh,
    /// The lines.
    pub edges: Vec<[Vec3; 2]>,
    /// Per vertex of the original mesh, the vertex of `mesh` that it was merged into.
    pub merged_into: Vec<u32>,
}

/// Reduces `mesh` and the lines `edges` on it to at most `max` triangles, by the grid of [`coarse`]; `None` if nothing
/// would be left or the mesh is already small enough.
pub fn coarse_mesh(mesh: &TriMesh, edges: &[[Vec3; 2]], max: usize) -> Option<CoarseMesh> {
    if mesh.triangles().len() <= max {
        return None;
    }
    let bounds = mesh.bounds();
    let ends = edges.iter().flatten();
    let places: Vec<_> = mesh.vertices().iter().chain(ends).copied().collect();
    let areas = (0..mesh.triangles().len()).map(|index| {
        let [a, b, c] = mesh.corners(index);
        (b - a).cross(c - a).length() * 0.5
    });
    let mut sizes = first_cell(&bounds, areas.sum(), max);
    // Cell sizes that leave too many triangles are rejected early, before the positions are sorted.
    let cell_size =
        sizes.find(|&cell_size| Cells { bounds, cell_size }.leaves_at_most(max, mesh))?;
    let mut groups = Cells { bounds, cell_size }.groups(&places);
    let mut seen = BTreeSet::new();
    let mut triangles = Vec::new();
    let parts = mesh.parts().iter().map(|part| {
        let first = number(triangles.len());
        let of_part = part.triangles.clone().map(|index| mesh.triangles()[index as usize]);
        let coarse = of_part.map(|t| t.map(|v| groups[v as usize]));
        triangles.extend(coarse.filter(|&t| is_new(&mut seen, t)));
        MeshPart { triangles: first..number(triangles.len()), ..part.clone() }
    });
    let parts = parts.collect();
    let at = means(&places, &groups);
    let mut seen = BTreeSet::new();
    let edges = groups[mesh.vertices().len()..].as_chunks().0.iter();
    let edges = edges.filter(|&&[a, b]| a != b && seen.insert([a.min(b), a.max(b)]));
    let edges = edges.map(|edge| edge.map(|group| at[group as usize])).collect();
    let coarse = TriMesh::with_parts(at, triangles, parts).ok()?.with_colors(mesh.colors().clone());
    groups.truncate(mesh.vertices().len());
    Some(CoarseMesh { mesh: coarse, edges, merged_into: groups })
}

/// A coarse mesh has fewer triangles than its mesh, which numbers them with 32 bits.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Returns the cell sizes to try, in meters, ascending. At the first size, a surface of `area` square meters has about
/// `max` triangles.
fn first_cell(bounds: &Aabb, area: f32, max: usize) -> impl Iterator<Item = f32> + use<> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let by_area = (2.0 * area / max.max(1) as f32).sqrt();
    // At most 2^20 cells per axis, and never a size of zero.
    let least = (bounds.size().max_element() / 1_048_576.0).max(f32::MIN_POSITIVE);
    let first = by_area.max(least);
    (0..MAX_SIZES).map(move |step| first * GROWTH.powi(step))
}

/// A uniform 3D grid.
#[derive(Clone, Copy)]
struct Cells {
    bounds: Aabb,
    cell_size: f32,
}

impl Cells {
    /// Returns the key of the cell that contains `at`: 21 bits per axis.
    fn of(&self, at: Vec3) -> u64 {
        let cell = ((at - self.bounds.min) / self.cell_size).as_u64vec3();
        (cell.x << 42) | (cell.y << 21) | cell.z
    }

    /// Returns whether at most `max` triangles of `mesh` remain when all corners in a cell are merged.
    fn leaves_at_most(&self, max: usize, mesh: &TriMesh) -> bool {
        let mut seen = BTreeSet::new();
        (0..mesh.triangles().len()).all(|index| {
            is_new(&mut seen, mesh.corners(index).map(|corner| self.of(corner)));
            seen.len() <= max
        })
    }

    /// Returns the group index of each of `places`: places in the same cell share a group.
    fn groups(&self, places: &[Vec3]) -> Vec<u32> {
        let mut order: Vec<_> = (0u32..).zip(places).map(|(i, &at)| (self.of(at), i)).collect();
        order.sort_unstable();
        let mut groups = vec![0; places.len()];
        let mut group = 0;
        for (n, &(cell, place)) in order.iter().enumerate() {
            group += u32::from(n > 0 && order[n - 1].0 != cell);
            groups[place as usize] = group;
        }
        groups
    }
}

/// Returns the mean position of each group of `places`.
fn means(places: &[Vec3], groups: &[u32]) -> Vec<Vec3> {
    let n_groups = groups.iter().max().map_or(0, |&last| last as usize + 1);
    let mut sums = vec![(Vec3::ZERO, 0.0); n_groups];
    for (&at, &group) in places.iter().zip(groups) {
        let (mean, n) = &mut sums[group as usize];
        *n += 1.0;
        *mean += (at - *mean) / *n;
    }
    sums.into_iter().map(|(mean, _)| mean).collect()
}

/// Returns whether `triangle` is not degenerate and was not seen before in any order of its corners.
fn is_new<T: Ord + Copy>(seen: &mut BTreeSet<[T; 3]>, triangle: [T; 3]) -> bool {
    let mut sorted = triangle;
    sorted.sort_unstable();
    sorted[0] != sorted[1] && sorted[1] != sorted[2] && seen.insert(sorted)
}

fn merged(list: &DrawList, cells: Cells) -> DrawList {
    let n_corners = 3 * list.triangles.len();
    let of_triangles = list.triangles.iter().flat_map(|triangle| triangle.corners);
    let of_lines = list.lines.iter().flat_map(|line| [line.a, line.b]);
    let places: Vec<_> = of_triangles.chain(of_lines).collect();
    let groups = cells.groups(&places);
    let at = means(&places, &groups);
    let place = |group: u32| at[group as usize];
    let (of_triangles, of_lines) = groups.split_at(n_corners);
    let mut seen = BTreeSet::new();
    let triangles = of_triangles.as_chunks().0.iter().zip(&list.triangles);
    let triangles = triangles.filter(|&(&groups, _)| is_new(&mut seen, groups));
    let triangles = triangles
        .map(|(groups, triangle)| Triangle { corners: groups.map(place), ..*triangle })
        .collect();
    let mut seen = BTreeSet::new();
    let lines = of_lines.as_chunks().0.iter().zip(&list.lines);
    let lines = lines.filter(|&(&[a, b], _)| a != b && seen.insert([a.min(b), a.max(b)]));
    let lines = lines.map(|(&[a, b], line)| Line { a: place(a), b: place(b), ..*line }).collect();
    let mut seen = BTreeSet::new();
    let points = list.points.iter().filter(|point| seen.insert(cells.of(point.at))).copied();
    let (points, blocks) = (points.collect(), merged_blocks(&list.blocks, cells));
    DrawList { triangles, lines, points, blocks }
}

/// Merges blocks whose tops are in the same cell into one block around them, with the paint of the first.
fn merged_blocks(blocks: &[Block], cells: Cells) -> Vec<Block> {
    let tops: Vec<_> = blocks.iter().map(|block| block.min.with_y(block.max.y)).collect();
    let groups = cells.groups(&tops);
    let mut merged: Vec<Option<Block>> = vec![None; blocks.len()];
    for (block, group) in blocks.iter().zip(groups) {
        let all = merged[group as usize].get_or_insert(*block);
        all.min = all.min.min(block.min);
        all.max = all.max.max(block.max);
        all.cell_size = cells.cell_size.max(block.cell_size);
    }
    merged.into_iter().flatten().collect()
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
            list.point(at, 2.0, Paint::Expanded(0.5));
            let (min, max) = (at, at + Vec3::ONE);
            list.blocks.push(Block { min, max, cell_size: 1.0, paint: Paint::Blocked });
        }
        list
    }

    #[test]
    fn never_more_than_the_limit_and_never_beyond_the_bounds() {
        let list = picture();
        let all = list.bounds();
        for max in [0, 1, 2, 5, 20, 39, 79, 119] {
            let few = coarse(&list, max);
            let n = [few.triangles.len(), few.lines.len(), few.points.len(), few.blocks.len()];
            assert!(n.into_iter().all(|n| n <= max), "{n:?} at most {max}");
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
        let paints = |triangle: &Triangle| matches!(triangle.paint, Paint::Hue(_));
        assert!(few.triangles.iter().all(paints));
    }

    #[test]
    fn a_level_keeps_its_extent_with_fewer_triangles() {
        let mesh = level::generate(level::LevelKind::Terrain, 1, 60.0).unwrap().mesh;
        let max = mesh.triangles().len() / 20;
        let coarse = coarse_mesh(&mesh, &[[mesh.bounds().min, mesh.bounds().max]], max).unwrap();
        let CoarseMesh { mesh: few, edges, merged_into } = coarse;
        assert_eq!(merged_into.len(), mesh.vertices().len());
        let vertices = mesh.vertices().iter().zip(&merged_into);
        let moved = vertices.map(|(at, &group)| at.distance(few.vertices()[group as usize]));
        assert!(moved.fold(0.0, f32::max) < 0.2 * mesh.bounds().size().length());
        assert!(few.triangles().len() <= max && few.triangles().len() > max / 8);
        let (old, new) = (mesh.bounds().size(), few.bounds().size());
        assert!((old - new).abs().max_element() < old.max_element() * 0.2, "{old} became {new}");
        assert_eq!(edges.len(), 1);
        assert!(coarse_mesh(&few, &[], max).is_none());
    }
}
