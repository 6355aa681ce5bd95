//! All polygons that can be walked to within a circle.

use super::{
    Filter, PathEnd, QueryError, Scratch,
    dijkstra::Spread,
    scratch::{Node, Status},
};
use crate::{
    geom::from_above::{nearest_on_segment, point_between},
    navmesh::{NavMesh, PolyAt, PolyRef},
};

/// A polygon that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// It.
    pub poly: PolyRef,
    /// The polygon from which it was reached, `None` for the first.
    pub parent: Option<PolyRef>,
    /// Cost from the center to where it is entered.
    pub cost: f32,
}

/// Puts into `reached` the polygons that can be walked to from `center` over edges that touch the
/// circle of `radius` metres, seen from above, the cheapest first. The answer is whether there were
/// nodes enough for all.
///
/// # Errors
/// [`QueryError`] where the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findPolysAroundCircle`.
pub fn polygons_around(
    mesh: &NavMesh,
    center: PathEnd,
    radius: f32,
    filter: &Filter,
    scratch: &mut Scratch,
    reached: &mut Vec<Reached>,
) -> Result<bool, QueryError> {
    reached.clear();
    let max_nodes = super::MAX_NODES;
    let mut spread = Spread::new(mesh, center, radius, filter, max_nodes, scratch)?;
    let radius_sqr = radius * radius;
    let mut is_all = true;
    while let Some(node) = spread.next() {
        let Node { at, position, total, .. } = spread.scratch.nodes[node];
        let live = mesh.live(at.tile);
        let parent_at = spread.parent_at(node);
        let parent = parent_at.map(|at| mesh.live(at.tile).poly_ref(at.poly));
        reached.push(Reached { poly: live.poly_ref(at.poly), parent, cost: total });
        let cost_per_metre = filter.cost_per_metre(&live.tile.polys[at.poly as usize]);
        for link in live.links.of(at.poly as usize) {
            let to = PolyAt::from(link);
            let [a, b] = [link.portal.left, link.portal.right];
            if parent_at == Some(to)
                || !filter.passes(&mesh.live(to.tile).tile.polys[to.poly as usize])
                || nearest_on_segment(center.point, a, b).distance_sqr > radius_sqr
            {
                continue;
            }
            let Some(neighbor) = spread.node(to) else {
                is_all = false;
                continue;
            };
            let known = &mut spread.scratch.nodes[neighbor];
            match known.status {
                Status::Closed => continue,
                Status::New => known.position = point_between(a, b, 0.5),
                Status::Open => {}
            }
            let step = position.distance(known.position) * cost_per_metre;
            spread.offer(neighbor, Some(node), total + step);
        }
    }
    Ok(is_all)
}
