//! Searches over the navmesh's polygons.

use glam::Vec3;
use walkable::{
    debug_draw,
    diagnostic::Phrase,
    geom::Aabb,
    monitor::Monitor,
    navmesh::{NavMesh, NavMeshParams, Tile},
    phrase,
    query::{
        Expansion, Filter, NavPath, PathRequest, PathStatus, QueryError, RouteOverlay, Scratch,
        SearchedCell, find_path, find_route_path, find_shortest_path,
    },
    search::{SearchStep, Side, StepKind, Watch},
};

use super::{Effort, LevelAnswer, LevelSearch, LevelSpaces, Search, Way, prepared, verbatim};
use crate::searches::{NavmeshAlgorithm, Recorder, Recording, Shape};

impl LevelSpaces<'_> {
    pub(super) fn search_navmesh(
        &self,
        algorithm: NavmeshAlgorithm,
    ) -> Result<LevelSearch<'_>, Phrase> {
        let mesh = self.question.navmesh.ok_or_else(|| phrase!("Bake the level first."))?;
        let mut filter = self.question.filter.clone();
        filter.rules.moves_entries = algorithm == NavmeshAlgorithm::MovingEntries;
        let (mut overlay, mut preprocessing_time) = (None, None);
        if algorithm == NavmeshAlgorithm::Route {
            // There is no overlay if the filter is invalid; the search returns the reason.
            let make = || Ok(RouteOverlay::new(mesh, self.question.filter).ok());
            let (built, time) = prepared(&self.overlay, make)?;
            (overlay, preprocessing_time) = (built.as_ref(), Some(time));
        }
        let n_bytes = mesh.stats().n_bytes + overlay.map_or(0, RouteOverlay::n_bytes);
        let (ends, scratch) = (self.question.ends, Scratch::default());
        let search = NavmeshSearch { mesh, overlay, filter, algorithm, ends, scratch };
        let way = Way::Navmesh(Box::new(search));
        Ok(LevelSearch { way, monitor: self.monitor, preprocessing_time, n_bytes })
    }
}

pub(super) struct NavmeshSearch<'s> {
    mesh: &'s NavMesh,
    overlay: Option<&'s RouteOverlay>,
    filter: Filter,
    algorithm: NavmeshAlgorithm,
    ends: [Vec3; 2],
    scratch: Scratch,
}

impl NavmeshSearch<'_> {
    fn search(&mut self) -> Result<NavPath, QueryError> {
        let [start, end] = self.ends;
        let (mesh, scratch) = (self.mesh, &mut self.scratch);
        let request = PathRequest::new(start, end, &self.filter);
        match (self.algorithm, self.overlay) {
            (NavmeshAlgorithm::Polyanya, _) => find_shortest_path(mesh, &request, scratch),
            (NavmeshAlgorithm::Route, Some(overlay)) => {
                find_route_path(mesh, &request, overlay, scratch)
            }
            (
                NavmeshAlgorithm::Detour
                | NavmeshAlgorithm::MovingEntries
                | NavmeshAlgorithm::Route,
                _,
            ) => find_path(mesh, &request, scratch),
        }
    }
}

impl Search for NavmeshSearch<'_> {
    type Found = Result<NavPath, QueryError>;

    fn find<W: Watch>(&mut self, _: &mut W) -> Self::Found {
        self.search()
    }

    fn answer(&self, found: Self::Found, _: &dyn Monitor) -> Result<LevelAnswer, Phrase> {
        let why = match &found {
            Err(QueryError::UnequalCosts) => Some(phrase!("area costs differ")),
            Err(error) => Some(verbatim(error)),
            Ok(path) if path.status == PathStatus::Complete => None,
            Ok(_) => Some(phrase!("no complete path")),
        };
        let found = found.unwrap_or_else(|_| NavPath::unreachable());
        let length = f64::from(found.length);
        Ok(LevelAnswer {
            length,
            cost: why.is_none().then_some(length),
            effort: Effort { n_expanded: found.n_expanded as u64, ..Effort::default() },
            points: found.points,
            why,
        })
    }

    /// Searches once more, with a trace. The traced search is not timed.
    fn record(&mut self, _: &dyn Monitor) -> Result<Recording, Phrase> {
        self.scratch = Scratch::traced();
        // If the timed search found no path, neither does this one.
        let _ = self.search();
        let traced = std::mem::take(&mut self.scratch);
        Ok(if self.algorithm == NavmeshAlgorithm::Route {
            recording_of_cells(self.mesh, traced.searched_cells())
        } else {
            recording(self.mesh, traced.expanded())
        })
    }
}

