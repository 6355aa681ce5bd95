//! Reserves list entries for many tiles, so that adding them in any order takes linear time in total.

use super::{NavMesh, TilePlace, seams::Seams};

impl NavMesh {
    /// Reserves entries for `arrivals`, in the order in which they will be added, and for tiles in the slots `numbers`.
    /// The navmesh must not be used until all have been added.
    pub(super) fn expect(&mut self, arrivals: &[TilePlace], numbers: Vec<u32>, seams: &mut Seams) {
        let mut sorted: Vec<(TilePlace, usize)> = arrivals.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let repeats = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let first_repeat = repeats.map(|pair| pair[1].1).min();
        seams.n_distinct = first_repeat.unwrap_or(arrivals.len());
        self.places_mut().expect(sorted.iter().map(|(arrival, _)| (arrival.x, arrival.z)));
        self.slots_mut().expect(numbers);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::navmesh::{
        NavMesh, NavMeshError, Tile,
        format::RefWidth,
        sample::{mesh, tile},
    };

    fn layer(x: i16, z: i16, layer: i32) -> Tile {
        let mut tile = tile(x, z, &["..", ".."]);
        tile.header.layer = layer;
        tile
    }

    #[test]
    fn any_order_gives_the_mesh_of_single_tiles() {
        let order = [(2, 2, 0), (1, 2, 1), (1, 2, 0), (0, 2, 0), (1, 1, 0), (1, 2, 2), (0, 0, 0)];
        let tiles: Vec<_> = order.iter().map(|&(x, z, n)| layer(x, z, n)).collect();
        let one_by_one = mesh(tiles.clone());
        let all: Vec<_> = tiles.into_iter().map(Arc::new).collect();
        let at_once = NavMesh::of_tiles(*one_by_one.params(), RefWidth::Bits32, all).unwrap();
        assert_eq!(at_once.to_bytes(), one_by_one.to_bytes());
        let read = NavMesh::from_bytes(&one_by_one.to_bytes()).unwrap();
        for mesh in [&at_once, &read] {
            assert_eq!(mesh.stats(), one_by_one.stats());
            for (x, z) in [(0, 0), (1, 2), (2, 2), (5, 5)] {
                let layers = |mesh: &NavMesh| mesh.layers(x, z).collect::<Vec<_>>();
                assert_eq!(layers(mesh), layers(&one_by_one));
            }
        }
    }

    #[test]
    fn the_second_tile_of_a_place_is_at_fault() {
        let tiles = [layer(0, 0, 0), layer(0, 0, 1), layer(0, 0, 0)];
        let params = *mesh(tiles[..2].to_vec()).params();
        let tiles = tiles.map(Arc::new).to_vec();
        let error = NavMesh::of_tiles(params, RefWidth::Bits32, tiles).unwrap_err();
        assert_eq!(error, NavMeshError::Occupied { x: 0, z: 0, layer: 0 });
    }
}
