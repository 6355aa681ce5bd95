//! `walkable generate`: makes a level.

use std::path::PathBuf;

use clap::Args;
use walkable::{
    bake::BakeConfig,
    level::{GenerateError, LevelKind, generate},
    mesh::to_obj,
};
use walkable_editor::files;

use super::{Failure, guard, output::Output};

/// Arguments of `walkable generate`.
#[derive(Args, Debug)]
pub(super) struct GenerateArgs {
    /// Kind of level: terrain, town, maze, tower, caves, spiral or sample.
    #[arg(value_parser = kind)]
    kind: LevelKind,
    /// Seed of the random generator: the same seed generates the same level.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Side of the level in meters; the default depends on the kind.
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    size: Option<f32>,
    /// OBJ file to write. Settings for the level are written next to it, with the extension .cfg.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn kind(text: &str) -> Result<LevelKind, GenerateError> {
    text.parse()
}

pub(super) fn run(args: &GenerateArgs, output: &mut Output) -> Result<(), Failure> {
    let beside = args.output.with_extension("cfg");
    let outputs =
        [guard::written(&args.output, "-o"), guard::written(&beside, "the settings file")];
    guard::check(&outputs, None)?;
    let size = args.size.unwrap_or_else(|| args.kind.default_size());
    let level = generate(args.kind, args.seed, size).map_err(|error| match error {
        GenerateError::Nothing { .. } => Failure::Failed(error.into()),
        _ => Failure::Usage(error.to_string()),
    })?;
    files::write_atomically(&args.output, to_obj(&level.mesh).as_bytes())?;
    let (file, n) = (args.output.display(), level.mesh.triangles().len());
    output.line(&format!("{file}: {n} triangles in {} parts", level.mesh.parts().len()))?;
    if level.config != BakeConfig::default() {
        files::write_atomically(&beside, level.config.to_text().as_bytes())?;
        output.line(&format!("{}: settings for it", beside.display()))?;
    }
    Ok(())
}
