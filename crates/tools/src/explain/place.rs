//! Answers the question "Can an agent stand here?" for a bake and for bakes with other settings.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize, Serializer};
use walkable_bake::bake::{BakeError, BakeInput, BakeOutput, BakePlan, bake_tile};
use walkable_runtime::{
    geom::Aabb,
    monitor::Monitor,
    navmesh::NavMesh,
    query::{Filter, NearestRequest, nearest},
    stage::Stage,
};

use super::{
    Verdict,
    cause::Cause,
    explain,
    fix::{Fix, SettingsFix},
    fix_search::{FixLimits, FoundFixes, Outcome, Question, compare_fixes, find_fixes, fixes_from},
    ground_map::{GroundMap, side_effects},
    obstacle::Obstacle,
    reason::Reason,
    surface::reach,
    tile_at,
};
use crate::shrink::within;

/// Asks whether an agent can stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceQuestion {
    /// The place.
    pub at: Vec3,
    /// Index of the triangle of the mesh that contains the place, if known.
    pub triangle: Option<u32>,
}

/// Why an agent cannot stand at a place, and how to fix it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceAnswer {
    /// The first cause, followed by each cause that would apply next; empty if an agent can stand at the place.
    pub chain: Vec<Obstacle>,
    /// Fixes, ranked: see [`Fix::rank`].
    pub fixes: Vec<Fix>,
    /// Whether the tile of the place has any ground.
    pub has_ground: bool,
    /// Whether the search for settings ended because it reached the limit of bakes.
    pub is_cut_short: bool,
}

impl Serialize for PlaceAnswer {
    /// Writes an object with `walkable`, `chain`, `fixes` and `fixes_cut_short`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            walkable: bool,
            chain: &'a [Obstacle],
            fixes: &'a [Fix],
            fixes_cut_short: bool,
        }
        let Self { chain, fixes, is_cut_short: fixes_cut_short, has_ground: _ } = self;
        let fields =
            Fields { walkable: chain.is_empty(), chain, fixes, fixes_cut_short: *fixes_cut_short };
        fields.serialize(serializer)
    }
}

/// Explains why an agent cannot stand at a place in the level of `plan`, and finds settings that fix it. Each fix is
/// baked and verified.
///
/// Only the tile that contains the place is baked repeatedly; in a bake without tiles, that is the whole level.
///
/// # Errors
/// [`BakeError`] if the tile cannot be baked or the monitor cancels.
pub fn why_here(
    plan: &BakePlan,
    question: PlaceQuestion,
    limits: FixLimits,
    monitor: &dyn Monitor,
) -> Result<PlaceAnswer, BakeError> {
    why_here_reporting(plan, question, limits, &mut |_| {}, monitor)
}

