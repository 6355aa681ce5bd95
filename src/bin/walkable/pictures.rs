//! Pictures of what a stage made, tile by tile, made once and kept while they are seen. Knows no
//! window.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use glam::Vec3;
use walkable::{
    bake::LayerCut,
    debug_draw::{self, DrawList},
    monitor::Unmonitored,
    tile_cache::LayerKey,
};

use crate::{
    session::{LoadedLevel, PathShow, Session, StageView, TileResult, island_picture},
    viewport::Batch,
};

/// Pictures are made for as long as this in one frame; the others follow in the next.
const BUDGET: Duration = Duration::from_millis(12);
/// A picture that is new fades in over this time.
const FADE: Duration = Duration::from_millis(120);
/// Opacity of results that are older than the settings.
const STALE_OPACITY: f32 = 0.4;

/// Opacity of results behind a search of the lab.
const BEHIND_SEARCH: f32 = 0.12;

/// Names of batches that are not tiles; tiles count from 0 up.
const PATH_ID: u64 = u64::MAX;
const NAVMESH_ID: u64 = u64::MAX - 1;
const LAB_ID: u64 = u64::MAX - 2;
const ISLAND_ID: u64 = u64::MAX - 3;
/// Tiles of layers are named by this bit and their places.
const LAYER_IDS: u64 = 1 << 62;
/// Outlines of agents by this bit and their numbers.
const AGENT_IDS: u64 = 1 << 61;

/// Pictures of the stage shown and of the path.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    /// Whether nobody waits for the next frame.
    at_once: bool,
    stage: Option<StageView>,
    /// By serial number of the tile's result.
    tiles: BTreeMap<u64, Picture>,
    /// By place and layer, with the tile's serial number.
    layers: BTreeMap<LayerKey, (u64, Arc<DrawList>)>,
    imported: Option<(u64, Arc<DrawList>)>,
    path: Option<(PathKey, Arc<DrawList>)>,
    path_revision: u64,
    lab: Option<(LabKey, Arc<DrawList>)>,
    lab_revision: u64,
    island: Option<(IslandKey, Arc<DrawList>)>,
    island_revision: u64,
}

/// The navmesh's serial number and a place on the island.
type IslandKey = (u64, Vec3);

/// Equal keys, equal pictures.
type PathKey = (u64, PathShow, Option<usize>);

type LabKey = (u64, Option<usize>);

/// While a search is played back, nothing but the search is drawn.
const NOTHING: PathShow =
    PathShow { corridor: false, portals: false, expanded: false, line: false };

/// What of a path can be told apart over the picture of `stage`: the line always, surfaces only over
/// polygons.
fn path_over(stage: StageView, show: PathShow) -> PathShow {
    match stage {
        StageView::Input | StageView::Polygons | StageView::Detail | StageView::Navmesh => show,
        _ => PathShow { corridor: false, portals: false, expanded: false, line: show.line },
    }
}

#[derive(Debug)]
struct Picture {
    list: Arc<DrawList>,
    born: Instant,
}

/// What to draw, and whether there is more to come.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// Pictures, in drawing order.
    pub(crate) batches: Vec<Batch>,
    /// Whether the next frame will differ without anything else happening.
    pub(crate) unfinished: bool,
}

impl Pictures {
    /// Pictures of all that `session` shows, however long they take, as they are once they have faded in.
    pub(crate) fn draw_at_once(session: &Session) -> Vec<Batch> {
        let mut pictures = Self { at_once: true, ..Self::default() };
        pictures.draw(session).batches
    }

    /// Pictures of what `session` shows.
    pub(crate) fn draw(&mut self, session: &Session) -> Drawn {
        let mut drawn = Drawn::default();
        if self.stage.replace(session.stage) != Some(session.stage) {
            self.tiles.clear();
        }
        self.draw_tiles(session, &mut drawn);
        self.draw_layers(session, &mut drawn);
        self.draw_imported(session, &mut drawn);
        self.draw_path(session, &mut drawn);
        self.draw_lab(session, &mut drawn);
        self.draw_island(session, &mut drawn);
        draw_others(session, &mut drawn);
        drawn
    }

