//! Listens for running games on a local socket, and answers their questions about the navmesh.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    time::Duration,
};

use serde_json::json;
use walkable::diagnostic::Phrase;
use walkable_workspace::live::{
    Client, ClientId, GameAgents, Listening, Message, PROTOCOL, Request, Server, ServerEvent,
    error_line, line, loopback_address, random_token, read_token,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    session::{GameLine, GameQuestion},
};

/// Interval at which the thread checks whether it should end.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum number of unanswered questions per client.
const MAX_QUESTIONS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenRequest {
    /// A loopback address; with port 0, the system chooses a port.
    pub address: String,
    /// The file that contains the token; `None` for a random one.
    pub token_file: Option<PathBuf>,
}

/// A message from the thread of the socket.
#[derive(Clone, Debug, PartialEq)]
pub enum GameMessage {
    Listening {
        address: String,
        token: String,
        /// Why the token is no secret.
        warning: Option<Phrase>,
    },
    Refused(String),
    /// A client sent the token. It waits for its greeting.
    Joined(ClientId),
    Left(ClientId),
    Agents(GameAgents),
    Question {
        client: ClientId,
        id: Option<u64>,
        question: GameQuestion,
        agent: Option<u64>,
    },
}

/// What the thread of the socket and the window's thread share.
#[derive(Debug, Default)]
struct Shared {
    clients: BTreeMap<ClientId, Connected>,
    /// The newest agents, if they were not polled yet. A game never waits until they are drawn.
    agents: Option<GameAgents>,
}

#[derive(Debug)]
struct Connected {
    client: Client,
    /// Number of questions without an answer.
    n_questions: usize,
}

impl Shared {
    fn lock(shared: &Mutex<Self>) -> MutexGuard<'_, Self> {
        shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a line to a client, or disconnects it if too many lines wait.
    fn send(&mut self, to: ClientId, text: &Arc<str>) {
        if self.clients.get(&to).is_some_and(|it| !it.client.send(text))
            && let Some(connected) = self.clients.remove(&to)
        {
            connected.client.disconnect();
        }
    }
}

pub(super) struct GameJob {
    slot: JobSlot<GameMessage>,
    shared: Arc<Mutex<Shared>>,
    wake: Wake,
}

impl std::fmt::Debug for GameJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameJob").field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl GameJob {
    pub(super) fn new(wake: Wake) -> Self {
        let slot = JobSlot::new("game", Arc::clone(&wake));
        Self { slot, shared: Arc::default(), wake }
    }

    pub(super) fn start(&mut self, request: ListenRequest) {
        self.shared = Arc::default();
        let (shared, wake) = (Arc::clone(&self.shared), Arc::clone(&self.wake));
        self.slot.request(move |report| match open(&request) {
            Ok((listening, events, opened)) => {
                report.send(opened);
                let socket = Socket { shared: &shared, wake: &wake, report };
                socket.serve(&events);
                drop(listening);
            }
            Err(why) => report.send(GameMessage::Refused(format!("{why:#}"))),
        });
    }

    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    pub(super) fn send(&self, line: &GameLine) {
        let mut shared = Shared::lock(&self.shared);
        if line.is_reply
            && let Some(connected) = shared.clients.get_mut(&line.to)
        {
            connected.n_questions = connected.n_questions.saturating_sub(1);
        }
        shared.send(line.to, &line.text);
    }

    pub(super) fn poll(&mut self) -> Vec<JobEvent<GameMessage>> {
        let mut events = self.slot.poll();
        // The agents are at least as new as the messages; a question can refer to one of them.
        let agents = Shared::lock(&self.shared).agents.take();
        if let Some(agents) = agents.filter(|_| self.slot.is_busy()) {
            events.insert(0, JobEvent::Message(GameMessage::Agents(agents)));
        }
        events
    }
}

