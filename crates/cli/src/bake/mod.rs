//! `walkable bake`: bakes a level to a file of tiles.

mod into_store;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::File,
    ops::Range,
    path::Path,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use clap::Args;
use walkable::{
    bake::{
        BakeConfig, BakeError, BakeEstimate, BakeLimits, BakeOutput, BakePlan, BakeSettings,
        BakedAgent, Stage, StreamedBake, TileKey, TileRange, shards,
    },
    diagnostic::{Diagnostic, Finding, Location},
    ids::TileCoord,
    mesh::{BinnedLevel, ImportOptions, StableHash},
    monitor::Monitor,
    navmesh::NavMesh,
    store::store_bytes,
    tile_cache::Obstacle,
};
use walkable_workspace::{
    agent_table::AgentTable,
    bake_cache::{BakeCache, CacheTally, is_entry},
    document::Finish,
    files::{self, FileKind},
    keyed_tiles::{KeyedTile, KeyedTiles},
    layered::Layered,
    level_store::FileTiles,
    limits::{self, InTime},
    report::{OutputReport, Report, TileReport},
    runner::{self, BakeOne, Listener, TileOrder, TileOutcome},
    scene_files::settings_beside,
    shard::{self, LinkInput, PartHead, Shard, ShardPart, input_hash},
};

use self::into_store::LinkCheck;
pub(super) use self::into_store::store_summary;
use super::{
    Failure, bin,
    empty::{Empty, nothing_walkable},
    findings::Findings,
    guard::{FolderFiles, OutputFile, OutputFolder},
    import::ImportArgs,
    layers::{self, BakedLayers, CutArg},
    limit::{self, LimitArgs},
    load::{Level, LevelArg, SettingsArgs},
    output::{Output, eprint_line},
    progress::Progress,
    remarks::{remark, remark_islands, remark_mesh, remark_plan, remark_settings, remark_tiles},
    values,
};

/// Arguments of `walkable bake`.
#[derive(Args, Debug)]
pub(super) struct BakeArgs {
    /// Level to bake: an OBJ, glTF, PLY or STL file, a .gset file or a .walkable project that names one, builtin:NAME, or a file
    /// written by `walkable bin`, whose triangles are then read tile by tile.
    pub(super) level: LevelArg,
    /// File to write: tiles in RecastDemo's format (MSET), layers (TSET), or a tile store if its name ends in .tiles.
    /// Tiles are written to a tile store as they are baked, and a bake that ended early goes on.
    #[arg(short, long, value_name = "OUT.bin")]
    pub(super) output: OutputFile,
    /// Write compressed tile cache layers for runtime obstacles, split by the given method, instead of tiles.
    #[arg(long, value_name = "CUT", num_args = 0..=1, default_missing_value = "sweep")]
    pub(super) layers: Option<CutArg>,
    #[command(flatten)]
    pub(super) settings: SettingsArgs,
    /// Name of the project's agent to bake, instead of the one selected in the editor.
    #[arg(long, value_name = "NAME", conflicts_with = "settings")]
    agent: Option<String>,
    /// Bake one navmesh for all agents of the project. Polygons have a flag for each agent to which they are open; the
    /// agents and their flags are written to OUT.bin.agents.json.
    #[arg(long, conflicts_with_all = ["agent", "settings", "layers", "shard"])]
    pub(super) for_all_agents: bool,
    /// Flag of the first agent; each further one has the next bit.
    #[arg(
        long,
        value_name = "FLAG",
        value_parser = values::flags,
        default_value = "0x100",
        requires = "for_all_agents"
    )]
    first_agent_flag: u16,
    /// File for the report. JSON: times, counts and warnings of each tile, all findings, and the state of each off-mesh
    /// link. If its name ends in .csv, a table with a line per tile.
    #[arg(long, value_name = "FILE.json|FILE.csv")]
    pub(super) report: Option<OutputFile>,
    /// Folder of baked tiles: tiles whose input is unchanged are read from it, others are baked and stored in it. It can
    /// be shared between levels, processes and machines.
    #[arg(long, value_name = "FOLDER", conflicts_with = "layers", value_parser = OutputFolder::of(&CACHE))]
    cache: Option<OutputFolder>,
    /// Bake one of N parts of about equal work, and write it for `walkable merge`.
    #[arg(long, value_name = "I/N", conflicts_with = "layers")]
    shard: Option<Shard>,
    /// Bake nothing; print the tiles and the estimated memory and time of the bake, or of each of its N parts.
    #[arg(long, conflicts_with = "layers")]
    dry_run: bool,
    /// Exit with code 1 if there are warnings, and write nothing but the report.
    #[arg(long)]
    pub(super) strict: bool,
    /// Number of threads, by default one per core; limited to four per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) import: ImportArgs,
}

