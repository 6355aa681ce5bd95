//! Distances to a border over linked spans: two sweeps of a chamfer, in which a side step costs 2 and a
//! diagonal step 3 half cells. Both the erosion and the distance field rest on it.

use crate::{
    bake::{adjacency::Adjacency, pulse::Pulse},
    ids::Dir,
    monitor::Cancelled,
};

const SIDE_STEP: u16 = 2;
const DIAGONAL_STEP: u16 = 3;

/// The side steps towards which each sweep looks; the diagonal next to each is reached by a turn to the
/// direction numbered one lower.
const FORWARD: [Dir; 2] = [Dir::West, Dir::South];
const BACKWARD: [Dir; 2] = [Dir::East, Dir::North];

/// Distance of every span to the nearest for which `is_border` holds, `u16::MAX` where there is none.
pub(super) fn distances_to(
    is_border: impl Fn(usize) -> bool,
    adjacency: &Adjacency,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<u16>, Cancelled> {
    let mut distances = Vec::with_capacity(adjacency.len());
    for span in 0..adjacency.len() {
        pulse.step()?;
        distances.push(if is_border(span) { 0 } else { u16::MAX });
    }
    for span in 0..adjacency.len() {
        pulse.step()?;
        relax(&mut distances, span, FORWARD, adjacency);
    }
    for span in (0..adjacency.len()).rev() {
        pulse.step()?;
        relax(&mut distances, span, BACKWARD, adjacency);
    }
    Ok(distances)
}

fn relax(distances: &mut [u16], span: usize, dirs: [Dir; 2], adjacency: &Adjacency) {
    let mut nearest = distances[span];
    for dir in dirs {
        let Some(side) = adjacency.step(span, dir) else { continue };
        nearest = nearest.min(distances[side].saturating_add(SIDE_STEP));
        if let Some(diagonal) = adjacency.step(side, dir.previous()) {
            nearest = nearest.min(distances[diagonal].saturating_add(DIAGONAL_STEP));
        }
    }
    distances[span] = nearest;
}
