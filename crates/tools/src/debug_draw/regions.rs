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
    Paint::Hue(first_hue(tile).wrapping_add(u32::from(region.0)))
}

/// Returns the number of the region of `tile` that [`region_paint`] paints with this hue.
pub fn region_number(hue: u32, tile: TileCoord) -> u32 {
    hue.wrapping_sub(first_hue(tile))
}

/// Returns the hue of number 0 in a tile. Hues are a golden angle apart. These steps are far from any whole number of turns.
fn first_hue(tile: TileCoord) -> u32 {
    tile.x.wrapping_mul(27).wrapping_add(tile.z.wrapping_mul(46))
}
