//! `walkable generate`: makes a level.

use clap::Args;
use walkable::{
    bake::BakeConfig,
    level::{GenerateError, LevelKind, generate},
    mesh::to_obj,
};

use super::{Failure, guard::OutputFile, output::Output};

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
    output: OutputFile,
}

fn kind(text: &str) -> Result<LevelKind, GenerateError> {
    text.parse()
}

pub(super) fn run(args: &GenerateArgs, output: &mut Output) -> Result<(), Failure> {
    let beside = OutputFile::declare(args.output.with_extension("cfg"), "the settings file")?;
    let size = args.size.unwrap_or_else(|| args.kind.default_size());
    let level = generate(args.kind, args.seed, size).map_err(|error| match error {
        GenerateError::Nothing { .. } => Failure::Failed(error.into()),
        _ => Failure::Usage(error.to_string()),
    })?;
    let settings = (level.config != BakeConfig::default()).then(|| level.config.to_text());
    if let Some(text) = &settings {
        beside.check_own(|start| start == text.as_bytes())?;
    }
    args.output.write(to_obj(&level.mesh).as_bytes())?;
    let (file, n) = (args.output.display(), level.mesh.triangles().len());
    output.line(&format!("{file}: {n} triangles in {} parts", level.mesh.parts().len()))?;
    if let Some(text) = settings {
        beside.write(text.as_bytes())?;
        output.line(&format!("{}: settings for it", beside.display()))?;
    }
    Ok(())
}
