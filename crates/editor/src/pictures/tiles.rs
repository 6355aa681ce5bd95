//! Pictures of tiles at a stage: made over several frames, kept within a budget, and drawn together if they are many.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use glam::Vec3;
use walkable::{debug_draw::DrawList, ids::TileCoord};
use walkable_workspace::stage_view::StageView;
use web_time::Instant;

use super::{
    BEHIND_SEARCH, DrawPass, DrawnPictures, FADE, Layer, Pictures, STALE_OPACITY,
    stage::{self, colored as colored_picture, is_colored, tile_picture},
};
use crate::{
    pictures::{Batch, BlockId, PictureId, ViewHalf},
    session::{
        BLOCK, Cache, ColorBy, DisplaySettings, LastUse, MANY_TILES, Revision, Session, TileKey,
        TileResult, list_bytes,
    },
};

/// Minimum distance of a tile; pictures that are requested individually are nearer.
const NEAREST: f32 = 0.01;

#[derive(Debug)]
pub(super) struct TilePictures {
    pictures: Cache<PictureKey, Picture>,
    time: Duration,
    blocks: BTreeMap<BlockId, Block>,
    last_revision: u64,
    /// Size of the largest picture so far, in bytes: this much is reserved for the next one.
    largest: usize,
    /// Remaining bytes of this pass.
    left: usize,
    /// The newest result when pictures of removed tiles were last dropped.
    newest: u64,
    /// The result of the last pass, if it was complete.
    kept: Option<KeptTiles>,
}

/// The result of a pass, which later frames with the same key draw again. Looking up the pictures of a thousand tiles
/// takes a tenth of a frame's time.
#[derive(Debug)]
struct KeptTiles {
    key: KeptKey,
    batches: Vec<Batch>,
    n_left_out: usize,
}

/// Everything that the pictures of tiles depend on: equal keys mean equal pictures.
#[derive(Clone, Debug, PartialEq)]
struct KeptKey {
    stage: StageView,
    display: DisplaySettings,
    revision: Revision,
    chosen_tile: Option<TileCoord>,
    /// Versions of the results, now and before.
    tiles: [Option<u64>; 2],
    n_leftovers: usize,
    /// Whether the navmesh is drawn layer by layer, now and before.
    has_layers: [bool; 2],
    divider: Option<f32>,
    shows_search: bool,
    /// Places from which the distances of tiles are measured.
    places: [Option<Vec3>; 2],
    coloring: u64,
    /// Version and budget of the pictures.
    pictures: (u64, usize),
}

/// Key of a picture: stage, serial number of the tile's result, and of its colors.
type PictureKey = (StageView, u64, u64);

#[derive(Clone, Debug)]
struct Picture {
    list: Arc<DrawList>,
    n_bytes: usize,
    born: Instant,
}

#[derive(Debug, Default)]
struct Block {
    members: Vec<PictureKey>,
    lists: Arc<[Arc<DrawList>]>,
    revision: u64,
    /// Number of the pass that drew it last.
    seen: u64,
}

struct VisibleTile {
    key: PictureKey,
    list: Arc<DrawList>,
    block: BlockId,
    distance: f32,
    fade: f32,
}

impl Default for TilePictures {
    fn default() -> Self {
        Self {
            pictures: Cache::new(usize::MAX),
            time: Duration::from_millis(12),
            blocks: BTreeMap::new(),
            last_revision: 0,
            largest: 0,
            left: 0,
            newest: 0,
            kept: None,
        }
    }
}

impl TilePictures {
    /// Starts a pass; drops pictures of removed tiles.
    pub(super) fn begin(&mut self, session: &Session) {
        self.left = self.pictures.room();
        let bake = &session.bake;
        if std::mem::replace(&mut self.newest, bake.last_serial()) == bake.last_serial() {
            return;
        }
        let before = bake.before.iter().flat_map(|before| before.tiles.values());
        let old = bake.leftovers.iter().map(|old| &old.result);
        let live: BTreeSet<u64> =
            bake.tiles.values().chain(old).chain(before).map(|tile| tile.serial).collect();
        self.pictures.retain(|(_, serial, _)| live.contains(serial));
    }

    /// Ends a pass; drops blocks that it did not draw.
    pub(super) fn end(&mut self, pass: DrawPass) {
        self.blocks.retain(|_, block| block.seen == pass.number);
    }

    fn gather(
        &mut self,
        seen: Vec<VisibleTile>,
        pass: DrawPass,
        opacity: impl Fn(&BlockId) -> f32,
        drawn: &mut DrawnPictures,
    ) {
        let mut blocks: BTreeMap<BlockId, Vec<VisibleTile>> = BTreeMap::new();
        for tile in seen {
            blocks.entry(tile.block).or_default().push(tile);
        }
        for (key, mut tiles) in blocks {
            tiles.sort_by_key(|tile| tile.key);
            let block = self.blocks.entry(key).or_default();
            block.seen = pass.number;
            if !block.members.iter().eq(tiles.iter().map(|tile| &tile.key)) {
                self.last_revision += 1;
                block.revision = self.last_revision;
                block.members = tiles.iter().map(|tile| tile.key).collect();
                block.lists = tiles.iter().map(|tile| Arc::clone(&tile.list)).collect();
            }
            let distance = tiles.iter().map(|tile| tile.distance).fold(f32::INFINITY, f32::min);
            drawn.batches.push(Batch {
                id: PictureId::Block(key),
                revision: block.revision,
                lists: Arc::clone(&block.lists),
                opacity: opacity(&key),
                half: key.half,
                under: false,
                distance,
            });
        }
    }
}

