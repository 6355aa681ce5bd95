//! Searches on the grid of a map, or of one floor of a level.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    grid::{Cell, Grid},
    ground::Floor,
    monitor::Monitor,
    phrase,
    search::{Unwatched, Watch, cancellable},
};

use super::{
    LevelAnswer, LevelSearch, LevelSpaces, Search, Way, ground::GroundWorld, length, recorded,
    timed, verbatim,
};
use crate::searches::{
    GridAlgorithm, GridFinder, Map, Options, PathPoints, Recording, SearchResult, Shape,
};

/// Maximum distance between an end of the path and its cell on a map, in cells.
const NEAR: i32 = 6;

impl LevelSpaces<'_> {
    pub(super) fn search_grid(
        &self,
        algorithm: GridAlgorithm,
        options: Options,
    ) -> Result<LevelSearch<'_>, Phrase> {
        let (plan, ends, in_plan) = self.plan()?;
        let (finder, in_finder) = timed(|| {
            cancellable(self.monitor, &mut Unwatched, |watch| {
                GridFinder::new(plan.grid, algorithm, options, watch)
            })
        });
        let finder = finder.map_err(verbatim)?.map_err(verbatim)?;
        Ok(LevelSearch {
            n_bytes: plan.grid.n_bytes() + GridFinder::table_bytes(plan.grid, algorithm, options),
            preprocessing_time: Some(in_plan + in_finder),
            way: Way::Grid(Box::new(GridSearch { plan, finder, ends })),
            monitor: self.monitor,
        })
    }

    /// Returns the grid of the map, or of the floor on which both ends are; the cells of the ends; and the time it took
    /// to build.
    fn plan(&self) -> Result<(Plan<'_>, [Cell; 2], Duration), Phrase> {
        if let Some(map) = self.question.map {
            let Map::Grid(grid) = map else {
                return Err(phrase!("This map is a volume: it has no grid."));
            };
            let plan = Plan { grid, corner: Vec3::ZERO, cell_size: 1.0, heights: None };
            let [start, end] = self.question.ends.map(|end| plan.near(end));
            let start = start.ok_or_else(|| {
                phrase!("No cell of the map that can be passed is near the start.")
            })?;
            let end = end
                .ok_or_else(|| phrase!("No cell of the map that can be passed is near the end."))?;
            return Ok((plan, [start, end], Duration::ZERO));
        }
        let (ground, in_ground) = self.ground()?;
        let [(_, start), (_, end)] = ground.ends(self.question.ends)?;
        if start.floor != end.floor {
            return Err(phrase!(
                "The ends are on different floors ({start} and {end}), but a grid has only one. The graph \
                has all floors.",
                start = (start.floor + 1).to_string(),
                end = (end.floor + 1).to_string()
            ));
        }
        let plan = Plan::of_floor(ground, &ground.ground.floors[start.floor as usize]);
        Ok((plan, [start.cell, end.cell], in_ground))
    }
}

/// A grid and its place in the level.
#[derive(Clone, Copy)]
struct Plan<'a> {
    grid: &'a Grid,
    /// Position of the corner of its first cell.
    corner: Vec3,
    /// Side of a cell, in meters.
    cell_size: f32,
    /// Height of each cell, and the unit of the heights in meters; `None` for flat ground.
    heights: Option<(&'a [u16], f32)>,
}

impl<'a> Plan<'a> {
    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    fn of_floor(ground: &'a GroundWorld, floor: &'a Floor) -> Self {
        let frame = &ground.field.frame;
        let corner = frame.world_from_grid(floor.min.x as f32, 0.0, floor.min.y as f32);
        let heights = Some((&floor.heights_vx[..], frame.cell_height));
        Self { grid: &floor.grid, corner, cell_size: frame.cell_size, heights }
    }

