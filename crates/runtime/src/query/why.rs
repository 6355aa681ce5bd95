//! Why a path does not reach its end.

use glam::Vec3;

use super::{
    Filter, HeldBack, MeshPoint, NearestRequest, PathRequest, QueryError, Scratch, WhyNot, nearest,
    node::{Node, Status},
};
use crate::{
    geom::Aabb,
    navmesh::{NavMesh, PolyAt},
    search::NodePool,
};

/// Returns the reason why there is no polygon near the start.
pub(super) fn off_start(mesh: &NavMesh, request: &PathRequest<'_>) -> Result<WhyNot, QueryError> {
    let reasons = [WhyNot::StartNotLoaded, WhyNot::StartFiltered, WhyNot::StartOffMesh];
    off_mesh(mesh, request, request.start, reasons)
}

/// Returns the reason why there is no polygon near the end.
pub(super) fn off_end(mesh: &NavMesh, request: &PathRequest<'_>) -> Result<WhyNot, QueryError> {
    let reasons = [WhyNot::EndNotLoaded, WhyNot::EndFiltered, WhyNot::EndOffMesh];
    off_mesh(mesh, request, request.end, reasons)
}

/// Returns the reason why no polygon was found near an end: tiles near it are not loaded, the filter rejects the
/// polygons near it, or there are none. They are checked in this order.
fn off_mesh(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    center: Vec3,
    [not_loaded, filtered, off_mesh]: [WhyNot; 3],
) -> Result<WhyNot, QueryError> {
    let (half_extents, filter) = (request.half_extents, &Filter::default());
    if !mesh.is_loaded(&Aabb { min: center - half_extents, max: center + half_extents }) {
        return Ok(not_loaded);
    }
    let found = nearest(mesh, &NearestRequest { center, half_extents, filter })?;
    Ok(if found.is_some() { filtered } else { off_mesh })
}

/// Records that a search that found no path reached a tile next to one that is not loaded.
pub(super) fn held_back_at_edge(
    mesh: &NavMesh,
    nodes: &NodePool<Node>,
    held_back: Option<HeldBack>,
) -> Option<HeldBack> {
    if !mesh.has_world() || held_back > Some(HeldBack::NotLoaded) {
        return held_back;
    }
    let met = (0..).map_while(|at| nodes.nth(at)).map(|node| &nodes[node]);
    let mut last = None;
    let lacks_tiles = met.filter(|node| node.status != Status::New).any(|node| {
        let tile = mesh.at(node.poly).tile;
        // Consecutive nodes are mostly of the same tile.
        last.replace(tile) != Some(tile) && mesh.lacks_tiles_around(&mesh.live(tile).tile)
    });
    if lacks_tiles { Some(HeldBack::NotLoaded) } else { held_back }
}

/// Returns the reason why a search that expanded all reachable polygons did not reach the end.
///
/// If neither the filter nor an off-mesh link can be the reason, nothing is searched. Otherwise all polygons that are
/// reachable without the filter are visited.
pub(super) fn incomplete(
    mesh: &NavMesh,
    [start, end]: [MeshPoint; 2],
    held_back: Option<HeldBack>,
    scratch: &mut Scratch,
) -> WhyNot {
    let ends = [start, end].map(|end| mesh.locate(end.poly));
    let [Some(start), Some(end)] = ends else { return WhyNot::Disconnected };
    match held_back {
        Some(HeldBack::LoopBound) => WhyNot::LoopBound,
        Some(HeldBack::NodeLimit) => WhyNot::NodeLimit,
        Some(HeldBack::CostLimit) => WhyNot::CostLimit,
        Some(HeldBack::NotLoaded) => WhyNot::NotLoaded,
        Some(HeldBack::Filter) if leads(mesh, start, end, scratch) => WhyNot::Filtered,
        Some(HeldBack::Filter) | None => {
            let is_one_way = has_connections(mesh) && leads(mesh, end, start, scratch);
            if is_one_way { WhyNot::OneWay } else { WhyNot::Disconnected }
        }
    }
}

fn has_connections(mesh: &NavMesh) -> bool {
    mesh.live_tiles().any(|live| !live.tile.off_mesh.is_empty())
}

/// Returns whether links lead from one polygon to another.
fn leads(mesh: &NavMesh, from: PolyAt, to: PolyAt, scratch: &mut Scratch) -> bool {
    scratch.reset(mesh, usize::MAX);
    let nodes = &mut scratch.nodes;
    let visit = |nodes: &mut NodePool<Node>, poly: u32| {
        nodes.find_or_add(poly, 0, || Node { status: Status::Open, ..Node::new(poly) });
    };
    let [from, to] = [from, to].map(|at| mesh.number_of(at));
    visit(nodes, from);
    // Nodes are stored in the order of their creation, so the pool is the queue of this search.
    let mut turn = 0;
    while let Some(node) = nodes.nth(turn) {
        turn += 1;
        let poly = nodes[node].poly;
        if poly == to {
            return true;
        }
        for link in mesh.graph().links(poly) {
            visit(nodes, link.to);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        navmesh::sample::{connect, mesh, tile},
        query::find_path,
    };

    /// Returns two rooms; an off-mesh link with these flags leads from the left one to the right one.
    fn rooms(flags: Option<u8>) -> NavMesh {
        let mut rooms = tile(0, 0, &[".#.", ".#.", ".#."]);
        if let Some(flags) = flags {
            connect(&mut rooms, [Vec3::new(0.9, 0.0, 1.5), Vec3::new(2.1, 0.0, 1.5)], flags, 0xff);
        }
        mesh([rooms])
    }

    #[track_caller]
    fn check(mesh: &NavMesh, filter: &Filter, ends: [f32; 2], expected: Option<WhyNot>) {
        let [start, end] = ends.map(|x| Vec3::new(x, 0.0, 0.5));
        let half_extents = Vec3::splat(0.3);
        let request = PathRequest { half_extents, ..PathRequest::new(start, end, filter) };
        assert_eq!(find_path(mesh, &request, &mut Scratch::default()).unwrap().why, expected);
    }

    #[test]
    fn the_reason_is_the_one_that_would_help() {
        let all = Filter::default();
        check(&rooms(None), &all, [0.5, 2.5], Some(WhyNot::Disconnected));
        check(&rooms(Some(1)), &all, [0.5, 2.5], None);
        check(&rooms(Some(1)), &all, [2.5, 0.5], None);
        check(&rooms(Some(0)), &all, [0.5, 2.5], None);
        check(&rooms(Some(0)), &all, [2.5, 0.5], Some(WhyNot::OneWay));

        let mut shut = rooms(Some(1));
        shut.set_flags(shut.poly_ref(0, 6).unwrap(), 2);
        let filter = Filter { exclude_flags: 2, ..Filter::default() };
        check(&shut, &filter, [0.5, 2.5], Some(WhyNot::Filtered));
        check(&shut, &all, [0.5, 2.5], None);
        shut.set_flags(shut.poly_ref(0, 0).unwrap(), 2);
        check(&shut, &filter, [0.5, 2.5], Some(WhyNot::StartFiltered));
        check(&shut, &filter, [2.5, 0.5], Some(WhyNot::EndFiltered));
        check(&shut, &filter, [2.5, 9.5], Some(WhyNot::EndOffMesh));
    }
}
