//! Applies the messages of background jobs, and decides which of them the user sees.

use std::{path::PathBuf, sync::Arc, time::Duration};

use glam::{Vec3, Vec3Swizzles as _};
use walkable::{
    bake::{BakeError, BakeSettings},
    diagnostic::Phrase,
    ids::TileCoord,
    mesh::import_hint,
    navmesh::NavMesh,
    phrase,
    suite::PathCase,
};
use walkable_workspace::{
    bake_cache::CacheTally,
    document::Document,
    files::FileKind,
    format::counted_value,
    lang,
    pieces::PieceSource,
    repro::{Repro, ReproLevel, ReproQuery, ReproScene},
    suite_file::MAX_CASES,
};

use super::{Editor, Effect, requests};
use crate::{
    command::{CameraMove, Command, LogCommand, Pane, PiecesCommand, ViewCommand},
    jobs::{
        answer::AnswerStages,
        ask_file::{DialogOutcome, Purpose},
        bake::BakeMessage,
        export::{Consent, ExportMessage, Written},
        game::GameMessage,
        open::{Companion, Opened},
        open_store::ReadStore,
        overview_message::OverviewMessage,
        prepare::PrepareRequest,
        slot::JobEvent,
        task::{FollowUp, TaskProblem},
        work::{JobMessage, Work, WorkReport},
        world_route::RouteMessage,
    },
    session::{
        Edit, GameLink, GameQuestion, Hover, LevelSource, LoadedLevel, LogEntry, LogLine, LogPlace,
        Look, NoRoute, Severity, World, exceeded,
    },
};

/// Levels with more cells are better baked in tiles.
const MANY_CELLS: f32 = 1e6;
/// Number of log lines within which the same line is not repeated.
const MANY_LINES: usize = 1000;
/// Side of the tiles that are proposed for such a level, in voxels.
const TILE_SIZE: u32 = 64;

impl Editor {
    pub(super) fn take_report(&mut self, report: WorkReport) -> Vec<Effect> {
        let WorkReport { messages, status } = report;
        let serial = self.session.bake.navmesh_serial;
        let mut effects = Vec::new();
        for message in messages {
            effects.extend(self.take(message));
        }
        let session = &mut self.session;
        if session.bake.navmesh_serial != serial {
            session.update_path();
        }
        session.bake.progress = status.bake.or(status.preview);
        session.running = status.running;
        session.route.is_busy = status.finds_route;
        effects
    }

    #[expect(clippy::unit_arg, reason = "an arm without effect is one line")]
    fn take(&mut self, message: JobMessage) -> Vec<Effect> {
        let effect = match message {
            JobMessage::Task(message) => {
                let follow_ups = message.apply(&mut self.session);
                return follow_ups.into_iter().flat_map(|next| self.follow_up(next)).collect();
            }
            JobMessage::Opened(event) => self.opened(event),
            JobMessage::Overview(event) => without_effect(self.overview_read(event)),
            JobMessage::LevelChanged => self.level_changed(),
            JobMessage::DialogClosed(answer) => self.after_dialog(answer),
            JobMessage::Baked(event) => {
                let is_done = matches!(event, JobEvent::Message(BakeMessage::Done(_)));
                self.baked(event);
                if is_done { self.prepare_queries() } else { None }
            }
            JobMessage::Answered(event) => without_effect(self.stages_for_answer(event)),
            JobMessage::RouteFound(event) => without_effect(self.route_found(event)),
            JobMessage::Game(event) => without_effect(self.game(event)),
            JobMessage::Previewed(event) => without_effect(self.previewed(event)),
            JobMessage::Exported(event) => self.exported(event),
        };
        effect.into_iter().collect()
    }

