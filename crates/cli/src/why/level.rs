//! `walkable why` without a place: explains why nothing in a level is walkable.

use anyhow::Context as _;
use serde::Serialize;
use walkable::{
    bake::{BakePlan, Stage},
    explain::{Cause, Fix, FixLimits, NoGroundAnswer, why_no_ground},
};
use walkable_workspace::limits::{self, InTime};

use super::{CUT_SHORT, FixesInTime, WhyArgs, fix_line};
use crate::{Failure, output::Output};

#[derive(Serialize)]
struct LevelJson {
    walkable: bool,
    cause: Option<Cause>,
    stage: Option<Stage>,
    text: String,
    fixes: Vec<Fix>,
    fixes_cut_short: bool,
}

pub(super) fn answer(args: &WhyArgs, plan: &BakePlan, output: &mut Output) -> Result<(), Failure> {
    let answer = ask(args, plan).with_context(|| args.level.to_string())?;
    if args.json {
        let text = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    let cause = answer.cause.map(|cause| format!(" [{}]", cause.key())).unwrap_or_default();
    output.line(&format!("{}{cause}", answer.text))?;
    for line in answer.fixes.iter().map(fix_line) {
        output.line(&line)?;
    }
    if answer.fixes_cut_short {
        output.line(CUT_SHORT)?;
    }
    Ok(())
}

fn ask(args: &WhyArgs, plan: &BakePlan) -> anyhow::Result<LevelJson> {
    let limits = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
    let cause_only = FixLimits { n_bakes: 0, ..limits };
    let NoGroundAnswer { obstacle, .. } = why_no_ground(plan, cause_only, &mut |_| {}, &InTime)?;
    let Some(obstacle) = obstacle else {
        return Ok(LevelJson {
            walkable: true,
            cause: None,
            stage: None,
            text: "the level has walkable ground; to ask about a place or a path, give --at, or --from and --to"
                .to_owned(),
            fixes: Vec::new(),
            fixes_cut_short: false,
        });
    };
    let found = if args.no_fixes {
        FixesInTime::default()
    } else {
        FixesInTime::search(args, |report, monitor| {
            let mut report = |fix| report(Fix::Settings(fix));
            let NoGroundAnswer { fixes, is_cut_short, .. } =
                why_no_ground(plan, limits, &mut report, monitor)?;
            Ok((fixes.into_iter().map(Fix::Settings).collect(), is_cut_short))
        })?
    };
    Ok(LevelJson {
        walkable: false,
        cause: Some(obstacle.cause),
        stage: obstacle.stage,
        text: format!("nothing is walkable: {}", obstacle.text),
        fixes: found.fixes,
        fixes_cut_short: found.is_cut_short,
    })
}
