//! Height samples along a polygon's edges.
//!
//! Two polygons that share an edge sample it separately. Each edge is always sampled from the same end, so that the
//! samples are equal.
//!
//! Source: the first part of `buildPolyDetail`.

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{MAX_VERTICES, Sampling, height_patch::HeightPatch, vertex_index};

/// Maximum number of steps along an edge. Source: `MAX_VERTS_PER_EDGE`.
const MAX_STEPS: usize = 31;

/// Ends whose x differs by less than this are ordered by z. In meters.
const SAME_X: f32 = 1e-6;

/// Appends the samples of edges to `vertices`, which has the polygon's corners, and replaces `hull` by all vertices in
/// order around the polygon, beginning with the last corner.
pub(super) fn sample_outline(
    sampling: Sampling,
    patch: &HeightPatch,
    vertices: &mut Vec<Vec3>,
    hull: &mut Vec<u8>,
) {
    hull.clear();
    let n_corners = vertices.len();
    for end in 0..n_corners {
        let start = if end > 0 { end - 1 } else { n_corners - 1 };
        hull.push(vertex_index(start));
        if sampling.distance <= 0.0 {
            continue;
        }
        let [from, to] = [vertices[start], vertices[end]];
        let is_backward =
            if (from.x - to.x).abs() < SAME_X { from.z > to.z } else { from.x > to.x };
        let (from, to) = if is_backward { (to, from) } else { (from, to) };
        let edge = sample_edge(sampling, patch, [from, to], MAX_VERTICES - 1 - vertices.len());
        let kept = needed(&edge, sampling.max_error);
        let mut inner = kept[1..kept.len() - 1].iter().map(|&i| edge[i]).collect::<Edge>();
        if is_backward {
            inner.reverse();
        }
        for vertex in inner {
            hull.push(vertex_index(vertices.len()));
            vertices.push(vertex);
        }
    }
}

type Edge = ArrayVec<Vec3, { MAX_STEPS + 1 }>;

/// Returns points along an edge with the height of the ground, in at most `max_steps` steps.
fn sample_edge(
    sampling: Sampling,
    patch: &HeightPatch,
    [from, to]: [Vec3; 2],
    max_steps: usize,
) -> Edge {
    let [dx, dy, dz] = [to.x - from.x, to.y - from.y, to.z - from.z];
    let length = (dx * dx + dz * dz).sqrt();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and floats saturate"
    )]
    let n_whole = (length / sampling.distance).floor() as usize;
    let n_steps = n_whole.saturating_add(1).min(MAX_STEPS).min(max_steps);
    #[expect(clippy::cast_precision_loss, reason = "at most 31")]
    let sample = |k: usize| {
        let u = k as f32 / n_steps as f32;
        let [x, y, z] = [from.x + dx * u, from.y + dy * u, from.z + dz * u];
        let height = f32::from(patch.height_at([x, y, z], sampling.grid));
        Vec3::new(x, height * sampling.grid.cell_height, z)
    };
    (0..=n_steps).map(sample).collect()
}

/// Returns the indices of the samples in `edge` that keep its error below `max_error`, ends included.
fn needed(edge: &[Vec3], max_error: f32) -> ArrayVec<usize, { MAX_STEPS + 1 }> {
    let mut kept: ArrayVec<usize, { MAX_STEPS + 1 }> = [0, edge.len() - 1].into_iter().collect();
    let mut k = 0;
    while k + 1 < kept.len() {
        let [a, b] = [kept[k], kept[k + 1]];
        let mut max_squared = 0.0;
        let mut farthest = None;
        for m in a + 1..b {
            let squared = distance_squared_to_segment(edge[m], edge[a], edge[b]);
            if squared > max_squared {
                max_squared = squared;
                farthest = Some(m);
            }
        }
        match farthest {
            Some(m) if max_squared > max_error * max_error => kept.insert(k + 1, m),
            _ => k += 1,
        }
    }
    kept
}

/// Returns the squared distance of `point` from the segment `ab` in three dimensions.
fn distance_squared_to_segment(point: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let to = point - a;
    let length_squared = along.x * along.x + along.y * along.y + along.z * along.z;
    let mut t = along.x * to.x + along.y * to.y + along.z * to.z;
    if length_squared > 0.0 {
        t /= length_squared;
    }
    let d = a + t.clamp(0.0, 1.0) * along - point;
    d.x * d.x + d.y * d.y + d.z * d.z
}
