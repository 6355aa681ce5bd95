//! Checks for polygons on which queries return wrong results.

use std::collections::BTreeMap;

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Finding, FindingList, Meters},
    geom::{Aabb, from_above},
    monitor::{Cancelled, Monitor},
    navmesh::{BvNode, NO_NEIGHBOR, NavMesh, PORTAL_BIT, Poly, PolyKind, Tile},
    side_by_side,
};

use super::{
    FindingLocation,
    border::TileSquare,
    overlap::{self, Overlap},
    surface::detail_vertices,
};

/// Number of tiles whose findings are in memory together.
const AT_ONCE: usize = 256;

/// Checks the polygons of the tiles at the places that `is_own` accepts. The findings are in the order of the tiles.
pub(super) fn lint(
    mesh: &NavMesh,
    is_own: &dyn Fn(TileSquare) -> bool,
    list: &mut FindingList,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let tiles = mesh.slots().map(|(slot, tile)| (slot, &**tile));
    let tiles = tiles.filter(|(_, tile)| is_own([tile.header.x, tile.header.z]));
    let tiles: Vec<(usize, &Tile)> = tiles.collect();
    for some in tiles.chunks(AT_ONCE) {
        // About a hundred steps per polygon.
        let n_steps = some.iter().map(|(_, tile)| tile.polys.len() * 100).sum();
        let found: Vec<Result<FindingList, Cancelled>> =
            side_by_side::each(some, n_steps, |&(slot, tile)| {
                monitor.check()?;
                Ok(TileLint { mesh, slot, tile, cell: cell_size(tile) }.lint())
            });
        for of_tile in found {
            list.append(of_tile?);
        }
    }
    Ok(())
}

/// Returns the voxel size according to the BV tree of a tile; 0 if it is unknown.
pub(super) fn cell_size(tile: &Tile) -> f32 {
    let per_meter = tile.header.bv_quant_factor;
    if per_meter > 0.0 { 1.0 / per_meter } else { 0.0 }
}

/// Minimum height difference, in meters, from which overlapping polygons are separate floors.
const LEAST_APART: f32 = 0.1;

struct TileLint<'a> {
    mesh: &'a NavMesh,
    slot: usize,
    tile: &'a Tile,
    cell: f32,
}

impl TileLint<'_> {
    fn lint(&self) -> FindingList {
        let mut list = FindingList::default();
        let polys = self.tile.polys.iter().enumerate();
        for (index, poly) in polys.filter(|(_, poly)| poly.kind == PolyKind::Ground) {
            if let Some(finding) = shape_finding(&self.tile.corners(poly), self.cell) {
                self.at(index).add_to(&mut list, finding);
            }
        }
        for index in polys_off_boxes(self.tile) {
            self.at(index).add_to(&mut list, Finding::PolygonOffBvBox {});
        }
        self.overlaps(&mut list);
        for (width, point) in holes(self.tile, self.cell) {
            let finding = Finding::HoleTiny { width: Meters(width) };
            self.location(None, point).add_to(&mut list, finding);
        }
        list
    }

    fn overlaps(&self, list: &mut FindingList) {
        let header = &self.tile.header;
        // On stairs and ramps that turn back, contours may overlap by a step.
        let height = (0.5 * header.walkable_climb).max(LEAST_APART);
        let mut report = |pair: Overlap| {
            let [poly, other] = pair.polys.map(|poly| self.mesh.poly_ref(self.slot, poly));
            let Some(other) = other else { return };
            let (other, difference) = (other.0.get(), Meters(pair.difference));
            let finding = Finding::PolygonsOverlap { other, difference };
            FindingLocation { poly, ..self.location(None, pair.point) }.add_to(list, finding);
        };
        let cut_after = overlap::find(self.tile, 0.5 * self.cell, height, &mut report);
        if let Some(n) = cut_after {
            let middle = header.bounds.center();
            self.location(None, middle).add_to(list, Finding::CheckCutShort { n });
        }
    }

    /// Returns the location of a polygon.
    fn at(&self, poly: usize) -> FindingLocation {
        let corners = self.tile.corners(&self.tile.polys[poly]);
        self.location(Some(poly), Aabb::around(corners).center())
    }

    fn location(&self, poly: Option<usize>, point: Vec3) -> FindingLocation {
        let header = &self.tile.header;
        let poly = poly.and_then(|poly| self.mesh.poly_ref(self.slot, poly));
        FindingLocation { tile: [header.x, header.z], layer: header.layer, poly, point }
    }
}

