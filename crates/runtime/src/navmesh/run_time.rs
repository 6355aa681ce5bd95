//! Adds and removes tiles while a game runs.

use std::sync::Arc;

use super::{
    LiveTile, NavMesh, NavMeshError, Poly, PolyRef, Tile, TilePlace, TilePoly, mesh::check_sound,
    seams::Seams, slots::SlotName,
};
use crate::ids::TileCoord;

impl NavMesh {
    /// Returns the slot of the tile at a coordinate and layer.
    pub fn slot_at(&self, coord: TileCoord, layer: u32) -> Option<usize> {
        Some(self.live(self.id_at(coord, layer)?).number as usize)
    }

    /// Returns the slot of the tile that `poly` belongs to; `None` if the tile was removed.
    pub fn slot_of(&self, poly: PolyRef) -> Option<usize> {
        let parts = self.layout().parts(poly.0.get())?;
        let id = self.find_slot(SlotName { number: parts.slot, salt: parts.salt })?;
        Some(self.live(id).number as usize)
    }

    /// Returns the polygon of a tile; `None` if the tile is not in the navmesh or has fewer polygons.
    pub fn find_poly(&self, poly: TilePoly) -> Option<PolyRef> {
        let TilePoly { tile, poly } = poly;
        let mut ids = self.ids_at(tile.x, tile.z);
        let live = self.live(ids.find(|&id| self.live(id).tile.header.layer == tile.layer)?);
        (poly < live.n_polys).then(|| live.poly_ref(poly))
    }

    /// Returns the tile of a polygon and its index in it; `None` if the reference is stale.
    pub fn tile_poly(&self, poly: PolyRef) -> Option<TilePoly> {
        let at = self.locate(poly)?;
        Some(TilePoly { tile: TilePlace::of(&self.live(at.tile).tile), poly: at.poly })
    }

    /// Returns the tile in a slot, with the ends of its off-mesh links moved onto the ground.
    pub fn tile(&self, slot: usize) -> Option<&Arc<Tile>> {
        self.live_in(slot).map(|live| &live.tile)
    }

    /// Removes the tile at a coordinate and layer and returns it; `None` if there is none. References to its polygons
    /// become stale; others stay valid.
    pub fn remove_tile(&mut self, coord: TileCoord, layer: u32) -> Option<Arc<Tile>> {
        let id = self.id_at(coord, layer)?;
        let tile = Arc::clone(&self.live(id).tile);
        self.remove(id);
        Some(tile)
    }

    /// Removes the tile at `place`, if there is one.
    pub fn remove_at(&mut self, place: TilePlace) {
        let is_there = |&id: &u32| self.live(id).tile.header.layer == place.layer;
        let id = self.layers(place.x, place.z).find(is_there);
        if let Some(id) = id {
            self.remove(id);
        }
    }

    /// Adds a tile with the slot and salt of an earlier one, so that old references are valid again: polygon by
    /// polygon, if the tile is the same.
    ///
    /// - `poly`: any polygon of the earlier tile.
    ///
    /// # Errors
    /// Returns the [`NavMeshError`]s of [`NavMesh::add_tile`], and an error if the slot is occupied.
    ///
    /// Source: `dtNavMesh::addTile` with a reference given.
    pub fn add_tile_as(&mut self, tile: Arc<Tile>, poly: PolyRef) -> Result<(), NavMeshError> {
        let Some(parts) = self.layout().parts(poly.0.get()) else {
            return Err(NavMeshError::BadSlot { number: u32::MAX, salt: u32::MAX });
        };
        check_sound(&tile)?;
        let mut seams = Seams::new();
        let name = SlotName { number: parts.slot, salt: parts.salt };
        self.insert(tile, Some(name), &mut seams)?;
        self.settle(&seams);
        Ok(())
    }

    fn id_at(&self, coord: TileCoord, layer: u32) -> Option<u32> {
        let [Ok(x), Ok(z)] = [coord.x, coord.z].map(i32::try_from) else { return None };
        self.layers(x, z).find(|&id| u32::try_from(self.live(id).tile.header.layer) == Ok(layer))
    }

    pub(super) fn live_in(&self, slot: usize) -> Option<&LiveTile> {
        Some(self.live(self.in_slot(u32::try_from(slot).ok()?)?))
    }

    /// Changes flags and areas of the tile in a slot.
    pub(super) fn change_polys(&mut self, slot: usize, change: impl FnOnce(&mut [Poly])) {
        let id = u32::try_from(slot).ok().and_then(|slot| self.in_slot(slot));
        if let Some(id) = id {
            self.note_change();
            change(&mut Arc::make_mut(&mut self.live_mut(id).tile).polys);
            self.refresh(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::sample::{mesh, tile};

    const FULL: [&str; 2] = ["..", ".."];

    #[test]
    fn one_layer_of_a_place_can_be_replaced() {
        let mut upper = tile(1, 0, &FULL);
        upper.header.layer = 3;
        let mut mesh = mesh([tile(0, 0, &FULL), tile(1, 0, &FULL), upper.clone()]);
        let place = TileCoord::new(1, 0);
        assert_eq!(mesh.slot_at(place, 3), Some(2));
        let [below, above] = [1, 2].map(|slot| mesh.poly_ref(slot, 0).unwrap());
        assert_eq!(mesh.slot_of(above), Some(2));
        let removed = mesh.remove_tile(place, 3).unwrap();
        assert_eq!(*removed, upper);
        assert!(mesh.resolve(above).is_none() && mesh.resolve(below).is_some());
        assert_eq!((mesh.slot_of(above), mesh.remove_tile(place, 3)), (None, None));

        // With the same slot and salt, references are valid again.
        mesh.add_tile_as(removed, above).unwrap();
        assert!(mesh.resolve(above).is_some());
        let again = mesh.add_tile_as(Arc::new(tile(2, 0, &FULL)), above);
        assert!(matches!(again, Err(NavMeshError::BadSlot { number: 2, .. })), "{again:?}");
        assert_eq!(mesh.tile(2).map(|tile| tile.header.layer), Some(3));
        assert!(mesh.tile(7).is_none());
    }
}
