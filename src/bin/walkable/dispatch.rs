//! Carries out commands. The only place that changes the session; what reaches beyond it (files, the
//! camera, dialogs, threads) is handed back as an [`Effect`].

use std::path::PathBuf;

use crate::{
    command::{Command, ExportKind, Pane, ToolKind, lower_first},
    prefs::Prefs,
    session::{Edit, LevelSource, Look, Proposals, SavedPath, Session, Thing},
};

/// What a command asks of the program around the session.
#[derive(Clone, Debug, PartialEq)]
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
    /// Compare searches.
    RunLab,
    /// Look for links.
    ProposeLinks,
    /// Move the camera.
    Camera(CameraMove),
    /// Show the list of commands.
    Palette,
    /// Back out one step.
    Back,
    /// Bring a panel to the front, or close it.
    ShowPanel(Pane),
    /// Put panels where they were at first.
    ResetLayout,
    /// End the program.
    Quit,
}

/// What the camera can be asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CameraMove {
    /// See everything.
    FrameAll,
    /// Look straight down.
    TopView,
    /// Look from here.
    Look(Look),
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
        Command::Save => {
            return Some(match session.project.clone() {
                Some(path) => Effect::Export(ExportKind::Project, path),
                None => Effect::AskExport(ExportKind::Project),
            });
        }
        Command::SaveAs => return Some(Effect::AskExport(ExportKind::Project)),
        Command::ImportOptions => return Some(Effect::ImportOptions),
        Command::Export(kind) => return Some(Effect::AskExport(kind)),
        Command::ExportTo(kind, path) => return Some(Effect::Export(kind, path)),
        Command::Quit => return Some(Effect::Quit),
        Command::Bake => return Some(Effect::Bake),
        Command::RunLab => return Some(Effect::RunLab),
        Command::ProposeLinks => {
            session.tool = ToolKind::Link;
            return Some(Effect::ProposeLinks);
        }
        Command::CancelBake => return Some(Effect::CancelBake),
        Command::GoToView(number) => {
            let look = session.document().views.get(number)?.of;
            return Some(Effect::Camera(CameraMove::Look(look)));
        }
        Command::FrameAll => return Some(Effect::Camera(CameraMove::FrameAll)),
        Command::TopView => return Some(Effect::Camera(CameraMove::TopView)),
        Command::ToggleOrthographic => {
            return Some(Effect::Camera(CameraMove::ToggleOrthographic));
        }
        Command::Palette => return Some(Effect::Palette),
        Command::Back => return Some(Effect::Back),
        Command::ResetLayout => {
            prefs.panels = true;
            return Some(Effect::ResetLayout);
        }
        Command::ToggleAutoBake => prefs.auto_bake = !prefs.auto_bake,
        Command::ToggleGrid => prefs.grid = !prefs.grid,
        Command::TogglePanels => prefs.panels = !prefs.panels,
        Command::ShowPanel(pane) => {
            // Folded panels come back first, as they were.
            let folded = !std::mem::replace(&mut prefs.panels, true);
            return (!folded).then_some(Effect::ShowPanel(pane));
        }
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
            let defaults = Edit::Settings(Box::default());
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
        Command::ToggleBacks => session.show_backs = !session.show_backs,
        Command::ChooseTool(kind) => session.tool = kind,
        Command::Hover(hover) => session.hover = hover,
        Command::Select(place) => (session.selection, session.thing) = (place, None),
        Command::NextVolume(new) => session.new_volume = new,
        Command::ChooseThing(thing) => {
            (session.selection, session.thing) = (None, thing);
            take_path(session);
        }
        Command::AcceptLinks(number) => accept_links(session, number),
        Command::DismissLinks => session.proposals = Proposals::default(),
        Command::SetLab(settings) => session.lab.settings = settings,
        Command::ChooseSearcher(searcher) => {
            session.lab.chosen = searcher;
            session.lab.serial += 1;
        }
        Command::Measure(places) => session.measured = places,
        Command::KeepPath => keep_path(session),
        Command::KeepView => keep_view(session),
        Command::DeleteThing | Command::DuplicateThing => change_thing(session, &command),
        command => change_path(session, command),
    }
}

/// Commands for what is chosen.
fn change_thing(session: &mut Session, command: &Command) {
    let Some(thing) = session.thing() else { return };
    let name = lower_first(&thing.name(session.document()));
    let (label, edit, chosen) = if *command == Command::DeleteThing {
        (format!("Delete {name}"), thing.removed_from(session.document()), None)
    } else {
        let Some((edit, copy)) = thing.doubled_in(session.document()) else { return };
        (format!("Duplicate {name}"), edit, Some(copy))
    };
    session.history.change(label, |document| edit.apply(document));
    session.thing = chosen;
}

/// Places one proposed link, or all.
fn accept_links(session: &mut Session, number: Option<usize>) {
    let list = &mut session.proposals.list;
    let accepted: Vec<_> = match number {
        None => std::mem::take(list),
        Some(number) if number < list.len() => vec![list.remove(number)],
        Some(_) => return,
    };
    if accepted.is_empty() {
        return;
    }
    let edit = session.with_proposals(&accepted);
    let links = if accepted.len() == 1 { "link" } else { "links" };
    let label = format!("Accept {} {links}", accepted.len());
    session.history.change(label, |document| edit.apply(document));
}

