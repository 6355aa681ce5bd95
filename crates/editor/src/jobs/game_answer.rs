//! Answers the questions of running games in the background.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use glam::Vec3;
use walkable::{
    bake::BakePlan,
    diagnostic::Phrase,
    explain::{FixLimits, PlaceQuestion},
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
    tile_cache::Obstacle,
};
use walkable_workspace::{
    after_bake::PostBake,
    document::Finish,
    lang::tr,
    limits,
    live::{TilePlace, TileStamps, find_tiles, tiles_of_mesh, tiles_with_bytes},
    path_why::PathWhyRequest,
};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{FoundPath, GameAnswer, GameQuestion, Session},
};

const FIX_TIME: Duration = Duration::from_secs(8);

#[derive(Clone, Debug)]
pub enum GameAnswerRequest {
    /// Compares the tiles of the navmesh with those that clients know.
    Tiles {
        navmesh: Option<Arc<NavMesh>>,
        serial: u64,
        known: TileStamps,
    },
    TileBytes(Arc<NavMesh>, Vec<TilePlace>),
    WhyHere {
        plan: Arc<BakePlan>,
        finish: Box<Finish>,
        obstacles: Option<Vec<Obstacle>>,
        at: Vec3,
        fixes: bool,
    },
    WhyPath {
        path: Box<PathWhyRequest>,
        serial: u64,
        fixes: bool,
    },
    Refused(String),
}

impl GameAnswerRequest {
    pub fn of(session: &Session, question: GameQuestion) -> Self {
        let bake = session.current_bake();
        let (navmesh, serial) = (bake.navmesh.clone(), bake.navmesh_serial);
        let refused = |why: &str| Self::Refused(why.to_owned());
        match question {
            GameQuestion::Greeting | GameQuestion::Changes => {
                Self::Tiles { navmesh, serial, known: session.game.known_tiles() }
            }
            GameQuestion::Tiles(places) => match navmesh {
                Some(navmesh) => Self::TileBytes(navmesh, places),
                None => refused(tr!("there is no navmesh")),
            },
            GameQuestion::WhyHere { at, fixes } => match bake.plan.clone() {
                Some(plan) => Self::WhyHere {
                    plan,
                    finish: Box::new(session.document().finish()),
                    obstacles: session.document().obstacles_on_layers(),
                    at,
                    fixes,
                },
                None => refused(tr!("there is no bake to explain")),
            },
            GameQuestion::WhyPath { ends, fixes } => {
                let terms = session.game_path_terms(ends);
                match session.path_why_request_for(terms) {
                    Some(path) => Self::WhyPath { path: Box::new(path), serial, fixes },
                    None => refused(tr!("there is no navmesh")),
                }
            }
        }
    }

    pub fn answer(self, monitor: &dyn Monitor) -> GameAnswer {
        match self {
            Self::Tiles { navmesh, serial, known } => {
                let tiles = navmesh.as_deref().into_iter().flat_map(tiles_of_mesh);
                let Ok((stamps, changes)) = known.replaced(tiles, |_| Ok::<_, Infallible>(()));
                let parameters = navmesh.as_ref().map(|mesh| serde_json::to_value(mesh.params()));
                let parameters = parameters.and_then(Result::ok).unwrap_or_default();
                GameAnswer::Tiles { navmesh: serial, stamps, changes, parameters }
            }
            Self::TileBytes(navmesh, places) => {
                let sent = tiles_with_bytes(find_tiles(&navmesh, &places), &places);
                GameAnswer::Reply(sent.map_err(|error| error.to_string()))
            }
            Self::WhyHere { plan, finish, obstacles, at, fixes } => {
                let usual = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
                let n_bakes = if fixes { usual.n_bakes } else { 0 };
                let limits = FixLimits { n_bakes, ..usual };
                let post_bake = PostBake { finish: &finish, obstacles: obstacles.as_deref() };
                let (question, limited) =
                    (PlaceQuestion { at, triangle: None }, Limited::new(monitor));
                let answer = post_bake.why_here(&plan, question, limits, &limited);
                let answer = answer.and_then(|answer| Ok(serde_json::to_value(answer)?));
                GameAnswer::Reply(answer.map_err(|error| format!("{error:#}")))
            }
            Self::WhyPath { path, serial, fixes } => {
                let limited = fixes.then(|| Limited::new(monitor));
                let found = explain(&path, limited.as_ref(), monitor);
                let found = found.map_err(|error| format!("{error:#}"));
                GameAnswer::Path { navmesh: serial, found }
            }
            Self::Refused(why) => GameAnswer::Reply(Err(why)),
        }
    }
}

/// Cancels after [`FIX_TIME`], or with another monitor.
struct Limited<'a> {
    end: Instant,
    other: &'a dyn Monitor,
}

impl<'a> Limited<'a> {
    fn new(other: &'a dyn Monitor) -> Self {
        Self { end: Instant::now() + FIX_TIME, other }
    }
}

impl Monitor for Limited<'_> {
    fn is_cancelled(&self) -> bool {
        Instant::now() >= self.end || self.other.is_cancelled()
    }
}

/// Explains a path. Also searches for fixes if `fixes` limits that search.
fn explain(
    path: &PathWhyRequest,
    fixes: Option<&Limited<'_>>,
    monitor: &dyn Monitor,
) -> anyhow::Result<FoundPath> {
    let why = path.why_no_path(fixes.map(|limited| limited as &dyn Monitor), monitor)?;
    let reply = serde_json::to_value(&why)?;
    Ok(FoundPath { status: why.path.status, answer: Arc::new(why.answer), reply })
}

impl Job for GameAnswerRequest {
    type Message = GameAnswer;

    fn carry_out(self, report: &Reporter<GameAnswer>) {
        report.send(self.answer(report));
    }
}

impl Task for GameAnswerRequest {
    const THREAD: &'static str = "game answer";
    const ENDS_WITH_LEVEL: bool = false;

    fn what() -> Phrase {
        phrase!("Answering a game")
    }

    fn apply(session: &mut Session, answer: GameAnswer) -> Option<FollowUp> {
        Some(FollowUp::TellGames(session.game.land(answer)))
    }

    fn end(session: &mut Session) -> Option<FollowUp> {
        let line = session.game.give_up("the answer ended in an internal error");
        line.map(|line| FollowUp::TellGames(vec![line]))
    }
}
