//! Starts the work that the session requires: a bake after a change, the stages of visible tiles, reading a changed
//! level again.

use std::{path::PathBuf, time::Duration};

use glam::Vec3;
use walkable::geom::Aabb;
use walkable_workspace::limits;

use super::{Editor, Effect, Tick, requests};
use crate::{
    jobs::{
        changes::ChangesRequest,
        fixes::FixRequest,
        game_answer::GameAnswerRequest,
        lab::LabRequest,
        other_agents::OtherAgentsRequest,
        overview_message::{OverviewContents, OverviewRequest},
        work::{JobStatus, Work},
    },
    overview_store::OverviewKey,
    session::{FixTarget, LevelSource, OverviewState, Searcher, Session, World},
    task::TaskId,
};

/// Time without a change after which a bake starts during a drag.
pub const REST: Duration = Duration::from_millis(150);

/// Ends a preview of a document or level that has changed since.
pub(crate) fn drop_stale_preview(session: &mut Session) -> Option<Work> {
    let is_stale = session.has_stale_preview();
    (is_stale && session.discard_preview()).then_some(Work::CancelPreview)
}

impl Editor {
    pub(super) fn start_due(&mut self, tick: &Tick) -> Vec<Effect> {
        let mut due = Vec::new();
        due.extend(self.watch());
        due.extend(self.overview(&tick.jobs));
        due.extend(drop_stale_preview(&mut self.session));
        self.session.bake.stages.set_budget(self.prefs.memory.stages());
        self.session.bake.uses_cache = self.prefs.caches_tiles;
        let session = &mut self.session;
        if let (Some(import), Some(level)) = (session.wanted_import(), &session.opened.level) {
            let wanted = (level.source.clone(), import);
            if tick.jobs.reading.as_ref() != Some(&wanted) {
                due.push(requests::open_part(session, wanted.0, wanted.1));
            }
        } else {
            due.extend(self.stages());
            due.extend(self.other_agents());
            due.extend(requests::due_export(&mut self.session));
            due.extend(self.frames());
            due.extend(self.keep_lab_current());
            due.extend(self.explain_path());
            due.extend(self.find_path_fixes());
            due.extend(self.route(&tick.jobs));
            due.extend(self.run_path_tests());
            due.extend(self.find_changes());
            due.extend(self.answer_game());
            due.extend(self.check());
            due.extend(self.cancel_lost_sweep());
            let bake = self.bake(tick);
            if bake.is_none() {
                due.extend(self.follow_camera(tick));
            }
            due.extend(bake);
        }
        due.into_iter().map(Effect::Work).collect()
    }

    fn watch(&mut self) -> Option<Work> {
        let level = self.session.opened.level.as_ref();
        let files: Vec<PathBuf> = match level.map(|level| (&level.source, &level.beside)) {
            Some((LevelSource::File(path), beside)) => {
                std::iter::once(path).chain(beside).cloned().collect()
            }
            Some((LevelSource::Builtin(_), _)) | None => Vec::new(),
        };
        (files != self.watched).then(|| {
            self.watched.clone_from(&files);
            Work::Watch(files)
        })
    }

    /// Reads a level larger than memory for its overview, or stops that for a level that is no longer open.
    fn overview(&mut self, jobs: &JobStatus) -> Option<Work> {
        let session = &mut self.session;
        let source = session.opened.level.as_ref().map(|level| &level.source);
        let path = source.or(session.opened.imported.as_ref()).and_then(LevelSource::path);
        let Some((path, world)) = path.zip(session.world()) else {
            return jobs.reads_overview.then_some(Work::CancelOverview);
        };
        let &World { hash, bounds, n_triangles, .. } = world;
        let flat = |corner: Vec3| corner.with_y(0.0);
        let (contents, bounds) = match &session.opened.store {
            // The part decides which heights are known, but not what the overview shows.
            Some(_) => (
                OverviewContents::Tiles(bounds),
                Aabb { min: flat(bounds.min), max: flat(bounds.max) },
            ),
            None => (OverviewContents::Triangles, bounds),
        };
        let level = OverviewKey { hash, bounds, n_triangles };
        let request = OverviewRequest { path: path.to_owned(), level, contents };
        if session.opened.overview.requested == Some(hash) {
            return None;
        }
        session.opened.overview =
            OverviewState { requested: Some(hash), ..OverviewState::default() };
        Some(Work::Overview(request))
    }

    /// Bakes tiles again whose stages are needed but were evicted.
    fn stages(&mut self) -> Option<Work> {
        let wanted = self.session.wanted_stages();
        (!wanted.is_empty()).then_some(Work::Stages(wanted))
    }

