//! Polygons that no query can pass, because they have no flags.

use std::collections::BTreeMap;

use super::{PolyKind, Tile};
use crate::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::AreaId,
};

/// Numbers of ground polygons without flags, by area, of tiles that are added one after the other.
#[derive(Clone, Debug, Default)]
pub struct FlaglessPolygons {
    /// Those without flags, and all.
    counts: BTreeMap<AreaId, [usize; 2]>,
}

impl FlaglessPolygons {
    /// Counts the polygons of a tile.
    pub fn add(&mut self, tile: &Tile) {
        for poly in tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground) {
            let [n, of] = self.counts.entry(poly.area).or_default();
            *n += usize::from(poly.flags == 0);
            *of += 1;
        }
    }

    /// Returns a finding for each area with such polygons.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let found = self.counts.iter().filter(|(_, [n, _])| *n > 0).map(|(&area, &[n, of])| {
            Diagnostic::new(Finding::PolygonsWithoutFlags { n, of }).at(Location::Area(area))
        });
        found.collect()
    }
}

/// Reports ground polygons without flags in `tiles`, by area: no query filter accepts them.
pub fn polygons_without_flags<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> Vec<Diagnostic> {
    let mut found = FlaglessPolygons::default();
    tiles.into_iter().for_each(|tile| found.add(tile));
    found.findings()
}
