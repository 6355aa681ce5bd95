//! Bakes into a tile store.

use anyhow::anyhow;
use walkable::{bake::BakePlan, ids::TileCoord, navmesh::polygons_without_flags};
use walkable_editor::{
    bake_cache::{BakeCache, CacheTally},
    files::FileKind,
    report::{OutputReport, TileReport},
    runner::{BakeOne, TileOutcome},
    store_bake::{KeyOf, StoreBake, StoreCounts, WrittenStore},
};

use super::{BakeArgs, ReportFigures, n_threads, write_report};
use crate::{
    Failure,
    empty::nothing_walkable,
    findings::Findings,
    output::{Output, say},
    progress::Progress,
    remarks::say_tile,
    store::bits,
};

/// Whether the output is a tile store, to which tiles are written as they are baked.
pub(super) fn is_store(args: &BakeArgs) -> bool {
    FileKind::of_name(&args.output) == Some(FileKind::TileStore)
}

/// A bake into a tile store.
pub(super) struct StoreInput<'a> {
    pub(super) plan: &'a BakePlan,
    pub(super) n_triangles: usize,
    /// The tiles by row and column.
    pub(super) order: &'a [TileCoord],
    pub(super) key_of: &'a KeyOf<'a>,
    /// Bakes a tile and counts the elements of its stages.
    pub(super) bake_one: &'a BakeOne<'a>,
    /// The same without a cache.
    pub(super) again: &'a BakeOne<'a>,
    pub(super) cache: Option<&'a BakeCache>,
}

/// Bakes the tiles that the store does not have, and completes it.
pub(super) fn bake(
    args: &BakeArgs,
    input: &StoreInput<'_>,
    mut findings: Findings,
    output: &mut Output,
) -> Result<(), Failure> {
    let StoreInput { plan, n_triangles, order, key_of, bake_one, again, cache } = *input;
    let progress = Progress::new(order.len());
    let mut reports = Vec::new();
    let mut each = |outcome: TileOutcome| {
        reports.extend(args.report.is_some().then(|| TileReport::of(&outcome)));
        say_tile(&args.level, &outcome, &mut findings);
        let tile = outcome.result.as_ref().ok().and_then(|baked| baked.tile.as_ref());
        let flagless = polygons_without_flags(tile);
        for found in flagless {
            findings.add_one_of_many(found);
        }
        progress.tile_done();
    };
    let mut store = StoreBake::open(&args.output, order, key_of, &mut each)?;
    let stage_entered = |stage| progress.stage_entered(stage);
    let of_tile = (key_of, bake_one);
    let baked = store.bake(order, of_tile, n_threads(args), (&mut each, &stage_entered));
    let elapsed = progress.finish();
    let cache = cache.map(BakeCache::tally);
    cache.iter().flat_map(CacheTally::lines).for_each(|line| say(&line));
    findings.say_many();
    baked?;
    let counts = store.counts();
    say_counts(args, counts);
    let (n, n_failed) = (order.len(), counts.failed);
    let figures = ReportFigures { elapsed, tiles: reports, cache };
    let refused = if store.is_empty() {
        store.discard();
        Err(match n_failed {
            0 => nothing_walkable(plan, again),
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
    let WrittenStore { counts: _, n_tiles, n_polys, width, n_bytes } = store.finish(plan)?;
    let of_output = OutputReport {
        format: "tile store",
        reference_bits: bits(width),
        bytes: usize::try_from(n_bytes).unwrap_or(usize::MAX),
        polygons: n_polys,
    };
    write_report(args, of_level, figures, of_output, &findings)?;
    let (file, secs) = (args.output.display(), elapsed.as_secs_f32());
    output.line(&format!(
        "{file}: {n_polys} polygons in {n_tiles} tiles, {n_bytes} bytes, {secs:.2} s"
    ))?;
    if n_failed > 0 {
        return Err(anyhow!("{}: {n_failed} of {n} tiles failed", args.level).into());
    }
    Ok(())
}

/// Prints how many tiles were found, if the store was continued or replaced.
fn say_counts(args: &BakeArgs, counts: StoreCounts) {
    let StoreCounts { found, unchanged, baked, failed } = counts;
    if found == 0 && unchanged == 0 {
        return;
    }
    let (file, n) = (args.output.display(), found + unchanged + baked + failed);
    say(&format!(
        "store {file}: {found} of {n} tiles found from a bake that ended early, {unchanged} \
         unchanged, {baked} baked"
    ));
}
