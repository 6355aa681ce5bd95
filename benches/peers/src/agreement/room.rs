//! Where C++ Recast writes beyond its arrays or wraps around, which must not happen to a comparison.

use walkable::{
    bake::{BakePlan, Intermediates, Partition, RawArea},
    ids::Dir,
};

/// Whether C++ has room for regions: for as many runs in a row as the longer side of the grid has cells, the
/// first place unused. Watershed has no runs.
pub(super) fn has_room_for_regions(plan: &BakePlan, stages: &Intermediates) -> bool {
    let frame = &stages.compact.frame;
    let room = frame.n_x.max(frame.n_z) as usize;
    plan.input().settings.partition == Partition::Watershed
        || most_runs_in_a_row(stages, |here, west| here == west) < room
}

/// Whether C++ has room for heightfield layers: for as many runs in a row as the grid is wide, counted in a
/// byte, and for floors less high than a byte.
pub(super) fn has_room_for_layers(plan: &BakePlan, stages: &Intermediates) -> bool {
    let room = stages.compact.frame.n_x.min(u32::from(u8::MAX)) as usize;
    let height_vx = plan.input().mesh.bounds().size().y / plan.params().cell_height;
    height_vx < f32::from(u8::MAX) - 1.0
        && most_runs_in_a_row(stages, |_, west| west.is_walkable()) < room
}

/// Most runs that a row has within the border. A span goes on with the run of its western neighbor where
/// `goes_on` says so of their areas.
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
