use super::StreamHash;
use crate::bake::HeightLayerSet;

impl HeightLayerSet {
    /// Returns the hash of all layers: the number of layers; per layer: corners of the box, cells along x and z, the
    /// used rectangle (columns, then rows), lowest and highest floor, then heights, areas and links.
    pub fn hash(&self) -> u64 {
        let mut hash = StreamHash::new();
        hash.count(self.layers.len());
        for layer in &self.layers {
            for corner in [layer.bounds.min, layer.bounds.max] {
                corner.to_array().into_iter().for_each(|value| hash.f32(value));
            }
            let used = layer.used;
            for value in [layer.n_x, layer.n_z, used.min_x, used.max_x, used.min_z, used.max_z] {
                hash.u32(value);
            }
            hash.u32(u32::from(layer.min_y_vx));
            hash.u32(u32::from(layer.max_y_vx));
            hash.bytes(&layer.heights);
            layer.areas.iter().for_each(|area| hash.bytes(&[area.0]));
            layer.links.iter().for_each(|links| hash.bytes(&[links.0]));
        }
        hash.finish()
    }
}
