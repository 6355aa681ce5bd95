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
//! | `notes` | that the position of a log was put on the floor below |
//! | `nothing_walkable` | why the whole level has no ground, if it has none; otherwise `null` |
//! | `fixes` | fixes: `{"set": {key: value}, "changes_agent", "verified": true, "side_effects": {"gained_m2", "lost_m2"}}`, baked and verified, or `{"geometry": "…"}` |
//! | `fixes_cut_short` | whether the search for fixes stopped at its limit of time or of bakes, or by Ctrl-C, so that there may be more |
//!
//! Without a place, the question is whether anything in the level is walkable. The JSON then has `walkable`, `cause`,
//! `stage`, `text`, `fixes` and `fixes_cut_short`.
//!
//! For the JSON of an answer about a path, see [`route`].
//!
//! "Not walkable" and "no path" are valid answers: the exit code is 0.

mod level;
mod place;
mod route;

use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use walkable::{
    bake::{BakeError, BakePlan},
    explain::{Fix, SideEffects, floor_below, polygon_below},
    monitor::Monitor,
};
use walkable_workspace::{after_bake::PostBake, limits, positions::Positions};

use super::{
    Failure,
    import::ImportArgs,
    limit::{self, Deadline, LimitArgs},
    load::{LevelArg, SettingsArgs},
    output::Output,
    query::QueryArgs,
};

/// Arguments of `walkable why`.
#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// Level to ask about, as for `walkable bake`; for a path also a baked navmesh (MSET or TSET).
    level: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    query: QueryArgs,
    /// Print the answer as one line of JSON.
    #[arg(long)]
    json: bool,
    /// Print only the cause, and do not search for fixes.
    #[arg(long)]
    no_fixes: bool,
    /// Maximum time of the search for fixes, as in 30s or 2min; fixes found until then are printed.
    #[arg(long, value_name = "TIME", default_value = "8s", value_parser = limits::parse_time)]
    fix_time: u32,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &WhyArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    if args.query.is_path()
        && let Some(mesh) = args.level.navmesh()?
        && let Some((Positions::Path(ends), notes)) =
            args.query.asked(None, |at| polygon_below(&mesh, at))
    {
        return route::answer_on_mesh(args, (ends, notes), &mesh, output);
    }
    let level = args.level.load(args.import.options())?;
    let context = || args.level.to_string();
    let bounds = level.mesh.bounds();
    let import = level.document.import;
    let config = args.settings.over(level.config.clone(), &level);
    let input = config?.with_mesh(level.mesh);
    let plan = BakePlan::new(input).with_context(context)?;
    limit::admit(&args.level, plan.check_limits(1, limits::of_bakes()))?;
    let asked = args.query.asked(Some((import, bounds)), |at| floor_below(&plan, at));
    let post_bake = PostBake { finish: &level.finish, obstacles: level.obstacles.as_deref() };
    let (at, notes) = match asked {
        Some((Positions::Place(at), notes)) => (at, notes),
        Some((Positions::Path(ends), notes)) => {
            return route::answer(args, (ends, notes), plan, &post_bake, output);
        }
        None => return level::answer(args, &plan, output),
    };
    place::answer((args, at, notes), &plan, &post_bake, output)
}

/// Collects the fixes that a search finds until `--fix-time` is over.
#[derive(Default)]
struct FixesInTime {
    fixes: Vec<Fix>,
    is_cut_short: bool,
}

impl FixesInTime {
    /// Runs `search`, which reports each fix, and returns all its fixes in order and whether the number of bakes was
    /// limited. A search ended by `--fix-time` or Ctrl-C returns the fixes reported until then.
    fn search(
        args: &WhyArgs,
        search: impl FnOnce(&mut dyn FnMut(Fix), &dyn Monitor) -> Result<(Vec<Fix>, bool), BakeError>,
    ) -> Result<Self, BakeError> {
        let mut reported = Vec::new();
        let deadline = Deadline::after(Duration::from_secs(args.fix_time.into())).or_interrupt();
        match search(&mut |fix| reported.push(fix), &deadline) {
            Ok((fixes, is_cut_short)) => Ok(Self { fixes, is_cut_short }),
            Err(BakeError::Cancelled(_)) => {
                reported.sort_by_key(Fix::rank);
                Ok(Self { fixes: reported, is_cut_short: true })
            }
            Err(error) => Err(error),
        }
    }
}

const CUT_SHORT: &str =
    "  note  there may be more fixes: the search was cut short; raise --fix-time";

fn fix_line(fix: &Fix) -> String {
    match fix {
        Fix::Settings(set) => {
            let SideEffects { gained_m2, lost_m2 } = set.side_effects;
            let agent = if set.changes_agent() { "; changes the agent" } else { "" };
            format!(
                "  fix   {set}   (tried: works; {gained_m2} m² of ground gained, {lost_m2} m² lost{agent})"
            )
        }
        Fix::Link(_) | Fix::Terms(_) => format!("  fix   {fix}   (tried: works)"),
        Fix::Geometry(words) => format!("  or    {words}"),
    }
}
