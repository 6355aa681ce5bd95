//! Determines without a search whether a path can reach its end.

use super::{
    HeldBack, MeshPoint, NavPath, PathRequest, QueryError, Reachability, Scratch, WhyNot,
    path::find_ends, why,
};
use crate::navmesh::{LiveTile, NavMesh, PolyRef};

/// Whether a path can lead from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathReach {
    /// Whether the end can be reached. A search may still end early, at a limit of its nodes or costs.
    pub is_reachable: bool,
    /// The polygon and point nearest to the requested start.
    pub start: Option<MeshPoint>,
    /// The polygon and point nearest to the requested end.
    pub end: Option<MeshPoint>,
    /// Why the end cannot be reached; `None` if it can.
    pub why: Option<WhyNot>,
}

/// Determines without a search whether a path can reach its end: the same result that [`find_path`](super::find_path)
/// gives without limits. `known` must have been computed for the navmesh and for the filter of the request.
///
/// A positive answer takes as long as finding the polygons of the ends. For a negative one, the reason is found as in
/// `find_path`, which may visit all polygons that are reachable without the filter.
///
/// ```
/// # use std::sync::Arc;
/// # use walkable::{bake::*, level::*, monitor::Unmonitored};
/// # use walkable::query::*;
/// # let level = generate(LevelKind::Sample, 1, 30.0)?;
/// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
/// # let (filter, mut scratch) = (Filter::default(), Scratch::default());
/// let known = Reachability::new(&mesh, &filter); // once per navmesh and filter
/// let request = PathRequest::new(level.start, level.end, &filter);
/// assert!(check_reach(&mesh, &request, &known, &mut scratch)?.is_reachable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`QueryError`] as `find_path` does, and [`QueryError::StaleReachability`] if the navmesh has changed since
/// `known` was computed.
pub fn check_reach(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    known: &Reachability,
    scratch: &mut Scratch,
) -> Result<PathReach, QueryError> {
    if !known.is_current(mesh) {
        return Err(QueryError::StaleReachability);
    }
    let mut path = NavPath::unreachable();
    let ends = find_ends(mesh, request, &mut path)?;
    let NavPath { start, end, why, .. } = path;
    let Some([from, to]) = ends.filter(|_| why.is_none()) else {
        return Ok(PathReach { is_reachable: false, start, end, why });
    };
    let is_reachable = known.can_reach(mesh, from.poly, to.poly) == Some(true);
    let incomplete = || {
        let reached = |poly: PolyRef| {
            let way = if request.backwards { [poly, to.poly] } else { [from.poly, poly] };
            known.can_reach(mesh, way[0], way[1]) == Some(true)
        };
        let held_back =
            if meets_edge(mesh, reached) { HeldBack::NotLoaded } else { HeldBack::Filter };
        why::incomplete(mesh, [from, to], Some(held_back), scratch)
    };
    let why = (!is_reachable).then(incomplete);
    Ok(PathReach { is_reachable, start, end, why })
}

