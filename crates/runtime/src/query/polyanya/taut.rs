//! The shortest path through a given corridor in the plane.

use glam::DVec2;

use super::{search::PlanePath, surface::Polygons};
use crate::geom::total;

/// Finds the shortest path from `start` to `end` through the polygons in `path.corridor` with the funnel algorithm, and
/// writes its points and length to `path`. Returns `false`, without points, if the corridor is empty or one of its
/// polygons has no gate to the next. Of several gates, the first is used.
///
/// [`shortest_in_plane`](super::shortest_in_plane) finds the shortest path through *all* polygons; the difference of
/// the two lengths is what a search over polygons loses to optimal paths.
///
/// Source: Lee and Preparata, "Euclidean shortest paths in the presence of rectilinear barriers", 1984.
pub fn taut_in_plane<S: Polygons>(
    surface: &S,
    [start, end]: [DVec2; 2],
    path: &mut PlanePath<S::Poly>,
) -> bool {
    path.points.clear();
    path.length = f64::INFINITY;
    let Some(gates) = gates(surface, &path.corridor, end) else { return false };
    path.points.push(start);
    let mut apex = start;
    // Both sides of the funnel: the gate that narrowed it last, and the end of that gate.
    let (mut left, mut right) = ((0, start), (0, start));
    let mut at = 0;
    while let Some(&[gate_left, gate_right]) = gates.get(at) {
        let is_end = at + 1 == gates.len();
        let [to_left, to_right] = [left.1 - apex, right.1 - apex];
        let crosses_left = to_left.perp_dot(gate_right - apex) > 0.0;
        let crosses_right = to_right.perp_dot(gate_left - apex) < 0.0;
        let corner = if left.1 != apex && crosses_left {
            Some(left)
        } else if right.1 != apex && crosses_right {
            Some(right)
        } else {
            None
        };
        if let Some((gate, point)) = corner {
            path.points.push(point);
            apex = point;
            (left, right) = ((gate, point), (gate, point));
            at = gate + 1;
            continue;
        }
        if left.1 == apex || to_left.perp_dot(gate_left - apex) <= 0.0 {
            left = (at, gate_left);
        }
        if right.1 == apex || to_right.perp_dot(gate_right - apex) >= 0.0 {
            right = (at, gate_right);
        }
        if is_end {
            path.points.push(end);
        }
        at += 1;
    }
    path.length = total(path.points.windows(2).map(|pair| pair[0].distance(pair[1])));
    true
}

/// Returns the left and right ends of the gates of a corridor, followed by the end of the path.
fn gates<S: Polygons>(surface: &S, corridor: &[S::Poly], end: DVec2) -> Option<Vec<[DVec2; 2]>> {
    let mut gates = Vec::with_capacity(corridor.len());
    for step in corridor.windows(2) {
        let mut first = None;
        surface.for_each_gate(step[0], |gate| {
            if gate.to == step[1] && first.is_none() {
                first = Some([gate.left.at, gate.right.at]);
            }
        });
        gates.push(first?);
    }
    gates.push([end, end]);
    (!corridor.is_empty()).then_some(gates)
}
