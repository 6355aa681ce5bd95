//! `walkable export`: writes a navmesh, or a stage of its bake, in the format of an engine or another program.

use std::{
    fs::File,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Context as _;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _, ValueParser},
};
use walkable::{
    bake::{AreaTable, BakeConfig},
    export::{ExportError, ExportFormat, ExportInput},
    ids::TileCoord,
    navmesh::{NavMesh, TilePlace},
    store::TileStore,
};
use walkable_workspace::{
    agent_files::agent_files,
    files::Format,
    format,
    limits::{self, InTime},
    stage_geometry::StageBake,
    stage_view::StageView,
    store_export::{StoreExport, is_streamed},
};

use super::{
    Failure,
    bake::agent_config,
    baked::{bake_loaded, plan_of},
    findings::Findings,
    guard::OutputFile,
    import::ImportArgs,
    limit::LimitArgs,
    load::{Level, LevelArg, SettingsArgs},
    output::Output,
    remarks::{remark, remark_islands, remark_mesh},
};

/// Arguments of `walkable export`.
#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// Baked navmesh (MSET), tile store, baked layers (TSET), or a level or project to bake: as for `walkable bake`.
    #[arg(value_name = "IN")]
    input: LevelArg,
    /// File to write.
    #[arg(short, long, value_name = "OUT")]
    output: OutputFile,
    /// Format of the file; by default the first format with the extension of OUT.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<ExportFormat>,
    /// Stage of the bake to export instead of the navmesh: slope, spans, filtered, compact, eroded, distance, regions,
    /// layers, raw-contours, contours, polygons or detail. IN is a level or project, whose tiles are baked again.
    #[arg(long, value_name = "NAME", value_parser = StageView::of_key)]
    stage: Option<StageView>,
    /// Export one tile: its column and row, and its layer if that is not 0; of the stage `layers`, the layer to export.
    /// If the name of OUT ends in .tile, the file is Detour's tile data (DNAV).
    #[arg(long, value_name = "COLUMN,ROW[,LAYER]", value_parser = tile_arg, allow_hyphen_values = true)]
    tile: Option<TileArg>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Name of the project's agent to bake, instead of the one selected in the editor.
    #[arg(long, value_name = "NAME", conflicts_with = "settings")]
    agent: Option<String>,
    /// Export the navmesh of each agent of the project to a file of its own: OUT with the agent's name after its own.
    #[arg(long, conflicts_with_all = ["settings", "agent", "stage"])]
    all_agents: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Parses the key of a format; the help describes each.
fn format_parser() -> ValueParser {
    let value = |format: &ExportFormat| {
        let (name, ending) = (format.name(), format.ending());
        let help =
            format!("{name} (.{ending}); keeps {}; loses {}", format.keeps(), format.loses());
        PossibleValue::new(format.key()).help(help)
    };
    let parser = PossibleValuesParser::new(ExportFormat::ALL.iter().map(value));
    let parse = |key: String| ExportFormat::of_key(&key).ok_or("unknown format");
    parser.try_map(parse).into()
}