    fn bake(&mut self, tick: &Tick) -> Option<Work> {
        let session = &mut self.session;
        let changed =
            session.opened.level.is_some() && session.bake.started != Some(session.revision());
        let settled = !session.history.in_transaction() || tick.rest >= REST;
        limits::set_memory(self.prefs.max_memory);
        limits::set_time(self.prefs.max_secs);
        if !(changed && settled && self.prefs.auto_bake && session.opened.hold_bake.is_none()) {
            return None;
        }
        let base = session.bake.base();
        requests::bake(session, base)
    }

    /// Bakes the navmeshes of the other agents if they are shown and out of date.
    fn other_agents(&mut self) -> Option<Work> {
        let wanted = self.session.other_agents_to_bake()?;
        OtherAgentsRequest::new(&mut self.session, wanted).map(Work::run)
    }

    fn explain_path(&mut self) -> Option<Work> {
        let question = self.session.due_path_question()?;
        requests::explain_path(&mut self.session, question)
    }

    /// Looks for fixes of a path that is interrupted; stops looking for those of a path or place that has changed.
    fn find_path_fixes(&mut self) -> Option<Work> {
        let session = &mut self.session;
        if session.has_lost_fixes() {
            return Some(Work::Cancel(TaskId::Fixes.into()));
        }
        if !session.should_find_path_fixes() {
            return None;
        }
        let request = FixRequest::of(session, FixTarget::Path)?;
        session.ask_for_fixes(FixTarget::Path);
        Some(Work::run(request))
    }

    /// Finds the route of a path whose ends are not loaded; cancels the search for a route that is no longer needed.
    fn route(&mut self, jobs: &JobStatus) -> Option<Work> {
        if let Some(question) = self.session.due_route() {
            return Some(requests::find_route(&mut self.session, &self.prefs, question));
        }
        let route = &mut self.session.route;
        if self.session.opened.level.is_none() && self.session.opened.store.is_none() {
            return std::mem::take(&mut route.keeps_overlay).then_some(Work::ForgetRoute);
        }
        (jobs.finds_route && self.session.has_lost_route()).then_some(Work::CancelRoute)
    }

    fn run_path_tests(&mut self) -> Option<Work> {
        let question = self.session.due_path_tests()?;
        requests::run_path_tests(&mut self.session, question)
    }

    fn answer_game(&mut self) -> Vec<Work> {
        let (session, mut lines) = (&mut self.session, Vec::new());
        let question = session.begin_game_question(&mut lines);
        let request = question.map(|question| GameAnswerRequest::of(session, question));
        let work = request.map(Work::run);
        lines.into_iter().map(Work::TellGame).chain(work).collect()
    }

    fn find_changes(&mut self) -> Option<Work> {
        let (meshes, suite) = self.session.due_comparison()?;
        self.session.changes.begin(meshes.clone(), suite.clone());
        Some(Work::run(ChangesRequest(meshes, suite)))
    }

    /// Cancels a sweep of a level that is no longer open.
    fn cancel_lost_sweep(&self) -> Option<Work> {
        let is_lost = self.session.runs(TaskId::Sweep) && self.session.sweep.entries.is_empty();
        is_lost.then_some(Work::Cancel(TaskId::Sweep.into()))
    }

    /// Checks the navmesh after a bake; stops the check of one that is no longer open.
    fn check(&mut self) -> Option<Work> {
        if self.session.runs(TaskId::Check) && self.session.check.is_lost() {
            return Some(Work::Cancel(TaskId::Check.into()));
        }
        if self.session.is_check_due() { requests::check(&mut self.session) } else { None }
    }

    fn frames(&mut self) -> Option<Work> {
        let frames = self.session.wanted_frames().map(Work::run);
        let is_over = self.session.animation().is_none() && self.session.runs(TaskId::Frames);
        frames.or_else(|| is_over.then(|| Work::Cancel(TaskId::Frames.into())))
    }

    /// Returns the work that updates the lab after a change: its searches, or all weights if they are shown and out of
    /// date.
    fn keep_lab_current(&mut self) -> Option<Work> {
        let session = &mut self.session;
        if session.bake.progress.is_some() {
            return None;
        }
        let current = session.lab_question();
        let compare = if session.lab.is_due(current) { requests::compare(session) } else { None };
        let Some(due) = session.lab.sweep_due(current) else { return compare };
        session.lab.swept = Some(due);
        let Ok(request) = LabRequest::sweep_of(session) else { return compare };
        session.lab.choose(Some(Searcher::AStarWeighted), None);
        session.lab.refused.clear();
        Some(Work::run(request))
    }
}
