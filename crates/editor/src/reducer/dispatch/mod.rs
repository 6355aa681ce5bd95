//! Carries out commands, with one module per group.

mod agent;
mod animation;
mod display;
mod fix;
mod ground;
mod keys;
mod lab;
mod path;
mod proposal;
mod query_tool;
mod thing;
mod tour;
mod view;

use std::borrow::Cow;

use super::{CameraMove, Effect, requests};
use crate::{
    command::{Command, ExportKind},
    jobs::{ask_file::Purpose, export::Consent, work::Work},
    limits,
    prefs::Prefs,
    session::{Edit, LevelSource, Session},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, prefs: &mut Prefs, command: Command) -> Vec<Effect> {
    let effects = carry_out(session, prefs, command);
    session.follow_document();
    effects
}

/// Has one arm for each command, so that a new command does not compile until it is handled.
#[expect(clippy::unit_arg, reason = "an arm without effect is one line")]
fn carry_out(session: &mut Session, prefs: &mut Prefs, command: Command) -> Vec<Effect> {
    let effect = match command {
        Command::Open => Some(Work::AskFile(Purpose::Open, String::new()).into()),
        Command::Load(source) => Some(requests::open(session, source).into()),
        Command::LoadText(path) => {
            Some(requests::open(session, LevelSource::File(path.into())).into())
        }
        Command::Save => save(session),
        Command::SaveAs => Some(requests::ask_export(session, ExportKind::Project).into()),
        Command::ImportOptions => Some(Effect::ImportOptions),
        Command::Export(kind) => Some(requests::ask_export(session, kind).into()),
        Command::ExportTo(kind, path) => {
            requests::export(session, kind, path, None).map(Effect::Work)
        }
        Command::Replace(kind, path) => {
            requests::export(session, kind, path, Some(Consent::Anything)).map(Effect::Work)
        }
        Command::Quit => Some(Effect::Quit),
        Command::Undo => without_effect(session.history.undo()),
        Command::Redo => without_effect(session.history.redo()),
        Command::Begin(label) => without_effect(session.history.begin(label)),
        Command::Apply(edit) => change(session, "Change", &edit),
        Command::Commit => without_effect(session.history.commit()),
        Command::Abort => without_effect(session.history.abort()),
        Command::Change(label, edit) => change(session, label, &edit),
        Command::ResetSettings => {
            change(session, "Reset settings", &Edit::Settings(Box::default()))
        }
        Command::Bake => requests::bake(session, None).map(Effect::Work),
        Command::CancelBake => Some(cancel_bake(session)),
        Command::LimitMemory(n) => limit_memory(session, prefs, n),
        Command::LimitTime(n) => limit_time(session, prefs, n),
        Command::ToggleAutoBake => without_effect(prefs.auto_bake = !prefs.auto_bake),
        Command::TogglePanels => without_effect(prefs.panels = !prefs.panels),
        Command::ShowPanel(pane) => {
            // If the panels are collapsed, they are restored first.
            let folded = !std::mem::replace(&mut prefs.panels, true);
            (!folded).then_some(Effect::ShowPanel(pane))
        }
        Command::ToggleTheme => without_effect(prefs.light = !prefs.light),
        Command::ZoomIn => without_effect(prefs.zoom_in()),
        Command::ZoomOut => without_effect(prefs.zoom_out()),
        Command::SetMemory(memory) => without_effect(prefs.memory = memory),
        Command::ResetLayout => {
            prefs.panels = true;
            Some(Effect::ResetLayout)
        }
        Command::Palette => Some(Effect::Palette),
        Command::Back => Some(Effect::Back),
        Command::ChooseTool(kind) => without_effect(session.tool = kind),
        Command::Hover(hover) => {
            without_effect((session.hover, session.display.datum) = (hover, None))
        }
        Command::Select(place) => {
            (session.selection, session.thing, session.display.datum) = (place, None, None);
            None
        }
        Command::View(command) => view::dispatch(session, prefs, command),
        Command::Display(command) => without_effect(display::dispatch(session, command)),
        Command::Animation(command) => without_effect(animation::dispatch(session, command)),
        Command::Thing(command) => without_effect(thing::dispatch(session, command)),
        Command::Agent(command) => without_effect(agent::dispatch(session, command)),
        Command::Ground(command) => ground::dispatch(session, command),
        Command::Path(command) => without_effect(path::dispatch(session, command)),
        Command::Query(command) => without_effect(query_tool::dispatch(session, command)),
        Command::Proposal(command) => proposal::dispatch(session, command),
        Command::Fix(command) => fix::dispatch(session, command),
        Command::Lab(command) => return lab::dispatch(session, command),
        Command::Keys(command) => keys::dispatch(prefs, command),
        Command::Tour(command) => without_effect(tour::dispatch(prefs, command)),
    };
    effect.into_iter().collect()
}

