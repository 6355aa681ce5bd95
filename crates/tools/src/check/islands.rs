//! Finds islands that are not connected to the largest one.

use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, SquareMeters},
    navmesh::{NavMesh, TilePlace},
    query::{Filter, PartIsland, Reachability, islands},
};

use super::listed::FindingLocation;

/// Reports all islands except the largest one, the larger ones first.
pub(super) fn find(mesh: &NavMesh) -> Vec<Diagnostic> {
    let known = Reachability::new(mesh, &Filter::default());
    let found = islands(mesh, &known).into_iter().filter_map(|island| {
        let (tile, _) = mesh.resolve(island.place.poly)?;
        Some(PartIsland { island, tile: TilePlace::of(tile) })
    });
    findings(found)
}

/// Reports all but the first of `islands`, the largest one.
pub(super) fn findings(islands: impl IntoIterator<Item = PartIsland>) -> Vec<Diagnostic> {
    let others = islands.into_iter().skip(1);
    let found = others.map(|PartIsland { island, tile }| {
        let location = FindingLocation {
            tile: [tile.x, tile.z],
            layer: tile.layer,
            poly: Some(island.place.poly),
            point: island.place.point,
        };
        let (area, n) = (SquareMeters(rounded(island.area)), island.n_polys);
        location.diagnostic(Finding::IslandNotConnected { area, n })
    });
    found.collect()
}

/// Rounds an area to two decimals.
#[expect(clippy::cast_possible_truncation, reason = "a number for people")]
fn rounded(area: f64) -> f32 {
    ((area * 100.0).round() / 100.0) as f32
}
