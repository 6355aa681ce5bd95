//! `walkable bake`: from a level to a file of tiles.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use clap::Args;
use walkable::{
    bake::{BakeConfig, BakePlan, Keep, Stage, StreamError, StreamedBake, settings_advice},
    geom::Aabb,
    ids::TileCoord,
    mesh::{BinnedLevel, import_hint},
    monitor::{Monitor, Unmonitored},
    navmesh::NavMesh,
    query::Pruning,
    tile_cache::Obstacle,
};
use walkable_editor::{
    document::Finish,
    files,
    layered::Layered,
    memory,
    report::{Report, TileReport},
    runner::{self, BakeOne, Listener, TileFailure, TileOutcome},
    scene_files,
};

use super::{
    Failure, bin,
    empty::Empty,
    import::ImportArgs,
    layers::{self, CutArg},
    limit::{self, MemoryArg},
    load::{Level, LevelArg},
    output::{Output, say},
    progress::Progress,
    values,
};

/// Arguments of `walkable bake`.
#[derive(Args, Debug)]
pub(super) struct BakeArgs {
    /// Level to bake: an OBJ or glTF file, a .gset file or a .walkable project that names one, builtin:NAME, or a file that `walkable bin`
    /// wrote, whose triangles are then read tile by tile.
    #[arg(value_parser = LevelArg::parse)]
    pub(super) level: LevelArg,
    /// File to write: tiles in RecastDemo's format (MSET), or layers (TSET).
    #[arg(short, long, value_name = "OUT.bin")]
    output: PathBuf,
    /// Write packed layers for obstacles that come and go, cut in the given way, and no tiles.
    #[arg(
        long,
        value_name = "CUT",
        num_args = 0..=1,
        default_missing_value = "sweep",
        conflicts_with = "report"
    )]
    pub(super) layers: Option<CutArg>,
    /// Settings, areas and off-mesh links, instead of those that the level comes with; may be a .gset
    /// file or a project.
    #[arg(long, value_name = "FILE")]
    pub(super) settings: Option<PathBuf>,
    /// The agent of the project that is baked, by its name, instead of the one chosen in the editor.
    #[arg(long, value_name = "NAME", conflicts_with = "settings")]
    agent: Option<String>,
    /// One setting, over those of the file; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::key_and_value)]
    sets: Vec<(String, String)>,
    /// File for times, counts and warnings of each tile, JSON.
    #[arg(long, value_name = "FILE.json")]
    pub(super) report: Option<PathBuf>,
    /// Threads to bake on, if not one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    pub(super) memory: MemoryArg,
    #[command(flatten)]
    pub(super) import: ImportArgs,
}

pub(super) fn run(args: &BakeArgs, output: &mut Output) -> Result<(), Failure> {
    args.memory.apply();
    if let Some((path, file)) = bin::binned_file(&args.level)? {
        return run_streamed(args, path, file, output);
    }
    let level = args.level.load(args.import.options())?;
    let own = of_agent(args, &level)?;
    let config = config(args, own, &level.mesh.bounds())?;
    remark(args, &level, &config);
    let input = config.with_mesh(Arc::new(level.mesh));
    let plan = BakePlan::new(input).with_context(|| args.level.to_string())?;
    remark_rules(args, &plan);
    limit::admit(&args.level, plan.check_memory(n_threads(args), memory::limit()))?;
    if let Some(cut) = args.layers {
        let baked = layers::bake(&plan, cut, n_threads(args));
        let baked = baked.with_context(|| args.level.to_string())?;
        for text in &baked.warnings {
            say(&format!("warning: {}: {text}", args.level));
        }
        files::write_atomically(&args.output, &baked.bytes)?;
        output.line(&format!("{}: {baked}", args.output.display()))?;
        return Ok(());
    }
    if let Some(obstacles) = &level.obstacles {
        return run_layered(args, &plan, obstacles, &level.finish, output);
    }
    let order: Vec<_> = plan.tiles().collect();
    let baked = bake(args, &order, &runner::from_memory(&plan, keep(args)));
    let n_triangles = plan.input().mesh.triangles().len();
    let again = runner::from_memory(&plan, Keep::Stages);
    let empty = Empty { plan: &plan, again: &again };
    write(args, &empty, n_triangles, baked, &level.finish, output)
}

