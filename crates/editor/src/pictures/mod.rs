//! Pictures of the results of stages, tile by tile, cached while they are shown.

mod batch;
mod breaks;
mod cells;
mod navmesh;
mod overlays;
mod stage;
#[cfg(test)]
mod tests;
mod tiles;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

pub use batch::{Batch, BlockId, PictureId, ViewHalf};
use glam::Vec3;
pub use stage::{is_colored, level_opacity};
use walkable::{
    debug_draw::{self, DrawList, Paint},
    navmesh::NavMesh,
};
use walkable_workspace::{stage_view::StageView, store_route::WorldRoute};
use web_time::Instant;

use self::{overlays::DrawnOverlay, tiles::TilePictures};
use crate::{
    cluster_map::ClusterMap,
    coloring::Coloring,
    session::{PathAnswer, PathShow, Session, TileKey},
};

const FADE: Duration = Duration::from_millis(120);
const STALE_OPACITY: f32 = 0.4;
/// Opacity of the path at stages that come before the navmesh.
const EARLY_PATH: f32 = 0.25;
/// Opacity of results behind a search of the lab.
const BEHIND_SEARCH: f32 = 0.12;

#[derive(Debug, Default)]
pub struct Pictures {
    /// Whether to build everything now, ignoring the frame budget.
    at_once: bool,
    tiles: TilePictures,
    n_passes: u64,
    clusters: ClusterMap,
    coloring: Coloring,
    animation: Option<(AnimationKey, Arc<DrawList>)>,
    animation_revision: u64,
    imported: Option<([u64; 2], Vec<navmesh::ImportedBlock>)>,
    path: Option<(PathKey, Arc<DrawList>)>,
    path_revision: u64,
    breaks: Option<breaks::BreakPictures>,
    lab: Option<(LabKey, Vec<Arc<DrawList>>)>,
    lab_revision: u64,
    /// Pictures of the tiles of layers, by the serial numbers of tile and colors.
    layers: BTreeMap<(u64, u64), Arc<DrawList>>,
    island: Option<(IslandKey, Arc<DrawList>)>,
    island_revision: u64,
    /// Picture of the changes, by their serial number and whether there is a divider.
    changes: Option<(u64, Arc<DrawList>)>,
    /// Picture of the finding, by the serial numbers of the check and of the navmesh.
    finding: Option<(u64, Arc<DrawList>)>,
    /// Picture of the removed tiles, by their serial numbers.
    removed: Option<(Vec<u64>, Arc<DrawList>)>,
    removed_revision: u64,
    cells: BTreeMap<cells::CellsKey, Arc<DrawList>>,
    overlays: BTreeMap<DrawnOverlay, (overlays::OverlayKey, u64, Arc<DrawList>)>,
    overlays_revision: u64,
    /// Picture of the highlighted part, by the level's serial number and the part's index.
    part: Option<((u64, usize), Arc<DrawList>)>,
}

/// Key of a picture: stage, serial number of the tile's result, step.
type AnimationKey = (StageView, u64, usize);

/// Key of a picture: equal keys mean equal pictures.
type PathKey = (u64, Option<u64>, PathShow, Option<usize>, u32);

type LabKey = (u64, Option<usize>);

/// Key of a picture: the navmesh's serial number and a point on the island.
type IslandKey = (u64, Vec3);

/// Settings that draw nothing of the path.
const NOTHING: PathShow =
    PathShow { corridor: false, portals: false, expanded: false, line: false, breaks: false };

/// Returns which parts of the path are drawn. Corridor, portals and searched polygons are drawn only at the stages that draw
/// polygons; nothing is drawn while a search of the lab or a query is shown.
pub fn shown_path(session: &Session) -> PathShow {
    if session.path.answer.is_none()
        || session.lab.drawn().next().is_some()
        || session.shows_query()
    {
        return NOTHING;
    }
    let show = session.path.show;
    if session.shown_route().is_some() {
        // Only the line of a route is known.
        return PathShow { corridor: false, portals: false, expanded: false, ..show };
    }
    if has_polygons(session.shown.stage) {
        show
    } else {
        PathShow { corridor: false, portals: false, expanded: false, ..show }
    }
}

const fn has_polygons(stage: StageView) -> bool {
    matches!(stage, StageView::Polygons | StageView::Detail | StageView::Navmesh)
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    stage: StageView,
    opacity: f32,
    under: bool,
}

#[derive(Clone, Copy, Debug)]
struct DrawPass {
    clock: Instant,
    number: u64,
}

#[derive(Debug, Default)]
pub struct DrawnPictures {
    /// Pictures, in drawing order.
    pub batches: Vec<Batch>,
    /// Whether the next frame differs even if nothing else happens.
    pub unfinished: bool,
    /// Tiles whose stages are missing for pictures, the nearest first.
    pub wanted: Vec<TileKey>,
    pub n_left_out: usize,
}

