//! Selects the off-mesh links that start in a tile.

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    ids::AreaId,
    navmesh::{NO_NEIGHBOR, OffMeshConnection, Poly, PolyKind, VERTS_PER_POLYGON},
};

use crate::bake::OffMeshLink;

/// Side of a point inside the tile.
const INSIDE: u8 = 0xff;
/// Flag of a bidirectional link.
const BOTH_WAYS: u8 = 1;
/// The bits of a polygon's area.
const AREA_MASK: u8 = 0x3f;

/// The off-mesh links of a tile.
#[derive(Debug)]
pub(super) struct Connections<'a> {
    /// The links that start in the tile, each with the side on which it ends.
    chosen: Vec<(&'a OffMeshLink, u8)>,
    n_landings: usize,
}

impl<'a> Connections<'a> {
    /// Selects the `links` that start in the tile, no farther than `climb` above or below its ground.
    pub(super) fn choose(
        links: &'a [OffMeshLink],
        bounds: Aabb,
        ground: &[Vec3],
        climb: f32,
    ) -> Self {
        if links.is_empty() {
            return Self { chosen: Vec::new(), n_landings: 0 };
        }
        let heights = ground.iter().map(|vertex| vertex.y);
        let [min_y, max_y] =
            heights.fold([f32::MAX, -f32::MAX], |[min, max], y| [min.min(y), max.max(y)]);
        let [min_y, max_y] = [min_y - climb, max_y + climb];
        let starts_here = |link: &OffMeshLink| {
            side_of(link.start, bounds) == INSIDE && min_y <= link.start.y && link.start.y <= max_y
        };
        let with_end = |link: &'a OffMeshLink| (link, side_of(link.end, bounds));
        let chosen: Vec<_> = links.iter().filter(|link| starts_here(link)).map(with_end).collect();
        let n_ends = links.iter().filter(|link| side_of(link.end, bounds) == INSIDE).count();
        Self { n_landings: chosen.len() + n_ends, chosen }
    }

    /// Returns the number of off-mesh links.
    pub(super) const fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Returns the number of ends for which the tile reserves space: starts of its own off-mesh links, and ends of any
    /// link, even of one that starts elsewhere.
    pub(super) const fn n_landings(&self) -> usize {
        self.n_landings
    }

    /// Appends two vertices and a polygon for each off-mesh link, which has `flags` in addition to its own.
    pub(super) fn append_to(
        &self,
        vertices: &mut Vec<Vec3>,
        polys: &mut Vec<Poly>,
        flags: u16,
    ) -> Vec<OffMeshConnection> {
        let mut append = |&(link, side): &(&OffMeshLink, u8)| {
            let mut poly = Poly {
                vertices: [0; VERTS_PER_POLYGON],
                neighbors: [NO_NEIGHBOR; VERTS_PER_POLYGON],
                flags: link.flags | flags,
                n_vertices: 2,
                area: AreaId(link.area.0 & AREA_MASK),
                kind: PolyKind::OffMesh,
            };
            poly.vertices[..2].copy_from_slice(&[0, 1].map(|end| index(vertices.len() + end)));
            vertices.extend([link.start, link.end]);
            polys.push(poly);
            OffMeshConnection {
                ends: [link.start, link.end],
                radius: link.radius,
                poly: index(polys.len() - 1),
                flags: if link.bidirectional { BOTH_WAYS } else { 0 },
                side,
                user_id: link.user_id,
            }
        };
        self.chosen.iter().map(&mut append).collect()
    }
}

/// Returns whether a point lies in the tile with these bounds, seen from above: only then can it be an end of one of
/// the tile's off-mesh links.
pub(in crate::bake) fn is_within(point: Vec3, bounds: Aabb) -> bool {
    side_of(point, bounds) == INSIDE
}

/// Returns the side of the box on which a point lies, seen from above: 0 +x, 2 +z, 4 −x, 6 −z, odd numbers for the
/// corners between, [`INSIDE`] otherwise. The maximum edges count as outside.
///
/// Source: `classifyOffMeshPoint`.
fn side_of(point: Vec3, bounds: Aabb) -> u8 {
    let along = |value: f32, min: f32, max: f32| match value {
        v if v >= max => 1,
        v if v < min => -1,
        _ => 0,
    };
    let x = along(point.x, bounds.min.x, bounds.max.x);
    let z = along(point.z, bounds.min.z, bounds.max.z);
    match (x, z) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => INSIDE,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the tile's limits were checked")]
const fn index(n: usize) -> u16 {
    n as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_go_round_the_tile() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::splat(10.0));
        let side = |x: f32, z: f32| side_of(Vec3::new(x, 100.0, z), bounds);
        assert_eq!([side(10.0, 5.0), side(12.0, 10.0), side(5.0, 10.0)], [0, 1, 2]);
        assert_eq!([side(-1.0, 11.0), side(-1.0, 5.0), side(-1.0, -1.0)], [3, 4, 5]);
        assert_eq!([side(5.0, -0.1), side(10.0, -0.1)], [6, 7]);
        assert_eq!([side(0.0, 0.0), side(9.9, 9.9)], [INSIDE; 2]);
    }
}