    #[expect(clippy::unit_arg, reason = "an arm without effect is one line")]
    fn follow_up(&mut self, next: FollowUp) -> Vec<Effect> {
        let effect = match next {
            FollowUp::Problem(TaskProblem { title, why }) => {
                without_effect(self.error(title, why, None))
            }
            FollowUp::AskReplace(clash) => Some(Effect::AskReplace(clash)),
            FollowUp::Open(path) => {
                // If the file is open, it is read once now, and not again because it has changed on disk.
                self.watched.clear();
                Some(Effect::Command(Command::Load(LevelSource::File(path))))
            }
            FollowUp::Written(written) => self.written(*written),
            FollowUp::TellGames(lines) => {
                return lines.into_iter().map(|line| Work::TellGame(line).into()).collect();
            }
        };
        effect.into_iter().collect()
    }

    fn level_changed(&mut self) -> Option<Effect> {
        let level = self.session.opened.level.as_ref()?;
        let name = level.source.name();
        let text = phrase!("{name} has changed on disk: read again", name);
        let source = level.source.clone();
        self.notices.push(Severity::Info, phrase!("Level read again"), text.clone(), None);
        self.session.add_to_log(Severity::Info, text);
        Some(requests::open(&self.session, source).into())
    }

    fn after_dialog(&self, answer: DialogOutcome) -> Option<Effect> {
        match answer {
            DialogOutcome::File(Purpose::Open, path) => {
                Some(Effect::Command(Command::Load(LevelSource::File(path))))
            }
            DialogOutcome::File(Purpose::Pieces, path) => {
                Some(Effect::Command(PiecesCommand::Sort(PieceSource::Folder(path)).into()))
            }
            DialogOutcome::File(Purpose::Export(kind), path) => {
                // The dialog has asked whether to replace the file, unless an extension is added to its name.
                let is_asked = requests::with_ending(path.clone(), kind) == path;
                let consent = is_asked.then_some(Consent::Anything);
                requests::export(&self.session, kind, path, consent).map(Effect::Work)
            }
            DialogOutcome::NoDialog(purpose, proposal) => {
                Some(Effect::BrowseFiles(purpose, proposal))
            }
            DialogOutcome::Cancelled => None,
        }
    }

    /// Opens a level with the settings that came with it, or reads the open one again.
    fn opened_level(&mut self, level: LoadedLevel, companion: Option<Companion>) -> Option<Effect> {
        let old = self.session.opened.level.as_ref().filter(|old| old.source == level.source);
        let again = old.is_some();
        let is_elsewhere = old.is_some_and(|old| !old.mesh.bounds().overlaps(&level.mesh.bounds()));
        let lines = level_lines(&level);
        if again && self.session.world().is_some() {
            // Another part of the open level, or the same part after a change of the file.
            self.session.open(level, None);
            self.session.log.push_file_lines(lines);
            // A part that was loaded because the camera moved does not move the camera.
            return if self.follow.take_loaded() { None } else { self.follow_part() };
        }
        self.prefs.remember(level.source.clone());
        let path = companion.as_ref().and_then(|companion| companion.path);
        let settings = Self::settings_text(&level, companion.as_ref());
        self.session.open(level, companion.map(|companion| companion.config));
        self.session.log.push_file_lines(lines);
        if let (false, Some([start, end])) = (again, path) {
            self.session.path.start = Some(start);
            self.session.path.end = Some(end);
        }
        if !again && self.session.opened.level.as_ref().is_some_and(|level| level.map.is_some()) {
            // A cell or voxel of a map is a meter.
            let lab = &mut self.session.lab.settings;
            (lab.cell_size, lab.voxel_size) = (1.0, 1.0);
        }
        if again {
            // The dialog of the import options gives advice on them, so there is none here.
            self.advise_on_size();
            return is_elsewhere.then_some(Effect::Camera(CameraMove::FrameAll));
        }
        self.advise();
        self.report_settings(settings);
        Some(Effect::LevelOpened)
    }

    /// Moves the camera to the loaded part of a level, if it looks elsewhere.
    fn follow_part(&self) -> Option<Effect> {
        let (world, look) = (self.session.world()?, self.session.shown.look?);
        let Vec3 { x, z, .. } = world.around;
        let target = self.session.bounds().center().with_x(x).with_z(z);
        let there = Look { target, ..look };
        (!world.is_loaded(look.target)).then_some(Effect::Camera(CameraMove::Look(there)))
    }

