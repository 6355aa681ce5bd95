//! Benchmark maps as bytes, for workers.

use walkable::{
    grid::{Cell, Grid},
    voxel::{Fill, Volume},
};
use walkable_workspace::searches::Map;

/// Returns a bit per cell or voxel, in the order of their numbers: set if a cell is passable or a voxel is blocked.
pub(super) fn map_to_bits(map: &Map) -> Vec<u8> {
    let n: u64 = map.size().into_iter().map(u64::from).product();
    let mut bits = vec![0; usize::try_from(n.div_ceil(8)).unwrap_or_default()];
    let mut set = |number: u64| {
        let byte = usize::try_from(number / 8).ok().and_then(|index| bits.get_mut(index));
        if let Some(byte) = byte {
            *byte |= 1 << (number % 8);
        }
    };
    match map {
        Map::Grid(grid) => {
            grid.passable_cells().for_each(|cell| set(u64::from(grid.number(cell))));
        }
        Map::Volume(volume) => volume.blocked().for_each(|voxel| set(volume.number(voxel))),
    }
    bits
}

/// Reads the bits of a map of `size` cells or voxels; `None` if their number is not that of the map.
pub(super) fn map_of_bits(size: &[u32], bits: &[u8]) -> Option<Map> {
    let mut sides = size.iter().map(|&side| u64::from(side));
    let n = sides.try_fold(1_u64, u64::checked_mul)?;
    // A wrong size must not cause a large allocation.
    if usize::try_from(n.div_ceil(8)).ok()? != bits.len() {
        return None;
    }
    match *size {
        [n_x, n_y] => {
            let mut all = bits.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
            // The cells are visited in the order of their numbers.
            let is_passable = |_: Cell| all.next().unwrap_or_default();
            Grid::new(n_x, n_y, is_passable).ok().map(Map::Grid)
        }
        [n_x, n_y, n_z] => {
            let mut volume = Volume::new([n_x, n_y, n_z]).ok()?;
            for (index, byte) in (0_u64..).zip(bits).filter(|(_, byte)| **byte != 0) {
                for bit in (0..8).filter(|bit| byte >> bit & 1 != 0) {
                    volume.set(volume.voxel(index * 8 + bit), Fill::Blocked);
                }
            }
            Some(Map::Volume(volume))
        }
        _ => None,
    }
}
