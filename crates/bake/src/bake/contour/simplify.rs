//! Selects the corners of a simplified outline.
//!
//! A simplified outline is a list of positions in the raw one. Two regions that share a border trace it in opposite
//! directions and must select the same corners. So each stretch between two selected corners is evaluated from its
//! smaller end, by x and then z.

use walkable_runtime::ids::RegionId;

use super::ContourVertex;
use crate::bake::lattice::Segment;

/// The limits of simplification.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum distance of a raw vertex along a wall from the simplified edge, in cells.
    pub(super) max_error: f32,
    /// Maximum length of an edge along a wall, in cells; 0 for no limit.
    pub(super) max_edge_len_vx: u32,
}

/// Replaces `kept` by the positions in `raw` of the corners to keep, in order.
///
/// Source: `simplifyContour`.
pub(super) fn simplify(raw: &[ContourVertex], limits: Limits, kept: &mut Vec<usize>) {
    let mut all = usize::MAX;
    simplify_until(raw, limits, kept, &mut all);
}

/// Like [`simplify`], but adds at most `left` corners to the initial ones, and reduces `left` by their number.
pub(super) fn simplify_until(
    raw: &[ContourVertex],
    limits: Limits,
    kept: &mut Vec<usize>,
    left: &mut usize,
) {
    kept.clear();
    if raw.is_empty() {
        return;
    }
    seed_with_changes(raw, kept);
    if kept.is_empty() {
        seed_with_extremes(raw, kept);
    }
    keep_far_corners(raw, limits.max_error, kept, left);
    if limits.max_edge_len_vx > 0 {
        split_long_edges(raw, limits.max_edge_len_vx, kept, left);
    }
}

/// Returns the kept corners as vertices, each with its own border flag and the neighbor of the edge that begins there.
pub(super) fn outline(raw: &[ContourVertex], kept: &[usize]) -> Vec<ContourVertex> {
    const ACROSS: u32 = 0xffff | ContourVertex::AREA_BORDER;
    let vertex = |&at: &usize| {
        // A raw vertex stores the edge that ends at it, so the edge that begins here is stored at the next one.
        let across = raw[after(at, raw.len())].region_and_flags & ACROSS;
        let own = raw[at].region_and_flags & ContourVertex::BORDER_VERTEX;
        ContourVertex { region_and_flags: across | own, ..raw[at] }
    };
    kept.iter().map(vertex).collect()
}

/// Drops vertices that are directly above or below the next one, because the triangulation could not distinguish them.
///
/// Source: `removeDegenerateSegments`, which does not check a vertex again that moves to the place of a dropped one.
pub(super) fn remove_repeated(vertices: &mut Vec<ContourVertex>) {
    let mut at = 0;
    while at < vertices.len() {
        let next = after(at, vertices.len());
        if vertices[at].point() == vertices[next].point() {
            vertices.remove(at);
        }
        at += 1;
    }
}

const fn after(at: usize, n: usize) -> usize {
    if at + 1 < n { at + 1 } else { 0 }
}

/// Adds the corners at which the neighboring region or area changes. Both sides need them.
fn seed_with_changes(raw: &[ContourVertex], kept: &mut Vec<usize>) {
    if raw.iter().all(|v| v.region() == RegionId::NONE) {
        return;
    }
    let side = |v: ContourVertex| (v.region(), v.has(ContourVertex::AREA_BORDER));
    kept.extend((0..raw.len()).filter(|&at| side(raw[at]) != side(raw[after(at, raw.len())])));
}

/// Adds the smallest and the largest corner by x, then z; the first if several are equal.
fn seed_with_extremes(raw: &[ContourVertex], kept: &mut Vec<usize>) {
    let (mut least, mut greatest) = (0, 0);
    for at in 1..raw.len() {
        if key(raw[at]) < key(raw[least]) {
            least = at;
        }
        if key(raw[at]) > key(raw[greatest]) {
            greatest = at;
        }
    }
    kept.extend([least, greatest]);
}

fn key(v: ContourVertex) -> (i32, i32) {
    (v.x, v.z)
}

fn is_wall(v: ContourVertex) -> bool {
    v.region() == RegionId::NONE
}

/// Adds the farthest raw corner between two kept ones until none is farther than `max_error`.
fn keep_far_corners(
    raw: &[ContourVertex],
    max_error: f32,
    kept: &mut Vec<usize>,
    left: &mut usize,
) {
    let max_error_squared = max_error * max_error;
    let mut i = 0;
    while i < kept.len() && *left > 0 {
        let [start, end] = [kept[i], kept[after(i, kept.len())]];
        match farthest_between(raw, start, end) {
            Some((far, distance_squared)) if distance_squared > max_error_squared => {
                kept.insert(i + 1, far);
                *left -= 1;
            }
            _ => i += 1,
        }
    }
}

/// Returns the raw corner strictly between `start` and `end` that is farthest from the line between them, and its
/// squared distance; `None` if all are on the line, or if the stretch is the border to a region of the same area, which
/// becomes straight.
fn farthest_between(raw: &[ContourVertex], start: usize, end: usize) -> Option<(usize, f32)> {
    let ascending = key(raw[end]) > key(raw[start]);
    let (from, to) = if ascending { (start, end) } else { (end, start) };
    let advance = |at: usize| match (ascending, at) {
        (true, at) => after(at, raw.len()),
        (false, 0) => raw.len() - 1,
        (false, at) => at - 1,
    };
    let mut at = advance(from);
    if !is_wall(raw[at]) && !raw[at].has(ContourVertex::AREA_BORDER) {
        return None;
    }
    let segment = Segment::between(raw[from].point(), raw[to].point());
    let mut farthest = None;
    let mut max_squared = 0.0;
    while at != to {
        let distance_squared = segment.distance_squared_to(raw[at].point());
        if distance_squared > max_squared {
            max_squared = distance_squared;
            farthest = Some((at, distance_squared));
        }
        at = advance(at);
    }
    farthest
}

/// Splits edges along walls at the raw corner in the middle until each is at most `max_len_vx` long.
fn split_long_edges(
    raw: &[ContourVertex],
    max_len_vx: u32,
    kept: &mut Vec<usize>,
    left: &mut usize,
) {
    let max_squared = i64::from(max_len_vx) * i64::from(max_len_vx);
    let mut i = 0;
    while i < kept.len() && *left > 0 {
        let [start, end] = [kept[i], kept[after(i, kept.len())]];
        let is_long = raw[start].point().distance_squared(raw[end].point()) > max_squared;
        if is_long
            && is_wall(raw[after(start, raw.len())])
            && let Some(middle) = halfway(raw, start, end)
        {
            kept.insert(i + 1, middle);
            *left -= 1;
            continue;
        }
        i += 1;
    }
}

/// Returns the middle raw corner from `start` to `end`, counted in corners; of two, the one nearer to the smaller end;
/// `None` if there is no corner in between.
fn halfway(raw: &[ContourVertex], start: usize, end: usize) -> Option<usize> {
    let n_steps = if end < start { end + raw.len() - start } else { end - start };
    if n_steps <= 1 {
        return None;
    }
    let ascending = key(raw[end]) > key(raw[start]);
    let n_half = if ascending { n_steps / 2 } else { n_steps.div_ceil(2) };
    Some((start + n_half) % raw.len())
}
