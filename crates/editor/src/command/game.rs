//! Commands for the connection to running games.

use glam::Vec3;
use walkable::geom::Aabb;
use walkable_workspace::{lang::tr, live::ClientId};

use super::{
    CameraMove, Command, Effect, Pane,
    describe::{Description, says},
};
use crate::{
    jobs::{game::ListenRequest, work::Work},
    session::{GameLink, Session, ToolKind},
};

/// Margin around the points to which the camera is moved, in meters.
const AROUND: f32 = 4.0;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCommand {
    Connect,
    Listen(ListenRequest),
    /// Disconnects all games, and removes their agents and failed paths.
    Disconnect,
    CopyAddress,
    CopyToken,
    ShowAgent(ClientId, u64),
    Choose(Option<u64>),
    TakePath(u64),
    ClearFailed,
}

impl GameCommand {
    /// Returns the commands that need no arguments; none on a web page, to which no game can connect.
    pub(super) fn listed() -> Vec<Command> {
        let all = [
            Self::Connect,
            Self::Disconnect,
            Self::CopyAddress,
            Self::CopyToken,
            Self::ClearFailed,
        ];
        if cfg!(target_family = "wasm") { Vec::new() } else { all.map(Command::from).to_vec() }
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Connect => says(
                "game.connect",
                tr!("Connect to a game…"),
                tr!("Shows the agents of a running game, and why its paths failed"),
            ),
            Self::Listen(_) => says(
                "game.listen",
                tr!("Listen"),
                tr!("Lets games on this machine connect that know the token"),
            )
            .needs(
                |session| session.game.link == GameLink::Off,
                tr!("The window is already listening for games."),
            ),
            Self::Disconnect => says(
                "game.disconnect",
                tr!("Disconnect games"),
                tr!("Disconnects all games, and removes their agents and failed paths"),
            )
            .needs(|session| session.game.link != GameLink::Off, tr!("Connect to a game first.")),
            Self::CopyAddress => says(
                "game.copy-address",
                tr!("Copy address for games"),
                tr!("Copies the address to which a game connects"),
            )
            .needs(listens, tr!("Connect to a game first.")),
            Self::CopyToken => says(
                "game.copy-token",
                tr!("Copy token for games"),
                tr!("Copies the token that a game must send"),
            )
            .needs(listens, tr!("Connect to a game first.")),
            Self::ShowAgent(client, id) => says(
                format!("game.agent.{client}.{id}"),
                tr!("Show agent {id}"),
                tr!("Moves the camera to the agent"),
            ),
            Self::Choose(Some(number)) => says(
                format!("game.choose.{number}"),
                tr!("Show failed path {number}"),
                tr!("Moves the camera to the path, and shows why it failed"),
            ),
            Self::Choose(None) => {
                says("game.choose.none", tr!("Hide failed path"), tr!("Shows no failed path"))
            }
            Self::TakePath(number) => says(
                format!("game.take-path.{number}"),
                tr!("Use as path"),
                tr!("Sets start and end of the path tool to those of this path"),
            ),
            Self::ClearFailed => says(
                "game.clear-failed",
                tr!("Clear failed paths"),
                tr!("Removes the failed paths from the list"),
            )
            .needs(|session| !session.game.failed.is_empty(), tr!("No path of a game has failed.")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        let game = &mut session.game;
        match self {
            Self::Connect => return vec![Effect::BringToFront(Pane::Game)],
            Self::Listen(request) => {
                game.open();
                return vec![Work::Listen(request).into()];
            }
            Self::Disconnect => {
                game.close();
                return vec![Work::StopListening.into()];
            }
            Self::CopyAddress => return copy(&game.link, |address, _| address),
            Self::CopyToken => return copy(&game.link, |_, token| token),
            Self::ShowAgent(client, id) => {
                let at = game.agents.get(client, id).map(|agent| agent.at);
                return at.map(|at| frame(&[at])).into_iter().collect();
            }
            Self::Choose(number) => {
                game.chosen = number.filter(|&number| game.failed_path(number).is_some());
                return game.chosen_path().map(|failed| frame(&failed.ends)).into_iter().collect();
            }
            Self::TakePath(number) => {
                let Some(failed) = game.failed_path(number) else { return Vec::new() };
                let [start, end] = failed.ends;
                (session.path.start, session.path.end) = (Some(start), Some(end));
                session.tools.tool = ToolKind::Path;
                session.update_path();
                return vec![frame(&[start, end]), Effect::BringToFront(Pane::Path)];
            }
            Self::ClearFailed => game.clear_failed(),
        }
        Vec::new()
    }
}

fn listens(session: &Session) -> bool {
    matches!(session.game.link, GameLink::Listening { .. })
}

fn copy(link: &GameLink, of: fn(String, String) -> String) -> Vec<Effect> {
    match link {
        GameLink::Off | GameLink::Opening => Vec::new(),
        GameLink::Listening { address, token } => {
            vec![Effect::Copy(of(address.clone(), token.clone()))]
        }
    }
}

fn frame(points: &[Vec3]) -> Effect {
    let around = Vec3::splat(AROUND);
    let corners = points.iter().flat_map(|&at| [at - around, at + around]);
    Effect::Camera(CameraMove::Frame(Aabb::around(corners)))
}
