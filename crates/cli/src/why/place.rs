//! `walkable why --at`: why an agent cannot stand at a place.

use anyhow::Context as _;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::{BakePlan, Keep, Stage, bake_tile},
    explain::{
        Cause, Fix, FixLimits, Measure, PlaceQuestion, Reason, Verdict, explain, find_fixes,
        tile_at,
    },
    monitor::Unmonitored,
};
use walkable_editor::memory;

use super::WhyArgs;
use crate::{Failure, output::Output};

/// An answer as JSON.
#[derive(Serialize)]
struct Answer {
    walkable: bool,
    #[serde(flatten)]
    taken: Taken,
    place: Vec3,
    chain: Vec<Taken>,
    fixes: Vec<Fix>,
}

/// What takes a place.
#[derive(Serialize)]
struct Taken {
    cause: Option<Cause>,
    stage: Option<Stage>,
    measured: Option<f32>,
    limit: Option<f32>,
    unit: Option<&'static str>,
    text: String,
}

impl Taken {
    fn new(stage: Option<Stage>, reason: &Reason) -> Self {
        let measure = reason.measure();
        let Measure { measured, limit, .. } = measure.unwrap_or(NOTHING);
        Self {
            cause: Some(reason.cause()),
            stage,
            measured,
            limit,
            unit: measure.map(|measure| measure.unit),
            text: reason.to_string(),
        }
    }
}

/// Nothing was measured.
const NOTHING: Measure = Measure { measured: None, limit: None, unit: "" };

pub(super) fn answer(
    args: &WhyArgs,
    at: Vec3,
    plan: &BakePlan,
    output: &mut Output,
) -> Result<(), Failure> {
    let answer = ask(args, at, plan).with_context(|| args.level.to_string())?;
    if args.json {
        let text = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    output.line(&answer.taken.text)?;
    for taken in &answer.chain {
        output.line(&format!("  then: {}", taken.text))?;
    }
    for fix in &answer.fixes {
        output.line(&format!("  fix:  {fix}"))?;
    }
    Ok(())
}

fn ask(args: &WhyArgs, at: Vec3, plan: &BakePlan) -> anyhow::Result<Answer> {
    let lost = |stage: Stage, reason: &Reason| Answer {
        walkable: false,
        taken: Taken::new(Some(stage), reason),
        place: at,
        chain: Vec::new(),
        fixes: Vec::new(),
    };
    let Some(tile) = tile_at(plan, at) else {
        return Ok(lost(Stage::Slope, &Reason::OutsideLevel));
    };
    let baked = bake_tile(plan, tile, Keep::Stages, &Unmonitored)?;
    let stages = baked.stages.context("a bake with its stages has none")?;
    match explain(plan, &stages, at, None).verdict {
        Verdict::Lost { stage, reason } => {
            let mut answer = lost(stage, &reason);
            if !args.no_fixes {
                let question = PlaceQuestion { at, triangle: None };
                let limits = FixLimits { n_bytes: memory::limit(), ..FixLimits::default() };
                let found = find_fixes(plan, &question, limits, &Unmonitored)?;
                answer.fixes = found.fixes.into_iter().map(Fix::Settings).collect();
            }
            Ok(answer)
        }
        walkable @ Verdict::Walkable { .. } => Ok(Answer {
            walkable: true,
            taken: Taken {
                cause: None,
                stage: None,
                measured: None,
                limit: None,
                unit: None,
                text: walkable.to_string(),
            },
            place: at,
            chain: Vec::new(),
            fixes: Vec::new(),
        }),
    }
}