pub(super) fn run(args: &ExportArgs, output: &mut Output) -> Result<(), Failure> {
    let stage = args.stage.filter(|stage| *stage != StageView::Navmesh);
    let format = format_of(args, stage)?;
    args.limits.apply();
    if let (Some(stage), Target::Stage(format)) = (stage, format) {
        return export_stage(args, stage, format, output);
    }
    let is_plain = args.settings.is_empty() && args.agent.is_none() && !args.all_agents;
    if let (true, None, Target::Format(format)) = (is_plain, args.tile, format)
        && let Some((store, file)) = args.input.tile_store()?
    {
        return export_store(args, &store, file, format, output);
    }
    if is_plain
        && let Some(tile) = args.tile
        && let Some((store, file)) = args.input.tile_store()?
    {
        let areas = AreaTable::default();
        let mut export =
            StoreExport { store: &store, file, areas: &areas, settings: None, max_bytes: u64::MAX };
        let mesh = export.tile_at(tile.place()).with_context(|| args.input.to_string())?;
        let mesh = mesh.with_context(|| no_tile(args, tile.place()))?;
        let bytes = format.write(&ExportInput::new(&mesh, &areas));
        let bytes = bytes.with_context(|| args.input.to_string())?;
        return finish(&args.output, format, &bytes, None, output);
    }
    let bytes = match args.input.navmesh()? {
        Some(_) if !args.settings.is_empty() || args.agent.is_some() || args.all_agents => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.input);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => {
            let mesh = selected(args, mesh)?;
            format.write(&ExportInput::new(&mesh, &AreaTable::default()))
        }
        None => return export_level(args, format, output),
    };
    let bytes = bytes.with_context(|| args.input.to_string())?;
    finish(&args.output, format, &bytes, None, output)
}

/// Exports all tiles of a tile store, tile by tile if the format allows it.
fn export_store(
    args: &ExportArgs,
    store: &TileStore,
    file: File,
    export_format: ExportFormat,
    output: &mut Output,
) -> Result<(), Failure> {
    let areas = AreaTable::default();
    // As for other navmeshes: files up to this size are read as a whole.
    let n_tile_bytes: u64 = store.entries().iter().map(|entry| u64::from(entry.n_tile)).sum();
    let max = Format::Navmesh.max_bytes();
    if !is_streamed(export_format) && n_tile_bytes > max {
        let (name, max) = (export_format.name(), max >> 20);
        let why = anyhow::anyhow!(
            "{}: {name} needs all tiles in memory, and they take more than {max} MiB; export to a name that ends in \
             .bin or .tiles",
            args.input
        );
        return Err(why.into());
    }
    let mut export =
        StoreExport { store, file, areas: &areas, settings: None, max_bytes: u64::MAX };
    let n_bytes = export.write(export_format, &args.output, &mut |_| {}, &InTime);
    let n_bytes = n_bytes.with_context(|| args.input.to_string())?;
    let size = usize::try_from(n_bytes).unwrap_or(usize::MAX);
    print_written(&args.output, Target::Format(export_format), size, None, output)
}

#[derive(Clone, Copy)]
enum Target {
    Format(ExportFormat),
    Stage(ExportFormat),
    TileData,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Format(format) | Self::Stage(format) => format.name(),
            Self::TileData => "Detour tile data",
        }
    }

    fn loses(self) -> &'static str {
        match self {
            Self::Format(format) => format.loses(),
            Self::Stage(format) => format.stage().map_or("", |stage| stage.loses),
            Self::TileData => ExportFormat::Detour.loses(),
        }
    }

    fn write(self, input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Format(format) | Self::Stage(format) => format.write(input),
            Self::TileData => {
                let tile = input.mesh.tiles().next().ok_or(ExportError::Empty)?;
                Ok(tile.to_bytes_with(input.mesh.width()))
            }
        }
    }
}

fn export_level(args: &ExportArgs, format: Target, output: &mut Output) -> Result<(), Failure> {
    let (level, config) = load(args)?;
    let agents = &level.document.agents;
    if !args.all_agents {
        let bytes = bake_to_bytes(args, &level, config, format)?;
        let of_project = args.agent.as_deref().or_else(|| Some(&*agents.active()?.name));
        let agent = of_project.filter(|_| agents.list.len() > 1);
        return finish(&args.output, format, &bytes, agent, output);
    }
    if agents.list.is_empty() {
        let text = format!("{}: the project has no agents; leave out --all-agents", args.input);
        return Err(Failure::Usage(text));
    }
    let names: Vec<_> = agents.list.iter().map(|agent| &*agent.name).collect();
    let paths = agent_files(&args.output, names.iter().copied());
    let paths = paths.into_iter().map(|path| OutputFile::declare(path, "-o"));
    let paths: Vec<_> = paths.collect::<Result<_, _>>()?;
    let mut files = Vec::new();
    for (agent, path) in agents.list.iter().zip(paths) {
        let config = BakeConfig { settings: agent.settings.clone(), ..config.clone() };
        let bytes = bake_to_bytes(args, &level, args.settings.with_sets(config)?, format);
        files.push((path, bytes.with_context(|| format!("agent {}", agent.name))?, &*agent.name));
    }
    // Nothing is written before all navmeshes are baked.
    files.iter().try_for_each(|(path, bytes, _)| path.check_replaces(bytes))?;
    for (path, bytes, agent) in &files {
        path.write_own(bytes)?;
        print_written(path, format, bytes.len(), Some(*agent), output)?;
    }
    Ok(())
}

