//! `walkable export`: writes a navmesh in the format of an engine or another program.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _, ValueParser},
};
use walkable::{
    bake::AreaTable,
    export::{ExportFormat, ExportInput},
};
use walkable_editor::{files, format};

use super::{
    Failure,
    bake::agent_config,
    baked::bake_loaded,
    findings::Findings,
    guard,
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::Output,
    remarks::{remark, remark_mesh, say_islands},
};

/// Arguments of `walkable export`.
#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// Baked navmesh (MSET), baked layers (TSET), or a level or project to bake: as for `walkable bake`.
    #[arg(value_name = "IN")]
    input: LevelArg,
    /// File to write.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format of the file; by default the first format with the extension of OUT.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<ExportFormat>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Name of the project's agent to bake, instead of the one selected in the editor.
    #[arg(long, value_name = "NAME", conflicts_with = "settings")]
    agent: Option<String>,
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
    let format = format_of(args)?;
    check_output(args, &[])?;
    args.limits.apply();
    let bytes = match args.input.navmesh()? {
        Some(_) if !args.settings.is_empty() || args.agent.is_some() => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.input);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => format.write(&ExportInput::new(&mesh, &AreaTable::default())),
        None => return export_level(args, format, output),
    };
    finish(args, format, &bytes.with_context(|| args.input.to_string())?, output)
}

/// Bakes the level and exports its navmesh.
fn export_level(
    args: &ExportArgs,
    format: ExportFormat,
    output: &mut Output,
) -> Result<(), Failure> {
    let level = args.input.load(args.import.options())?;
    check_output(args, &level.files)?;
    let own = agent_config(args.agent.as_deref(), &level);
    let own = own.map_err(|why| Failure::Usage(format!("{}: {why}", args.input)))?;
    let config = args.settings.over(own, &level.mesh.bounds())?;
    let mut findings = Findings::new(&args.input);
    remark(&level, &config, &mut findings);
    let mut baked = bake_loaded((&args.input, &level), config, &mut findings)?;
    // Must come before islands are removed, because that clears their flags.
    remark_mesh(&baked.mesh, &baked.plan, &mut findings);
    if let Some(pruning) = baked.prune() {
        say_islands(&pruning, &mut findings);
    }
    let settings = &baked.plan.input().settings;
    let input = ExportInput {
        cell_height: Some(settings.cell_height),
        max_slope: Some(settings.agent_max_slope),
        ..ExportInput::new(&baked.mesh, &baked.areas)
    };
    let bytes = format.write(&input).with_context(|| args.input.to_string())?;
    finish(args, format, &bytes, output)
}

/// The requested format, or else the first with the extension of the output.
fn format_of(args: &ExportArgs) -> Result<ExportFormat, Failure> {
    let ending = args.output.extension().and_then(|ending| ending.to_str());
    let found = args.format.or_else(|| ending.and_then(ExportFormat::of_ending));
    found.ok_or_else(|| {
        let known = |format: &ExportFormat| format!("{} (.{})", format.key(), format.ending());
        let known: Vec<_> = ExportFormat::ALL.iter().map(known).collect();
        let (file, known) = (args.output.display(), known.join(", "));
        let text =
            format!("{file}: no format has this extension; use --format with one of: {known}");
        Failure::Usage(text)
    })
}

/// Checks that the output overwrites neither an argument nor one of the level's `files`.
fn check_output(args: &ExportArgs, files: &[PathBuf]) -> Result<(), Failure> {
    let inputs = args.input.file().into_iter().chain(args.settings.file());
    guard::check(&[guard::written(&args.output, "-o")], inputs.chain(files))
}

/// Writes the file and prints what it contains.
fn finish(
    args: &ExportArgs,
    export_format: ExportFormat,
    bytes: &[u8],
    output: &mut Output,
) -> Result<(), Failure> {
    let file: &Path = &args.output;
    files::write_atomically(file, bytes)?;
    let (file, size) = (file.display(), format::bytes(bytes.len()));
    let (name, loses) = (export_format.name(), export_format.loses());
    Ok(output.line(&format!("{file}: {name}, {size}; without {loses}"))?)
}
