//! Carries out commands; those of a group have their own `carry_out`.

use std::path::PathBuf;

use walkable::{diagnostic::Phrase, phrase};
use walkable_workspace::{files, limits, presets::PRESETS};

use super::{Effect, due::drop_stale_preview, requests};
use crate::{
    command::{Command, ExportKind, Pane, add_items},
    jobs::{export::Consent, work::Work},
    prefs::Prefs,
    session::{Edit, SelectedItems, Session},
    task::TaskId,
};

/// Carries out `command` if its precondition is met.
pub(super) fn dispatch(session: &mut Session, prefs: &mut Prefs, command: Command) -> Vec<Effect> {
    if !command.is_ready(session) {
        return Vec::new();
    }
    let mut effects = carry_out(session, prefs, command);
    effects.extend(drop_stale_preview(session).map(Effect::Work));
    session.follow_document();
    effects
}

/// Carries out `command`. There is one arm for each command, so a new command does not compile until it is handled.
#[expect(clippy::unit_arg, reason = "an arm without effect is one line")]
#[expect(clippy::too_many_lines, reason = "a table with a row per command")]
fn carry_out(session: &mut Session, prefs: &mut Prefs, command: Command) -> Vec<Effect> {
    let effect = match command {
        Command::Open => Some(requests::ask_open(session, prefs).into()),
        Command::Load(source) => Some(requests::open(session, source).into()),
        Command::CloseLevel => return close_level(session, prefs),
        Command::RecoverWork => Some(Effect::RecoverWork),
        Command::DiscardWork(file) => Some(Effect::DiscardWork(file)),
        Command::Save => save(session),
        Command::SaveAs => Some(requests::ask_export(session, ExportKind::Project).into()),
        Command::ImportOptions => Some(match session.pieces_of_level() {
            Some(_) => Effect::PieceOptions,
            None => Effect::ImportOptions,
        }),
        Command::ExportDialog => Some(Effect::ExportDialog),
        Command::PictureDialog => Some(Effect::PictureDialog),
        Command::SavePicture(picture) => {
            session.shown.picture = Some(picture);
            Some(requests::ask_export(session, ExportKind::Picture).into())
        }
        Command::Export(kind) => Some(requests::ask_export(session, kind).into()),
        Command::CopyLink(kind) => Some(Effect::CopyLink(kind)),
        Command::ExportTo(kind, path) => export(session, kind, path, None),
        Command::Replace(kind, path) => export(session, kind, path, Some(Consent::Anything)),
        Command::StopExport => {
            session.opened.store_export = None;
            Some(Work::Cancel(TaskId::ExportStore.into()).into())
        }
        Command::Quit => Some(Effect::Quit),
        Command::Undo => without_effect(session.history.undo()),
        Command::Redo => without_effect(session.history.redo()),
        Command::Begin(label) => without_effect(session.history.begin(label)),
        Command::Apply(edit) => change(session, phrase!("Change"), &edit),
        Command::Commit => without_effect(session.history.commit()),
        Command::Abort => without_effect(session.history.abort()),
        Command::Change(label, edit) => change(session, label, &edit),
        Command::ResetSettings => {
            change(session, phrase!("Reset settings"), &Edit::Settings(Box::default()))
        }
        Command::UsePreset(number) => use_preset(session, number),
        Command::Bake => requests::bake(session, None).map(Effect::Work),
        Command::CancelBake => Some(cancel_bake(session)),
        Command::LimitMemory(n) => limit_memory(session, prefs, n),
        Command::LimitTime(n) => limit_time(session, prefs, n),
        Command::ToggleTileCache => without_effect(prefs.caches_tiles = !prefs.caches_tiles),
        Command::ToggleAutoSave => without_effect(prefs.auto_save.is_on = !prefs.auto_save.is_on),
        Command::SetAutoSave(seconds) => without_effect(prefs.auto_save.every_secs = seconds),
        Command::ToggleAutoBake => without_effect(prefs.auto_bake = !prefs.auto_bake),
        Command::TogglePanels => without_effect(prefs.panels = !prefs.panels),
        Command::ShowPanel(pane) => show_panel(prefs, pane),
        Command::ToggleTheme => without_effect(prefs.light = !prefs.light),
        Command::Speak(language) => without_effect(prefs.language = language),
        Command::SetUnits(units) => without_effect(prefs.units = units),
        Command::ZoomIn => without_effect(prefs.zoom_in()),
        Command::ZoomOut => without_effect(prefs.zoom_out()),
        Command::ZoomReset => without_effect(prefs.scale = Prefs::default().scale),
        Command::Zoom(percent) => without_effect(prefs.scale = f32::from(percent) / 100.0),
        Command::Navigate(navigation) => without_effect(prefs.navigation = navigation),
        Command::EditPrefs => Some(Effect::EditPrefs),
        Command::SetMemory(memory) => without_effect(prefs.memory = memory),
        Command::MenuBar => Some(Effect::MenuBar),
        Command::About => Some(Effect::About),
        Command::ReadGuide => Some(Effect::ReadGuide),
        Command::Palette => Some(Effect::Palette),
        Command::Back => Some(Effect::Back),
        Command::ChooseTool(kind) => without_effect(session.tools.tool = kind),
        Command::Hover(hover) => {
            without_effect((session.tools.hover, session.shown.display.datum) = (hover, None))
        }
        Command::Select(place) => without_effect(
            (session.tools.selection, session.tools.selected_items, session.shown.display.datum) =
                (place, SelectedItems::default(), None),
        ),
        Command::PasteItems(copied) => {
            let label = phrase!("Paste {n} objects", n = copied.len());
            without_effect(add_items(session, label, *copied))
        }
        Command::Group(group) => return group.carry_out(session, prefs),
    };
    effect.into_iter().collect()
}

