//! Repeats the decision of the walkability filters for the span under the place.

use walkable_bake::bake::{BakeSettings, Heightfield, Span, SpanFilter, VoxelParams};
use walkable_runtime::ids::Dir;

use crate::explain::reason::Reason;

/// Height of open sky, in cells: above every span.
const SKY_VX: i32 = 0xffff;

/// Returns whether the filter for low obstacles makes span `index` of `cell` walkable.
///
/// Source: `rcFilterLowHangingWalkableObstacles`.
pub(super) fn is_low_hanging(
    field: &Heightfield,
    [x, z]: [u32; 2],
    index: usize,
    params: &VoxelParams,
) -> bool {
    let column = field.column(field.frame.cell_index(x, z));
    let Some(below) = index.checked_sub(1).map(|i| column[i]) else { return false };
    let step = i64::from(column[index].max_vx) - i64::from(below.max_vx);
    !column[index].area.is_walkable()
        && below.area.is_walkable()
        && step <= i64::from(params.walkable_climb_vx)
}

/// Returns the reason why a filter removed span `index` of `cell`. Low ceilings are checked before ledges, because they
/// are easier to understand if both filters would remove the span.
pub(super) fn reason(
    field: &Heightfield,
    cell: [u32; 2],
    index: usize,
    (settings, params): (&BakeSettings, &VoxelParams),
) -> Reason {
    let gap = gap_above(field.column(field.frame.cell_index(cell[0], cell[1])), index);
    let removed_by = |filter: SpanFilter| match filter {
        // This filter only makes spans walkable.
        SpanFilter::LowHangingObstacles => None,
        SpanFilter::Ledges => ledge(field, cell, gap, params),
        SpanFilter::LowCeilings => low_ceiling(gap, params),
    };
    let mut enabled = SpanFilter::ALL.into_iter().rev().filter(|filter| filter.is_on(settings));
    enabled.find_map(removed_by).unwrap_or(Reason::Unexplained)
}

/// Returns the decision of the clearance filter for the gap above a span.
///
/// Source: `rcFilterWalkableLowHeightSpans`.
fn low_ceiling((floor, ceiling): (i32, i32), params: &VoxelParams) -> Option<Reason> {
    let needed = saturating(params.walkable_height_vx);
    let [room, needed_m] = [ceiling - floor, needed].map(|vx| meters(vx, params));
    (ceiling - floor < needed).then_some(Reason::LowCeiling {
        room,
        room_in_voxels: room,
        needed: needed_m,
    })
}

/// Returns the decision of the ledge filter for the gap above a span.
///
/// Source: `rcFilterLedgeSpans`.
fn ledge(
    field: &Heightfield,
    cell: [u32; 2],
    gap: (i32, i32),
    params: &VoxelParams,
) -> Option<Reason> {
    let climb_vx = saturating(params.walkable_climb_vx);
    let climb = meters(climb_vx, params);
    let floor = gap.0;
    let (mut lowest, mut highest) = (floor, floor);
    for towards in Dir::ALL {
        let Some(column) = neighbor(field, cell, towards) else { return Some(Reason::LevelEdge) };
        for reachable in reachable_floors(column, gap, saturating(params.walkable_height_vx)) {
            let Some(other) = reachable else {
                return Some(Reason::Ledge { drop: None, climb, towards });
            };
            let difference = other - floor;
            if difference < -climb_vx {
                let drop = Some(meters(-difference, params));
                return Some(Reason::Ledge { drop, climb, towards });
            }
            if difference <= climb_vx {
                (lowest, highest) = (lowest.min(other), highest.max(other));
            }
        }
    }
    (highest - lowest > climb_vx)
        .then(|| Reason::Uneven { rise: meters(highest - lowest, params), climb })
}

/// Returns the floors of a neighboring column with room for the agent to pass. `None` stands for the open space under
/// its lowest span.
fn reachable_floors(
    column: &[Span],
    (floor, ceiling): (i32, i32),
    needed: i32,
) -> impl Iterator<Item = Option<i32>> {
    let below = column.first().map_or(SKY_VX, |span| i32::from(span.min_vx));
    let bottomless = (ceiling.min(below) - floor >= needed).then_some(None);
    let floors = (0..column.len()).filter_map(move |i| {
        let (other, above) = gap_above(column, i);
        (ceiling.min(above) - floor.max(other) >= needed).then_some(Some(other))
    });
    bottomless.into_iter().chain(floors)
}

fn gap_above(column: &[Span], index: usize) -> (i32, i32) {
    let ceiling = column.get(index + 1).map_or(SKY_VX, |next| i32::from(next.min_vx));
    (i32::from(column[index].max_vx), ceiling)
}

fn neighbor(field: &Heightfield, [x, z]: [u32; 2], dir: Dir) -> Option<&[Span]> {
    let (x, z) = (x.checked_add_signed(dir.dx())?, z.checked_add_signed(dir.dz())?);
    let frame = &field.frame;
    (x < frame.n_x && z < frame.n_z).then(|| field.column(frame.cell_index(x, z)))
}

fn saturating(vx: u32) -> i32 {
    i32::try_from(vx).unwrap_or(i32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "heights are at most 65,535 cells")]
fn meters(vx: i32, params: &VoxelParams) -> f32 {
    vx as f32 * params.cell_height
}
