//! `walkable check`: finds faults of a navmesh, or of the bake of a level.
//!
//! The fields of the JSON are those of [`CheckAnswer`]. The exit code is 0 even if there are findings. With `--strict` it is
//! 1 if there are warnings.

use anyhow::Context as _;
use clap::Args;
use walkable::check::check;
use walkable_workspace::{
    check::{CheckAnswer, CheckedBake, add_layer_findings},
    format,
    limits::{self, InTime},
    store_check::{CheckedStore, check_store},
    tile_sizes::{TileSizeAdvice, measure_tile_sizes},
};

use super::{
    Failure,
    baked::{LevelRequest, bake_level},
    findings::{Findings, refuse},
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::{Output, aligned, eprint_line, is_watched},
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
    /// Instead of a check, bake a sample of the level's tiles for tile sizes from 16 to 256 voxels, and print their times
    /// and sizes and the best tile size. Takes at most about 20 seconds.
    #[arg(long, conflicts_with = "strict")]
    best_tile_size: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    if args.best_tile_size {
        return compare_tile_sizes(args, output);
    }
    let store = if args.settings.is_empty() { args.file.tile_store()? } else { None };
    if let Some((store, mut file)) = store {
        let name = args.file.to_string();
        let checked = CheckedStore::named(name);
        let answer = check_store(checked, &store, &mut file, &mut |_| {}, &InTime);
        return finish(args, &answer.with_context(|| args.file.to_string())?.answer, output);
    }
    let answer = match args.file.navmesh()? {
        Some(_) if !args.settings.is_empty() => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.file);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => {
            let mut report = check(&mesh, None, &InTime).context("cannot check")?;
            if let Some(layers) = args.file.layers()? {
                let added = add_layer_findings(&mut report, &layers, &mesh, &InTime);
                added.context("cannot check")?;
            }
            CheckAnswer::of_navmesh(args.file.to_string(), &mesh, report)
        }
        None => check_level(args)?,
    };
    finish(args, &answer, output)
}

fn finish(args: &CheckArgs, answer: &CheckAnswer, output: &mut Output) -> Result<(), Failure> {
    if args.json {
        output.lines(&answer.to_json().context("cannot write the findings as JSON")?)?;
    } else {
        answer.lines().iter().try_for_each(|line| output.line(line))?;
    }
    if args.strict {
        output.finish()?;
        refuse(&args.file, answer.n_warnings)?;
    }
    Ok(())
}

fn compare_tile_sizes(args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    let name = &args.file;
    if name.navmesh()?.is_some() {
        let text = format!("{name}: tile sizes are compared for a level, and this is a navmesh");
        return Err(Failure::Usage(text));
    }
    let level = name.load(args.import.options())?;
    let config = args.settings.over(level.config.clone(), &level)?;
    let input = config.with_mesh(level.mesh);
    let is_watched = is_watched();
    let entered = &mut |tile_size: u32| {
        if is_watched {
            eprint_line(&format!("measuring tiles of {tile_size} voxels"));
        }
    };
    let advice = measure_tile_sizes(&input, limits::of_bakes(), entered, &InTime);
    let advice = advice.with_context(|| name.to_string())?;
    if args.json {
        let text = serde_json::to_string_pretty(&advice);
        return Ok(output.lines(&text.context("cannot write the tile sizes as JSON")?)?);
    }
    let titles = TileSizeAdvice::TITLES.map(str::to_lowercase);
    let cells = [titles].into_iter().chain(advice.cells()).map(Vec::from);
    aligned(&cells.collect::<Vec<_>>()).iter().try_for_each(|line| output.line(line))?;
    for skipped in &advice.skipped {
        output.line(&format!("{} voxels: {}", skipped.tile_size, skipped.why))?;
    }
    let n_threads = format::counted(advice.n_threads, "thread", "threads");
    output.line(&format!("{name}: {} (on {n_threads})", format::within(&advice.best_text())))?;
    Ok(())
}

fn check_level(args: &CheckArgs) -> Result<CheckAnswer, Failure> {
    let mut findings = Findings::quiet(&args.file);
    let CheckArgs { file: level, settings, import, .. } = args;
    let request = LevelRequest { level, settings, import: import.options() };
    let (_, mut baked) = bake_level(&request, &mut findings)?;
    let pruning = baked.prune();
    let (mesh, plan, layers) = (&baked.mesh, Some(&baked.plan), baked.layers.as_ref());
    let bake = CheckedBake { mesh, plan, layers, pruning: pruning.as_ref() };
    let report = bake.check(&mut |_| {}, &InTime);
    let (report, _) = report.with_context(|| args.file.to_string())?;
    let of_bake = findings.all().to_vec();
    Ok(CheckAnswer::of_level(args.file.to_string(), &baked.mesh, of_bake, report))
}
