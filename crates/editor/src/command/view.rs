//! Commands of the 3D view: what it shows and where it looks from.

use glam::Vec3;
use walkable::ids::TileCoord;

use super::{
    Command, Key, Shortcut,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::session::StageView;

/// A command for what the 3D view shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    /// Shows this stage.
    Stage(StageView),
    /// Shows the next stage of the pipeline.
    NextStage,
    /// Shows the stage before.
    PreviousStage,
    /// Shows stage after stage.
    PlayStages,
    /// Shows one tile, or all.
    Tile(Option<TileCoord>),
    /// Moves the camera so that everything is seen.
    FrameAll,
    /// Moves the camera to what is selected: a thing, a place, a tile.
    FrameSelected,
    /// Looks straight down.
    Top,
    /// Keeps parallel lines parallel, or not.
    ToggleOrthographic,
    /// Shows or hides the ground grid.
    ToggleGrid,
    /// Shows or hides the level's own triangles.
    ToggleLevel,
    /// Shows or hides faces that are seen from behind.
    ToggleBacks,
    /// Keeps where the camera looks from under a name.
    Keep,
    /// Keeps the selected place under a name.
    KeepPlace,
    /// Looks from the view kept under this number.
    GoTo(usize),
    /// Asks for a place to go to.
    AskPlace,
    /// Goes near this place and selects it.
    LookAt(Vec3),
    /// Shows this part of the level, by index, from near.
    FramePart(usize),
    /// Takes note of what the measure tool measures between.
    Measure(Option<[Vec3; 2]>),
}

impl ViewCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
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
            Self::ToggleLevel,
            Self::ToggleBacks,
            Self::Keep,
            Self::KeepPlace,
            Self::AskPlace,
        ];
        let stages = StageView::ALL.map(Self::Stage);
        plain.into_iter().chain(stages).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Stage(view) => says(
                format!("view.stage.{}", variant_id(view)),
                format!("Show {}", lower_first(view.name())),
                view.what(),
            ),
            Self::NextStage => {
                says("view.next-stage", "Next stage", "Shows the next stage of the bake")
                    .needs(|session| session.stage.next() != session.stage)
                    .key(Shortcut::plain(Key::Right))
            }
            Self::PreviousStage => says(
                "view.previous-stage",
                "Previous stage",
                "Shows the previous stage of the bake",
            )
            .needs(|session| session.stage.previous() != session.stage)
            .key(Shortcut::plain(Key::Left)),
            Self::PlayStages => says(
                "view.play-stages",
                "Play stages",
                "Shows the stages of the bake one after the other",
            )
            .key(Shortcut::plain(Key::Space)),
            Self::Tile(Some(tile)) => says(
                format!("view.tile.{tile}"),
                format!("Show tile {tile}"),
                "Shows the stages of this tile only",
            ),
            Self::Tile(None) => {
                says("view.all-tiles", "Show all tiles", "Shows the stages of all tiles")
                    .needs(|session| session.chosen_tile.is_some())
                    .key(Shortcut::plain(Key::Char('A')))
            }
            Self::FrameAll => says(
                "view.frame-all",
                "Frame all",
                "Moves the camera so that the whole level is visible",
            )
            .key(Shortcut::plain(Key::Char('F'))),
            Self::FrameSelected => says(
                "view.frame-selected",
                "Frame selected",
                "Moves the camera to the selected object, place or tile",
            )
            .needs(|session| {
                session.selection.is_some()
                    || session.thing().is_some()
                    || session.chosen_tile.is_some()
            })
            .key(Shortcut::plain(Key::Char('F')).with_shift()),
            Self::Top => {
                says("view.top", "Top view", "Looks straight down").key(Shortcut::plain(Key::Home))
            }
            Self::ToggleOrthographic => says(
                "view.toggle-orthographic",
                "Parallel projection",
                "Draws parallel lines parallel, for measuring by eye",
            )
            .key(Shortcut::plain(Key::Char('P'))),
            Self::ToggleGrid => says("view.toggle-grid", "Ground grid", "Shows or hides the grid")
                .key(Shortcut::plain(Key::Char('G'))),
            Self::ToggleLevel => says(
                "view.toggle-level",
                "Level geometry",
                "Shows or hides the level's own triangles",
            )
            .key(Shortcut::plain(Key::Char('H'))),
            Self::ToggleBacks => says(
                "view.toggle-backs",
                "Back faces",
                "Shows or hides walls and ceilings seen from behind",
            ),
            Self::Keep => says(
                "view.keep",
                "Keep this view",
                "Adds the camera's position to the project's views",
            )
            .needs(|session| session.look.is_some()),
            Self::KeepPlace => says(
                "view.keep-place",
                "Keep this place",
                "Adds the selected place to the project's list",
            )
            .needs(|session| session.selection.is_some()),
            Self::GoTo(number) => says(
                format!("view.go-to.{number}"),
                format!("Go to view {}", number + 1),
                "Moves the camera to a kept view",
            ),
            Self::AskPlace => {
                says("view.ask-place", "Go to…", "Moves the camera to a place, a tile or a polygon")
                    .key(Shortcut::ctrl('G'))
            }
            Self::LookAt(_) => {
                says("view.look-at", "Go to a place", "Moves the camera to a place and selects it")
            }
            Self::FramePart(_) => {
                says("view.frame-part", "Show object", "Moves the camera to an object of the level")
            }
            Self::Measure(_) => says("view.measure", "Measure", "Measures between two places"),
        }
    }
}

impl From<ViewCommand> for Command {
    fn from(command: ViewCommand) -> Self {
        Self::View(command)
    }
}
