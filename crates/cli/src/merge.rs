//! `walkable merge`: merges the parts of a bake.

use std::{io::BufReader, path::Path, time::Instant};

use anyhow::Context as _;
use clap::Args;
use walkable::navmesh::polygons_without_flags;
use walkable_workspace::{
    files::{self, FileKind, Format},
    runner,
    shard::{MergePlan, PartHead, ShardPart, outcome_of},
    store_bake::StoreBake,
};

use super::{
    Failure,
    bake::{store_summary, write_mesh},
    findings::Findings,
    guard::{InputFile, OutputFile},
    output::Output,
    remarks::{remark_islands, remark_mesh, remark_tile, remark_tiles},
};

const NO_GROUND: &str = "no tile of the parts has ground; `walkable bake` without --shard says why";

/// Arguments of `walkable merge`.
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Parts that `walkable bake --shard` wrote: each shard once, in any order.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<InputFile>,
    /// File of tiles (MSET) to write, or a tile store if its name ends in .tiles: the same as without shards. A store is
    /// merged part by part.
    #[arg(short, long, value_name = "OUT.bin")]
    output: OutputFile,
    /// Exit with code 1 if there are warnings, and write nothing.
    #[arg(long)]
    strict: bool,
}

pub(super) fn run(args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    let merge =
        MergePlan::new(args.parts.iter().map(|path| head(path)).collect::<Result<_, _>>()?)?;
    let is_store = FileKind::of_name(&args.output) == Some(FileKind::TileStore);
    if is_store && merge.link.finish().changes_nothing() {
        into_store(args, &merge, output)
    } else {
        in_memory(args, &merge, output)
    }
}

fn head(path: &Path) -> anyhow::Result<(String, PartHead)> {
    let name = path.display().to_string();
    let head = PartHead::read(&mut BufReader::new(files::open(path)?));
    let head = head.with_context(|| format!("cannot use {name}"))?;
    Ok((name, head))
}

fn part(path: &Path) -> anyhow::Result<ShardPart> {
    let part = ShardPart::from_bytes(&files::read(path, Format::Part)?);
    part.with_context(|| format!("cannot use {}", path.display()))
}

#[derive(Clone, Copy, Debug, Default)]
struct MergeCounts {
    failed: usize,
    all: usize,
}

impl MergeCounts {
    fn check(self) -> anyhow::Result<()> {
        let Self { failed, all } = self;
        anyhow::ensure!(failed == 0, "{failed} of {all} tiles failed");
        Ok(())
    }

    fn check_strictly(self, findings: &Findings) -> anyhow::Result<()> {
        findings.refuse_to_write()?;
        self.check().context("refused by --strict; nothing was written")
    }
}

/// Appends the tiles of one part after the other to a tile store.
fn into_store(args: &MergeArgs, merge: &MergePlan, output: &mut Output) -> Result<(), Failure> {
    let started = Instant::now();
    let mut store = StoreBake::create(&args.output)?;
    let counts = match append_all(args, merge, &mut store) {
        Ok(counts) => counts,
        Err(error) => {
            store.discard();
            return Err(error.into());
        }
    };
    let written = store.finish(&merge.plan)?;
    output.line(&store_summary(&args.output, &written, started.elapsed()))?;
    Ok(counts.check()?)
}

fn append_all(
    args: &MergeArgs,
    merge: &MergePlan,
    store: &mut StoreBake,
) -> anyhow::Result<MergeCounts> {
    let name = args.output.display();
    let (mut findings, mut counts) = (Findings::new(&name), MergeCounts::default());
    merge.each_tile(&mut |index| part(&args.parts[index]), &mut |coord, tile| {
        counts.all += 1;
        if let Ok((key, entry)) = &tile {
            store.append(coord, *key, entry)?;
            for found in polygons_without_flags(entry.tile.as_ref()) {
                findings.add_one_of_many(found);
            }
        } else {
            counts.failed += 1;
        }
        remark_tile(&name, &outcome_of(coord, tile.map(|(_, entry)| entry)), &mut findings);
        Ok(())
    })?;
    findings.print_many();
    anyhow::ensure!(!store.is_empty(), NO_GROUND);
    if args.strict {
        counts.check_strictly(&findings)?;
    }
    Ok(counts)
}

fn in_memory(args: &MergeArgs, merge: &MergePlan, output: &mut Output) -> Result<(), Failure> {
    let started = Instant::now();
    let outcomes = merge.outcomes(&mut |index| part(&args.parts[index]))?;
    let (plan, finish) = (&merge.plan, merge.link.finish());
    let name = args.output.display().to_string();
    let mut findings = Findings::new(&name);
    let failed = remark_tiles(&name, &outcomes, &mut findings);
    let counts = MergeCounts { failed, all: outcomes.len() };
    let tiles = runner::baked_tiles(&outcomes);
    if tiles.is_empty() {
        return Err(anyhow::Error::msg(NO_GROUND).into());
    }
    let mut mesh = finish.link(plan, &tiles).context("cannot link the tiles")?;
    // Must come before islands are removed, because that clears their flags.
    remark_mesh(&mesh, plan, &mut findings);
    if let Some(pruning) = finish.prune(&mut mesh) {
        remark_islands(&pruning, &mut findings);
    }
    if args.strict {
        counts.check_strictly(&findings)?;
    }
    output.line(&write_mesh(&args.output, &mesh, started.elapsed())?.summary)?;
    Ok(counts.check()?)
}
