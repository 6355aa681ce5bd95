use walkable_bake::bake::{CompactField, Regions};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Draws the floors of open spans by region. Floors without a region are left out. The same region number has different
/// hues in neighboring tiles.
pub fn regions(field: &CompactField, regions: &Regions, tile: TileCoord) -> DrawList {
    floors(field, |span| {
        let region = *regions.ids.get(span)?;
        (region != RegionId::NONE).then(|| region_paint(region, tile))
    })
}

/// Returns the hue of a region. It is always the same, and differs from the hue of the same number in neighboring
/// tiles.
pub fn region_paint(region: RegionId, tile: TileCoord) -> Paint {
    if region.is_border() {
        return Paint::Bounds;
    }
    // Hues are a golden angle apart. These steps are far from any whole number of turns.
    let of_tile = tile.x.wrapping_mul(27).wrapping_add(tile.z.wrapping_mul(46));
    Paint::Hue(of_tile.wrapping_add(u32::from(region.0)))
}
