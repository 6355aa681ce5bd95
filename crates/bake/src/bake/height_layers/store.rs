//! Stores patches as layers.

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    ids::{Dir, RegionId},
    monitor::{Cancelled, Monitor},
};

use super::{
    CellRect, HeightLayer, HeightLayerSet, LayerLinks, join::Layer, n_patches, patch_index,
};
use crate::bake::{GridFrame, RawArea, pulse::Pulse, region::Ground, voxel_params::meters};

/// Stores `layers` of the patches whose numbers `ids` has for each span. Patches in no layer are omitted.
pub(super) fn store(
    ground: Ground<'_>,
    ids: &[RegionId],
    layers: &[Layer],
    monitor: &dyn Monitor,
) -> Result<HeightLayerSet, Cancelled> {
    let mut layer_of_patch = vec![None; n_patches(ids)];
    for (number, layer) in (0..).zip(layers) {
        layer.patches.iter().for_each(|&patch| layer_of_patch[patch] = Some(number));
    }
    let layer_of_span = ids.iter().map(|&id| layer_of_patch[patch_index(id)?]);
    let mut layer_of_span: Vec<Option<u16>> = layer_of_span.collect();

    let frame = &ground.field.frame;
    let inner = |n: u32| frame.border_vx..n.saturating_sub(frame.border_vx);
    let mut layers: Vec<_> = layers.iter().map(|layer| empty_layer(frame, layer)).collect();
    let mut hidden = Vec::new();
    let mut pulse = Pulse::new(monitor);
    for z in inner(frame.n_z) {
        for x in inner(frame.n_x) {
            pulse.step()?;
            let column = ground.field.cell(frame.cell_index(x, z));
            for span in column.clone() {
                let Some(number) = layer_of_span[span] else { continue };
                hidden
                    .extend((column.start..span).rfind(|&low| layer_of_span[low] == Some(number)));
                let layer = &mut layers[usize::from(number)];
                let (x, z) = (x - frame.border_vx, z - frame.border_vx);
                let cell = layer.cell_index(x, z);
                let (height, links) =
                    height_and_links(ground, &layer_of_span, span, layer.min_y_vx);
                layer.heights[cell] = height;
                layer.areas[cell] = ground.areas[span];
                layer.links[cell] = links;
                layer.used.include(x, z);
            }
        }
    }
    for &span in &hidden {
        layer_of_span[span] = None;
    }
    Ok(HeightLayerSet { layers, layer_of_span, n_hidden: hidden.len() })
}

/// Creates a layer without ground.
fn empty_layer(frame: &GridFrame, layer: &Layer) -> HeightLayer {
    let inner = |n: u32| n.saturating_sub(2 * frame.border_vx);
    let (n_x, n_z) = (inner(frame.n_x), inner(frame.n_z));
    let n_cells = n_x as usize * n_z as usize;
    let border = meters(frame.border_vx, frame.cell_size);
    let Aabb { min, max } = frame.bounds;
    let height = |vx: u16| min.y + meters(u32::from(vx), frame.cell_height);
    HeightLayer {
        bounds: Aabb {
            min: Vec3::new(min.x + border, height(layer.min_y_vx), min.z + border),
            max: Vec3::new(max.x - border, height(layer.max_y_vx), max.z - border),
        },
        cell_size: frame.cell_size,
        cell_height: frame.cell_height,
        n_x,
        n_z,
        used: CellRect { min_x: n_x, max_x: 0, min_z: n_z, max_z: 0 },
        min_y_vx: layer.min_y_vx,
        max_y_vx: layer.max_y_vx,
        heights: vec![HeightLayer::NO_HEIGHT; n_cells],
        areas: vec![RawArea::NULL; n_cells],
        links: vec![LayerLinks::default(); n_cells],
    }
}

impl CellRect {
    fn include(&mut self, x: u32, z: u32) {
        self.min_x = self.min_x.min(x);
        self.max_x = self.max_x.max(x);
        self.min_z = self.min_z.min(z);
        self.max_z = self.max_z.max(z);
    }
}

/// Returns the height of `span` above `min_y_vx` and its connections. Next to a portal, the height is that of the
/// higher side, so that both layers have the same.
fn height_and_links(
    ground: Ground<'_>,
    layer_of_span: &[Option<u16>],
    span: usize,
    min_y_vx: u16,
) -> (u8, LayerLinks) {
    let above = |span: usize| {
        let floor = ground.field.spans[span].floor_vx;
        floor.checked_sub(min_y_vx).and_then(|height| u8::try_from(height).ok())
    };
    let mut height = above(span).unwrap_or(0);
    let mut links = 0;
    for dir in Dir::ALL {
        let next = ground.field.adjacency.step(span, dir);
        let Some(next) = next.filter(|&next| ground.areas[next].is_walkable()) else { continue };
        if layer_of_span[next] == layer_of_span[span] {
            links |= 1 << dir as u8;
        } else {
            links |= 0x10 << dir as u8;
            height = height.max(above(next).unwrap_or(0));
        }
    }
    (height, LayerLinks(links))
}
