//! The voxels of a rectangle of tiles, merged into one field.

use glam::Vec3;
use walkable_bake::bake::{
    BakeError, BakeInput, BakePlan, BakeSettings, GridFrame, RawArea, Span, cells_in, survey_tile,
};
use walkable_runtime::{
    geom::Aabb,
    ids::{Dir, TileCoord},
    monitor::{Cancelled, Monitor},
    side_by_side,
};

/// Ceiling of the last span in a column, which has open sky above, in voxels.
pub(super) const SKY_VX: u32 = u16::MAX as u32;

/// Tile size for surveying a level that is baked without tiles, in voxels.
const SURVEY_TILE_VX: u32 = 48;
/// Maximum number of columns up to which a level without tiles is surveyed in one piece.
const MAX_SOLO_COLUMNS: u64 = 1 << 22;

/// Solid spans of a rectangle of the level, with the steepness of their tops. Each top is a floor.
#[derive(Debug)]
pub(super) struct Terrain {
    /// Frame of the columns, without a border.
    pub(super) frame: GridFrame,
    starts: Vec<u32>,
    /// The spans of all columns; within a column, from bottom to top.
    pub(super) spans: Vec<Span>,
    /// The cell of each span.
    cells: Vec<u32>,
    /// For each span, 1 plus the index of the volume that makes it unwalkable, or 0 without such a volume. Empty if
    /// there are no such volumes.
    volumes: Vec<u16>,
    /// Whether each span is outside the boxes that limit the bake. Empty if none is.
    is_outside: Vec<bool>,
}

/// A rectangle of tiles from `first` to `last`, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileRect {
    pub(super) first: TileCoord,
    pub(super) last: TileCoord,
}

impl TileRect {
    /// Returns the tiles of `plan` that `bounds` touches, seen from above.
    pub(super) fn over(plan: &BakePlan, bounds: &Aabb) -> Self {
        let whole = Self::all_of(plan);
        if plan.is_solo() {
            return whole;
        }
        let first_tile = plan.tile_bounds(TileCoord::new(0, 0));
        let side = first_tile.size();
        let tile = |at: Vec3| {
            let away = (at - first_tile.min) / side;
            TileCoord::new(whole_part(away.x), whole_part(away.z))
        };
        Self { first: tile(bounds.min), last: tile(bounds.max) }.within(whole)
    }

    /// Returns whether a place is in one of these tiles of `plan`, seen from above.
    pub(super) fn contains(self, plan: &BakePlan, place: Vec3) -> bool {
        let at = Self::over(plan, &Aabb::around([place]));
        plan.is_solo() || at.within(self) == at
    }

    /// Returns the tiles that are also in `other`, which must overlap these tiles.
    pub(super) fn within(self, other: Self) -> Self {
        let clamp = |tile: TileCoord| {
            TileCoord::new(
                tile.x.clamp(other.first.x, other.last.x),
                tile.z.clamp(other.first.z, other.last.z),
            )
        };
        Self { first: clamp(self.first), last: clamp(self.last) }
    }

    /// Returns all tiles of `plan` that are loaded.
    pub(super) fn all_of(plan: &BakePlan) -> Self {
        let [across, down] = plan.loaded_tiles();
        let last = TileCoord::new(across.end.saturating_sub(1), down.end.saturating_sub(1));
        Self { first: TileCoord::new(across.start, down.start), last }
    }

    /// Returns whether `whole` contains tiles beyond these: at the lower and upper end along x, then along z.
    pub(super) fn borders_within(self, whole: Self) -> [bool; 4] {
        [
            whole.first.x < self.first.x,
            self.last.x < whole.last.x,
            whole.first.z < self.first.z,
            self.last.z < whole.last.z,
        ]
    }

    fn size(self) -> [u32; 2] {
        [self.last.x - self.first.x + 1, self.last.z - self.first.z + 1]
    }

    /// Returns the number of columns of these tiles of `plan`, without borders.
    pub(super) fn n_columns(self, plan: &BakePlan) -> u64 {
        let [n_x, n_z] = if plan.is_solo() {
            plan.grid_size().map(u64::from)
        } else {
            self.size().map(|n| u64::from(n) * u64::from(plan.params().tile_size_vx))
        };
        n_x * n_z
    }

