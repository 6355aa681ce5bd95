//! Distances to a border over connected spans, for erosion and the distance field: two passes of a chamfer transform,
//! in which a straight step has length 2 and a diagonal step 3, in half cells.

use walkable_runtime::{ids::Dir, monitor::Cancelled};

use crate::bake::{
    adjacency::{Links, SpanIndex},
    pulse::Pulse,
};

const SIDE_STEP: u16 = 2;
const DIAGONAL_STEP: u16 = 3;

/// The directions in which the forward pass looks for nearer spans. The diagonal next to each is reached by a step in
/// the previous direction.
const FORWARD: [Dir; 2] = [Dir::West, Dir::South];
const BACKWARD: [Dir; 2] = [Dir::East, Dir::North];

/// Returns the distance from every span to the nearest span for which `is_border` returns true; `u16::MAX` if there is
/// none.
pub(super) fn distances_to<I: SpanIndex>(
    is_border: impl Fn(usize) -> bool,
    links: Links<'_, I>,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<u16>, Cancelled> {
    distances_until(is_border, links, [usize::MAX; 2], pulse)
}

/// Like [`distances_to`], but stops after the forward and backward pass have visited the given numbers of spans. Spans
/// that were not visited have the largest distance.
pub(super) fn distances_until<I: SpanIndex>(
    is_border: impl Fn(usize) -> bool,
    links: Links<'_, I>,
    [there, back]: [usize; 2],
    pulse: &mut Pulse<'_>,
) -> Result<Vec<u16>, Cancelled> {
    let mut distances: Vec<u16> = Vec::with_capacity(links.len());
    // Spans to the west and south have lower indices.
    for span in 0..links.len().min(there) {
        pulse.step()?;
        let start = if is_border(span) { 0 } else { u16::MAX };
        distances.push(nearer(&distances, start, span, FORWARD, links));
    }
    distances.resize(links.len(), u16::MAX);
    for span in (links.len().saturating_sub(back)..links.len()).rev() {
        pulse.step()?;
        distances[span] = nearer(&distances, distances[span], span, BACKWARD, links);
    }
    Ok(distances)
}

/// Returns the distance of `span`, at most `nearest`, through its neighbors in two directions.
#[inline]
fn nearer<I: SpanIndex>(
    distances: &[u16],
    mut nearest: u16,
    span: usize,
    dirs: [Dir; 2],
    links: Links<'_, I>,
) -> u16 {
    if nearest == 0 {
        return 0;
    }
    let around = links.around(span);
    for dir in dirs {
        let side = around[dir as usize];
        let Some(distance) = distances.get(side) else { continue };
        nearest = nearest.min(distance.saturating_add(SIDE_STEP));
        let diagonal = links.around(side)[dir.previous() as usize];
        if let Some(distance) = distances.get(diagonal) {
            nearest = nearest.min(distance.saturating_add(DIAGONAL_STEP));
        }
    }
    nearest
}