/// Shows or closes a panel. If the panels are collapsed, they are only restored.
fn show_panel(prefs: &mut Prefs, pane: Pane) -> Option<Effect> {
    let folded = !std::mem::replace(&mut prefs.panels, true);
    (!folded).then_some(Effect::ShowPanel(pane))
}

fn without_effect<T>(_: T) -> Option<Effect> {
    None
}

fn change(session: &mut Session, label: Phrase, edit: &Edit) -> Option<Effect> {
    session.history.change(label, |document| edit.clone().apply(document));
    None
}

fn use_preset(session: &mut Session, number: usize) -> Option<Effect> {
    let preset = PRESETS.get(number)?;
    let settings = preset.apply(&session.document().settings);
    let name = Phrase::new(preset.name, Vec::new());
    let label = phrase!("Use preset {name}", name);
    change(session, label, &Edit::Settings(Box::new(settings)))
}

fn close_level(session: &mut Session, prefs: &mut Prefs) -> Vec<Effect> {
    session.close();
    prefs.starts_empty = true;
    prefs.tour = None;
    [Work::CancelBake, Work::CancelPreview].map(Effect::Work).into()
}

fn cancel_bake(session: &mut Session) -> Effect {
    session.bake.progress = None;
    Work::CancelBake.into()
}

fn limit_memory(session: &mut Session, prefs: &mut Prefs, n_gigabytes: u8) -> Option<Effect> {
    prefs.max_memory = u64::from(n_gigabytes) * 1_000_000_000;
    limits::set_memory(prefs.max_memory);
    try_again(session)
}

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

fn export(
    session: &mut Session,
    kind: ExportKind,
    path: PathBuf,
    consent: Option<Consent>,
) -> Option<Effect> {
    let work = if let ExportKind::AllAgents(format) = kind {
        requests::export_agents(session, format, path, consent)
    } else {
        requests::export(session, kind, path, consent)
    };
    work.map(Effect::Work)
}

/// Saves the project; asks for a file if it has none yet, or only a file of a link.
fn save(session: &mut Session) -> Option<Effect> {
    match session.project.path.clone().filter(|path| !files::is_of_link(path)) {
        Some(path) => export(session, ExportKind::Project, path, None),
        None => Some(requests::ask_export(session, ExportKind::Project).into()),
    }
}

