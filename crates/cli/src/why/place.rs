//! `walkable why --at`: explains why an agent cannot stand at a place.

use anyhow::Context as _;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::BakePlan,
    explain::{
        Fix, FixLimits, Obstacle, PlaceAnswer, PlaceQuestion, why_here_reporting, why_no_ground,
    },
};
use walkable_workspace::{
    after_bake::PostBake,
    limits::{self, InTime},
};

use super::{CUT_SHORT, FixesInTime, WhyArgs, fix_line};
use crate::{Failure, output::Output};

#[derive(Serialize)]
struct PlaceJson {
    walkable: bool,
    #[serde(flatten)]
    first: Verdict,
    place: Vec3,
    chain: Vec<Obstacle>,
    fixes: Vec<Fix>,
    fixes_cut_short: bool,
    /// Why the whole level has no ground, if it has none.
    nothing_walkable: Option<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Verdict {
    NotWalkable(Obstacle),
    Walkable { cause: (), stage: (), measured: (), limit: (), unit: (), text: &'static str },
}

const WALKABLE: Verdict =
    Verdict::Walkable { cause: (), stage: (), measured: (), limit: (), unit: (), text: "walkable" };

pub(super) fn answer(
    (args, at, notes): (&WhyArgs, Vec3, Vec<String>),
    plan: &BakePlan,
    post_bake: &PostBake<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let answer = ask((args, at), plan, post_bake).with_context(|| args.level.to_string())?;
    let answer = PlaceJson { notes, ..answer };
    if args.json {
        let text = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    for line in in_words(&answer) {
        output.line(&line)?;
    }
    Ok(())
}

fn in_words(answer: &PlaceJson) -> Vec<String> {
    let mut lines = vec![match &answer.first {
        Verdict::Walkable { text, .. } => (*text).to_owned(),
        Verdict::NotWalkable(Obstacle { cause, text, .. }) => {
            format!("not walkable: {text} [{}]", cause.key())
        }
    }];
    lines.extend(answer.nothing_walkable.clone());
    for Obstacle { cause, text, .. } in &answer.chain {
        lines.push(format!("  then  {text} [{}]", cause.key()));
    }
    lines.extend(answer.fixes.iter().map(fix_line));
    lines.extend(answer.fixes_cut_short.then(|| CUT_SHORT.to_owned()));
    lines.extend(answer.notes.iter().map(|note| format!("  note  {note}")));
    lines
}

fn ask(
    (args, at): (&WhyArgs, Vec3),
    plan: &BakePlan,
    post_bake: &PostBake<'_>,
) -> anyhow::Result<PlaceJson> {
    let question = PlaceQuestion { at, triangle: None };
    let limits = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
    let cause_only = FixLimits { n_bakes: 0, ..limits };
    let mut answer = post_bake.why_here(plan, question, cause_only, &InTime)?;
    let found = if args.no_fixes || answer.chain.is_empty() {
        FixesInTime::default()
    } else {
        FixesInTime::search(args, |report, monitor| {
            let all = why_here_reporting(plan, question, limits, report, monitor)?;
            answer.fixes.clear();
            Ok((all.fixes, all.is_cut_short))
        })?
    };
    let PlaceAnswer { chain, fixes, has_ground, .. } = answer;
    let fixes = [found.fixes, fixes].concat();
    let answer = |walkable, first| PlaceJson {
        walkable,
        first,
        place: at,
        chain: Vec::new(),
        fixes: Vec::new(),
        fixes_cut_short: found.is_cut_short,
        nothing_walkable: None,
        notes: Vec::new(),
    };
    let mut chain = chain.into_iter();
    let Some(first) = chain.next() else { return Ok(answer(true, WALKABLE)) };
    let chain = chain.collect();
    let no_ground = if has_ground {
        None
    } else {
        why_no_ground(plan, cause_only, &mut |_| {}, &InTime)?.obstacle
    };
    let nothing_walkable = no_ground
        .map(|no_ground| format!("nothing is walkable in the whole level: {}", no_ground.text));
    Ok(PlaceJson { chain, fixes, nothing_walkable, ..answer(false, Verdict::NotWalkable(first)) })
}
