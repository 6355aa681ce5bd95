use walkable_bake::bake::{CompactField, Regions};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Floors of open spans by region; floors without one are left out. Neighboring tiles `tile` give
/// the same number different hues.
pub fn regions(field: &CompactField, regions: &Regions, tile: TileCoord) -> DrawList {
    floors(field, |span| {
        let region = *regions.ids.get(span)?;
        (region != RegionId::NONE).then(|| region_paint(region, tile))
    })
}

/// The hue of a region: the same each time, another one than that of the next tile's region of that number.
pub fn region_paint(region: RegionId, tile: TileCoord) -> Paint {
    if region.is_border() {
        return Paint::Bounds;
    }
    // Hues are a golden angle apart; these steps are far from any whole number of turns.
    let of_tile = tile.x.wrapping_mul(27).wrapping_add(tile.z.wrapping_mul(46));
    Paint::Hue(of_tile.wrapping_add(u32::from(region.0)))
}