/// Bakes a level whose triangles stay in `file`, at `path`.
fn run_streamed(
    args: &BakeArgs,
    path: &Path,
    mut file: File,
    output: &mut Output,
) -> Result<(), Failure> {
    if args.layers.is_some() {
        let text =
            format!("{}: layers need the whole level in memory: bake its own files", args.level);
        return Err(Failure::Usage(text));
    }
    let context = || args.level.to_string();
    let level = BinnedLevel::read(&mut file).with_context(context)?;
    let n_triangles = usize::try_from(level.n_triangles()).unwrap_or(usize::MAX);
    let config = config(args, BakeConfig::default(), &level.bounds())?;
    remark_settings(&config);
    let streamed = StreamedBake::new(level, config).with_context(context)?;
    remark_rules(args, streamed.plan());
    limit::admit(&args.level, streamed.check_memory(n_threads(args), memory::limit()))?;
    if streamed.plan().is_solo() {
        say(&format!("warning: {}: without tile_size, all of it is read at once", args.level));
    }
    // Each tile opens the file for itself, since threads cannot share a place in it.
    let bake_one = |coord: TileCoord, keep: Keep, monitor: &dyn Monitor| {
        let opened = File::open(path);
        let mut file =
            opened.map_err(|error| TileFailure::Unread(format!("tile {coord}: {error}")))?;
        streamed.bake_tile(coord, &mut file, keep, monitor).map_err(|error| match error {
            StreamError::Bake(error) => error.into(),
            error => TileFailure::Unread(error.to_string()),
        })
    };
    let order: Vec<_> = streamed.plan().tiles().collect();
    let kept = keep(args);
    let baked = bake(args, &order, &|coord, monitor: &dyn Monitor| bake_one(coord, kept, monitor));
    let again = |coord, monitor: &dyn Monitor| bake_one(coord, Keep::Stages, monitor);
    let empty = Empty { plan: streamed.plan(), again: &again };
    write(args, &empty, n_triangles, baked, &Finish::default(), output)
}

/// Bakes a level that is prepared for obstacles, with those that stand on it.
fn run_layered(
    args: &BakeArgs,
    plan: &BakePlan,
    obstacles: &[Obstacle],
    finish: &Finish,
    output: &mut Output,
) -> Result<(), Failure> {
    if args.report.is_some() {
        let text = format!("{}: a level prepared for obstacles has no report", args.level);
        return Err(Failure::Usage(text));
    }
    let started = Instant::now();
    let mesh = layered_mesh(args, plan, obstacles, finish)?;
    output.line(&write_mesh(args, &mesh, started.elapsed())?)?;
    Ok(())
}

/// The navmesh of a level that is prepared for obstacles.
pub(super) fn layered_mesh(
    args: &BakeArgs,
    plan: &BakePlan,
    obstacles: &[Obstacle],
    finish: &Finish,
) -> anyhow::Result<NavMesh> {
    let context = || args.level.to_string();
    let mut layered = Layered::bake(plan, obstacles, &Unmonitored).with_context(context)?;
    let mut mesh = layered.nav_mesh(finish, &mut 0).with_context(context)?;
    if let Some(error) = &layered.error {
        bail!("{}: {error}", args.level);
    }
    if let Some(pruning) = finish.prune(&mut mesh) {
        say_islands(&pruning);
    }
    Ok(mesh)
}

