//! Connects a running game to the editor of Walkable or to `walkable watch`: the editor shows the game's agents and
//! explains why their paths fail, and the game loads the baked tiles. `docs/live.md` of Walkable specifies the protocol.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use walkable_bevy::{NavMesh, WalkablePlugin, live::{Live, LivePlugin, PathExplained}};
//!
//! App::new()
//!     .add_plugins((MinimalPlugins, AssetPlugin::default(), WalkablePlugin, LivePlugin))
//!     .add_systems(Startup, |mut commands: Commands, mut nav_meshes: ResMut<Assets<NavMesh>>| {
//!         commands.insert_resource(Live::connect("127.0.0.1:7777", "token", &mut nav_meshes));
//!     })
//!     .add_systems(Update, |mut explained: MessageReader<PathExplained>| {
//!         for path in explained.read() {
//!             println!("{}: {}", path.entity, path.text);
//!         }
//!     })
//!     .run();
//! ```

use std::{
    collections::BTreeSet,
    io::{self, BufRead, BufReader, Write},
    iter,
    net::{Shutdown, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use bevy::{
    platform::collections::{HashMap, HashSet},
    prelude::*,
};
use serde::Deserialize as _;
use serde_json::{Value, json};
use walkable_runtime::{
    navmesh::{self, NavMeshParams, Tile, TilePlace},
    query::PathStatus,
};

use crate::{NavMesh, Walker, WalkerPath};

/// Version of the protocol.
const PROTOCOL: u32 = 1;
/// Maximum number of tiles of a request.
const MAX_TILES: usize = 64;
/// Maximum number of agents in a message, and of points of each path, so that a line stays below the limit of 65,536 bytes.
const MAX_AGENTS: usize = 50;
const MAX_POINTS: usize = 16;
/// Maximum number of lines that are queued in each direction.
const MAX_WAITING: usize = 256;

/// Exchanges messages with a [`Live`] connection, if there is one.
#[derive(Debug)]
pub struct LivePlugin;

impl Plugin for LivePlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<LiveReply>()
            .add_message::<PathExplained>()
            .add_systems(PreUpdate, receive.run_if(resource_exists::<Live>))
            .add_systems(
                PostUpdate,
                (show_agents, ask_about_paths).run_if(resource_exists::<Live>),
            );
    }
}

/// An entity that the editor shows as an agent, at its [`Transform`] and with its [`WalkerPath`]. A path that does not lead to
/// the goal of its [`Walker`] is reported to the editor, which answers with [`PathExplained`].
#[derive(Component, Debug, Default)]
#[require(Transform)]
pub struct LiveAgent {
    /// Name, at most 64 bytes.
    pub name: String,
    /// Radius and height in meters, instead of those of the editor's settings.
    pub size: Option<(f32, f32)>,
}

/// The explanation of a path that does not lead to its goal.
#[derive(Message, Clone, Debug)]
pub struct PathExplained {
    /// The agent.
    pub entity: Entity,
    /// `complete`, `partial` or `unreachable`, on the navmesh of the editor.
    pub status: String,
    /// The first obstacle on the path. Empty if the editor found none.
    pub text: String,
}

/// The reply to a message of [`Live::ask`].
#[derive(Message, Clone, Debug)]
pub struct LiveReply {
    /// The number that [`Live::ask`] returned.
    pub id: u64,
    /// The reply, or the reason why the message was rejected.
    pub reply: Result<Value, String>,
}

/// A connection to the editor or to `walkable watch`.
#[derive(Resource, Debug)]
pub struct Live {
    nav_mesh: Handle<NavMesh>,
    lines: Mutex<Receiver<Result<String, String>>>,
    out: SyncSender<String>,
    /// Why the connection ended.
    closed: Option<String>,
    greeted: bool,
    last_id: u64,
    /// Messages of this module whose replies are awaited.
    sent: HashMap<u64, Sent>,
    /// The parameters of the navmesh.
    parameters: Value,
    /// All tiles of the program, and the tiles to be loaded.
    existing: BTreeSet<TilePlace>,
    wanted: BTreeSet<TilePlace>,
    /// Agents that the editor may still show although they do not exist.
    removed: HashSet<Entity>,
    /// The goals of the paths that were reported.
    reported: HashMap<Entity, Vec3>,
}

