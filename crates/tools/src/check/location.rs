//! Locations of findings.

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, FindingList, Location},
    ids::TileCoord,
    navmesh::PolyRef,
};

use super::border::TileSquare;

/// The location of a finding in a navmesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FindingLocation {
    pub(crate) tile: TileSquare,
    pub(crate) layer: i32,
    pub(crate) poly: Option<PolyRef>,
    pub(crate) point: Vec3,
}

impl FindingLocation {
    /// Counts a finding here, and lists it if there is room.
    pub(super) fn add_to(self, list: &mut FindingList, finding: Finding) {
        list.add_with(finding.code(), || self.diagnostic(finding));
    }

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
