//! Pictures of the final navmesh: tiles of layers, an imported navmesh, an island.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{
    debug_draw::{self, DrawList, Line, Paint},
    geom::Aabb,
    ids::TileCoord,
    navmesh::{NavMesh, Tile, format::RefWidth},
    tile_cache::LayerKey,
};
use walkable_workspace::{
    layered::{LayerTile, Layered},
    stage_view::StageView,
};

use super::{DrawnPictures, Pictures, STALE_OPACITY, stage::is_colored, undivided};
use crate::{
    coloring::{Coloring, PolygonRegions, Subject},
    pictures::{Batch, PictureId, ViewHalf},
    session::{BLOCK, MANY_TILES, Session, island_picture},
};

impl Pictures {
    pub(super) fn draw_island(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let place = session.tools.island.filter(|_| session.shown.stage == StageView::Navmesh);
        let Some((place, mesh)) = place.zip(session.bake.navmesh.as_deref()) else {
            self.island = None;
            return;
        };
        let key = (session.bake.navmesh_serial, place);
        let kept = self.island.take().filter(|(old, _)| *old == key).map(|(_, list)| list);
        let list = kept.unwrap_or_else(|| {
            self.island_revision += 1;
            Arc::new(island_picture(mesh, place))
        });
        self.island = Some((key, Arc::clone(&list)));
        let revision = self.island_revision;
        drawn.batches.push(undivided(PictureId::Island, revision, list));
    }

    pub(super) fn draw_layers(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        if session.shown.stage != StageView::Navmesh {
            self.layers.clear();
            return;
        }
        let stale = if session.is_stale() { STALE_OPACITY } else { 1.0 };
        let colored = is_colored(StageView::Navmesh, &session.shown.display);
        let colors = if colored { self.coloring.serial() } else { 0 };
        let mut before = std::mem::take(&mut self.layers);
        for (key, tile, half) in halves(session) {
            let chosen = session.shown.chosen_tile.is_none_or(|chosen| chosen == key.coord());
            let Some(data) = tile.tile.as_deref().filter(|_| chosen) else { continue };
            let kept = before.remove(&(tile.serial, colors));
            let list = kept.unwrap_or_else(|| {
                Arc::new(if colored {
                    self.coloring.tile_picture(&layer_subject(key, tile, data))
                } else {
                    debug_draw::tile(data)
                })
            });
            let stale = if half == ViewHalf::Left { 1.0 } else { stale };
            let opacity = stale * session.shown.display.stage;
            let id = PictureId::LayerTile(tile.serial);
            drawn.batches.push(Batch { opacity, half, ..undivided(id, colors, Arc::clone(&list)) });
            self.layers.insert((tile.serial, colors), list);
        }
    }

    pub(super) fn draw_removed(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let removed = session.document().removed_tiles.iter();
        let tiles = removed.filter_map(|coord| session.bake.tiles.get(coord));
        let key: Vec<u64> = tiles.clone().map(|tile| tile.serial).collect();
        if key.is_empty() {
            self.removed = None;
            return;
        }
        if self.removed.as_ref().is_none_or(|(old, _)| *old != key) {
            self.removed_revision += 1;
            let baked = tiles.filter_map(|tile| tile.baked.as_deref());
            let lines = baked.flat_map(|tile| debug_draw::tile(tile).lines);
            let lines = lines.map(|line| Line { paint: Paint::Problem, dashed: true, ..line });
            let list = DrawList { lines: lines.collect(), ..DrawList::default() };
            self.removed = Some((key, Arc::new(list)));
        }
        if let Some((_, list)) = &self.removed {
            let (revision, list) = (self.removed_revision, Arc::clone(list));
            drawn.batches.push(undivided(PictureId::Removed, revision, list));
        }
    }

    pub(super) fn draw_imported(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let navmesh = session.bake.navmesh.as_deref().filter(|_| session.opened.imported.is_some());
        let Some(navmesh) = navmesh else {
            self.imported = None;
            return;
        };
        let colored = is_colored(StageView::Navmesh, &session.shown.display);
        let colors = if colored { self.coloring.serial() } else { 0 };
        let serial = [session.bake.navmesh_serial, colors];
        if self.imported.as_ref().is_none_or(|(old, _)| *old != serial) {
            let coloring = colored.then_some(&self.coloring);
            self.imported = Some((serial, imported_blocks(navmesh, coloring)));
        }
        let Some(([navmesh, colors], blocks)) = &self.imported else { return };
        let revision = navmesh.rotate_left(32) ^ colors;
        for ImportedBlock { id, bounds, list } in blocks {
            let opacity = session.shown.display.stage;
            // A batch at distance 0 is never drawn coarsely.
            let is_block = matches!(id, PictureId::NavmeshBlock(_));
            let distance =
                if is_block { session.distance_to(bounds).max(f32::MIN_POSITIVE) } else { 0.0 };
            let batch = undivided(*id, revision, Arc::clone(list));
            drawn.batches.push(Batch { opacity, distance, ..batch });
        }
    }
}

