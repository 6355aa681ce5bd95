//! Heightfield layers.

use recastnavigation_sys::{
    CreateContext, DeleteContext, rcAllocHeightfieldLayerSet, rcBuildHeightfieldLayers,
    rcCompactHeightfield, rcFreeHeightfieldLayerSet,
};
use walkable::bake::{StreamHash, VoxelParams};

use super::{
    Owned,
    hash::{array, len},
    signed,
};

/// Returns the hash of all layers of `open`; `None` if Recast's tables are full.
pub(super) fn hash(open: &rcCompactHeightfield, params: &VoxelParams) -> Option<u64> {
    let [border, height] = [params.border_vx, params.walkable_height_vx].map(signed);
    // SAFETY: Recast created the structures, and their arrays have the lengths that they state.
    unsafe {
        let context = Owned::new(CreateContext(false), DeleteContext);
        let set = Owned::new(rcAllocHeightfieldLayerSet(), rcFreeHeightfieldLayerSet);
        if !rcBuildHeightfieldLayers(context.pointer, open, border, height, set.pointer) {
            return None;
        }
        let mut hash = StreamHash::new();
        hash.i32(set.get().nlayers);
        for layer in array(set.get().layers, len(set.get().nlayers)) {
            layer.bmin.iter().chain(&layer.bmax).for_each(|value| hash.f32(*value));
            let used = [layer.minx, layer.maxx, layer.miny, layer.maxy];
            let numbers = [layer.width, layer.height].into_iter().chain(used);
            numbers.chain([layer.hmin, layer.hmax]).for_each(|value| hash.i32(value));
            let n_cells = len(layer.width) * len(layer.height);
            for bytes in [layer.heights, layer.areas, layer.cons] {
                hash.bytes(array(bytes, n_cells));
            }
        }
        Some(hash.finish())
    }
}
