//! Finds islands that are not connected to the largest one.

use walkable_runtime::{
    diagnostic::{Finding, FindingList, SquareMeters},
    navmesh::{NavMesh, TilePlace},
    query::{Filter, PartIsland, Reachability, islands},
};

use super::FindingLocation;

/// Reports all islands except the largest one, the larger ones first.
pub(super) fn find(mesh: &NavMesh) -> FindingList {
    let known = Reachability::new(mesh, &Filter::default());
    let found = islands(mesh, &known).into_iter().filter_map(|island| {
        let (tile, _) = mesh.resolve(island.place.poly)?;
        Some(PartIsland { island, tile: TilePlace::of(tile) })
    });
    findings(found)
}

/// Reports all but the first of `islands`, the largest one.
pub(super) fn findings(islands: impl IntoIterator<Item = PartIsland>) -> FindingList {
    let mut list = FindingList::default();
    for PartIsland { island, tile } in islands.into_iter().skip(1) {
        let location = FindingLocation {
            tile: [tile.x, tile.z],
            layer: tile.layer,
            poly: Some(island.place.poly),
            point: island.place.point,
        };
        let (area, n) = (SquareMeters(rounded(island.area)), island.n_polys);
        location.add_to(&mut list, Finding::IslandNotConnected { area, n });
    }
    list
}

/// Rounds an area to two decimals.
#[expect(clippy::cast_possible_truncation, reason = "a number for people")]
fn rounded(area: f64) -> f32 {
    ((area * 100.0).round() / 100.0) as f32
}
