use glam::Vec3;

use crate::{
    bake::{BakeConfig, ConfigError},
    level::{GeneratedLevel, LevelKind},
    mesh::{ImportOptions, MeshError, ObjError, read_obj},
};

/// A level that is part of the program: an OBJ file of `assets/` and its settings file.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinLevel {
    /// Name in lower case.
    pub name: &'static str,
    /// One-line description.
    pub description: &'static str,
    /// Kind of level that the generator created.
    pub kind: LevelKind,
    /// The seed.
    pub seed: u64,
    /// The side, in meters.
    pub size: f32,
    /// The level as OBJ.
    pub obj: &'static [u8],
    /// Settings of the level, with its areas and off-mesh links.
    pub config: &'static str,
    /// Start of an interesting path.
    pub start: Vec3,
    /// End of that path.
    pub end: Vec3,
}

/// Why a built-in level cannot be read. The tests read all of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltinError {
    /// The file is invalid.
    #[error(transparent)]
    Obj(#[from] ObjError),
    /// The mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The settings are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl BuiltinLevel {
    /// Reads the level.
    ///
    /// # Errors
    /// Returns a [`BuiltinError`] if the program was built from invalid files.
    pub fn read(&self) -> Result<GeneratedLevel, BuiltinError> {
        let mesh = ImportOptions::default().import(read_obj(self.obj)?)?;
        let config = BakeConfig::parse(self.config)?;
        Ok(GeneratedLevel { mesh, config, start: self.start, end: self.end })
    }
}

/// Returns the built-in level called `name`.
pub fn builtin(name: &str) -> Option<&'static BuiltinLevel> {
    BUILTIN_LEVELS.iter().find(|level| level.name == name)
}

macro_rules! asset {
    ($include:ident, $name:literal) => {
        $include!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/", $name))
    };
}

/// All built-in levels, the default one first.
pub const BUILTIN_LEVELS: &[BuiltinLevel] = &[
    BuiltinLevel {
        name: "sample",
        description: "Playground: stairs, ramps, a bridge over a floor, doorways, ledges, a pool",
        kind: LevelKind::Sample,
        seed: 1,
        size: 30.0,
        obj: asset!(include_bytes, "sample.obj"),
        config: asset!(include_str, "sample.cfg"),
        start: Vec3::new(5.5, 0.0, 18.5),
        end: Vec3::new(20.0, 3.0, 4.0),
    },
    BuiltinLevel {
        name: "town",
        description: "Small town: houses with rooms and stairs, a canal with bridges, a deck",
        kind: LevelKind::Town,
        seed: 1,
        size: 175.0,
        obj: asset!(include_bytes, "town.obj"),
        config: asset!(include_str, "town.cfg"),
        start: Vec3::new(5.0, 0.0, 5.0),
        end: Vec3::new(170.0, 0.0, 170.0),
    },
    BuiltinLevel {
        name: "maze",
        description: "Maze between hedges, with some loops",
        kind: LevelKind::Maze,
        seed: 1,
        size: 48.0,
        obj: asset!(include_bytes, "maze.obj"),
        config: asset!(include_str, "maze.cfg"),
        start: Vec3::new(2.0, 0.0, 2.0),
        end: Vec3::new(45.2, 0.0, 45.2),
    },
    BuiltinLevel {
        name: "spiral",
        description: "Spiral stair inside a spiral ramp, three turns high",
        kind: LevelKind::Spiral,
        seed: 1,
        size: 24.0,
        obj: asset!(include_bytes, "spiral.obj"),
        config: asset!(include_str, "spiral.cfg"),
        start: Vec3::new(22.4, 0.0, 7.7),
        end: Vec3::new(12.0, 12.0, 18.0),
    },
    BuiltinLevel {
        name: "tower",
        description: "Tower of five floors joined by stairs, with rooms and an open roof",
        kind: LevelKind::Tower,
        seed: 1,
        size: 24.0,
        obj: asset!(include_bytes, "tower.obj"),
        config: asset!(include_str, "tower.cfg"),
        start: Vec3::new(12.0, 0.0, -3.0),
        end: Vec3::new(12.0, 16.0, 12.0),
    },
];
