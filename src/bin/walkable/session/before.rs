//! Results kept to be compared with the present ones.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, PolyKind, Tile},
};

use super::{BakeState, Session, TileResult};

/// A bake as it was.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    /// Its tiles.
    pub(crate) tiles: BTreeMap<TileCoord, TileResult>,
    /// Its navmesh, where it was kept on purpose.
    pub(crate) navmesh: Option<Arc<NavMesh>>,
    /// What they add up to.
    pub(crate) totals: Totals,
    /// Whether it stays until another is kept; else every bake leaves the one before it here.
    pub(crate) is_pinned: bool,
}

/// What a bake amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    /// Polygons of ground.
    pub(crate) n_polys: usize,
    /// Their area seen from above, in square metres.
    pub(crate) area: f64,
    /// Bytes of tile data.
    pub(crate) n_bytes: usize,
}

impl Totals {
    /// Of all `tiles`.
    pub(crate) fn of<'a>(tiles: impl Iterator<Item = &'a TileResult>) -> Self {
        tiles.fold(Self::default(), |sum, result| {
            let (n_polys, area) = result.tile.as_deref().map_or((0, 0.0), ground);
            Self {
                n_polys: sum.n_polys + n_polys,
                area: sum.area + area,
                n_bytes: sum.n_bytes + result.n_bytes,
            }
        })
    }
}

/// Ground polygons of `tile` and their area seen from above.
fn ground(tile: &Tile) -> (usize, f64) {
    let polys = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
    polys.fold((0, 0.0), |(n, area), poly| {
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
    pub(crate) fn divider(&self) -> Option<f32> {
        self.sight.divider.filter(|_| self.bake.before.is_some() && !self.lab.is_split())
    }
}

impl BakeState {
    /// Keeps the present results to compare later ones with, until others are kept.
    pub(crate) fn keep_before(&mut self) {
        self.take_down(self.tiles.clone());
        if let Some(before) = &mut self.before {
            before.is_pinned = true;
            before.navmesh.clone_from(&self.navmesh);
        }
    }

    /// Keeps what a bake is about to replace, unless something else was kept on purpose. Stages come along
    /// where they are compared: they are large.
    pub(super) fn keep_last(&mut self) {
        if self.before.as_ref().is_some_and(|before| before.is_pinned) {
            return;
        }
        let mut tiles = self.tiles.clone();
        if !self.compares {
            for tile in tiles.values_mut() {
                tile.stages = None;
            }
        }
        self.take_down(tiles);
    }

    fn take_down(&mut self, tiles: BTreeMap<TileCoord, TileResult>) {
        if !tiles.is_empty() {
            let totals = Totals::of(tiles.values());
            self.before = Some(Before { tiles, navmesh: None, totals, is_pinned: false });
            self.n_changed = self.count_changed();
        }
    }

    /// Tiles that differ from those kept, and tiles in all.
    pub(super) fn count_changed(&self) -> Option<(usize, usize)> {
        let before = self.before.as_ref()?;
        let same = |coord: &TileCoord, now: &TileResult| {
            let old = before.tiles.get(coord).and_then(|old| old.tile.as_ref());
            match (old, &now.tile) {
                (Some(old), Some(now)) => Arc::ptr_eq(old, now) || old == now,
                (None, None) => true,
                _ => false,
            }
        };
        let n_same = self.tiles.iter().filter(|(coord, now)| same(coord, now)).count();
        let coords = self.tiles.keys().chain(before.tiles.keys());
        let n = coords.collect::<std::collections::BTreeSet<_>>().len();
        Some((n - n_same, n))
    }
}