    #[expect(clippy::cast_possible_truncation, reason = "such casts saturate")]
    fn near(self, place: Vec3) -> Option<Cell> {
        let [x, y] = [place.x, place.z].map(|along| (along / self.cell_size).floor() as i32);
        let around = (-NEAR..=NEAR).flat_map(|dy| (-NEAR..=NEAR).map(move |dx| (dx, dy)));
        let cells = around.filter_map(|(dx, dy)| {
            let x = u32::try_from(x.saturating_add(dx)).ok()?;
            let cell = Cell::new(x, u32::try_from(y.saturating_add(dy)).ok()?);
            self.grid.is_passable(cell).then_some((dx * dx + dy * dy, cell))
        });
        cells.min_by_key(|(distance, _)| *distance).map(|(_, cell)| cell)
    }

    fn shape(self, number: u64) -> Shape {
        let cell = self.grid.cell(u32::try_from(number).unwrap_or(u32::MAX));
        let middle = self.middle(cell);
        let half = Vec3::new(self.cell_size, 0.0, self.cell_size) * 0.5;
        Shape::Cell(Aabb::new(middle - half, middle + half))
    }

    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    fn middle(self, cell: Cell) -> Vec3 {
        let along = Vec3::new(cell.x as f32 + 0.5, 0.0, cell.y as f32 + 0.5) * self.cell_size;
        self.corner + along.with_y(self.height(cell))
    }

    fn height(self, cell: Cell) -> f32 {
        let Some((heights, unit)) = self.heights else { return 0.0 };
        let number = self.grid.number(cell) as usize;
        heights.get(number).map_or(0.0, |&height| f32::from(height) * unit)
    }

    /// Returns the points of a path over the ground. If the cells have heights, there is a point for each cell.
    fn points(self, cells: &[Cell]) -> Vec<Vec3> {
        let mut points: Vec<Vec3> =
            cells.first().map(|&cell| self.middle(cell)).into_iter().collect();
        for leg in cells.windows(2) {
            let n = leg[0].x.abs_diff(leg[1].x).max(leg[0].y.abs_diff(leg[1].y));
            let n = if self.heights.is_some() { n } else { 1 };
            let [from, to] = [self.middle(leg[0]), self.middle(leg[1])];
            for step in 1..=n {
                let at = from.lerp(to, share(step, n));
                let cell = nearest(leg, share(step, n));
                points.push(at.with_y(self.corner.y + self.height(cell)));
            }
        }
        points
    }
}

#[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// Returns the cell nearest to the point of `leg` at the fraction `part`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between two cells"
)]
fn nearest(leg: &[Cell], part: f32) -> Cell {
    let between = |a: u32, b: u32| (a as f32 + (b as f32 - a as f32) * part).round() as u32;
    Cell::new(between(leg[0].x, leg[1].x), between(leg[0].y, leg[1].y))
}

pub(super) struct GridSearch<'s> {
    plan: Plan<'s>,
    finder: GridFinder<'s>,
    ends: [Cell; 2],
}

impl Search for GridSearch<'_> {
    type Found = SearchResult;

    fn find<W: Watch>(&mut self, watch: &mut W) -> SearchResult {
        let [start, goal] = self.ends;
        self.finder.find(start, goal, watch)
    }

    fn answer(&self, found: SearchResult, _: &dyn Monitor) -> Result<LevelAnswer, Phrase> {
        let cells: Vec<Cell> = match &found.path {
            PathPoints::Cells(cells) => {
                cells.iter().filter(|at| at.len() == 2).map(|at| Cell::new(at[0], at[1])).collect()
            }
            PathPoints::Points(_) | PathPoints::Plane(_) => Vec::new(),
        };
        let points = self.plan.points(&cells);
        Ok(LevelAnswer {
            length: length(&points),
            points,
            cost: found.cost.map(|cost| cost * f64::from(self.plan.cell_size)),
            why: found.cost.is_none().then(|| phrase!("no path on this floor")),
            effort: found.stats.into(),
        })
    }

    fn record(&mut self, monitor: &dyn Monitor) -> Result<Recording, Phrase> {
        let plan = self.plan;
        recorded(self, monitor, |place| plan.shape(place))
    }
}
