//! Which tiles lie where in the tile grid.

/// Tiles by row, column and age, in one sorted list.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// By row, then column, then from the newest to the oldest.
    entries: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    z: i32,
    x: i32,
    tile: u32,
}

impl Places {
    /// First entry at or after a place.
    fn position(&self, x: i32, z: i32) -> usize {
        self.entries.partition_point(|place| (place.z, place.x) < (z, x))
    }

    /// Adds a tile.
    pub(super) fn insert(&mut self, x: i32, z: i32, tile: u32) {
        self.entries.insert(self.position(x, z), Place { z, x, tile });
    }

    /// Removes a tile.
    pub(super) fn remove(&mut self, x: i32, z: i32, tile: u32) {
        let start = self.position(x, z);
        if let Some(offset) = self.entries[start..].iter().position(|place| place.tile == tile) {
            self.entries.remove(start + offset);
        }
    }

    /// Tiles at a place, the newest first.
    pub(super) fn at(&self, x: i32, z: i32) -> impl Iterator<Item = u32> {
        let rest = &self.entries[self.position(x, z)..];
        rest.iter().take_while(move |place| (place.z, place.x) == (z, x)).map(|place| place.tile)
    }

    /// Calls `visit` with the tiles of a range of columns and rows, both ends included, by row, then
    /// column, the newest first. Places without tiles cost nothing, however large the range.
    pub(super) fn for_each_in(&self, min: [i32; 2], max: [i32; 2], mut visit: impl FnMut(u32)) {
        let mut at = self.position(min[0], min[1]);
        while let Some(place) = self.entries.get(at) {
            if place.z > max[1] {
                return;
            }
            if place.x < min[0] {
                at = self.position(min[0], place.z);
            } else if place.x > max[0] {
                let Some(next_row) = place.z.checked_add(1) else { return };
                at = self.position(min[0], next_row);
            } else {
                visit(place.tile);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_give_rows_and_the_newest_first() {
        let mut places = Places::default();
        let tiles = [(0, 0), (5, 0), (1, 1), (1, 1), (-3, 2), (i32::MAX, i32::MAX), (i32::MIN, 1)];
        for (tile, (x, z)) in (0..).zip(tiles) {
            places.insert(x, z, tile);
        }
        let range = |min, max| {
            let mut found = Vec::new();
            places.for_each_in(min, max, |tile| found.push(tile));
            found
        };
        assert_eq!(range([0, 0], [1, 1]), [0, 3, 2]);
        assert_eq!(range([-3, 0], [5, 2]), [0, 1, 3, 2, 4]);
        assert_eq!(range([i32::MIN; 2], [i32::MAX; 2]), [0, 1, 6, 3, 2, 4, 5]);
        assert_eq!(range([2, 1], [4, 1]), [] as [u32; 0]);
        assert_eq!(range([1, 1], [0, 0]), [] as [u32; 0]);
        assert_eq!(places.at(1, 1).collect::<Vec<_>>(), [3, 2]);
        places.remove(1, 1, 3);
        assert_eq!(places.at(1, 1).collect::<Vec<_>>(), [2]);
    }
}