impl Pictures {
    /// Draws everything that `session` shows, ignoring the frame budget and fading.
    pub fn draw_at_once(session: &Session) -> Vec<Batch> {
        let mut pictures = Self { at_once: true, ..Self::default() };
        pictures.draw(session).batches
    }

    pub fn draw(&mut self, session: &Session) -> DrawnPictures {
        let mut drawn = DrawnPictures::default();
        self.clusters.follow(session);
        self.coloring.follow(session, &self.clusters);
        self.draw_stages(session, &mut drawn);
        self.forget_cells(session);
        self.draw_layers(session, &mut drawn);
        self.draw_imported(session, &mut drawn);
        self.draw_path(session, &mut drawn);
        self.draw_breaks(session, &mut drawn);
        self.draw_lab(session, &mut drawn);
        self.draw_part(session, &mut drawn);
        self.draw_island(session, &mut drawn);
        self.draw_changes(session, &mut drawn);
        self.draw_finding(session, &mut drawn);
        self.draw_removed(session, &mut drawn);
        self.draw_overlays(session, &mut drawn);
        navmesh::draw_other_agents(session, &mut drawn);
        drawn
    }

    fn draw_stages(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        if self.draw_kept_tiles(session, drawn) {
            return;
        }
        self.n_passes += 1;
        let pass = DrawPass { clock: Instant::now(), number: self.n_passes };
        self.tiles.begin(session);
        let under =
            session.shown.display.under.iter().filter(|(stage, _)| *stage != session.shown.stage);
        for &(stage, opacity) in under {
            self.draw_tiles(session, Layer { stage, opacity, under: true }, pass, drawn);
        }
        let shown = Layer {
            stage: session.shown.stage,
            opacity: session.shown.display.stage,
            under: false,
        };
        self.draw_tiles(session, shown, pass, drawn);
        self.tiles.end(pass);
        self.keep_tiles(session, drawn);
    }

    fn draw_part(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let Some((level, part)) = session.opened.level.as_ref().zip(session.shown.display.part)
        else {
            self.part = None;
            return;
        };
        let key = (level.serial, part);
        let kept = self.part.take().filter(|(old, _)| *old == key);
        let (_, list) = kept.unwrap_or_else(|| (key, Arc::new(stage::part(level, part))));
        self.part = Some((key, Arc::clone(&list)));
        let revision = (level.serial << 32) | part as u64;
        drawn.batches.push(Batch { under: true, ..undivided(PictureId::Part, revision, list) });
    }

    fn draw_changes(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let revision = 2 * session.changes.serial + u64::from(session.divider().is_some());
        let kept = self.changes.take().filter(|(old, _)| *old == revision);
        let drawn_now = || Some((revision, Arc::new(session.changes_picture()?)));
        self.changes = kept.or_else(drawn_now);
        if let Some((_, list)) = &self.changes {
            drawn.batches.push(undivided(PictureId::Changes, revision, Arc::clone(list)));
        }
    }

    fn draw_finding(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let navmesh = session.current_bake().navmesh_serial;
        let revision = session.check.serial.rotate_left(32) ^ navmesh;
        let kept = self.finding.take().filter(|(old, _)| *old == revision);
        let drawn_now = || Some((revision, Arc::new(session.finding_picture()?)));
        self.finding = kept.or_else(drawn_now);
        if let Some((_, list)) = &self.finding {
            drawn.batches.push(undivided(PictureId::Finding, revision, Arc::clone(list)));
        }
    }

    fn draw_lab(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        if session.lab.rows.is_empty() || session.lab.is_hidden {
            self.lab = None;
            return;
        }
        let key = (session.lab.serial, session.lab.replay.step);
        if self.lab.as_ref().is_none_or(|(old, _)| *old != key) {
            self.lab_revision += 1;
            self.lab = Some((key, session.lab.pictures()));
        }
        let Some((_, lists)) = &self.lab else { return };
        let halves: &[ViewHalf] =
            if lists.len() > 1 { &[ViewHalf::Left, ViewHalf::Right] } else { &[ViewHalf::Both] };
        for (list, &half) in lists.iter().zip(halves) {
            let batch = undivided(PictureId::Search(half), self.lab_revision, Arc::clone(list));
            drawn.batches.push(Batch { half, ..batch });
        }
    }

