//! Searches of voxels one by one, by columns and over floors.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    phrase,
    search::Watch,
    voxel::{
        Columns, SpanSearch, Volume, Voxel, VoxelAnswer, VoxelMoves, VoxelPath, VoxelScratch,
        WalkRules, find_by_spans, find_dense, walk,
    },
};

use super::{Lab, RepeatableSearch, effort, length, searched, timed, verbatim};
use crate::session::{LabRow, Searcher, Shape, VoxelSearch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VoxelQuestion {
    /// Over floors, with the agent's climb and head room.
    Walk,
    /// Through free space.
    Of(VoxelSearch),
}

pub(super) fn run(lab: &Lab<'_>, wanted: &[(Searcher, VoxelQuestion)]) -> Result<(), Phrase> {
    let (air, in_air) = lab.air()?;
    let (volume, in_volume) = lab.volume()?;
    let ends = air.ends(lab.request.ends)?;
    let (columns, in_columns) = timed(|| Columns::of_volume(volume));
    let columns = columns.map_err(verbatim)?;
    let world = World { volume, columns, rules: rules(lab, air.air.voxel_size), ends };
    let mut spans = world.question(VoxelQuestion::Of(VoxelSearch::Spans));
    let least = lab.search(|watch| spans.search(watch))?.path.map(|path| path.cost);
    let size = air.air.voxel_size;
    let in_world = |[x, y, z]: Voxel, up: f32| air.point([x, y, z], Vec3::new(0.5, up, 0.5));
    for &(searcher, search) in wanted {
        let is_walk = search == VoxelQuestion::Walk;
        let up = if is_walk { 0.1 } else { 0.5 };
        let shape = |place| Shape::Voxel(in_world(volume.voxel(place), up));
        let (answer, time, recording) = searched(lab.report, world.question(search), shape)?;
        let path = answer.path.unwrap_or_default();
        let points: Vec<Vec3> = path.voxels.iter().map(|&voxel| in_world(voxel, up)).collect();
        // Searches with 6 neighbors are compared with the optimum for 6 neighbors; all others are exact.
        let six = match search {
            VoxelQuestion::Of(VoxelSearch::Dense6 | VoxelSearch::Spans | VoxelSearch::SpansOne) => {
                true
            }
            VoxelQuestion::Of(VoxelSearch::Dense26) | VoxelQuestion::Walk => false,
        };
        let least = if six { least.unwrap_or(path.cost) } else { path.cost };
        let in_meters = |cost: f64| cost * f64::from(size);
        lab.send(LabRow {
            searcher,
            length: length(&points),
            why: points.is_empty().then(|| none(search)),
            points,
            cost: Some((in_meters(path.cost), in_meters(least))),
            effort: effort(answer.stats),
            time,
            preprocessing_time: Some(
                in_air + in_volume + if six || is_walk { in_columns } else { Duration::ZERO },
            ),
            n_bytes: world.n_bytes(search),
            recording,
        });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

fn none(search: VoxelQuestion) -> Phrase {
    match search {
        VoxelQuestion::Walk => phrase!("no path over floors with this climb"),
        VoxelQuestion::Of(_) => phrase!("no free path"),
    }
}

/// Returns the agent's rules for voxels that are dilated by the flyer's radius: the agent needs less head room by that
/// radius.
fn rules(lab: &Lab<'_>, voxel_size: f32) -> WalkRules {
    let settings = &lab.request.input.settings;
    let in_voxels = |length: f32| floor((length / voxel_size).max(1.0));
    let room = settings.agent_height - 2.0 * lab.request.settings.flyer_radius;
    WalkRules { step_vx: in_voxels(settings.agent_max_climb), clearance_vx: in_voxels(room) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn floor(n: f32) -> u32 {
    n.floor() as u32
}

struct World<'a> {
    volume: &'a Volume,
    columns: Columns,
    rules: WalkRules,
    ends: [Voxel; 2],
}

impl World<'_> {
    fn question(&self, search: VoxelQuestion) -> Question<'_> {
        Question { world: self, search, scratch: VoxelScratch::default() }
    }

    fn n_bytes(&self, search: VoxelQuestion) -> usize {
        match search {
            VoxelQuestion::Of(VoxelSearch::Dense6 | VoxelSearch::Dense26) => {
                let n: u64 = self.volume.size().iter().map(|&n| u64::from(n)).product();
                usize::try_from(n / 8).unwrap_or(usize::MAX)
            }
            VoxelQuestion::Of(VoxelSearch::Spans | VoxelSearch::SpansOne) | VoxelQuestion::Walk => {
                self.columns.n_bytes()
            }
        }
    }
}

struct Question<'a> {
    world: &'a World<'a>,
    search: VoxelQuestion,
    scratch: VoxelScratch,
}

impl RepeatableSearch for Question<'_> {
    type Output = VoxelAnswer<VoxelPath>;

    fn search<W: Watch>(&mut self, watch: &mut W) -> VoxelAnswer<VoxelPath> {
        let World { volume, columns, rules, ends } = self.world;
        let scratch = &mut self.scratch;
        let dense = |moves, scratch: &mut VoxelScratch, watch: &mut W| {
            find_dense(volume, *ends, moves, 1.0, scratch, watch)
        };
        let spans = |keep, scratch: &mut VoxelScratch, watch: &mut W| {
            find_by_spans(columns, *ends, keep, scratch, watch)
        };
        match self.search {
            VoxelQuestion::Walk => walk(columns, *ends, *rules, scratch, watch),
            VoxelQuestion::Of(VoxelSearch::Dense6) => dense(VoxelMoves::Six, scratch, watch),
            VoxelQuestion::Of(VoxelSearch::Dense26) => dense(VoxelMoves::TwentySix, scratch, watch),
            VoxelQuestion::Of(VoxelSearch::Spans) => spans(SpanSearch::Exact, scratch, watch),
            VoxelQuestion::Of(VoxelSearch::SpansOne) => {
                spans(SpanSearch::OnePerSpan, scratch, watch)
            }
        }
    }
}
