//! `walkable repro save`: saves a level, a question about it and the answer in one file.

use anyhow::Context as _;
use clap::Args;
use walkable::explain::floor_below;
use walkable_workspace::{
    document::Document,
    files::FileKind,
    level_files::read_navmesh,
    limits::InTime,
    repro::{ExpectedResult, Repro, ReproLevel, ReproScene},
};

use crate::{
    Failure,
    guard::OutputFile,
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::Output,
    query::QueryArgs,
    values,
};

/// Arguments of `walkable repro save`.
#[derive(Args, Debug)]
pub(crate) struct SaveArgs {
    /// Level to ask about, as for `walkable bake`; for a path also a baked navmesh (MSET or TSET).
    level: LevelArg,
    /// File to write.
    #[arg(short, long, value_name = "FILE.repro")]
    output: OutputFile,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    query: QueryArgs,
    /// Answer that would be right: walkable, `not_walkable`, complete, partial, unreachable, or a cause.
    #[arg(long, value_name = "ANSWER")]
    expect: Option<ExpectedResult>,
    /// Keep only the tiles that are at most this far from the place or from the box around the ends of the path; without
    /// tiles, the triangles in that box.
    #[arg(long, value_name = "METERS", value_parser = values::positive)]
    around: Option<f32>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &SaveArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let scene = scene(args)?;
    let level = match &scene {
        ReproScene::Level(level) => Some((level.document.import, level.mesh.bounds())),
        ReproScene::Navmesh { .. } => None,
    };
    let context = || args.level.to_string();
    let plan = match &scene {
        ReproScene::Level(level) => Some(level.plan().with_context(context)?),
        ReproScene::Navmesh { .. } => None,
    };
    let below = |at| floor_below(plan.as_ref()?, at);
    let (at, notes) = args.query.asked(level, below).ok_or_else(|| {
        let text = "give a place (--at), a path (--from and --to), or a line of a log (--log)";
        Failure::Usage(text.to_owned())
    })?;
    let query = args.query.query(at)?;
    if let Some(expected) = args.expect.filter(|expected| !expected.fits(&query)) {
        let key = expected.key();
        return Err(Failure::Usage(format!(
            "--expect {key} does not fit the question: walkable and not_walkable are for --at; complete, \
             partial and unreachable for --from and --to"
        )));
    }
    notes.iter().try_for_each(|note| output.line(note))?;
    let mut repro = Repro::of(scene, query, &InTime).with_context(context)?;
    repro.expected = args.expect;
    if let Some(expected) = args.expect.filter(|expected| expected.is_met_by(&repro.actual)) {
        let (level, key, actual) = (&args.level, expected.key(), &repro.actual);
        let why = anyhow::anyhow!(
            "{level}: the answer is already as expected by --expect {key}: {actual}; nothing was written"
        );
        return Err(why.into());
    }
    if let Some(meters) = args.around {
        repro = repro.cropped(meters, &InTime).map_err(anyhow::Error::from)?;
    }
    let text = repro.to_text().map_err(anyhow::Error::from).with_context(context)?;
    args.output.write(text.as_bytes())?;
    let (file, n_bytes) = (args.output.display(), text.len());
    let n_triangles = match &repro.scene {
        ReproScene::Level(level) => format!("{} triangles, ", level.mesh.triangles().len()),
        ReproScene::Navmesh { .. } => String::new(),
    };
    Ok(output.line(&format!("{file}: {}; {n_triangles}{n_bytes} bytes", repro.actual))?)
}

fn scene(args: &SaveArgs) -> Result<ReproScene, Failure> {
    let name = match &args.level {
        LevelArg::File(path) | LevelArg::Named { file: path, .. } => {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        }
        LevelArg::Builtin(_) => args.level.to_string(),
    };
    if let Some(path) = args.level.file()
        && matches!(
            FileKind::read(path)?,
            FileKind::Navmesh | FileKind::TileStore | FileKind::Layers
        )
    {
        if !args.settings.is_empty() || args.around.is_some() {
            let text = format!(
                "{}: settings and --around are for a level, and this is a navmesh",
                args.level
            );
            return Err(Failure::Usage(text));
        }
        let bytes = read_navmesh(path)?;
        return Ok(ReproScene::Navmesh { name, bytes });
    }
    let level = args.level.load(args.import.options())?;
    let config = args.settings.over(level.config.clone(), &level)?;
    let mut document: Document = level.document;
    document.take(config);
    let level_of_repro = ReproLevel::new(name, level.mesh, &document);
    Ok(ReproScene::Level(level_of_repro))
}
