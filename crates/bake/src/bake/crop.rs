//! The grid of a bake in one piece that is limited by boxes.

use glam::Vec3;
use walkable_runtime::geom::Aabb;

use crate::bake::{BakeInput, VoxelParams};

/// Number of cells that are kept around the boxes, so that the neighborhoods that stages read are complete.
const MARGIN_VX: f32 = 4.0;

/// Returns the box of the grid: the box around `level` or, for a bake in one piece, the part of it around the bake's
/// boxes. Cells are at the same positions as in the grid of the whole level.
pub(super) fn grid_box(input: &BakeInput, level: Aabb, params: &VoxelParams) -> Aabb {
    let is_solo = params.tile_size_vx == 0;
    if !is_solo || input.settings.keep_grid || input.bounds.is_empty() {
        return level;
    }
    let corners = input.bounds.iter().flat_map(|bound| [bound.min, bound.max]);
    let around = Aabb::around(corners);
    // Snapped to cells of the whole level, so that spans are the same with and without boxes.
    let cell = params.cell_size;
    let steps = |at: Vec3| (at - level.min) / cell;
    let low = (steps(around.min).floor() - MARGIN_VX).max(Vec3::ZERO);
    let high = steps(around.max).ceil() + MARGIN_VX;
    let side = |low: f32, high: f32, min: f32, max: f32| {
        let (from, to) = (min + low * cell, min + high * cell);
        // Outside of the level, or beyond the precision of coordinates, there is nothing to crop.
        if low < high && from < max { (from, to.min(max)) } else { (min, max) }
    };
    let (min_x, max_x) = side(low.x, high.x, level.min.x, level.max.x);
    let (min_z, max_z) = side(low.z, high.z, level.min.z, level.max.z);
    let cropped = Aabb {
        min: Vec3::new(min_x, level.min.y, min_z),
        max: Vec3::new(max_x, level.max.y, max_z),
    };
    // At the maximum sides, less than half a cell may be left.
    let size = cropped.size();
    if size.x < cell || size.z < cell { level } else { cropped }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable::level::{LevelKind, generate};
    use walkable_runtime::{ids::TileCoord, monitor::Unmonitored};

    use super::*;
    use crate::bake::{BakeError, BakeOutput, BakePlan, BakeSettings, bake, bake_tile};

    fn input(bounds: &[Aabb], settings: BakeSettings) -> BakeInput {
        let mesh = generate(LevelKind::Town, 1, 60.0).unwrap().mesh;
        let bounds = bounds.to_vec();
        BakeInput { bounds, ..BakeInput::new(Arc::new(mesh), settings) }
    }

    fn spans_in_world(input: BakeInput) -> (usize, Vec<[u32; 4]>) {
        let plan = BakePlan::new(input).unwrap();
        let [n_x, n_z] = plan.grid_size();
        let baked =
            bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Stages, &Unmonitored).unwrap();
        let spans = baked.stages.unwrap().spans;
        let origin = plan.input().mesh.bounds().min;
        let first = ((spans.frame.bounds.min - origin) / spans.frame.cell_size).round();
        let mut found = Vec::new();
        for (x, z) in (0..n_z).flat_map(|z| (0..n_x).map(move |x| (x, z))) {
            let cell = spans.frame.cell_index(x, z);
            for span in &spans.spans[spans.starts[cell] as usize..spans.starts[cell + 1] as usize] {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "small"
                )]
                let [x, z] = [first.x as u32 + x, first.z as u32 + z];
                found.push([z, x, span.min_vx.into(), span.max_vx.into()]);
            }
        }
        (n_x as usize * n_z as usize, found)
    }

    #[test]
    fn boxes_shrink_the_grid_and_nothing_else() {
        let whole = input(&[], BakeSettings::default()).mesh.bounds();
        let middle = whole.center();
        let boxes = [
            Aabb::new(middle - Vec3::splat(6.0), middle + Vec3::splat(4.0)),
            Aabb::new(whole.min - 3.0, whole.min + 9.0),
        ];
        for bounds in [&boxes[..1], &boxes[..], &boxes[1..]] {
            let keep_grid = BakeSettings { keep_grid: true, ..BakeSettings::default() };
            let (n_whole, kept) = spans_in_world(input(bounds, keep_grid));
            let (n_cells, cropped) = spans_in_world(input(bounds, BakeSettings::default()));
            assert_eq!(cropped, kept);
            assert!(!kept.is_empty() && n_cells < n_whole, "{n_cells} of {n_whole}");
        }
        let (n_cells, _) = spans_in_world(input(&boxes[..1], BakeSettings::default()));
        assert!(n_cells < 50 * 50, "{n_cells}");
    }

    #[test]
    fn only_the_tiles_at_the_boxes_are_baked_and_the_navmesh_is_the_same() {
        let settings = BakeSettings { tile_size: 16, ..BakeSettings::default() };
        let whole = BakePlan::new(input(&[], settings.clone())).unwrap();
        let middle = whole.input().mesh.bounds().center();
        let near = Aabb::new(middle - Vec3::splat(6.0), middle + Vec3::splat(4.0));
        let far = Aabb::new(whole.input().mesh.bounds().min - 3.0, near.min - 9.0);
        for bounds in [vec![near], vec![near, far], vec![far]] {
            let plan = BakePlan::new(input(&bounds, settings.clone())).unwrap();
            let n_baked = plan.tiles().count();
            assert!(n_baked < whole.tiles().count(), "{n_baked}");
            assert_eq!(plan.n_boxed_tiles(), n_baked as u64);
            assert_eq!(plan.n_tiles(), whole.n_tiles());
            // Of the other tiles, nothing is left.
            for tile in whole.tiles() {
                let baked = bake_tile(&plan, tile, BakeOutput::Tile, &Unmonitored).unwrap();
                assert!(plan.has_tile(tile) || baked.tile.is_none(), "{tile}");
            }
            let estimates = [&plan, &whole].map(|plan| plan.estimate(1));
            assert!(estimates[0].secs < estimates[1].secs, "{estimates:?}");
        }
        // The tiles at the box decide the width of references.
        let small = BakeSettings { tile_size: 1, ..settings };
        let [all, few] = [&[][..], &[near]].map(|bounds| {
            let params = BakePlan::new(input(bounds, small.clone())).unwrap().nav_mesh_params();
            params.max_tiles
        });
        assert!(few < all / 8, "{few} of {all}");
    }

    #[test]
    fn a_bake_box_outside_the_level_leaves_no_ground() {
        for at in [-1e30_f32, -500.0, 500.0, 1e30] {
            let bound = Aabb::new(Vec3::splat(at), Vec3::splat(at + 1.0));
            for tile_size in [0, 16] {
                let settings = BakeSettings { tile_size, ..BakeSettings::default() };
                let baked = bake(input(&[bound], settings), &Unmonitored);
                assert!(matches!(baked, Err(BakeError::NothingWalkable(_))));
            }
        }
    }
}