#[cfg(test)]
mod undo_tests;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;
    use walkable::{
        bake::BakeSettings,
        diagnostic::Phrase,
        explain::{Cause, Fix, LinkFix},
        ids::TileCoord,
        level::{LevelKind, generate},
        links::{LinkKind, LinkProposal},
        mesh::ImportOptions,
        monitor::Unmonitored,
        query::WhyNot,
        route::{RouteAnswer, RouteBreak},
        suite::{Expectation, Outcome, PathCase},
    };
    use walkable_workspace::{
        document::{Islands, Obstacles},
        lang::Language,
        layered::Layered,
        path_terms::Method,
        stage_view::StageView,
        units::Units,
    };

    use super::*;
    use crate::{
        command::{
            AgentCommand, AnimationCommand, DisplayCommand, PathCommand, QueryCommand,
            SceneItemCommand, ViewCommand, listed,
        },
        jobs::{open::prepared, soak::SoakRequest},
        level_colors::LevelColors,
        navigation::Navigation,
        reducer::{Editor, Event},
        session::{
            BakeProgress, CheckFilter, ClickTask, ColorBy, FixTarget, GameLink, Hover, LevelSource,
            QueryMode, Searcher, Slice, SoakInput, SoakNavmesh, SoakPlaces, SortProgress,
            StoreExportPhase, StoreExportProgress, SweepSetting, SweepValues, ToolKind, World,
            new_link, with_link,
        },
        task::TaskSet,
        testing::{LOOK, baked, edits, lab_row, land_tile_sizes, run_path_tests},
    };

    fn settings_with_radius(radius: f32) -> Edit {
        Edit::Settings(Box::new(BakeSettings { agent_radius: radius, ..BakeSettings::default() }))
    }

    fn a_break() -> RouteBreak {
        let plain = RouteBreak::plain(Cause::Gap, Vec3::ZERO, Phrase::verbatim(""));
        RouteBreak { ends: [Vec3::ZERO, Vec3::X], price: 1.0, ..plain }
    }

    /// Returns a session in which something is baked, placed, chosen, found and changed, so that every command has
    /// something to act on.
    fn busy() -> Session {
        let mut session = baked();
        let failing = PathCase {
            expects: vec![Expectation::Outcome(Outcome::NotReachable)],
            ..PathCase::new(Vec3::new(2.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0))
        };
        let tests = Edit::PathTests(vec![failing]);
        session.history.change(Phrase::verbatim("Edit"), |document| tests.clone().apply(document));
        run_path_tests(&mut session);
        for edit in edits().into_iter().chain([tests]) {
            session.history.change(Phrase::verbatim("Edit"), |document| edit.apply(document));
        }
        let level = generate(LevelKind::Sample, 1, 30.0).expect("the sample has that size");
        let source = LevelSource::Builtin("sample".to_owned());
        session.opened.level =
            Some(prepared(level.mesh, ImportOptions::default(), &source, Vec::new()));
        let place = Hover { point: Vec3::new(20.0, 0.0, 20.0), triangle: None };
        (session.tools.selection, session.shown.look) = (Some(place), Some(LOOK));
        session.shown.chosen_tile = Some(TileCoord::new(1, 1));
        (session.shown.stage, session.tools.tool) = (StageView::Spans, ToolKind::Measure);
        (session.path.start, session.path.end) = (Some(Vec3::ONE), Some(place.point));
        (session.path.method, session.shown.display.color_by) = (Method::Polyanya, ColorBy::Slope);
        let mut run = |command| drop(dispatch(&mut session, &mut Prefs::default(), command));
        run(AgentCommand::Add.into());
        run(AgentCommand::Add.into());
        run(AnimationCommand::Watch.into());
        run(DisplayCommand::PinBaseline.into());
        run(DisplayCommand::Slice(Slice { bottom: 0.0, top: 1.0 }).into());
        run(QueryCommand::By(QueryMode::Follow).into());
        run(QueryCommand::Start(Vec3::ONE).into());
        run(QueryCommand::End(place.point).into());
        session.tools.tool = ToolKind::Measure;
        let (edit, item) =
            with_link(session.document(), new_link(session.document(), Vec3::ONE, Vec3::X));
        session.history.change(Phrase::verbatim("Link"), |document| edit.apply(document));
        session.tools.selected_items = item.into();
        let layers = Layered::bake(session.bake.plan.as_ref().unwrap(), &[], &Unmonitored);
        session.bake.land_layers(layers.map_err(|why| why.to_string()));
        session.lab.land(lab_row(Searcher::Jps, 1.0));
        session.lab.choose(Some(Searcher::Jps), None);
        let end = session.path.answer.as_ref().and_then(|answer| answer.path.start).unwrap();
        session.proposals.list = vec![LinkProposal { kind: LinkKind::Jump, start: end, end }];
        session.proposals.chosen = [0].into();
        session
            .history
            .change(Phrase::verbatim("Undone"), |document| document.settings.agent_radius += 0.1);
        session.history.undo();
        let (coords, revision) = (session.bake.tiles.keys().copied(), session.revision());
        session.bake.keep(&coords.collect::<Vec<_>>(), revision);
        let question = session.path_question().unwrap();
        session.path_why.ask(question);
        session.path_why.land(Ok(RouteAnswer { first: Some(a_break()), ..RouteAnswer::default() }));
        session.running =
            [TaskId::Fixes, TaskId::Check, TaskId::TileSizes, TaskId::Sweep, TaskId::Soak]
                .into_iter()
                .collect();
        session.check.filter = CheckFilter::Warnings;
        land_tile_sizes(&mut session);
        let cells = SweepValues::Range { ends: [0.2, 0.4], n: 2 };
        session.sweep.plan.settings = vec![SweepSetting { key: "cell_size", values: cells }];
        let combinations = session.sweep.plan.combinations().expect("two cell sizes");
        session.sweep.begin(combinations);
        session.sweep.chosen = Some(0);
        session.soak.input =
            SoakInput { n_agents: 3, minutes: 0.1, seed: 1, places: SoakPlaces::Random };
        let soaked = SoakRequest::of(&session).unwrap().run(|_| {}, &Unmonitored).unwrap();
        session.soak.navmesh = SoakNavmesh::of(&session.bake);
        session.soak.land(soaked);
        session.crowd.chosen = [0].into();
        begin_background_work(&mut session);
        session
    }

    /// Connects the session to a game, and begins to sort pieces and to export a tile store.
    fn begin_background_work(session: &mut Session) {
        let (address, token) = ("127.0.0.1:7777".to_owned(), "0123456789abcdef".to_owned());
        session.game.link = GameLink::Listening { address, token };
        session.game.note_failed([Vec3::ZERO, Vec3::X], None);
        let piece = "a.obj".to_owned();
        session.opened.pieces.progress = Some(SortProgress { piece, n_done: 0, n_pieces: 2 });
        let file = "a.bin".to_owned();
        session.opened.store_export = Some(StoreExportProgress {
            phase: StoreExportPhase::Writing,
            file,
            n_done: 0,
            n_tiles: 2,
        });
    }

    /// Returns a session in which a part of a level is loaded.
    fn in_a_world() -> Session {
        let mut session = busy();
        let level = session.opened.level.as_mut().expect("a level is open");
        let bounds = level.mesh.bounds();
        let around = bounds.center();
        level.world = Some(World { hash: 1, bounds, n_triangles: 1_000_000, part: bounds, around });
        level.source = LevelSource::File("world.tri".into());
        let answer = session.path.answer.as_mut().expect("both ends are placed");
        (answer.path.why, answer.reach) = (Some(WhyNot::NotLoaded), None);
        session
    }

    /// Returns the same session with a level whose tiles can be baked one by one.
    fn in_a_plain_world() -> Session {
        let mut session = in_a_world();
        session.opened.store_export = None;
        session.history.change(Phrase::verbatim("Plain"), |document| {
            document.obstacles = Obstacles::default();
            (document.strokes, document.islands) = (Vec::new(), Islands::default());
            document.removed_tiles.clear();
        });
        session
    }

    /// Returns the same session while a bake runs, a route is found and searches are compared.
    fn searching() -> Session {
        let mut session = in_a_world();
        session.route.is_busy = true;
        session.running.insert(TaskId::Lab);
        let (n_done, n_tiles, elapsed) = (1, 2, Duration::from_secs(1));
        let (stage, left, estimate) = (None, None, None);
        session.bake.progress =
            Some(BakeProgress { n_done, n_tiles, stage, elapsed, left, estimate });
        session
    }

    /// Returns the same session while a fix is tried out.
    fn previewing() -> Session {
        let mut session = busy();
        session.crowd.click = ClickTask::Follow;
        session.ask_for_fixes(FixTarget::Path);
        session.running = TaskSet::default();
        let (start, end) = (Vec3::ZERO, Vec3::X * 3.0);
        let fix = Fix::Link(LinkFix { start, end, radius: 0.6, bidirectional: true });
        session.fixes.add(fix.clone());
        assert!(session.begin_preview(fix).is_some());
        session
    }

    /// Returns whether `command` changes the session or the preferences, or has an effect.
    fn has_effect(session: &mut Session, command: Command) -> bool {
        let mut prefs = Prefs::default();
        Command::Bake.set_key(&mut prefs.keys, None);
        prefs.scale = 1.25;
        let is_other = |preset: &Navigation| command != Command::Navigate(*preset);
        prefs.navigation = Navigation::ALL.iter().copied().find(is_other).unwrap_or_default();
        let is_other = |by: &LevelColors| command != ViewCommand::ColorLevel(*by).into();
        prefs.level_colors = LevelColors::ALL.iter().copied().find(is_other).unwrap_or_default();
        let chinese = Some(Language::Chinese);
        prefs.language = chinese.filter(|_| command != Command::Speak(chinese));
        let is_other = |units: &Units| command != Command::SetUnits(*units);
        prefs.units = Units::ALL.iter().copied().find(is_other).unwrap_or_default();
        session.follow_document();
        let before = (format!("{session:?}"), prefs.clone());
        let effects = dispatch(session, &mut prefs, command);
        !effects.is_empty() || before != (format!("{session:?}"), prefs)
    }

    #[test]
    fn every_listed_command_does_something_where_it_is_ready_and_nothing_elsewhere() {
        let works_in = |mut session: Session, command: &Command| {
            let is_ready = command.is_ready(&session);
            let works = has_effect(&mut session, command.clone());
            assert!(is_ready || !works, "{command:?} is not ready");
            works
        };
        let mut idle = listed();
        idle.retain(|command| !works_in(Session::default(), command));
        idle.retain(|command| !works_in(busy(), command));
        idle.retain(|command| !works_in(previewing(), command));
        idle.retain(|command| !works_in(in_a_world(), command));
        idle.retain(|command| !works_in(in_a_plain_world(), command));
        idle.retain(|command| !works_in(searching(), command));
        assert_eq!(idle, []);
    }

    #[test]
    fn a_command_without_effect_says_what_it_needs() {
        for session in [Session::default, busy, in_a_world] {
            let session = session();
            for command in listed() {
                let before = command.before(&session);
                assert!(before.is_none_or(|text| text.ends_with('.')), "{command:?}: {before:?}");
            }
        }
        let delete = Command::from(SceneItemCommand::Delete);
        assert_eq!(delete.before(&Session::default()), Some("Select an object first."));
        let mut editor = Editor::new(Prefs::default());
        assert!(editor.reduce(Event::Unavailable(delete)).is_empty());
        let detail = &editor.notices().list()[0].detail;
        assert_eq!(detail.to_string(), "Select an object first.");
    }

    #[test]
    fn edits_can_be_undone() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        let mut run = |command| drop(dispatch(&mut session, &mut prefs, command));
        run(Command::Change(Phrase::verbatim("Change radius"), settings_with_radius(1.0)));
        run(Command::Begin(Phrase::verbatim("Drag")));
        run(Command::Apply(settings_with_radius(2.0)));
        run(Command::Apply(settings_with_radius(3.0)));
        run(Command::Commit);
        run(Command::Undo);
        assert!((session.document().settings.agent_radius - 1.0).abs() < 1e-6);
        assert_eq!(session.history.undo_label().as_deref(), Some("Change radius"));
        assert_eq!(session.history.redo_label().as_deref(), Some("Drag"));
    }

    #[test]
    fn closing_a_level_leaves_nothing_of_it() {
        let (mut session, mut prefs) = (busy(), Prefs::default());
        prefs.remember(session.source().expect("a level is open"));
        let effects = dispatch(&mut session, &mut prefs, Command::CloseLevel);
        assert!(matches!(effects[0], Effect::Work(Work::CancelBake)));
        assert_eq!((session.source(), session.is_unsaved()), (None, false));
        assert!(session.bake.navmesh.is_none() && session.bake.tiles.is_empty());
        assert_eq!(*session.document(), crate::session::Document::default());
        assert_eq!(session.history.undo_label(), None);
        assert!(session.path.start.is_none() && session.items().is_empty());
        assert!(prefs.starts_empty && prefs.recent.len() == 1);
        assert!(!Command::CloseLevel.is_ready(&session));
        prefs.remember(LevelSource::Builtin("town".to_owned()));
        assert!(!prefs.starts_empty, "the next run opens this level");
    }

    #[test]
    fn swapping_a_path_swaps_its_ends() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        let mut run = |command| drop(dispatch(&mut session, &mut prefs, command));
        run(Command::from(PathCommand::Start(Vec3::X)));
        run(Command::from(PathCommand::End(Vec3::Z)));
        run(Command::from(PathCommand::Swap));
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

    #[test]
    fn how_objects_snap_is_remembered_between_runs() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        for command in [SceneItemCommand::ToggleSnap, SceneItemCommand::SnapStep(0.25)] {
            dispatch(&mut session, &mut prefs, command.into());
        }
        let text = serde_json::to_string(&prefs).unwrap();
        let editor = Editor::new(serde_json::from_str(&text).unwrap());
        let gizmo = editor.session().tools.gizmo;
        assert!(gizmo.snaps && (gizmo.step - 0.25).abs() < 1e-6);
        let read = serde_json::from_str(r#"{"gizmo": {"step": 0.0}}"#).unwrap();
        assert!(Editor::new(read).session().tools.gizmo.step > 0.0, "objects cannot snap to zero");
    }
}
