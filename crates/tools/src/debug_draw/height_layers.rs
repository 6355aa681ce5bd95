use walkable_bake::bake::{CompactField, HeightLayerSet};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, floors::floors, regions::region_paint};

/// Draws the floors of the spans of each layer. Returns one list per layer, so that layers can be shown one by one. The
/// same layer number has different hues in neighboring tiles. `set` was created from `field`.
pub fn height_layers(field: &CompactField, set: &HeightLayerSet, tile: TileCoord) -> Vec<DrawList> {
    let list = |number: u16| {
        let paint = layer_paint(number, tile);
        floors(field, |span| (*set.layer_of_span.get(span)? == Some(number)).then_some(paint))
    };
    (0..).take(set.layers.len()).map(list).collect()
}

/// Returns the hue of a layer: the hue of the region with the next number, because region 0 has none.
pub(super) fn layer_paint(number: u16, tile: TileCoord) -> Paint {
    region_paint(RegionId((number + 1) & !RegionId::BORDER_BIT), tile)
}
