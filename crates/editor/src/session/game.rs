//! Running games that are connected to the editor: their agents, their questions, and the paths that they did not find.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use glam::Vec3;
use serde_json::{Value, json};
use walkable::{query::PathStatus, route::RouteAnswer};
use walkable_workspace::{
    live::{
        ClientId, GameAgent, GameAgents, PROTOCOL, TileChanges, TilePlace, TileStamps, error_line,
        line,
    },
    path_terms::PathTerms,
};

use super::Session;

/// Maximum number of failed paths; the oldest are dropped.
const MAX_FAILED: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GameLink {
    #[default]
    Off,
    Opening,
    Listening {
        address: String,
        token: String,
    },
}

/// A question of a game that needs the navmesh.
#[derive(Clone, Debug, PartialEq)]
pub enum GameQuestion {
    /// The first line to a client: the tiles that exist.
    Greeting,
    /// Which tiles have changed, to tell all clients.
    Changes,
    Tiles(Vec<TilePlace>),
    WhyHere {
        at: Vec3,
        fixes: bool,
    },
    WhyPath {
        ends: [Vec3; 2],
        fixes: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct PendingQuestion {
    /// The client and the number of its message; `None` if the editor itself asks.
    from: Option<(ClientId, Option<u64>)>,
    pub question: GameQuestion,
}

#[derive(Clone, Debug)]
pub enum GameAnswer {
    /// The tiles that exist, and their differences from those of the previous answer.
    Tiles {
        navmesh: u64,
        stamps: TileStamps,
        changes: TileChanges,
        /// Parameters of the navmesh; null if there is none.
        parameters: Value,
    },
    Path {
        navmesh: u64,
        /// The explanation, or the reason why there is none.
        found: Result<FoundPath, String>,
    },
    /// Another reply, or the reason why there is none.
    Reply(Result<Value, String>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct FoundPath {
    /// How far the path leads on the editor's navmesh.
    pub status: PathStatus,
    pub answer: Arc<RouteAnswer>,
    pub reply: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FailedPath {
    pub number: u64,
    pub ends: [Vec3; 2],
    /// Name of the agent that needs the path; empty if the game gave none.
    pub agent: String,
    pub n_requests: u32,
    /// Serial number of the navmesh, and the explanation or the reason why there is none; `None` until it is known.
    pub answer: Option<(u64, Result<FoundPath, String>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    pub to: ClientId,
    pub text: Arc<str>,
    pub is_reply: bool,
}

#[derive(Clone, Debug, Default)]
pub struct GameState {
    pub link: GameLink,
    pub error: Option<String>,
    pub clients: BTreeSet<ClientId>,
    /// The clients that know the tiles and are notified of changes.
    greeted: BTreeSet<ClientId>,
    pub agents: GameAgents,
    /// Grows with each change of the agents.
    pub agents_serial: u64,
    /// The paths that clients asked about, oldest first.
    pub failed: VecDeque<FailedPath>,
    pub chosen: Option<u64>,
    n_failed: u64,
    waiting: VecDeque<PendingQuestion>,
    pending: Option<PendingQuestion>,
    /// The tiles that clients know, and the serial number of their navmesh.
    known: Option<(u64, TileStamps)>,
}

impl GameState {
    /// Begins to listen. Forgets what an earlier connection showed.
    pub fn open(&mut self) {
        self.close();
        self.link = GameLink::Opening;
    }

    /// Stops listening, and removes what the connection showed.
    pub fn close(&mut self) {
        *self = Self {
            agents_serial: self.agents_serial + 1,
            n_failed: self.n_failed,
            ..Self::default()
        };
    }

    pub fn join(&mut self, client: ClientId) {
        self.clients.insert(client);
        self.ask(client, None, GameQuestion::Greeting);
    }

    /// Removes a client. Its failed paths stay, and are still explained.
    pub fn leave(&mut self, client: ClientId) {
        self.clients.remove(&client);
        self.greeted.remove(&client);
        let is_of = |pending: &PendingQuestion| pending.from.is_some_and(|(of, _)| of == client);
        self.waiting.retain(|pending| {
            !is_of(pending) || matches!(pending.question, GameQuestion::WhyPath { .. })
        });
        for pending in
            self.waiting.iter_mut().chain(&mut self.pending).filter(|pending| is_of(pending))
        {
            pending.from = None;
            if let GameQuestion::WhyPath { fixes, .. } = &mut pending.question {
                *fixes = false;
            }
        }
    }

    pub fn show_agents(&mut self, agents: GameAgents) {
        (self.agents, self.agents_serial) = (agents, self.agents_serial + 1);
    }

    /// Queues a question of a client. `id` is the number of its message.
    pub fn ask(&mut self, client: ClientId, id: Option<u64>, question: GameQuestion) {
        let pending = PendingQuestion { from: Some((client, id)), question };
        if pending.question == GameQuestion::Greeting {
            self.waiting.push_front(pending);
        } else {
            self.waiting.push_back(pending);
        }
    }

    /// Lists a path that an agent did not find. If it is listed already, it becomes the newest.
    pub fn note_failed(&mut self, ends: [Vec3; 2], agent: Option<(ClientId, u64)>) {
        let label = agent.map(|(client, id)| {
            let agent = self.agents.get(client, id);
            agent.map_or_else(|| id.to_string(), GameAgent::label)
        });
        let agent = label.unwrap_or_default();
        if let Some(at) = self.failed.iter().position(|failed| failed.ends == ends)
            && let Some(known) = self.failed.remove(at)
        {
            let n_requests = known.n_requests.saturating_add(1);
            self.failed.push_back(FailedPath { agent, n_requests, ..known });
            return;
        }
        self.n_failed += 1;
        let number = self.n_failed;
        self.failed.push_back(FailedPath { number, ends, agent, n_requests: 1, answer: None });
        if self.failed.len() > MAX_FAILED {
            self.failed.pop_front();
        }
    }

    pub fn failed_path(&self, number: u64) -> Option<&FailedPath> {
        self.failed.iter().find(|failed| failed.number == number)
    }

    pub fn chosen_path(&self) -> Option<&FailedPath> {
        self.failed_path(self.chosen?)
    }

    pub fn clear_failed(&mut self) {
        self.failed.clear();
        self.chosen = None;
    }

    pub fn known_tiles(&self) -> TileStamps {
        self.known.as_ref().map(|(_, stamps)| stamps.clone()).unwrap_or_default()
    }

    /// Returns the next question that needs work. Adds the replies to questions whose answers are known to `lines`.
    fn next(&mut self, navmesh: u64, lines: &mut Vec<GameLine>) -> Option<&PendingQuestion> {
        if self.pending.is_some() {
            return None;
        }
        while let Some(next) = self.waiting.pop_front() {
            let GameQuestion::WhyPath { ends, fixes: false } = next.question else {
                self.pending = Some(next);
                return self.pending.as_ref();
            };
            let known = self.failed.iter().find(|failed| failed.ends == ends);
            let answer = known.and_then(|known| known.answer.as_ref());
            match answer.filter(|(of, _)| *of == navmesh) {
                Some((_, found)) => {
                    let reply = found.as_ref().map(|found| &found.reply);
                    lines.extend(reply_line(&next, reply));
                }
                // A path that is no longer listed, of a client that left.
                None if known.is_none() && next.from.is_none() => {}
                None => {
                    self.pending = Some(next);
                    return self.pending.as_ref();
                }
            }
        }
        None
    }

    /// Stores the answer to the current question. Returns the lines to send.
    pub fn land(&mut self, answer: GameAnswer) -> Vec<GameLine> {
        let Some(pending) = self.pending.take() else { return Vec::new() };
        match answer {
            GameAnswer::Tiles { navmesh, stamps, changes, parameters } => {
                self.land_tiles(&pending, (navmesh, stamps), &changes, &parameters)
            }
            GameAnswer::Path { navmesh, found } => {
                let line = reply_line(&pending, found.as_ref().map(|found| &found.reply));
                if let GameQuestion::WhyPath { ends, .. } = pending.question
                    && let Some(failed) = self.failed.iter_mut().find(|it| it.ends == ends)
                {
                    failed.answer = Some((navmesh, found));
                }
                line.into_iter().collect()
            }
            GameAnswer::Reply(reply) => reply_line(&pending, reply.as_ref()).into_iter().collect(),
        }
    }

    /// Ends the current question without an answer.
    pub fn give_up(&mut self, why: &str) -> Option<GameLine> {
        reply_line(&self.pending.take()?, Err(&why.to_owned()))
    }

    fn land_tiles(
        &mut self,
        pending: &PendingQuestion,
        known: (u64, TileStamps),
        changes: &TileChanges,
        parameters: &Value,
    ) -> Vec<GameLine> {
        let mut lines = Vec::new();
        if *changes != TileChanges::default() {
            let mut event = json!({ "status": "written", "parameters": parameters });
            if let (Value::Object(event), Ok(Value::Object(changes))) =
                (&mut event, serde_json::to_value(changes))
            {
                event.extend(changes);
            }
            let text = line("baked", None, &event);
            let to = self.greeted.iter();
            lines.extend(to.map(|&to| GameLine { to, text: Arc::clone(&text), is_reply: false }));
        }
        if let (GameQuestion::Greeting, Some((to, _))) = (&pending.question, pending.from) {
            let tiles: Vec<_> = known.1.listed().collect();
            let greeting = json!({
                "protocol": PROTOCOL,
                "program": concat!("walkable ", env!("CARGO_PKG_VERSION"), " (editor)"),
                "parameters": parameters,
                "tiles": serde_json::to_value(tiles).unwrap_or_default(),
            });
            self.greeted.insert(to);
            lines.push(GameLine { to, text: line("hello", None, &greeting), is_reply: true });
        }
        self.known = Some(known);
        lines
    }
}

/// Returns the reply to a question; `None` if nobody waits for it.
fn reply_line(pending: &PendingQuestion, reply: Result<&Value, &String>) -> Option<GameLine> {
    let (to, id) = pending.from?;
    let text = match reply {
        Ok(value) => line("result", id, value),
        Err(why) => error_line(id, why),
    };
    Some(GameLine { to, text, is_reply: true })
}

impl Session {
    /// Begins the next question of the games, if none is being answered. Adds replies that are known already to `lines`.
    pub fn begin_game_question(&mut self, lines: &mut Vec<GameLine>) -> Option<GameQuestion> {
        let navmesh = self.current_bake().navmesh_serial;
        let is_baking = self.bake.progress.is_some();
        let game = &mut self.game;
        if let Some(next) = game.next(navmesh, lines) {
            return Some(next.question.clone());
        }
        if game.pending.is_some() || is_baking {
            return None;
        }
        let is_known = game.known.as_ref().is_some_and(|(of, _)| *of == navmesh);
        let question = if !game.greeted.is_empty() && !is_known {
            GameQuestion::Changes
        } else {
            // The shown explanation is kept up to date.
            let chosen = game.chosen_path()?;
            let (of, _) = chosen.answer.as_ref()?;
            if *of == navmesh {
                return None;
            }
            GameQuestion::WhyPath { ends: chosen.ends, fixes: false }
        };
        game.pending = Some(PendingQuestion { from: None, question: question.clone() });
        Some(question)
    }

    /// Returns the terms of a search for a path of a game, with the options of the path tool.
    pub fn game_path_terms(&self, ends: [Vec3; 2]) -> PathTerms {
        self.path.terms_between(ends)
    }

    /// Returns whether the answer about a failed path is about an older navmesh.
    pub fn is_outdated(&self, failed: &FailedPath) -> bool {
        let navmesh = self.current_bake().navmesh_serial;
        failed.answer.as_ref().is_some_and(|(of, _)| *of != navmesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(x: f32) -> GameQuestion {
        GameQuestion::WhyPath { ends: [Vec3::ZERO, Vec3::X * x], fixes: false }
    }

    fn found(navmesh: u64) -> GameAnswer {
        let (status, answer) = (PathStatus::Partial, Arc::default());
        let reply = json!({ "status": "partial" });
        GameAnswer::Path { navmesh, found: Ok(FoundPath { status, answer, reply }) }
    }

    /// Asks a question like a client.
    fn ask(game: &mut GameState, id: u64, x: f32) {
        game.note_failed([Vec3::ZERO, Vec3::X * x], None);
        game.ask(1, Some(id), why(x));
    }

    fn next(game: &mut GameState, lines: &mut Vec<GameLine>) -> Option<GameQuestion> {
        game.next(5, lines).map(|pending| pending.question.clone())
    }

    #[test]
    fn questions_are_answered_one_after_the_other_and_repeated_ones_at_once() {
        let (mut game, mut lines) = (GameState::default(), Vec::new());
        ask(&mut game, 10, 1.0);
        ask(&mut game, 11, 2.0);
        ask(&mut game, 12, 1.0);
        game.join(2);
        assert_eq!(next(&mut game, &mut lines), Some(GameQuestion::Greeting));
        assert_eq!(next(&mut game, &mut lines), None, "one is being answered");
        assert!(game.give_up("a bug").is_some());
        assert_eq!(next(&mut game, &mut lines), Some(why(1.0)));
        let sent = game.land(found(5));
        assert_eq!(&*sent[0].text, r#"{"type":"result","id":10,"status":"partial"}"#);
        assert_eq!(next(&mut game, &mut lines), Some(why(2.0)));
        game.land(found(5));
        assert!(lines.is_empty());
        assert_eq!(next(&mut game, &mut lines), None);
        assert_eq!(&*lines[0].text, r#"{"type":"result","id":12,"status":"partial"}"#);
        // The path that was asked about again is the newest in the list.
        let listed: Vec<_> = game.failed.iter().map(|it| (it.ends[1].x, it.n_requests)).collect();
        assert_eq!(listed, [(2.0, 1), (1.0, 2)]);
        // After another bake it is explained again.
        ask(&mut game, 13, 1.0);
        assert!(game.next(6, &mut lines).is_some());
    }

    #[test]
    fn only_explanations_of_paths_outlive_their_client() {
        let (mut game, mut lines) = (GameState::default(), Vec::new());
        game.clients.insert(1);
        ask(&mut game, 1, 1.0);
        game.ask(1, Some(2), GameQuestion::Tiles(Vec::new()));
        ask(&mut game, 3, 2.0);
        assert_eq!(next(&mut game, &mut lines), Some(why(1.0)));
        game.leave(1);
        assert_eq!(game.land(found(5)), [], "nobody waits for the reply");
        assert!(game.failed[0].answer.is_some());
        assert_eq!(next(&mut game, &mut lines), Some(why(2.0)));
        game.land(found(5));
        assert_eq!((next(&mut game, &mut lines), lines), (None, Vec::new()));
    }

    #[test]
    fn the_list_of_failed_paths_is_limited() {
        let mut game = GameState::default();
        for n in 0..=MAX_FAILED {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            game.note_failed([Vec3::ZERO, Vec3::X * n as f32], None);
        }
        assert_eq!((game.failed.len(), game.failed[0].number), (MAX_FAILED, 2));
        game.chosen = Some(5);
        assert!(game.chosen_path().is_some());
        game.clear_failed();
        assert!(game.chosen_path().is_none() && game.chosen.is_none());
    }

    #[test]
    fn closing_ends_what_was_shown() {
        let mut game = GameState { link: GameLink::Opening, ..GameState::default() };
        game.join(1);
        ask(&mut game, 1, 1.0);
        game.close();
        assert!(game.failed.is_empty() && game.clients.is_empty() && game.waiting.is_empty());
        assert_eq!(game.link, GameLink::Off);
    }
}
