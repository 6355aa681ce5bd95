//! Lists of findings, and their locations.

use std::collections::BTreeMap;

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Code, Diagnostic, Finding, Location},
    ids::TileCoord,
    navmesh::PolyRef,
};

use super::{MAX_LISTED, border::TileSquare};

/// Keeps the first [`MAX_LISTED`] findings of each code, warnings first. A last finding states the number of omitted
/// findings.
pub(super) fn listed(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut n_of: BTreeMap<Code, usize> = BTreeMap::new();
    let (mut kept, mut n_left) = (Vec::new(), 0);
    for one in found {
        let n = n_of.entry(one.code()).or_default();
        *n += 1;
        if *n <= MAX_LISTED {
            kept.push(one);
        } else {
            n_left += 1;
        }
    }
    kept.sort_by_key(|one| std::cmp::Reverse(one.severity()));
    kept.extend((n_left > 0).then(|| Finding::NotListed { n: n_left }.into()));
    kept
}

/// The location of a finding in a navmesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) tile: TileSquare,
    pub(crate) layer: i32,
    pub(crate) poly: Option<PolyRef>,
    pub(crate) point: Vec3,
}

impl Spot {
    pub(crate) fn diagnostic(self, finding: Finding) -> Diagnostic {
        let mut found = Diagnostic::new(finding);
        // Files of other programs may have negative tile coordinates, which a location cannot hold.
        if let [Ok(x), Ok(z)] = self.tile.map(u32::try_from) {
            found = found.at(Location::Tile(TileCoord::new(x, z)));
            if let Some(layer) = u32::try_from(self.layer).ok().filter(|layer| *layer > 0) {
                found = found.at(Location::Layer(layer));
            }
        }
        if let Some(poly) = self.poly {
            found = found.at(Location::Polygon(poly.0.get()));
        }
        found.at(Location::Point(self.point))
    }
}
