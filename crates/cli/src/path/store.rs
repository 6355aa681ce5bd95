//! `walkable path --route` in a tile store: only some of its tiles are in memory.

use std::{cell::OnceCell, collections::BTreeSet};

use anyhow::Context as _;
use glam::Vec3;
use walkable::{
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{NavPath, PathStatus, RouteOverlay},
    store::{StoreEntry, TileStore},
};
use walkable_workspace::{
    files::{self, Format},
    limits::InTime,
    store_route::{RouteTiles, WorldRoute, damage_warnings, damaged_tiles},
};

use super::{FindPath, FoundPath, PathArgs, PathFinder, whole};
use crate::{Failure, progress::Line};

const MAX_BYTES: u64 = 256 << 20;

/// Computes the overlay, then calls `answer`, which requests paths.
pub(super) fn run(
    args: &PathArgs,
    answer: &mut dyn FnMut(&mut FindPath<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let name = || args.navmesh.display().to_string();
    let mut file = files::open(&args.navmesh)?;
    let store = TileStore::read(&mut file).with_context(name)?;
    let mut terms = args.terms.path_terms([Vec3::ZERO; 2])?;
    terms.filter = args.filter()?;
    let damaged = damaged_tiles(&store, &mut file, &InTime).with_context(name)?;
    let damage = damage_warnings(&damaged);
    let damaged: BTreeSet<_> = damaged.into_iter().map(|(place, _)| place).collect();
    let has = |place| !damaged.contains(&place);
    let mut building = store.begin_overlay(&terms.filter, has).context("cannot search")?;
    let line = Line::new();
    while building.step(&store, &mut file).with_context(name)? {
        let [n, n_done] = building.progress();
        line.show(|| format!("overlay: {n_done} of {n} cells"));
    }
    line.clear();
    let mut overlay: RouteOverlay = building.finish();
    let tiles = RouteTiles::new(&store, &damaged, &mut overlay, file, MAX_BYTES);
    let mut tiles = tiles.map_err(anyhow::Error::msg).with_context(name)?;
    let n_bytes: u64 = store.entries().iter().map(StoreEntry::n_bytes).sum();
    let is_whole = damaged.is_empty() && n_bytes <= Format::Navmesh.max_bytes();
    let (mesh, mut finder) = (OnceCell::new(), None);
    answer(&mut |requested| {
        terms.ends = requested;
        let found = tiles.find(&terms, &Unmonitored);
        let mut found = found.map_err(anyhow::Error::msg).with_context(name)?;
        found.warnings.extend_from_slice(&damage);
        if found.why.is_none() || !is_whole {
            return Ok(of_store(requested, found));
        }
        // Which place comes nearest to the end depends on all tiles.
        let finder = match &mut finder {
            Some(finder) => finder,
            none => {
                let whole: NavMesh = whole(args)?;
                none.insert(PathFinder::new(args, mesh.get_or_init(|| whole))?)
            }
        };
        finder.find_path(requested)
    })
}

fn of_store(requested: [Vec3; 2], found: WorldRoute) -> FoundPath {
    let WorldRoute { why, ends: [start, end], warnings, corridor, points, length, cost, .. } =
        found;
    let status = why.map_or(PathStatus::Complete, |_| PathStatus::Unreachable);
    let (n_expanded, portals) = (found.n_cells, Vec::new());
    let path =
        NavPath { status, why, start, end, corridor, portals, points, length, cost, n_expanded };
    FoundPath { requested, path, warnings }
}