impl Pictures {
    pub fn set_budget(&mut self, budget: usize) {
        self.tiles.pictures.set_budget(budget);
    }

    /// Sets the time per frame for making pictures; the remaining ones follow in the next frame.
    pub fn set_time(&mut self, time: Duration) {
        self.tiles.time = time;
    }

    pub fn n_bytes(&self) -> usize {
        self.tiles.pictures.n_bytes()
    }

    /// Returns the key of what this frame draws; `None` if it has to be looked up: frames of an animation, and cells of
    /// layers.
    fn kept_key(&self, session: &Session) -> Option<KeptKey> {
        let (bake, display) = (&session.bake, &session.shown.display);
        let before = bake.before.as_ref();
        let has_layers =
            [bake.layered().is_some(), before.is_some_and(|before| before.layers.is_some())];
        let under = display.under.iter().map(|(stage, _)| *stage);
        let mut stages = under.chain([session.shown.stage]);
        let has_cells = has_layers[0] && stages.any(|stage| stage == StageView::Layers);
        if self.at_once || session.animation().is_some() || has_cells {
            return None;
        }
        Some(KeptKey {
            stage: session.shown.stage,
            display: display.clone(),
            revision: session.revision(),
            chosen_tile: session.shown.chosen_tile,
            tiles: [Some(bake.tiles.version()), before.map(|before| before.tiles.version())],
            n_leftovers: bake.leftovers.len(),
            has_layers,
            divider: session.divider(),
            shows_search: session.lab.drawn().next().is_some(),
            places: [
                session.shown.look.map(|look| look.target),
                session.tools.selection.map(|place| place.point),
            ],
            coloring: self.coloring.serial(),
            pictures: (self.tiles.pictures.version(), self.tiles.pictures.budget()),
        })
    }

    /// Draws the result of the last pass if nothing that it depends on has changed; returns whether it did.
    pub(super) fn draw_kept_tiles(&self, session: &Session, drawn: &mut DrawnPictures) -> bool {
        let Some(kept) = &self.tiles.kept else { return false };
        if self.kept_key(session).as_ref() != Some(&kept.key) {
            return false;
        }
        drawn.batches.extend(kept.batches.iter().cloned());
        drawn.n_left_out += kept.n_left_out;
        true
    }

    /// Keeps the result of this pass for the next frames, if it is complete.
    pub(super) fn keep_tiles(&mut self, session: &Session, drawn: &DrawnPictures) {
        let is_complete = !drawn.unfinished && drawn.wanted.is_empty();
        let key = self.kept_key(session).filter(|_| is_complete);
        self.tiles.kept = key.map(|key| KeptTiles {
            key,
            batches: drawn.batches.clone(),
            n_left_out: drawn.n_left_out,
        });
    }

    pub(super) fn draw_tiles(
        &mut self,
        session: &Session,
        layer: Layer,
        pass: DrawPass,
        drawn: &mut DrawnPictures,
    ) {
        let Layer { stage, under, .. } = layer;
        if session.opened.level.is_none() || stage == StageView::Input {
            return;
        }
        let animation =
            session.animation().filter(|animation| !under && animation.shown().is_some());
        if stage == StageView::Layers && session.bake.layered().is_some() && animation.is_none() {
            self.draw_cells(session, layer.opacity, drawn);
            return;
        }
        let shows_search = session.lab.drawn().next().is_some();
        let behind = if shows_search { BEHIND_SEARCH } else { 1.0 };
        let opacity = |block: &BlockId| {
            let stale = if block.is_stale { STALE_OPACITY } else { 1.0 };
            stale * behind * layer.opacity
        };
        let mut tiles = tiles(session, stage);
        let is_many = tiles.len() > MANY_TILES;
        let animation = animation.map(|animation| animation.serial);
        if tiles.iter().any(|shown| animation == Some(shown.tile.serial))
            && self.draw_animation(session, drawn)
        {
            tiles.retain(|shown| animation != Some(shown.tile.serial));
        }
        if is_many {
            tiles.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        }
        let seen = self.pictures_of(session, stage, &tiles, pass, drawn);
        let first = drawn.batches.len();
        if is_many {
            self.tiles.gather(seen, pass, opacity, drawn);
        } else {
            for VisibleTile { key: (stage, serial, revision), list, block, distance, fade } in seen
            {
                drawn.unfinished |= fade < 1.0;
                let id = PictureId::Tile(serial, stage);
                let (opacity, half) = (fade * opacity(&block), block.half);
                drawn.batches.push(Batch {
                    opacity,
                    half,
                    distance,
                    ..Batch::undivided(id, revision, list)
                });
            }
        }
        for batch in &mut drawn.batches[first..] {
            batch.under = under;
        }
    }

