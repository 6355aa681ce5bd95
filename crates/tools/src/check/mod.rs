//! What will break in a navmesh: borders on which tiles do not join, polygons that queries go wrong on, islands that
//! nothing leads to.
//!
//! All of it is read off the navmesh. Every finding is a [`Diagnostic`] with the tile, the polygon and the point where
//! it is. Warnings are faults; a clean bake has none. Notes are also found in clean bakes: see `docs/answers.md`.
//!
//! Time grows with the number of polygons: borders are compared side by side in order along each border, and polygons
//! with those of their tile that overlap them along x.

mod border;
mod islands;
mod listed;
mod overlap;
mod polygons;
mod seams;
mod shift;

use serde::Serialize;
use walkable_bake::bake::OffMeshLink;
use walkable_runtime::{
    diagnostic::Diagnostic,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, polygons_without_flags},
};

use crate::links::check_links;
use listed::listed;

/// What the caller knows about a navmesh beyond its tiles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The off-mesh links that the navmesh was baked with, in their order; those of its tiles if not given.
    pub links: Option<&'a [OffMeshLink]>,
    /// Columns and rows of tiles that were baked, if the bake is known: a tile among them that is not in the navmesh
    /// has no ground.
    pub baked: Option<[u32; 2]>,
}

impl Known<'_> {
    /// Whether the tile at a place was baked and has no ground, if it is not in the navmesh.
    fn is_empty_tile(&self, [x, z]: [i32; 2]) -> bool {
        let is_in = |at: i32, n: u32| u32::try_from(at).is_ok_and(|at| at < n);
        self.baked.is_some_and(|[n_x, n_z]| is_in(x, n_x) && is_in(z, n_z))
    }
}

/// What a check found, kind by kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Borders between tiles.
    pub seams: Vec<Diagnostic>,
    /// Polygons by themselves, and where they overlap.
    pub polygons: Vec<Diagnostic>,
    /// Off-mesh links.
    pub off_mesh_links: Vec<Diagnostic>,
    /// Islands.
    pub islands: Vec<Diagnostic>,
}

impl CheckReport {
    /// Kinds of findings with their names.
    pub fn kinds(&self) -> [(&'static str, &[Diagnostic]); 4] {
        [
            ("seams", &self.seams),
            ("polygons", &self.polygons),
            ("off-mesh links", &self.off_mesh_links),
            ("islands", &self.islands),
        ]
    }

    /// All findings, kind by kind.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kinds().into_iter().flat_map(|(_, found)| found)
    }

    /// Number of findings that are worse than notes.
    pub fn n_warnings(&self) -> usize {
        self.all().filter(|found| found.is_warning()).count()
    }
}

/// Checks a navmesh. Of each code at most [`MAX_LISTED`] findings are listed, and the number of the others is said.
///
/// # Errors
/// [`Cancelled`] soon after the monitor cancels.
pub fn check(
    mesh: &NavMesh,
    known: &Known<'_>,
    monitor: &dyn Monitor,
) -> Result<CheckReport, Cancelled> {
    let seams = seams::audit(mesh, known, monitor)?;
    let mut polygons = polygons::lint(mesh, monitor)?;
    polygons.extend(polygons_without_flags(mesh.tiles()));
    let own_links = || off_mesh_links(mesh);
    let links = known.links.map_or_else(own_links, <[OffMeshLink]>::to_vec);
    let off_mesh = check_links(mesh, &links).into_iter().flat_map(|link| link.findings);
    Ok(CheckReport {
        seams: listed(seams),
        polygons: listed(polygons),
        off_mesh_links: listed(off_mesh.collect()),
        islands: listed(islands::find(mesh)),
    })
}

/// Most findings of one code that are listed.
pub const MAX_LISTED: usize = 100;

/// The off-mesh links of the tiles, in the order of the tiles.
fn off_mesh_links(mesh: &NavMesh) -> Vec<OffMeshLink> {
    let mut found = Vec::new();
    for tile in mesh.tiles() {
        for link in &tile.off_mesh {
            let Some(poly) = tile.polys.get(usize::from(link.poly)) else { continue };
            found.push(OffMeshLink {
                start: link.ends[0],
                end: link.ends[1],
                radius: link.radius,
                bidirectional: link.is_both_ways(),
                area: poly.area,
                flags: poly.flags,
                user_id: link.user_id,
            });
        }
    }
    found
}
