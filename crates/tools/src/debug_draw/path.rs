use glam::Vec3;
use walkable_runtime::{
    navmesh::{NavMesh, PolyRef, Portal},
    query::{Expansion, NavPath, SlicedPath},
};

use crate::debug_draw::{DrawList, Paint, navmesh::detail_triangles};

/// Draws the surfaces of the polygons of a corridor. Stale references are left out.
pub fn corridor(mesh: &NavMesh, polys: &[PolyRef]) -> DrawList {
    let mut list = DrawList::default();
    for (tile, index) in polys.iter().filter_map(|&poly| mesh.resolve(poly)) {
        for (corners, _) in detail_triangles(tile, index) {
            list.fill(&corners, Paint::Corridor);
        }
    }
    list
}

/// Draws the edges that a path crosses, with a disc on each end.
pub fn portals(portals: &[Portal]) -> DrawList {
    let mut list = DrawList::default();
    for portal in portals {
        list.line([portal.left, portal.right], 2.0, Paint::PathPortal);
        list.point(portal.left, 5.0, Paint::PathPortal);
        list.point(portal.right, 5.0, Paint::PathPortal);
    }
    list
}

/// Draws the line of a path, a disc on each corner, and both ends.
pub fn path(path: &NavPath) -> DrawList {
    let mut list = path_line(path, Paint::Path);
    list.points.extend(path.start.map(|start| marker(start.point, Paint::Start)));
    list.points.extend(path.end.map(|end| marker(end.point, Paint::End)));
    list
}

/// Draws only the line of a path, with a disc on each corner, in `paint`.
pub fn path_line(path: &NavPath, paint: Paint) -> DrawList {
    let mut list = DrawList::default();
    for ends in path.points.windows(2) {
        list.line([ends[0], ends[1]], 4.0, paint);
    }
    for &corner in path.points.iter().skip(1).take(path.points.len().saturating_sub(2)) {
        list.point(corner, 8.0, paint);
    }
    list
}

/// Returns the marker of the start or end of a path. The program draws it as a disc and a flag.
fn marker(at: Vec3, paint: Paint) -> super::Point {
    super::Point { at, paint, size: 16.0 }
}

/// Draws the polygons that the search expanded and its search tree. Each node is colored by its position in the order
/// of expansion.
pub fn expanded(mesh: &NavMesh, nodes: &[Expansion]) -> DrawList {
    expanded_until(mesh, nodes, nodes.len())
}

/// Draws the search after its first `shown` nodes: those nodes as in [`expanded`], and the path to the last of them.
pub fn search_step(mesh: &NavMesh, nodes: &[Expansion], shown: usize) -> DrawList {
    let mut list = expanded_until(mesh, nodes, shown);
    let mut node = shown.min(nodes.len()).checked_sub(1).and_then(|last| nodes.get(last));
    list.points.extend(node.map(|node| super::Point {
        at: node.position,
        paint: Paint::Path,
        size: 12.0,
    }));
    while let Some(child) = node {
        // A parent precedes its children, so the loop ends.
        node = child.parent.and_then(|parent| nodes.get(parent as usize));
        if let Some(parent) = node {
            list.line([parent.position, child.position], 3.0, Paint::Path);
        }
    }
    list
}

/// Draws the nodes of a sliced search: expanded ones and those on its open list, with a line from each to its parent.
pub fn search_nodes(search: &SlicedPath) -> DrawList {
    let mut list = DrawList::default();
    let nodes: Vec<_> = search.nodes().collect();
    for node in &nodes {
        let paint = if node.is_open { Paint::Frontier(1) } else { Paint::Closed(1) };
        if let Some(parent) = node.parent.and_then(|parent| nodes.get(parent)) {
            list.line([parent.position, node.position], 1.5, paint);
        }
        list.point(node.position, 7.0, paint);
    }
    list
}

fn expanded_until(mesh: &NavMesh, nodes: &[Expansion], shown: usize) -> DrawList {
    let mut list = DrawList::default();
    let last = nodes.len().saturating_sub(1).max(1);
    for (order, node) in nodes.iter().enumerate().take(shown) {
        if let Some((tile, index)) = mesh.resolve(node.poly) {
            for (corners, _) in detail_triangles(tile, index) {
                list.fill(&corners, Paint::Expanded);
            }
        }
        let paint = Paint::Scalar(fraction(order, last));
        if let Some(parent) = node.parent.and_then(|parent| nodes.get(parent as usize)) {
            list.line([parent.position, node.position], 1.5, paint);
        }
        list.point(node.position, 6.0, paint);
    }
    list
}

#[expect(clippy::cast_precision_loss, reason = "a color needs few digits")]
fn fraction(part: usize, whole: usize) -> f32 {
    part as f32 / whole as f32
}
