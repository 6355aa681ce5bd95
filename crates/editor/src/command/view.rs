//! Commands of the 3D view: what it shows and where it looks from.

use glam::Vec3;
use walkable::{geom::Aabb, ids::TileCoord, phrase};
use walkable_workspace::{lang::tr, stage_view::StageView};

use super::{
    CameraMove, Command, Effect,
    describe::{Description, says, variant_id},
    lower_first, requests,
};
use crate::{
    level_colors::LevelColors,
    prefs::Prefs,
    session::{Edit, Hover, SavedPlace, SceneItem, SelectedItems, Session, Side},
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    Stage(StageView),
    NextStage,
    PreviousStage,
    PlayStages,
    Tile(Option<TileCoord>),
    FrameAll,
    /// Moves the camera to the selected object, place or tile; without a selection, does what [`Self::FrameAll`] does.
    FrameSelected,
    Top,
    From(Side),
    ToggleOrthographic,
    ToggleGrid,
    ToggleOcclusion,
    ToggleAntiAliasing,
    /// Sets whether everything is drawn while the view moves.
    ToggleMovesWhole,
    ColorLevel(LevelColors),
    ToggleLegend,
    ToggleLevel,
    ToggleBacks,
    /// Saves the camera view under a name.
    Keep,
    /// Saves the selected place under a name.
    KeepPlace,
    /// Moves the camera to the saved view with this number.
    GoTo(usize),
    AskPlace,
    /// Adds the objects in the clipboard, or uses the positions in it.
    Paste,
    LookAt(Vec3),
    /// Loads the part of a level larger than memory around the selected place, or where the camera looks.
    WorkHere,
    /// Loads the part of a level larger than memory around this point.
    WorkAt(Vec3),
    /// Turns on or off that the loaded part of a level larger than memory follows the camera.
    TogglePartFollows,
    FramePart(usize),
    Measure(Option<[Vec3; 2]>),
}

