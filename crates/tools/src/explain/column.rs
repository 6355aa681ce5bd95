use glam::Vec3;
use walkable_bake::bake::{BakePlan, GridFrame, Intermediates, RawArea};
use walkable_runtime::ids::RegionId;

use super::{filters, reason::Reason};

/// One solid span of a column, and the results of each stage for its top.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSpan {
    /// Height of its underside, in meters.
    pub bottom: f32,
    /// Height of its top, in meters.
    pub top: f32,
    /// Free height above its top, in meters; `None` if nothing is above.
    pub head_room: Option<f32>,
    /// Area after rasterization.
    pub spans_area: RawArea,
    /// Area after the filters.
    pub filtered_area: RawArea,
    /// The change that the filters made; `None` if there was none.
    pub filters: Option<FilterEffect>,
    /// Index of its open span, if it is walkable after the filters.
    pub open: Option<usize>,
    /// Area after erosion and volumes.
    pub eroded_area: RawArea,
    /// Distance to the nearest border of its area in half voxels, if the partition method computes it.
    pub distance: Option<u16>,
    /// The region.
    pub region: RegionId,
}

/// A change that the filters made to a span.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FilterEffect {
    /// The span was not walkable, and became walkable as a low hanging obstacle.
    Raised,
    /// The span was walkable, and was removed.
    Removed(Reason),
}

/// Returns the cell of `frame` that contains `at`, seen from above.
pub(super) fn cell_at(frame: &GridFrame, at: Vec3) -> Option<[u32; 2]> {
    let offset = at - frame.bounds.min;
    if !(offset.x >= 0.0 && offset.z >= 0.0) || frame.n_x == 0 || frame.n_z == 0 {
        return None;
    }
    let along = |d: f32| floor(f64::from(d) / f64::from(frame.cell_size));
    let (x, z) = (along(offset.x), along(offset.z));
    // The maximum sides of the box belong to the last cells.
    let inside = at.x <= frame.bounds.max.x && at.z <= frame.bounds.max.z;
    inside.then(|| [x.min(frame.n_x - 1), z.min(frame.n_z - 1)])
}

/// Rounds `value`, which is not negative, down to a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-integer cast saturates, and the callers clamp to the grid"
)]
pub(super) fn floor(value: f64) -> u32 {
    value.floor() as u32
}

/// Returns all spans of `cell`, from bottom to top.
pub(super) fn column(stages: &Intermediates, [x, z]: [u32; 2], plan: &BakePlan) -> Vec<ColumnSpan> {
    let of_filters = (&plan.input().settings, plan.params());
    let frame = &stages.spans.frame;
    let index = frame.cell_index(x, z);
    let solid = stages.spans.column(index);
    let filtered = stages.filtered.column(index);
    let height = |vx: u16| frame.bounds.min.y + f32::from(vx) * frame.cell_height;
    let mut open = stages.compact.cell(index);
    let span = |i: usize| {
        let filtered_area = filtered.get(i).map_or(RawArea::NULL, |span| span.area);
        let open = filtered_area.is_walkable().then(|| open.next()).flatten();
        let room = solid.get(i + 1).map(|next| next.min_vx.saturating_sub(solid[i].max_vx));
        ColumnSpan {
            bottom: height(solid[i].min_vx),
            top: height(solid[i].max_vx),
            head_room: room.map(|vx| f32::from(vx) * frame.cell_height),
            spans_area: solid[i].area,
            filtered_area,
            filters: match (solid[i].area.is_walkable(), filtered_area.is_walkable()) {
                (false, true) => Some(FilterEffect::Raised),
                (true, false) => {
                    let reason = filters::reason(&stages.spans, [x, z], i, of_filters);
                    Some(FilterEffect::Removed(reason))
                }
                _ => None,
            },
            open,
            eroded_area: open.map_or(RawArea::NULL, |s| stages.eroded_areas[s]),
            distance: open.and_then(|s| stages.distance.as_ref().map(|d| d.distances[s])),
            region: open.map_or(RegionId::NONE, |s| stages.regions.ids[s]),
        }
    };
    (0..solid.len()).map(span).collect()
}

/// Returns the index of the span that contains a surface at `height`, or is within half a voxel of it.
pub(super) fn holding(column: &[ColumnSpan], frame: &GridFrame, height: f32) -> Option<usize> {
    let slack = 0.5 * frame.cell_height;
    let holds = |span: &&ColumnSpan| span.bottom - slack <= height && height <= span.top + slack;
    let held = column.iter().enumerate().filter(|(_, span)| holds(span));
    let off = |span: &ColumnSpan| (span.top - height).abs();
    held.min_by(|(_, a), (_, b)| off(a).total_cmp(&off(b))).map(|(i, _)| i)
}

/// Returns the index of the span nearest to `at`, if the distance is at most one and a half voxels.
pub(super) fn focus(column: &[ColumnSpan], frame: &GridFrame, at: Vec3) -> Option<usize> {
    let distance = |span: &ColumnSpan| (span.bottom - at.y).max(at.y - span.top).max(0.0);
    let nearest = column
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))
        .map(|(i, _)| i)?;
    (distance(&column[nearest]) <= 1.5 * frame.cell_height).then_some(nearest)
}
