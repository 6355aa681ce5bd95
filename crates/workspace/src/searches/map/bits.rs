//! Maps as a bit per cell or voxel, in the order of their numbers: set if a cell is passable or a voxel is blocked.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use walkable::{
    grid::{Cell, Grid},
    voxel::{Fill, Volume},
};

use super::Map;

#[derive(Serialize, Deserialize)]
pub(super) struct MapBits {
    size: Vec<u32>,
    bits: ByteBuf,
}

impl From<Map> for MapBits {
    fn from(map: Map) -> Self {
        let size = map.size();
        let n: u64 = size.iter().copied().map(u64::from).product();
        let mut bits = vec![0; usize::try_from(n.div_ceil(8)).unwrap_or_default()];
        let mut set = |number: u64| {
            let byte = usize::try_from(number / 8).ok().and_then(|index| bits.get_mut(index));
            if let Some(byte) = byte {
                *byte |= 1 << (number % 8);
            }
        };
        match &map {
            Map::Grid(grid) => {
                grid.passable_cells().for_each(|cell| set(u64::from(grid.number(cell))));
            }
            Map::Volume(volume) => volume.blocked().for_each(|voxel| set(volume.number(voxel))),
            Map::Polygons(_) => {}
        }
        Self { size, bits: ByteBuf::from(bits) }
    }
}

impl TryFrom<MapBits> for Map {
    type Error = String;

    fn try_from(MapBits { size, bits }: MapBits) -> Result<Self, String> {
        let n = size.iter().map(|&side| u64::from(side)).try_fold(1_u64, u64::checked_mul);
        // A wrong size must not cause a large allocation.
        if n.and_then(|n| usize::try_from(n.div_ceil(8)).ok()) != Some(bits.len()) {
            return Err("the number of bits is not that of the map".to_owned());
        }
        match *size {
            [n_x, n_y] => {
                let mut all =
                    bits.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
                // The cells are visited in the order of their numbers.
                let is_passable = |_: Cell| all.next().unwrap_or_default();
                let grid = Grid::new(n_x, n_y, is_passable).map_err(|error| error.to_string())?;
                Ok(Self::Grid(grid))
            }
            [n_x, n_y, n_z] => {
                let volume = Volume::new([n_x, n_y, n_z]);
                let mut volume = volume.map_err(|error| error.to_string())?;
                for (index, byte) in (0_u64..).zip(&*bits).filter(|(_, byte)| **byte != 0) {
                    for bit in (0..8).filter(|bit| byte >> bit & 1 != 0) {
                        volume.set(volume.voxel(index * 8 + bit), Fill::Blocked);
                    }
                }
                Ok(Self::Volume(volume))
            }
            _ => Err("a map has two or three sides".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_restored_and_wrong_sizes_are_refused() {
        let is_set = |number: u32| (number * 7 + 3) % 11 < 10;
        for (size, n) in [(vec![24, 13], 312_u32), (vec![9, 7, 5], 315)] {
            let mut bits = vec![0_u8; n.div_ceil(8) as usize];
            for number in (0..n).filter(|number| is_set(*number)) {
                bits[number as usize / 8] |= 1 << (number % 8);
            }
            let saved = |bits: &[u8]| MapBits { size: size.clone(), bits: bits.to_vec().into() };
            let map = Map::try_from(saved(&bits)).unwrap();
            let again = MapBits::from(map);
            assert_eq!((&again.size, &*again.bits), (&size, &bits));
            assert!(Map::try_from(saved(&bits[1..])).is_err());
        }
        let empty = |size: &[u32]| MapBits { size: size.to_vec(), bits: ByteBuf::new() };
        assert!(Map::try_from(empty(&[u32::MAX; 3])).is_err());
        assert!(Map::try_from(MapBits { bits: vec![0].into(), ..empty(&[8]) }).is_err());
    }
}
