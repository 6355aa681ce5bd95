//! Searches by name on a level: over its ground cell by cell, over its navmesh, through its air.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, CompactField, bake, bake_ground},
    geom::Aabb,
    ground::{Ground, GroundPlace},
    navmesh::NavMesh,
    query::{
        Filter, NavPath, PathRequest, PathStatus, QueryError, Scratch, find_path,
        find_shortest_path,
    },
    search::{SearchStats, SearchStep, StepKind, Unwatched, Watch, dijkstra},
    voxel::{Airspace, AirspaceSettings, CellTree as _, Fill, Volume, Voxel},
};
use web_time::Instant;

use super::{
    algorithm::{
        Algorithm, GridAlgorithm, LevelAlgorithm, Options, PathPoints, SearchResult,
        VolumeAlgorithm,
    },
    grids::GridFinder,
    volumes::VolumeFinder,
};
use crate::limits;

/// Maximum distance between an end and its cell, in meters: horizontally and vertically.
const NEAR: [f32; 2] = [2.0, 4.0];
/// Distance that the air extends beyond the level, in meters.
const AIR: f32 = 3.0;
/// Maximum number of voxels that an end in the air is raised above the given point.
const MAX_RISE: u32 = 40;
const MAX_VOXELS: u64 = 1 << 28;
const MAX_VOXELS_F64: f64 = 268_435_456.0;

#[derive(Debug)]
pub struct LevelQuestion {
    pub input: BakeInput,
    pub ends: [Vec3; 2],
    pub algorithm: Algorithm,
    pub options: Options,
}

impl LevelQuestion {
    /// Returns the result in meters and the time of the search without preprocessing, or the reason why there is
    /// none.
    pub fn answer(self) -> Result<(SearchResult, Duration), String> {
        match self.algorithm {
            Algorithm::Grid(algorithm) => self.on_grid(algorithm),
            Algorithm::Volume(algorithm) => self.in_air(algorithm),
            Algorithm::Level(LevelAlgorithm::Graph) => self.on_graph(),
            Algorithm::Level(LevelAlgorithm::Detour) => self.on_navmesh(find_path),
            Algorithm::Level(LevelAlgorithm::Polyanya) => self.on_navmesh(find_shortest_path),
        }
    }

    fn on_grid(&self, algorithm: GridAlgorithm) -> Result<(SearchResult, Duration), String> {
        let world = World::new(&self.input)?;
        let [(_, start), (_, goal)] = world.ends(self.ends)?;
        if start.floor != goal.floor {
            return Err(
                "the ends are on different floors, but a grid has only one; graph has all \
            floors"
                    .to_owned(),
            );
        }
        let floor = &world.ground.floors[start.floor as usize];
        let watch = &mut Unwatched;
        let mut finder = GridFinder::new(&floor.grid, algorithm, self.options, watch)?;
        let (found, time) = timed(|| finder.find(start.cell, goal.cell, watch));
        let point = |cell: &Vec<u32>| {
            let (x, z) = (cell[0], cell[1]);
            let height = floor.heights_vx[(z * floor.grid.n_x() + x) as usize];
            world.point((floor.min.x + x, floor.min.y + z), height)
        };
        let size = f64::from(world.field.frame.cell_size);
        Ok((in_meters(found, size, point), time))
    }

    fn on_graph(&self) -> Result<(SearchResult, Duration), String> {
        let world = World::new(&self.input)?;
        let [(start, _), (goal, _)] = world.ends(self.ends)?;
        let graph = world.ground.graph(&world.field).map_err(|error| error.to_string())?;
        let number = |span: usize| u32::try_from(span).unwrap_or(u32::MAX);
        let [start, goal] = [number(start), number(goal)];
        let (tree, time) =
            timed(|| dijkstra(&graph, start, |vertex| vertex == goal, &mut Unwatched));
        let mut count = Count::default();
        dijkstra(&graph, start, |vertex| vertex == goal, &mut count);
        let path = tree.path(goal).unwrap_or_default();
        let points = path.iter().map(|&vertex| world.middle(vertex as usize)).collect();
        let found = SearchResult {
            cost: tree.cost(goal),
            path: PathPoints::Points(points),
            stats: count.0,
        };
        Ok((found, time))
    }