    fn overview_read(&mut self, event: JobEvent<OverviewMessage>) {
        match event {
            JobEvent::Message(OverviewMessage { hash, progress, made, error }) => {
                let state = &mut self.session.opened.overview;
                if state.requested != Some(hash) {
                    return;
                }
                state.progress = progress;
                state.made = made.map(|made| Arc::new(*made)).or_else(|| state.made.take());
                if let Some(why) = error {
                    self.session.add_to_log(Severity::Warning, why);
                }
            }
            JobEvent::Panicked(why) => self.bug(phrase!("Reading the overview"), why),
            JobEvent::Finished => {}
        }
    }

    fn opened(&mut self, event: JobEvent<Opened>) -> Option<Effect> {
        match event {
            JobEvent::Message(Opened::Level(level, companion)) => {
                return self.opened_level(*level, companion.map(|companion| *companion));
            }
            JobEvent::Message(Opened::Scene(level, config)) => {
                let lines = level_lines(&level);
                self.prefs.remember(level.source.clone());
                // Even if its level is open: a scene is another document.
                self.session.opened.level = None;
                let name = level.source.name();
                let scene = level.companions.first().map(|file| file.display().to_string());
                self.session.open(*level, Some(*config));
                self.session.log.push_file_lines(lines);
                self.advise();
                let scene = scene.unwrap_or_default();
                let text = phrase!("{name} is baked with the settings in {scene}", name, scene);
                self.report_settings(text);
                return Some(Effect::LevelOpened);
            }
            JobEvent::Message(Opened::Project(level, project, path, fingerprint)) => {
                let lines = level_lines(&level);
                if !project.is_recovered {
                    self.prefs.remember(LevelSource::File(path.clone()));
                }
                self.session.open_project(*level, *project, path, fingerprint);
                self.session.log.push_file_lines(lines);
                self.advise();
                return Some(Effect::LevelOpened);
            }
            JobEvent::Message(Opened::Repro(level, repro)) => {
                return self.opened_repro(*level, *repro);
            }
            JobEvent::Message(Opened::Navmesh(source, navmesh, query)) => {
                return Some(self.opened_navmesh(source, *navmesh, query));
            }
            JobEvent::Message(Opened::Store(source, read)) => {
                return self.opened_store(source, *read);
            }
            JobEvent::Message(Opened::Settings(source, config)) => {
                let label = phrase!("Load {name}", name = source.name());
                let edit = Edit::Config(config);
                self.session.history.change(label, |document| edit.apply(document));
            }
            JobEvent::Message(Opened::Suite(source, suite)) => {
                return self.suite_opened(&source, suite.cases);
            }
            JobEvent::Message(Opened::Failed(source, why)) => {
                // If a file cannot be read with new import options, restores the previous ones.
                self.session.give_up_import();
                let name = source.name();
                self.error(phrase!("Cannot open {name}", name), why, Some(Command::Open));
            }
            JobEvent::Panicked(why) => self.bug(phrase!("Opening"), why),
            JobEvent::Finished => {}
        }
        None
    }

    fn opened_navmesh(
        &mut self,
        source: LevelSource,
        navmesh: NavMesh,
        query: Option<Box<ReproQuery>>,
    ) -> Effect {
        let opened = LogLine::new(Severity::Info, phrase!("Opened {name}", name = source.name()));
        let opened = opened.at(file_place(&source));
        self.prefs.remember(source.clone());
        self.session.open_navmesh(source, navmesh);
        self.session.log.push_file_lines(vec![opened]);
        if let Some(query) = query {
            self.set_up(*query);
        }
        Effect::LevelOpened
    }