impl ViewCommand {
    pub(super) fn listed() -> Vec<Command> {
        let plain = [
            Self::NextStage,
            Self::PreviousStage,
            Self::PlayStages,
            Self::Tile(None),
            Self::FrameAll,
            Self::FrameSelected,
            Self::Top,
            Self::ToggleOrthographic,
            Self::ToggleGrid,
            Self::ToggleOcclusion,
            Self::ToggleAntiAliasing,
            Self::ToggleMovesWhole,
            Self::ToggleLegend,
            Self::ToggleLevel,
            Self::ToggleBacks,
            Self::Keep,
            Self::KeepPlace,
            Self::AskPlace,
            Self::WorkHere,
            Self::TogglePartFollows,
            Self::Paste,
        ];
        let stages = StageView::ALL.map(Self::Stage);
        let sides = Side::ALL.iter().copied().map(Self::From);
        let colors = LevelColors::ALL.iter().copied().map(Self::ColorLevel);
        plain.into_iter().chain(sides).chain(stages).chain(colors).map(Command::from).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(self) -> Description {
        match self {
            Self::Stage(view) => says(
                format!("view.stage.{}", variant_id(view)),
                tr!("Show {}", lower_first(view.name())),
                view.what(),
            ),
            Self::NextStage => {
                says("view.next-stage", tr!("Next stage"), tr!("Shows the next stage of the bake"))
                    .needs(|session| session.shown.stage.next() != session.shown.stage, tr!("The last stage is shown."))
                    .key(Shortcut::plain(Key::Right))
            }
            Self::PreviousStage => says(
                "view.previous-stage",
                tr!("Previous stage"),
                tr!("Shows the previous stage of the bake"),
            )
            .needs(|session| session.shown.stage.previous() != session.shown.stage, tr!("The first stage is shown."))
            .key(Shortcut::plain(Key::Left)),
            Self::PlayStages => says(
                "view.play-stages",
                tr!("Play stages"),
                tr!("Shows the stages of the bake one after the other"),
            )
            .key(Shortcut::plain(Key::Space)),
            Self::Tile(Some(tile)) => says(
                format!("view.tile.{tile}"),
                tr!("Show tile {tile}"),
                tr!("Shows the stages of this tile only"),
            ),
            Self::Tile(None) => {
                says("view.all-tiles", tr!("Show all tiles"), tr!("Shows the stages of all tiles"))
                    .needs(|session| session.shown.chosen_tile.is_some(), tr!("All tiles are shown."))
                    .key(Shortcut::plain(Key::Char('A')))
            }
            Self::FrameAll => says(
                "view.frame-all",
                tr!("Frame all"),
                tr!("Moves the camera so that the whole level is visible"),
            )
            .key(Shortcut::plain(Key::Home)),
            Self::FrameSelected => says(
                "view.frame-selected",
                tr!("Frame selected"),
                tr!("Moves the camera to the selected object, place or tile; without one, to the whole level"),
            )
            .key(Shortcut::plain(Key::Char('F'))),
            Self::Top => {
                says("view.top", tr!("Top view"), tr!("Looks straight down at the whole level"))
                    .key(Shortcut::plain(Key::Home).with_shift())
            }
            Self::From(side) => {
                says(format!("view.from.{}", variant_id(side)), side.name(), side.what())
                    .key(Shortcut::ctrl(side.key()))
            }
            Self::ToggleOrthographic => says(
                "view.toggle-orthographic",
                tr!("Parallel projection"),
                tr!("Draws parallel lines parallel, for measuring by eye"),
            )
            .key(Shortcut::plain(Key::Char('P'))),
            Self::ToggleGrid => says("view.toggle-grid", tr!("Ground grid"), tr!("Shows or hides the grid"))
                .key(Shortcut::plain(Key::Char('G'))),
            Self::ToggleOcclusion => says(
                "view.toggle-ambient-occlusion",
                tr!("Ambient occlusion"),
                tr!("Darkens corners and creases of the level, so that depth is easier to see"),
            ),
            Self::ToggleAntiAliasing => says(
                "view.toggle-anti-aliasing",
                tr!("Anti-aliasing"),
                tr!("Smooths edges in the 3D view, with four samples per pixel"),
            ),
            Self::ToggleMovesWhole => says(
                "view.toggle-moves-whole",
                tr!("Full detail while moving"),
                tr!("Draws everything while the camera moves, even if that is slow; otherwise large levels are simplified meanwhile and, without a graphics card, drawn with fewer pixels"),
            ),
            Self::ColorLevel(by) => says(
                format!("view.level-colors.{}", by.key()),
                tr!("Color level by {}", lower_first(by.name())),
                by.what(),
            ),
            Self::ToggleLegend => says(
                "view.toggle-legend",
                tr!("Legend"),
                tr!("Shows or hides the meanings of the colors in the 3D view"),
            ),
            Self::ToggleLevel => says(
                "view.toggle-level",
                tr!("Level geometry"),
                tr!("Shows or hides the level's own triangles"),
            )
            .key(Shortcut::plain(Key::Char('H'))),
            Self::ToggleBacks => says(
                "view.toggle-backs",
                tr!("Back faces"),
                tr!("Shows or hides walls and ceilings seen from behind"),
            ),
            Self::Keep => says(
                "view.keep",
                tr!("Keep this view"),
                tr!("Adds the camera's position to the project's views"),
            )
            .needs(|session| session.shown.look.is_some(), tr!("Open a level first.")),
            Self::KeepPlace => says(
                "view.keep-place",
                tr!("Keep this place"),
                tr!("Adds the selected place to the project's list"),
            )
            .needs(|session| session.tools.selection.is_some(), tr!("Select a place first.")),
            Self::GoTo(number) => says(
                format!("view.go-to.{number}"),
                tr!("Go to view {}", number + 1),
                tr!("Moves the camera to a kept view"),
            ),
            Self::AskPlace => {
                says("view.ask-place", tr!("Go to…"), tr!("Moves the camera to a place, a tile or a polygon"))
                    .key(Shortcut::ctrl('G'))
            }
            Self::Paste => says(
                "view.paste",
                tr!("Paste"),
                tr!("Adds copied objects. From other text, such as a line of a log, takes positions: two are the ends of the path, one is selected. Ctrl+V over the 3D view does the same"),
            ),
            Self::LookAt(_) => {
                says("view.look-at", tr!("Go to a place"), tr!("Moves the camera to a place and selects it"))
            }
            Self::WorkHere => says(
                "view.work-here",
                tr!("Work here"),
                tr!("Loads the part of a level larger than memory around the selected place, or where the camera looks"),
            )
            .needs(|session| session.world().is_some() && place_to_work(session).is_some(), tr!("Open a level larger than memory first.")),
            Self::WorkAt(_) => says(
                "view.work-at",
                tr!("Work there"),
                tr!("Loads the part of a level larger than memory around a place"),
            )
            .needs(|session| session.world().is_some(), tr!("Open a level larger than memory first.")),
            Self::TogglePartFollows => says(
                "view.toggle-part-follows",
                tr!("Part follows the camera"),
                tr!("Loads the part of a level larger than memory where the camera looks, once it rests and no work is in progress"),
            ),
            Self::FramePart(_) => {
                says("view.frame-part", tr!("Show object"), tr!("Moves the camera to an object of the level"))
            }
            Self::Measure(_) => says("view.measure", tr!("Measure"), tr!("Measures between two places")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session, prefs: &mut Prefs) -> Option<Effect> {
        match self {
            Self::GoTo(number) => {
                let look = session.document().views.get(number)?.of;
                return Some(Effect::Camera(CameraMove::Look(look)));
            }
            Self::AskPlace => return Some(Effect::AskPlace),
            Self::Paste => return Some(Effect::Paste),
            Self::LookAt(point) => {
                session.tools.selection = Some(Hover { point, triangle: None });
                session.tools.selected_items = SelectedItems::default();
                let around = Vec3::splat(NEAR);
                let bounds = Aabb { min: point - around, max: point + around };
                return Some(Effect::Camera(CameraMove::Frame(bounds)));
            }
            Self::WorkHere => {
                let at = place_to_work(session)?;
                return requests::work_at(session, at).map(Effect::Work);
            }
            Self::WorkAt(at) => return requests::work_at(session, at).map(Effect::Work),
            Self::FramePart(part) => {
                let bounds = part_bounds(session, part)?;
                return Some(Effect::Camera(CameraMove::Frame(bounds)));
            }
            Self::FrameSelected => {
                let to = selected_bounds(session).map_or(CameraMove::FrameAll, CameraMove::Frame);
                return Some(Effect::Camera(to));
            }
            Self::FrameAll => return Some(Effect::Camera(CameraMove::FrameAll)),
            Self::Top => return Some(Effect::Camera(CameraMove::TopView)),
            Self::From(side) => return Some(Effect::Camera(CameraMove::From(side))),
            Self::ToggleOrthographic => {
                return Some(Effect::Camera(CameraMove::ToggleOrthographic));
            }
            Self::TogglePartFollows => prefs.part_follows = !prefs.part_follows,
            Self::ToggleGrid => prefs.grid = !prefs.grid,
            Self::ToggleOcclusion => prefs.ambient_occlusion = !prefs.ambient_occlusion,
            Self::ToggleAntiAliasing => {
                prefs.quality.anti_aliasing = !prefs.quality.anti_aliasing;
            }
            Self::ToggleMovesWhole => prefs.quality.moves_whole = !prefs.quality.moves_whole,
            Self::ColorLevel(by) => prefs.level_colors = by,
            Self::ToggleLegend => prefs.legend = !prefs.legend,
            Self::ToggleLevel => session.shown.show_level = !session.shown.show_level,
            Self::ToggleBacks => session.shown.show_backs = !session.shown.show_backs,
            Self::Stage(stage) => (session.shown.stage, session.shown.playing) = (stage, false),
            Self::NextStage => {
                (session.shown.stage, session.shown.playing) = (session.shown.stage.next(), false);
            }
            Self::PreviousStage => {
                (session.shown.stage, session.shown.playing) =
                    (session.shown.stage.previous(), false);
            }
            Self::PlayStages => session.toggle_play(),
            Self::Tile(tile) => session.shown.chosen_tile = tile,
            Self::Measure(places) => session.tools.measured = places,
            Self::Keep => keep(session),
            Self::KeepPlace => keep_place(session),
        }
        None
    }
}

fn place_to_work(session: &Session) -> Option<Vec3> {
    let selected = session.tools.selection.map(|place| place.point);
    selected.or_else(|| session.shown.look.map(|look| look.target))
}

/// Half of the visible size around a place to which the camera moves, in meters.
const NEAR: f32 = 4.0;

/// Returns the bounds of the selection, with a margin that shows its surroundings.
fn selected_bounds(session: &Session) -> Option<Aabb> {
    let items = session.items().into_iter();
    let item = items
        .filter_map(|item| item.bounds_in(session.document()))
        .reduce(|all, one| Aabb { min: all.min.min(one.min), max: all.max.max(one.max) });
    let place = || session.tools.selection.map(|place| Aabb { min: place.point, max: place.point });
    let with_room = |around: Aabb, room: f32| {
        let room = Vec3::splat(room);
        Aabb { min: around.min - room, max: around.max + room }
    };
    let tile = || {
        let plan = session.bake.plan.as_deref()?;
        session.shown.chosen_tile.map(|tile| plan.tile_bounds(tile))
    };
    let item = item.map(|item| with_room(item, 0.5 * NEAR));
    item.or_else(|| place().map(|place| with_room(place, NEAR))).or_else(tile)
}

fn part_bounds(session: &Session, part: usize) -> Option<Aabb> {
    let mesh = &session.opened.level.as_ref()?.mesh;
    let triangles = mesh.parts().get(part)?.triangles.clone();
    let corners = triangles.flat_map(|triangle| mesh.corners(triangle as usize));
    let bounds = Aabb::around(corners);
    (!bounds.is_empty()).then_some(bounds)
}

fn keep_place(session: &mut Session) {
    let Some(Hover { point: at, .. }) = session.tools.selection else { return };
    let mut places = session.document().places.clone();
    places.push(SavedPlace { at }.into());
    let item = SceneItem::Place(places.len() - 1);
    session.history.change(phrase!("Keep place"), |document| Edit::Places(places).apply(document));
    session.tools.selected_items = item.into();
}

fn keep(session: &mut Session) {
    let Some(look) = session.shown.look else { return };
    let mut views = session.document().views.clone();
    views.push(look.into());
    let item = SceneItem::View(views.len() - 1);
    session.history.change(phrase!("Keep view"), |document| Edit::Views(views).apply(document));
    session.tools.selected_items = item.into();
}