    fn on_navmesh(
        self,
        find: impl Fn(&NavMesh, &PathRequest<'_>, &mut Scratch) -> Result<NavPath, QueryError>,
    ) -> Result<(SearchResult, Duration), String> {
        let plan = BakePlan::new(self.input).map_err(|error| error.to_string())?;
        limits::admit(&plan).map_err(|error| error.to_string())?;
        let mesh =
            bake(plan.input().clone(), &limits::InTime).map_err(|error| error.to_string())?;
        let filter = Filter::default();
        let request = PathRequest::new(self.ends[0], self.ends[1], &filter);
        let scratch = &mut Scratch::default();
        let (path, time) = timed(|| find(&mesh, &request, scratch));
        let path = path.map_err(|error| error.to_string())?;
        let is_whole = path.status == PathStatus::Complete;
        let found = SearchResult {
            cost: is_whole.then_some(f64::from(path.length)),
            path: PathPoints::Points(if is_whole { path.points } else { Vec::new() }),
            stats: SearchStats { n_expanded: path.n_expanded as u64, ..SearchStats::default() },
        };
        Ok((found, time))
    }

    fn in_air(&self, algorithm: VolumeAlgorithm) -> Result<(SearchResult, Duration), String> {
        let BakeSettings { cell_size, agent_radius, .. } = self.input.settings;
        let bounds = self.input.mesh.bounds();
        let bounds = Aabb::new(bounds.min - Vec3::splat(AIR), bounds.max + Vec3::splat(AIR));
        let sides = (bounds.size() / cell_size).to_array().map(f64::from);
        if sides.iter().product::<f64>() > MAX_VOXELS_F64 {
            let text = format!("the air has more than {MAX_VOXELS} voxels; set a larger cell_size");
            return Err(text);
        }
        let settings = AirspaceSettings { voxel_size: cell_size, agent_radius };
        let air = Airspace::new(&self.input.mesh, bounds, settings, &limits::InTime);
        let air = air.map_err(|error| error.to_string())?;
        let volume = volume(&air)?;
        let free = |end: Vec3| {
            let [x, y, z] = air.voxel(end)?;
            let above = (y..=y.saturating_add(MAX_RISE)).map(|y| [x, y, z]);
            above.into_iter().find(|&voxel| !volume.is_blocked(voxel))
        };
        let [start, goal] = self.ends.map(free);
        let start = start.ok_or("there is no free voxel above --from")?;
        let goal = goal.ok_or("there is no free voxel above --to")?;
        let mut finder = VolumeFinder::new(&volume, algorithm, self.options)?;
        let (found, time) = timed(|| finder.find(start, goal, &mut Unwatched));
        let point = |voxel: &Vec<u32>| {
            #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
            let at = |axis: usize| voxel[axis] as f32 + 0.5;
            air.origin + Vec3::new(at(0), at(1), at(2)) * cell_size
        };
        let found = match found.path {
            PathPoints::Points(points) => {
                let points = points.into_iter().map(|point| air.origin + point * cell_size);
                SearchResult { path: PathPoints::Points(points.collect()), ..found }
            }
            PathPoints::Cells(_) | PathPoints::Plane(_) => found,
        };
        Ok((in_meters(found, f64::from(cell_size), point), time))
    }
}

/// Returns the voxels of a space, one bit each.
fn volume(air: &Airspace) -> Result<Volume, String> {
    let size = air.tree.size();
    let n: u64 = size.iter().map(|&n| u64::from(n)).product();
    if n > MAX_VOXELS {
        return Err(format!("{n} voxels are more than {MAX_VOXELS}; set a larger cell_size"));
    }
    let mut volume = Volume::new(size).map_err(|error| error.to_string())?;
    let [n_x, n_y, n_z] = size;
    for voxel in (0..n_z).flat_map(|z| (0..n_y).map(move |y| [0, y, z])) {
        let mut at: Voxel = voxel;
        while at[0] < n_x {
            let Some(cell) = air.tree.cell(at) else { break };
            let end = (cell.min[0] + cell.side()).min(n_x);
            for x in at[0]..end {
                if cell.fill == Fill::Blocked {
                    volume.set([x, at[1], at[2]], Fill::Blocked);
                }
            }
            at[0] = end;
        }
    }
    Ok(volume)
}

/// Converts a result in cells or voxels of side `size` to meters.
fn in_meters(found: SearchResult, size: f64, point: impl Fn(&Vec<u32>) -> Vec3) -> SearchResult {
    let path = match found.path {
        PathPoints::Cells(cells) => PathPoints::Points(cells.iter().map(point).collect()),
        points @ (PathPoints::Points(_) | PathPoints::Plane(_)) => points,
    };
    SearchResult { cost: found.cost.map(|cost| cost * size), path, ..found }
}

#[derive(Default)]
struct Count(SearchStats);

impl Watch for Count {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        match step().kind {
            StepKind::Expanded => self.0.n_expanded += 1,
            StepKind::Opened | StepKind::Lowered => self.0.n_opened += 1,
            StepKind::Scanned => {}
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let made = work();
    (made, clock.elapsed())
}

/// The ground of a level, baked in one piece.
struct World {
    field: CompactField,
    ground: Ground,
}

impl World {
    fn new(input: &BakeInput) -> Result<Self, String> {
        let settings = BakeSettings { tile_size: 0, ..input.settings.clone() };
        let input = BakeInput { settings, ..input.clone() };
        let plan = BakePlan::new(input).map_err(|error| error.to_string())?;
        limits::admit_in_one_piece(&plan)?;
        let tile = plan.tiles().next().ok_or("the level is empty")?;
        let (field, areas) =
            bake_ground(&plan, tile, &limits::InTime).map_err(|error| error.to_string())?;
        let ground = Ground::new(&field, &areas).map_err(|error| error.to_string())?;
        Ok(Self { field, ground })
    }