/// A message of this module.
#[derive(Debug)]
enum Sent {
    Agents,
    Path(Entity),
    Tiles,
}

impl Live {
    /// Connects to the address that the editor or `walkable watch` shows, in the background. If that fails,
    /// [`closed`](Self::closed) says why.
    pub fn connect(address: &str, token: &str, nav_meshes: &mut Assets<NavMesh>) -> Self {
        let (to_game, lines) = sync_channel(MAX_WAITING);
        let (out, to_program) = sync_channel(MAX_WAITING);
        let hello = json!({"type": "hello", "protocol": PROTOCOL, "token": token}).to_string();
        let address = address.to_owned();
        let started = named("walkable-live").spawn(move || {
            let ended = read_lines(&address, hello, to_program, &to_game);
            let reason = ended.err().map_or("the program closed the connection".into(), |error| {
                format!("{address}: {error}")
            });
            // The game may have ended.
            let _ = to_game.send(Err(reason));
        });
        Self {
            nav_mesh: nav_meshes.reserve_handle(),
            lines: Mutex::new(lines),
            out,
            closed: started.err().map(|error| error.to_string()),
            greeted: false,
            last_id: 0,
            sent: HashMap::default(),
            parameters: Value::Null,
            existing: BTreeSet::new(),
            wanted: BTreeSet::new(),
            removed: HashSet::default(),
            reported: HashMap::default(),
        }
    }

    /// Returns the navmesh of the editor. It is loaded once the connection is established, and changes when the editor
    /// bakes.
    pub fn nav_mesh(&self) -> Handle<NavMesh> {
        self.nav_mesh.clone()
    }

    /// Returns the reason why the connection ended; `None` while it exists or is being established.
    pub fn closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Returns whether the program has accepted the connection.
    pub fn is_connected(&self) -> bool {
        self.greeted && self.closed.is_none()
    }

    /// Sends a message with these fields, an object, and returns its number; a [`LiveReply`] follows. Returns `None` if
    /// there is no connection or too many messages are queued.
    pub fn ask(&mut self, kind: &str, mut fields: Value) -> Option<u64> {
        if !self.is_connected() {
            return None;
        }
        let id = self.last_id + 1;
        fields["type"] = kind.into();
        fields["id"] = id.into();
        self.out.try_send(fields.to_string()).ok()?;
        self.last_id = id;
        Some(id)
    }

    /// Sends a message of this module; returns `false` if that is not possible now.
    fn send(&mut self, sent: Sent, kind: &str, fields: Value) -> bool {
        let id = self.ask(kind, fields);
        id.is_some_and(|id| self.sent.insert(id, sent).is_none())
    }
}

fn named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.into())
}