    fn opened_store(&mut self, source: LevelSource, read: ReadStore) -> Option<Effect> {
        let ReadStore { navmesh, store, warnings } = read;
        let name = source.name();
        let [n, n_all] = [navmesh.tiles().count(), store.index.ground_entries().count()];
        let text = if let Some(world) = &store.world {
            let [width, depth] = rounded_size(world);
            phrase!(
                "Loaded {width} × {depth} m of {name}: {n} of {n_all} tiles",
                width,
                depth,
                name = &*name,
                n,
                n_all
            )
        } else {
            let tiles = counted_value(n, "tile", "tiles");
            phrase!("Opened {name}: {tiles}", name = &*name, tiles)
        };
        let mut lines = vec![LogLine::new(Severity::Info, text).at(file_place(&source))];
        lines.extend(
            warnings.into_iter().map(|found| LogLine::of_file(&name, source.path(), found)),
        );
        if store.n_damaged > 0 {
            let tiles = counted_value(store.n_damaged, "tile", "tiles");
            let title = phrase!("{tiles} damaged", tiles);
            let why = phrase!("They are left out; the log names them.");
            let show = LogCommand::ShowFileLines.into();
            self.notices.push(Severity::Warning, title, why, Some(show));
        }
        if self.session.opened.imported.as_ref() == Some(&source)
            && self.session.opened.store.is_some()
        {
            // Another part of the open store, or the file has changed.
            self.session.move_store(navmesh, store);
            self.session.log.push_file_lines(lines);
            return self.follow_part();
        }
        self.prefs.remember(source.clone());
        self.session.open_store(source, navmesh, store);
        self.session.log.push_file_lines(lines);
        Some(Effect::LevelOpened)
    }

    fn opened_repro(&mut self, level: LoadedLevel, repro: Repro) -> Option<Effect> {
        let lines = level_lines(&level);
        let Repro { program, scene, query, expected, actual } = repro;
        let ReproScene::Level(ReproLevel { document, .. }) = scene else { return None };
        if self.session.opened.level.as_ref().is_some_and(|old| old.source == level.source) {
            // The same file was read again: changes made since then stay.
            self.session.open(level, None);
            self.session.log.push_file_lines(lines);
            return None;
        }
        self.prefs.remember(level.source.clone());
        let name = level.source.name();
        self.session.open_repro_level(level, *document);
        self.session.log.push_file_lines(lines);
        self.set_up(query);
        let actual = actual.to_string();
        let text = if let Some(expected) = expected {
            phrase!(
                "{name}: {program} found \"{actual}\"; expected: {expected}",
                name,
                program,
                actual,
                expected = expected.key()
            )
        } else {
            phrase!("{name}: {program} found \"{actual}\"", name, program, actual)
        };
        self.session.add_to_log(Severity::Info, text);
        Some(Effect::LevelOpened)
    }

    /// Sets up the path or selects the place of a repro file.
    fn set_up(&mut self, query: ReproQuery) {
        match query {
            ReproQuery::At(point) => {
                self.session.tools.selection = Some(Hover { point, triangle: None });
            }
            ReproQuery::Path(terms) => {
                self.session.path.take_terms(*terms);
                self.session.update_path();
            }
        }
    }

    fn suite_opened(&mut self, source: &LevelSource, cases: Vec<PathCase>) -> Option<Effect> {
        let session = &mut self.session;
        let (name, n) = (source.name(), cases.len());
        let mut all = session.document().path_tests.clone();
        let n_all = all.len() + n;
        let why = if session.is_empty() {
            phrase!("A path suite contains only tests. Open its level first.")
        } else if n_all > MAX_CASES {
            phrase!(
                "With its {n} cases there would be {n_all}; the limit is {limit}.",
                n,
                n_all,
                limit = MAX_CASES
            )
        } else {
            all.extend(cases);
            let edit = Edit::PathTests(all);
            let label = phrase!("Import {name}", name = name.clone());
            session.history.change(label, |document| edit.apply(document));
            session.add_to_log(
                Severity::Info,
                phrase!("Imported {n} path tests from {name}", n, name),
            );
            return Some(Effect::BringToFront(Pane::PathTests));
        };
        self.error(phrase!("Cannot import {name}", name), why, None);
        None
    }

