//! The state of a tile that changes at run time: flags and areas of its polygons.

use super::{
    FormatError, RefWidth,
    bytes::{Reader, Writer},
};
use crate::{
    ids::AreaId,
    navmesh::{NavMesh, PolyRef},
};

/// First four bytes of a tile's state.
const MAGIC: u32 = 0x444e_4d53;
const VERSION: u32 = 1;

impl NavMesh {
    /// Returns the flags and areas of the polygons of the tile in `slot`, in Detour's format; `None` if there is no
    /// tile. They can be restored until the tile is removed.
    ///
    /// Source: `dtNavMesh::storeTileState`.
    pub fn tile_state(&self, slot: usize) -> Option<Vec<u8>> {
        let live = self.live_in(slot)?;
        let mut out = Writer::default();
        out.u32(MAGIC);
        out.u32(VERSION);
        let [a, b, c, d, rest @ ..] = live.poly_ref(0).0.get().to_le_bytes();
        out.put([a, b, c, d]);
        if self.width() == RefWidth::Bits64 {
            out.put(rest);
        }
        for poly in &live.tile.polys {
            out.u16(poly.flags);
            out.put([poly.area.0, 0]);
        }
        Some(out.bytes)
    }

    /// Restores the flags and areas of a tile from bytes of [`NavMesh::tile_state`], and returns its slot.
    ///
    /// # Errors
    /// Returns a [`FormatError`] if the bytes are not exactly a state, or the tile was removed. Nothing is changed
    /// then.
    ///
    /// Source: `dtNavMesh::restoreTileState`. Differs: areas above 63 are refused, not cut to 6 bits.
    pub fn restore_tile_state(&mut self, bytes: &[u8]) -> Result<usize, FormatError> {
        let mut input = Reader::new(bytes);
        input.magic("tile state", MAGIC)?;
        input.version("tile state", VERSION)?;
        let offset = input.offset();
        let reference = match self.width() {
            RefWidth::Bits32 => u64::from(input.u32("tile reference")?),
            RefWidth::Bits64 => input.u64("tile reference")?,
        };
        let base = std::num::NonZeroU64::new(reference).map(PolyRef);
        let slot = base.and_then(|base| self.slot_of(base));
        let live = slot.and_then(|slot| self.live_in(slot));
        let (Some(slot), Some(live)) = (slot, live.filter(|live| Some(live.poly_ref(0)) == base))
        else {
            return Err(FormatError::BadReference { offset, reference });
        };
        let n = u32::try_from(live.tile.polys.len()).unwrap_or(u32::MAX);
        let states_at = input.offset();
        let states: &[[u8; 4]] = input.records("flags and areas", n)?;
        if input.n_left() > 0 {
            let n_bytes = input.n_left();
            return Err(FormatError::LeftOver { what: "the tile state", n_bytes });
        }
        check_areas(states, states_at)?;
        self.change_polys(slot, |polys| {
            for (poly, &[low, high, area, _]) in polys.iter_mut().zip(states) {
                (poly.flags, poly.area) = (u16::from_le_bytes([low, high]), AreaId(area));
            }
        });
        Ok(slot)
    }
}

/// Checks that areas are valid; the state of the first polygon starts at byte `offset`.
fn check_areas(states: &[[u8; 4]], offset: usize) -> Result<(), FormatError> {
    match states.iter().position(|state| usize::from(state[2]) >= AreaId::COUNT) {
        Some(index) => {
            let (offset, value) = (offset + 4 * index + 2, i64::from(states[index][2]));
            Err(FormatError::BadNumber { what: "an area", offset, value })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::sample::{mesh, tile},
    };

    #[test]
    fn flags_and_areas_come_back_and_nothing_else_does() {
        let mut mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".5"])]);
        let before = mesh.tile_state(1).unwrap();
        assert_eq!(before.len(), 12 + 4 * 4);
        assert_eq!(before[..8], [0x53, 0x4d, 0x4e, 0x44, 1, 0, 0, 0]);
        assert_eq!(before[24..], [1, 0, 5, 0]);
        let poly = mesh.poly_ref(1, 3).unwrap();
        assert!(mesh.set_flags(poly, 0x0204) && mesh.set_area(poly, AreaId(63)));
        let after = mesh.tile_state(1).unwrap();
        assert_eq!(after[24..], [4, 2, 63, 0]);
        assert_eq!(mesh.restore_tile_state(&before), Ok(1));
        assert_eq!(mesh.tile_state(1).unwrap(), before);

        for len in 0..before.len() {
            assert!(mesh.restore_tile_state(&before[..len]).is_err(), "cut at {len}");
        }
        let longer = [&before[..], &[0]].concat();
        let left_over = FormatError::LeftOver { what: "the tile state", n_bytes: 1 };
        assert_eq!(mesh.restore_tile_state(&longer), Err(left_over));
        let mut bad = after.clone();
        bad[26] = 64;
        let area = FormatError::BadNumber { what: "an area", offset: 26, value: 64 };
        assert_eq!(mesh.restore_tile_state(&bad), Err(area));
        assert_eq!(mesh.tile_state(1).unwrap(), before, "an error changes nothing");

        mesh.remove_tiles_at(TileCoord::new(1, 0));
        mesh.add_tile(Arc::new(tile(1, 0, &["..", ".."]))).unwrap();
        let stale = mesh.restore_tile_state(&before);
        assert!(matches!(stale, Err(FormatError::BadReference { offset: 8, .. })), "{stale:?}");
        assert_eq!((mesh.tile_state(2), mesh.tile_state(usize::MAX)), (None, None));
    }
}
