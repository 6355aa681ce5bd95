//! Results of the bake, tile by tile, and how far it is.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use walkable::{
    bake::{BakePlan, Stage, TileBake},
    ids::TileCoord,
    navmesh::NavMesh,
};

use crate::{jobs::runner::StageTimes, session::StageView};

/// State of everything a bake depends on: equal revisions, equal bakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Revision of the document.
    pub(crate) document: u64,
    /// Serial number of the level.
    pub(crate) level: u64,
}

/// Results and progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct BakeState {
    /// The plan that the newest tiles were baked from.
    pub(crate) plan: Option<Arc<BakePlan>>,
    /// Results, in tile order. While a bake runs, tiles that have not landed yet are the old ones.
    pub(crate) tiles: BTreeMap<TileCoord, TileResult>,
    /// How far the running bake is.
    pub(crate) progress: Option<BakeProgress>,
    /// The tiles linked.
    pub(crate) navmesh: Option<Arc<NavMesh>>,
    /// Grows with every new `navmesh`, for caches of what is drawn.
    pub(crate) navmesh_serial: u64,
    /// Why nothing could be baked with the present settings.
    pub(crate) error: Option<String>,
    /// How long the last complete bake took from start to end.
    pub(crate) elapsed: Option<Duration>,
    /// What the newest started bake was started from.
    pub(crate) started: Option<Revision>,
}

/// What became of one tile.
#[derive(Clone, Debug)]
pub(crate) struct TileResult {
    /// The newest result; the one before it where the newest bake failed.
    pub(crate) bake: Option<Arc<TileBake>>,
    /// Why the newest bake of this tile failed.
    pub(crate) error: Option<String>,
    /// Time spent in each stage.
    pub(crate) times: StageTimes,
    /// What it was baked from.
    pub(crate) revision: Revision,
    /// Grows with every result of any tile, for caches of what is drawn.
    pub(crate) serial: u64,
}

/// How far a bake is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BakeProgress {
    /// Tiles done or failed.
    pub(crate) n_done: usize,
    /// Tiles of the bake.
    pub(crate) n_tiles: usize,
    /// The stage entered last on any thread.
    pub(crate) stage: Option<Stage>,
    /// Time since the start.
    pub(crate) elapsed: Duration,
    /// Estimated time left, once a tile is done.
    pub(crate) left: Option<Duration>,
}

/// Time and count of one stage, for the strip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StageFigure {
    /// Time spent, summed over tiles; `None` where nothing was baked.
    pub(crate) time: Option<Duration>,
    /// How many things the stage made; `None` where not kept.
    pub(crate) count: Option<usize>,
    /// What is counted.
    pub(crate) unit: &'static str,
}

impl BakeState {
    /// Whether any result is older than `now`, or missing.
    pub(crate) fn is_stale(&self, now: Revision) -> bool {
        self.tiles.is_empty() || self.tiles.values().any(|tile| tile.revision != now)
    }

    /// The tiles that `chosen` means: one, or all.
    pub(crate) fn chosen(
        &self,
        chosen: Option<TileCoord>,
    ) -> impl Iterator<Item = (TileCoord, &TileResult)> {
        let wanted = move |coord: &TileCoord| chosen.is_none_or(|tile| tile == *coord);
        self.tiles
            .iter()
            .filter(move |(coord, _)| wanted(coord))
            .map(|(coord, tile)| (*coord, tile))
    }

    /// Time spent in each stage, summed over the tiles that `chosen` means.
    pub(crate) fn times(&self, chosen: Option<TileCoord>) -> StageTimes {
        let mut sum = StageTimes::default();
        self.chosen(chosen).for_each(|(_, tile)| sum.add(&tile.times));
        sum
    }

    /// Time and count of the stage `view` of the tiles that `chosen` means.
    pub(crate) fn figure(&self, view: StageView, chosen: Option<TileCoord>) -> StageFigure {
        let time = view.stage().filter(|_| !self.tiles.is_empty());
        let time = time.map(|stage| self.times(chosen).of(stage));
        let (_, unit) = count(view, None);
        let counts = self.chosen(chosen).filter_map(|(_, tile)| tile.bake.as_deref());
        let count = counts.map(|bake| count(view, Some(bake)).0).reduce(|a, b| Some(a? + b?));
        StageFigure { time, count: count.flatten(), unit }
    }
}

/// How many things stage `view` made in `bake`, and what they are called.
fn count(view: StageView, bake: Option<&TileBake>) -> (Option<usize>, &'static str) {
    let stages = bake.and_then(|bake| bake.stages.as_deref());
    let tile = bake.and_then(|bake| bake.tile.as_ref());
    match view {
        StageView::Input => (None, "triangles"),
        StageView::Slope => {
            let walkable =
                |areas: &[walkable::ids::AreaId]| areas.iter().filter(|a| a.is_walkable()).count();
            (stages.map(|s| walkable(&s.slopes.areas)), "walkable")
        }
        StageView::Spans => (stages.map(|s| s.spans.spans.len()), "spans"),
        StageView::Filtered => {
            let n =
                stages.map(|s| s.filtered.spans.iter().filter(|s| s.area.is_walkable()).count());
            (n, "walkable")
        }
        StageView::Compact => (stages.map(|s| s.compact.spans.len()), "floors"),
        StageView::Eroded => {
            (stages.map(|s| s.eroded_areas.iter().filter(|a| a.is_walkable()).count()), "floors")
        }
        StageView::Distance => {
            (stages.and_then(|s| s.distance.as_ref()).map(|d| d.distances.len()), "cells")
        }
        StageView::Regions => (stages.map(|s| n_regions(&s.regions.ids)), "regions"),
        StageView::ContoursRaw => {
            (stages.map(|s| s.contours.contours.iter().map(|c| c.raw.len()).sum()), "points")
        }
        StageView::Contours => {
            (stages.map(|s| s.contours.contours.iter().map(|c| c.vertices.len()).sum()), "points")
        }
        StageView::Polygons => (stages.map(|s| s.polygons.polygons.len()), "polygons"),
        StageView::Detail => (stages.map(|s| s.detail.triangles.len()), "triangles"),
        StageView::Navmesh => (bake.map(|_| tile.map_or(0, |t| t.polys.len())), "polygons"),
    }
}

/// Number of regions that are neither empty nor on the tile's border.
fn n_regions(ids: &[walkable::ids::RegionId]) -> usize {
    let inner = ids.iter().filter(|id| id.0 != 0 && !id.is_border());
    inner.collect::<std::collections::BTreeSet<_>>().len()
}
