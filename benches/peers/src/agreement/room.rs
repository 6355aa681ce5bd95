//! Detects input for which C++ Recast writes beyond its arrays or wraps around, which must not be compared.

use walkable::{
    bake::{BakePlan, Intermediates, Partition, RawArea},
    ids::Dir,
};

/// Returns whether C++ has space for regions: for as many runs in a row as the longer side of the grid has cells, of
/// which the first entry is unused. The watershed has no runs.
pub(super) fn has_room_for_regions(plan: &BakePlan, stages: &Intermediates) -> bool {
    let frame = &stages.compact.frame;
    let room = frame.n_x.max(frame.n_z) as usize;
    plan.input().settings.partition == Partition::Watershed
        || most_runs_in_a_row(stages, |here, west| here == west) < room
}

/// Returns whether C++ has space for heightfield layers: for as many runs in a row as the grid is wide, counted in a
/// byte, and for floors whose height difference fits in a byte.
pub(super) fn has_room_for_layers(plan: &BakePlan, stages: &Intermediates) -> bool {
    let room = stages.compact.frame.n_x.min(u32::from(u8::MAX)) as usize;
    let height_vx = plan.input().mesh.bounds().size().y / plan.params().cell_height;
    height_vx < f32::from(u8::MAX) - 1.0
        && most_runs_in_a_row(stages, |_, west| west.is_walkable()) < room
}

/// Returns the maximum number of runs in a row within the border. A span continues the run of its western neighbor if
/// `goes_on` returns true for their areas.
fn most_runs_in_a_row(stages: &Intermediates, goes_on: fn(RawArea, RawArea) -> bool) -> usize {
    let (field, areas) = (&stages.compact, &stages.eroded_areas);
    let frame = &field.frame;
    let starts_run = |x: u32, z: u32, span: usize| {
        let west = field.neighbor((x, z), span, Dir::West).filter(|west| west.x >= frame.border_vx);
        areas[span].is_walkable()
            && !west.is_some_and(|west| goes_on(areas[span], areas[west.span]))
    };
    let runs_at = |x: u32, z: u32| {
        let spans = field.cell(frame.cell_index(x, z));
        spans.filter(|span| starts_run(x, z, *span)).count()
    };
    let inner = |n: u32| frame.border_vx..n - frame.border_vx;
    inner(frame.n_z).map(|z| inner(frame.n_x).map(|x| runs_at(x, z)).sum()).max().unwrap_or(0)
}