/// Checks the outline of a polygon.
fn shape_finding(corners: &[Vec3], cell: f32) -> Option<Finding> {
    /// Minimum width of a fault, in voxels. Triangulation can produce thinner triangles that face down.
    const LEAST: f32 = 0.25;
    let n = corners.len();
    let length = |a: Vec3, b: Vec3| (b - a).with_y(0.0).length();
    let turns = (0..n).map(|i| [corners[i], corners[(i + 1) % n], corners[(i + 2) % n]]);
    let is_dented = |[a, b, c]: [Vec3; 3]| {
        let longest = length(a, b).max(length(b, c)).max(length(c, a));
        from_above::doubled_area(a, b, c) < -LEAST * cell * longest
    };
    if turns.into_iter().any(is_dented) {
        return Some(Finding::PolygonNotConvex {});
    }
    let area: f32 =
        (2..n).map(|i| from_above::doubled_area(corners[0], corners[i - 1], corners[i])).sum();
    let lengths = from_above::edges(corners).map(|(_, a, b)| length(a, b));
    let longest = lengths.fold(0.0, f32::max);
    let width = if longest > 0.0 { area.abs() / longest } else { 0.0 };
    (width < LEAST * cell)
        .then_some(Finding::PolygonNeedle { width: Meters(width), length: Meters(longest) })
}

/// Returns the ground polygons whose boxes in the BV tree are wrong.
///
/// Detour truncates the horizontal extent of a polygon to voxels; older versions rounded it. Corners are on whole voxels
/// up to rounding, so truncation can end a voxel lower on another machine. If most boxes of a tile are within a voxel of
/// their polygon, all others are wrong. Otherwise another program made larger boxes, and only those that do not contain
/// their polygon are wrong.
fn polys_off_boxes(tile: &Tile) -> Vec<usize> {
    let leaf = |node: &BvNode| usize::try_from(node.index).ok().map(|poly| (poly, *node));
    // The last node of Detour's trees is unused and all zero.
    let is_used = |node: &BvNode| node.max != [0; 3] || node.min != [0; 3];
    let leaves: Vec<(usize, BvNode)> = tile.bv_nodes.iter().filter_map(leaf).collect();
    let unused = leaves.last().is_some_and(|(_, node)| !is_used(node));
    let leaves = &leaves[..leaves.len() - usize::from(unused)];
    let fits: Vec<(usize, BoxFit)> =
        leaves.iter().map(|(poly, node)| (*poly, box_fit(tile, *poly, node))).collect();
    let n_close = fits.iter().filter(|(_, fit)| *fit == BoxFit::Close).count();
    let worst = if 2 * n_close >= fits.len() { BoxFit::Loose } else { BoxFit::Outside };
    fits.into_iter().filter(|(_, fit)| *fit >= worst).map(|(poly, _)| poly).collect()
}

/// Largest number that a side of a box can store.
const MOST_CELLS: f32 = 65_535.0;

/// The fit of a polygon in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BoxFit {
    /// Each side of the box is within a voxel of the polygon.
    Close,
    Loose,
    /// The polygon sticks out by a voxel or more.
    Outside,
}