/// Returns whether a reached polygon is in a tile next to one that is not loaded.
fn meets_edge(mesh: &NavMesh, reached: impl Fn(PolyRef) -> bool) -> bool {
    if !mesh.has_world() {
        return false;
    }
    let mut at_edge = mesh.live_tiles().filter(|live| mesh.lacks_tiles_around(&live.tile));
    let n_polys = |live: &LiveTile| u32::try_from(live.tile.polys.len()).unwrap_or(u32::MAX);
    at_edge.any(|live| (0..n_polys(live)).any(|poly| reached(live.poly_ref(poly))))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        navmesh::{
            TilePlace,
            sample::{connect, mesh, tile},
        },
        query::{Filter, find_path},
    };

    #[test]
    fn it_agrees_with_a_search_without_limits() {
        let mut rooms = tile(0, 0, &[".#.", ".#.", ".2."]);
        connect(&mut rooms, [Vec3::new(0.9, 0.0, 0.5), Vec3::new(2.1, 0.0, 0.5)], 0, 0xff);
        let mut mesh = mesh([rooms]);
        let mut scratch = Scratch::default();
        let mut n_reachable = 0;
        for exclude_flags in [0, 2, 1] {
            // The path around, through the area below.
            let below = (0..mesh.slots().next().unwrap().1.polys.len())
                .find(|&poly| mesh.slots().next().unwrap().1.polys[poly].area.0 == 2)
                .unwrap();
            mesh.set_flags(mesh.poly_ref(0, below).unwrap(), 2);
            let filter = Filter { exclude_flags, ..Filter::default() };
            let known = Reachability::new(&mesh, &filter);
            for ends in [[0.5, 2.5], [2.5, 0.5], [0.5, 0.5], [0.5, 9.5], [9.5, 0.5]] {
                let [start, end] = ends.map(|x| Vec3::new(x, 0.0, 0.5));
                let half_extents = Vec3::splat(0.3);
                let request = PathRequest { half_extents, ..PathRequest::new(start, end, &filter) };
                let path = find_path(&mesh, &request, &mut scratch).unwrap();
                let reach = check_reach(&mesh, &request, &known, &mut scratch).unwrap();
                assert_eq!((reach.why, reach.start, reach.end), (path.why, path.start, path.end));
                assert_eq!(reach.is_reachable, path.why.is_none());
                n_reachable += usize::from(reach.is_reachable);
            }
        }
        assert_eq!(n_reachable, 3 + 2, "the way around is open, then closed");
    }

    #[test]
    fn tiles_that_are_not_loaded_may_lead_to_the_end() {
        let open = |x| tile(x, 0, &["...", "...", "..."]);
        let mut mesh = mesh([open(0), open(1), tile(4, 0, &["...", "###", "..."])]);
        let places = [0, 1, 2, 4].map(|x| TilePlace { z: 0, x, layer: 0 });
        mesh.set_world(places.to_vec());
        let filter = Filter::default();
        let known = Reachability::new(&mesh, &filter);
        let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        let in_walled = [at(12.5, 0.5), at(12.5, 2.5)];
        for (ends, expected) in [
            ([at(0.5, 0.5), at(12.5, 0.5)], WhyNot::NotLoaded),
            ([at(0.5, 0.5), at(7.5, 0.5)], WhyNot::EndNotLoaded),
            (in_walled, WhyNot::Disconnected),
        ] {
            for backwards in [false, true] {
                let half_extents = Vec3::splat(0.3);
                let request = PathRequest::new(ends[0], ends[1], &filter);
                let request = PathRequest { half_extents, backwards, ..request };
                let mut scratch = Scratch::default();
                let path = find_path(&mesh, &request, &mut scratch).unwrap();
                let reach = check_reach(&mesh, &request, &known, &mut scratch).unwrap();
                assert_eq!(reach.why, path.why, "{ends:?}");
                if !backwards {
                    assert_eq!(reach.why, Some(expected), "{ends:?}");
                }
            }
        }
    }

    #[test]
    fn a_search_that_ends_early_says_nothing_about_the_end() {
        let mesh = mesh((0..9).map(|x| tile(x, 0, &["..", ".."])));
        let filter = Filter::default();
        let known = Reachability::new(&mesh, &filter);
        let ends = [Vec3::new(0.5, 0.0, 0.5), Vec3::new(16.5, 0.0, 0.5)];
        let request = PathRequest { max_nodes: 3, ..PathRequest::new(ends[0], ends[1], &filter) };
        let mut scratch = Scratch::default();
        let path = find_path(&mesh, &request, &mut scratch).unwrap();
        assert_eq!(path.why, Some(WhyNot::NodeLimit));
        assert!(check_reach(&mesh, &request, &known, &mut scratch).unwrap().is_reachable);
    }

    #[test]
    fn reachability_of_another_state_is_refused() {
        let mut mesh = mesh([tile(0, 0, &["..", ".."])]);
        let filter = Filter::default();
        let known = Reachability::new(&mesh, &filter);
        mesh.set_flags(mesh.poly_ref(0, 0).unwrap(), 2);
        let request = PathRequest::new(Vec3::splat(0.5), Vec3::splat(1.5), &filter);
        let found = check_reach(&mesh, &request, &known, &mut Scratch::default());
        assert_eq!(found, Err(QueryError::StaleReachability));
    }
}
