//! Which tiles of a world are in a navmesh.

use super::{NavMesh, Tile, TilePlace, World};
use crate::geom::Aabb;

impl NavMesh {
    /// Declares the places of all tiles of the world, of which this navmesh holds some. Searches that may continue in a
    /// tile that is not loaded then report it ([`WhyNot::NotLoaded`](crate::query::WhyNot::NotLoaded)).
    ///
    /// [`Streaming`](crate::streaming::Streaming) does this itself.
    pub fn set_world(&mut self, places: Vec<TilePlace>) {
        self.world = Some(World::new(places));
    }

    /// Undoes [`NavMesh::set_world`]: the tiles that are loaded count as all tiles.
    pub fn forget_world(&mut self) {
        self.world = None;
    }

    /// Returns whether the world is known.
    pub(crate) fn has_world(&self) -> bool {
        self.world.is_some()
    }

    /// Returns whether all tiles of the world whose squares touch `bounds`, seen from above, are in the navmesh. Always
    /// `true` without [`NavMesh::set_world`].
    pub fn is_loaded(&self, bounds: &Aabb) -> bool {
        self.has_all_in(self.place_of(bounds.min), self.place_of(bounds.max))
    }

    /// Returns whether tiles of the world at the coordinate of a tile or around it are not in the navmesh.
    pub(crate) fn lacks_tiles_around(&self, Tile { header, .. }: &Tile) -> bool {
        let around = |by: i32| [header.x.saturating_add(by), header.z.saturating_add(by)];
        !self.has_all_in(around(-1), around(1))
    }

    /// Returns whether all tiles of the world in a range of columns and rows, both ends included, are in the navmesh.
    pub(crate) fn has_all_in(&self, min: [i32; 2], max: [i32; 2]) -> bool {
        let Some(world) = &self.world else { return true };
        let mut has_all = true;
        world.for_each_in(min, max, |index| {
            has_all = self.has_tile(world.places()[index]);
            has_all
        });
        has_all
    }

    /// Returns whether there is a tile at `place`.
    pub fn has_tile(&self, place: TilePlace) -> bool {
        self.ids_at(place.x, place.z).any(|id| self.live(id).tile.header.layer == place.layer)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::navmesh::sample::{mesh, tile};

    fn place(x: i32, z: i32) -> TilePlace {
        TilePlace { z, x, layer: 0 }
    }

    #[test]
    fn tiles_that_are_not_loaded_are_missed_only_where_the_world_has_them() {
        let mut mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let at = |x: f32| Aabb::around([Vec3::new(x, 0.0, 0.5), Vec3::new(x + 0.5, 0.0, 1.0)]);
        assert!(mesh.is_loaded(&at(4.5)), "the world is unknown");
        mesh.set_world([0, 1, 2, 4].map(|x| place(x, 0)).to_vec());
        let loaded = [0.5, 2.5, 3.8, 4.5, 6.5, 8.5].map(|x| mesh.is_loaded(&at(x)));
        assert_eq!(loaded, [true, true, false, false, true, false]);
        let lacks: Vec<_> = mesh.tiles().map(|tile| mesh.lacks_tiles_around(tile)).collect();
        assert_eq!(lacks, [false, true]);
        mesh.forget_world();
        assert!(mesh.is_loaded(&at(3.8)));
    }
}