    fn settings_text(level: &LoadedLevel, companion: Option<&Companion>) -> Phrase {
        let name = level.source.name();
        let file = level
            .companions
            .iter()
            .find(|file| FileKind::of_name(file) == Some(FileKind::Settings));
        match (companion, file) {
            (None, _) => {
                phrase!("{name} has no settings of its own; the default settings apply", name)
            }
            (Some(companion), None) if level.world.is_some() => {
                let n = companion.config.settings.tile_size;
                phrase!("{name} is loaded in parts, and baked in tiles of {n} voxels", name, n)
            }
            (Some(_), Some(file)) => {
                let scene = file.display().to_string();
                phrase!("{name} is baked with the settings in {scene}", name, scene)
            }
            (Some(_), None) => phrase!("{name} is baked with settings of its own", name),
        }
    }

    fn report_settings(&mut self, text: Phrase) {
        self.session.add_to_log(Severity::Info, text.clone());
        // Built-in levels have settings that suit them.
        if matches!(self.session.source(), Some(LevelSource::File(_))) {
            self.notices.push(Severity::Info, phrase!("Opened"), text, None);
        }
    }

    /// Warns if the import options or the size of the opened level look wrong.
    fn advise(&mut self) {
        self.advise_on_import();
        self.advise_on_size();
    }

    fn advise_on_import(&mut self) {
        let Some(level) = &self.session.opened.level else { return };
        let Document { settings, import, .. } = self.session.document();
        let BakeSettings { agent_height, agent_radius, .. } = *settings;
        let hint = import_hint(&level.mesh, *import, agent_height, agent_radius);
        if let Some(hint) = hint {
            let (title, why) = (
                phrase!("Are the import options right?"),
                phrase!("Probably {hint}.", hint = hint.diagnostic()),
            );
            self.notices.push(Severity::Warning, title, why, Some(Command::ImportOptions));
        }
    }

    fn advise_on_size(&mut self) {
        let Some(level) = &self.session.opened.level else { return };
        let settings = &self.session.document().settings;
        let size = level.mesh.bounds().size() / settings.cell_size;
        if settings.tile_size == 0 && size.x * size.z > MANY_CELLS {
            let [width, depth] = size.xz().to_array().map(|side| format!("{side:.0}"));
            let why = phrase!(
                "It is one piece of {width} × {depth} voxels, and each change bakes all of them.",
                width,
                depth
            );
            let size = TILE_SIZE;
            let tiled = BakeSettings { tile_size: size, ..settings.clone() };
            let edit = Edit::Settings(Box::new(tiled));
            let cut = Command::Change(phrase!("Split into tiles of {size} voxels", size), edit);
            self.notices.push(Severity::Warning, phrase!("The level is large"), why, Some(cut));
        }
    }

    fn baked(&mut self, event: JobEvent<BakeMessage>) {
        let state = &mut self.session.bake;
        match event {
            JobEvent::Message(BakeMessage::Planned { plan, kept, revision, prepared }) => {
                state.begin(plan, prepared);
                state.keep(&kept, revision);
            }
            JobEvent::Message(BakeMessage::Refused { error }) => {
                let text = error.to_string();
                let why = match &error {
                    BakeError::TooMuchMemory { .. } => {
                        phrase!(
                            "{error}, or raise the memory limit in the preferences",
                            error = text
                        )
                    }
                    BakeError::TooMuchTime { .. } => {
                        phrase!("{error}, or raise the time limit in the preferences", error = text)
                    }
                    error => error.to_string().into(),
                };
                let text = phrase!("Cannot bake: {why}", why = why.clone());
                self.session.add_to_log(Severity::Error, text);
                self.session.bake.refuse(why);
            }
            JobEvent::Message(BakeMessage::Tile(result)) => {
                let (coord, error) = (result.coord, result.error.clone());
                self.session.land(*result);
                if let Some(error) = error {
                    let line = LogLine::new(Severity::Error, tile_error(coord, error));
                    self.session.log.push(line.at(LogPlace::Tile(coord)));
                }
            }
            JobEvent::Message(BakeMessage::Layers(layered)) => {
                if let Err(why) = &layered {
                    let text = phrase!("Cannot prepare for obstacles: {why}", why = &**why);
                    self.session.add_to_log(Severity::Error, text);
                }
                self.session.bake.land_layers(layered.map(|layered| *layered));
            }
            JobEvent::Message(BakeMessage::NoGround(removal)) => {
                state.ground_removal = Some(removal);
                let removal = removal.phrase();
                let text = phrase!("Nothing is walkable: {removal}", removal);
                self.session.add_to_log(Severity::Warning, text);
            }
            JobEvent::Message(BakeMessage::Cache(tally)) => self.cache_used(tally),
            JobEvent::Message(BakeMessage::Done(elapsed)) => self.done(elapsed),
            JobEvent::Panicked(why) => self.bug(phrase!("Baking"), why),
            JobEvent::Finished => {}
        }
    }

