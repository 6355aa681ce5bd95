//! `walkable check`: finds faults of a navmesh, or of the bake of a level.
//!
//! The fields of the JSON are those of [`CheckAnswer`]. The exit code is 0 even if there are findings. With `--strict` it is
//! 1 if there are warnings.

use anyhow::Context as _;
use clap::Args;
use walkable::{check::check, monitor::Unmonitored};
use walkable_editor::check::{CheckAnswer, CheckedBake, leave_out_removed};

use super::{
    Failure,
    baked::{LevelRequest, bake_level},
    findings::{Findings, refuse},
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::Output,
};

/// Arguments of `walkable check`.
#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// Baked navmesh (MSET), baked layers (TSET), or a level to bake and check: as for `walkable bake`.
    file: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    /// Exit with 1 if there are warnings.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let answer = match args.file.navmesh()? {
        Some(_) if !args.settings.is_empty() => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.file);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => {
            let report = check(&mesh, None, &Unmonitored).context("cannot check")?;
            CheckAnswer::of_navmesh(args.file.to_string(), &mesh, report)
        }
        None => check_level(args)?,
    };
    if args.json {
        output.line(&answer.to_json().context("cannot write the findings as JSON")?)?;
    } else {
        answer.lines().iter().try_for_each(|line| output.line(line))?;
    }
    if args.strict {
        output.finish()?;
        refuse(&args.file, answer.n_warnings)?;
    }
    Ok(())
}

/// Bakes a level and checks the navmesh.
fn check_level(args: &CheckArgs) -> Result<CheckAnswer, Failure> {
    let mut findings = Findings::quiet(&args.file);
    let CheckArgs { file: level, settings, import, .. } = args;
    let request = LevelRequest { level, settings, import: import.options() };
    let mut baked = bake_level(&request, &mut findings)?;
    let (plan, is_layered) = (Some(&baked.plan), baked.is_layered);
    let bake = CheckedBake { mesh: &baked.mesh, plan, is_layered };
    let report = bake.check(&mut |_| {}, &Unmonitored);
    let (mut report, _) = report.with_context(|| args.file.to_string())?;
    // The rule clears the flags of islands, which the check would report.
    if let Some(pruning) = baked.prune() {
        leave_out_removed(&mut report, &pruning);
    }
    let of_bake = findings.all().to_vec();
    Ok(CheckAnswer::of_level(args.file.to_string(), &baked.mesh, of_bake, report))
}