    /// Returns pictures of `tiles`, as many as time and memory allow.
    fn pictures_of(
        &mut self,
        session: &Session,
        stage: StageView,
        tiles: &[Shown<'_>],
        pass: DrawPass,
        drawn: &mut DrawnPictures,
    ) -> Vec<VisibleTile> {
        let colored = is_colored(stage, &session.shown.display);
        let revision = match stage::variant(stage, &session.shown.display) {
            0 if colored => self.coloring.serial(),
            variant => variant,
        };
        let by_region = colored && session.shown.display.color_by == ColorBy::Region;
        let needs_stages = stage.needs_stages() || by_region;
        let now = session.revision();
        let Some(level) = &session.opened.level else { return Vec::new() };
        let Self { tiles: store, coloring, at_once, .. } = self;
        let mut seen = Vec::new();
        for &Shown { tile, half, distance } in tiles {
            let key = (stage, tile.serial, revision);
            if !*at_once && store.left < store.largest {
                drawn.n_left_out += 1;
                continue;
            }
            let used = LastUse { pass: pass.number, distance };
            let kept = store.pictures.touch(&key, used).map(|picture| picture.clone());
            let picture = if let Some(picture) = kept {
                picture
            } else {
                if pass.clock.elapsed() > store.time && !*at_once {
                    drawn.unfinished = true;
                    continue;
                }
                let stages = session.bake.stages_of(tile).map(|stages| &**stages);
                if needs_stages && stages.is_none() && session.bake.can_bake_again(tile) {
                    drawn.wanted.push(TileKey::of(tile));
                    continue;
                }
                let list = if colored {
                    colored_picture(stage, coloring, (tile, stages))
                } else {
                    tile_picture(stage, level, (tile, stages), &session.shown.display)
                };
                let n_bytes = list_bytes(&list) + size_of::<DrawList>();
                store.largest = store.largest.max(n_bytes);
                let picture = Picture { list: Arc::new(list), n_bytes, born: pass.clock };
                store.pictures.insert(key, picture.clone(), n_bytes, used);
                picture
            };
            store.left = store.left.saturating_sub(picture.n_bytes);
            let age = pass.clock.duration_since(picture.born);
            let fade = (age.as_secs_f32() / FADE.as_secs_f32()).clamp(0.05, 1.0);
            seen.push(VisibleTile {
                key,
                list: picture.list,
                block: BlockId {
                    stage,
                    place: [tile.coord.x / BLOCK, tile.coord.z / BLOCK],
                    half,
                    is_stale: tile.revision != now && half != ViewHalf::Left,
                },
                distance,
                fade: if *at_once { 1.0 } else { fade },
            });
        }
        seen
    }
}

#[derive(Clone, Copy)]
struct Shown<'a> {
    tile: &'a TileResult,
    half: ViewHalf,
    distance: f32,
}

/// Returns the tiles to show at `stage`, with their half of the view. Tiles that are equal before and now are shown in
/// both. For a navmesh of layers, the tiles of the layers are shown instead.
fn tiles(session: &Session, stage: StageView) -> Vec<Shown<'_>> {
    let bake = &session.bake;
    let at_navmesh = stage == StageView::Navmesh;
    let is_layered = at_navmesh && bake.layered().is_some();
    let current = bake.chosen(session.shown.chosen_tile).map(|(_, tile)| tile);
    let current = current.filter(|_| !is_layered);
    let old = bake.leftovers.iter().map(|old| &old.result);
    let old = old.filter(|_| session.shown.chosen_tile.is_none() && !is_layered);
    let shown = |tile, half| Shown { tile, half, distance: session.distance_of(tile).max(NEAREST) };
    let mut tiles: Vec<_> = current.chain(old).map(|tile| shown(tile, ViewHalf::Both)).collect();
    let Some(before) = bake.before.as_ref().filter(|_| session.divider().is_some()) else {
        return tiles;
    };
    let kept = before.tiles.values().filter(|_| !at_navmesh || before.layers.is_none());
    let kept =
        kept.filter(|tile| session.shown.chosen_tile.is_none_or(|chosen| chosen == tile.coord));
    let kept: BTreeMap<u64, &TileResult> = kept.map(|tile| (tile.serial, tile)).collect();
    let now: BTreeSet<u64> = tiles.iter().map(|shown| shown.tile.serial).collect();
    for shown in &mut tiles {
        if !kept.contains_key(&shown.tile.serial) {
            shown.half = ViewHalf::Right;
        }
    }
    let gone = kept.into_iter().filter(|(serial, _)| !now.contains(serial));
    tiles.extend(gone.map(|(_, tile)| shown(tile, ViewHalf::Left)));
    tiles
}
