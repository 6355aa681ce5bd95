//! `walkable bin`: sorts the triangles of a level larger than memory into squares, so that it can be baked.

use std::{fs::File, path::PathBuf};

use anyhow::Context as _;
use clap::Args;
use walkable::monitor::Unmonitored;
use walkable_workspace::{
    files,
    pieces::{LevelPiece, SQUARE, sort_pieces},
};

use super::{
    Failure,
    findings::Findings,
    guard::OutputFile,
    import::ImportArgs,
    load::{Level, LevelArg},
    output::Output,
    values,
};

/// Arguments of `walkable bin`.
#[derive(Args, Debug)]
pub(super) struct BinArgs {
    /// Pieces of the level in order: OBJ, glTF, PLY or STL files, each at its place in the level, or folders with such
    /// files. One is in memory at a time.
    #[arg(required = true, value_name = "PIECE")]
    pieces: Vec<LevelArg>,
    /// File to write, for `walkable bake`.
    #[arg(short, long, value_name = "OUT.tri")]
    output: OutputFile,
    /// Side of the squares in meters: about two or three tiles.
    #[arg(long, value_name = "METERS", default_value_t = SQUARE, value_parser = values::positive)]
    square: f32,
    /// Exit with code 1 if there are warnings, and write nothing.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    import: ImportArgs,
}

pub(super) fn run(args: &BinArgs, output: &mut Output) -> Result<(), Failure> {
    let mut pieces = Vec::new();
    for piece in &args.pieces {
        match piece.file().filter(|path| files::is_folder(path)) {
            Some(folder) => {
                pieces.extend(files::pieces_in(folder)?.into_iter().map(LevelArg::File));
            }
            None => pieces.push(piece.clone()),
        }
    }
    let read = |piece: &LevelArg| {
        let Level { mesh, files, warnings, .. } = piece.load(args.import.options())?;
        let mut findings = Findings::new(piece);
        findings.extend(warnings.summary());
        if args.strict {
            findings.refuse_to_write()?;
        }
        Ok(LevelPiece { mesh, files, warnings })
    };
    let n_triangles = sort_pieces(&args.output, args.square, &pieces, &Unmonitored, read)?;
    let (file, n_pieces) = (args.output.display(), pieces.len());
    output.line(&format!("{file}: {n_triangles} triangles of {n_pieces} pieces"))?;
    Ok(())
}

/// Returns the file of a level, if `walkable bin` wrote it.
pub(super) fn binned_file(level: &LevelArg) -> anyhow::Result<Option<(&PathBuf, File)>> {
    use std::io::Read as _;

    let Some(path) = level.file() else { return Ok(None) };
    let mut file = files::open(path)?;
    let mut start = Vec::new();
    let read = file.by_ref().take(4).read_to_end(&mut start);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(walkable::mesh::BinnedLevel::is_start(&start).then_some((path, file)))
}