/// Records the cells that a route's search looked at.
fn recording_of_cells(mesh: &NavMesh, cells: &[SearchedCell]) -> Recording {
    let place = |cell: &SearchedCell| (cell.level, cell.tiles[0]);
    let mut places: Vec<_> = cells.iter().map(place).collect();
    places.sort_unstable();
    places.dedup();
    let shape = |number: u64| {
        let place_of = usize::try_from(number).ok().and_then(|number| places.get(number));
        let cell = cells.iter().find(|cell| Some(&place(cell)) == place_of);
        let level = |cell: &SearchedCell| u32::try_from(cell.level).unwrap_or(0);
        cell.map_or(Shape::Voxel(Vec3::ZERO), |cell| Shape::Square(extent(mesh, cell), level(cell)))
    };
    let mut recorder = Recorder::new(shape);
    for cell in cells {
        let number = places.binary_search(&place(cell)).unwrap_or(0);
        recorder.step(|| SearchStep {
            kind: StepKind::Expanded,
            place: number as u64,
            parent: None,
            side: Side::Start,
            g: cell.g.into(),
            h: (cell.f - cell.g).max(0.0).into(),
            f: cell.f.into(),
        });
    }
    recorder.finish()
}

/// Returns the part of a cell that is inside the navmesh, at the median height of its vertices. It is slightly smaller
/// than the cell, so that the outlines of neighbors do not overlap.
fn extent(mesh: &NavMesh, cell: &SearchedCell) -> Aabb {
    /// Distance from the border of the cell, as a fraction of the side of a tile.
    const INSET: f32 = 0.06;
    let [min, max] = cell.tiles;
    let is_inside = |tile: &&Tile| {
        let at = [tile.header.x, tile.header.z];
        (0..2).all(|axis| (min[axis]..=max[axis]).contains(&at[axis]))
    };
    let vertices = mesh.tiles().filter(is_inside).flat_map(|tile| &tile.vertices);
    let mut heights: Vec<f32> = vertices.map(|at| at.y).collect();
    heights.sort_by(f32::total_cmp);
    let y = heights.get(heights.len() / 2).copied().unwrap_or(0.0);
    let NavMeshParams { origin, tile_width, tile_height, .. } = *mesh.params();
    #[expect(clippy::cast_precision_loss, reason = "worlds have few tiles along a side")]
    let corner = |[x, z]: [i32; 2]| {
        Vec3::new(origin.x + x as f32 * tile_width, y, origin.z + z as f32 * tile_height)
    };
    let bounds = mesh.bounds();
    let low = corner(min).max(bounds.min.with_y(y));
    let high = corner(max.map(|at| at.saturating_add(1))).min(bounds.max.with_y(y));
    let inset = Vec3::new(tile_width, 0.0, tile_height) * INSET;
    Aabb::new(low + inset, high - inset)
}

/// Records the expansions. Each one is a separate node, because a polygon may be entered more than once.
fn recording(navmesh: &NavMesh, expanded: &[Expansion]) -> Recording {
    let shape = |place: u64| {
        let node = usize::try_from(place).ok().and_then(|index| expanded.get(index));
        let Some(node) = node else { return Shape::Voxel(Vec3::ZERO) };
        let triangles = debug_draw::corridor(navmesh, &[node.poly]).triangles;
        Shape::Polygon(node.position, triangles.iter().map(|t| t.corners).collect())
    };
    let mut recorder = Recorder::new(shape);
    for (place, node) in (0..).zip(expanded) {
        recorder.step(|| SearchStep {
            kind: StepKind::Expanded,
            place,
            parent: node.parent.map(u64::from),
            side: Side::Start,
            g: node.g.into(),
            h: (node.f - node.g).max(0.0).into(),
            f: node.f.into(),
        });
    }
    recorder.finish()
}
