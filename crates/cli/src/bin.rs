//! `walkable bin`: sorts the triangles of a level larger than memory into squares, so that it can be baked.

use std::{fs::File, io::BufWriter, path::PathBuf};

use anyhow::Context as _;
use clap::Args;
use walkable::mesh::{BinnedError, BinnedWriter};
use walkable_editor::files;

use super::{
    Failure, findings::Findings, guard, import::ImportArgs, load::LevelArg, output::Output, values,
};

/// Arguments of `walkable bin`.
#[derive(Args, Debug)]
pub(super) struct BinArgs {
    /// Pieces of the level in order: OBJ, glTF, PLY or STL files, each at its place in the level. One is in memory at a time.
    #[arg(required = true, value_name = "PIECE")]
    pieces: Vec<LevelArg>,
    /// File to write, for `walkable bake`.
    #[arg(short, long, value_name = "OUT.tri")]
    output: PathBuf,
    /// Side of the squares in meters: about two or three tiles.
    #[arg(long, value_name = "METERS", default_value_t = 40.0, value_parser = values::positive)]
    square: f32,
    /// Exit with code 1 if there are warnings, and write nothing.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &BinArgs, output: &mut Output) -> Result<(), Failure> {
    let mut n_triangles = 0;
    let written = [guard::written(&args.output, "-o")];
    args.pieces.iter().try_for_each(|piece| guard::check(&written, piece.file()))?;
    files::write_atomically_with(&args.output, |file| {
        let named = |error: BinnedError| {
            anyhow::Error::from(error).context(format!("cannot write {}", args.output.display()))
        };
        let mut writer = BinnedWriter::new(BufWriter::new(file), args.square).map_err(named)?;
        for piece in &args.pieces {
            let level = piece.load(args.import.options())?;
            files::check_outputs(&written, &level.files).map_err(anyhow::Error::msg)?;
            let mut findings = Findings::new(piece);
            findings.extend(level.warnings.summary());
            if args.strict {
                findings.refuse_to_write()?;
            }
            writer.add(&level.mesh).map_err(named)?;
            n_triangles += level.mesh.triangles().len();
        }
        writer.finish().map_err(named)?;
        Ok(())
    })?;
    let (file, n_pieces) = (args.output.display(), args.pieces.len());
    output.line(&format!("{file}: {n_triangles} triangles of {n_pieces} pieces"))?;
    Ok(())
}

/// The file of a level, if `walkable bin` wrote it.
pub(super) fn binned_file(level: &LevelArg) -> anyhow::Result<Option<(&PathBuf, File)>> {
    use std::io::Read as _;

    let LevelArg::File(path) = level else { return Ok(None) };
    let mut file = files::open(path)?;
    let mut start = Vec::new();
    let read = file.by_ref().take(4).read_to_end(&mut start);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(walkable::mesh::BinnedLevel::is_start(&start).then_some((path, file)))
}
