//! The check of a navmesh that is not in memory as a whole.

use std::collections::BTreeMap;

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, FindingList, Location},
    monitor::{Cancelled, Monitor},
    navmesh::{FlaglessPolygons, NavMesh, PolyKind, format::RefWidth},
    query::{Filter, IslandParts},
};

use super::{
    CheckReport, FindingLocation, Limit,
    border::TileSquare,
    islands,
    limits::{MeshSizes, layer_limit_of, limits_of},
    listed, polygons,
    seams::{SeamSums, audit_part},
};
use crate::links::{LinkCheck, links_of_tile};

/// A check of a navmesh in parts. It finds what [`check`](super::check) finds without a plan; if there are more findings of
/// a code than are listed, others may be listed. Memory holds a part, about 4 bytes per tile, and what
/// [`IslandParts`] needs.
#[derive(Debug, Default)]
pub struct PartsCheck {
    seams: FindingList,
    sums: SeamSums,
    polygons: FindingList,
    flagless: FlaglessPolygons,
    links: FindingList,
    /// For each slot with off-mesh links, their number.
    n_links: BTreeMap<usize, usize>,
    /// Findings about off-mesh links: slot, index among the links of the tile, its ends and the finding.
    link_findings: Vec<(usize, usize, [Vec3; 2], Finding)>,
    islands: IslandParts,
    sizes: MeshSizes,
    n_layers: usize,
    n_tiles: usize,
    n_polys: usize,
}

/// The result of a check in parts.
#[derive(Clone, Debug)]
pub struct PartsReport {
    /// The findings.
    pub report: CheckReport,
    /// The ends of the off-mesh links with findings, by their number.
    pub links: BTreeMap<usize, [Vec3; 2]>,
    /// Number of tiles.
    pub n_tiles: usize,
    /// Number of ground polygons.
    pub n_polys: usize,
}

impl PartsCheck {
    /// Number of rings of tiles around the own ones that a part must have.
    pub const N_RINGS: i32 = 2;

    /// Checks the tiles of `mesh` at the places (column and row) that `is_own` accepts. `mesh` must also have the tiles
    /// within [`PartsCheck::N_RINGS`] around them, and the slots of all parts must be those of one world: see
    /// [`NavMesh::of_part`]. Each place must be accepted in one part.
    ///
    /// # Errors
    /// [`Cancelled`] soon after the monitor cancels.
    pub fn add(
        &mut self,
        mesh: &NavMesh,
        is_own: &dyn Fn(TileSquare) -> bool,
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let Self { seams, sums, .. } = self;
        let mut report = |location: FindingLocation, finding| location.add_to(seams, finding);
        audit_part(mesh, is_own, sums, &mut report, monitor)?;
        polygons::lint(mesh, is_own, &mut self.polygons, monitor)?;
        monitor.check()?;
        self.islands.add(mesh, &Filter::default(), &|tile| is_own([tile.header.x, tile.header.z]));
        let own = mesh.slots().filter(|(_, tile)| is_own([tile.header.x, tile.header.z]));
        let mut n_layers: BTreeMap<TileSquare, usize> = BTreeMap::new();
        let mut check = None;
        for (slot, tile) in own {
            self.flagless.add(tile);
            self.sizes.add(tile);
            self.n_tiles += 1;
            self.n_polys += tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground).count();
            *n_layers.entry([tile.header.x, tile.header.z]).or_default() += 1;
            for (index, link) in links_of_tile(tile).enumerate() {
                *self.n_links.entry(slot).or_default() += 1;
                let (_, found) = check.get_or_insert_with(|| LinkCheck::new(mesh)).of(&link);
                for finding in found {
                    if self.links.counts(finding.code(), 1) {
                        let ends = [link.start, link.end];
                        self.link_findings.push((slot, index, ends, finding));
                    }
                }
            }
        }
        self.n_layers = n_layers.into_values().fold(self.n_layers, usize::max);
        Ok(())
    }

    /// Returns the findings of all parts. `has_tile` tells whether a part had a tile at a place.
    pub fn finish(mut self, has_tile: &dyn Fn(TileSquare) -> bool, width: RefWidth) -> PartsReport {
        self.seams.extend(self.sums.refused());
        let seams = &mut self.seams;
        self.sums.missing(&|_| false, has_tile, &mut |location, finding| {
            location.add_to(seams, finding);
        });
        self.polygons.extend(self.flagless.findings());
        let islands = islands::findings(self.islands.finish());
        let mut limits = limits_of(self.sizes, width);
        limits.push(layer_limit_of(self.n_layers));

        // Numbers are those of all links, in the order of the tiles.
        let (mut n_before, mut links) = (0, BTreeMap::new());
        let mut first = BTreeMap::new();
        for (slot, n) in self.n_links {
            first.insert(slot, n_before + 1);
            n_before += n;
        }
        self.link_findings.sort_by_key(|(slot, index, ..)| (*slot, *index));
        for (slot, index, ends, finding) in self.link_findings {
            let number = first.get(&slot).copied().unwrap_or_default() + index;
            links.insert(number, ends);
            self.links.push_counted(Diagnostic::new(finding).at(Location::OffMeshLink(number)));
        }
        let report = CheckReport {
            seams: listed(self.seams),
            polygons: listed(self.polygons),
            off_mesh_links: listed(self.links),
            islands: listed(islands),
            limits: limits.iter().filter_map(Limit::diagnostic).collect(),
            ..CheckReport::default()
        };
        PartsReport { report, links, n_tiles: self.n_tiles, n_polys: self.n_polys }
    }
}