fn box_fit(tile: &Tile, poly: usize, node: &BvNode) -> BoxFit {
    if tile.detail_patches.len() <= poly {
        return BoxFit::Close;
    }
    let (corners, own) = (tile.corners(&tile.polys[poly]), detail_vertices(tile, poly));
    let around = Aabb::around(corners.into_iter().chain(own.iter().copied()));
    let start = tile.header.bounds.min;
    let cells = [around.min, around.max].map(|at| (at - start) * tile.header.bv_quant_factor);
    let axes = [(0, cells.map(|cell| cell.x)), (2, cells.map(|cell| cell.z))];
    let is_close = |&(axis, cells): &(usize, [f32; 2])| {
        let sides = cells.into_iter().zip([node.min[axis], node.max[axis]]);
        let mut off =
            sides.map(|(cell, side)| cell.round().clamp(0.0, MOST_CELLS) - f32::from(side));
        off.all(|off| off.abs() <= 1.0)
    };
    let is_outside = |&(axis, [min, max]): &(usize, [f32; 2])| {
        min + 0.99 < f32::from(node.min[axis]) || f32::from(node.max[axis]) + 1.99 < max
    };
    if axes.iter().all(is_close) {
        BoxFit::Close
    } else if axes.iter().any(is_outside) {
        BoxFit::Outside
    } else {
        BoxFit::Loose
    }
}

/// Returns the width and the middle of each hole in a tile that is at most a voxel wide.
fn holes(tile: &Tile, cell: f32) -> Vec<(f32, Vec3)> {
    let mut boundary = BoundaryEdges::new(tile.vertices.len());
    let ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
    for poly in ground {
        for edge in 0..usize::from(poly.n_vertices) {
            let next = (edge + 1) % usize::from(poly.n_vertices);
            let ends = [edge, next].map(|corner| poly.vertices[corner]);
            boundary.add(poly, edge, ends);
        }
    }
    let mut parts: BTreeMap<u16, (Aabb, f32, bool)> = BTreeMap::new();
    for (ends, is_portal) in std::mem::take(&mut boundary.edges) {
        let group = boundary.group_of(ends[0]);
        let entry = parts.entry(group).or_insert((Aabb::EMPTY, 0.0, false));
        let [a, b] = ends.map(|vertex| tile.vertices[usize::from(vertex)]);
        entry.0 = entry.0.grown_to(a).grown_to(b);
        entry.1 += from_above::doubled_area(tile.header.bounds.min, a, b);
        entry.2 |= is_portal;
    }
    // The edges around a hole run in the opposite direction, so that the area is negative.
    let is_hole = |(bounds, area, has_portal): &(Aabb, f32, bool)| {
        let size = bounds.size();
        !has_portal && *area < 0.0 && size.x.max(size.z) < 1.5 * cell
    };
    let found = parts.into_values().filter(is_hole);
    found.map(|(bounds, ..)| (bounds.size().x.max(bounds.size().z), bounds.center())).collect()
}

/// Polygon edges without a neighbor in the tile, grouped by shared vertices.
struct BoundaryEdges {
    /// The ends of each edge, and whether it is on the border of the tile.
    edges: Vec<([u16; 2], bool)>,
    /// For each vertex, another vertex of its group; the smallest vertex of a group has itself.
    parents: Vec<u16>,
}

impl BoundaryEdges {
    fn new(n_vertices: usize) -> Self {
        Self { edges: Vec::new(), parents: (0..=u16::MAX).take(n_vertices).collect() }
    }

    fn add(&mut self, poly: &Poly, edge: usize, ends: [u16; 2]) {
        let neighbor = poly.neighbors[edge];
        let is_portal = neighbor & PORTAL_BIT != 0;
        if neighbor != NO_NEIGHBOR && !is_portal {
            return;
        }
        self.edges.push((ends, is_portal));
        let [a, b] = ends.map(|vertex| self.group_of(vertex));
        self.parents[usize::from(a.max(b))] = a.min(b);
    }

    /// Returns the smallest vertex of the group of a vertex.
    fn group_of(&mut self, vertex: u16) -> u16 {
        let mut at = vertex;
        loop {
            let parent = self.parents[usize::from(at)];
            if parent == at {
                return at;
            }
            // Halves the path for the next call.
            let beyond = self.parents[usize::from(parent)];
            self.parents[usize::from(at)] = beyond;
            at = beyond;
        }
    }
}