    /// Returns the walkable cells nearest to the ends: their spans and places.
    fn ends(&self, ends: [Vec3; 2]) -> Result<[(usize, GroundPlace); 2], String> {
        let [start, goal] = ends.map(|end| self.nearest(end));
        let start = start.ok_or("no walkable cell is near --from")?;
        Ok([start, goal.ok_or("no walkable cell is near --to")?])
    }

    fn nearest(&self, to: Vec3) -> Option<(usize, GroundPlace)> {
        let places = (0..self.field.spans.len()).filter_map(|span| {
            let place = self.ground.place(span)?;
            let away = (self.middle_of(span, place) - to).abs();
            let is_near = away.x.max(away.z) <= NEAR[0] && away.y <= NEAR[1];
            is_near.then_some((away.length_squared(), span, place))
        });
        let nearest = places.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, span, place)| (span, place))
    }

    fn middle(&self, span: usize) -> Vec3 {
        self.ground.place(span).map_or(Vec3::ZERO, |place| self.middle_of(span, place))
    }

    fn middle_of(&self, span: usize, place: GroundPlace) -> Vec3 {
        let min = self.ground.floors[place.floor as usize].min;
        let column = (min.x + place.cell.x, min.y + place.cell.y);
        self.point(column, self.field.spans[span].floor_vx)
    }

    /// Returns the middle of the floor at a height in a column.
    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    fn point(&self, (x, z): (u32, u32), height_vx: u16) -> Vec3 {
        let frame = &self.field.frame;
        frame.world_from_grid(x as f32 + 0.5, f32::from(height_vx), z as f32 + 0.5)
    }
}
