//! Computes a cell of the lowest level from the tiles in it and around it.

use super::{
    costs::{Cost, UNREACHED},
    groups::Groups,
    local::{Labels, Local, index},
    overlay::{Crossing, NONE, Place, RouteOverlay, SIDES, Spot, cell_place, tiles_in},
};
use crate::navmesh::{LiveTile, NavMesh, TilePlace};

/// What is known of a cell of the lowest level without its neighbors.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Links out of it, by tile, polygon and link.
    pub(super) exits: Vec<Crossing>,
    /// Links into it, by the cells and tiles that they leave.
    pub(super) entries: Vec<Crossing>,
    /// For each entry, the costs to the exits.
    pub(super) costs: Vec<Cost>,
    pub(super) groups: Groups,
}

impl Record {
    /// Computes a cell; the tiles in it and next to it must be loaded.
    pub(super) fn new(overlay: &RouteOverlay, mesh: &NavMesh, leaf: u32) -> Self {
        let place = overlay.levels[0].cells[leaf as usize].place;
        let tiles = tiles_in(mesh, place);
        let mut exits = Vec::new();
        for &tile in &tiles {
            list_links(overlay, mesh, tile, |to| to != leaf, &mut exits);
        }
        let mut entries = Vec::new();
        for tile in tiles_next_to(mesh, place) {
            list_links(overlay, mesh, tile, |to| to == leaf, &mut entries);
        }
        let mut local = Local::new(mesh, &overlay.filter, &overlay.prices, &tiles, exits.iter());
        local.add_arcs(&overlay.prices);
        let mut labels = Labels::default();
        let mut costs = Vec::with_capacity(entries.len() * exits.len());
        for &Crossing { to, at, .. } in &entries {
            if let Some(poly) = local.at(to) {
                local.search(&overlay.prices, poly, at, &mut labels);
                costs.extend(local.exit_costs(&labels));
            } else {
                costs.extend(exits.iter().map(|_| UNREACHED));
            }
        }
        Self { exits, entries, costs, groups: Groups::new(&local) }
    }
}

/// Lists the links from a tile into cells of the lowest level that are `wanted`.
fn list_links(
    overlay: &RouteOverlay,
    mesh: &NavMesh,
    tile: u32,
    wanted: impl Fn(u32) -> bool,
    out: &mut Vec<Crossing>,
) {
    let (graph, portals) = (mesh.graph(), mesh.portals());
    let live = mesh.live(tile);
    let here = TilePlace::of(&live.tile);
    let Some(leaves) = overlay.leaf_at(here) else { return };
    // The tile of the last link, and its cell.
    let mut last = (tile, leaves);
    for (poly, number) in (0..).zip(live.first_node..live.first_node + index(live.tile.polys.len()))
    {
        for (link, portal) in graph.links(number).iter().zip(portals.of(number)) {
            let target = graph.poly(link.to);
            if target.tile == tile {
                continue;
            }
            let there = mesh.live(target.tile);
            if target.tile != last.0 {
                last = (target.tile, leaf_of(overlay, there));
            }
            let enters = last.1;
            if enters == leaves || enters == NONE || !wanted(enters) {
                continue;
            }
            let marks = graph.marks(link.to);
            if !overlay.filter.passes_flags(marks.flags)
                || !overlay.filter.rules.admits(mesh, *link)
            {
                continue;
            }
            let entering = overlay.prices.entering(graph.marks(number).area, marks.area);
            let (from, to) =
                (Spot::new(here, poly), Spot::new(TilePlace::of(&there.tile), target.poly));
            let at = portal.midpoint();
            out.push(Crossing { from, to, at, entering, leaves, enters, row: NONE });
        }
    }
}

fn leaf_of(overlay: &RouteOverlay, live: &LiveTile) -> u32 {
    overlay.leaf_at(TilePlace::of(&live.tile)).unwrap_or(NONE)
}

/// Internal numbers of the tiles next to a cell of the lowest level, by their cells, then column, row and layer.
fn tiles_next_to(mesh: &NavMesh, place: Place) -> Vec<u32> {
    let [x, z] = place.map(|along| along.saturating_mul(SIDES[0]));
    let along = |start: i32| start.saturating_sub(1)..=start.saturating_add(SIDES[0]);
    let mut tiles = Vec::new();
    for column in along(x) {
        for row in along(z) {
            let cell = cell_place([column, row], SIDES[0]);
            if cell != place {
                let layer = |id: u32| mesh.live(id).tile.header.layer;
                tiles.extend(mesh.ids_at(column, row).map(|id| (cell, column, row, layer(id), id)));
            }
        }
    }
    tiles.sort_unstable();
    tiles.into_iter().map(|(.., id)| id).collect()
}
