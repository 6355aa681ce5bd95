//! Carries out commands. The only place that changes the session; what reaches beyond it (files, the
//! camera, dialogs, threads) is handed back as an [`Effect`].

mod agent;
mod film;
mod ground;
mod keys;
mod lab;
mod path;
mod probe;
mod proposal;
mod sight;
mod thing;
mod tour;
mod view;

use std::path::PathBuf;

use walkable::{geom::Aabb, ids::TileCoord};

use crate::{
    command::{Command, ExportKind, Pane},
    prefs::Prefs,
    session::{Edit, LevelSource, Look, Session},
};

/// What a command asks of the program around the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
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
    /// Bake one tile again.
    BakeTile(TileCoord),
    /// Stop baking.
    CancelBake,
    /// Compare searches.
    RunLab,
    /// Stop comparing.
    CancelLab,
    /// Answer the scenario of the open map.
    RunScenario,
    /// Look for links.
    ProposeLinks,
    /// Move the camera.
    Camera(CameraMove),
    /// Ask for a place to go to.
    AskPlace,
    /// Show the list of commands.
    Palette,
    /// Show the list of keys.
    EditKeys,
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
pub enum CameraMove {
    /// See everything.
    FrameAll,
    /// See all of a box.
    Frame(Aabb),
    /// Look straight down.
    TopView,
    /// Look from here.
    Look(Look),
    /// Switch between parallel and perspective.
    ToggleOrthographic,
}

/// Carries out `command`.
pub fn dispatch(session: &mut Session, prefs: &mut Prefs, command: Command) -> Option<Effect> {
    let effect = carry_out(session, prefs, command);
    session.follow_document();
    effect
}

fn carry_out(session: &mut Session, prefs: &mut Prefs, command: Command) -> Option<Effect> {
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
        Command::CancelBake => return Some(Effect::CancelBake),
        Command::Palette => return Some(Effect::Palette),
        Command::Back => return Some(Effect::Back),
        Command::ResetLayout => {
            prefs.panels = true;
            return Some(Effect::ResetLayout);
        }
        Command::ToggleAutoBake => prefs.auto_bake = !prefs.auto_bake,
        Command::TogglePanels => prefs.panels = !prefs.panels,
        Command::ShowPanel(pane) => {
            // Folded panels come back first, as they were.
            let folded = !std::mem::replace(&mut prefs.panels, true);
            return (!folded).then_some(Effect::ShowPanel(pane));
        }
        Command::ToggleTheme => prefs.light = !prefs.light,
        Command::ZoomIn => prefs.zoom_in(),
        Command::ZoomOut => prefs.zoom_out(),
        Command::SetMemory(memory) => prefs.memory = memory,
        Command::View(command) => return view::dispatch(session, prefs, command),
        Command::Film(command) => film::dispatch(session, command),
        Command::Sight(command) => sight::dispatch(session, command),
        Command::Thing(command) => thing::dispatch(session, command),
        Command::Agent(command) => agent::dispatch(session, command),
        Command::Ground(command) => return ground::dispatch(session, command),
        Command::Path(command) => path::dispatch(session, command),
        Command::Probe(command) => probe::dispatch(session, command),
        Command::Proposal(command) => return proposal::dispatch(session, command),
        Command::Lab(command) => return lab::dispatch(session, command),
        Command::Keys(command) => return keys::dispatch(prefs, command),
        Command::Tour(command) => tour::dispatch(prefs, command),
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
        Command::ChooseTool(kind) => session.tool = kind,
        Command::Hover(hover) => (session.hover, session.sight.datum) = (hover, None),
        Command::Select(place) => {
            (session.selection, session.thing) = (place, None);
            session.sight.datum = None;
        }
        // `dispatch` has taken all others.
        _ => {}
    }
}

#[cfg(test)]
pub mod undo_tests;

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::bake::BakeSettings;

    use super::*;
    use crate::{
        command::{
            AgentCommand, FilmCommand, GroundCommand, KeysCommand, LabCommand, PathCommand,
            ProbeCommand, ProposalCommand, SightCommand, ThingCommand, ViewCommand, listed,
        },
        session::{ColorBy, Method, StageView, ToolKind},
    };

    fn settings_with_radius(radius: f32) -> Edit {
        Edit::Settings(Box::new(BakeSettings { agent_radius: radius, ..BakeSettings::default() }))
    }

    #[test]
    fn every_listed_command_changes_something_or_has_an_effect() {
        // These have nothing to act on in a session without a level.
        let idle = [
            Command::Undo,
            Command::Redo,
            Command::ResetSettings,
            Command::Path(PathCommand::Clear),
        ];
        let idle_too = [
            Command::Path(PathCommand::Swap),
            Command::View(ViewCommand::Tile(None)),
            Command::View(ViewCommand::PreviousStage),
            Command::Keys(KeysCommand::ResetAll),
        ];
        for command in listed() {
            let idle = idle.contains(&command) || idle_too.contains(&command);
            let idle_too = [
                Command::Path(PathCommand::PlaySearch),
                Command::Thing(ThingCommand::Delete),
                Command::Thing(ThingCommand::Duplicate),
                Command::Path(PathCommand::Keep),
                Command::View(ViewCommand::Keep),
                Command::Proposal(ProposalCommand::Accept(None)),
                Command::Proposal(ProposalCommand::Dismiss),
                Command::Lab(LabCommand::Play),
                Command::Agent(AgentCommand::Next),
                Command::Ground(GroundCommand::PutAllTilesBack),
                Command::Ground(GroundCommand::KeepAllIslands),
                Command::Ground(GroundCommand::ClearStrokes),
                Command::Probe(ProbeCommand::Play),
                Command::Probe(ProbeCommand::StepOn),
                Command::Probe(ProbeCommand::StepBack),
                Command::Sight(SightCommand::StoreyUp),
                Command::Sight(SightCommand::StoreyDown),
                Command::Sight(SightCommand::AllHeights),
                Command::Film(FilmCommand::Watch),
                Command::Film(FilmCommand::End),
                Command::Sight(SightCommand::KeepBefore),
                Command::Sight(SightCommand::FollowLastBake),
                Command::Sight(SightCommand::ColorBy(ColorBy::Area)),
            ];
            if idle || idle_too.contains(&command) {
                continue;
            }
            let (mut session, mut prefs) = (Session::default(), Prefs::default());
            // Neither the tool, the stage nor the size may be what the command asks for.
            session.stage = StageView::Regions;
            if command == Command::View(ViewCommand::Stage(StageView::Regions)) {
                session.stage = StageView::Input;
            }
            if command == Command::Path(PathCommand::SearchBy(session.path.method)) {
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
        run(Command::Path(PathCommand::Start(Vec3::X)));
        run(Command::Path(PathCommand::End(Vec3::Z)));
        run(Command::Path(PathCommand::Swap));
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
