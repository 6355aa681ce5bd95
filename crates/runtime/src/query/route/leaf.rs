//! Computes a cell of the lowest level from the tiles in it and around it.

use super::{
    cells::{CellPlace, CellPoly, Crossing, NONE, SIDES, cell_place, tiles_in},
    clusters::Clusters,
    costs::{Cost, UNREACHED},
    local::{Labels, Local},
    matrix::CostMatrix,
    overlay::{Leaf, RouteOverlay},
};
use crate::{
    navmesh::{NavMesh, TilePlace},
    query::QueryError,
};

/// Maximum number of arcs of a cell, about a second of work for each search. Cells of baked tiles have some tens of
/// thousands.
const MAX_ARCS: u64 = 1 << 26;
/// Maximum number of arcs that the searches in a cell compare, about 10 s of work. Cells of baked tiles need some
/// millions.
const MAX_COMPARED: u64 = 1 << 32;

/// Links out of a cell of the lowest level and into it, by [`Crossing::key`].
#[derive(Clone, Debug, Default)]
pub(super) struct LeafLinks {
    pub(super) exits: Vec<Crossing>,
    pub(super) entries: Vec<Crossing>,
}

/// What is known about a cell of the lowest level without its neighbors.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) links: LeafLinks,
    /// `None` if it equals what the overlay has already.
    pub(super) inside: Option<Inside>,
}

/// What is computed from the polygons of a cell of the lowest level.
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    pub(super) costs: CostMatrix,
    pub(super) clusters: Clusters,
}

/// A cell of the lowest level that was read.
pub(super) type ReadLeaf = (CellPlace, Leaf, Record);
/// The costs of a cell above the lowest level, from each entry to each exit; `None` if they are not up to date.
pub(super) type ReadCosts = Option<Vec<Cost>>;

impl LeafLinks {
    /// Lists the links of a cell; the tiles in it and next to it must be loaded.
    pub(super) fn new(overlay: &RouteOverlay, mesh: &NavMesh, leaf: u32) -> Self {
        let place = overlay.levels[0].cells[leaf as usize].place;
        let tiles = tiles_in(mesh, place);
        let exits = links(overlay, mesh, tiles.iter().copied(), |to| to != leaf);
        let entries = links(overlay, mesh, tiles_next_to(mesh, place), |to| to == leaf);
        Self { exits, entries }
    }

    /// Computes the inside of the cell, unless the overlay has it already.
    pub(super) fn inside(
        &self,
        overlay: &RouteOverlay,
        mesh: &NavMesh,
        leaf: u32,
    ) -> Result<Option<Inside>, QueryError> {
        if !overlay.leaves[leaf as usize].has_changed_inside && overlay.lists(leaf, self) {
            return Ok(None);
        }
        let tiles = tiles_in(mesh, overlay.levels[0].cells[leaf as usize].place);
        Inside::new(overlay, mesh, &tiles, self).map(Some)
    }
}

impl Inside {
    fn new(
        overlay: &RouteOverlay,
        mesh: &NavMesh,
        tiles: &[u32],
        LeafLinks { exits, entries }: &LeafLinks,
    ) -> Result<Self, QueryError> {
        let mut local =
            Local::new(mesh, &overlay.filter, &overlay.filter_costs, tiles, exits.iter());
        let n_searches = 1 + entries.len() as u64;
        let n_arcs = local.n_arcs();
        for (n_pairs, limit) in
            [(n_arcs, MAX_ARCS), (n_arcs.saturating_mul(n_searches), MAX_COMPARED)]
        {
            if n_pairs > limit {
                return Err(QueryError::TooManyLinks { n_pairs, limit });
            }
        }
        local.add_arcs(&overlay.filter_costs);
        let mut labels = Labels::default();
        let mut costs = Vec::with_capacity(entries.len() * exits.len());
        for &Crossing { to, at, .. } in entries {
            if let Some(poly) = local.at(to) {
                local.search(&overlay.filter_costs, poly, at, &mut labels);
                costs.extend(local.exit_costs(&labels));
            } else {
                costs.extend(exits.iter().map(|_| UNREACHED));
            }
        }
        let costs = CostMatrix::new(exits.len(), &costs);
        Ok(Self { costs, clusters: Clusters::new(&local) })
    }
}

/// Returns the links from tiles into cells of the lowest level that are `wanted`, each once, by [`Crossing::key`].
fn links(
    overlay: &RouteOverlay,
    mesh: &NavMesh,
    tiles: impl Iterator<Item = u32>,
    wanted: impl Fn(u32) -> bool,
) -> Vec<Crossing> {
    let mut out = Vec::new();
    let (graph, portals) = (mesh.graph(), mesh.portals());
    for tile in tiles {
        let live = mesh.live(tile);
        let here = TilePlace::of(&live.tile);
        let Some(leaves) = overlay.leaf_at(here) else { continue };
        // The tile of the last link, and its cell.
        let mut last = (tile, leaves);
        for (poly, number) in (0..).zip(live.numbers()) {
            for (link, portal) in graph.links(number).iter().zip(portals.of(number)) {
                let target = graph.poly(link.to);
                if target.tile == tile {
                    continue;
                }
                let there = TilePlace::of(&mesh.live(target.tile).tile);
                if target.tile != last.0 {
                    last = (target.tile, overlay.leaf_at(there).unwrap_or(NONE));
                }
                let enters = last.1;
                if enters == leaves || enters == NONE || !wanted(enters) {
                    continue;
                }
                let marks = graph.marks(link.to);
                if overlay.filter.passes_flags(marks.flags)
                    && overlay.filter.rules.admits(mesh, *link)
                {
                    let entering =
                        overlay.filter_costs.entering(graph.marks(number).area, marks.area);
                    let (from, to) = (CellPoly::new(here, poly), CellPoly::new(there, target.poly));
                    let at = portal.midpoint();
                    out.push(Crossing { from, to, at, entering, leaves, enters, row: NONE });
                }
            }
        }
    }
    out.sort_unstable_by_key(Crossing::key);
    out.dedup_by_key(|link| link.key());
    out
}

/// Returns the internal numbers of the tiles next to a cell of the lowest level.
fn tiles_next_to(mesh: &NavMesh, place: CellPlace) -> impl Iterator<Item = u32> {
    let [xs, zs] = place.map(|along| {
        let start = along.saturating_mul(SIDES[0]);
        start.saturating_sub(1)..=start.saturating_add(SIDES[0])
    });
    let columns = xs.flat_map(move |x| zs.clone().map(move |z| [x, z]));
    let outside = columns.filter(move |&column| cell_place(column, SIDES[0]) != place);
    outside.flat_map(|[x, z]| mesh.ids_at(x, z))
}
