use std::{fmt, ops::RangeInclusive, str::FromStr};

use glam::Vec3;
use walkable_bake::bake::BakeConfig;
use walkable_mesh::TriMesh;

use crate::level::{caves, draft::Draft, maze, sample, spiral, terrain, tower, town};

/// A kind of level that the generator can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LevelKind {
    /// Hills, terraces and boulders.
    Terrain,
    /// Streets, houses with rooms, a canal with bridges, squares, parks and decks.
    Town,
    /// Corridors between walls.
    Maze,
    /// Stories with rooms, joined by stairs.
    Tower,
    /// Tunnels on several levels.
    Caves,
    /// A spiral stair inside a spiral ramp.
    Spiral,
    /// A small course with one of each feature that matters to a navmesh.
    Sample,
}

impl LevelKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Terrain,
        Self::Town,
        Self::Maze,
        Self::Tower,
        Self::Caves,
        Self::Spiral,
        Self::Sample,
    ];

    /// Returns the name in lower case.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Terrain => "terrain",
            Self::Town => "town",
            Self::Maze => "maze",
            Self::Tower => "tower",
            Self::Caves => "caves",
            Self::Spiral => "spiral",
            Self::Sample => "sample",
        }
    }

    /// Returns the valid side lengths of the level, in meters.
    pub const fn sizes(self) -> RangeInclusive<f32> {
        match self {
            Self::Terrain => 16.0..=2048.0,
            Self::Town => 60.0..=2000.0,
            Self::Maze => 12.0..=600.0,
            Self::Caves => 24.0..=200.0,
            Self::Tower | Self::Spiral => 16.0..=60.0,
            Self::Sample => 30.0..=30.0,
        }
    }

    /// Returns the default side length of the level, in meters.
    pub const fn default_size(self) -> f32 {
        match self {
            Self::Terrain => 200.0,
            Self::Town => 175.0,
            Self::Maze => 48.0,
            Self::Caves => 80.0,
            Self::Tower | Self::Spiral => 24.0,
            Self::Sample => 30.0,
        }
    }
}

impl fmt::Display for LevelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl FromStr for LevelKind {
    type Err = GenerateError;

    fn from_str(text: &str) -> Result<Self, GenerateError> {
        let unknown = || GenerateError::UnknownKind { text: text.to_owned() };
        Self::ALL.into_iter().find(|kind| kind.key() == text).ok_or_else(unknown)
    }
}

/// An error while generating a level.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The kind of level is unknown.
    #[error("there is no kind of level called \"{text}\"; there are {}", all_keys())]
    UnknownKind {
        /// The requested name.
        text: String,
    },
    /// The requested size is too small or too large.
    #[error("a {kind} level can be {min} to {max} m large, not {size}")]
    Size {
        /// The requested kind.
        kind: LevelKind,
        /// The requested side length, in meters.
        size: f32,
        /// Smallest side length.
        min: f32,
        /// Largest side length.
        max: f32,
    },
    /// The generator produced no triangles, which is a bug.
    #[error("the {kind} level has no triangles")]
    Nothing {
        /// The requested kind.
        kind: LevelKind,
    },
}

fn all_keys() -> String {
    LevelKind::ALL.map(LevelKind::key).join(", ")
}

/// A generated level with its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedLevel {
    /// The triangles, in named parts.
    pub mesh: TriMesh,
    /// Settings that suit the level, and its areas.
    pub config: BakeConfig,
    /// Start of an interesting path.
    pub start: Vec3,
    /// End of that path.
    pub end: Vec3,
}

/// Generates a level with a side length of about `size` meters. [`LevelKind::Sample`] is the same for all seeds.
///
/// # Errors
/// [`GenerateError::Size`] if `size` is outside [`LevelKind::sizes`].
pub fn generate(kind: LevelKind, seed: u64, size: f32) -> Result<GeneratedLevel, GenerateError> {
    let sizes = kind.sizes();
    if !sizes.contains(&size) {
        let (min, max) = (*sizes.start(), *sizes.end());
        return Err(GenerateError::Size { kind, size, min, max });
    }
    let Draft { solids, config, start, end } = match kind {
        LevelKind::Terrain => terrain::terrain(seed, size),
        LevelKind::Town => town::town(seed, size),
        LevelKind::Maze => maze::maze(seed, size),
        LevelKind::Tower => tower::tower(seed, size),
        LevelKind::Caves => caves::caves(seed, size),
        LevelKind::Spiral => spiral::spiral(size),
        LevelKind::Sample => sample::sample(),
    };
    let mesh = solids.finish().ok_or(GenerateError::Nothing { kind })?;
    Ok(GeneratedLevel { mesh, config, start, end })
}