/// Writes the file of tiles; what it consists of, in words.
pub(super) fn write_mesh(
    args: &BakeArgs,
    mesh: &NavMesh,
    elapsed: Duration,
) -> anyhow::Result<String> {
    files::write_atomically(&args.output, &mesh.to_bytes())?;
    let (stats, file) = (mesh.stats(), args.output.display());
    let (n_polys, n_tiles) = (stats.n_polys, stats.n_tiles);
    let (n_bytes, secs) = (stats.n_bytes, elapsed.as_secs_f32());
    Ok(format!("{file}: {n_polys} polygons in {n_tiles} tiles, {n_bytes} bytes, {secs:.2} s"))
}

/// Writes what came out, and the report where one is asked for.
fn write(
    args: &BakeArgs,
    empty: &Empty<'_>,
    n_triangles: usize,
    baked: Baked,
    finish: &Finish,
    output: &mut Output,
) -> Result<(), Failure> {
    let Baked { outcomes, reports, elapsed } = baked;
    let plan = empty.plan;
    let n_failed = say_tiles(&args.level, &outcomes);
    let mesh = assemble(empty, &outcomes, finish).with_context(|| args.level.to_string());
    if let Some(file) = &args.report {
        let (level, settings) = (Some(args.level.to_string()), plan.input().settings.clone());
        let report = Report::new(level, n_triangles, settings, Some(elapsed), reports);
        let json = report.with_navmesh(mesh.as_ref().ok()).to_json();
        files::write_atomically(file, &json.context("cannot write the report as JSON")?)?;
    }
    let mesh = mesh?;
    say_width(args, plan, &mesh);
    output.line(&write_mesh(args, &mesh, elapsed)?)?;
    if n_failed > 0 {
        let (level, n) = (&args.level, outcomes.len());
        return Err(anyhow::anyhow!("{level}: {n_failed} of {n} tiles failed").into());
    }
    Ok(())
}

fn n_threads(args: &BakeArgs) -> usize {
    args.threads.map_or_else(runner::default_threads, usize::from)
}

/// What became of all tiles, by row and column.
pub(super) struct Baked {
    pub(super) outcomes: Vec<TileOutcome>,
    /// Where asked for.
    reports: Vec<TileReport>,
    elapsed: Duration,
}

/// Reports count what stages made.
fn keep(args: &BakeArgs) -> Keep {
    if args.report.is_some() { Keep::Stages } else { Keep::Tile }
}

/// Bakes the tiles of `order`.
pub(super) fn bake(args: &BakeArgs, order: &[TileCoord], bake_one: &BakeOne<'_>) -> Baked {
    let gathered = Gathered {
        progress: Progress::new(order.len()),
        with_reports: args.report.is_some(),
        done: Mutex::new(Vec::with_capacity(order.len())),
    };
    let never = AtomicBool::new(false);
    runner::run(order, bake_one, n_threads(args), &never, &gathered);
    let elapsed = gathered.progress.finish();
    let mut done = gathered.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The file must not depend on which thread was faster.
    done.sort_by_key(|(outcome, _)| (outcome.coord.z, outcome.coord.x));
    let (outcomes, reports): (_, Vec<Option<TileReport>>) = done.into_iter().unzip();
    Baked { outcomes, reports: reports.into_iter().flatten().collect(), elapsed }
}

/// Gathers tiles as they are done, in any order.
struct Gathered {
    progress: Progress,
    with_reports: bool,
    done: Mutex<Vec<(TileOutcome, Option<TileReport>)>>,
}

impl Listener for Gathered {
    fn tile_done(&self, mut outcome: TileOutcome) {
        let report = self.with_reports.then(|| TileReport::of(&outcome));
        if let Ok(bake) = &mut outcome.result {
            // Counted by now; the stages of all tiles together may not fit in memory.
            bake.stages = None;
        }
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push((outcome, report));
        self.progress.tile_done();
    }

    fn stage_entered(&self, stage: Stage) {
        self.progress.stage_entered(stage);
    }
}

