//! The query tool: runs one query on the navmesh at a time, as a game does. It has all modes of RecastDemo's navmesh
//! tester, and others.

mod ahead;
mod around;
mod flow;
mod mode;
mod paths;
mod slices;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use flow::QueryFlow;
use glam::Vec3;
pub use mode::{QueryMode, QueryOption, QueryOptions};
pub use slices::Slices;
use walkable::{
    debug_draw::{self, DrawList},
    diagnostic::Phrase,
    navmesh::{NavMesh, PolyRef},
    phrase,
    query::{Expansion, Filter, Footprint, NearestRequest, QueryError, nearest},
};
use walkable_workspace::{
    format::fixed_length,
    lang::{self, tr},
    text,
};
use web_time::Instant;

use super::{Replay, Session};
use crate::session::ToolKind;

/// Half-extents of the search for the ground under a click, in meters.
const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Maximum number of polygons that a ray passes.
const MAX_POLYS: usize = 4096;

#[derive(Clone, Debug, Default)]
pub struct QueryState {
    pub mode: QueryMode,
    pub options: QueryOptions,
    pub start: Option<Vec3>,
    pub end: Option<Vec3>,
    /// The result; `None` without a navmesh or a required point.
    pub answer: Option<QueryResult>,
    pub replay: Replay,
}

#[derive(Clone, Debug)]
pub struct QueryResult {
    facts: Vec<QueryFact>,
    picture: DrawList,
    pub time: Duration,
    pub played: Played,
    pub flow: Option<Box<QueryFlow>>,
}

/// A figure of a result: its name, which is translated where it is shown, and its value.
type QueryFact = (&'static str, FactValue);

/// The value of a figure. It is stored as a number or a phrase, because language and units can change.
#[derive(Clone, Debug)]
enum FactValue {
    Count(usize),
    Cost(f32),
    /// In meters.
    Length(f32),
    NoneWithin {
        /// In meters.
        radius: f32,
    },
    Text(Phrase),
}

impl FactValue {
    /// Returns the value in the language and the units of the window.
    fn text(&self) -> String {
        match self {
            Self::Count(n) => n.to_string(),
            Self::Cost(cost) => format!("{cost:.1}"),
            Self::Length(meters) => fixed_length(*meters),
            Self::NoneWithin { radius } => tr!("none within {}", fixed_length(*radius)),
            Self::Text(phrase) => lang::phrase(phrase),
        }
    }
}

impl From<Phrase> for FactValue {
    fn from(phrase: Phrase) -> Self {
        Self::Text(phrase)
    }
}

/// What can be played back, step by step.
#[derive(Clone, Debug)]
pub enum Played {
    Nothing,
    /// The nodes that the search expanded, in order.
    Nodes(Vec<Expansion>),
    Strides(Vec<Footprint>),
    Slices(Box<Slices>),
}

impl Played {
    pub fn n_steps(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Nodes(nodes) => nodes.len(),
            Self::Strides(strides) => strides.len(),
            Self::Slices(slices) => slices.n_steps(),
        }
    }
}

impl QueryState {
    pub fn update(&mut self, navmesh: Option<&NavMesh>, filter: &Filter) {
        (self.answer, self.replay) = (None, Replay::default());
        let (Some(navmesh), Some(start)) = (navmesh, self.start) else { return };
        let Some(end) = self.end.or_else(|| (!self.mode.has_end()).then_some(start)) else {
            return;
        };
        let input = QueryInput { navmesh, filter, options: self.options };
        let request = NearestRequest { center: start, half_extents: REACH, filter };
        let answer = nearest(navmesh, &request).and_then(|found| match found {
            Some(start) => self.mode.run(&input, start, end),
            None => Ok(refused(phrase!("no navmesh near the start"))),
        });
        self.answer = Some(answer.unwrap_or_else(|why| refused(Phrase::verbatim(why.to_string()))));
    }

    pub fn show(&mut self, replay: Replay, navmesh: Option<&NavMesh>, filter: &Filter) {
        self.replay = replay;
        let played = self.answer.as_mut().map(|answer| &mut answer.played);
        if let (Some(Played::Slices(slices)), Some(navmesh)) = (played, navmesh) {
            slices.show(replay.step, navmesh, filter);
        }
    }

    /// Returns the position of the playback after one tick; sliced searches play at their own speed.
    pub fn later(&self) -> Replay {
        let n_steps = self.n_steps();
        let played = self.answer.as_ref().map(|answer| &answer.played);
        if matches!(played, Some(Played::Slices(_))) {
            self.replay.later_by(n_steps, 1)
        } else {
            self.replay.later(n_steps)
        }
    }

    pub fn n_steps(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.played.n_steps())
    }

    pub fn forget(&mut self) {
        (self.start, self.end, self.answer) = (None, None, None);
        self.replay = Replay::default();
    }

    /// Draws the result up to the current step of the playback.
    pub fn picture(&self, navmesh: Option<&NavMesh>) -> DrawList {
        let Some(answer) = &self.answer else { return DrawList::default() };
        match (&answer.played, self.replay.step, navmesh) {
            (Played::Nodes(nodes), Some(step), Some(navmesh)) => {
                debug_draw::search_step(navmesh, nodes, step)
            }
            (Played::Strides(strides), Some(step), _) => paths::footprints_picture(strides, step),
            (Played::Slices(slices), _, Some(navmesh)) => slices.picture(navmesh),
            _ => answer.picture.clone(),
        }
    }
}

impl Session {
    pub fn shows_query(&self) -> bool {
        self.tools.tool == ToolKind::Query && self.tools.query_tool.answer.is_some()
    }

    pub fn show_query(&mut self, replay: Replay) {
        self.tools.query_tool.show(replay, self.bake.navmesh.as_deref(), &self.path.filter);
    }
}

impl QueryResult {
    /// Figures by name in the language of the window, up to the current step of the playback.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let of_slices = match &self.played {
            Played::Slices(slices) => Some(slices.facts()),
            Played::Nothing | Played::Nodes(_) | Played::Strides(_) => None,
        };
        let facts = of_slices.as_ref().unwrap_or(&self.facts).iter();
        facts.map(|(name, value)| (tr(name), value.text())).collect()
    }
}

fn refused(why: Phrase) -> QueryResult {
    let facts = vec![(text!("No answer"), why.into())];
    let (picture, time) = (DrawList::default(), Duration::ZERO);
    QueryResult { facts, picture, time, flow: None, played: Played::Nothing }
}

struct QueryInput<'a> {
    navmesh: &'a NavMesh,
    filter: &'a Filter,
    options: QueryOptions,
}

type QueryAnswer = Result<QueryResult, QueryError>;

impl QueryInput<'_> {
    fn polygons(&self, polys: impl Iterator<Item = PolyRef>) -> DrawList {
        debug_draw::corridor(self.navmesh, &polys.collect::<Vec<_>>())
    }
}

fn timed<T>(query: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let answer = query();
    (answer, clock.elapsed())
}