fn bake_to_bytes(
    args: &ExportArgs,
    level: &Level,
    config: BakeConfig,
    format: Target,
) -> anyhow::Result<Vec<u8>> {
    let mut findings = Findings::new(&args.input);
    remark(level, &config, &mut findings);
    let mut baked = bake_loaded((&args.input, level), config, &mut findings)?;
    // Must come before islands are removed, because that clears their flags.
    remark_mesh(&baked.mesh, &baked.plan, &mut findings);
    if let Some(pruning) = baked.prune() {
        remark_islands(&pruning, &mut findings);
    }
    baked.mesh = selected(args, baked.mesh)?;
    let settings = &baked.plan.input().settings;
    let input = ExportInput {
        cell_height: Some(settings.cell_height),
        max_slope: Some(settings.agent_max_slope),
        ..ExportInput::new(&baked.mesh, &baked.areas)
    };
    format.write(&input).with_context(|| args.input.to_string())
}

fn export_stage(
    args: &ExportArgs,
    stage: StageView,
    format: ExportFormat,
    output: &mut Output,
) -> Result<(), Failure> {
    if stage == StageView::Input {
        let text =
            "the stage input is the level itself; export a stage of its bake, for example slope";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.input.is_navmesh()? {
        let text = format!(
            "{}: a navmesh does not contain the stages of its bake; give the level or the project",
            args.input
        );
        return Err(Failure::Usage(text));
    }
    let (level, config) = load(args)?;
    let mut findings = Findings::new(&args.input);
    remark(&level, &config, &mut findings);
    let areas = config.areas.clone();
    let plan = plan_of((&args.input, &level), config, &mut findings)?;
    let plan = Arc::new(plan);
    let mut tiles: Vec<_> = plan.tiles().map(|coord| (Arc::clone(&plan), coord)).collect();
    let layer = args.tile.and_then(|tile| tile.layer);
    if let Some(tile) = args.tile {
        tiles.retain(|(_, coord)| tile.is_at(*coord));
        if tiles.is_empty() {
            return Err(
                anyhow::anyhow!("{}: there is no tile {},{}", args.input, tile.x, tile.z).into()
            );
        }
    }
    if layer.is_some_and(|layer| layer != 0) && stage != StageView::Layers {
        let text = format!("the stage {} has no layers; only the stage layers has", stage.key());
        return Err(Failure::Usage(text));
    }
    let layer = layer.filter(|_| stage == StageView::Layers);
    let layer = layer.map(|layer| u16::try_from(layer).unwrap_or(u16::MAX));
    let mut bake = StageBake::new(stage, tiles, areas).with_layer(layer);
    while !bake.is_done() {
        bake.advance(&AtomicBool::new(false));
    }
    if let Some(why) = limits::time_error() {
        return Err(anyhow::anyhow!(why).context(args.input.to_string()).into());
    }
    let bytes = bake.bytes(format).with_context(|| args.input.to_string())?;
    finish(&args.output, Target::Stage(format), &bytes, None, output)
}

fn load(args: &ExportArgs) -> Result<(Level, BakeConfig), Failure> {
    let level = args.input.load(args.import.options())?;
    let own = agent_config(args.agent.as_deref(), &level);
    let own = own.map_err(|why| Failure::Usage(format!("{}: {why}", args.input)))?;
    let config = args.settings.over(own, &level)?;
    Ok((level, config))
}

#[derive(Clone, Copy, Debug)]
struct TileArg {
    x: i32,
    z: i32,
    layer: Option<i32>,
}

impl TileArg {
    fn place(self) -> TilePlace {
        TilePlace { z: self.z, x: self.x, layer: self.layer.unwrap_or(0) }
    }

    fn is_at(self, coord: TileCoord) -> bool {
        (i64::from(self.x), i64::from(self.z)) == (coord.x.into(), coord.z.into())
    }
}

fn tile_arg(text: &str) -> Result<TileArg, String> {
    let numbers: Result<Vec<i32>, _> =
        text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, z]) => Ok(TileArg { x: *x, z: *z, layer: None }),
        Ok([x, z, layer]) => Ok(TileArg { x: *x, z: *z, layer: Some(*layer) }),
        _ => Err(format!("expected COLUMN,ROW or COLUMN,ROW,LAYER, not `{text}`")),
    }
}

