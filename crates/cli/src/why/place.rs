//! `walkable why --at`: explains why an agent cannot stand at a place.

use std::{mem, sync::Arc};

use anyhow::Context as _;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::{BakePlan, Keep, Stage, bake_tile},
    explain::{
        Cause, Fix, FixLimits, Measure, Obstacle, PlaceAnswer, PlaceQuestion, stands_at, tile_at,
        why_here, why_here_reporting, why_no_ground,
    },
    monitor::Unmonitored,
    navmesh::NavMesh,
    tile_cache,
};
use walkable_editor::{document::Finish, layered::Layered, limits};

use super::{CUT_SHORT, FixesInTime, WhyArgs, fix_line};
use crate::{Failure, output::Output};

/// Changes applied to the level's navmesh after the bake.
pub(super) struct PostBake<'a> {
    pub(super) finish: &'a Finish,
    /// The obstacles, if the level supports runtime obstacles.
    pub(super) obstacles: Option<&'a [tile_cache::Obstacle]>,
}

/// An answer, as JSON.
#[derive(Serialize)]
struct Answer {
    walkable: bool,
    #[serde(flatten)]
    first: PlaceCause,
    place: Vec3,
    chain: Vec<PlaceCause>,
    fixes: Vec<Fix>,
    fixes_cut_short: bool,
    /// Why the whole level has no ground, if it has none.
    nothing_walkable: Option<String>,
}

/// The cause that makes a place unwalkable.
#[derive(Serialize)]
struct PlaceCause {
    cause: Option<Cause>,
    stage: Option<Stage>,
    measured: Option<f32>,
    limit: Option<f32>,
    unit: Option<&'static str>,
    text: String,
}

impl From<&Obstacle> for PlaceCause {
    fn from(obstacle: &Obstacle) -> Self {
        let Obstacle { cause, stage, measure, text, .. } = obstacle;
        let number = |of: fn(Measure) -> Option<f32>| measure.and_then(of).map(rounded);
        Self {
            cause: Some(*cause),
            stage: *stage,
            measured: number(|measure| measure.measured),
            limit: number(|measure| measure.limit),
            unit: measure.map(|measure| measure.unit),
            text: text.clone(),
        }
    }
}

/// Rounds to tenths of a millimeter; the remaining digits are float noise.
fn rounded(value: f32) -> f32 {
    (value * 1e4).round() / 1e4
}

/// A cause that applies after the bake.
fn cause_after_bake(cause: Cause, text: &str) -> PlaceCause {
    let (measured, limit, unit) = (None, None, None);
    PlaceCause {
        cause: Some(cause),
        stage: Some(Stage::Tile),
        measured,
        limit,
        unit,
        text: text.to_owned(),
    }
}

