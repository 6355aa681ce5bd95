//! Searches on the grid of one floor.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    grid::{Cell, Grid},
    ground::Floor,
    phrase,
    search::Watch,
};
use walkable_workspace::searches::{
    GridAlgorithm, GridFinder, Map, Options, PathPoints, SearchResult,
};

use super::{
    Lab, LabMessage, RepeatableSearch, effort, ground::GroundWorld, length, searched, timed,
    verbatim,
};
use crate::session::{GridOptions, LabRow, Searcher, Shape, SweepPoint};

const WEIGHTS: [f64; 16] =
    [0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0];
/// Maximum distance between a path's end and its cell of a map, in cells.
const NEAR: i32 = 6;

pub(super) type GridSearch = (GridAlgorithm, GridOptions);

pub(super) fn run(lab: &Lab<'_>, wanted: &[(Searcher, GridSearch)]) -> Result<(), Phrase> {
    if let Some(map) = lab.request.map.as_deref() {
        let Map::Grid(grid) = &map.map else {
            return Err(phrase!("This map is a volume: it has no grid."));
        };
        let plan = Plan { grid, corner: Vec3::ZERO, cell_size: 1.0, heights: None };
        let [start, end] = lab.request.ends.map(|end| plan.near(end));
        let start = start
            .ok_or_else(|| phrase!("No cell of the map that can be passed is near the start."))?;
        let end =
            end.ok_or_else(|| phrase!("No cell of the map that can be passed is near the end."))?;
        return search(lab, wanted, &plan, [start, end], Duration::ZERO);
    }
    let (ground, preprocessing_time) = lab.ground()?;
    let [start, end] = lab.request.ends.map(|end| ground.span_near(end));
    let (_, start) = start.ok_or_else(|| phrase!("No walkable cell is near the start."))?;
    let (_, end) = end.ok_or_else(|| phrase!("No walkable cell is near the end."))?;
    if start.floor != end.floor {
        return Err(phrase!(
            "The ends are on different floors ({start} and {end}), but a grid has only one. The graph \
            has all floors.",
            start = (start.floor + 1).to_string(),
            end = (end.floor + 1).to_string()
        ));
    }
    let plan = Plan::of_floor(ground, &ground.ground.floors[start.floor as usize]);
    search(lab, wanted, &plan, [start.cell, end.cell], preprocessing_time)
}

/// Runs the requested searches on one grid, which was built in the time `preprocessing_time`.
fn search(
    lab: &Lab<'_>,
    wanted: &[(Searcher, GridSearch)],
    plan: &Plan<'_>,
    ends: [Cell; 2],
    preprocessing_time: Duration,
) -> Result<(), Phrase> {
    let least = plan.least(lab, ends)?;
    for &(searcher, search) in wanted {
        let row = row(lab, plan, (searcher, search), ends)?;
        lab.send(LabRow {
            cost: row.cost.and_then(|(cost, _)| Some((cost, least?))),
            preprocessing_time: row.preprocessing_time.map(|time| time + preprocessing_time),
            ..row
        });
        if lab.is_cancelled() {
            return Ok(());
        }
    }
    if lab.request.tries_weights {
        let sweep = sweep(lab, plan, ends, least);
        lab.report.send(LabMessage::Sweep(sweep));
    }
    Ok(())
}

/// Returns the results of A* with each heuristic weight.
fn sweep(
    lab: &Lab<'_>,
    plan: &Plan<'_>,
    [start, end]: [Cell; 2],
    least: Option<f64>,
) -> Vec<SweepPoint> {
    let mut points = Vec::new();
    for weight in WEIGHTS {
        let options = Options::by(lab.request.settings.estimate, weight);
        let found = lab.search(|watch| {
            let mut finder = GridFinder::new(plan.grid, GridAlgorithm::AStar, options, watch)?;
            Ok::<_, String>(finder.find(start, end, watch))
        });
        let Ok(Ok(found)) = found else { break };
        let (Some(cost), Some(least)) = (found.cost, least) else { break };
        let cost = cost * f64::from(plan.cell_size);
        let over = if least > 0.0 { cost / least - 1.0 } else { 0.0 };
        points.push(SweepPoint { weight, n_expanded: found.stats.n_expanded, over });
    }
    points
}

