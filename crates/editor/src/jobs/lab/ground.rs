//! The ground of a level, baked in one piece, from which grids and graphs are built.

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, CompactField, bake_ground},
    diagnostic::Phrase,
    ground::{Ground, GroundPlace},
    monitor::Monitor,
    phrase,
};
use walkable_workspace::format::{exact_quantity, fixed_length};

use super::{LabRequest, side_that_does, verbatim};

/// Maximum number of columns of a level that is converted to a grid.
const MAX_COLUMNS: u64 = 6_000_000;
/// Maximum distance between a path's end and its cell: in cells horizontally, in meters vertically.
const NEAR: (i32, f32) = (6, 3.0);

/// The ground, walkable cell by walkable cell.
pub(super) struct GroundWorld {
    pub(super) field: CompactField,
    pub(super) ground: Ground,
}

impl GroundWorld {
    pub(super) fn new(request: &LabRequest, monitor: &dyn Monitor) -> Result<Self, Phrase> {
        let cell_size = request.settings.cell_size;
        let settings = BakeSettings { cell_size, tile_size: 0, ..request.input.settings.clone() };
        // The loaded part of a larger level is searched as a level of its own.
        let input = BakeInput { settings, part: None, ..request.input.clone() };
        let size = input.mesh.bounds().size() / cell_size;
        let n = columns(size);
        if n > MAX_COLUMNS {
            let wider = side_that_does(cell_size, n, MAX_COLUMNS, 2.0);
            let n = (n / 1_000_000).to_string();
            let (cell, wider) = (exact_quantity(cell_size, "m"), fixed_length(wider));
            return Err(phrase!(
                "A grid of the level has {n} million cells of {cell}; set Grid cell to {wider} or more.",
                n,
                cell,
                wider
            ));
        }
        let plan = BakePlan::new(input).map_err(verbatim)?;
        walkable_workspace::limits::admit_in_one_piece(&plan).map_err(verbatim)?;
        let tile = plan.tiles().next().ok_or_else(|| phrase!("The level is empty."))?;
        let (field, areas) = bake_ground(&plan, tile, monitor).map_err(verbatim)?;
        let ground = Ground::new(&field, &areas).map_err(verbatim)?;
        Ok(Self { field, ground })
    }

    pub(super) fn span_near(&self, place: Vec3) -> Option<(usize, GroundPlace)> {
        let frame = &self.field.frame;
        let (radius, reach) = NEAR;
        let [x, z] = [place.x - frame.bounds.min.x, place.z - frame.bounds.min.z]
            .map(|along| floor(along / frame.cell_size));
        let mut best: Option<(f32, usize, GroundPlace)> = None;
        for (dz, dx) in (-radius..=radius).flat_map(|dz| (-radius..=radius).map(move |dx| (dz, dx)))
        {
            let at = u32::try_from(x + dx).ok().zip(u32::try_from(z + dz).ok());
            let Some((x, z)) = at.filter(|&(x, z)| x < frame.n_x && z < frame.n_z) else {
                continue;
            };
            for span in self.field.cell(frame.cell_index(x, z)) {
                let Some(ground) = self.ground.place(span) else { continue };
                let middle = self.middle(span, (x, z));
                let distance = middle.distance_squared(place);
                let is_near = (middle.y - place.y).abs() <= reach;
                if is_near && best.is_none_or(|(least, ..)| distance < least) {
                    best = Some((distance, span, ground));
                }
            }
        }
        best.map(|(_, span, place)| (span, place))
    }

    pub(super) fn column(&self, span: usize) -> (u32, u32) {
        let is_before = |start: &u32| *start as usize <= span;
        let cell = self.field.starts.partition_point(is_before).saturating_sub(1);
        let n_x = self.field.frame.n_x as usize;
        let [x, z] = [cell % n_x, cell / n_x].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        (x, z)
    }

    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    pub(super) fn middle(&self, span: usize, (x, z): (u32, u32)) -> Vec3 {
        let height = f32::from(self.field.spans[span].floor_vx);
        self.field.frame.world_from_grid(x as f32 + 0.5, height, z as f32 + 0.5)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn columns(size: Vec3) -> u64 {
    (size.x.ceil() as u64).saturating_mul(size.z.ceil() as u64)
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn floor(along: f32) -> i32 {
    (along.floor() as i32).clamp(-1_000_000, 1_000_000)
}
