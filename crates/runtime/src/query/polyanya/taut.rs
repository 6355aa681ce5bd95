//! The shortest line through a given corridor in the plane.

use glam::DVec2;

use super::{search::PlanePath, surface::Polygons};
use crate::geom::total;

/// Pulls the line from `start` to `end` taut through the polygons in `path.corridor` and puts its points
/// and length into `path`: the funnel. `false`, and no points, where some polygon of the corridor has no
/// gate to the next, or there is none; where it has several, the first counts.
///
/// What the shortest path through *all* polygons gains over a search by polygons is the difference
/// between this length and that of [`shortest_in_plane`](super::shortest_in_plane).
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
    // Both sides of the funnel: the gate at which it was narrowed last, and the end of that gate.
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

/// Left and right ends of the gates through a corridor, the end of the path as the last.
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
