//! The protocol between running games and `walkable watch` or the editor: messages, one JSON object per line, the local
//! socket over which they come, and what replies contain. `docs/live.md` specifies it.

mod agents;
mod objects;
mod reply;
mod server;
mod tiles;
mod token;
mod waiting;

pub use agents::{GameAgent, GameAgents, MAX_AGENT_NAME, MAX_AGENTS, MAX_PATH_POINTS};
use glam::Vec3;
pub use objects::{LiveObjects, LiveObjectsError, ObjectGeometry};
pub use reply::{error_line, line};
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use server::{Client, ClientId, Listening, Server, ServerEvent, loopback_address, read_token};
pub use tiles::{
    ChangedTile, TileChanges, TileData, TileStamps, find_layers, find_tiles, layers_of_cache,
    tiles_of_mesh, tiles_with_bytes,
};
pub use token::random_token;
use walkable::bake::VolumeShape;

use crate::document::Obstacle;

/// Version of the protocol. It changes when a program that speaks the previous version would misunderstand a message.
pub const PROTOCOL: u32 = 1;

pub const MAX_TILES: usize = 64;

/// Maximum number of obstacles, as in `RecastDemo`.
pub const MAX_OBSTACLES: usize = 128;

/// Maximum length of the text of an error in a reply, in bytes.
const MAX_REASON: usize = 300;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// The first message over a socket.
    Hello {
        protocol: u32,
        #[serde(default)]
        token: String,
    },
    /// Check the files, and bake what has changed in them or by messages.
    Bake {},
    /// Objects of the level that differ from those in its file.
    Objects {
        /// New or changed objects. Each replaces the triangles of objects with its name.
        #[serde(default)]
        replace: Vec<ObjectGeometry>,
        /// Names of objects that are no longer in the level.
        #[serde(default)]
        remove: Vec<String>,
        /// Names of objects that are as in the file again.
        #[serde(default)]
        restore: Vec<String>,
    },
    /// All obstacles, instead of those of the project and of the message before.
    Obstacles {
        obstacles: Vec<Obstacle>,
    },
    Agents {
        /// New or changed agents. Each replaces the agent with its number.
        #[serde(default)]
        replace: Vec<GameAgent>,
        /// Numbers of agents that no longer exist.
        #[serde(default)]
        remove: Vec<u64>,
    },
    Tiles {
        tiles: Vec<TilePlace>,
    },
    WhyHere {
        at: Vec3,
        #[serde(default)]
        fixes: bool,
    },
    WhyPath {
        from: Vec3,
        to: Vec3,
        #[serde(default)]
        fixes: bool,
        #[serde(default)]
        agent: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TilePlace {
    pub x: u32,
    pub z: u32,
    #[serde(default)]
    pub layer: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub id: Option<u64>,
    pub message: Message,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotAMessage {
    pub id: Option<u64>,
    pub reason: String,
}

impl Request {
    /// Parses a line. Fails if it is not a message, or if a number is infinite or a list is too long.
    pub fn parse(line: &[u8]) -> Result<Self, NotAMessage> {
        let refused = |id, reason: String| {
            let end = reason.char_indices().map(|(at, _)| at).find(|&at| at > MAX_REASON);
            NotAMessage { id, reason: reason[..end.unwrap_or(reason.len())].to_owned() }
        };
        let value: Value = serde_json::from_slice(line)
            .map_err(|error| refused(None, format!("not a JSON object: {error}")))?;
        let Value::Object(mut fields) = value else {
            return Err(refused(None, "not a JSON object".to_owned()));
        };
        let id = fields.remove("id").map(|id| {
            id.as_u64().ok_or_else(|| refused(None, "the id is not a whole number".to_owned()))
        });
        let id = id.transpose()?;
        let message: Message = serde_json::from_value(fields.into())
            .map_err(|error| refused(id, error.to_string()))?;
        message.check().map_err(|reason| refused(id, reason))?;
        Ok(Self { id, message })
    }
}

impl Message {
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Obstacles { obstacles } => {
                let n = obstacles.len();
                if n > MAX_OBSTACLES {
                    Err(format!("{n} obstacles, more than the limit of {MAX_OBSTACLES}"))
                } else if !obstacles.iter().all(|obstacle| is_finite(&obstacle.shape)) {
                    Err("a number of an obstacle is infinite".to_owned())
                } else {
                    Ok(())
                }
            }
            Self::Tiles { tiles } if tiles.len() > MAX_TILES => {
                Err(format!("{} tiles, more than the limit of {MAX_TILES}", tiles.len()))
            }
            Self::Agents { replace, .. } => {
                let n = replace.len();
                if n > MAX_AGENTS {
                    return Err(format!("{n} agents, more than the limit of {MAX_AGENTS}"));
                }
                replace.iter().try_for_each(GameAgent::check)
            }
            Self::Hello { .. } | Self::Bake {} | Self::Objects { .. } | Self::Tiles { .. } => {
                Ok(())
            }
            Self::WhyHere { at, .. } => check_places(&[*at]),
            Self::WhyPath { from, to, .. } => check_places(&[*from, *to]),
        }
    }
}

