//! The local socket of `walkable watch --listen` and of the editor. Queues are bounded: a client that does not read its
//! lines is disconnected; a client that sends lines faster than they are handled has to wait.

use std::{
    io::{self, BufReader, Cursor, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use walkable::{diagnostic::Phrase, phrase};

use super::waiting::{Admitted, DRAIN_TIME, Waiting};
use crate::files::{self, Format, next_line};

/// Maximum number of lines that wait for a client to read them.
const MAX_QUEUED: usize = 1024;
/// Maximum size of these lines, in bytes; a single line may be longer.
const MAX_QUEUED_BYTES: usize = 64 << 20;
/// Time after which a client that reads nothing is disconnected.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Maximum number of bytes that are read from a client that is being disconnected.
const MAX_DRAINED: u64 = 1 << 20;
const TOKEN_BYTES: std::ops::RangeInclusive<usize> = 16..=1024;

const PAUSE: Duration = Duration::from_millis(1);
/// Time between two attempts to accept a connection if the system cannot, as for lack of file descriptors.
const RETRY_TIME: Duration = Duration::from_millis(100);
/// Time after which the attempt to wake the listening thread is given up.
const WAKE_TIME: Duration = Duration::from_secs(1);

pub type ClientId = u64;

#[derive(Debug)]
pub enum ServerEvent {
    Joined(ClientId, Client),
    Line(ClientId, Vec<u8>),
    /// A client left, or must be disconnected for a reason.
    Left(ClientId, Option<String>),
}

#[derive(Debug)]
pub struct Client {
    lines: SyncSender<Arc<str>>,
    /// Size of the lines that were not written yet, in bytes.
    n_queued: Arc<AtomicUsize>,
    stream: TcpStream,
}

impl Client {
    /// Queues a line; returns whether there is room for it. If there is none, the client must be disconnected.
    pub fn send(&self, line: &Arc<str>) -> bool {
        let before = self.n_queued.fetch_add(line.len(), Ordering::Relaxed);
        let fits = before == 0 || before + line.len() <= MAX_QUEUED_BYTES;
        fits && self.lines.try_send(Arc::clone(line)).is_ok()
    }

    /// Disconnects at once. To write the queued lines before, drop the client instead.
    pub fn disconnect(self) {
        self.stream.shutdown(Shutdown::Both).ok();
    }
}

/// Parses a loopback address, which only programs on this machine can reach.
pub fn loopback_address(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_not_one| "give an address such as 127.0.0.1:7777".to_owned())?;
    let ip = address.ip();
    if ip.is_loopback() {
        return Ok(address);
    }
    Err(format!("{ip} can be reached from other machines: use 127.0.0.1 or [::1]"))
}

/// Reads the token in a file, and warns if other users can read it, too.
pub fn read_token(path: &Path) -> anyhow::Result<(String, Option<Phrase>)> {
    let text = files::read_text(path, Format::Settings)?;
    let token = text.trim();
    let is_valid =
        TOKEN_BYTES.contains(&token.len()) && token.bytes().all(|b| b.is_ascii_graphic());
    let (least, most) = (TOKEN_BYTES.start(), TOKEN_BYTES.end());
    ensure!(is_valid, "{}: a token has {least} to {most} letters or digits", path.display());
    let file = path.display().to_string();
    let warning = is_shared(path)
        .then(|| phrase!("other users can read the token in {file}: run chmod 600 on it", file));
    Ok((token.to_owned(), warning))
}

#[cfg(unix)]
fn is_shared(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_shared(_: &Path) -> bool {
    false
}

/// A socket that does not accept clients yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    token: String,
}

impl Server {
    /// Reserves an address for clients that know the token. Fails if the address is in use, or if it is not one of this
    /// machine.
    pub fn bind(address: SocketAddr, token: String) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address);
        let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
        Ok(Self { listener, token })
    }

    /// Returns the address, with the port that the system chose if none was given.
    pub fn address(&self) -> anyhow::Result<SocketAddr> {
        self.listener.local_addr().context("cannot read the address of the socket")
    }

    /// Accepts clients and sends what they do to `events`, until the result is dropped.
    pub fn start<E>(self, events: SyncSender<E>) -> anyhow::Result<Listening>
    where
        E: From<ServerEvent> + Send + 'static,
    {
        let (address, is_over) = (self.address()?, Arc::new(AtomicBool::new(false)));
        let is_over_there = Arc::clone(&is_over);
        let accept = move || self.accept(&events, &is_over_there);
        let spawned = thread::Builder::new().name("listener".to_owned()).spawn(accept);
        let thread = Some(spawned.context("cannot start a thread")?);
        Ok(Listening { address, is_over, thread })
    }

    fn accept<E>(self, events: &SyncSender<E>, is_over: &AtomicBool)
    where
        E: From<ServerEvent> + Send + 'static,
    {
        let mut waiting = Waiting::new(self.token);
        let mut id = 0;
        loop {
            self.listener.set_nonblocking(!waiting.is_empty()).ok();
            let accepted = waiting.has_room().then(|| self.listener.accept());
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            let admitted = match accepted {
                Some(Ok((stream, _))) => waiting.add(stream),
                Some(Err(error)) if error.kind() != io::ErrorKind::WouldBlock => {
                    thread::sleep(RETRY_TIME);
                    waiting.look_at_all()
                }
                Some(Err(_)) | None => {
                    thread::sleep(PAUSE);
                    waiting.look_at_all()
                }
            };
            for client in admitted {
                id += 1;
                let events = events.clone();
                let serve = move || serve(id, client, &events);
                thread::Builder::new().name(format!("client {id}")).spawn(serve).ok();
            }
        }
    }
}

