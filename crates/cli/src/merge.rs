//! `walkable merge`: merges the parts of a bake.

use std::{path::PathBuf, time::Instant};

use anyhow::Context as _;
use clap::Args;
use walkable_editor::{
    files::{self, Format},
    runner,
    shard::{Merged, ShardPart, merge},
};

use super::{
    Failure,
    bake::write_mesh,
    findings::Findings,
    guard,
    output::Output,
    remarks::{remark_mesh, say_islands, say_tiles},
};

/// Arguments of `walkable merge`.
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Parts that `walkable bake --shard` wrote: each shard once, in any order.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// File of tiles (MSET) to write: the same as without shards.
    #[arg(short, long, value_name = "OUT.bin")]
    output: PathBuf,
    /// Exit with code 1 if there are warnings, and write nothing.
    #[arg(long)]
    strict: bool,
}

pub(super) fn run(args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    guard::check(&[guard::written(&args.output, "-o")], &args.parts)?;
    let started = Instant::now();
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let part = ShardPart::from_bytes(&files::read(path, Format::Part)?);
        Ok((name.clone(), part.with_context(|| format!("cannot use {name}"))?))
    };
    let parts: anyhow::Result<Vec<_>> = args.parts.iter().map(read).collect();
    let Merged { link, plan, outcomes } = merge(parts?)?;
    let name = args.output.display().to_string();
    let mut findings = Findings::new(&name);
    let n_failed = say_tiles(&name, &outcomes, &mut findings);
    let (tiles, n) = (runner::baked_tiles(&outcomes), outcomes.len());
    if tiles.is_empty() {
        let text = "no tile of the parts has ground; `walkable bake` without --shard says why";
        return Err(anyhow::Error::msg(text).into());
    }
    let mut mesh = link.finish().link(&plan, &tiles).context("cannot link the tiles")?;
    // Must come before islands are removed, because that clears their flags.
    remark_mesh(&mesh, &plan, &mut findings);
    if let Some(pruning) = link.finish().prune(&mut mesh) {
        say_islands(&pruning, &mut findings);
    }
    let failed = || anyhow::anyhow!("{n_failed} of {n} tiles failed");
    if args.strict {
        findings.refuse_to_write()?;
        if n_failed > 0 {
            return Err(failed().context("refused by --strict; nothing was written").into());
        }
    }
    output.line(&write_mesh(&args.output, &mesh, started.elapsed())?.summary)?;
    if n_failed > 0 {
        return Err(failed().into());
    }
    Ok(())
}