    fn tiles(self) -> impl Iterator<Item = TileCoord> {
        let columns = self.first.x..=self.last.x;
        (self.first.z..=self.last.z)
            .flat_map(move |z| columns.clone().map(move |x| TileCoord::new(x, z)))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn whole_part(value: f32) -> u32 {
    value as u32
}

/// Returns a plan for surveying the level of `plan` in parts, with the same voxels, also those outside the boxes that limit
/// the bake.
pub(super) fn survey_plan(plan: &BakePlan) -> Result<BakePlan, BakeError> {
    let whole = (!plan.input().bounds.is_empty())
        .then(|| plan.renewed(BakeInput { bounds: Vec::new(), ..plan.input().clone() }));
    // A level may be too large without the boxes.
    let plan = whole.and_then(Result::ok).unwrap_or_else(|| plan.clone());
    let [n_x, n_z] = plan.grid_size().map(u64::from);
    if !plan.is_solo() || n_x * n_z <= MAX_SOLO_COLUMNS || plan.is_cropped() {
        return Ok(plan);
    }
    let input = plan.input().clone();
    let settings = BakeSettings { tile_size: SURVEY_TILE_VX, ..input.settings };
    plan.renewed(BakeInput { settings, ..input })
}

impl Terrain {
    /// Surveys the tiles `rect` of `plan`, and marks the spans outside the boxes `bounds`.
    pub(super) fn new(
        (plan, bounds): (&BakePlan, &[Aabb]),
        rect: TileRect,
        monitor: &dyn Monitor,
    ) -> Result<Self, BakeError> {
        let tiles: Vec<_> = rect.tiles().collect();
        let n_steps = usize::try_from(rect.n_columns(plan)).unwrap_or(usize::MAX);
        let fields = side_by_side::each(tiles, n_steps, |tile| survey_tile(plan, tile, monitor));
        let fields: Vec<_> = fields.into_iter().collect::<Result<_, _>>()?;
        let Some(first) = fields.first() else { return Err(Cancelled.into()) };
        let border = first.frame.border_vx;
        let [side_x, side_z] = [first.frame.n_x, first.frame.n_z].map(|n| n - 2 * border);
        let [n_x, n_z] = rect.size();
        let grid = Aabb {
            min: first.frame.inner_bounds().min,
            max: fields.last().map_or(first.frame.bounds, |last| last.frame.inner_bounds()).max,
        };
        let frame = GridFrame {
            bounds: grid,
            n_x: n_x * side_x,
            n_z: n_z * side_z,
            border_vx: 0,
            ..first.frame
        };
        let n_spans = fields.iter().map(|field| field.spans.len()).sum();
        let mut terrain = Self {
            frame,
            starts: Vec::with_capacity(frame.n_cells() + 1),
            spans: Vec::with_capacity(n_spans),
            cells: Vec::with_capacity(n_spans),
            volumes: Vec::new(),
            is_outside: Vec::new(),
        };
        for z in 0..frame.n_z {
            monitor.check()?;
            let row = (z / side_z * n_x) as usize;
            for x in 0..frame.n_x {
                let field = &fields[row + (x / side_x) as usize];
                let [in_x, in_z] = [x % side_x + border, z % side_z + border];
                let column = field.column(field.frame.cell_index(in_x, in_z));
                terrain.push_column(column);
            }
        }
        terrain.starts.push(index32(terrain.spans.len()));
        terrain.mark_volumes(plan.input(), monitor)?;
        if !bounds.is_empty() {
            let is_outside = |floor: usize| {
                let place = terrain.place(floor);
                let low = f32::from(terrain.spans[floor].max_vx - terrain.spans[floor].min_vx);
                let bottom = place.with_y(place.y - low * frame.cell_height);
                let span = Aabb { min: bottom, max: place };
                !bounds.iter().any(|bound| bound.overlaps(&span))
            };
            terrain.is_outside = (0..terrain.len()).map(is_outside).collect();
        }
        Ok(terrain)
    }

    fn push_column(&mut self, column: &[Span]) {
        let cell = index32(self.starts.len());
        self.starts.push(index32(self.spans.len()));
        self.spans.extend_from_slice(column);
        self.cells.resize(self.spans.len(), cell);
    }

    fn mark_volumes(&mut self, input: &BakeInput, monitor: &dyn Monitor) -> Result<(), Cancelled> {
        let volumes = input.volumes.iter().zip(1..=u16::MAX);
        for (volume, number) in volumes.filter(|(volume, _)| volume.area == RawArea::NULL) {
            self.volumes.resize(self.spans.len(), 0);
            let margin = volume.margin(input.settings.agent_radius);
            cells_in(&self.frame, &volume.shape, margin, |cell, floors| {
                for span in self.starts[cell] as usize..self.starts[cell + 1] as usize {
                    if floors.contains(&i32::from(self.spans[span].max_vx))
                        && self.volumes[span] == 0
                    {
                        self.volumes[span] = number;
                    }
                }
                Ok::<_, Cancelled>(())
            })?;
            monitor.check()?;
        }
        Ok(())
    }

    /// Returns the number of floors.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns the floors of a cell.
    pub(super) fn column(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Returns the column and row of a floor.
    pub(super) fn cell_of(&self, floor: usize) -> (u32, u32) {
        self.position(self.cells[floor] as usize)
    }

    /// Returns the column and row of a cell.
    pub(super) fn position(&self, cell: usize) -> (u32, u32) {
        let cell = index32(cell);
        (cell % self.frame.n_x, cell / self.frame.n_x)
    }

    /// Returns whether a floor is less than `margin` cells away from one of the `borders` of the terrain: its lower and
    /// upper end along x, then along z.
    pub(super) fn is_near_border(&self, floor: usize, borders: [bool; 4], margin: u32) -> bool {
        let (x, z) = self.cell_of(floor);
        let rest = |at: u32, n: u32| n - 1 - at;
        let away = [x, rest(x, self.frame.n_x), z, rest(z, self.frame.n_z)];
        borders.into_iter().zip(away).any(|(is_border, away)| is_border && away < margin)
    }

    /// Returns the height of a floor in voxels.
    pub(super) fn top(&self, floor: usize) -> u32 {
        u32::from(self.spans[floor].max_vx)
    }

    /// Returns the underside of the span above a floor, in voxels.
    pub(super) fn ceiling(&self, floor: usize) -> u32 {
        let above = floor + 1;
        let is_same = self.cells.get(above) == self.cells.get(floor);
        if is_same { u32::from(self.spans[above].min_vx) } else { SKY_VX }
    }

    /// Returns the floor below `floor` in its column.
    pub(super) fn below(&self, floor: usize) -> Option<usize> {
        let below = floor.checked_sub(1)?;
        (self.cells[below] == self.cells[floor]).then_some(below)
    }

    /// Returns the index of the volume that makes a floor unwalkable.
    pub(super) fn volume(&self, floor: usize) -> Option<usize> {
        let number = self.volumes.get(floor).copied().unwrap_or(0);
        usize::from(number).checked_sub(1)
    }

    /// Returns whether a floor is outside the boxes that limit the bake.
    pub(super) fn is_outside(&self, floor: usize) -> bool {
        self.is_outside.get(floor).is_some_and(|&is_outside| is_outside)
    }

    /// Returns the cell `n` cells away from cell `(x, z)` in a direction; `None` if it is outside the rectangle.
    pub(super) fn beside(&self, (x, z): (u32, u32), dir: Dir, n: i32) -> Option<usize> {
        let (x, z) = (x.checked_add_signed(dir.dx() * n)?, z.checked_add_signed(dir.dz() * n)?);
        (x < self.frame.n_x && z < self.frame.n_z).then(|| self.frame.cell_index(x, z))
    }

    /// Returns the floors of the eight cells around a cell.
    pub(super) fn around(&self, (x, z): (u32, u32)) -> impl Iterator<Item = usize> + use<'_> {
        let steps = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| (dx, dz)));
        let cells = steps.filter_map(move |(dx, dz)| {
            let (x, z) = (x.checked_add_signed(dx)?, z.checked_add_signed(dz)?);
            let is_inside = (dx, dz) != (0, 0) && x < self.frame.n_x && z < self.frame.n_z;
            is_inside.then(|| self.frame.cell_index(x, z))
        });
        cells.flat_map(|cell| self.column(cell))
    }

