//! The route across a level or tile store larger than memory, between ends that are not loaded.

use std::{path::PathBuf, sync::Arc};

use walkable::diagnostic::Phrase;
use walkable_workspace::{path_terms::PathTerms, store_route::WorldRoute};

use super::{PathAnswer, Session};

/// The input of a route: equal questions have equal answers.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteQuestion {
    /// The tile store with the navmesh of the whole world. It need not exist.
    pub store: PathBuf,
    pub terms: PathTerms,
    /// Hash of the open store; `None` for one beside a level, which is read when it is needed.
    pub hash: Option<u128>,
}

/// Why there is no answer about a route.
#[derive(Clone, Debug, PartialEq)]
pub enum NoRoute {
    /// There is no tile store at the path of the question.
    NoStore,
    /// The store cannot be read, or its overlay does not fit in memory.
    Failed(Phrase),
}

#[derive(Clone, Debug, Default)]
pub struct RouteState {
    latest_question: Option<RouteQuestion>,
    pub is_busy: bool,
    /// The fraction of the overlay that is computed, from 0 to 1.
    pub progress: f32,
    answer: Option<Result<Arc<WorldRoute>, NoRoute>>,
    /// Increases with each answer, for caches of pictures.
    pub serial: u64,
    /// Whether the job may have an overlay in memory.
    pub keeps_overlay: bool,
}

impl RouteState {
    pub fn ask(&mut self, question: RouteQuestion) {
        (self.latest_question, self.answer) = (Some(question), None);
        self.keeps_overlay = true;
        (self.is_busy, self.progress) = (true, 0.0);
        self.serial += 1;
    }

    pub fn land(&mut self, answer: Result<WorldRoute, NoRoute>) {
        self.serial += 1;
        self.answer = Some(answer.map(Arc::new));
    }

    pub(super) fn forget(&mut self) {
        let Self { serial, keeps_overlay, .. } = *self;
        *self = Self { serial: serial + 1, keeps_overlay, ..Self::default() };
    }
}

impl Session {
    /// Returns whether the path may lead through tiles that are not loaded, so that only a route can answer it.
    pub fn needs_route(&self) -> bool {
        self.world().is_some() && self.path.answer.as_ref().is_some_and(PathAnswer::is_not_loaded)
    }

    /// Returns the tile store with the navmesh of the whole world: the open one, or the one beside the open level.
    pub fn world_store(&self) -> Option<PathBuf> {
        self.world()?;
        match &self.opened.level {
            Some(level) => Some(level.source.path()?.with_extension("tiles")),
            None => Some(self.opened.imported.as_ref()?.path()?.to_owned()),
        }
    }

    /// Returns the question about the current path; `None` if the loaded part answers it.
    pub fn route_question(&self) -> Option<RouteQuestion> {
        if !self.needs_route() {
            return None;
        }
        let (store, terms) = (self.world_store()?, self.path.terms()?);
        let hash = self.opened.store.as_ref().map(|store| store.index.hash());
        Some(RouteQuestion { store, terms, hash })
    }

    /// Returns the question to start without a command, when no bake is running.
    pub fn due_route(&self) -> Option<RouteQuestion> {
        let is_waiting = self.bake.progress.is_some() || self.history.in_transaction();
        let question = self.route_question().filter(|_| !is_waiting)?;
        (self.route.latest_question.as_ref() != Some(&question)).then_some(question)
    }

    /// Returns whether the job works on a question that is no longer needed.
    pub fn has_lost_route(&self) -> bool {
        self.route.is_busy && self.route.latest_question != self.route_question()
    }

    pub fn route_answer(&self) -> Option<&Result<Arc<WorldRoute>, NoRoute>> {
        let question = self.route_question()?;
        self.route
            .answer
            .as_ref()
            .filter(|_| self.route.latest_question.as_ref() == Some(&question))
    }

    pub fn shown_route(&self) -> Option<&Arc<WorldRoute>> {
        self.route_answer()?.as_ref().ok()
    }
}