pub(super) struct Plan<'a> {
    pub(super) grid: &'a Grid,
    /// Position of its first corner.
    corner: Vec3,
    /// Side of a cell, in meters.
    cell_size: f32,
    /// Height of each cell, and the unit in meters; `None` for level ground.
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
    fn near(&self, place: Vec3) -> Option<Cell> {
        let [x, y] = [place.x, place.z].map(|along| (along / self.cell_size).floor() as i32);
        let around = (-NEAR..=NEAR).flat_map(|dy| (-NEAR..=NEAR).map(move |dx| (dx, dy)));
        let cells = around.filter_map(|(dx, dy)| {
            let x = u32::try_from(x.saturating_add(dx)).ok()?;
            let cell = Cell::new(x, u32::try_from(y.saturating_add(dy)).ok()?);
            self.grid.is_passable(cell).then_some((dx * dx + dy * dy, cell))
        });
        cells.min_by_key(|(distance, _)| *distance).map(|(_, cell)| cell)
    }

    /// Cost of the optimal path with 8 neighbors, in meters.
    fn least(&self, lab: &Lab<'_>, [start, end]: [Cell; 2]) -> Result<Option<f64>, Phrase> {
        let options = Options::default();
        let found = lab.search(|watch| {
            let mut finder = GridFinder::new(self.grid, GridAlgorithm::JpsPruned, options, watch)?;
            Ok::<_, String>(finder.find(start, end, watch))
        })?;
        let found = found.map_err(verbatim)?;
        Ok(found.cost.map(|cost| cost * f64::from(self.cell_size)))
    }

    pub(super) fn shape(&self, number: u64) -> Shape {
        let cell = self.grid.cell(u32::try_from(number).unwrap_or(u32::MAX));
        let middle = self.middle(cell);
        let half = Vec3::new(self.cell_size, 0.0, self.cell_size) * 0.5;
        Shape::Cell(Aabb::new(middle - half, middle + half))
    }

    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    fn middle(&self, cell: Cell) -> Vec3 {
        let along = Vec3::new(cell.x as f32 + 0.5, 0.0, cell.y as f32 + 0.5) * self.cell_size;
        self.corner + along.with_y(self.height(cell))
    }

    fn height(&self, cell: Cell) -> f32 {
        let Some((heights, unit)) = self.heights else { return 0.0 };
        let number = self.grid.number(cell) as usize;
        heights.get(number).map_or(0.0, |&height| f32::from(height) * unit)
    }

    /// Returns a path over the ground, cell by cell on uneven ground.
    fn points(&self, cells: &[Cell]) -> Vec<Vec3> {
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

/// Returns the cell nearest to a point of a leg, which is given as a fraction of the leg.
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

/// Returns one result, without its optimal cost.
fn row(
    lab: &Lab<'_>,
    plan: &Plan<'_>,
    (searcher, (algorithm, options)): (Searcher, GridSearch),
    [start, goal]: [Cell; 2],
) -> Result<LabRow, Phrase> {
    let options = options.with(lab.request.settings.options());
    let (finder, preprocessing_time) =
        timed(|| lab.search(|watch| GridFinder::new(plan.grid, algorithm, options, watch)));
    let question = GridQuestion { finder: finder?.map_err(verbatim)?, start, goal };
    let (found, time, recording) = searched(lab.report, question, |place| plan.shape(place))?;
    let cells: Vec<Cell> = match &found.path {
        PathPoints::Cells(cells) => {
            cells.iter().filter(|at| at.len() == 2).map(|at| Cell::new(at[0], at[1])).collect()
        }
        PathPoints::Points(_) | PathPoints::Plane(_) => Vec::new(),
    };
    let points = plan.points(&cells);
    let cost = found.cost.map(|cost| cost * f64::from(plan.cell_size));
    Ok(LabRow {
        searcher,
        length: length(&points),
        points,
        cost: cost.map(|cost| (cost, cost)),
        why: found.cost.is_none().then(|| phrase!("no path on this floor")),
        effort: effort(found.stats),
        time,
        preprocessing_time: Some(preprocessing_time),
        n_bytes: plan.grid.n_bytes() + GridFinder::table_bytes(plan.grid, algorithm, options),
        recording,
    })
}

struct GridQuestion<'a> {
    finder: GridFinder<'a>,
    start: Cell,
    goal: Cell,
}

impl RepeatableSearch for GridQuestion<'_> {
    type Output = SearchResult;

    fn search<W: Watch>(&mut self, watch: &mut W) -> SearchResult {
        self.finder.find(self.start, self.goal, watch)
    }
}
