use glam::{Vec3, Vec3Swizzles as _};
use walkable_runtime::navmesh::{
    NO_NEIGHBOR, NavMesh, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile,
};

use crate::{
    check::{SurfaceMap, SurfacePiece},
    debug_draw::{DrawList, Paint, detail::is_on_boundary, link::arc},
};

/// Draws all tiles of a navmesh, each with [`tile`].
pub fn navmesh(mesh: &NavMesh) -> DrawList {
    mesh.tiles().fold(DrawList::default(), |mut list, each| {
        list.append(tile(each));
        list
    })
}

/// Draws tile data: surfaces in the color of their area, on the detail triangles so that they follow the ground; edges
/// by the kind of their neighbor; off-mesh links as arcs. Surfaces without flags, which no query can pass, are drawn as
/// blocked.
pub fn tile(tile: &Tile) -> DrawList {
    painted_tile(tile, |index, _| {
        let poly = &tile.polys[index];
        if poly.flags == 0 { Paint::Blocked } else { Paint::Area(poly.area) }
    })
}

/// Draws tile data like [`tile`], with surfaces painted by `paint_of`, which receives the index of the polygon and the
/// corners of each detail triangle.
pub fn painted_tile(tile: &Tile, paint_of: impl Fn(usize, [Vec3; 3]) -> Paint) -> DrawList {
    filled_tile(tile, |index, corners, list| list.fill(&corners, paint_of(index, corners)))
}

/// Draws tile data like [`tile`], with the surface painted by its height above the level, as [`Paint::Deviation`].
/// Surfaces that were not compared are drawn as blocked. Surfaces without level geometry below or above them are drawn
/// as a problem.
pub fn heat_map(tile: &Tile, map: &SurfaceMap) -> DrawList {
    filled_tile(tile, |index, corners, list| {
        let samples = map.poly(&tile.header, index);
        let pieces = samples.map(|samples| samples.pieces(corners)).unwrap_or_default();
        if pieces.is_empty() {
            list.fill(&corners, Paint::Blocked);
        }
        for SurfacePiece { corners, height } in pieces {
            list.fill(&corners, deviation(height, map.limit()));
        }
    })
}

/// Returns the paint of a height above the level.
pub fn deviation(height: f32, limit: f32) -> Paint {
    if height.is_finite() { Paint::Deviation(height / limit) } else { Paint::Problem }
}

/// Draws tile data like [`tile`], with surfaces drawn by `fill`, which receives the index of the polygon and the
/// corners of each detail triangle.
fn filled_tile(tile: &Tile, fill: impl Fn(usize, [Vec3; 3], &mut DrawList)) -> DrawList {
    let mut list = DrawList::default();
    for (index, poly) in tile.polys.iter().enumerate() {
        match poly.kind {
            PolyKind::Ground => draw_ground(tile, index, &fill, &mut list),
            PolyKind::OffMesh => {}
        }
    }
    for connection in &tile.off_mesh {
        draw_connection(connection, &mut list);
    }
    list
}

fn draw_ground(
    tile: &Tile,
    index: usize,
    fill: &impl Fn(usize, [Vec3; 3], &mut DrawList),
    list: &mut DrawList,
) {
    let poly = &tile.polys[index];
    for (corners, flags) in detail_triangles(tile, index) {
        fill(index, corners, list);
        let [a, b, c] = corners;
        for (edge, number) in [[a, b], [b, c], [c, a]].into_iter().zip(0..) {
            if !is_on_boundary(flags, number) {
                continue;
            }
            let Some(side) = side_of(tile, poly, edge) else { continue };
            draw_edge(edge, poly.neighbors[side], index, list);
        }
    }
}

fn draw_edge(edge: [Vec3; 2], neighbor: u16, index: usize, list: &mut DrawList) {
    if neighbor == NO_NEIGHBOR {
        list.line(edge, 2.0, Paint::BoundaryEdge);
    } else if neighbor & PORTAL_BIT != 0 {
        list.dashed_line(edge, 2.5, Paint::PortalEdge);
    } else if usize::from(neighbor - 1) > index {
        // The neighbor has this edge as well; only the polygon with the lower index draws it.
        list.line(edge, 1.5, Paint::InnerEdge);
    }
}

/// Returns the corners and flags of the detail triangles of ground polygon `index`. Without detail, the polygon becomes
/// a triangle fan.
pub(super) fn detail_triangles(tile: &Tile, index: usize) -> Vec<([Vec3; 3], u8)> {
    let (Some(poly), Some(patch)) = (tile.polys.get(index), tile.detail_patches.get(index)) else {
        return Vec::new();
    };
    let vertex = |number: u8| {
        let own = usize::from(number).checked_sub(poly.vertices().len());
        match own {
            None => {
                let corner = poly.vertices()[usize::from(number)];
                tile.vertices.get(usize::from(corner)).copied()
            }
            Some(own) => tile.detail_vertices.get(patch.first_vertex as usize + own).copied(),
        }
    };
    let first = patch.first_triangle as usize;
    let range = first..first + usize::from(patch.n_triangles);
    let triangles = tile.detail_triangles.get(range).unwrap_or_default().iter();
    triangles
        .filter_map(|&[a, b, c, flags]| Some(([vertex(a)?, vertex(b)?, vertex(c)?], flags)))
        .collect()
}

/// Returns the index of the side of `poly` along which `edge` runs, seen from above.
fn side_of(tile: &Tile, poly: &Poly, edge: [Vec3; 2]) -> Option<usize> {
    let corners = poly.vertices().iter().map(|&v| tile.vertices.get(usize::from(v)).copied());
    let corners: Vec<Vec3> = corners.collect::<Option<_>>()?;
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).position(|(&a, &b)| edge.iter().all(|&end| is_on_line(end, a, b)))
}

/// Returns whether `point` is on the line through `a` and `b`, seen from above.
///
/// Detail vertices on an edge are computed, not copied, so they are off by rounding. A hundredth of a meter is far
/// above that error and far below a cell.
fn is_on_line(point: Vec3, a: Vec3, b: Vec3) -> bool {
    const NEAR: f32 = 0.01;
    let (along, to_point) = ((b - a).xz(), (point - a).xz());
    along.perp_dot(to_point).abs() <= NEAR * along.length()
}

/// Draws an arc between both ends, with a large disc on each end at which an agent can start.
fn draw_connection(connection: &OffMeshConnection, list: &mut DrawList) {
    let [start, end] = connection.ends;
    let is_bidirectional = connection.flags & 1 != 0;
    for piece in arc(start, end).windows(2) {
        list.line([piece[0], piece[1]], 2.0, Paint::OffMesh);
    }
    list.point(start, 8.0, Paint::OffMesh);
    list.point(end, if is_bidirectional { 8.0 } else { 5.0 }, Paint::OffMesh);
}