pub(super) fn answer(
    (args, at): (&WhyArgs, Vec3),
    plan: &BakePlan,
    post_bake: &PostBake<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let answer = ask((args, at), plan, post_bake).with_context(|| args.level.to_string())?;
    if args.json {
        let text = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    for line in in_words(&answer) {
        output.line(&line)?;
    }
    Ok(())
}

/// The answer for users: the verdict, further causes, fixes.
fn in_words(answer: &Answer) -> Vec<String> {
    let PlaceCause { cause, text, .. } = &answer.first;
    let mut lines = vec![match cause {
        None => text.clone(),
        Some(cause) => format!("not walkable: {text} [{}]", cause.key()),
    }];
    lines.extend(answer.nothing_walkable.clone());
    for PlaceCause { cause, text, .. } in &answer.chain {
        let key = cause.map_or("", Cause::key);
        lines.push(format!("  then  {text} [{key}]"));
    }
    lines.extend(answer.fixes.iter().map(fix_line));
    lines.extend(answer.fixes_cut_short.then(|| CUT_SHORT.to_owned()));
    lines
}

fn ask(
    (args, at): (&WhyArgs, Vec3),
    plan: &BakePlan,
    post_bake: &PostBake<'_>,
) -> anyhow::Result<Answer> {
    let question = PlaceQuestion { at, triangle: None };
    let limits = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
    let cause_only = FixLimits { n_bakes: 0, ..limits };
    let mut answer = why_here(plan, question, cause_only, &Unmonitored)?;
    let found = if args.no_fixes || answer.chain.is_empty() {
        FixesInTime::default()
    } else {
        FixesInTime::search(args, |report, monitor| {
            answer = why_here_reporting(plan, question, limits, report, monitor)?;
            Ok((mem::take(&mut answer.fixes), answer.is_cut_short))
        })?
    };
    let PlaceAnswer { chain, fixes, has_ground, .. } = answer;
    let fixes = [found.fixes, fixes].concat();
    let answer = |walkable, first| Answer {
        walkable,
        first,
        place: at,
        chain: Vec::new(),
        fixes: Vec::new(),
        fixes_cut_short: found.is_cut_short,
        nothing_walkable: None,
    };
    let Some((first, then)) = chain.split_first() else {
        return Ok(match removed_by_editor(plan, post_bake, at)? {
            Some(cause) => answer(false, cause),
            None => answer(true, walkable()),
        });
    };
    let chain = then.iter().map(PlaceCause::from).collect();
    let no_ground = if has_ground {
        None
    } else {
        why_no_ground(plan, cause_only, &mut |_| {}, &Unmonitored)?.obstacle
    };
    let nothing_walkable = no_ground
        .map(|no_ground| format!("nothing is walkable in the whole level: {}", no_ground.text));
    Ok(Answer { chain, fixes, nothing_walkable, ..answer(false, first.into()) })
}

fn walkable() -> PlaceCause {
    let (stage, measured, limit, unit) = (None, None, None, None);
    PlaceCause { cause: None, stage, measured, limit, unit, text: "walkable".to_owned() }
}

/// The change made in the editor that removed a place from the navmesh, although the bake has ground there.
fn removed_by_editor(
    plan: &BakePlan,
    post_bake: &PostBake<'_>,
    at: Vec3,
) -> anyhow::Result<Option<PlaceCause>> {
    let cell_height = plan.params().cell_height;
    if let Some(obstacles) = post_bake.obstacles {
        let mut layered = Layered::bake(plan, obstacles, &Unmonitored)?;
        let mesh = layered.nav_mesh(post_bake.finish, &mut 0)?;
        let is_under = !layered.obstacles_at(at).is_empty();
        let covered = || cause_after_bake(Cause::Obstacle, "an obstacle covers the place");
        return Ok((is_under && !stands_at(&mesh, at, cell_height)).then(covered));
    }
    let Some(coord) = tile_at(plan, at) else { return Ok(None) };
    let Some(tile) = bake_tile(plan, coord, Keep::Tile, &Unmonitored)?.tile else {
        return Ok(None);
    };
    let Some(finished) = post_bake.finish.tile(coord, &Arc::new(tile)) else {
        let text = format!("tile {coord} was removed from the navmesh");
        return Ok(Some(cause_after_bake(Cause::RemovedTile, &text)));
    };
    if !stands_at(&plan.link([finished])?, at, cell_height) {
        let text = "the polygon there has no flags, so no query uses it";
        return Ok(Some(cause_after_bake(Cause::AreaWithoutFlags, text)));
    }
    if post_bake.finish.keeps_all_islands()
        || stands_at(&pruned(plan, post_bake.finish)?, at, cell_height)
    {
        return Ok(None);
    }
    let text = "its island was removed from the navmesh by the project's rule for islands";
    Ok(Some(cause_after_bake(Cause::IslandRemoved, text)))
}

/// The whole navmesh, without the islands that the project removes.
fn pruned(plan: &BakePlan, finish: &Finish) -> anyhow::Result<NavMesh> {
    let mut tiles = Vec::new();
    for coord in plan.tiles() {
        let baked = bake_tile(plan, coord, Keep::Tile, &Unmonitored)?.tile;
        tiles.extend(baked.map(|tile| (coord, Arc::new(tile))));
    }
    let mut mesh = finish.link(plan, &tiles)?;
    finish.prune(&mut mesh);
    Ok(mesh)
}
