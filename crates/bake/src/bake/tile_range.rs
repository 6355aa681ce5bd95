//! The tiles of a bake, in order.

use std::ops::Range;

use walkable_runtime::ids::TileCoord;

/// Tiles of a rectangle, row by row: an iterator that takes no memory per tile and can be read at any index.
#[derive(Clone, Debug)]
pub struct TileRange {
    across: Range<u32>,
    down: Range<u32>,
    /// The tiles that are left, counted from the first tile of the rectangle.
    left: Range<usize>,
}

impl TileRange {
    pub(super) fn new([across, down]: [Range<u32>; 2]) -> Self {
        let n_tiles = across.len().saturating_mul(down.len());
        Self { across, down, left: 0..n_tiles }
    }

    /// Returns the tile at an index.
    pub fn get(&self, index: usize) -> Option<TileCoord> {
        self.clone().nth(index)
    }

    /// Returns the index of a tile.
    pub fn index_of(&self, tile: TileCoord) -> Option<usize> {
        if !(self.across.contains(&tile.x) && self.down.contains(&tile.z)) {
            return None;
        }
        let [column, row] = [tile.x - self.across.start, tile.z - self.down.start];
        let at = row as usize * self.across.len() + column as usize;
        self.left.contains(&at).then(|| at - self.left.start)
    }

    /// Returns the tiles at some indices, as far as they exist.
    #[must_use]
    pub fn slice(&self, indices: Range<usize>) -> Self {
        let at = |index: usize| self.left.start.saturating_add(index).min(self.left.end);
        Self { left: at(indices.start)..at(indices.end), ..self.clone() }
    }
}

impl Iterator for TileRange {
    type Item = TileCoord;

    fn next(&mut self) -> Option<TileCoord> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<TileCoord> {
        let at = self.left.nth(n)?;
        let n_columns = self.across.len();
        let [x, z] = [at % n_columns, at / n_columns].map(|at| u32::try_from(at).ok());
        Some(TileCoord::new(self.across.start + x?, self.down.start + z?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for TileRange {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_found_by_index_and_back() {
        let all = TileRange::new([3..6, 7..9]);
        let coords: Vec<_> = all.clone().map(|tile| (tile.x, tile.z)).collect();
        assert_eq!(coords, [(3, 7), (4, 7), (5, 7), (3, 8), (4, 8), (5, 8)]);
        let part = all.slice(2..5);
        assert_eq!((part.len(), part.get(0), part.get(3)), (3, Some(TileCoord::new(5, 7)), None));
        for tiles in [&all, &part] {
            for (index, tile) in tiles.clone().enumerate() {
                assert_eq!((tiles.index_of(tile), tiles.get(index)), (Some(index), Some(tile)));
            }
        }
        for outside in [(3, 7), (5, 8), (2, 8), (6, 8), (4, 9)] {
            assert_eq!(part.index_of(TileCoord::new(outside.0, outside.1)), None);
        }
        assert_eq!(all.slice(4..90).count(), 2);
        assert_eq!(all.slice(7..90).next(), None);
        assert_eq!(TileRange::new([0..0, 0..4]).next(), None);
    }
}
