//! Bakes into a tile store.

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Context as _, anyhow};
use walkable::{
    bake::{BakePlan, TileRange},
    navmesh::polygons_without_flags,
};
use walkable_workspace::{
    bake_cache::{BakeCache, CacheTally},
    files::{FileKind, NamedBy},
    keyed_tiles::KeyedTiles,
    limits::{self, InTime},
    report::{OutputReport, TileReport},
    runner::{BakeOne, TileOutcome},
    store_bake::{OnTile, StageEntered, StoreBake, StoreCounts, WrittenStore},
};

use super::{BakeArgs, ReportFigures, n_threads, write_report};
use crate::{
    Failure,
    empty::nothing_walkable,
    findings::Findings,
    output::{Output, eprint_line},
    progress::Progress,
    remarks::{remark_links, remark_tile},
    store::bits,
};

/// Returns whether the output is a tile store, to which tiles are written as they are baked.
pub(super) fn is_store(args: &BakeArgs) -> bool {
    FileKind::of_name(&args.output) == Some(FileKind::TileStore)
}

/// Whether off-mesh links are checked, which needs all tiles in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkCheck {
    InMemory,
    Never,
}

pub(super) struct StoreInput<'a> {
    pub(super) plan: &'a BakePlan,
    pub(super) n_triangles: usize,
    pub(super) order: &'a TileRange,
    pub(super) tiles: KeyedTiles<'a>,
    /// Bakes a tile without the cache, with its stages.
    pub(super) again: &'a BakeOne<'a>,
    pub(super) links: LinkCheck,
}

pub(super) fn bake(
    args: &BakeArgs,
    input: &StoreInput<'_>,
    mut findings: Findings,
    output: &mut Output,
) -> Result<(), Failure> {
    let StoreInput { plan, n_triangles, order, tiles: keyed, again, links } = *input;
    let keeps_tiles = links == LinkCheck::InMemory && !plan.input().off_mesh.is_empty();
    let progress = Progress::new(order.len());
    let (mut reports, mut tiles) = (Vec::new(), Vec::new());
    let mut each = |outcome: TileOutcome| {
        reports.extend(args.report.is_some().then(|| TileReport::of(&outcome)));
        remark_tile(&args.level, &outcome, &mut findings);
        let tile = outcome.result.as_ref().ok().and_then(|baked| baked.tile.as_ref());
        for found in polygons_without_flags(tile) {
            findings.add_one_of_many(found);
        }
        tiles.extend(tile.filter(|_| keeps_tiles).cloned().map(Arc::new));
        progress.tile_done();
    };
    let mut store =
        StoreBake::open((&args.output, NamedBy::User), order, &keyed, &mut each, &InTime)?;
    let stage_entered = |stage| progress.stage_entered(stage);
    let listeners = (&mut each as &mut OnTile<'_>, &stage_entered as &StageEntered<'_>);
    let baked = store.bake(order, &keyed, n_threads(args), listeners, &InTime);
    let elapsed = progress.finish();
    let cache = keyed.cache.map(BakeCache::tally);
    cache.iter().flat_map(CacheTally::lines).for_each(|line| eprint_line(&line.to_string()));
    findings.print_many();
    baked?;
    let counts = store.counts();
    print_counts(args, counts, order.len());
    check_time(args, counts, order.len())?;
    if !tiles.is_empty() {
        let context = || args.level.to_string();
        let mesh = plan.link(tiles).with_context(context)?;
        remark_links(&mesh, plan, &mut findings);
    }
    let (n, n_failed) = (order.len(), counts.failed);
    let figures = ReportFigures { elapsed, tiles: reports, cache };
    let refused = if store.is_empty() {
        store.discard();
        Err(match n_failed {
            0 => nothing_walkable(plan, again, &mut findings),
            _ => anyhow!("no tile was baked: {n_failed} of {n} tiles failed, as reported above"),
        }
        .context(args.level.to_string()))
    } else if args.strict && n_failed > 0 {
        let why = anyhow!("{}: {n_failed} of {n} tiles failed", args.level);
        Err(why.context("refused by --strict; nothing was written"))
    } else if args.strict {
        findings.refuse_to_write().map(|()| store)
    } else {
        Ok(store)
    };
    let of_level = (plan, n_triangles);
    let store = match refused {
        Ok(store) => store,
        Err(why) => {
            write_report(args, of_level, figures, OutputReport::default(), &findings)?;
            return Err(why.into());
        }
    };
    let written = store.finish(plan)?;
    let of_output = OutputReport {
        format: "tile store",
        reference_bits: bits(written.width),
        bytes: usize::try_from(written.n_bytes).unwrap_or(usize::MAX),
        polygons: written.n_polys,
    };
    write_report(args, of_level, figures, of_output, &findings)?;
    output.line(&store_summary(&args.output, &written, elapsed))?;
    if n_failed > 0 {
        return Err(anyhow!("{}: {n_failed} of {n} tiles failed", args.level).into());
    }
    Ok(())
}

/// Returns an error if the time was over before all `n` tiles were baked.
fn check_time(args: &BakeArgs, counts: StoreCounts, n: usize) -> anyhow::Result<()> {
    let n_kept = counts.n_kept();
    let Some(why) = limits::time_error().filter(|_| n_kept + counts.failed < n) else {
        return Ok(());
    };
    let kept = format!("{n_kept} of {n} tiles are kept for the next run, which bakes the others");
    Err(anyhow!(why).context(kept).context(args.output.display().to_string()))
}

pub(crate) fn store_summary(file: &Path, written: &WrittenStore, elapsed: Duration) -> String {
    let WrittenStore { counts: _, n_tiles, n_polys, width: _, n_bytes } = written;
    let (file, secs) = (file.display(), elapsed.as_secs_f32());
    format!("{file}: {n_polys} polygons in {n_tiles} tiles, {n_bytes} bytes, {secs:.2} s")
}

/// Prints how many tiles were found, if the store was continued or replaced.
fn print_counts(args: &BakeArgs, counts: StoreCounts, n: usize) {
    let StoreCounts { found, unchanged, baked, failed: _ } = counts;
    if found == 0 && unchanged == 0 {
        return;
    }
    let file = args.output.display();
    eprint_line(&format!(
        "store {file}: {found} of {n} tiles found from a bake that ended early, {unchanged} \
         unchanged, {baked} baked"
    ));
}
