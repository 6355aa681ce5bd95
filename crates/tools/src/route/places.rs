//! Sample positions on the ground of both sides of a break.

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    navmesh::{NavMesh, PolyRef},
    query::poly_height,
};

use super::sides::{MeshSides, Side};

/// Sample positions on the polygons of both sides.
pub(super) struct Places {
    pub(super) start: Vec<(PolyRef, Vec3)>,
    pub(super) end: Vec<(PolyRef, Vec3)>,
}

impl Places {
    /// Samples the polygons of `mesh` on both `sides`.
    pub(super) fn new(mesh: &NavMesh, sides: &MeshSides) -> Self {
        let places = |side| {
            let polys = sides.ground(mesh, side);
            polys.flat_map(|poly| places_on(mesh, poly)).collect()
        };
        Self { start: places(Side::Start), end: places(Side::End) }
    }

    /// Returns the sample positions of a side.
    pub(super) fn of(&self, side: Side) -> &[(PolyRef, Vec3)] {
        match side {
            Side::Start => &self.start,
            Side::End => &self.end,
        }
    }

    /// Returns the bounding box of a side.
    pub(super) fn bounds(&self, side: Side) -> Aabb {
        Aabb::around(self.of(side).iter().map(|(_, place)| *place))
    }
}

/// Returns sample positions on a polygon: its center, and a point halfway to each corner.
fn places_on(mesh: &NavMesh, poly: PolyRef) -> Vec<(PolyRef, Vec3)> {
    let Some((tile, index)) = mesh.resolve(poly) else { return Vec::new() };
    let corners: Vec<Vec3> = tile.corners(&tile.polys[index]).into_iter().collect();
    let n = u16::try_from(corners.len()).unwrap_or(1).max(1);
    let middle = corners.iter().sum::<Vec3>() / f32::from(n);
    let between = corners.iter().map(|corner| middle.lerp(*corner, 0.5));
    let on_ground = |place: Vec3| {
        let height = poly_height(mesh, poly, place).ok().flatten().unwrap_or(place.y);
        (poly, place.with_y(height))
    };
    std::iter::once(middle).chain(between).map(on_ground).collect()
}