fn open(
    request: &ListenRequest,
) -> anyhow::Result<(Listening, Receiver<ServerEvent>, GameMessage)> {
    let address = loopback_address(request.address.trim()).map_err(anyhow::Error::msg)?;
    let (token, warning) = match &request.token_file {
        Some(file) => read_token(file)?,
        None => (random_token()?, None),
    };
    let server = Server::bind(address, token.clone())?;
    let address = server.address()?.to_string();
    // The channel holds one event, so each line waits for its turn.
    let (sender, events) = sync_channel(1);
    Ok((server.start(sender)?, events, GameMessage::Listening { address, token, warning }))
}

struct Socket<'a> {
    shared: &'a Mutex<Shared>,
    wake: &'a Wake,
    report: &'a Reporter<GameMessage>,
}

impl Socket<'_> {
    /// Handles what clients do until the job is cancelled, then disconnects them.
    fn serve(&self, events: &Receiver<ServerEvent>) {
        let mut agents = GameAgents::default();
        while !self.report.is_cancelled() {
            match events.recv_timeout(PAUSE) {
                Ok(ServerEvent::Joined(id, client)) => {
                    let connected = Connected { client, n_questions: 1 };
                    Shared::lock(self.shared).clients.insert(id, connected);
                    self.report.send(GameMessage::Joined(id));
                }
                Ok(ServerEvent::Line(id, line)) => self.line(id, &line, &mut agents),
                Ok(ServerEvent::Left(id, reason)) => {
                    if let Some(reason) = reason {
                        Shared::lock(self.shared).send(id, &error_line(None, &reason));
                    }
                    Shared::lock(self.shared).clients.remove(&id);
                    if agents.forget(id) {
                        self.show(&agents);
                    }
                    self.report.send(GameMessage::Left(id));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let clients = std::mem::take(&mut Shared::lock(self.shared).clients);
        for connected in clients.into_values() {
            connected.client.disconnect();
        }
    }

    fn show(&self, agents: &GameAgents) {
        Shared::lock(self.shared).agents = Some(agents.clone());
        (self.wake)();
    }

    fn line(&self, client: ClientId, text: &[u8], agents: &mut GameAgents) {
        // Lines of a client that was disconnected may still be in the channel.
        if !Shared::lock(self.shared).clients.contains_key(&client) {
            return;
        }
        let Request { id, message } = match Request::parse(text) {
            Ok(request) => request,
            Err(error) => return self.refuse(client, error.id, &error.reason),
        };
        let (question, agent) = match message {
            Message::Agents { replace, remove } => {
                return match agents.change(client, replace, &remove) {
                    Ok(()) => {
                        self.show(agents);
                        let reply = line("result", id, &json!({}));
                        Shared::lock(self.shared).send(client, &reply);
                    }
                    Err(why) => self.refuse(client, id, &why),
                };
            }
            Message::Bake {} | Message::Objects { .. } | Message::Obstacles { .. } => {
                let why = "the editor bakes its own level: messages that change the level are for `walkable watch`";
                return self.refuse(client, id, why);
            }
            Message::Hello { protocol, .. } if protocol == PROTOCOL => {
                (GameQuestion::Greeting, None)
            }
            Message::Hello { protocol, .. } => {
                let why = format!("protocol {protocol} is not supported, only {PROTOCOL}");
                return self.refuse(client, id, &why);
            }
            Message::Tiles { tiles } => (GameQuestion::Tiles(tiles), None),
            Message::WhyHere { at, fixes } => (GameQuestion::WhyHere { at, fixes }, None),
            Message::WhyPath { from, to, fixes, agent } => {
                (GameQuestion::WhyPath { ends: [from, to], fixes }, agent)
            }
        };
        let is_free = {
            let mut shared = Shared::lock(self.shared);
            let Some(connected) = shared.clients.get_mut(&client) else { return };
            let is_free = connected.n_questions < MAX_QUESTIONS;
            connected.n_questions += usize::from(is_free);
            is_free
        };
        if !is_free {
            let why = format!("{MAX_QUESTIONS} questions wait for their answers already");
            return self.refuse(client, id, &why);
        }
        self.report.send(GameMessage::Question { client, id, question, agent });
    }

    fn refuse(&self, client: ClientId, id: Option<u64>, why: &str) {
        Shared::lock(self.shared).send(client, &error_line(id, why));
    }
}
