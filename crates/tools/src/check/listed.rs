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
    let mut list = FindingList::default();
    list.extend(found);
    list.finish()
}

/// A list of the first [`MAX_LISTED`] findings of each code.
#[derive(Debug, Default)]
pub(super) struct FindingList {
    n_of: BTreeMap<Code, usize>,
    kept: Vec<Diagnostic>,
    n_left: usize,
}

impl FindingList {
    /// Counts one more finding with this code; returns whether it is listed.
    pub(super) fn has_room(&mut self, code: Code) -> bool {
        let n = self.n_of.entry(code).or_default();
        *n += 1;
        let is_kept = *n <= MAX_LISTED;
        self.n_left += usize::from(!is_kept);
        is_kept
    }

    /// Adds findings.
    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for one in found {
            if self.has_room(one.code()) {
                self.kept.push(one);
            }
        }
    }

    /// Adds a finding for which there is room.
    pub(super) fn push(&mut self, found: Diagnostic) {
        self.kept.push(found);
    }

    /// Returns the findings, warnings first, and then one that states the number of omitted findings.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let Self { mut kept, n_left, .. } = self;
        kept.sort_by_key(|one| std::cmp::Reverse(one.severity()));
        kept.extend((n_left > 0).then(|| Finding::NotListed { n: n_left }.into()));
        kept
    }
}

/// The location of a finding in a navmesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FindingLocation {
    pub(crate) tile: TileSquare,
    pub(crate) layer: i32,
    pub(crate) poly: Option<PolyRef>,
    pub(crate) point: Vec3,
}

impl FindingLocation {
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