/// The configuration that comes with the level, with the settings of the agent that is asked for.
pub(super) fn of_agent(args: &BakeArgs, level: &Level) -> Result<BakeConfig, Failure> {
    let Some(name) = &args.agent else { return Ok(level.config.clone()) };
    let found = level.agents.iter().find(|agent| agent.name == *name);
    let agent = found.ok_or_else(|| {
        let all: Vec<_> = level.agents.iter().map(|agent| &*agent.name).collect();
        let known = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        Failure::Usage(format!("{}: there is no agent `{name}`; there are: {known}", args.level))
    })?;
    Ok(BakeConfig { settings: agent.settings.clone(), ..level.config.clone() })
}

pub(super) fn config(
    args: &BakeArgs,
    own: BakeConfig,
    bounds: &Aabb,
) -> anyhow::Result<BakeConfig> {
    let mut config = match &args.settings {
        None => own,
        Some(file) => scene_files::read_config(file, bounds)?,
    };
    for (key, value) in &args.sets {
        config.settings.set(key, value)?;
    }
    Ok(config)
}

/// Says what is odd about the level and the settings.
pub(super) fn remark(args: &BakeArgs, level: &Level, config: &BakeConfig) {
    for text in level.warnings.summary() {
        say(&format!("warning: {}: {text}", args.level));
    }
    let agent = &config.settings;
    if let Some(hint) = import_hint(&level.mesh, agent.agent_height, agent.agent_radius) {
        say(&format!("warning: {}: {hint}", args.level));
    }
    remark_settings(config);
}

fn remark_settings(config: &BakeConfig) {
    for advice in settings_advice(&config.settings) {
        say(&format!("warning: {}: {}", advice.key, advice.text));
    }
}

/// Most rules that are named.
const MAX_REMARKS: usize = 20;

/// Says which rules are for nothing.
pub(super) fn remark_rules(args: &BakeArgs, plan: &BakePlan) {
    let unused = plan.unused_surfaces();
    for rule in unused.iter().take(MAX_REMARKS) {
        let name: String = rule.name.chars().take(100).collect();
        let text = format!("no {} is named `{name}`", rule.source.key());
        say(&format!("warning: {}: {text}", args.level));
    }
    let n_more = unused.len().saturating_sub(MAX_REMARKS);
    if n_more > 0 {
        say(&format!("warning: {}: {n_more} more rules are for nothing", args.level));
    }
}

/// Says which tiles are odd and which failed; the number of the latter.
pub(super) fn say_tiles(level: &LevelArg, outcomes: &[TileOutcome]) -> usize {
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
pub(super) fn assemble(
    empty: &Empty<'_>,
    outcomes: &[TileOutcome],
    finish: &Finish,
) -> anyhow::Result<NavMesh> {
    let tiles =
        outcomes.iter().filter_map(|outcome| Some((outcome.coord, outcome.result.as_ref().ok()?)));
    let tiles = tiles.filter_map(|(coord, baked)| Some((coord, Arc::new(baked.tile.clone()?))));
    let tiles: Vec<_> = tiles.collect();
    if tiles.is_empty() {
        return Err(empty.why(outcomes));
    }
    let finished = tiles.iter().filter_map(|(coord, tile)| finish.tile(*coord, tile));
    let mut mesh = empty.plan.link(finished)?;
    if let Some(pruning) = finish.prune(&mut mesh) {
        say_islands(&pruning);
    }
    Ok(mesh)
}

/// Says that references are wider than most games read, where nobody asked for it.
pub(super) fn say_width(args: &BakeArgs, plan: &BakePlan, mesh: &NavMesh) {
    if let Some(why) = plan.why_wide(mesh) {
        say(&format!("warning: {}: {why}", args.level));
    }
}

/// Says what the project's rule for islands took out.
fn say_islands(pruning: &Pruning) {
    let (n, n_kept) = (pruning.dropped.len(), pruning.kept.len());
    if n > 0 {
        say(&format!("took out {n} islands of {}", n + n_kept));
    }
    for seed in &pruning.lost_seeds {
        say(&format!("warning: place {} of the islands to keep is on no ground", seed + 1));
    }
}