/// Same as [`why_here`], and calls `found` with each fix of settings as soon as it is verified. The answer lists all
/// fixes, ranked.
///
/// # Errors
/// The errors of [`why_here`].
pub fn why_here_reporting(
    plan: &BakePlan,
    question: PlaceQuestion,
    limits: FixLimits,
    found: &mut dyn FnMut(Fix),
    monitor: &dyn Monitor,
) -> Result<PlaceAnswer, BakeError> {
    let (outcome, reason) = question.look(plan, monitor)?;
    let Some((first, reason)) = outcome.obstacle.clone().zip(reason) else {
        return Ok(PlaceAnswer::default());
    };
    let has_ground = outcome.ground.iter().any(|map| !map.is_empty());
    let mut answer = PlaceAnswer { chain: vec![first], has_ground, ..PlaceAnswer::default() };
    if limits.n_bakes > 0 {
        let found = settings_that_help(plan, (question, &outcome), limits, found, monitor)?;
        answer.is_cut_short = found.is_cut_short;
        answer.fixes.extend(found.fixes.into_iter().map(Fix::Settings));
    }
    let in_words = |reason: &Reason| reason.geometry_fix(plan, question.at).map(Fix::Geometry);
    answer.fixes.extend(in_words(&reason));
    // Removes the cause to find the one behind it.
    let part = part_around(plan, question.at, limits.n_cells);
    let mut without = without(part.as_ref().unwrap_or(plan), &question, &reason);
    while let Some(plan) = without.take().filter(|_| answer.chain.len() < MAX_CHAIN) {
        // Smaller voxels can exceed the limits.
        if plan.check_limits(1, limits.bake).is_err() {
            break;
        }
        let (outcome, reason) = match question.look(&plan, monitor) {
            Ok(looked) => looked,
            Err(BakeError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // Without the cause, the level can exceed a limit.
            Err(_refused) => break,
        };
        let Some((next, reason)) = outcome.obstacle.zip(reason) else { break };
        if answer.chain.iter().any(|known| known.cause == next.cause) {
            break;
        }
        // Finer voxels or another change of the level solve it.
        let is_of_level = next.cause != Cause::CellTooCoarse;
        answer.chain.push(next);
        answer.fixes.extend(in_words(&reason).filter(|_| is_of_level));
        without = self::without(&plan, &question, &reason);
    }
    answer.fixes.sort_by_key(Fix::rank);
    Ok(answer)
}

/// Half-size of the part of a large level without tiles that is baked around the place: in meters, and in agent radii.
/// The larger of the two applies.
const PART: [f32; 2] = [24.0, 16.0];

/// Finds settings that fix the place. In a large level without tiles, the search bakes only a part, and each fix is
/// then verified on the whole level.
fn settings_that_help(
    plan: &BakePlan,
    (question, outcome): (PlaceQuestion, &Outcome),
    limits: FixLimits,
    report: &mut dyn FnMut(Fix),
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    let Some(part) = part_around(plan, question.at, limits.n_cells) else {
        let mut report = |fix| report(Fix::Settings(fix));
        return fixes_from(plan, (&question, outcome), limits, &mut report, monitor);
    };
    let mut found = find_fixes(&part, &question, limits, monitor)?;
    let mut working = Vec::new();
    for fix in found.fixes {
        let Ok(settings) = fix.applied(&plan.input().settings) else { continue };
        let whole = plan.renewed(BakeInput { settings, ..plan.input().clone() });
        let Ok(whole) = whole else { continue };
        if whole.check_limits(1, limits.bake).is_err() {
            continue;
        }
        let (changed, _) = question.look(&whole, monitor)?;
        if changed.obstacle.is_none() {
            let side_effects = side_effects(&outcome.ground, &changed.ground);
            let fix = SettingsFix { side_effects, ..fix };
            report(Fix::Settings(fix.clone()));
            working.push(fix);
        }
    }
    working.sort_by(compare_fixes);
    found.fixes = working;
    Ok(found)
}

/// Returns the part of a large level without tiles around `at`; `None` if the whole level may be baked.
fn part_around(plan: &BakePlan, at: Vec3, few: u64) -> Option<BakePlan> {
    let n_cells = plan.grid_size().map(u64::from).iter().product::<u64>();
    if !plan.is_solo() || n_cells <= few {
        return None;
    }
    let mut input = plan.input().clone();
    let [meters, radii] = PART;
    let half = meters.max(radii * input.settings.agent_radius);
    let level = input.mesh.bounds();
    let near = Aabb {
        min: Vec3::new(at.x - half, level.min.y, at.z - half).max(level.min),
        max: Vec3::new(at.x + half, level.max.y, at.z + half).min(level.max),
    };
    input.bounds = within(&input.bounds, &near);
    input.settings.keep_grid = false;
    if input.bounds.is_empty() {
        return None;
    }
    plan.renewed(input).ok()
}

/// Maximum number of causes to list.
const MAX_CHAIN: usize = 4;

/// Returns the plan of a bake without the cause of `reason`; `None` if no change of the input removes the cause.
fn without(plan: &BakePlan, question: &PlaceQuestion, reason: &Reason) -> Option<BakePlan> {
    let input = reason.removed_from(plan.input())?;
    tile_at(plan, question.at)?;
    plan.renewed(input).ok()
}

impl PlaceQuestion {
    /// Returns the outcome, and the reason for its obstacle.
    fn look(
        &self,
        plan: &BakePlan,
        monitor: &dyn Monitor,
    ) -> Result<(Outcome, Option<Reason>), BakeError> {
        let lost = |(stage, reason): (Stage, Reason), ground| {
            let obstacle = Some(reason.obstacle(plan, stage));
            (Outcome { obstacle, ground }, Some(reason))
        };
        let Some(tile) = tile_at(plan, self.at) else {
            return Ok(lost((Stage::Slope, Reason::beside_grid(plan, self.at)), Vec::new()));
        };
        let baked = bake_tile(plan, tile, BakeOutput::Stages, monitor)?;
        let Some(stages) = baked.stages else {
            return Ok(lost((Stage::Tile, Reason::Unexplained), Vec::new()));
        };
        let ground = vec![GroundMap::of(&stages)];
        let tile = baked.tile.map(Arc::new);
        let mesh = plan.link(tile.clone())?;
        if stands_at(&mesh, self.at, plan.params().cell_height) {
            return Ok((Outcome { obstacle: None, ground }, None));
        }
        let why = match explain(plan, &stages, self.at, self.triangle).verdict {
            Verdict::Lost { stage, reason } => (stage, reason),
            Verdict::Walkable { area, polygon, .. } => {
                let poly = tile.as_ref().and_then(|tile| tile.polys.get(polygon));
                let has_flags = poly.is_none_or(|poly| poly.flags != 0);
                let reason =
                    if has_flags { Reason::Unexplained } else { Reason::AreaWithoutFlags { area } };
                (Stage::Tile, reason)
            }
        };
        Ok(lost(why, ground))
    }
}

impl Question for PlaceQuestion {
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError> {
        self.look(plan, monitor).map(|(outcome, _)| outcome)
    }
}

/// Maximum horizontal distance at which a place counts as on the navmesh, in meters, to tolerate rounding.
const ASIDE: f32 = 0.02;

/// Returns whether a polygon of `mesh`, which was baked with the voxel height `cell_height`, covers `at`: directly
/// above or below, not only nearby. Returns `false` if `at` is not finite.
pub fn stands_at(mesh: &NavMesh, at: Vec3, cell_height: f32) -> bool {
    let reach = reach(cell_height);
    let half_extents = Vec3::new(ASIDE, reach, ASIDE);
    let request = NearestRequest { center: at, half_extents, filter: &Filter::default() };
    nearest(mesh, &request).is_ok_and(|found| {
        let Some(end) = found else { return false };
        let off = end.point - at;
        off.y.abs() <= reach && off.with_y(0.0).length() < ASIDE
    })
}
