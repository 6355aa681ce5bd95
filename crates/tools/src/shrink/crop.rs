use glam::Vec3;
use walkable_bake::bake::{BakeInput, BakePlan};
use walkable_runtime::geom::Aabb;

use super::submesh;

/// The part of a level around some places.
#[derive(Clone, Debug, PartialEq)]
pub struct Cropped {
    /// The input of its bake.
    pub input: BakeInput,
    /// The tile of the level that is tile 0,0 of the part; 0,0 in a bake without tiles.
    pub first_tile: [u32; 2],
}

/// Width of the border in a bake without tiles, in cells: the distance that stages read beside a cell.
const SIGHT_VX: f32 = 4.0;

/// Returns the part of the level of `plan` whose triangles touch the box `around` seen from above, enlarged to whole
/// tiles with their borders. Voxels and tiles keep their positions, because the grid of the part starts at a corner of
/// a tile. If kept triangles extend beyond the box, boxes limit the bake of the part.
///
/// Returns `None` if no triangle is in the box.
pub fn cropped(plan: &BakePlan, around: &Aabb) -> Option<Cropped> {
    let (whole, params) = (plan.whole_grid(), plan.params());
    let cell = params.cell_size;
    let side = if plan.is_solo() { cell } else { cells(params.tile_size_vx) * cell };
    let border = if plan.is_solo() { SIGHT_VX } else { cells(params.border_vx) } * cell;
    let sides = |at: Vec3| ((at - whole.min) / side).max(Vec3::ZERO);
    let (low, high) = (sides(around.min).floor(), sides(around.max).ceil());
    let origin = (whole.min + low * side).with_y(whole.min.y);
    let beside = Vec3::new(border, 0.0, border);
    // The boxes of a bake must contain the places, which may be above or below the level.
    let (lowest, highest) = (whole.min.y.min(around.min.y), whole.max.y.max(around.max.y));
    let near = Aabb {
        min: (origin - beside).with_y(lowest),
        max: (whole.min + high * side + beside).with_y(highest),
    };
    let mesh = &plan.input().mesh;
    let n = u32::try_from(mesh.triangles().len()).unwrap_or(u32::MAX);
    let is_near = |index: &u32| Aabb::around(mesh.corners(*index as usize)).overlaps_xz(&near);
    let kept: Vec<_> = (0..n).filter(is_near).collect();
    let mesh = submesh(mesh, &kept)?;
    let mut input = plan.input().clone();
    if input.settings.world_height <= 0.0 {
        input.settings.world_height = whole.size().y;
    }
    input.settings.origin = Some(origin);
    let seen = mesh.bounds();
    if (near.min.cmpgt(seen.min) | near.max.cmplt(seen.max)).any() {
        input.bounds = within(&input.bounds, &near);
        if input.bounds.is_empty() {
            return None;
        }
        input.settings.keep_grid = false;
    }
    input.mesh = mesh.into();
    let first_tile = if plan.is_solo() { [0, 0] } else { [low.x, low.z].map(whole_number) };
    Some(Cropped { input, first_tile })
}

/// Converts a number of cells. A grid has fewer than 65536 cells along a side.
fn cells(n: u32) -> f32 {
    u16::try_from(n).unwrap_or(u16::MAX).into()
}

/// Limits the boxes of a bake to `near` and removes boxes outside it. An empty list stands for the whole level.
pub fn within(bounds: &[Aabb], near: &Aabb) -> Vec<Aabb> {
    let within = |bound: &Aabb| Aabb { min: bound.min.max(near.min), max: bound.max.min(near.max) };
    match bounds {
        [] => vec![*near],
        bounds => bounds.iter().map(within).filter(|bound| !bound.is_empty()).collect(),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn whole_number(value: f32) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable::level::{LevelKind, generate};
    use walkable_bake::bake::{BakeOutput, BakeSettings, bake_tile};
    use walkable_runtime::{ids::TileCoord, monitor::Unmonitored, navmesh::Tile};

    use super::*;

    fn town(tile_size: u32) -> BakePlan {
        let mesh = generate(LevelKind::Town, 1, 120.0).unwrap().mesh;
        let settings = BakeSettings { tile_size, ..BakeSettings::default() };
        BakePlan::new(BakeInput::new(Arc::new(mesh), settings)).unwrap()
    }

    fn baked(plan: &BakePlan, coord: TileCoord) -> Option<Tile> {
        bake_tile(plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile
    }

    #[test]
    fn tiles_of_the_part_are_those_of_the_level() {
        let plan = town(48);
        let tile = TileCoord::new(4, 3);
        let bounds = plan.tile_bounds(tile);
        let middle = Aabb::around([bounds.center()]);
        let part = cropped(&plan, &middle).unwrap();
        assert_eq!(part.first_tile, [4, 3]);
        assert!(part.input.mesh.triangles().len() * 4 < plan.input().mesh.triangles().len());
        let small = BakePlan::new(part.input).unwrap();
        let (whole, part) = (baked(&plan, tile).unwrap(), baked(&small, TileCoord::new(0, 0)));
        let part = part.unwrap();
        assert!(whole.polys.len() > 3);
        assert_eq!((whole.polys, whole.vertices), (part.polys, part.vertices));
    }

    #[test]
    fn a_bake_in_one_piece_is_limited_to_the_part() {
        let plan = town(0);
        let place = plan.whole_grid().center();
        let part = cropped(&plan, &Aabb::around([place - 8.0, place + 8.0])).unwrap();
        let small = BakePlan::new(part.input).unwrap();
        let n_cells = |plan: &BakePlan| plan.grid_size().iter().product::<u32>();
        assert!(n_cells(&small) * 10 < n_cells(&plan), "{:?}", small.grid_size());
        let offset = (small.whole_grid().min - plan.whole_grid().min) / plan.params().cell_size;
        assert!((offset - offset.round()).abs().max_element() < 1e-3, "{offset}");
    }

    #[test]
    fn there_is_no_part_beside_the_level() {
        let far = Aabb::around([Vec3::splat(1e5)]);
        assert!(cropped(&town(0), &far).is_none() && cropped(&town(48), &far).is_none());
    }
}
