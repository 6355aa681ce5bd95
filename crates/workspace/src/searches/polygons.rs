//! Searches on polygon meshes.

use glam::DVec2;
use walkable::{
    query::polyanya::{
        PlaneOutcome, PlanePath, PlaneRequest, PlaneScratch, PolygonMesh, shortest_in_plane_into,
    },
    search::{SearchStats, SearchStep, Side, StepKind, Watch},
};

use super::algorithm::{PathPoints, SearchResult};

/// Number of nodes of the first attempt; each further one has twice as many.
const FIRST_NODES: usize = 1 << 16;

/// Polyanya on a polygon mesh.
#[derive(Debug)]
pub struct PolygonFinder<'a> {
    mesh: &'a PolygonMesh,
    scratch: PlaneScratch<u32>,
    path: PlanePath<u32>,
}

impl<'a> PolygonFinder<'a> {
    pub(super) fn new(mesh: &'a PolygonMesh) -> Self {
        Self { mesh, scratch: PlaneScratch::default(), path: PlanePath::default() }
    }

    /// Finds the shortest path. An attempt that runs out of nodes is repeated with more, unless `watch`, which gets a
    /// step for each node, ends the search.
    pub(super) fn find(&mut self, ends: [DVec2; 2], watch: &mut impl Watch) -> SearchResult {
        let [Some(start), Some(end)] = ends.map(|end| self.mesh.locate(end)) else {
            return SearchResult::default();
        };
        let mut request = PlaneRequest { max_nodes: FIRST_NODES, ..PlaneRequest::new(start, end) };
        let path = &mut self.path;
        while watch.goes_on() {
            let found = shortest_in_plane_into(self.mesh, &request, &mut self.scratch, path);
            if found.is_err() {
                break;
            }
            let stats =
                SearchStats { n_expanded: path.n_expanded as u64, ..SearchStats::default() };
            match path.outcome {
                PlaneOutcome::Found => {
                    let points = PathPoints::Plane(path.points.clone());
                    return SearchResult { cost: Some(path.length), path: points, stats };
                }
                PlaneOutcome::Unreachable => {
                    return SearchResult { stats, ..SearchResult::default() };
                }
                PlaneOutcome::OutOfNodes => {
                    let (kind, place) = (StepKind::Opened, u64::from(start.poly));
                    let (parent, side, [g, h, f]) = (None, Side::Start, [0.0; 3]);
                    for _ in 0..request.max_nodes {
                        watch.step(|| SearchStep { kind, place, parent, side, g, h, f });
                    }
                    request.max_nodes *= 2;
                }
            }
        }
        SearchResult::default()
    }
}
