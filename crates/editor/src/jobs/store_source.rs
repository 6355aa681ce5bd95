//! The tile store that is checked or exported: the open one, or one into which the open level is baked first.

use std::{
    io::{Read, Seek},
    path::PathBuf,
};

#[cfg(not(target_family = "wasm"))]
use walkable::phrase;
use walkable::{bake::BakeSettings, diagnostic::Diagnostic, monitor::Monitor, store::TileStore};
#[cfg(not(target_family = "wasm"))]
use walkable_workspace::level_store::BakedLevel;
use walkable_workspace::whole_level::WholeLevel;

use super::open_store::open_store;
use crate::session::Session;

#[derive(Clone, Debug, PartialEq)]
pub enum StoreSource {
    /// The open tile store.
    Store { path: PathBuf, hash: u128 },
    /// The open level. Tiles that are not baked yet are baked.
    Level(Box<WholeLevel>),
}

/// Folders that the bakes of levels use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceFolders {
    /// The folder of the stores of levels; without it, levels are not baked.
    pub stores: Option<PathBuf>,
    pub cache: Option<PathBuf>,
}

pub(super) struct OpenedSource<F> {
    pub(super) store: TileStore,
    pub(super) file: F,
    pub(super) path: PathBuf,
    pub(super) found: Vec<Diagnostic>,
}

impl StoreSource {
    /// Returns the source of all tiles: the open tile store, or the open level. `None` if everything is already loaded,
    /// or if the level cannot be baked tile by tile.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        if let Some(hash) = session.store_in_part() {
            let path = session.opened.imported.as_ref()?.path()?.to_owned();
            return Some(Self::Store { path, hash });
        }
        Some(Self::Level(Box::new(session.whole_level()?)))
    }

    /// Returns the settings that the tiles are baked with; `None` if they are unknown.
    pub(super) fn settings(&self) -> Option<BakeSettings> {
        match self {
            Self::Store { .. } => None,
            Self::Level(level) => Some(level.config.settings.clone()),
        }
    }

    /// Opens the store. Bakes the level first, and calls `baked` with the numbers of tiles baked so far and of all tiles.
    pub(super) fn open(
        self,
        folders: &SourceFolders,
        baked: &mut (dyn FnMut([usize; 2]) + Send),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<OpenedSource<impl Read + Seek + use<>>> {
        let (path, hash, found) = match self {
            Self::Store { path, hash } => (path, Some(hash), Vec::new()),
            Self::Level(level) => {
                let (path, found) = bake(&level, folders, baked, monitor)?;
                (path, None, found)
            }
        };
        let (store, file) = open_store(&path, hash)?;
        Ok(OpenedSource { store, file, path, found })
    }
}

#[cfg(not(target_family = "wasm"))]
fn bake(
    level: &WholeLevel,
    folders: &SourceFolders,
    baked: &mut (dyn FnMut([usize; 2]) + Send),
    monitor: &dyn Monitor,
) -> anyhow::Result<(PathBuf, Vec<Diagnostic>)> {
    let SourceFolders { stores, cache } = folders;
    let stores = stores.as_deref().ok_or_else(|| {
        phrase!("there is no folder for the tiles of the level; use walkable bake")
    })?;
    let BakedLevel { store, found } = level.bake(stores, cache.as_deref(), baked, monitor)?;
    Ok((store, found))
}

/// Not called on a web page, where a bake cannot write a file piece by piece.
#[cfg(target_family = "wasm")]
fn bake(
    level: &WholeLevel,
    _folders: &SourceFolders,
    _baked: &mut (dyn FnMut([usize; 2]) + Send),
    _monitor: &dyn Monitor,
) -> anyhow::Result<(PathBuf, Vec<Diagnostic>)> {
    anyhow::bail!("{}: cannot be baked on a web page", level.path.display())
}