/// The files of a cache are named by what they contain. A damaged one is replaced.
static CACHE: FolderFiles = FolderFiles { is_written: is_entry, is_own: |_, _| true };

impl BakeArgs {
    /// Returns whether this process bakes only a part of the tiles, or none.
    pub(super) fn is_sharded(&self) -> bool {
        self.shard.is_some() || self.dry_run
    }
}

pub(super) fn run(args: &BakeArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    if let Some((path, file)) = bin::binned_file(&args.level)? {
        if args.for_all_agents {
            let why = "only a project has agents";
            return Err(Failure::Usage(format!("{}: {why}", args.level)));
        }
        return run_streamed(args, path, file, output);
    }
    let level = args.level.load(args.import.options())?;
    check_tile_options(args, &level)?;
    let own = of_agent(args, &level)?;
    let config = args.settings.over(own, &level)?;
    let table = args.for_all_agents.then(|| table_of_agents(args, &level, &config)).transpose()?;
    let mut findings = Findings::new(&args.level);
    remark(&level, &config, &mut findings);
    let mut input = config.with_mesh(level.mesh);
    if let Some((_, table)) = &table {
        input.agents = table.baked();
    }
    let plan = BakePlan::new(input).with_context(|| args.level.to_string())?;
    remark_plan(&plan, &mut findings);
    let estimate = |share, limits| plan.check_shard_limits(n_threads(args), share, limits);
    let selected = select_tiles(args, &plan, (&|| Ok(plan.secs_of_tiles()), &estimate), output)?;
    let Some(order) = selected else { return Ok(()) };
    if let Some(cut) = args.layers {
        return run_layers(args, &plan, cut, findings, output);
    }
    if let Some(obstacles) = &level.obstacles {
        return run_layered(args, &plan, (obstacles, &level.finish), findings, output);
    }
    let cache = open_cache(args)?;
    let plan_of = |_| Ok(Cow::Borrowed(&plan));
    let tiles = KeyedTiles { plan_of: &plan_of, cache: cache.as_ref() };
    if let Some(shard) = args.shard {
        let mesh = &plan.input().mesh;
        let link = LinkInput::new(&plan, &mesh.bounds(), &level.finish);
        let input = input_hash(&plan, StableHash::of_mesh(mesh), &level.finish)?;
        let head = PartHead { shard, input, link };
        let of_level = (&plan, n_triangles(&plan));
        let baked = bake_shard(args, order, tiles)?;
        return write_part(args, of_level, baked, (head, findings), output);
    }
    if into_store::is_store(args) && level.finish.changes_nothing() {
        let input = into_store::StoreInput {
            plan: &plan,
            n_triangles: n_triangles(&plan),
            order: &order,
            tiles,
            again: &runner::from_memory(&plan, BakeOutput::Stages),
            links: LinkCheck::InMemory,
        };
        into_store::bake(args, &input, findings, output)?;
        return write_table(table);
    }
    let baked = bake(args, order, &*from_memory(cache.as_ref(), &plan, keep(args)))?;
    let baked = Baked { cache: cache.map(|cache| cache.tally()), ..baked };
    let again = runner::from_memory(&plan, BakeOutput::Stages);
    let empty = Empty { plan: &plan, again: &again };
    write(args, (&empty, n_triangles(&plan)), baked, (&level.finish, findings), output)?;
    write_table(table)
}

