//! Polygons that no query can pass, because they have no flags.

use std::collections::BTreeMap;

use super::{PolyKind, Tile};
use crate::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::AreaId,
};

/// Reports ground polygons without flags in `tiles`, by area: no query filter accepts them.
pub fn polygons_without_flags<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<AreaId, [usize; 2]> = BTreeMap::new();
    let polys = tiles.into_iter().flat_map(|tile| &tile.polys);
    for poly in polys.filter(|poly| poly.kind == PolyKind::Ground) {
        let [n, of] = counts.entry(poly.area).or_default();
        *n += usize::from(poly.flags == 0);
        *of += 1;
    }
    let found = counts.into_iter().filter(|(_, [n, _])| *n > 0).map(|(area, [n, of])| {
        Diagnostic::new(Finding::PolygonsWithoutFlags { n, of }).at(Location::Area(area))
    });
    found.collect()
}