/// Keeps the path's two ends.
fn keep_path(session: &mut Session) {
    let (Some(start), Some(end)) = (session.path.start, session.path.end) else { return };
    let mut paths = session.document().paths.clone();
    paths.push(SavedPath { start, end }.into());
    let thing = Thing::Path(paths.len() - 1);
    session.history.change("Keep path", |document| Edit::Paths(paths).apply(document));
    session.thing = Some(thing);
}

/// Keeps where the 3D view looks from.
fn keep_view(session: &mut Session) {
    let Some(look) = session.look else { return };
    let mut views = session.document().views.clone();
    views.push(look.into());
    let thing = Thing::View(views.len() - 1);
    session.history.change("Keep view", |document| Edit::Views(views).apply(document));
    session.thing = Some(thing);
}

/// Takes up what was chosen, where that is a path.
fn take_path(session: &mut Session) {
    let Some(Thing::Path(number)) = session.thing() else { return };
    if let Some(SavedPath { start, end }) = session.document().paths.get(number).map(|it| it.of) {
        (session.path.start, session.path.end) = (Some(start), Some(end));
        session.update_path();
    }
}

/// Commands of the path tool.
fn change_path(session: &mut Session, command: Command) {
    match command {
        Command::PathStart(point) => session.path.start = Some(point),
        Command::PathEnd(point) => session.path.end = Some(point),
        Command::SwapPath => std::mem::swap(&mut session.path.start, &mut session.path.end),
        Command::ClearPath => session.path.forget(),
        Command::ShowSearch(replay) => return session.path.replay = replay,
        Command::PlaySearch => {
            let path = &mut session.path;
            return path.replay = path.replay.toggled(path.n_expanded());
        }
        Command::ProbeStart(point) => session.probe.start = Some(point),
        Command::ProbeEnd(point) => session.probe.end = Some(point),
        Command::ProbeBy(mode) => (session.probe.mode, session.tool) = (mode, ToolKind::Probe),
        Command::ProbeWithin(radius, points) => {
            (session.probe.radius, session.probe.n_points) = (radius, points);
        }
        Command::ClearProbe => session.probe.forget(),
        Command::SetFilter(filter) => session.path.filter = *filter,
        Command::SearchBy(method) => session.path.method = method,
        Command::ShowPath(show) => return session.path.show = show,
        // `dispatch` and `change` have taken all others.
        _ => return,
    }
    session.update_path();
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::bake::BakeSettings;

    use super::*;
    use crate::{
        command::listed,
        session::{Method, StageView},
    };

    fn settings_with_radius(radius: f32) -> Edit {
        Edit::Settings(Box::new(BakeSettings { agent_radius: radius, ..BakeSettings::default() }))
    }

    #[test]
    fn every_listed_command_changes_something_or_has_an_effect() {
        // These have nothing to act on in a session without a level.
        let idle = [Command::Undo, Command::Redo, Command::ResetSettings, Command::ClearPath];
        let idle_too = [Command::SwapPath, Command::ChooseTile(None), Command::PreviousStage];
        for command in listed() {
            let idle = idle.contains(&command) || idle_too.contains(&command);
            let idle_too = [
                Command::PlaySearch,
                Command::DeleteThing,
                Command::DuplicateThing,
                Command::KeepPath,
                Command::KeepView,
                Command::AcceptLinks(None),
                Command::DismissLinks,
            ];
            if idle || idle_too.contains(&command) {
                continue;
            }
            let (mut session, mut prefs) = (Session::default(), Prefs::default());
            // Neither the tool, the stage nor the size may be what the command asks for.
            session.stage = StageView::Regions;
            if command == Command::ShowStage(StageView::Regions) {
                session.stage = StageView::Input;
            }
            if command == Command::SearchBy(session.path.method) {
                session.path.method = Method::Polyanya;
            }
            if command == Command::ChooseTool(session.tool) {
                session.tool = ToolKind::Path;
            }
            let before = (format!("{session:?}"), prefs.clone());
            let effect = dispatch(&mut session, &mut prefs, command.clone());
            let changed = before != (format!("{session:?}"), prefs);
            assert!(changed || effect.is_some(), "{command:?} does nothing");
        }
    }

    #[test]
    fn edits_can_be_undone() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        let mut run = |command| drop(dispatch(&mut session, &mut prefs, command));
        run(Command::Change("Change radius".into(), settings_with_radius(1.0)));
        run(Command::Begin("Drag".into()));
        run(Command::Apply(settings_with_radius(2.0)));
        run(Command::Apply(settings_with_radius(3.0)));
        run(Command::Commit);
        run(Command::Undo);
        assert!((session.document().settings.agent_radius - 1.0).abs() < 1e-6);
        assert_eq!(session.history.undo_label(), Some("Change radius"));
        assert_eq!(session.history.redo_label(), Some("Drag"));
    }

    #[test]
    fn swapping_a_path_swaps_its_ends() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        let mut run = |command| drop(dispatch(&mut session, &mut prefs, command));
        run(Command::PathStart(Vec3::X));
        run(Command::PathEnd(Vec3::Z));
        run(Command::SwapPath);
        assert_eq!((session.path.start, session.path.end), (Some(Vec3::Z), Some(Vec3::X)));
    }

    #[test]
    fn preferences_are_not_undone() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        for command in [Command::ToggleTheme, Command::TogglePanels, Command::Undo] {
            dispatch(&mut session, &mut prefs, command);
        }
        assert!(prefs.light);
        assert!(!prefs.panels);
    }
}