/// Accepts clients until it is dropped. Clients that are connected then stay connected.
#[derive(Debug)]
pub struct Listening {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // The listening thread looks at the flag after the next connection. The address is free when it has ended.
        if TcpStream::connect_timeout(&self.address, WAKE_TIME).is_ok()
            && let Some(thread) = self.thread.take()
        {
            thread.join().ok();
        }
    }
}

/// Reads what a client still sends, for a short time, because the system could drop the last line to the client if data
/// from it were unread.
fn drain(stream: &TcpStream) {
    stream.set_read_timeout(Some(DRAIN_TIME)).ok();
    io::copy(&mut stream.take(MAX_DRAINED), &mut io::sink()).ok();
}

fn serve<E: From<ServerEvent>>(id: ClientId, client: Admitted, events: &SyncSender<E>) {
    let Admitted { slot: _slot, stream, rest } = client;
    let Some(client) = start_writing(id, &stream) else { return };
    if events.send(ServerEvent::Joined(id, client).into()).is_err() {
        return;
    }
    let mut reader = BufReader::new(Cursor::new(rest).chain(&stream));
    let reason = loop {
        match next_line(&mut reader) {
            Ok(Some(line)) => {
                if events.send(ServerEvent::Line(id, line).into()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                break Some("a line is longer than 65536 bytes".to_owned());
            }
            Ok(None) | Err(_) => break None,
        }
    };
    events.send(ServerEvent::Left(id, reason).into()).ok();
    drain(&stream);
}

fn start_writing(id: ClientId, stream: &TcpStream) -> Option<Client> {
    let (lines, queue) = sync_channel(MAX_QUEUED);
    let n_queued = Arc::new(AtomicUsize::new(0));
    let (written, to) = (Arc::clone(&n_queued), stream.try_clone().ok()?);
    to.set_write_timeout(Some(WRITE_TIME)).ok()?;
    let write = move || write_lines(&to, &queue, &written);
    thread::Builder::new().name(format!("writer {id}")).spawn(write).ok()?;
    Some(Client { lines, n_queued, stream: stream.try_clone().ok()? })
}

fn write_lines(mut to: &TcpStream, queue: &Receiver<Arc<str>>, n_queued: &AtomicUsize) {
    for line in queue {
        let is_written = to.write_all(line.as_bytes()).is_ok() && to.write_all(b"\n").is_ok();
        n_queued.fetch_sub(line.len(), Ordering::Relaxed);
        if !is_written {
            to.shutdown(Shutdown::Both).ok();
            return;
        }
    }
    // The client can still be sending.
    to.shutdown(Shutdown::Write).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_addresses_are_accepted() {
        for good in ["127.0.0.1:0", "127.9.9.9:7777", "[::1]:80"] {
            assert!(loopback_address(good).is_ok(), "{good}");
        }
        for bad in
            ["0.0.0.0:7777", "[::]:7777", "192.168.0.1:80", "localhost:80", "127.0.0.1", ":80"]
        {
            assert!(loopback_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn tokens_in_files_are_long_and_of_one_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_token(&path)
        };
        assert_eq!(read("  0123456789abcdef\n").unwrap().0, "0123456789abcdef");
        for bad in ["", "0123456789abcde", "0123456789 abcdef", &"x".repeat(1025)] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_not_secret() {
        use std::{fs, os::unix::fs::PermissionsExt as _};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        fs::write(&path, "0123456789abcdef").unwrap();
        for (mode, is_shared) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let (_, warning) = read_token(&path).unwrap();
            assert_eq!(warning.is_some(), is_shared, "{mode:o}");
        }
    }
}
