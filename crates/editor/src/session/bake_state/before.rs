//! Results kept to be compared with the present ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, Poly, PolyKind, Tile},
    tile_cache::LayerKey,
};

use super::BakeState;
use crate::{
    layered::{LayerTile, Layered},
    session::{Session, TileResult},
};

/// A bake as it was.
#[derive(Clone, Debug)]
pub struct Before {
    /// Its tiles.
    pub tiles: BTreeMap<TileCoord, TileResult>,
    /// The tiles of its layers with what stood on them, where it was prepared for obstacles.
    pub layers: Option<BTreeMap<LayerKey, LayerTile>>,
    /// Its navmesh, where it was kept on purpose.
    pub navmesh: Option<Arc<NavMesh>>,
    /// What they add up to.
    pub totals: Totals,
    /// Whether it stays until another is kept; else every bake leaves the one before it here.
    pub is_pinned: bool,
}

/// What a bake amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Polygons of ground.
    pub n_polys: usize,
    /// Their area seen from above, in square meters.
    pub area: f64,
    /// Bytes of tile data.
    pub n_bytes: usize,
}

impl Totals {
    /// Of tiles as they are used, and the bytes of each.
    fn of<'a>(tiles: impl Iterator<Item = (Option<&'a Arc<Tile>>, usize)>) -> Self {
        tiles.fold(Self::default(), |sum, (tile, n_bytes)| {
            let (n_polys, area) = tile.map_or((0, 0.0), |tile| ground(tile));
            Self {
                n_polys: sum.n_polys + n_polys,
                area: sum.area + area,
                n_bytes: sum.n_bytes + n_bytes,
            }
        })
    }

    fn of_results(tiles: &BTreeMap<TileCoord, TileResult>) -> Self {
        Self::of(tiles.values().map(|tile| (tile.tile.as_ref(), tile.n_bytes)))
    }

    fn of_layers(tiles: &BTreeMap<LayerKey, LayerTile>) -> Self {
        Self::of(tiles.values().map(|tile| (tile.tile.as_ref(), tile.n_bytes)))
    }
}

/// Polygons of ground that can be walked on: those of islands that were removed have no flags. What all counts of
/// polygons count.
fn walkable_polys(tile: &Tile) -> impl Iterator<Item = &Poly> {
    tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground && poly.flags != 0)
}

/// How many polygons of ground of `tile` can be walked on.
pub fn n_walkable_polys(tile: &Tile) -> usize {
    walkable_polys(tile).count()
}

/// Polygons of `tile` that can be walked on and their area seen from above.
fn ground(tile: &Tile) -> (usize, f64) {
    walkable_polys(tile).fold((0, 0.0), |(n, area), poly| {
        let corners = tile.corners(poly);
        let fan = corners.windows(2).skip(1).map(|edge| {
            let (a, b) = (edge[0] - corners[0], edge[1] - corners[0]);
            f64::from(0.5 * (a.x * b.z - a.z * b.x).abs())
        });
        (n + 1, area + fan.sum::<f64>())
    })
}

impl Session {
    /// Where the divider between before and now stands, a part of the view's width. Two searches side by side
    /// need the view for themselves.
    pub fn divider(&self) -> Option<f32> {
        self.display.divider.filter(|_| self.bake.before.is_some() && !self.lab.is_split())
    }
}

impl BakeState {
    /// Keeps the present results to compare later ones with, until others are kept.
    pub fn keep_before(&mut self) {
        self.take_down(self.tiles.clone());
        if let Some(before) = &mut self.before {
            before.is_pinned = true;
            before.navmesh.clone_from(&self.navmesh);
        }
    }

    /// Keeps what a bake is about to replace, unless something else was kept on purpose.
    pub(super) fn keep_last(&mut self) {
        if !self.before.as_ref().is_some_and(|before| before.is_pinned) {
            self.take_down(self.tiles.clone());
        }
    }

    /// Compares later results with the current ones.
    pub(in crate::session) fn compare_with_current(&mut self) {
        self.take_down(self.tiles.clone());
    }

    fn take_down(&mut self, tiles: BTreeMap<TileCoord, TileResult>) {
        if !tiles.is_empty() {
            let layers = self.layered().map(|layered| layered.tiles().clone());
            let totals = self.count_totals();
            self.before = Some(Before { tiles, layers, navmesh: None, totals, is_pinned: false });
            self.n_changed = self.count_changed();
        }
    }

    /// Computes the totals of the current results.
    fn count_totals(&self) -> Totals {
        let layers = self.layered().map(|layered| Totals::of_layers(layered.tiles()));
        layers.unwrap_or_else(|| Totals::of_results(&self.tiles))
    }

    /// Recomputes the totals of the results and their differences from the baseline.
    pub(in crate::session) fn count(&mut self) {
        (self.totals, self.n_changed) = (self.count_totals(), self.count_changed());
    }

    /// Tiles that differ from those kept, and tiles in all.
    fn count_changed(&self) -> Option<(usize, usize)> {
        let before = self.before.as_ref()?;
        let plain = |tiles: &BTreeMap<TileCoord, TileResult>| -> BTreeMap<LayerKey, _> {
            let key = |coord: &TileCoord| LayerKey::new(*coord, 0);
            tiles.iter().map(|(coord, tile)| (key(coord), tile.tile.clone())).collect()
        };
        let layered = |tiles: &BTreeMap<LayerKey, LayerTile>| -> BTreeMap<LayerKey, _> {
            tiles.iter().map(|(key, tile)| (*key, tile.tile.clone())).collect()
        };
        let old = before.layers.as_ref().map_or_else(|| plain(&before.tiles), layered);
        let now = self.layered().map(Layered::tiles).map_or_else(|| plain(&self.tiles), layered);
        Some(n_different(&old, &now))
    }
}

/// How many tiles differ, and tiles in all.
fn n_different(
    old: &BTreeMap<LayerKey, Option<Arc<Tile>>>,
    now: &BTreeMap<LayerKey, Option<Arc<Tile>>>,
) -> (usize, usize) {
    let is_same = |(key, now): &(&LayerKey, &Option<Arc<Tile>>)| match (
        old.get(key).and_then(Option::as_ref),
        now,
    ) {
        (Some(old), Some(now)) => Arc::ptr_eq(old, now) || old == now,
        (None, None) => true,
        _ => false,
    };
    let n_same = now.iter().filter(is_same).count();
    let n = old.keys().chain(now.keys()).collect::<BTreeSet<_>>().len();
    (n - n_same, n)
}
