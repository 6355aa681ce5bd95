//! The tiles of a world, of which a navmesh may hold only some.

use std::sync::Arc;

use super::TilePlace;

/// The places of all tiles of a world, sorted. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct World(Arc<[TilePlace]>);

impl World {
    /// Sorts `places` and removes duplicates.
    pub(crate) fn new(mut places: Vec<TilePlace>) -> Self {
        places.sort_unstable();
        places.dedup();
        Self(places.into())
    }

    /// Returns whether both are clones of the same list.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns all places, by row, column and layer.
    pub(crate) fn places(&self) -> &[TilePlace] {
        &self.0
    }

    /// Returns the index of a place.
    pub(crate) fn index_of(&self, place: TilePlace) -> Option<usize> {
        self.0.binary_search(&place).ok()
    }

    /// Calls `visit` with the indices of the places in a range of columns and rows, both ends included, in order, until
    /// it returns `false`. Places outside cost nothing, however large the range.
    pub(crate) fn for_each_in(
        &self,
        [min_x, min_z]: [i32; 2],
        [max_x, max_z]: [i32; 2],
        mut visit: impl FnMut(usize) -> bool,
    ) {
        let first = |x, z| self.0.partition_point(|place| (place.z, place.x) < (z, x));
        let mut at = first(min_x, min_z);
        while let Some(place) = self.0.get(at).filter(|place| place.z <= max_z) {
            if place.x < min_x {
                at = first(min_x, place.z);
            } else if place.x > max_x {
                let Some(next_row) = place.z.checked_add(1) else { return };
                at = first(min_x, next_row);
            } else if visit(at) {
                at += 1;
            } else {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: i32, z: i32) -> TilePlace {
        TilePlace { z, x, layer: 0 }
    }

    #[test]
    fn a_range_selects_the_places_in_it() {
        let at = [(5, 0), (0, 0), (i32::MAX, i32::MAX), (1, 1), (-3, 2), (i32::MIN, 1), (1, 1)];
        let world = World::new(at.map(|(x, z)| place(x, z)).to_vec());
        let found = |min, max| {
            let mut found = Vec::new();
            world.for_each_in(min, max, |index| {
                found.push((world.places()[index].x, world.places()[index].z));
                true
            });
            found
        };
        assert_eq!(found([-3, 0], [5, 2]), [(0, 0), (5, 0), (1, 1), (-3, 2)]);
        assert_eq!(found([2, 1], [4, 1]), []);
        assert_eq!(found([i32::MIN; 2], [i32::MAX; 2]).len(), 6);
        assert_eq!(found([1, 1], [0, 0]), []);
    }
}