fn is_finite(shape: &VolumeShape) -> bool {
    match *shape {
        VolumeShape::Cylinder { base, radius, height } => {
            base.is_finite() && radius.is_finite() && height.is_finite()
        }
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            center.is_finite() && half_extents.is_finite() && yaw.is_finite()
        }
        VolumeShape::Box(bounds) => bounds.min.is_finite() && bounds.max.is_finite(),
        VolumeShape::Prism { min_y, max_y, ref outline } => {
            min_y.is_finite()
                && max_y.is_finite()
                && outline.iter().all(|corner| corner.is_finite())
        }
    }
}

fn check_places(places: &[Vec3]) -> Result<(), String> {
    let is_finite = places.iter().all(|place| place.is_finite());
    if is_finite { Ok(()) } else { Err("a coordinate is infinite".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        for (line, id, expected) in [
            (r#"{"type":"bake"}"#, None, Message::Bake {}),
            (
                r#"{"id":7,"type":"hello","protocol":1,"token":"x"}"#,
                Some(7),
                Message::Hello { protocol: 1, token: "x".to_owned() },
            ),
            (
                r#"{"type":"tiles","tiles":[{"x":1,"z":2}]}"#,
                None,
                Message::Tiles { tiles: vec![TilePlace { x: 1, z: 2, layer: 0 }] },
            ),
            (
                r#"{"type":"why_here","at":[1,2,3.5]}"#,
                None,
                Message::WhyHere { at: Vec3::new(1.0, 2.0, 3.5), fixes: false },
            ),
            (
                r#"{"type":"why_path","from":[0,0,0],"to":[1,1,1],"fixes":true}"#,
                None,
                Message::WhyPath { from: Vec3::ZERO, to: Vec3::ONE, fixes: true, agent: None },
            ),
            (
                r#"{"type":"agents","replace":[{"id":7,"at":[1,2,3],"path":[[4,5,6]]}],"remove":[8]}"#,
                None,
                Message::Agents {
                    replace: vec![GameAgent {
                        id: 7,
                        name: String::new(),
                        at: Vec3::new(1.0, 2.0, 3.0),
                        radius: None,
                        height: None,
                        path: vec![Vec3::new(4.0, 5.0, 6.0)],
                    }],
                    remove: vec![8],
                },
            ),
            (
                r#"{"type":"objects","remove":["Crate"]}"#,
                None,
                Message::Objects {
                    replace: Vec::new(),
                    remove: vec!["Crate".to_owned()],
                    restore: Vec::new(),
                },
            ),
        ] {
            assert_eq!(Request::parse(line.as_bytes()), Ok(Request { id, message: expected }));
        }
        // An obstacle is written as in a project.
        let shape = VolumeShape::Cylinder { base: Vec3::ONE, radius: 1.0, height: 2.0 };
        let obstacle = Obstacle { shape };
        let line = serde_json::json!({ "type": "obstacles", "obstacles": [obstacle] }).to_string();
        let obstacles = Message::Obstacles { obstacles: vec![obstacle] };
        assert_eq!(Request::parse(line.as_bytes()).unwrap().message, obstacles);
    }

    #[test]
    fn other_lines_are_refused_with_their_number() {
        let tiles = vec![r#"{"x":0,"z":0}"#; MAX_TILES + 1].join(",");
        for (line, id, expected) in [
            ("", None, "not a JSON object: EOF"),
            ("look", None, "not a JSON object: expected value"),
            ("[1]", None, "not a JSON object"),
            ("{}", None, "missing field `type`"),
            (r#"{"type":"dance","id":3}"#, Some(3), "unknown variant `dance`"),
            (r#"{"type":"bake","id":-1}"#, None, "the id is not a whole number"),
            (r#"{"type":"bake","now":true,"id":4}"#, Some(4), "unknown field `now`"),
            (r#"{"type":"why_here","id":5}"#, Some(5), "missing field `at`"),
            (r#"{"type":"why_here","at":[1,2,1e39],"id":5}"#, Some(5), "a coordinate is infinite"),
            (
                r#"{"type":"agents","replace":[{"id":1,"at":[0,1e39,0]}],"id":6}"#,
                Some(6),
                "a coordinate of agent 1 is infinite",
            ),
            (r#"{"type":"agents","replace":[{"id":-1,"at":[0,0,0]}]}"#, None, "invalid value"),
            (&format!(r#"{{"type":"tiles","tiles":[{tiles}]}}"#), None, "65 tiles, more than"),
        ] {
            let error = Request::parse(line.as_bytes()).unwrap_err();
            assert_eq!(error.id, id, "{line}");
            assert!(error.reason.starts_with(expected), "{line}: {error}");
        }
        let long = format!(r#"{{"type":"{}"}}"#, "\u{e4}".repeat(30_000));
        assert!(Request::parse(long.as_bytes()).unwrap_err().reason.len() < 310);
        assert!(Request::parse("[".repeat(60_000).as_bytes()).is_err());
        assert!(Request::parse(b"\xff").is_err());
    }
}
