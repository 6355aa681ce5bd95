//! How much memory the stages of a tile take.

use super::Intermediates;

impl Intermediates {
    /// Returns the total size of all stages in bytes, without spare capacity, so that a cache of them can stay within a
    /// limit.
    pub fn n_bytes(&self) -> usize {
        let Self { slopes, spans, filtered, compact, regions, contours, polygons, detail, .. } =
            self;
        let heights = [spans, filtered].map(|field| {
            size_of_val(field.starts.as_slice()) + size_of_val(field.spans.as_slice())
        });
        let open = size_of_val(compact.starts.as_slice())
            + size_of_val(compact.spans.as_slice())
            + compact.adjacency.n_bytes();
        let distance = self.distance.as_ref();
        let per_span = size_of_val(self.compact_areas.as_slice())
            + size_of_val(self.eroded_areas.as_slice())
            + size_of_val(regions.ids.as_slice())
            + distance.map_or(0, |field| size_of_val(field.distances.as_slice()));
        let outlines = contours.contours.iter().map(|contour| {
            size_of_val(contour)
                + size_of_val(contour.vertices.as_slice())
                + size_of_val(contour.raw.as_slice())
        });
        let mesh = size_of_val(polygons.vertices.as_slice())
            + size_of_val(polygons.polygons.as_slice())
            + size_of_val(detail.patches.as_slice())
            + size_of_val(detail.vertices.as_slice())
            + size_of_val(detail.triangles.as_slice());
        size_of::<Self>()
            + size_of_val(slopes.triangles.as_slice())
            + size_of_val(slopes.areas.as_slice())
            + heights.iter().sum::<usize>()
            + open
            + per_span
            + outlines.sum::<usize>()
            + mesh
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable::level::{LevelKind, generate};
    use walkable_runtime::{ids::TileCoord, monitor::Unmonitored};

    use crate::bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile};

    #[test]
    fn larger_tiles_take_more_in_step_with_their_cells() {
        let level = generate(LevelKind::Terrain, 1, 60.0).unwrap();
        let bytes = |tile_size| {
            let settings = BakeSettings { tile_size, ..BakeSettings::default() };
            let input = BakeInput::new(Arc::new(level.mesh.clone()), settings);
            let plan = BakePlan::new(input).unwrap();
            let tile = TileCoord::new(0, 0);
            let bake = bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap();
            let frame = plan.tile_frame(tile);
            (bake.stages.unwrap().n_bytes(), (frame.n_x * frame.n_z) as usize)
        };
        let [small, large] = [16, 64].map(bytes);
        for (n_bytes, n_cells) in [small, large] {
            assert!((30 * n_cells..150 * n_cells).contains(&n_bytes), "{n_bytes} for {n_cells}");
        }
        assert!(large.0 > 3 * small.0);
    }
}
