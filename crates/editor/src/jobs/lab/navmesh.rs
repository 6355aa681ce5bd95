//! Searches over the navmesh's polygons.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    debug_draw,
    diagnostic::Phrase,
    geom::Aabb,
    navmesh::{NavMesh, NavMeshParams, Tile},
    phrase,
    query::{
        Expansion, Filter, NavPath, PathRequest, PathStatus, QueryError, RouteOverlay, Scratch,
        SearchedCell, find_path, find_route_path, find_shortest_path,
    },
    search::{SearchStep, Side, StepKind, Watch as _},
};

use super::{Lab, QUICK, timed, verbatim};
use crate::{
    cluster_map::without_world,
    session::{Effort, LabRow, NavmeshSearch, Recorder, Recording, Searcher, Shape},
};

pub(super) fn run(lab: &Lab<'_>, wanted: &[(Searcher, NavmeshSearch)]) -> Result<(), Phrase> {
    let mesh = lab.request.navmesh.as_deref().ok_or_else(|| phrase!("Bake the level first."))?;
    // An overlay that waits for tiles finds nothing near the edge of a part.
    let part = lab.request.input.part.is_some().then(|| without_world(mesh));
    let mesh = part.as_ref().unwrap_or(mesh);
    let wants_overlay = wanted.iter().any(|(_, search)| *search == NavmeshSearch::Route);
    let overlay = wants_overlay.then(|| timed(|| RouteOverlay::new(mesh, &lab.request.filter)));
    let preprocessing_time = overlay.as_ref().map(|(_, time)| *time);
    let overlay = overlay.and_then(|(overlay, _)| overlay.ok());
    let searched = Searched { mesh, overlay };
    let (mut scratch, mut traced) = (Scratch::default(), Scratch::traced());
    let shortest = searched.search(lab, NavmeshSearch::Polyanya, &mut scratch).ok();
    let least = shortest
        .filter(|path| path.status == PathStatus::Complete)
        .map(|path| f64::from(path.length));
    for &(searcher, search) in wanted {
        let (mut found, mut time) = timed(|| searched.search(lab, search, &mut scratch));
        if time < QUICK {
            (found, time) = timed(|| searched.search(lab, search, &mut scratch));
        }
        // The timed search records no trace. If it finds no path, neither does this one.
        let _ = searched.search(lab, search, &mut traced);
        let why = match &found {
            Err(QueryError::UnequalCosts) => Some(phrase!("area costs differ")),
            Err(error) => Some(verbatim(error)),
            Ok(path) if path.status == PathStatus::Complete => None,
            Ok(_) => Some(phrase!("no complete path")),
        };
        let found = found.unwrap_or_else(|_| NavPath::unreachable());
        let length = f64::from(found.length);
        let is_route = search == NavmeshSearch::Route;
        let n_overlay = searched.overlay.as_ref().filter(|_| is_route).map(RouteOverlay::n_bytes);
        let recording = if is_route {
            recording_of_cells(mesh, traced.searched_cells())
        } else {
            recording(mesh, traced.expanded())
        };
        lab.send(LabRow {
            searcher,
            length,
            cost: least.map(|least| (length, least)),
            why,
            effort: Effort { n_expanded: found.n_expanded as u64, ..Effort::default() },
            points: found.points,
            time,
            preprocessing_time: preprocessing_time.filter(|_| is_route),
            n_bytes: mesh.stats().n_bytes + n_overlay.unwrap_or(0),
            recording: Arc::new(recording),
        });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

struct Searched<'a> {
    mesh: &'a NavMesh,
    overlay: Option<RouteOverlay>,
}

impl Searched<'_> {
    fn search(
        &self,
        lab: &Lab<'_>,
        search: NavmeshSearch,
        scratch: &mut Scratch,
    ) -> Result<NavPath, QueryError> {
        let [start, end] = lab.request.ends;
        let mut filter: Filter = lab.request.filter.clone();
        filter.rules.moves_entries = search == NavmeshSearch::MovingEntries;
        let request = PathRequest::new(start, end, &filter);
        match (search, &self.overlay) {
            (NavmeshSearch::Polyanya, _) => find_shortest_path(self.mesh, &request, scratch),
            (NavmeshSearch::Route, Some(overlay)) => {
                find_route_path(self.mesh, &request, overlay, scratch)
            }
            // There is no overlay if the filter is invalid; the search returns the reason.
            (NavmeshSearch::AStar | NavmeshSearch::MovingEntries | NavmeshSearch::Route, _) => {
                find_path(self.mesh, &request, scratch)
            }
        }
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
