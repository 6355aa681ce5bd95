//! `walkable bake`: from a level to a file of tiles.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

use anyhow::{Context as _, bail};
use clap::Args;
use walkable::{
    bake::{BakeConfig, BakeInput, BakePlan, Keep, settings_advice},
    ids::TileCoord,
    mesh::import_hint,
    navmesh::{NavMesh, NavMeshParams},
};

use super::{
    Failure,
    import::ImportArgs,
    load::{Level, LevelArg},
    output::{Output, say},
    progress::Progress,
    values,
};
use crate::{
    files,
    jobs::runner::{self, TileOutcome},
};

/// Arguments of `walkable bake`.
#[derive(Args, Debug)]
pub(super) struct BakeArgs {
    /// Level to bake: an OBJ file or builtin:NAME.
    #[arg(value_parser = LevelArg::parse)]
    level: LevelArg,
    /// File to write: tiles in RecastDemo's format (MSET).
    #[arg(short, long, value_name = "OUT.bin")]
    output: PathBuf,
    /// Settings, areas and off-mesh links, instead of those that a built-in level comes with.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// One setting, over those of the file; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::key_and_value)]
    sets: Vec<(String, String)>,
    /// Threads to bake on, if not one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &BakeArgs, output: &mut Output) -> Result<(), Failure> {
    let level = args.level.load(args.import.options())?;
    let config = config(args, &level)?;
    remark(args, &level, &config);
    let BakeConfig { settings, volumes, off_mesh } = config;
    let input = BakeInput { mesh: Arc::new(level.mesh), settings, volumes, off_mesh };
    let plan = BakePlan::new(input).with_context(|| args.level.to_string())?;
    let threads = args.threads.map_or_else(runner::default_threads, usize::from);

    let order: Vec<TileCoord> = plan.tiles().collect();
    let progress = Progress::new(order.len());
    let outcomes = Mutex::new(Vec::with_capacity(order.len()));
    let keep_outcome = |outcome: TileOutcome| {
        outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        progress.tile_done();
    };
    let never = AtomicBool::new(false);
    runner::run(&plan, &order, Keep::Tile, threads, &never, &keep_outcome);
    let elapsed = progress.finish();
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The file must not depend on which thread was faster.
    outcomes.sort_by_key(|outcome| (outcome.coord.z, outcome.coord.x));

    let n_failed = report_tiles(&args.level, &outcomes);
    let mesh = assemble(&plan, &outcomes).with_context(|| args.level.to_string())?;
    files::write_atomically(&args.output, &mesh.to_bytes())?;
    let (stats, file) = (mesh.stats(), args.output.display());
    output.line(&format!(
        "{file}: {} polygons in {} tiles, {} bytes, {:.2} s",
        stats.n_polys,
        stats.n_tiles,
        stats.n_bytes,
        elapsed.as_secs_f32()
    ))?;
    if n_failed > 0 {
        let (level, n) = (&args.level, outcomes.len());
        return Err(anyhow::anyhow!("{level}: {n_failed} of {n} tiles failed").into());
    }
    Ok(())
}

fn config(args: &BakeArgs, level: &Level) -> anyhow::Result<BakeConfig> {
    let mut config = match &args.settings {
        None => level.config.clone(),
        Some(file) => BakeConfig::parse(&files::read_text(file)?)
            .with_context(|| file.display().to_string())?,
    };
    for (key, value) in &args.sets {
        config.settings.set(key, value)?;
    }
    Ok(config)
}

/// Says what is odd about the level and the settings.
fn remark(args: &BakeArgs, level: &Level, config: &BakeConfig) {
    for text in level.warnings.summary() {
        say(&format!("warning: {}: {text}", args.level));
    }
    let agent = &config.settings;
    if let Some(hint) = import_hint(&level.mesh, agent.agent_height, agent.agent_radius) {
        say(&format!("warning: {}: {hint}", args.level));
    }
    for advice in settings_advice(agent) {
        say(&format!("warning: {}: {}", advice.key, advice.text));
    }
}

/// Says which tiles are odd and which failed; the number of the latter.
fn report_tiles(level: &LevelArg, outcomes: &[TileOutcome]) -> usize {
    let mut n_failed = 0;
    for outcome in outcomes {
        match &outcome.result {
            Ok(tile) => {
                for warning in &tile.warnings {
                    say(&format!("warning: {level}: tile {}: {}", outcome.coord, warning.text));
                }
            }
            Err(failure) => {
                n_failed += 1;
                say(&format!("error: {level}: {failure}"));
            }
        }
    }
    n_failed
}

/// The tiles that there are, linked, in the order of their places.
fn assemble(plan: &BakePlan, outcomes: &[TileOutcome]) -> anyhow::Result<NavMesh> {
    let tiles = outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    let mut tiles = tiles.filter_map(|baked| baked.tile.clone()).map(Arc::new).peekable();
    let Some(first) = tiles.peek() else {
        bail!("nothing is walkable; try `walkable info` on the level, a larger scale or slope");
    };
    let solo = plan.params().tile_size_vx == 0;
    let params = if solo { NavMeshParams::solo(first) } else { plan.nav_mesh_params() };
    let mut mesh = NavMesh::new(params)?;
    for tile in tiles {
        mesh.add_tile(tile)?;
    }
    Ok(mesh)
}