/// The file in which the agents of a navmesh are written.
type TableOutput = (OutputFile, AgentTable);

fn table_of_agents(
    args: &BakeArgs,
    level: &Level,
    config: &BakeConfig,
) -> Result<TableOutput, Failure> {
    let usage = |why: String| Failure::Usage(format!("{}: {why}", args.level));
    if args.first_agent_flag.count_ones() != 1 {
        return Err(usage("--first-agent-flag is not one bit".to_owned()));
    }
    let agent = |settings: &BakeSettings| BakedAgent::new(settings, args.first_agent_flag);
    if agent(&config.settings) != agent(&level.config.settings) {
        let why = "the sizes of the agents are those of the project; leave out --set for them";
        return Err(usage(why.to_owned()));
    }
    let table = AgentTable::new(&level.document.agents, args.first_agent_flag);
    let table = table.with_context(|| args.level.to_string())?;
    let file = OutputFile::declare(AgentTable::file_beside(&args.output), "--for-all-agents")?;
    file.check_own(AgentTable::is_start)?;
    Ok((file, table))
}

fn write_table(table: Option<TableOutput>) -> Result<(), Failure> {
    let Some((file, table)) = table else { return Ok(()) };
    Ok(file.write_own(&table.to_bytes().context("cannot write the agents as JSON")?)?)
}

/// Checks that no option that handles tiles one by one is set for a level that supports runtime obstacles.
pub(super) fn check_tile_options(args: &BakeArgs, level: &Level) -> Result<(), Failure> {
    let options = [
        ("--cache", args.cache.is_some()),
        ("--shard", args.shard.is_some()),
        ("--dry-run", args.dry_run),
    ];
    let unsupported = options.into_iter().find(|(_, is_set)| *is_set && level.obstacles.is_some());
    let Some((option, _)) = unsupported else { return Ok(()) };
    let name = &args.level;
    Err(Failure::Usage(format!(
        "{name}: the level supports runtime obstacles and is baked in layers; remove {option}"
    )))
}

type EstimateShare<'a> = dyn Fn(f64, BakeLimits) -> Result<BakeEstimate, BakeError> + 'a;

/// Memory per tile of the level to divide a bake into shards.
const BYTES_PER_PLANNED_TILE: u64 = 64;