/// Reads lines until the connection ends. Another thread writes, so that neither waits for the other.
fn read_lines(
    address: &str,
    hello: String,
    to_program: Receiver<String>,
    to_game: &SyncSender<Result<String, String>>,
) -> io::Result<()> {
    let socket = TcpStream::connect(address)?;
    socket.set_nodelay(true)?;
    let mut writer = socket.try_clone()?;
    named("walkable-live-out").spawn(move || {
        // Ends when the game drops the sender, or with the connection.
        let lines = iter::once(hello).chain(to_program);
        for line in lines {
            if writer.write_all(format!("{line}\n").as_bytes()).is_err() {
                break;
            }
        }
        let _ = writer.shutdown(Shutdown::Both);
    })?;
    for line in BufReader::new(socket).lines() {
        if to_game.send(Ok(line?)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Handles the lines that have arrived.
fn receive(
    mut live: ResMut<Live>,
    mut nav_meshes: ResMut<Assets<NavMesh>>,
    mut replies: MessageWriter<LiveReply>,
    mut explained: MessageWriter<PathExplained>,
) -> Result {
    let live = &mut *live;
    let lines = live.lines.get_mut().map_err(|error| error.to_string())?;
    for line in lines.try_iter().collect::<Vec<_>>() {
        let handled = line.map_err(BevyError::from).and_then(|line| {
            live.handle(
                &serde_json::from_str(&line)?,
                &mut nav_meshes,
                &mut replies,
                &mut explained,
            )
        });
        if let Err(error) = handled
            && live.closed.is_none()
        {
            live.closed = Some(error.to_string());
        }
    }
    live.ask_for_tiles();
    Ok(())
}

impl Live {
    /// Handles a line; after an error the connection counts as closed.
    fn handle(
        &mut self,
        line: &Value,
        nav_meshes: &mut Assets<NavMesh>,
        replies: &mut MessageWriter<LiveReply>,
        explained: &mut MessageWriter<PathExplained>,
    ) -> Result {
        let id = line["id"].as_u64();
        let sent = id.and_then(|id| self.sent.remove(&id));
        match (line["type"].as_str(), sent) {
            (Some("hello"), _) => {
                self.greeted = true;
                self.update(&line["parameters"], &line["tiles"], &Value::Null, nav_meshes)?;
            }
            (Some("baked"), _) => {
                self.update(&line["parameters"], &line["changed"], &line["removed"], nav_meshes)?;
            }
            (Some("result"), Some(Sent::Tiles)) => self.add(line, nav_meshes)?,
            (Some("result"), Some(Sent::Path(entity))) => {
                let [status, text] = [&line["status"], &line["first"]["text"]]
                    .map(|text| text.as_str().unwrap_or_default().to_owned());
                explained.write(PathExplained { entity, status, text });
            }
            (Some("result"), Some(Sent::Agents)) => {}
            (Some("result"), None) => {
                // A reply to `bake`.
                self.update(&line["parameters"], &line["changed"], &line["removed"], nav_meshes)?;
                replies.write(LiveReply { id: id.unwrap_or_default(), reply: Ok(line.clone()) });
            }
            _ => {
                let reason =
                    line["error"].as_str().unwrap_or("a line of an unknown type").to_owned();
                let Some(id) = id else { return Err(reason.into()) };
                replies.write(LiveReply { id, reply: Err(reason) });
            }
        }
        Ok(())
    }

    /// Removes tiles, and marks changed ones as wanted. If the parameters have changed, all tiles are loaded again.
    fn update(
        &mut self,
        parameters: &Value,
        changed: &Value,
        removed: &Value,
        nav_meshes: &mut Assets<NavMesh>,
    ) -> Result {
        for place in places(removed) {
            self.existing.remove(&place);
            self.wanted.remove(&place);
        }
        self.existing.extend(places(changed));
        self.wanted.extend(places(changed));
        if !parameters.is_null() && *parameters != self.parameters {
            let new = NavMeshParams::deserialize(parameters)?;
            nav_meshes.insert(self.nav_mesh.id(), NavMesh(navmesh::NavMesh::new(new)?))?;
            self.parameters = parameters.clone();
            self.wanted.clone_from(&self.existing);
        } else if places(removed).next().is_some()
            && let Some(mut mesh) = nav_meshes.get_mut(self.nav_mesh.id())
        {
            places(removed).for_each(|place| mesh.0.remove_at(place));
        }
        Ok(())
    }

    /// Adds the tiles of a reply, in place of older ones.
    fn add(&mut self, line: &Value, nav_meshes: &mut Assets<NavMesh>) -> Result {
        let Some(mut mesh) = nav_meshes.get_mut(self.nav_mesh.id()) else { return Ok(()) };
        for tile in line["tiles"].as_array().into_iter().flatten() {
            let bytes = BASE64_STANDARD.decode(tile["data"].as_str().unwrap_or_default())?;
            let tile = Tile::from_bytes(&bytes)?;
            mesh.0.remove_at(TilePlace::of(&tile));
            mesh.0.add_tile(Arc::new(tile))?;
        }
        Ok(())
    }

    /// Requests tiles, unless a reply with tiles is pending.
    fn ask_for_tiles(&mut self) {
        let awaited = self.sent.values().any(|sent| matches!(sent, Sent::Tiles));
        if self.wanted.is_empty() || awaited {
            return;
        }
        let asked: Vec<_> = self.wanted.iter().copied().take(MAX_TILES).collect();
        let tiles: Vec<_> =
            asked.iter().map(|at| json!({"x": at.x, "z": at.z, "layer": at.layer})).collect();
        if self.send(Sent::Tiles, "tiles", json!({"tiles": tiles})) {
            asked.iter().for_each(|place| {
                self.wanted.remove(place);
            });
        }
    }
}

/// Returns the places of a list of tiles.
fn places(tiles: &Value) -> impl Iterator<Item = TilePlace> {
    tiles.as_array().into_iter().flatten().filter_map(|tile| {
        let [x, z, layer] = ["x", "z", "layer"].map(|key| tile[key].as_i64()?.try_into().ok());
        Some(TilePlace { x: x?, z: z?, layer: layer? })
    })
}

/// Shows agents in the editor, and removes those that no longer exist. Skips frames until the previous one is answered.
fn show_agents(
    mut live: ResMut<Live>,
    agents: Query<(Entity, &LiveAgent, &Transform, Option<&WalkerPath>)>,
    mut gone: RemovedComponents<LiveAgent>,
) {
    live.removed.extend(gone.read());
    // The program answers the last frame before it gets the next.
    if !live.is_connected() || live.sent.values().any(|sent| matches!(sent, Sent::Agents)) {
        return;
    }
    let remove: Vec<_> = live.removed.iter().map(|entity| entity.to_bits()).collect();
    let shown: Vec<_> = agents.iter().map(agent_json).collect();
    // At least one message, if agents must be removed.
    let mut groups = shown.chunks(MAX_AGENTS);
    let first = groups.next().unwrap_or_default();
    if first.is_empty() && remove.is_empty() {
        return;
    }
    if live.send(Sent::Agents, "agents", json!({"replace": first, "remove": remove})) {
        live.removed.clear();
    }
    for group in groups {
        live.send(Sent::Agents, "agents", json!({"replace": group}));
    }
}

fn agent_json(
    (entity, agent, transform, path): (Entity, &LiveAgent, &Transform, Option<&WalkerPath>),
) -> Value {
    let ahead = path.map_or(&[][..], |path| &path.ahead);
    let ahead: Vec<_> = ahead.iter().take(MAX_POINTS).map(|at| at.to_array()).collect();
    let at = transform.translation.to_array();
    let mut json = json!({"id": entity.to_bits(), "name": agent.name, "at": at, "path": ahead});
    if let Some((radius, height)) = agent.size {
        json["radius"] = radius.into();
        json["height"] = height.into();
    }
    json
}

/// Reports each path that does not lead to its goal, once per goal.
fn ask_about_paths(
    mut live: ResMut<Live>,
    agents: Query<(Entity, &Walker, &Transform, &WalkerPath), With<LiveAgent>>,
) {
    for (entity, walker, transform, path) in &agents {
        if path.status == PathStatus::Complete {
            live.reported.remove(&entity);
        } else if live.reported.get(&entity) != Some(&walker.goal) {
            let (from, to) = (transform.translation.to_array(), walker.goal.to_array());
            let question = json!({"from": from, "to": to, "agent": entity.to_bits()});
            if live.send(Sent::Path(entity), "why_path", question) {
                live.reported.insert(entity, walker.goal);
            }
        }
    }
}
