use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use walkable_runtime::{
    navmesh::{NavMesh, PolyKind, TilePlace, TilePoly},
    query::{RouteCluster, RouteOverlay},
};

use crate::debug_draw::{
    DrawList, Paint,
    link::{arc, arrow_head},
};

/// Returns the hue of a cluster. It is always the same, and differs from the hue of the same number in neighboring cells.
pub fn cluster_paint(cluster: RouteCluster) -> Paint {
    // Consecutive hues are a golden angle apart; the steps between cells are far from whole turns.
    let [x, z] = cluster.cell.map(i32::cast_unsigned);
    let of_cell = x.wrapping_mul(27).wrapping_add(z.wrapping_mul(46));
    Paint::Hue(of_cell.wrapping_add(cluster.number.into()))
}

/// Draws an arc between each two linked clusters of `overlay`, with an arrow head if the link leads only one way, and a
/// disc in the hue of each cluster on its ground. Clusters without ground in `mesh` are left out.
pub fn cluster_links(mesh: &NavMesh, overlay: &RouteOverlay) -> DrawList {
    let mut list = DrawList::default();
    let middles = middles(mesh, overlay);
    let links: BTreeSet<_> = overlay.cluster_links().into_iter().collect();
    for &[from, to] in &links {
        let leads_back = links.contains(&[to, from]);
        let (Some(&start), Some(&end)) = (middles.get(&from), middles.get(&to)) else { continue };
        if leads_back && to < from {
            continue;
        }
        let corners = arc(start, end);
        for piece in corners.windows(2) {
            list.line([piece[0], piece[1]], 2.0, Paint::Contour);
        }
        if !leads_back {
            arrow_head(&mut list, corners[corners.len() - 2], end, Paint::Contour);
        }
    }
    for (&cluster, &middle) in &middles {
        list.point(middle, 10.0, cluster_paint(cluster));
    }
    list
}

/// Returns a place on the ground of each cluster: the middle of the polygon that is nearest to the middle of all.
fn middles(mesh: &NavMesh, overlay: &RouteOverlay) -> BTreeMap<RouteCluster, Vec3> {
    let mut of_polys: BTreeMap<RouteCluster, Vec<Vec3>> = BTreeMap::new();
    for tile in mesh.tiles() {
        let place = TilePlace::of(tile);
        for (index, poly) in (0..).zip(&tile.polys) {
            let cluster = overlay.cluster(TilePoly { tile: place, poly: index });
            if let (Some(cluster), PolyKind::Ground) = (cluster, poly.kind) {
                of_polys.entry(cluster).or_default().push(mean(&tile.corners(poly)));
            }
        }
    }
    let middle = |(cluster, polys): (RouteCluster, Vec<Vec3>)| {
        let mean = mean(&polys);
        let away = |at: &Vec3| at.distance_squared(mean);
        let nearest = polys.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)));
        Some((cluster, nearest?))
    };
    of_polys.into_iter().filter_map(middle).collect()
}

pub(super) fn mean(points: &[Vec3]) -> Vec3 {
    #[expect(clippy::cast_precision_loss, reason = "a picture needs few digits")]
    let n = points.len().max(1) as f32;
    points.iter().sum::<Vec3>() / n
}