/// Selects the tiles to bake, and checks that their bake stays within the limits. `None` if the tiles are only listed.
fn select_tiles(
    args: &BakeArgs,
    plan: &BakePlan,
    (secs_of_tiles, estimate): (&dyn Fn() -> anyhow::Result<Vec<f64>>, &EstimateShare<'_>),
    output: &mut Output,
) -> anyhow::Result<Option<TileRange>> {
    let limits = limits::of_bakes();
    if !args.is_sharded() {
        limit::admit(&args.level, estimate(1.0, limits))?;
        return Ok(Some(plan.tiles()));
    }
    let n_tiles = plan.n_boxed_tiles();
    if n_tiles > limits.n_bytes / BYTES_PER_PLANNED_TILE {
        bail!(
            "{}: the plan of {n_tiles} tiles needs more memory than the limit; set a larger tile_size, or \
             raise --max-memory",
            args.level
        );
    }
    let secs = secs_of_tiles()?;
    let total: f64 = secs.iter().sum();
    let share = |tiles: &Range<usize>| secs[tiles.clone()].iter().sum::<f64>() / total;
    let count = args.shard.map_or(1, |shard| shard.count);
    let mut shards = (1..).zip(shards(&secs, count));
    if args.dry_run {
        let unlimited = BakeLimits { n_bytes: u64::MAX, secs: f64::INFINITY };
        for (number, tiles) in shards {
            let (n, estimate) = (tiles.len(), estimate(share(&tiles), unlimited)?);
            output.line(&format!("shard {number}/{count}: {n} tiles, {estimate}"))?;
        }
        return Ok(None);
    }
    let wanted = args.shard.map_or(1, |shard| shard.number);
    let tiles = shards.find(|(number, _)| *number == wanted).map_or(0..0, |(_, tiles)| tiles);
    limit::admit(&args.level, estimate(share(&tiles), limits))?;
    Ok(Some(plan.tiles().slice(tiles)))
}

type TileKeys = BTreeMap<TileCoord, TileKey>;

fn bake_shard(
    args: &BakeArgs,
    order: TileRange,
    tiles: KeyedTiles<'_>,
) -> anyhow::Result<(Baked, TileKeys)> {
    let keys = Mutex::new(TileKeys::new());
    let bake_one = |coord: TileCoord, monitor: &dyn Monitor| {
        let KeyedTile { key, bake, .. } = tiles.bake(coord, &|_| None, monitor)?;
        keys.lock().unwrap_or_else(PoisonError::into_inner).insert(coord, key);
        Ok(bake)
    };
    let baked = bake(args, order, &bake_one)?;
    let baked = Baked { cache: tiles.cache.map(BakeCache::tally), ..baked };
    Ok((baked, keys.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

fn write_part(
    args: &BakeArgs,
    of_level: (&BakePlan, usize),
    (baked, mut keys): (Baked, TileKeys),
    (head, mut findings): (PartHead, Findings),
    output: &mut Output,
) -> Result<(), Failure> {
    let Baked { outcomes, reports, elapsed, cache } = baked;
    cache.iter().flat_map(CacheTally::lines).for_each(|line| eprint_line(&line.to_string()));
    let n_failed = remark_tiles(&args.level, &outcomes, &mut findings);
    let figures = ReportFigures { elapsed, tiles: reports, cache };
    write_report(args, of_level, figures, OutputReport::default(), &findings)?;
    if args.strict {
        findings.refuse_to_write()?;
    }
    let with_key = |outcome: TileOutcome| {
        let key = keys.remove(&outcome.coord);
        shard::stored(outcome, key)
    };
    let part = ShardPart { head, tiles: outcomes.into_iter().map(with_key).collect() };
    let bytes = part.to_bytes().with_context(|| args.level.to_string())?;
    args.output.write(&bytes)?;
    let (file, n, n_bytes) = (args.output.display(), part.tiles.len(), bytes.len());
    let (shard, secs) = (part.head.shard, elapsed.as_secs_f32());
    if n_failed > 0 {
        return Err(anyhow::anyhow!("{}: {n_failed} of {n} tiles failed", args.level).into());
    }
    output.line(&format!("{file}: shard {shard}: {n} tiles, {n_bytes} bytes, {secs:.2} s"))?;
    Ok(())
}

pub(super) fn open_cache(args: &BakeArgs) -> anyhow::Result<Option<BakeCache>> {
    args.cache.as_deref().map(BakeCache::open).transpose()
}

/// Bakes tiles of a level that is in memory, or reads them from the cache. Read tiles have no stages.
pub(super) fn from_memory<'a>(
    cache: Option<&'a BakeCache>,
    plan: &'a BakePlan,
    keep: BakeOutput,
) -> Box<BakeOne<'a>> {
    match cache {
        None => Box::new(runner::from_memory(plan, keep)),
        Some(cache) => {
            Box::new(move |coord, monitor: &dyn Monitor| cache.bake(plan, coord, monitor))
        }
    }
}

fn n_triangles(plan: &BakePlan) -> usize {
    plan.input().mesh.triangles().len()
}

/// Bakes tile cache layers for runtime obstacles.
fn run_layers(
    args: &BakeArgs,
    plan: &BakePlan,
    cut: CutArg,
    mut findings: Findings,
    output: &mut Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let baked = layers::bake(plan, cut, n_threads(args), None, &mut findings);
    let baked = baked.with_context(|| args.level.to_string());
    findings.extend(baked.iter().flat_map(|baked| baked.warnings.iter().cloned()));
    // If the bake has no result, the report says why.
    let of_output = baked.as_ref().map_or_else(|_| OutputReport::default(), BakedLayers::report);
    write_report(args, (plan, n_triangles(plan)), report_of(started), of_output, &findings)?;
    let baked = baked?;
    if args.strict {
        findings.refuse_to_write()?;
    }
    output.line(&write_layers(args, &baked)?.summary)?;
    Ok(())
}

pub(super) struct ReportFigures {
    pub(super) elapsed: Duration,
    pub(super) tiles: Vec<TileReport>,
    pub(super) cache: Option<CacheTally>,
}

/// Returns the time since `started`, and an empty list of tile reports, because the tiles were not baked one by one.
fn report_of(started: Instant) -> ReportFigures {
    ReportFigures { elapsed: started.elapsed(), tiles: Vec::new(), cache: None }
}

/// Bakes a level whose triangles stay in `file`, which was opened from `path`.
fn run_streamed(
    args: &BakeArgs,
    path: &Path,
    mut file: File,
    output: &mut Output,
) -> Result<(), Failure> {
    if args.layers.is_some() {
        let why = "layers need the whole level in memory; bake the original files";
        return Err(Failure::Usage(format!("{}: {why}", args.level)));
    }
    let context = || args.level.to_string();
    let level = BinnedLevel::read(&mut file).with_context(context)?;
    let (bounds, level_hash) = (level.bounds(), level.hash());
    let n_triangles = usize::try_from(level.n_triangles()).unwrap_or(usize::MAX);
    let beside = settings_beside(path);
    // The import options were applied when the triangles were sorted.
    let place = (&bounds, ImportOptions::default());
    let config = args.settings.over_at(BakeConfig::default(), place, beside.as_deref())?;
    let mut findings = Findings::new(&args.level);
    remark_settings(&config, &mut findings);
    let streamed = StreamedBake::new(level, config).with_context(context)?;
    remark_plan(streamed.plan(), &mut findings);
    let estimate = |share, limits| streamed.check_shard_limits(n_threads(args), share, limits);
    let plan = streamed.plan();
    let secs_of_tiles = || streamed.secs_of_tiles(&mut files::open(path)?).with_context(context);
    let selected = select_tiles(args, plan, (&secs_of_tiles, &estimate), output)?;
    let Some(order) = selected else { return Ok(()) };
    if streamed.plan().is_solo() {
        let unsplit = Diagnostic::new(Finding::StreamedWithoutTiles {});
        findings.add(unsplit.at(Location::Setting("tile_size".into())));
    }
    let file_tiles = FileTiles { bake: &streamed, path };
    let cache = open_cache(args)?;
    let plan_of = |coord| file_tiles.plan_of(coord).map(Cow::Owned);
    let tiles = KeyedTiles { plan_of: &plan_of, cache: cache.as_ref() };
    if let Some(shard) = args.shard {
        let finish = Finish::default();
        let link = LinkInput::new(plan, &bounds, &finish);
        let head = PartHead { shard, input: input_hash(plan, level_hash, &finish)?, link };
        let baked = bake_shard(args, order, tiles)?;
        return write_part(args, (plan, n_triangles), baked, (head, findings), output);
    }
    let again =
        |coord, monitor: &dyn Monitor| file_tiles.bake(coord, None, BakeOutput::Stages, monitor);
    if into_store::is_store(args) {
        let input = into_store::StoreInput {
            plan,
            n_triangles,
            order: &order,
            tiles,
            again: &again,
            links: LinkCheck::Never,
        };
        return into_store::bake(args, &input, findings, output);
    }
    let baked = bake(args, order, &|coord, monitor: &dyn Monitor| {
        file_tiles.bake(coord, cache.as_ref(), keep(args), monitor)
    })?;
    let baked = Baked { cache: cache.map(|cache| cache.tally()), ..baked };
    let empty = Empty { plan: streamed.plan(), again: &again };
    write(args, (&empty, n_triangles), baked, (&Finish::default(), findings), output)
}

/// Bakes a level that supports runtime obstacles, including the obstacles placed on it.
fn run_layered(
    args: &BakeArgs,
    plan: &BakePlan,
    (obstacles, finish): (&[Obstacle], &Finish),
    mut findings: Findings,
    output: &mut Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mesh = finished_layered_mesh(&args.level, plan, (obstacles, finish), &mut findings);
    let of_output = mesh.as_ref().map_or_else(|_| OutputReport::default(), OutputReport::of_mesh);
    write_report(args, (plan, n_triangles(plan)), report_of(started), of_output, &findings)?;
    let mesh = mesh?;
    if args.strict {
        findings.refuse_to_write()?;
    }
    output.line(&write_mesh(&args.output, &mesh, started.elapsed())?.summary)?;
    Ok(())
}

/// Bakes a level that supports runtime obstacles, and removes islands.
pub(super) fn finished_layered_mesh(
    level: &LevelArg,
    plan: &BakePlan,
    (obstacles, finish): (&[Obstacle], &Finish),
    findings: &mut Findings,
) -> anyhow::Result<NavMesh> {
    let (mut mesh, _) = layered_mesh(level, plan, (obstacles, finish), findings)?;
    finish_mesh(&mut mesh, plan, finish, findings);
    Ok(mesh)
}

/// Bakes a level that supports runtime obstacles, but does not remove islands. Fails if nothing is walkable.
pub(super) fn layered_mesh(
    level: &LevelArg,
    plan: &BakePlan,
    (obstacles, finish): (&[Obstacle], &Finish),
    findings: &mut Findings,
) -> anyhow::Result<(NavMesh, Layered)> {
    let context = || level.to_string();
    let mut layered = Layered::bake(plan, obstacles, &InTime).with_context(context)?;
    if layered.stats.n_ground_cells == 0 {
        let again = runner::from_memory(plan, BakeOutput::Stages);
        return Err(nothing_walkable(plan, &again, findings)).with_context(context);
    }
    let mesh = layered.nav_mesh(finish, &mut 0).with_context(context)?;
    if let Some(error) = &layered.error {
        bail!("{level}: {error}");
    }
    findings.extend(layered.cache().findings(&mesh, &InTime).with_context(context)?);
    Ok((mesh, layered))
}

/// Reports findings about a navmesh, and removes its islands.
fn finish_mesh(mesh: &mut NavMesh, plan: &BakePlan, finish: &Finish, findings: &mut Findings) {
    // Must come before islands are removed, because that clears their flags.
    remark_mesh(mesh, plan, findings);
    if let Some(pruning) = finish.prune(mesh) {
        remark_islands(&pruning, findings);
    }
}

pub(super) struct WrittenFile {
    pub(super) file: String,
    pub(super) output: OutputReport,
    pub(super) summary: String,
}

pub(super) fn write_layers(args: &BakeArgs, layers: &BakedLayers) -> anyhow::Result<WrittenFile> {
    args.output.write(&layers.bytes)?;
    let file = args.output.display().to_string();
    let summary = format!("{file}: {layers}");
    Ok(WrittenFile { file, output: layers.report(), summary })
}

pub(super) fn write_mesh(
    file: &OutputFile,
    mesh: &NavMesh,
    elapsed: Duration,
) -> anyhow::Result<WrittenFile> {
    let bytes = if FileKind::of_name(file) == Some(FileKind::TileStore) {
        store_bytes(mesh).with_context(|| file.display().to_string())?
    } else {
        mesh.to_bytes()
    };
    file.write(&bytes)?;
    let (stats, file) = (mesh.stats(), file.display().to_string());
    let (n_polys, n_tiles) = (stats.n_polys, stats.n_tiles);
    let (n_bytes, secs) = (bytes.len(), elapsed.as_secs_f32());
    let summary =
        format!("{file}: {n_polys} polygons in {n_tiles} tiles, {n_bytes} bytes, {secs:.2} s");
    Ok(WrittenFile { file, output: OutputReport::of_mesh(mesh), summary })
}

fn write(
    args: &BakeArgs,
    (empty, n_triangles): (&Empty<'_>, usize),
    baked: Baked,
    (finish, mut findings): (&Finish, Findings),
    output: &mut Output,
) -> Result<(), Failure> {
    let Baked { outcomes, reports, elapsed, cache } = baked;
    cache.iter().flat_map(CacheTally::lines).for_each(|line| eprint_line(&line.to_string()));
    let n_failed = remark_tiles(&args.level, &outcomes, &mut findings);
    let plan = empty.plan;
    let mesh = assemble(empty, &outcomes, finish, &mut findings);
    // If the bake has no result, the report says why.
    let of_output = mesh.as_ref().map_or_else(|_| OutputReport::default(), OutputReport::of_mesh);
    let figures = ReportFigures { elapsed, tiles: reports, cache };
    write_report(args, (plan, n_triangles), figures, of_output, &findings)?;
    let mesh = mesh.with_context(|| args.level.to_string())?;
    if args.strict {
        findings.refuse_to_write()?;
    }
    let (level, n) = (&args.level, outcomes.len());
    let failed = || anyhow::anyhow!("{level}: {n_failed} of {n} tiles failed");
    if n_failed > 0 && args.strict {
        return Err(failed().context("refused by --strict; nothing was written").into());
    }
    output.line(&write_mesh(&args.output, &mesh, elapsed)?.summary)?;
    if n_failed > 0 {
        return Err(failed().into());
    }
    Ok(())
}

pub(super) fn write_report(
    args: &BakeArgs,
    (plan, n_triangles): (&BakePlan, usize),
    ReportFigures { elapsed, tiles, cache }: ReportFigures,
    of_output: OutputReport,
    findings: &Findings,
) -> anyhow::Result<()> {
    let Some(file) = &args.report else { return Ok(()) };
    let (level, settings) = (Some(args.level.to_string()), plan.input().settings.clone());
    let report = Report::new(level, n_triangles, settings, Some(elapsed), tiles);
    let report = report.with_findings(findings.all().to_vec(), findings.links.clone());
    let bytes = report.with_cache(cache).with_output(of_output).to_file(file);
    file.write(&bytes.context("cannot write the report as JSON")?)
}

pub(super) fn n_threads(args: &BakeArgs) -> usize {
    args.threads.map_or_else(runner::default_threads, |n| runner::at_most(usize::from(n)))
}

pub(super) struct Baked {
    pub(super) outcomes: Vec<TileOutcome>,
    /// Empty unless a report was requested.
    reports: Vec<TileReport>,
    elapsed: Duration,
    cache: Option<CacheTally>,
}

/// Keeps the stages if a report is requested, because it contains counts from them.
fn keep(args: &BakeArgs) -> BakeOutput {
    if args.report.is_some() { BakeOutput::Stages } else { BakeOutput::Tile }
}

/// Bakes the tiles of `order`; also creates their reports if a report file is requested. If the time runs out, the
/// cache keeps the tiles that are baked.
pub(super) fn bake(
    args: &BakeArgs,
    order: impl TileOrder,
    bake_one: &BakeOne<'_>,
) -> anyhow::Result<Baked> {
    let baked = bake_on(n_threads(args), keep(args), order, bake_one);
    let kept = if args.cache.is_some() {
        "the cache keeps the baked tiles"
    } else {
        "nothing was written; a tile store (-o OUT.tiles) or --cache keeps the tiles for the next run"
    };
    baked.context(kept).with_context(|| args.level.to_string())
}

/// Bakes the tiles of `order` on `n_threads`; reports contain the counts of what is kept.
pub(super) fn bake_on(
    n_threads: usize,
    keep: BakeOutput,
    order: impl TileOrder,
    bake_one: &BakeOne<'_>,
) -> anyhow::Result<Baked> {
    let n_tiles = order.len();
    let gathered = Gathered {
        progress: Progress::new(order.len()),
        with_reports: keep == BakeOutput::Stages,
        done: Mutex::new(Vec::with_capacity(order.len())),
    };
    let never = AtomicBool::new(false);
    runner::run(order, bake_one, n_threads, &never, &gathered);
    let elapsed = gathered.progress.finish();
    let mut done = gathered.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(why) = limits::time_error().filter(|_| done.len() < n_tiles) {
        let n_done = done.len();
        return Err(anyhow::anyhow!(why).context(format!("{n_done} of {n_tiles} tiles were baked")));
    }
    // The file must not depend on which thread finished first.
    done.sort_by_key(|(outcome, _)| (outcome.coord.z, outcome.coord.x));
    let (outcomes, reports): (_, Vec<Option<TileReport>>) = done.into_iter().unzip();
    Ok(Baked { outcomes, reports: reports.into_iter().flatten().collect(), elapsed, cache: None })
}

struct Gathered {
    progress: Progress,
    with_reports: bool,
    done: Mutex<Vec<(TileOutcome, Option<TileReport>)>>,
}

impl Listener for Gathered {
    fn tile_done(&self, mut outcome: TileOutcome) {
        let report = self.with_reports.then(|| TileReport::of(&outcome));
        if let Ok(bake) = &mut outcome.result {
            // The report has its counts by now, and the stages of all tiles together may not fit in memory.
            bake.stages = None;
        }
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push((outcome, report));
        self.progress.tile_done();
    }

    fn stage_entered(&self, stage: Stage) {
        self.progress.stage_entered(stage);
    }
}

pub(super) fn of_agent(args: &BakeArgs, level: &Level) -> Result<BakeConfig, Failure> {
    let config = agent_config(args.agent.as_deref(), level);
    config.map_err(|why| Failure::Usage(format!("{}: {why}", args.level)))
}

/// Returns the configuration for the agent `name`, or for the active agent if it is `None`. The error lists the agents.
pub(super) fn agent_config(name: Option<&str>, level: &Level) -> Result<BakeConfig, String> {
    let Some(name) = name else { return Ok(level.config.clone()) };
    let found = level.document.agents.list.iter().find(|agent| agent.name == *name);
    let agent = found.ok_or_else(|| {
        let all: Vec<_> = level.document.agents.list.iter().map(|agent| &*agent.name).collect();
        let known = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        format!("there is no agent `{name}`; there are: {known}")
    })?;
    let (settings, jumps) = (agent.settings.clone(), agent.jumps);
    Ok(BakeConfig { settings, jumps, ..level.config.clone() })
}

/// Bakes all tiles of `plan` and links them, but does not remove islands. Fails if a tile fails, or if nothing is
/// walkable.
pub(super) fn linked_mesh(
    level: &LevelArg,
    plan: &BakePlan,
    finish: &Finish,
    findings: &mut Findings,
) -> anyhow::Result<NavMesh> {
    let bake_one = runner::from_memory(plan, BakeOutput::Tile);
    let n_threads = runner::default_threads();
    let baked = bake_on(n_threads, BakeOutput::Tile, plan.tiles(), &bake_one);
    let outcomes = baked.with_context(|| level.to_string())?.outcomes;
    let n_failed = remark_tiles(level, &outcomes, findings);
    if n_failed > 0 {
        bail!("{level}: {n_failed} of {} tiles failed", outcomes.len());
    }
    let tiles = runner::baked_tiles(&outcomes);
    if tiles.is_empty() {
        let again = runner::from_memory(plan, BakeOutput::Stages);
        return Err(Empty { plan, again: &again }
            .why(&outcomes, findings)
            .context(level.to_string()));
    }
    finish.link(plan, &tiles).with_context(|| level.to_string())
}

/// Assembles the navmesh from the baked tiles, in the order of their coordinates.
pub(super) fn assemble(
    empty: &Empty<'_>,
    outcomes: &[TileOutcome],
    finish: &Finish,
    findings: &mut Findings,
) -> anyhow::Result<NavMesh> {
    let tiles = runner::baked_tiles(outcomes);
    if tiles.is_empty() {
        return Err(empty.why(outcomes, findings));
    }
    let mut mesh = finish.link(empty.plan, &tiles)?;
    finish_mesh(&mut mesh, empty.plan, finish, findings);
    Ok(mesh)
}
