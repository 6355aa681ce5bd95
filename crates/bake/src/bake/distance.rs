use serde::{Deserialize, Serialize};
use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    RawArea,
    adjacency::{Adjacency, EitherLinks, Links, SpanIndex},
    chamfer,
    pulse::Pulse,
};

/// Distance of each open span to the nearest border of its walkable area, in half cells (2 for a straight step, 3 for
/// a diagonal one), after the blur.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceField {
    /// Distances, one per span of the compact field.
    pub distances: Vec<u16>,
    /// Largest distance before the blur.
    pub max: u16,
}

/// Distances up to this are not blurred, so that borders stay sharp.
const SHARP: u16 = 2;

/// Computes the distance of each span to the border of its area. Spans that lack a neighbor of the same area in one of
/// the four directions form the border.
///
/// Source: Recast, `rcBuildDistanceField`.
pub(super) fn measure(
    areas: &[RawArea],
    adjacency: &Adjacency,
    monitor: &dyn Monitor,
) -> Result<DistanceField, Cancelled> {
    measure_until(areas, adjacency, usize::MAX, monitor)
}

/// Like [`measure`], but stops after the three passes, two sweeps and the blur, have processed `n` spans in total.
/// Spans not yet reached have distance `u16::MAX`.
pub(super) fn measure_until(
    areas: &[RawArea],
    adjacency: &Adjacency,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<DistanceField, Cancelled> {
    match adjacency.links() {
        EitherLinks::Narrow(links) => measured(areas, links, n, monitor),
        EitherLinks::Wide(links) => measured(areas, links, n, monitor),
    }
}

fn measured<I: SpanIndex>(
    areas: &[RawArea],
    links: Links<'_, I>,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<DistanceField, Cancelled> {
    let back = n.saturating_sub(links.len());
    let n_blurred = back.saturating_sub(links.len()).min(links.len());
    let mut pulse = Pulse::new(monitor);
    let is_border = |span: usize| {
        let area = areas[span];
        !links.around(span).into_iter().all(|next| areas.get(next) == Some(&area))
    };
    let sharp = chamfer::distances_until(is_border, links, [n, back], &mut pulse)?;
    let max = sharp.iter().copied().max().unwrap_or(0);
    let mut distances = Vec::with_capacity(sharp.len());
    for (span, &distance) in sharp[..n_blurred].iter().enumerate() {
        pulse.step()?;
        distances.push(if distance <= SHARP { distance } else { blurred(&sharp, span, links) });
    }
    distances.extend_from_slice(&sharp[n_blurred..]);
    Ok(DistanceField { distances, max })
}

/// Returns the mean over a span and its eight neighbors, rounded; a missing neighbor counts as the span itself.
fn blurred<I: SpanIndex>(distances: &[u16], span: usize, links: Links<'_, I>) -> u16 {
    let own = u32::from(distances[span]);
    let mut sum = own;
    for (dir, side) in Dir::ALL.into_iter().zip(links.around(span)) {
        let Some(&beside) = distances.get(side) else {
            sum += own * 2;
            continue;
        };
        let corner = links.around(side)[dir.next() as usize];
        sum += u32::from(beside) + distances.get(corner).copied().map_or(own, u32::from);
    }
    u16::try_from((sum + 5) / 9).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{compact::compact, heightfield::tests::field};

    /// Computes distances over 7 × 7 cells of ground, where `paint` marks another area.
    fn painted(paint: impl Fn(usize) -> bool) -> DistanceField {
        let ground = field(&"0-1 0-1 0-1 0-1 0-1 0-1 0-1\n".repeat(7));
        let mut compacted = compact(&ground, 10, 2, &Unmonitored).unwrap();
        for (span, area) in compacted.areas.iter_mut().enumerate() {
            if paint(span) {
                *area = RawArea(5);
            }
        }
        measure(&compacted.areas, &compacted.field.adjacency, &Unmonitored).unwrap()
    }

    #[test]
    fn distances_grow_inwards_and_are_blurred_there() {
        let field = painted(|_| false);
        assert_eq!(field.max, 6);
        let middle_row: Vec<_> = field.distances[21..28].to_vec();
        // (4 × 3 + 3 × 6 + ... ) / 9: the blur lowers the ridge.
        assert_eq!(middle_row, [0, 2, 4, 4, 4, 2, 0]);
    }

    #[test]
    fn areas_are_borders_to_each_other() {
        let field = painted(|span| span % 7 < 3);
        assert_eq!(field.max, 2);
        assert_eq!(field.distances[21..28], [0, 2, 0, 0, 2, 2, 0]);
    }
}
