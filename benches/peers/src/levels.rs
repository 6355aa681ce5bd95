//! The levels on which libraries are compared.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use walkable::{
    level::{LevelKind, generate},
    mesh::{ImportOptions, TriMesh, read_obj},
};

/// A level by name.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Name in tables.
    pub name: &'static str,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// A sample mesh of RecastDemo, from the reference folder.
    Demo,
    Generated {
        kind: LevelKind,
        size: f32,
    },
}

const fn generated(name: &'static str, kind: LevelKind, size: f32) -> Level {
    Level { name, source: Source::Generated { kind, size } }
}

const fn demo(name: &'static str) -> Level {
    Level { name, source: Source::Demo }
}

/// All levels, small ones first.
pub const LEVELS: [Level; 7] = [
    demo("nav_test"),
    demo("dungeon"),
    demo("undulating"),
    generated("tower", LevelKind::Tower, 24.0),
    generated("caves", LevelKind::Caves, 80.0),
    generated("town", LevelKind::Town, 700.0),
    generated("terrain", LevelKind::Terrain, 600.0),
];

impl Level {
    /// Returns the level with this name; `NAME:SIDE` is a generated one with another side, in meters. `None` if there
    /// is none.
    pub fn named(text: &str) -> Option<Self> {
        let (name, side) =
            text.split_once(':').map_or((text, None), |(name, side)| (name, Some(side)));
        let mut level = *LEVELS.iter().find(|level| level.name == name)?;
        if let Some(side) = side {
            let Source::Generated { size, .. } = &mut level.source else { return None };
            *size = side.parse().ok()?;
        }
        Some(level)
    }

    /// Returns whether the level is read from a file.
    pub const fn is_file(&self) -> bool {
        matches!(self.source, Source::Demo)
    }

    /// Returns the level's triangles; `None`, with a message on standard error, if its file is missing.
    pub fn mesh(&self) -> Option<Arc<TriMesh>> {
        let mesh = match self.source {
            Source::Generated { kind, size } => {
                generate(kind, 1, size).expect("the generator takes this size").mesh
            }
            Source::Demo => {
                let path = reference_folder().join("levels").join(format!("{}.obj", self.name));
                let Ok(bytes) = std::fs::read(&path) else {
                    eprintln!("LEFT OUT {}: there is no {}", self.name, path.display());
                    return None;
                };
                let level = read_obj(&bytes).expect("a sample mesh is a sound OBJ file");
                ImportOptions::default().import(level).expect("a sample mesh has triangles")
            }
        };
        Some(Arc::new(mesh))
    }
}

/// Generates a terrain of any size.
pub fn terrain(size: f32) -> Arc<TriMesh> {
    let level = generate(LevelKind::Terrain, 1, size).expect("the generator takes this size");
    Arc::new(level.mesh)
}

/// Returns the folder named by `WALKABLE_REFERENCE`, or `../shared/reference` beside the package.
pub fn reference_folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| package.join("../shared/reference"), PathBuf::from)
}
