use walkable_bake::bake::{CompactField, HeightLayerSet};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, floors::floors, regions::region_paint};

/// Floors of the spans of each layer, one list per layer so that layers can be shown one by one. The same
/// layer number of neighboring tiles `tile` has different hues. `set` was made from `field`.
pub fn height_layers(field: &CompactField, set: &HeightLayerSet, tile: TileCoord) -> Vec<DrawList> {
    let list = |number: u16| {
        let paint = layer_paint(number, tile);
        floors(field, |span| (*set.layer_of_span.get(span)? == Some(number)).then_some(paint))
    };
    (0..).take(set.layers.len()).map(list).collect()
}

/// The hue of a layer: that of the region of the next number, as region 0 has none.
pub(super) fn layer_paint(number: u16, tile: TileCoord) -> Paint {
    region_paint(RegionId((number + 1) & !RegionId::BORDER_BIT), tile)
}
