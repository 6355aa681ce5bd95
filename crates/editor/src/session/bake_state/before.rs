//! Results of an earlier bake, to compare with the current ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, Poly, PolyKind, Tile},
    tile_cache::LayerKey,
};
use walkable_workspace::layered::{LayerTile, Layered};

use super::{BakeState, TileResults};
use crate::session::{Session, TileResult};

#[derive(Clone, Debug)]
pub struct Before {
    pub tiles: TileResults,
    pub layers: Option<BTreeMap<LayerKey, LayerTile>>,
    pub navmesh: Option<Arc<NavMesh>>,
    pub totals: Totals,
    /// Whether it is kept until another bake is pinned; otherwise the next bake replaces it.
    pub is_pinned: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    pub n_polys: usize,
    /// Their area projected onto the ground plane, in square meters.
    pub area: f64,
    pub n_bytes: usize,
}

impl Totals {
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

    fn of_navmesh(navmesh: &NavMesh) -> Self {
        let n_bytes = navmesh.stats().n_bytes;
        Self { n_bytes, ..Self::of(navmesh.slots().map(|(_, tile)| (Some(tile), 0))) }
    }

    fn of_layers(tiles: &BTreeMap<LayerKey, LayerTile>) -> Self {
        Self::of(tiles.values().map(|tile| (tile.tile.as_ref(), tile.n_bytes)))
    }
}

/// Returns the walkable ground polygons, on which all counts are based. The polygons of removed islands have no flags,
/// so they do not count.
fn walkable_polys(tile: &Tile) -> impl Iterator<Item = &Poly> {
    tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground && poly.flags != 0)
}

pub fn n_walkable_polys(tile: &Tile) -> usize {
    walkable_polys(tile).count()
}

/// Returns the number of polygons of `tile` that can be walked on, and their projected area.
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
    /// Returns the divider's position as a fraction of the width. `None` if it is hidden, if there is no previous bake,
    /// or while two searches are shown side by side.
    pub fn divider(&self) -> Option<f32> {
        self.shown.display.divider.filter(|_| self.bake.before.is_some() && !self.lab.is_split())
    }
}

impl BakeState {
    /// Pins the current results, to compare later ones with them.
    pub fn keep_before(&mut self) {
        self.take_down(self.tiles.clone());
        if let Some(before) = &mut self.before {
            before.is_pinned = true;
            before.navmesh.clone_from(&self.navmesh);
        }
    }

    /// Keeps the results that a bake is about to replace, unless others are pinned.
    pub(super) fn keep_last(&mut self) {
        if !self.before.as_ref().is_some_and(|before| before.is_pinned) {
            self.take_down(self.tiles.clone());
        }
    }

    pub(in crate::session) fn compare_with_current(&mut self) {
        self.take_down(self.tiles.clone());
    }

    fn take_down(&mut self, tiles: TileResults) {
        if !tiles.is_empty() {
            let layers = self.layered().map(|layered| layered.tiles().clone());
            let totals = self.count_totals();
            self.before = Some(Before { tiles, layers, navmesh: None, totals, is_pinned: false });
            self.n_changed = self.count_changed();
        }
    }

    fn count_totals(&self) -> Totals {
        // An opened navmesh has no plan.
        if let (None, Some(opened)) = (&self.plan, &self.navmesh) {
            return Totals::of_navmesh(opened);
        }
        let layers = self.layered().map(|layered| Totals::of_layers(layered.tiles()));
        layers.unwrap_or_else(|| Totals::of_results(&self.tiles))
    }

    /// Recomputes the totals of the results and their differences from the baseline.
    pub(in crate::session) fn count(&mut self) {
        (self.totals, self.n_changed) = (self.count_totals(), self.count_changed());
    }

    /// Counts the tiles that differ from the baseline, and all tiles.
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
