use walkable_bake::bake::{HeightLayer, LayerOutline};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{
    DrawList, Paint, compact::area_paint, floors::cells, regions::region_paint,
};

/// Draws the ground of a layer by area. Ground that is not walkable is drawn as blocked.
pub fn layer_areas(layer: &HeightLayer) -> DrawList {
    ground(layer, |cell| Some(area_paint(layer.areas[cell])))
}

/// Draws the ground of a layer of the tile at `tile` by region. `regions` has one region per cell.
pub fn layer_regions(layer: &HeightLayer, regions: &[RegionId], tile: TileCoord) -> DrawList {
    ground(layer, |cell| {
        let region = *regions.get(cell)?;
        (region != RegionId::NONE).then(|| region_paint(region, tile))
    })
}

/// Draws the simplified contours of the regions of a layer of the tile at `tile`, in their hues, with a disc on each
/// corner.
pub fn layer_outlines(layer: &HeightLayer, outlines: &[LayerOutline], tile: TileCoord) -> DrawList {
    let mut list = DrawList::default();
    let frame = layer.frame();
    for outline in outlines {
        let paint = region_paint(outline.region, tile);
        let corners = outline.corners.iter().map(|corner| {
            let [x, y, z] = corner.map(f32::from);
            frame.world_from_grid(x, y, z)
        });
        let corners: Vec<_> = corners.collect();
        list.ring(&corners, 2.0, paint);
        for &corner in &corners {
            list.point(corner, 6.0, paint);
        }
    }
    list
}

/// Draws the cells of a layer that have a height, in the paint of their index.
fn ground(layer: &HeightLayer, paint_of: impl Fn(usize) -> Option<Paint>) -> DrawList {
    cells(&layer.frame(), |x, z| {
        let cell = layer.cell_index(x, z);
        let height = layer.heights[cell];
        (height != HeightLayer::NO_HEIGHT).then(|| Some((height.into(), paint_of(cell)?))).flatten()
    })
}