fn selected(args: &ExportArgs, mesh: NavMesh) -> anyhow::Result<NavMesh> {
    let Some(place) = args.tile.map(TileArg::place) else { return Ok(mesh) };
    let tile = mesh.slots().map(|(_, tile)| tile).find(|tile| TilePlace::of(tile) == place);
    let tile = tile.with_context(|| no_tile(args, place))?;
    Ok(NavMesh::of_tiles(*mesh.params(), mesh.width(), vec![Arc::clone(tile)])?)
}

fn no_tile(args: &ExportArgs, place: TilePlace) -> String {
    format!("{}: there is no tile {place}", args.input)
}

/// Returns the requested format, or else the first with the extension of the output.
fn format_of(args: &ExportArgs, stage: Option<StageView>) -> Result<Target, Failure> {
    let ending = args.output.extension().and_then(|ending| ending.to_str());
    if stage.is_some() {
        let found = args.format.or_else(|| ending.and_then(ExportFormat::of_ending));
        let found = found.filter(|format| format.stage().is_some());
        return found.map(Target::Stage).ok_or_else(|| {
            let known: Vec<_> = ExportFormat::of_stages().map(ExportFormat::key).collect();
            let text = format!("a stage can be exported with --format {}", known.join(", "));
            Failure::Usage(text)
        });
    }
    if args.tile.is_some() && args.format.is_none() && ending == Some("tile") {
        return Ok(Target::TileData);
    }
    let found = args.format.or_else(|| ending.and_then(ExportFormat::of_ending));
    found.map(Target::Format).ok_or_else(|| {
        let known = |format: &ExportFormat| format!("{} (.{})", format.key(), format.ending());
        let known: Vec<_> = ExportFormat::ALL.iter().map(known).collect();
        let (file, known) = (args.output.display(), known.join(", "));
        let text =
            format!("{file}: no format has this extension; use --format with one of: {known}");
        Failure::Usage(text)
    })
}

/// Writes the file and prints what it contains, and of which agent it is if there are several.
fn finish(
    file: &OutputFile,
    export_format: Target,
    bytes: &[u8],
    agent: Option<&str>,
    output: &mut Output,
) -> Result<(), Failure> {
    file.write(bytes)?;
    print_written(file, export_format, bytes.len(), agent, output)
}

fn print_written(
    file: &Path,
    export_format: Target,
    n_bytes: usize,
    agent: Option<&str>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (file, size) = (file.display(), format::bytes(n_bytes));
    let (name, loses) = (export_format.name(), export_format.loses());
    let agent = agent.map(|agent| format!(" of agent {agent}")).unwrap_or_default();
    Ok(output.line(&format!("{file}: {name}{agent}, {size}; without {loses}"))?)
}