    fn draw_lab(&mut self, session: &Session, drawn: &mut Drawn) {
        if session.lab.rows.is_empty() {
            self.lab = None;
            return;
        }
        let key = (session.lab.serial, session.lab.replay.step);
        if self.lab.as_ref().is_none_or(|(old, _)| *old != key) {
            self.lab_revision += 1;
            self.lab = Some((key, session.lab.picture()));
        }
        let Some((_, list)) = &self.lab else { return };
        let (revision, list) = (self.lab_revision, Arc::clone(list));
        drawn.batches.push(Batch { id: LAB_ID, revision, list, opacity: 1.0 });
    }

    fn draw_island(&mut self, session: &Session, drawn: &mut Drawn) {
        let Some((place, mesh)) = session.island.zip(session.bake.navmesh.as_deref()) else {
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
        drawn.batches.push(Batch { id: ISLAND_ID, revision, list, opacity: 1.0 });
    }

    fn draw_tiles(&mut self, session: &Session, drawn: &mut Drawn) {
        let Some(level) = session.level.as_ref().filter(|_| session.stage != StageView::Input)
        else {
            self.tiles.clear();
            return;
        };
        let now = session.revision();
        if session.stage == StageView::Navmesh && session.bake.layered().is_some() {
            self.tiles.clear();
            return;
        }
        let current = session.bake.chosen(session.chosen_tile).map(|(_, tile)| tile);
        let old = session.bake.leftovers.iter().map(|old| &old.result);
        let old = old.filter(|_| session.chosen_tile.is_none());
        let shows_search = session.lab.drawn().next().is_some();
        let clock = Instant::now();
        let mut seen = BTreeMap::new();
        for tile in current.chain(old) {
            let picture = match self.tiles.remove(&tile.serial) {
                Some(picture) => picture,
                None if clock.elapsed() > BUDGET && !self.at_once => {
                    drawn.unfinished = true;
                    continue;
                }
                None => {
                    let list = Arc::new(tile_picture(session.stage, level, tile));
                    Picture { list, born: clock }
                }
            };
            let age = clock.duration_since(picture.born);
            drawn.unfinished |= age < FADE;
            let fade = (age.as_secs_f32() / FADE.as_secs_f32()).clamp(0.05, 1.0);
            let fade = if self.at_once { 1.0 } else { fade };
            let stale = if tile.revision == now { 1.0 } else { STALE_OPACITY };
            let behind = if shows_search { BEHIND_SEARCH } else { 1.0 };
            let id = tile.serial * 16 + session.stage as u64;
            let list = Arc::clone(&picture.list);
            drawn.batches.push(Batch { id, revision: 0, list, opacity: fade * stale * behind });
            seen.insert(tile.serial, picture);
        }
        self.tiles = seen;
    }

    /// The tiles of a level that is prepared for obstacles.
    fn draw_layers(&mut self, session: &Session, drawn: &mut Drawn) {
        let layered = session.bake.layered().filter(|_| session.stage == StageView::Navmesh);
        let Some(layered) = layered else {
            self.layers.clear();
            return;
        };
        let opacity = if session.is_stale() { STALE_OPACITY } else { 1.0 };
        let mut before = std::mem::take(&mut self.layers);
        for (key, tile) in layered.tiles() {
            let chosen = session.chosen_tile.is_none_or(|chosen| chosen == key.coord());
            let Some(data) = tile.tile.as_deref().filter(|_| chosen) else { continue };
            let kept = before.remove(&key).filter(|(serial, _)| *serial == tile.serial);
            let (revision, list) =
                kept.unwrap_or_else(|| (tile.serial, Arc::new(debug_draw::tile(data))));
            let place = (u64::from(key.z) << 40) | (u64::from(key.x) << 16) | u64::from(key.layer);
            let id = LAYER_IDS | place;
            drawn.batches.push(Batch { id, revision, list: Arc::clone(&list), opacity });
            self.layers.insert(key, (revision, list));
        }
    }

    fn draw_imported(&mut self, session: &Session, drawn: &mut Drawn) {
        let navmesh = session.bake.navmesh.as_deref().filter(|_| session.imported.is_some());
        let Some(navmesh) = navmesh else {
            self.imported = None;
            return;
        };
        let serial = session.bake.navmesh_serial;
        if self.imported.as_ref().is_none_or(|(old, _)| *old != serial) {
            self.imported = Some((serial, Arc::new(debug_draw::navmesh(navmesh))));
        }
        if let Some((revision, list)) = &self.imported {
            let list = Arc::clone(list);
            drawn.batches.push(Batch { id: NAVMESH_ID, revision: *revision, list, opacity: 1.0 });
        }
    }

    fn draw_path(&mut self, session: &Session, drawn: &mut Drawn) {
        let answer = session.path.answer.as_ref();
        let Some((answer, navmesh)) = answer.zip(session.bake.navmesh.as_deref()) else {
            self.path = None;
            return;
        };
        // A search of the lab is drawn with its own path.
        let show = match session.lab.drawn().next() {
            Some(_) => NOTHING,
            None => path_over(session.stage, session.path.show),
        };
        let key = (answer.serial, show, session.path.replay.step);
        if self.path.as_ref().is_none_or(|(old, ..)| *old != key) {
            self.path_revision += 1;
            let mut list = DrawList::default();
            if let Some(step) = session.path.replay.step {
                list.append(debug_draw::search_step(navmesh, &answer.path.expanded, step));
            }
            let show = if session.path.replay.step.is_some() { NOTHING } else { show };
            if show.corridor {
                list.append(debug_draw::corridor(navmesh, &answer.path.corridor));
            }
            if show.expanded {
                list.append(debug_draw::expanded(navmesh, &answer.path.expanded));
            }
            if show.portals {
                list.append(debug_draw::portals(&answer.path.portals));
            }
            if show.line {
                list.append(debug_draw::path(&answer.path));
            }
            self.path = Some((key, Arc::new(list)));
        }
        if let Some((_, list)) = &self.path {
            let (revision, list) = (self.path_revision, Arc::clone(list));
            drawn.batches.push(Batch { id: PATH_ID, revision, list, opacity: 1.0 });
        }
    }
}

/// Outlines of the other agents' navmeshes.
fn draw_others(session: &Session, drawn: &mut Drawn) {
    for (number, other) in session.others.baked.iter().filter(|_| session.others.shown) {
        let id = AGENT_IDS | u64::try_from(*number).unwrap_or(0);
        let list = Arc::clone(&other.outline);
        drawn.batches.push(Batch { id, revision: other.serial, list, opacity: 1.0 });
    }
}

/// How opaque the level's own triangles are beneath a stage's picture.
pub(crate) fn level_opacity(stage: StageView) -> f32 {
    match stage {
        StageView::Spans | StageView::Filtered => 0.0,
        _ => 1.0,
    }
}

fn tile_picture(stage: StageView, level: &LoadedLevel, tile: &TileResult) -> DrawList {
    if stage == StageView::Navmesh {
        return tile.tile.as_deref().map(debug_draw::tile).unwrap_or_default();
    }
    let Some(stages) = tile.stages.as_deref() else { return DrawList::default() };
    let coord = tile.coord;
    match stage {
        StageView::Slope if tile.level == level.serial => {
            debug_draw::slope(&level.mesh, &stages.slopes)
        }
        StageView::Input | StageView::Slope | StageView::Navmesh => DrawList::default(),
        StageView::Spans => debug_draw::spans(&stages.spans),
        StageView::Filtered => debug_draw::filtered(&stages.spans, &stages.filtered),
        StageView::Compact => debug_draw::compact(&stages.compact, &stages.compact_areas),
        StageView::Eroded => {
            debug_draw::eroded(&stages.compact, &stages.compact_areas, &stages.eroded_areas)
        }
        StageView::Distance => {
            let draw =
                |distance| debug_draw::distance(&stages.compact, &stages.eroded_areas, distance);
            stages.distance.as_ref().map(draw).unwrap_or_default()
        }
        StageView::Regions => debug_draw::regions(&stages.compact, &stages.regions, coord),
        StageView::Layers => {
            let layers = stages.height_layers(coord, LayerCut::Sweep, &Unmonitored);
            let layers = layers.map(|set| debug_draw::height_layers(&stages.compact, &set, coord));
            layers.unwrap_or_default().into_iter().fold(DrawList::default(), |mut all, layer| {
                all.append(layer);
                all
            })
        }
        StageView::ContoursRaw => debug_draw::raw_contours(&stages.contours),
        StageView::Contours => debug_draw::contours(&stages.contours, coord),
        StageView::Polygons => debug_draw::polygons(&stages.polygons),
        StageView::Detail => debug_draw::detail(&stages.polygons, &stages.detail),
    }
}
