//! The tiles at each coordinate of the grid.

/// A list of tiles, sorted by row and column, at the same coordinate from the newest to the oldest.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Sorted by row, then column, then from the newest to the oldest.
    entries: Vec<PlacedTile>,
    /// Rows that have tiles, sorted.
    rows: Vec<Row>,
    /// Number of entries that are reserved for tiles not yet added.
    n_vacant: usize,
}

/// An entry reserved for a tile not yet added. Reserved entries precede the tiles of the same coordinate.
const VACANT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct PlacedTile {
    z: i32,
    x: i32,
    tile: u32,
}

/// A row of tiles, and the index of its first entry.
#[derive(Clone, Copy, Debug)]
struct Row {
    z: i32,
    start: usize,
}

/// Returns the position of `key` in a sorted list, or where it would be inserted. Takes constant time if the keys have
/// no gaps.
fn place_of(n: usize, key: i32, key_at: impl Fn(usize) -> i32) -> usize {
    if n == 0 {
        return 0;
    }
    let first = key_at(0);
    if let Ok(guess) = usize::try_from(i64::from(key) - i64::from(first))
        && guess < n
        && key_at(guess) == key
        && (guess == 0 || key_at(guess - 1) < key)
    {
        return guess;
    }
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low.midpoint(high);
        if key_at(middle) < key { low = middle + 1 } else { high = middle }
    }
    low
}

impl Places {
    /// Returns the index of the first row at or after `z`.
    fn row(&self, z: i32) -> usize {
        place_of(self.rows.len(), z, |at| self.rows[at].z)
    }

    /// Returns the index of the first entry at or after a coordinate.
    fn position(&self, x: i32, z: i32) -> usize {
        let at = self.row(z);
        let Some(row) = self.rows.get(at) else { return self.entries.len() };
        if row.z != z {
            return row.start;
        }
        let end = self.rows.get(at + 1).map_or(self.entries.len(), |next| next.start);
        let row = &self.entries[row.start..end];
        self.rows[at].start + place_of(row.len(), x, |at| row[at].x)
    }

    /// Reserves entries for tiles at coordinates that are sorted by row, then column, and have no tiles yet.
    pub(super) fn expect(&mut self, places: impl Iterator<Item = (i32, i32)>) {
        if !self.entries.is_empty() {
            return;
        }
        for (x, z) in places {
            if self.rows.last().is_none_or(|row| row.z != z) {
                self.rows.push(Row { z, start: self.entries.len() });
            }
            self.entries.push(PlacedTile { z, x, tile: VACANT });
        }
        self.n_vacant = self.entries.len();
    }

    /// Returns the index of the first entry at or after a coordinate that is not reserved.
    fn first_occupied(&self, x: i32, z: i32) -> usize {
        /// Number of entries that are checked one by one, before a binary search. Most coordinates have one tile.
        const FEW: usize = 4;
        let start = self.position(x, z);
        if self.n_vacant == 0 {
            return start;
        }
        let is_vacant = |place: &PlacedTile| (place.z, place.x) == (z, x) && place.tile == VACANT;
        let entries = &self.entries[start..];
        let n_vacant = match entries.iter().take(FEW).position(|place| !is_vacant(place)) {
            Some(n) => n,
            None => entries.partition_point(is_vacant),
        };
        start + n_vacant
    }

    /// Adds a tile.
    pub(super) fn insert(&mut self, x: i32, z: i32, tile: u32) {
        let before = self.first_occupied(x, z).wrapping_sub(1);
        let vacant = self.entries.get_mut(before).filter(|place| place.tile == VACANT);
        if let Some(place) = vacant.filter(|place| (place.z, place.x) == (z, x)) {
            place.tile = tile;
            self.n_vacant -= 1;
            return;
        }
        let (row, position) = (self.row(z), self.position(x, z));
        self.entries.insert(position, PlacedTile { z, x, tile });
        if self.rows.get(row).is_none_or(|row| row.z != z) {
            self.rows.insert(row, Row { z, start: position });
        }
        self.rows[row + 1..].iter_mut().for_each(|row| row.start += 1);
    }

    /// Removes a tile.
    pub(super) fn remove(&mut self, x: i32, z: i32, tile: u32) {
        let (row, start) = (self.row(z), self.position(x, z));
        if let Some(offset) = self.entries[start..].iter().position(|place| place.tile == tile) {
            self.entries.remove(start + offset);
            self.rows[row + 1..].iter_mut().for_each(|row| row.start -= 1);
            let has_more = self.entries.get(self.rows[row].start).is_some_and(|place| place.z == z);
            if !has_more {
                self.rows.remove(row);
            }
        }
    }

    /// Returns the tiles at a coordinate, the newest first.
    pub(super) fn at(&self, x: i32, z: i32) -> impl Iterator<Item = u32> {
        let rest = &self.entries[self.first_occupied(x, z)..];
        rest.iter().take_while(move |place| (place.z, place.x) == (z, x)).map(|place| place.tile)
    }

    /// Calls `visit` with the tiles in a range of columns and rows, both ends included, by row, then column, the newest
    /// first. Coordinates without tiles take no time, however large the range.
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
                if place.tile != VACANT {
                    visit(place.tile);
                }
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
        places.remove(1, 1, 2);
        places.remove(i32::MIN, 1, 6);
        assert_eq!(places.rows.len(), 3, "row 1 is gone");
        assert_eq!([places.at(1, 1).count(), places.at(-3, 2).count()], [0, 1]);
        places.insert(4, 1, 9);
        let found = [(4, 1), (-3, 2), (0, 0)].map(|(x, z)| places.at(x, z).next());
        assert_eq!(found, [Some(9), Some(4), Some(0)]);
    }
}
