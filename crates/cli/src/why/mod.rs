//! `walkable why`: explains why an agent cannot stand at a place of a level or cannot reach it, and how to fix it.
//!
//! JSON of an answer about a place, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `walkable` | whether an agent can stand there |
//! | `cause` | the first cause, such as `too_steep` or `near_edge`; `null` if the place is walkable |
//! | `stage` | the stage of the bake at which the place is lost |
//! | `measured`, `limit`, `unit` | the number that decided, and its limit; `null` if there is none |
//! | `place` | `[x, y, z]` |
//! | `text` | the answer in a sentence |
//! | `chain` | the causes that would apply next, in order: `cause`, `stage`, `measured`, `limit`, `unit`, `text` |
//! | `nothing_walkable` | why the whole level has no ground, if it has none; otherwise `null` |
//! | `fixes` | fixes: `{"set": {key: value}, "verified": true, "side_effects": {"gained_m2", "lost_m2"}}`, baked and verified, or `{"geometry": "…"}` |
//!
//! For the JSON of an answer about a path, see [`route`].
//!
//! "Not walkable" and "no path" are valid answers: the exit code is 0.

mod place;
mod route;

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use clap::Args;
use glam::Vec3;
use walkable::{
    bake::BakePlan,
    explain::{Fix, SideEffects},
};
use walkable_editor::limits;

use super::{
    Failure,
    bake::configured,
    import::ImportArgs,
    limit::{self, LimitArgs},
    load::LevelArg,
    output::Output,
    path::TermArgs,
    values,
};

/// Arguments of `walkable why`.
#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// Level to ask about, as for `walkable bake`.
    level: LevelArg,
    /// Settings, areas and off-mesh links that replace those of the level.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// A setting that overrides the file's; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::key_and_value)]
    sets: Vec<(String, String)>,
    /// Place where an agent should stand.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        required_unless_present = "from",
        conflicts_with = "from"
    )]
    at: Option<Vec3>,
    /// Start of a path; the level may then be a baked navmesh (MSET or TSET).
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "to"
    )]
    from: Option<Vec3>,
    /// End of the path.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "from"
    )]
    to: Option<Vec3>,
    #[command(flatten)]
    terms: TermArgs,
    /// Print the answer as one line of JSON.
    #[arg(long)]
    json: bool,
    /// Print only the cause, and do not search for fixes.
    #[arg(long)]
    no_fixes: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &WhyArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let ends = args.from.zip(args.to);
    if let Some(ends) = ends
        && let Some(mesh) = route::navmesh(&args.level)?
    {
        return route::answer_on_mesh(args, ends.into(), &mesh, output);
    }
    let level = args.level.load(args.import.options())?;
    let context = || args.level.to_string();
    let bounds = level.mesh.bounds();
    let config = configured(args.settings.as_deref(), &args.sets, level.config, &bounds);
    let input = config?.with_mesh(Arc::new(level.mesh));
    let plan = BakePlan::new(input).with_context(context)?;
    limit::admit(&args.level, plan.check_limits(1, limits::of_bakes()))?;
    if let Some(ends) = ends {
        return route::answer(args, ends.into(), (&plan, &level.finish), output);
    }
    let Some(at) = args.at else {
        return Err(Failure::Usage("--at is missing: name a place".to_owned()));
    };
    let made = place::Made { finish: &level.finish, obstacles: level.obstacles.as_deref() };
    place::answer((args, at), &plan, &made, output)
}

/// Formats a fix for users.
fn fix_line(fix: &Fix) -> String {
    match fix {
        Fix::Settings(set) => {
            let SideEffects { gained_m2, lost_m2 } = set.side_effects;
            format!(
                "  fix   {set}   (tried: works; {gained_m2} m² of ground gained, {lost_m2} m² lost)"
            )
        }
        Fix::Link(_) | Fix::Terms(_) => format!("  fix   {fix}   (tried: works)"),
        Fix::Geometry(words) => format!("  or    {words}"),
    }
}
