//! Builds a navmesh from many tiles together.

use std::sync::Arc;

use super::{
    NavMesh, NavMeshError, NavMeshParams, Tile, TilePlace, World, format::RefWidth,
    mesh::check_sound, seams::Seams, slots::SlotName,
};
use crate::side_by_side::each;

impl NavMesh {
    /// Builds the same mesh as adding `tiles` in order, but faster.
    ///
    /// # Errors
    /// Returns the errors of [`NavMesh::with_width`], then those of [`NavMesh::add_tile`] for the first invalid tile.
    pub fn of_tiles(
        params: NavMeshParams,
        width: RefWidth,
        tiles: Vec<Arc<Tile>>,
    ) -> Result<Self, NavMeshError> {
        Self::with_width(params, width)?.filled(tiles, |_| Ok(None))
    }

    /// Builds the mesh of some tiles of a world. `places` are those of all its tiles, as for [`NavMesh::set_world`]. The
    /// slot of a tile is the index of its place, sorted, and its salt is 1, so that references are those of
    /// [`Streaming`](crate::streaming::Streaming) and of the mesh of all tiles in that order.
    ///
    /// # Errors
    /// Returns the errors of [`NavMesh::of_tiles`], and [`NavMeshError::BadSlot`] if a tile is at none of the places.
    pub fn of_part(
        params: NavMeshParams,
        width: RefWidth,
        places: Vec<TilePlace>,
        tiles: Vec<Arc<Tile>>,
    ) -> Result<Self, NavMeshError> {
        Self::with_width(params, width)?.part_of(&World::new(places), tiles)
    }

    /// Builds the mesh of other tiles of the world of this mesh, as [`NavMesh::of_part`] would. Without a world, the mesh
    /// has the tiles alone.
    ///
    /// # Errors
    /// See [`NavMesh::of_part`].
    pub fn other_part(&self, tiles: Vec<Arc<Tile>>) -> Result<Self, NavMeshError> {
        let empty = Self::with_width(*self.params(), self.width())?;
        match &self.world {
            Some(world) => empty.part_of(world, tiles),
            None => empty.filled(tiles, |_| Ok(None)),
        }
    }

    /// Adds tiles of `world` to an empty mesh.
    fn part_of(mut self, world: &World, tiles: Vec<Arc<Tile>>) -> Result<Self, NavMeshError> {
        self.world = Some(world.clone());
        self.filled(tiles, |tile| {
            let number = world.index_of(TilePlace::of(tile));
            let number = number.and_then(|number| u32::try_from(number).ok());
            let number = number.ok_or(NavMeshError::BadSlot { number: u32::MAX, salt: 1 })?;
            Ok(Some(SlotName { number, salt: 1 }))
        })
    }

    /// Adds tiles to an empty mesh, with the slots that `name` returns.
    fn filled(
        self,
        tiles: Vec<Arc<Tile>>,
        name: impl Fn(&Tile) -> Result<Option<SlotName>, NavMeshError>,
    ) -> Result<Self, NavMeshError> {
        let mut mesh = self;
        let n_polys = tiles.iter().map(|tile| tile.polys.len()).sum();
        let are_sound = each(&tiles, n_polys, |tile| check_sound(tile));
        let mut seams = Seams::for_polys(n_polys);
        mesh.reserve(tiles.len(), n_polys);
        let arrivals: Vec<_> = tiles.iter().map(|tile| TilePlace::of(tile)).collect();
        mesh.expect(&arrivals, Vec::new(), &mut seams);
        for (tile, is_sound) in tiles.into_iter().zip(are_sound) {
            is_sound?;
            let name = name(&tile)?;
            mesh.insert(tile, name, &mut seams)?;
        }
        mesh.settle(&seams);
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::navmesh::sample::{connect, mesh, tile};

    #[test]
    fn adding_all_tiles_equals_adding_one_after_another() {
        let mut first = tile(0, 0, &["..", ".#"]);
        connect(&mut first, [Vec3::new(0.5, 0.2, 0.5), Vec3::new(3.5, 0.1, 1.5)], 1, 0);
        let mut tiles = vec![first];
        tiles.extend([[1, 0], [0, 1], [1, 1]].map(|[x, z]| tile(x, z, &["..", ".."])));
        let one_by_one = mesh(tiles.clone());
        let tiles = tiles.into_iter().map(Arc::new).collect();
        let at_once = NavMesh::of_tiles(*one_by_one.params(), one_by_one.width(), tiles).unwrap();
        assert_eq!(at_once.to_bytes(), one_by_one.to_bytes());
        assert_eq!(at_once.stats(), one_by_one.stats());
        let mut n_links = 0;
        for (slot, tile) in one_by_one.slots() {
            for poly in 0..tile.polys.len() {
                let name = one_by_one.poly_ref(slot, poly).unwrap();
                let links: Vec<_> = one_by_one.links(name).collect();
                assert_eq!(at_once.links(name).collect::<Vec<_>>(), links);
                n_links += links.len();
            }
        }
        // Inside the tiles, over their borders, and of the off-mesh link.
        assert_eq!(n_links, 4 + 3 * 8 + 2 * 6 + 4);
    }

    #[test]
    fn a_part_has_the_references_of_the_whole() {
        let tiles = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, z]| tile(x, z, &["..", ".."]));
        let whole = mesh(tiles.clone());
        let places: Vec<_> = tiles.iter().map(TilePlace::of).collect();
        let some = [3, 1].map(|index: usize| Arc::new(tiles[index].clone())).to_vec();
        let of = |places, tiles| NavMesh::of_part(*whole.params(), whole.width(), places, tiles);
        let part = of(places.clone(), some.clone()).unwrap();
        assert_eq!(part.tiles().count(), 2);
        for tile in &some {
            let poly = crate::navmesh::TilePoly { tile: TilePlace::of(tile), poly: 2 };
            let name = part.find_poly(poly).unwrap();
            assert_eq!(whole.find_poly(poly), Some(name));
            let links: Vec<_> = part.links(name).map(|link| link.to).collect();
            let all: Vec<_> = whole.links(name).map(|link| link.to).collect();
            assert!(links.iter().all(|to| all.contains(to)) && !links.is_empty());
        }
        assert!(!part.is_loaded(&whole.bounds()));
        let other = of(places[..1].to_vec(), some).unwrap_err();
        assert_eq!(other, NavMeshError::BadSlot { number: u32::MAX, salt: 1 });
    }

    #[test]
    fn the_first_failing_tile_is_reported() {
        let sound = Arc::new(tile(0, 0, &["..", ".."]));
        let mut unsound = tile(1, 0, &["..", ".."]);
        unsound.vertices[0].y = f32::NAN;
        let unsound = Arc::new(unsound);
        let params = *mesh([Tile::clone(&sound)]).params();
        let of = |tiles: &[&Arc<Tile>]| {
            let tiles = tiles.iter().map(|tile| Arc::clone(tile)).collect();
            NavMesh::of_tiles(params, RefWidth::Bits32, tiles).unwrap_err()
        };
        assert!(matches!(of(&[&sound, &sound, &unsound]), NavMeshError::Occupied { x: 0, .. }));
        assert!(matches!(of(&[&sound, &unsound, &sound]), NavMeshError::Unsound { x: 1, .. }));
    }
}
