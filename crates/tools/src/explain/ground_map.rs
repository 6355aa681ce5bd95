//! A map of a tile's ground, to compare two bakes.

use glam::Vec3;
use walkable_bake::bake::{GridFrame, Intermediates};

use super::{column::cell_at, fix::SideEffects, ground::cells};

/// The ground that belongs to regions, per cell, without the tile's border.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundMap {
    frame: GridFrame,
    /// Index of the first height of each cell, followed by the total number of heights.
    starts: Vec<u32>,
    /// Heights of the ground, in meters.
    heights: Vec<f32>,
}

/// Maximum height difference at which the ground of two bakes counts as the same, in meters.
const SAME_HEIGHT: f32 = 0.5;

impl GroundMap {
    /// Collects the ground in `stages`.
    pub fn of(stages: &Intermediates) -> Self {
        let field = &stages.compact;
        let frame = field.frame;
        let mut map = Self { frame, starts: vec![0], heights: Vec::new() };
        for cell in 0..frame.n_cells() {
            let ground = field.cell(cell).filter(|&span| stages.regions.ids[span].is_ground());
            let height = |span: usize| {
                frame.bounds.min.y + f32::from(field.spans[span].floor_vx) * frame.cell_height
            };
            map.heights.extend(ground.map(height));
            map.starts.push(u32::try_from(map.heights.len()).unwrap_or(u32::MAX));
        }
        map
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    fn at(&self, place: Vec3) -> &[f32] {
        let Some([x, z]) = cell_at(&self.frame, place) else { return &[] };
        let cell = self.frame.cell_index(x, z);
        self.heights.get(self.starts[cell] as usize..self.starts[cell + 1] as usize).unwrap_or(&[])
    }

    /// Returns the positions of the ground, one per cell and height.
    fn places(&self) -> impl Iterator<Item = Vec3> + '_ {
        let frame = self.frame;
        (0..frame.n_z).flat_map(move |z| (0..frame.n_x).map(move |x| [x, z])).flat_map(
            move |[x, z]| {
                let middle = frame.world_from_grid(cells(x) + 0.5, 0.0, cells(z) + 0.5);
                self.at(middle).iter().map(move |&height| middle.with_y(height))
            },
        )
    }
}

/// Compares the ground of two bakes.
pub(crate) fn side_effects(before: &[GroundMap], after: &[GroundMap]) -> SideEffects {
    SideEffects { gained_m2: only_in(after, before), lost_m2: only_in(before, after) }
}

/// Returns the area of the ground of `these` that is missing in `those`, in square meters. Ground outside the tiles of
/// `those` is ignored, because other voxel sizes divide the level at other places.
fn only_in(these: &[GroundMap], those: &[GroundMap]) -> f32 {
    let is_compared = |place: Vec3| {
        those.iter().any(|map| {
            let inner = map.frame.inner_bounds();
            (inner.min.x..=inner.max.x).contains(&place.x)
                && (inner.min.z..=inner.max.z).contains(&place.z)
        })
    };
    let is_there = |place: Vec3| {
        let mut heights = those.iter().flat_map(|map| map.at(place));
        heights.any(|height| (height - place.y).abs() <= SAME_HEIGHT)
    };
    let area = |map: &GroundMap| {
        let lost = map.places().filter(|&place| is_compared(place) && !is_there(place)).count();
        cells(u32::try_from(lost).unwrap_or(u32::MAX)) * map.frame.cell_size * map.frame.cell_size
    };
    let sum: f32 = these.iter().map(area).sum();
    (sum * 100.0).round() / 100.0
}