    /// Draws the current frame of the animation, or the previous one until the current one is ready. Returns whether it
    /// drew a frame.
    fn draw_animation(&mut self, session: &Session, drawn: &mut DrawnPictures) -> bool {
        let Some((animation, step)) =
            session.animation().and_then(|animation| Some((animation, animation.shown()?)))
        else {
            return false;
        };
        let key = (animation.view, animation.serial, step);
        let is_shown = self.animation.as_ref().is_some_and(|(old, _)| *old == key);
        if let Some(frame) = session.shown.animation_frames.frame(step).filter(|_| !is_shown) {
            self.animation_revision += 1;
            self.animation = Some((key, Arc::clone(frame)));
        }
        let Some((_, list)) = self
            .animation
            .as_ref()
            .filter(|((view, serial, _), _)| (*view, *serial) == (key.0, key.1))
        else {
            return false;
        };
        let (opacity, list) = (session.shown.display.stage, Arc::clone(list));
        drawn.batches.push(Batch {
            opacity,
            ..undivided(PictureId::Animation, self.animation_revision, list)
        });
        true
    }

    fn draw_path(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let answer = session.path.answer.as_ref();
        let Some((answer, navmesh)) = answer.zip(session.bake.navmesh.as_deref()) else {
            self.path = None;
            return;
        };
        let show = shown_path(session);
        // The route is more complete than the path, which ends where the loaded tiles end.
        let route = session.shown_route().filter(|_| show.line);
        let serial = route.map(|_| session.route.serial);
        let rise = path_rise(session);
        let key = (answer.serial, serial, show, session.path.replay.step, rise.to_bits());
        if self.path.as_ref().is_none_or(|(old, ..)| *old != key) {
            self.path_revision += 1;
            let mut list =
                path_picture(session, (answer, navmesh), show, route.map(|route| &**route));
            raise(&mut list, rise);
            self.path = Some((key, Arc::new(list)));
        }
        if let Some((_, list)) = &self.path {
            let (revision, list) = (self.path_revision, Arc::clone(list));
            let half = ViewHalf::of_shown(session);
            let opacity = if has_polygons(session.shown.stage) { 1.0 } else { EARLY_PATH };
            if half == ViewHalf::Right
                && let Some((serial, before)) = session.path_before_preview()
            {
                let before = undivided(PictureId::PathBefore, serial, Arc::clone(before));
                drawn.batches.push(Batch { half: ViewHalf::Left, opacity, ..before });
            }
            let path = undivided(PictureId::Path, revision, list);
            drawn.batches.push(Batch { opacity, half, ..path });
        }
    }
}

fn path_picture(
    session: &Session,
    (answer, navmesh): (&PathAnswer, &NavMesh),
    show: PathShow,
    route: Option<&WorldRoute>,
) -> DrawList {
    let mut list = DrawList::default();
    if let Some(step) = session.path.replay.step {
        list.append(debug_draw::search_step(navmesh, &answer.expanded, step));
    }
    let is_hidden = session.path.replay.step.is_some() || route.is_some();
    let show = if is_hidden { NOTHING } else { show };
    list.append(route.map(WorldRoute::picture).unwrap_or_default());
    if show.expanded {
        list.append(debug_draw::expanded(navmesh, &answer.expanded));
    }
    // Drawn above the polygons that were only searched.
    if show.corridor {
        list.append(debug_draw::corridor(navmesh, &answer.path.corridor));
    }
    if show.portals {
        list.append(debug_draw::portals(&answer.path.portals));
    }
    let second = session.path.second_answer.as_ref().filter(|_| show.line);
    if let Some(second) = second {
        list.append(debug_draw::path_line(&second.path, Paint::OtherPath));
    }
    if show.line {
        list.append(debug_draw::path(&answer.path));
        let (path, wanted) = (&answer.path, &session.path);
        // Ends off the navmesh are drawn at the requested points.
        for (found, wanted, paint) in
            [(path.start, wanted.start, Paint::Start), (path.end, wanted.end, Paint::End)]
        {
            if let (None, Some(wanted)) = (found, wanted) {
                list.point(wanted, 16.0, paint);
            }
        }
    }
    list
}

/// Returns the height by which the path is raised, in meters: the detail mesh is up to a cell above the navmesh.
fn path_rise(session: &Session) -> f32 {
    let plan = session.bake.plan.as_ref().filter(|_| session.shown.stage == StageView::Detail);
    plan.map_or(0.0, |plan| plan.params().cell_height)
}

fn raise(list: &mut DrawList, by: f32) {
    let corners = list.triangles.iter_mut().flat_map(|triangle| &mut triangle.corners);
    let ends = list.lines.iter_mut().flat_map(|line| [&mut line.a, &mut line.b]);
    let centers = list.points.iter_mut().map(|point| &mut point.at);
    corners.chain(ends).chain(centers).for_each(|place| place.y += by);
}

fn undivided(id: PictureId, revision: u64, list: Arc<DrawList>) -> Batch {
    Batch::undivided(id, revision, list)
}
