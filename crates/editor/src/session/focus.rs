//! The focus of the user: tiles near it are processed first and dropped last.

use walkable::geom::Aabb;

use super::{Session, TileResult};

/// More tiles than this are drawn block by block: a draw call for each tile would cost more than what it draws.
pub const MANY_TILES: usize = 256;
pub const BLOCK: u32 = 8;

impl Session {
    pub fn land(&mut self, result: TileResult) {
        let bounds = self.bake.plan.as_deref().map(|plan| plan.tile_bounds(result.coord));
        let distance = bounds.map_or(0.0, |bounds| self.distance_to(&bounds));
        self.bake.land_at(result.coord, result, distance);
    }

    /// Returns the distance of `tile` from the view's center or the selection, whichever is nearer, in meters seen from
    /// above; 0 before it is added.
    pub fn distance_of(&self, tile: &TileResult) -> f32 {
        tile.bounds().map_or(0.0, |bounds| self.distance_to(&bounds))
    }

    /// Returns the horizontal distance between the center of `bounds` and the view's center or the selection, whichever
    /// is nearer, in meters.
    pub fn distance_to(&self, bounds: &Aabb) -> f32 {
        let target = self.shown.look.map(|look| look.target);
        let selected = self.tools.selection.map(|place| place.point);
        let middle = bounds.center().with_y(0.0);
        let distances = [target, selected].into_iter().flatten();
        distances.map(|at| middle.distance(at.with_y(0.0))).reduce(f32::min).unwrap_or(0.0)
    }
}