    fn cache_used(&mut self, tally: Result<CacheTally, String>) {
        match tally {
            Ok(tally) => {
                let has_problem = tally.damaged + tally.not_stored > 0;
                let severity = if has_problem { Severity::Warning } else { Severity::Info };
                tally.lines().into_iter().for_each(|line| self.session.add_to_log(severity, line));
            }
            Err(why) => self.session.add_to_log(Severity::Warning, why.into()),
        }
    }

    /// Prepares a new navmesh in the background, because its first query would stop the window otherwise.
    fn prepare_queries(&self) -> Option<Effect> {
        let navmesh =
            self.session.bake.navmesh.as_ref().filter(|navmesh| !navmesh.is_prepared())?;
        Some(Work::run(PrepareRequest(Arc::clone(navmesh))).into())
    }

    fn done(&mut self, elapsed: Duration) {
        let state = &mut self.session.bake;
        state.finish(elapsed);
        let n_failed = state.failures().count();
        let n = state.tiles.len();
        let first = state.failures().next().map(|(tile, why)| (tile, why.to_owned()));
        let tiles = counted_value(n, "tile", "tiles");
        let time = format!("{:.0}", elapsed.as_secs_f64() * 1e3);
        let text = phrase!("Baked {tiles} in {time} ms", tiles, time);
        self.session.add_to_log(Severity::Info, text);
        if let Some((tile, why)) = first {
            let title = phrase!("{n_failed} of {n} tiles failed", n_failed, n);
            let look = Command::from(ViewCommand::Tile(Some(tile)));
            self.notices.push(Severity::Error, title, why.into(), Some(look));
        }
        for found in self.session.mesh_findings() {
            // Successive bakes have the same findings.
            let (severity, place) = (found.severity().into(), LogPlace::of(&found));
            let text = lang::line(found);
            let is_same = |entry: &LogEntry| entry.text == text && entry.place == place;
            if !self.session.log.iter().rev().take(MANY_LINES).any(is_same) {
                self.session.log.push(LogLine::new(severity, text).at(place));
            }
        }
        self.alert();
    }

    fn alert(&mut self) {
        let budgets = self.session.document().budgets;
        for excess in exceeded(&budgets, &self.session.bake, None) {
            let look = excess.tile.map(|tile| ViewCommand::Tile(Some(tile)).into());
            let text = phrase!("Over budget: {excess}", excess = excess.text.clone());
            let line = LogLine::new(Severity::Warning, text);
            self.session.log.push(line.at(excess.tile.map(LogPlace::Tile)));
            self.notices.push(Severity::Warning, phrase!("Over budget"), excess.text, look);
        }
    }

