//! The loop of `walkable watch`: lines of the standard input, messages of clients, changes of files, and the answers.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use serde_json::{Value, json};
use walkable_workspace::{
    limits,
    live::{Client, ClientId, Message, PROTOCOL, Request, ServerEvent, error_line, line},
};

use super::{Event, PAUSE, Watch, answer::WatchAnswer};
use crate::{
    Failure,
    output::{Output, eprint_line},
};

/// How lines of the standard input are understood, and how they are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speech {
    /// Any line requests a bake, and is answered in words.
    Words,
    /// Any line requests a bake, and is answered in JSON.
    Json,
    /// Lines are messages of the protocol.
    Protocol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    Input,
    Client(ClientId),
}

pub(super) struct Session<'a> {
    pub(super) watch: Watch<'a>,
    pub(super) output: &'a mut Output,
    pub(super) speech: Speech,
    pub(super) when_asked: bool,
    pub(super) clients: BTreeMap<ClientId, Client>,
    pub(super) listening: Option<SocketAddr>,
}

impl Session<'_> {
    /// Reports the first bake to the parent process.
    pub(super) fn start(&mut self, first: &WatchAnswer) -> anyhow::Result<()> {
        let address = self.listening.map(|address| address.to_string());
        match self.speech {
            Speech::Protocol => {
                let greeting = self.greeting();
                self.print(&greeting)
            }
            Speech::Json => {
                self.print(&first.json()?)?;
                let listening =
                    address.map(|address| json!({ "status": "listening", "address": address }));
                listening.map_or(Ok(()), |line| self.print(&line.to_string()))
            }
            Speech::Words => {
                self.print(&first.in_words())?;
                address.map_or(Ok(()), |address| self.print(&format!("listening on {address}")))
            }
        }
    }

    /// Handles events until the standard input ends.
    pub(super) fn run(mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        let mut next_check = Instant::now() + PAUSE;
        loop {
            let left = next_check.saturating_duration_since(Instant::now());
            let event = if self.when_asked {
                events.recv().map_err(RecvTimeoutError::from)
            } else {
                events.recv_timeout(left)
            };
            match event {
                Ok(Event::Input(line)) => {
                    self.input(&line.context("cannot read the standard input")?)?;
                }
                Ok(Event::InputEnded) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(Event::Client(ServerEvent::Joined(id, client))) => {
                    eprint_line(&format!("client {id} connected"));
                    self.clients.insert(id, client);
                    let greeting = self.greeting();
                    self.send(id, &greeting);
                }
                Ok(Event::Client(ServerEvent::Line(id, line))) => {
                    // Lines of a client that was disconnected may still be in the channel.
                    if self.clients.contains_key(&id) {
                        self.message(Sender::Client(id), &line)?;
                    }
                }
                Ok(Event::Client(ServerEvent::Left(id, reason))) => {
                    self.left(id, reason.as_deref());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.when_asked && Instant::now() >= next_check {
                next_check = Instant::now() + PAUSE;
                if self.watch.has_changed() {
                    self.bake(None)?;
                }
            }
        }
    }

    fn input(&mut self, line: &[u8]) -> Result<(), Failure> {
        match self.speech {
            Speech::Protocol => self.message(Sender::Input, line),
            Speech::Words | Speech::Json => {
                self.watch.files.note();
                self.bake(Some((Sender::Input, None)))
            }
        }
    }

    fn left(&mut self, id: ClientId, reason: Option<&str>) {
        if let Some(reason) = reason {
            self.send(id, &error_line(None, reason));
        }
        if self.clients.remove(&id).is_some() {
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            eprint_line(&format!("client {id} disconnected{reason}"));
        }
    }

    /// Bakes, answers the sender who requested it, and notifies all others if something was written or failed.
    fn bake(&mut self, asked: Option<(Sender, Option<u64>)>) -> Result<(), Failure> {
        let answer = match self.watch.bake() {
            Ok(answer) => answer,
            Err(Failure::Failed(error)) => WatchAnswer::Failed { error: format!("{error:#}") },
            Err(Failure::Usage(error) | Failure::Negative(error)) => WatchAnswer::Failed { error },
        };
        let by = asked.map(|(sender, _)| sender);
        let reply = asked.map(|(_, id)| line("result", id, &answer));
        let event = line("baked", None, &answer);
        let is_news = !matches!(answer, WatchAnswer::Unchanged {});
        let clients: Vec<ClientId> = self.clients.keys().copied().collect();
        for id in clients {
            match &reply {
                Some(reply) if by == Some(Sender::Client(id)) => self.send(id, reply),
                _ if is_news => self.send(id, &event),
                _ => {}
            }
        }
        let is_asked = by == Some(Sender::Input);
        if !is_asked && !is_news {
            return Ok(());
        }
        let text = match (self.speech, reply) {
            (Speech::Words, _) => answer.in_words().into(),
            (Speech::Json, _) => answer.json()?.into(),
            (Speech::Protocol, Some(reply)) if is_asked => reply,
            (Speech::Protocol, _) => event,
        };
        Ok(self.print(&text)?)
    }

    fn message(&mut self, sender: Sender, text: &[u8]) -> Result<(), Failure> {
        let Request { id, message } = match Request::parse(text) {
            Ok(request) => request,
            Err(error) => return self.reply(sender, &error_line(error.id, &error.reason)),
        };
        let answer = match message {
            Message::Bake {} => {
                self.watch.files.note();
                return self.bake(Some((sender, id)));
            }
            Message::Hello { protocol, .. } if protocol == PROTOCOL => {
                let greeting = self.greeting();
                return self.reply(sender, &greeting);
            }
            Message::Hello { protocol, .. } => {
                Err(anyhow::anyhow!("protocol {protocol} is not supported, only {PROTOCOL}"))
            }
            Message::Objects { replace, remove, restore } => {
                let changed = self.watch.objects.change(replace, remove, &restore);
                self.watch.is_stale |= changed.is_ok();
                changed.map(|()| json!({})).map_err(Into::into)
            }
            Message::Obstacles { obstacles } => {
                self.watch.set_obstacles(&obstacles).map(|()| json!({}))
            }
            // There is no window that could show them.
            Message::Agents { .. } => Ok(json!({})),
            Message::Tiles { tiles } => self.watch.tiles(&tiles),
            Message::WhyHere { at, fixes } => self.watch.why_here(at, fixes.then(limits::of_bakes)),
            Message::WhyPath { from, to, fixes, agent: _ } => {
                self.watch.why_path([from, to], fixes.then(limits::of_bakes))
            }
        };
        let reply = match answer {
            Ok(content) => line("result", id, &content),
            Err(error) => error_line(id, &format!("{error:#}")),
        };
        self.reply(sender, &reply)
    }

    fn reply(&mut self, to: Sender, line: &Arc<str>) -> Result<(), Failure> {
        match to {
            Sender::Input => Ok(self.print(line)?),
            Sender::Client(id) => {
                self.send(id, line);
                Ok(())
            }
        }
    }

    /// Sends a line to a client, or disconnects it if too many lines wait.
    fn send(&mut self, id: ClientId, line: &Arc<str>) {
        if self.clients.get(&id).is_some_and(|client| !client.send(line))
            && let Some(client) = self.clients.remove(&id)
        {
            client.disconnect();
            eprint_line(&format!("client {id} disconnected: it does not read what it is sent"));
        }
    }

    fn print(&mut self, line: &str) -> anyhow::Result<()> {
        self.output.line(line)?;
        self.output.finish()
    }

    /// Returns the first line to a client: the protocol, and the tiles that exist.
    fn greeting(&self) -> Arc<str> {
        let mut content = json!({
            "protocol": PROTOCOL,
            "program": concat!("walkable ", env!("CARGO_PKG_VERSION")),
            "tiles": self.watch.listed(),
        });
        if let (Value::Object(content), Some(Value::Object(state))) =
            (&mut content, &self.watch.state)
        {
            content.extend(state.clone());
            let address = self.listening.map(|address| address.to_string().into());
            content.extend(address.map(|address| ("listening".to_owned(), address)));
        }
        line("hello", None, &content)
    }
}

/// Maximum time of the search for fixes of a question.
pub(super) const FIX_TIME: Duration = Duration::from_secs(8);
