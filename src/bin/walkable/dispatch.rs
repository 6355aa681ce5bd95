//! Carries out commands. The only place that changes the session; what reaches beyond it (files, the
//! camera, dialogs, threads) is handed back as an [`Effect`].

use std::path::PathBuf;

use walkable::bake::BakeSettings;

use crate::{
    command::{Command, ExportKind},
    prefs::Prefs,
    session::{Edit, LevelSource, Session},
};

/// What a command asks of the program around the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Ask for a file to open.
    AskOpen,
    /// Open this level or navmesh.
    Load(LevelSource),
    /// Show the import options.
    ImportOptions,
    /// Ask where to write.
    AskExport(ExportKind),
    /// Write.
    Export(ExportKind, PathBuf),
    /// Bake now.
    Bake,
    /// Stop baking.
    CancelBake,
    /// Move the camera.
    Camera(CameraMove),
    /// Show the list of commands.
    Palette,
    /// Back out one step.
    Back,
    /// Forget the sizes of panels.
    ResetLayout,
    /// End the program.
    Quit,
}

/// What the camera can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameraMove {
    /// See everything.
    FrameAll,
    /// Look straight down.
    TopView,
    /// Switch between parallel and perspective.
    ToggleOrthographic,
}

/// Carries out `command`.
pub(crate) fn dispatch(
    session: &mut Session,
    prefs: &mut Prefs,
    command: Command,
) -> Option<Effect> {
    match command {
        Command::Open => return Some(Effect::AskOpen),
        Command::Load(source) => return Some(Effect::Load(source)),
        Command::LoadText(path) => return Some(Effect::Load(LevelSource::File(path.into()))),
        Command::ImportOptions => return Some(Effect::ImportOptions),
        Command::Export(kind) => return Some(Effect::AskExport(kind)),
        Command::ExportTo(kind, path) => return Some(Effect::Export(kind, path)),
        Command::Quit => return Some(Effect::Quit),
        Command::Bake => return Some(Effect::Bake),
        Command::CancelBake => return Some(Effect::CancelBake),
        Command::FrameAll => return Some(Effect::Camera(CameraMove::FrameAll)),
        Command::TopView => return Some(Effect::Camera(CameraMove::TopView)),
        Command::ToggleOrthographic => {
            return Some(Effect::Camera(CameraMove::ToggleOrthographic));
        }
        Command::Palette => return Some(Effect::Palette),
        Command::Back => return Some(Effect::Back),
        Command::ResetLayout => {
            prefs.reset_layout();
            return Some(Effect::ResetLayout);
        }
        Command::ToggleAutoBake => prefs.auto_bake = !prefs.auto_bake,
        Command::ToggleGrid => prefs.grid = !prefs.grid,
        Command::TogglePanels => prefs.panels = !prefs.panels,
        Command::ShowDrawer(tab) => prefs.show_drawer(tab),
        Command::ToggleTheme => prefs.light = !prefs.light,
        Command::ZoomIn => prefs.zoom_in(),
        Command::ZoomOut => prefs.zoom_out(),
        command => change(session, command),
    }
    None
}

/// Commands that concern the session alone.
fn change(session: &mut Session, command: Command) {
    match command {
        Command::Undo => drop(session.history.undo()),
        Command::Redo => drop(session.history.redo()),
        Command::Begin(label) => session.history.begin(label),
        Command::Apply(edit) => session.history.change("Change", |document| edit.apply(document)),
        Command::Commit => session.history.commit(),
        Command::Abort => session.history.abort(),
        Command::Change(label, edit) => {
            session.history.change(label, |document| edit.apply(document));
        }
        Command::ResetSettings => {
            let defaults = Edit::Settings(Box::new(BakeSettings::default()));
            session.history.change("Reset settings", |document| defaults.apply(document));
        }
        Command::ShowStage(stage) => (session.stage, session.playing) = (stage, false),
        Command::NextStage => (session.stage, session.playing) = (session.stage.next(), false),
        Command::PreviousStage => {
            (session.stage, session.playing) = (session.stage.previous(), false);
        }
        Command::PlayStages => session.toggle_play(),
        Command::ChooseTile(tile) => session.chosen_tile = tile,
        Command::ToggleLevel => session.show_level = !session.show_level,
        Command::ChooseTool(kind) => session.tool = kind,
        Command::Hover(hover) => session.hover = hover,
        Command::Select(place) => session.selection = place,
        command => change_path(session, command),
    }
}

/// Commands of the path tool.
fn change_path(session: &mut Session, command: Command) {
    match command {
        Command::PathStart(point) => session.path.start = Some(point),
        Command::PathEnd(point) => session.path.end = Some(point),
        Command::SwapPath => std::mem::swap(&mut session.path.start, &mut session.path.end),
        Command::ClearPath => session.path.forget(),
        Command::SetFilter(filter) => session.path.filter = *filter,
        Command::ShowPath(show) => session.path.show = show,
        // `dispatch` and `change` have taken all others.
        _ => return,
    }
    session.update_path();
}