    fn game(&mut self, event: JobEvent<GameMessage>) {
        let game = &mut self.session.game;
        // Messages of a connection that was closed meanwhile are dropped.
        if game.link == GameLink::Off {
            return;
        }
        match event {
            JobEvent::Message(GameMessage::Listening { address, token, warning }) => {
                game.link = GameLink::Listening { address, token };
                if let Some(why) = warning {
                    self.session.add_to_log(Severity::Warning, why.clone());
                    let title = phrase!("The token is no secret");
                    self.notices.push(Severity::Warning, title, why, None);
                }
            }
            JobEvent::Message(GameMessage::Refused(why)) => {
                game.close();
                game.error = Some(why);
            }
            JobEvent::Message(GameMessage::Joined(client)) => game.join(client),
            JobEvent::Message(GameMessage::Left(client)) => game.leave(client),
            JobEvent::Message(GameMessage::Agents(agents)) => game.show_agents(agents),
            JobEvent::Message(GameMessage::Question { client, id, question, agent }) => {
                if let GameQuestion::WhyPath { ends, .. } = question {
                    game.note_failed(ends, agent.map(|agent| (client, agent)));
                }
                game.ask(client, id, question);
            }
            JobEvent::Panicked(why) => {
                game.close();
                self.bug(phrase!("The connection to the game"), why);
            }
            JobEvent::Finished => {}
        }
    }

    fn exported(&mut self, event: JobEvent<ExportMessage>) -> Option<Effect> {
        match event {
            JobEvent::Message(ExportMessage::Asks(clash)) => {
                return Some(Effect::AskReplace(clash));
            }
            JobEvent::Message(ExportMessage::Written(written)) => return self.written(*written),
            JobEvent::Panicked(why) => self.bug(phrase!("Writing"), why),
            JobEvent::Finished => {}
        }
        None
    }

    fn written(&mut self, written: Written) -> Option<Effect> {
        if let Some((project, fingerprint)) = &written.project {
            let document = project.document.clone();
            self.session.saved_to(written.path.clone(), document, *fingerprint);
            self.prefs.remember(LevelSource::File(written.path.clone()));
        }
        let path = written.path.display().to_string();
        let place = LogPlace::File(written.path.clone());
        match written.result {
            Ok(_) if written.project.is_some() => {
                let line = LogLine::new(Severity::Info, phrase!("Saved {path}", path = &*path));
                self.session.log.push(line.at(place));
                self.notices.push(Severity::Info, phrase!("Saved"), path.into(), None);
            }
            Ok(n_bytes) if !written.losses.is_empty() => {
                let title = phrase!("Wrote {path}, with losses", path);
                let files = (!written.of_agents.is_empty())
                    .then(|| wrote_agents(&written.of_agents, n_bytes));
                let losses = lang::lines(files.into_iter().chain(written.losses));
                let text = lang::with_more(title.clone(), losses.clone());
                let line = LogLine::new(Severity::Warning, text);
                self.session.log.push(line.at(place));
                self.notices.push(Severity::Warning, title, losses, None);
            }
            Ok(n_bytes) => {
                let text = match &written.of_agents[..] {
                    [] => phrase!("Wrote {path} ({n_bytes} bytes)", path, n_bytes),
                    files => wrote_agents(files, n_bytes),
                };
                let line = LogLine::new(Severity::Info, text.clone());
                self.session.log.push(line.at(place));
                self.notices.push(Severity::Info, phrase!("Written"), text, None);
            }
            Err(why) => self.error(phrase!("Cannot write {path}", path), why, None),
        }
        written.project.is_some().then_some(Effect::Saved)
    }

    /// Shows what the bake of a preview has made. Its messages change [`Session::bake`] as those of any bake, since that
    /// is the preview's; the log does not list them.
    fn previewed(&mut self, event: JobEvent<BakeMessage>) {
        if self.session.preview.is_none() {
            return;
        }
        match event {
            JobEvent::Message(BakeMessage::Refused { error }) => {
                self.session.discard_preview();
                let title = phrase!("The fix cannot be tried out");
                self.error(title, error.to_string().into(), None);
            }
            JobEvent::Message(BakeMessage::Done(elapsed)) => {
                self.session.bake.finish(elapsed);
                self.session.finish_preview();
            }
            JobEvent::Message(BakeMessage::NoGround(removal)) => {
                self.session.bake.ground_removal = Some(removal);
            }
            JobEvent::Panicked(why) => {
                self.session.discard_preview();
                self.bug(phrase!("Trying out the fix"), why);
            }
            JobEvent::Message(
                message @ (BakeMessage::Planned { .. }
                | BakeMessage::Tile(_)
                | BakeMessage::Cache(_)
                | BakeMessage::Layers(_)),
            ) => self.baked(JobEvent::Message(message)),
            JobEvent::Finished => {}
        }
    }

