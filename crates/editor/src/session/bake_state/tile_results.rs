//! The results of all tiles, with a summary of them.

use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use walkable::ids::TileCoord;

use super::{Revision, TileResult};

/// The newest version in the process. Versions are never used twice.
static LAST_VERSION: AtomicU64 = AtomicU64::new(0);

/// Results of tiles, in tile order. Frames read a summary of them instead of all tiles.
#[derive(Clone, Debug, Default)]
pub struct TileResults {
    results: BTreeMap<TileCoord, TileResult>,
    version: u64,
    /// Computed on first use after a change.
    summary: OnceLock<TileSummary>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct TileSummary {
    /// The revision that all tiles were baked from; `None` if they differ, or if there are no tiles.
    pub(super) revision: Option<Revision>,
    pub(super) failed: Vec<TileCoord>,
}

impl TileResults {
    /// Returns the version of the results: results with the same version are equal, also those of different bakes.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the summary, which is computed again only if the results have changed.
    pub(super) fn summary(&self) -> &TileSummary {
        self.summary.get_or_init(|| {
            let mut revisions = self.values().map(|tile| tile.revision);
            let first = revisions.next();
            let failed = self.values().filter(|tile| tile.error.is_some());
            TileSummary {
                revision: first.filter(|first| revisions.all(|other| other == *first)),
                failed: failed.map(|tile| tile.coord).collect(),
            }
        })
    }

    pub(super) fn into_results(self) -> BTreeMap<TileCoord, TileResult> {
        self.results
    }
}

impl Deref for TileResults {
    type Target = BTreeMap<TileCoord, TileResult>;

    fn deref(&self) -> &Self::Target {
        &self.results
    }
}

/// Each mutable access counts as a change.
impl DerefMut for TileResults {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.version = LAST_VERSION.fetch_add(1, Ordering::Relaxed) + 1;
        self.summary.take();
        &mut self.results
    }
}

#[cfg(test)]
mod tests {
    use walkable_workspace::runner::StageTimes;

    use super::*;
    use crate::session::BakeState;

    fn failed(x: u32, document: u64) -> TileResult {
        let revision = Revision { document, level: 1 };
        let coord = TileCoord::new(x, 0);
        TileResult::failed(coord, "too large".to_owned(), StageTimes::default(), revision)
    }

    #[test]
    fn a_change_of_a_tile_changes_what_is_true_of_all() {
        let mut bake = BakeState::default();
        let now = Revision { document: 2, level: 1 };
        assert!(bake.is_stale(now), "there are no results");
        bake.tiles.insert(TileCoord::new(0, 0), failed(0, 2));
        bake.tiles.insert(TileCoord::new(1, 0), failed(1, 2));
        assert!(!bake.is_stale(now));
        assert_eq!(bake.failures().count(), 2);
        let kept = bake.tiles.clone();
        if let Some(tile) = bake.tiles.get_mut(&TileCoord::new(1, 0)) {
            (tile.error, tile.revision.document) = (None, 1);
        }
        assert!(bake.is_stale(now));
        assert_eq!(
            bake.failures().map(|(tile, _)| tile).collect::<Vec<_>>(),
            [TileCoord::new(0, 0)]
        );
        assert_ne!(kept.version(), bake.tiles.version());
        assert_eq!(kept.version(), kept.clone().version(), "a copy has the same results");
        // Equal results that were inserted anew have a version of their own.
        let mut other = TileResults::default();
        other.insert(TileCoord::new(0, 0), failed(0, 2));
        assert!(![kept.version(), bake.tiles.version()].contains(&other.version()));
        bake.tiles = kept;
        assert_eq!(bake.failures().count(), 2);
    }
}