/// For arms that change the state without an effect.
fn without_effect<T>(_: T) -> Option<Effect> {
    None
}

fn change(
    session: &mut Session,
    label: impl Into<Cow<'static, str>>,
    edit: &Edit,
) -> Option<Effect> {
    session.history.change(label, |document| edit.clone().apply(document));
    None
}

fn cancel_bake(session: &mut Session) -> Effect {
    session.bake.progress = None;
    Work::CancelBake.into()
}

/// Sets the memory limit of bakes, in gigabytes.
fn limit_memory(session: &mut Session, prefs: &mut Prefs, n_gigabytes: u8) -> Option<Effect> {
    prefs.max_memory = u64::from(n_gigabytes) * 1_000_000_000;
    limits::set_memory(prefs.max_memory);
    try_again(session)
}

/// Sets the time limit of bakes, in hours.
fn limit_time(session: &mut Session, prefs: &mut Prefs, n_hours: u8) -> Option<Effect> {
    prefs.max_secs = u32::from(n_hours) * 3600;
    limits::set_time(prefs.max_secs);
    try_again(session)
}

/// Retries what a limit has rejected.
fn try_again(session: &mut Session) -> Option<Effect> {
    if session.bake.error.is_some() {
        session.bake.started = None;
    }
    None
}

/// Saves the project; asks for a file if it has none yet.
fn save(session: &Session) -> Option<Effect> {
    match session.project.clone() {
        Some(path) => requests::export(session, ExportKind::Project, path, None).map(Effect::Work),
        None => Some(requests::ask_export(session, ExportKind::Project).into()),
    }
}

#[cfg(test)]
mod undo_tests;

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::bake::BakeSettings;

    use super::*;
    use crate::{
        command::{
            AgentCommand, AnimationCommand, DisplayCommand, FixCommand, GroundCommand, KeysCommand,
            LabCommand, PathCommand, ProposalCommand, QueryCommand, ThingCommand, ViewCommand,
            listed,
        },
        session::{ColorBy, Method, StageView, ToolKind},
    };

    fn settings_with_radius(radius: f32) -> Edit {
        Edit::Settings(Box::new(BakeSettings { agent_radius: radius, ..BakeSettings::default() }))
    }

    #[test]
    fn every_listed_command_changes_something_or_has_an_effect() {
        // These commands do nothing in a session without a level.
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
                Command::Fix(FixCommand::Find),
                Command::Proposal(ProposalCommand::Dismiss),
                Command::Lab(LabCommand::Play),
                Command::Agent(AgentCommand::Next),
                Command::Ground(GroundCommand::PutAllTilesBack),
                Command::Ground(GroundCommand::KeepAllIslands),
                Command::Ground(GroundCommand::ClearStrokes),
                Command::Query(QueryCommand::Play),
                Command::Query(QueryCommand::StepOn),
                Command::Query(QueryCommand::StepBack),
                Command::Display(DisplayCommand::StoreyUp),
                Command::Display(DisplayCommand::StoreyDown),
                Command::Display(DisplayCommand::AllHeights),
                Command::Animation(AnimationCommand::Watch),
                Command::Animation(AnimationCommand::End),
                Command::Display(DisplayCommand::KeepBefore),
                Command::Display(DisplayCommand::FollowLastBake),
                Command::Display(DisplayCommand::ColorBy(ColorBy::Area)),
            ];
            if idle || idle_too.contains(&command) {
                continue;
            }
            let (mut session, mut prefs) = (Session::default(), Prefs::default());
            // The initial state must differ from what the commands set.
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
            let effects = dispatch(&mut session, &mut prefs, command.clone());
            let changed = before != (format!("{session:?}"), prefs);
            assert!(changed || !effects.is_empty(), "{command:?} does nothing");
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
