use crate::{
    bake::{CompactField, HeightLayerSet},
    debug_draw::{DrawList, floors::floors, regions::region_paint},
    ids::{RegionId, TileCoord},
};

/// Floors of the spans of each layer, one list per layer so that layers can be shown one by one. The same
/// layer number of neighbouring tiles `tile` has different hues. `set` was made from `field`.
pub fn height_layers(field: &CompactField, set: &HeightLayerSet, tile: TileCoord) -> Vec<DrawList> {
    let list = |number: u16| {
        // Hues are those of regions, of which 0 has none.
        let paint = region_paint(RegionId((number + 1) & !RegionId::BORDER_BIT), tile);
        floors(field, |span| (*set.layer_of_span.get(span)? == Some(number)).then_some(paint))
    };
    (0..).take(set.layers.len()).map(list).collect()
}