    fn route_found(&mut self, event: JobEvent<RouteMessage>) {
        match event {
            JobEvent::Message(RouteMessage::Progress(progress)) => {
                self.session.route.progress = progress;
            }
            JobEvent::Message(RouteMessage::NotStored(why)) => {
                let text = phrase!("The overlay for routes is not stored: {why}", why);
                self.session.add_to_log(Severity::Warning, text);
            }
            JobEvent::Message(RouteMessage::Done(answer)) => {
                if let Err(NoRoute::Failed(why)) = &*answer {
                    let text = phrase!("Cannot find a route: {why}", why = why.clone());
                    self.session.add_to_log(Severity::Error, text);
                }
                self.session.route.land(*answer);
            }
            JobEvent::Panicked(why) => self.bug(phrase!("Finding a route"), why),
            JobEvent::Finished => {}
        }
    }

    fn stages_for_answer(&mut self, event: JobEvent<AnswerStages>) {
        match event {
            JobEvent::Message((tile, stages)) => self.session.land_stages(tile, stages),
            JobEvent::Panicked(why) => self.bug(phrase!("Inspecting a tile"), why),
            JobEvent::Finished => {}
        }
    }

    fn error(&mut self, title: Phrase, why: Phrase, remedy: Option<Command>) {
        self.session.add_to_log(Severity::Error, lang::with_more(title.clone(), why.clone()));
        self.notices.push(Severity::Error, title, why, remedy);
    }

    fn bug(&mut self, what: Phrase, why: String) {
        let TaskProblem { title, why } = TaskProblem::bug(what, why);
        self.error(title, why, None);
    }
}

fn wrote_agents(files: &[(PathBuf, String)], n_bytes: usize) -> Phrase {
    if let [(path, agent)] = files {
        let path = path.display().to_string();
        return phrase!(
            "Wrote {path} ({n_bytes} bytes), of agent {agent}",
            path,
            n_bytes,
            agent = &**agent
        );
    }
    let file =
        |(path, agent): &(PathBuf, String)| Phrase::from(format!("{agent}: {}", path.display()));
    let title = phrase!("Wrote the navmeshes of these agents ({n_bytes} bytes):", n_bytes);
    lang::lines([title].into_iter().chain(files.iter().map(file)))
}

fn tile_error(coord: TileCoord, error: String) -> Phrase {
    phrase!("Tile {coord}: {error}", coord = coord.to_string(), error)
}

/// Returns width and depth of the loaded part of a level, in whole meters.
fn rounded_size(world: &World) -> [String; 2] {
    world.part.size().xz().to_array().map(|side| format!("{side:.0}"))
}

/// Returns the place of a level or navmesh on disk.
fn file_place(source: &LevelSource) -> Option<LogPlace> {
    source.path().map(|path| LogPlace::File(path.to_owned()))
}

fn level_lines(level: &LoadedLevel) -> Vec<LogLine> {
    let n = level.mesh.triangles().len();
    let name = level.source.name();
    let text = if let Some(world) = &level.world {
        let [width, depth] = rounded_size(world);
        let n_all = world.n_triangles;
        phrase!(
            "Loaded {width} × {depth} m of {name}: {n} of {n_all} triangles",
            width,
            depth,
            name = &*name,
            n,
            n_all
        )
    } else {
        phrase!("Opened {name}: {n} triangles", name = &*name, n)
    };
    let opened = LogLine::new(Severity::Info, text).at(file_place(&level.source));
    let warnings = level.warnings.iter().cloned().chain(level.import.moved());
    let found = warnings.map(|found| LogLine::of_file(&name, level.source.path(), found));
    [opened].into_iter().chain(found).collect()
}

fn without_effect((): ()) -> Option<Effect> {
    None
}
