//! Connections that have not sent the token.
//!
//! They cannot keep out a client that knows the token: their number and time are limited, and if there are too many, a new
//! one replaces the oldest. Each has at least [`MIN_TIME`] to send the token; until then, others wait to be accepted. What
//! has arrived is read before a connection is closed. No connection has a thread before it has sent the token.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read as _, Write as _},
    mem,
    net::{Shutdown, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::{Message, PROTOCOL, Request, error_line};

const MAX_WAITING: usize = 64;
const MAX_CLIENTS: usize = 8;
/// Time within which a client must send its first line.
const HELLO_TIME: Duration = Duration::from_secs(2);
/// Minimum time of a connection, however many others there are.
const MIN_TIME: Duration = Duration::from_millis(250);
const MAX_HELLO: usize = 4096;
/// Time in which a client that is being disconnected can read the last line.
pub(super) const DRAIN_TIME: Duration = Duration::from_secs(1);

pub(super) struct Waiting {
    token: String,
    /// Oldest first.
    list: VecDeque<Newcomer>,
    n_clients: Arc<AtomicUsize>,
}

pub(super) struct Admitted {
    pub(super) slot: Slot,
    pub(super) stream: TcpStream,
    /// What it sent after its first line.
    pub(super) rest: Vec<u8>,
}

impl Waiting {
    pub(super) fn new(token: String) -> Self {
        Self { token, list: VecDeque::new(), n_clients: Arc::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether another connection may be added: there is room, or the oldest has had its time.
    pub(super) fn has_room(&self) -> bool {
        let waits =
            |newcomer: &Newcomer| newcomer.deadline.saturating_duration_since(Instant::now());
        self.list.len() < MAX_WAITING
            || self.list.front().is_some_and(|oldest| waits(oldest) + MIN_TIME <= HELLO_TIME)
    }

    /// Adds a connection. If there are too many, closes the oldest one, unless it has sent the token by now. Returns
    /// the connections that have sent it.
    pub(super) fn add(&mut self, stream: TcpStream) -> Vec<Admitted> {
        let mut admitted = Vec::new();
        if self.list.len() >= MAX_WAITING
            && let Some(oldest) = self.list.pop_front()
        {
            match self.look(oldest) {
                Looked::Admitted(client) => admitted.push(client),
                Looked::Waits(mut oldest) => {
                    oldest.refuse("too many connections that have not sent the token");
                }
                Looked::Ended => {}
            }
        }
        if stream.set_nonblocking(true).is_ok() {
            let newest = Newcomer {
                stream,
                deadline: Instant::now() + HELLO_TIME,
                received: Vec::new(),
                is_refused: false,
            };
            admitted.extend(self.look_and_keep(newest));
        }
        admitted
    }

    /// Reads what has arrived, and closes connections whose time is over. Returns those that have sent the token.
    pub(super) fn look_at_all(&mut self) -> Vec<Admitted> {
        let all = mem::take(&mut self.list);
        all.into_iter().filter_map(|newcomer| self.look_and_keep(newcomer)).collect()
    }

    fn look_and_keep(&mut self, newcomer: Newcomer) -> Option<Admitted> {
        match self.look(newcomer) {
            Looked::Admitted(client) => return Some(client),
            Looked::Waits(newcomer) => self.list.push_back(newcomer),
            Looked::Ended => {}
        }
        None
    }

    fn look(&self, mut newcomer: Newcomer) -> Looked {
        let rest = match newcomer.read(&self.token) {
            Found::Nothing => return Looked::Waits(newcomer),
            Found::End => return Looked::Ended,
            Found::Hello { rest } => rest,
        };
        let Some(slot) = Slot::take(&self.n_clients) else {
            newcomer.refuse("too many clients");
            return Looked::Waits(newcomer);
        };
        match newcomer.stream.set_nonblocking(false) {
            Ok(()) => Looked::Admitted(Admitted { slot, stream: newcomer.stream, rest }),
            Err(_) => Looked::Ended,
        }
    }
}

enum Looked {
    Admitted(Admitted),
    Waits(Newcomer),
    Ended,
}

struct Newcomer {
    stream: TcpStream,
    deadline: Instant,
    /// What it has sent, unless it was refused.
    received: Vec<u8>,
    /// Whether it was refused, and can still read the reason.
    is_refused: bool,
}

/// What a connection has sent.
enum Found {
    Nothing,
    Hello { rest: Vec<u8> },
    End,
}

impl Newcomer {
    fn read(&mut self, token: &str) -> Found {
        let mut bytes = [0; MAX_HELLO];
        match self.stream.read(&mut bytes) {
            Ok(0) => return Found::End,
            // If unread data were left, the system could drop the last line that was sent to the client.
            Ok(_) if self.is_refused => {}
            Ok(n) => {
                self.received.extend_from_slice(&bytes[..n]);
                let end = self.received.iter().position(|&byte| byte == b'\n');
                let n = end.unwrap_or(self.received.len());
                if n >= MAX_HELLO {
                    self.refuse_late();
                } else if end.is_some() {
                    let rest = self.received.split_off(n + 1);
                    match check_hello(&self.received, token) {
                        Ok(()) => return Found::Hello { rest },
                        Err(reason) => self.refuse(&reason),
                    }
                }
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => return Found::End,
        }
        if Instant::now() < self.deadline {
            return Found::Nothing;
        }
        if !self.is_refused {
            self.refuse_late();
            return Found::Nothing;
        }
        Found::End
    }

    fn refuse_late(&mut self) {
        let secs = HELLO_TIME.as_secs();
        self.refuse(&format!(
            "the first line must be a hello message within {secs} s and {MAX_HELLO} bytes"
        ));
    }

    /// Sends an error, and closes the connection for writing.
    fn refuse(&mut self, reason: &str) {
        if mem::replace(&mut self.is_refused, true) {
            return;
        }
        self.received = Vec::new();
        self.deadline = Instant::now() + DRAIN_TIME;
        // The line fits into the buffer of a new connection.
        self.stream.write_all(format!("{}\n", error_line(None, reason)).as_bytes()).ok();
        self.stream.shutdown(Shutdown::Write).ok();
    }
}

fn check_hello(line: &[u8], token: &str) -> Result<(), String> {
    let request = Request::parse(line).map_err(|error| error.to_string())?;
    match request.message {
        Message::Hello { protocol, token: given } if is_same(&given, token) => {
            if protocol == PROTOCOL {
                Ok(())
            } else {
                Err(format!("protocol {protocol} is not supported, only {PROTOCOL}"))
            }
        }
        Message::Hello { .. } => Err("the token is wrong".to_owned()),
        Message::Bake {}
        | Message::Objects { .. }
        | Message::Obstacles { .. }
        | Message::Agents { .. }
        | Message::Tiles { .. }
        | Message::WhyHere { .. }
        | Message::WhyPath { .. } => Err("the first line must be a hello message".to_owned()),
    }
}

/// Compares tokens in a time that does not depend on where they differ.
fn is_same(given: &str, token: &str) -> bool {
    let differing = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differing == 0
}

/// One of the limited number of clients, until it is dropped.
pub(super) struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn take(n_taken: &Arc<AtomicUsize>) -> Option<Self> {
        let slot = Self(Arc::clone(n_taken));
        (n_taken.fetch_add(1, Ordering::Relaxed) < MAX_CLIENTS).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_same("abc", "abc") && is_same("", ""));
        for other in ["", "ab", "abd", "abcd", "ABC"] {
            assert!(!is_same(other, "abc"), "{other}");
        }
    }
}