#[derive(Debug)]
pub(super) struct ImportedBlock {
    id: PictureId,
    bounds: Aabb,
    list: Arc<DrawList>,
}

/// Returns the tiles that are built from layers, each with the halves of the view that show it. Unchanged tiles are in
/// both halves.
fn halves(session: &Session) -> Vec<(LayerKey, &LayerTile, ViewHalf)> {
    let now = session.bake.layered().map(Layered::tiles);
    let before = session.bake.before.as_ref().filter(|_| session.divider().is_some());
    let old = before.and_then(|before| before.layers.as_ref());
    let same = |other: Option<&BTreeMap<LayerKey, LayerTile>>, key, tile: &LayerTile| {
        other.and_then(|tiles| tiles.get(key)).is_some_and(|other| other.serial == tile.serial)
    };
    let here = now.into_iter().flatten().map(|(key, tile)| {
        let is_in_both = before.is_none() || same(old, key, tile);
        (*key, tile, if is_in_both { ViewHalf::Both } else { ViewHalf::Right })
    });
    let gone = old.into_iter().flatten().filter(|(key, tile)| !same(now, key, tile));
    let gone = gone.map(|(key, tile)| (*key, tile, ViewHalf::Left));
    let mut seen: Vec<_> = here.chain(gone).collect();
    if old.is_some() {
        // Overlapping tiles are drawn in the same order on both sides.
        seen.sort_by_key(|(key, ..)| *key);
    }
    seen
}

fn layer_subject<'a>(key: LayerKey, tile: &'a LayerTile, data: &'a Tile) -> Subject<'a> {
    let regions = PolygonRegions::Listed(&tile.regions);
    let (time, n_bytes) = (Some(tile.time), tile.n_bytes);
    Subject { coord: key.coord(), tile: data, regions, time, n_bytes }
}

/// Returns the tiles of an imported navmesh, in the colors of `coloring` if there is one; many tiles in blocks.
fn imported_blocks(navmesh: &NavMesh, coloring: Option<&Coloring>) -> Vec<ImportedBlock> {
    let side = i32::try_from(BLOCK).unwrap_or(1);
    let is_divided = navmesh.tiles().count() > MANY_TILES;
    let mut blocks: BTreeMap<PictureId, (Aabb, DrawList)> = BTreeMap::new();
    for tile in navmesh.tiles() {
        let place = [tile.header.x, tile.header.z];
        let block = PictureId::NavmeshBlock(place.map(|at| at.div_euclid(side)));
        let id = if is_divided { block } else { PictureId::Navmesh };
        let bounds = tile.header.bounds;
        let (all, list) = blocks.entry(id).or_insert_with(|| (bounds, DrawList::default()));
        *all = Aabb { min: all.min.min(bounds.min), max: all.max.max(bounds.max) };
        list.append(match coloring {
            None => debug_draw::tile(tile),
            Some(coloring) => {
                let [x, z] = place.map(|at| u32::try_from(at).unwrap_or(0));
                let coord = TileCoord::new(x, z);
                let n_bytes = tile.n_bytes(RefWidth::Bits32);
                let regions = PolygonRegions::Unknown;
                coloring.tile_picture(&Subject { coord, tile, regions, time: None, n_bytes })
            }
        });
    }
    let block = |(id, (bounds, list))| ImportedBlock { id, bounds, list: Arc::new(list) };
    blocks.into_iter().map(block).collect()
}

pub(super) fn draw_other_agents(session: &Session, drawn: &mut DrawnPictures) {
    for (number, other) in session.other_agents.baked.iter().filter(|_| session.other_agents.shown)
    {
        drawn.batches.push(undivided(
            PictureId::Agent(*number),
            other.serial,
            Arc::clone(&other.outline),
        ));
    }
}