    /// Returns the center of the top of a floor's voxel.
    pub(super) fn place(&self, floor: usize) -> Vec3 {
        let (x, z) = self.cell_of(floor);
        let top = self.spans[floor].max_vx;
        self.frame.world_from_grid(middle(x), f32::from(top), middle(z))
    }

    /// Returns the cell that contains `at`, seen from above.
    pub(super) fn cell_at(&self, at: Vec3) -> Option<(u32, u32)> {
        let offset = (at - self.frame.bounds.min) / self.frame.cell_size;
        let is_inside = offset.x >= 0.0 && offset.z >= 0.0;
        let (x, z) = (whole_part(offset.x), whole_part(offset.z));
        (is_inside && x < self.frame.n_x && z < self.frame.n_z).then_some((x, z))
    }

    /// Returns the floor nearest to `at` vertically, within `reach`, among the floors for which `is_wanted` is true.
    pub(super) fn floor_at(
        &self,
        at: Vec3,
        reach: f32,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (x, z) = self.cell_at(at)?;
        let off = |floor: usize| {
            let top = self.frame.bounds.min.y
                + f32::from(self.spans[floor].max_vx) * self.frame.cell_height;
            (top - at.y).abs()
        };
        let floors = self.column(self.frame.cell_index(x, z)).filter(|&floor| is_wanted(floor));
        floors.min_by(|&a, &b| off(a).total_cmp(&off(b))).filter(|&floor| off(floor) <= reach)
    }
}

fn index32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "grids have fewer than 2^24 cells a side")]
fn middle(cell: u32) -> f32 {
    cell as f32 + 0.5
}
