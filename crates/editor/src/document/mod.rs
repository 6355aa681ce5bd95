//! What the user authors: all that a project file holds beside its level. Knows no window.

mod agents;
mod areas;
mod budgets;
mod finish;
mod look;
mod named;
mod obstacle;
mod source;
mod stroke;

pub use agents::{AGENT_HUE, Agent, Agents};
pub use areas::{Area, AreaTable, COSTS, ENTERING_COSTS, FlagName, Rgb, follow_costs};
pub use budgets::Budgets;
pub use finish::{Finish, Islands};
pub use look::Look;
pub use named::{Named, are_alike};
pub use obstacle::{Obstacle, Obstacles};
pub use source::LevelSource;
pub use stroke::{Brush, Stroke, erased};

use std::collections::BTreeSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaVolume, BakeConfig, BakeSettings, OffMeshLink, SurfaceRule, SurfaceUse},
    geom::Aabb,
    ids::TileCoord,
    mesh::ImportOptions,
};

use named::{bare, nameless};

/// Everything that is saved and that undo takes back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    /// The agent and the grid.
    pub settings: BakeSettings,
    /// All agents; the settings are those of the chosen one.
    pub agents: Agents,
    /// How the level's file is read.
    pub import: ImportOptions,
    /// What areas and flags are called, look like and cost.
    pub areas: AreaTable,
    /// Painted areas.
    pub volumes: Vec<Named<AreaVolume>>,
    /// Off-mesh links.
    pub off_mesh: Vec<Named<OffMeshLink>>,
    /// What objects and materials become.
    pub surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited.
    pub bounds: Vec<Named<Aabb>>,
    /// What stands on the navmesh for a while.
    pub obstacles: Obstacles,
    /// Tiles removed from the navmesh.
    pub removed_tiles: BTreeSet<TileCoord>,
    /// Polygons painted by hand, the oldest stroke first.
    pub strokes: Vec<Stroke>,
    /// Islands that are kept.
    pub islands: Islands,
    /// Settings kept under a name.
    pub presets: Vec<OwnPreset>,
    /// Paths to come back to.
    pub paths: Vec<Named<SavedPath>>,
    /// Places to come back to.
    pub places: Vec<Named<SavedPlace>>,
    /// Looks to come back to.
    pub views: Vec<Named<Look>>,
    /// What a bake may take.
    pub budgets: Budgets,
}

/// Settings that the user gave a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPreset {
    /// Its name.
    pub name: String,
    /// The settings.
    pub settings: BakeSettings,
}

/// Two places that the user keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPath {
    /// Where it starts, in world space.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
}

/// A place that the user keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlace {
    /// Where, in world space.
    pub at: Vec3,
}

impl Document {
    /// A document with what a settings file holds.
    pub fn new(config: BakeConfig, import: ImportOptions) -> Self {
        let mut document = Self { import, ..Self::default() };
        document.take(config);
        document
    }

    /// Replaces what a settings file holds.
    pub fn take(&mut self, config: BakeConfig) {
        let BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas } = config;
        // A file that says nothing about areas leaves them as they are.
        if areas.has_own_areas() {
            self.areas = areas;
        }
        (self.settings, self.surfaces, self.bounds) = (settings, surfaces, nameless(bounds));
        (self.volumes, self.off_mesh) = (nameless(volumes), nameless(off_mesh));
    }

    /// Areas that volumes, surfaces and strokes make.
    pub fn painted_areas(&self) -> impl Iterator<Item = u8> {
        let volumes = self.volumes.iter().map(|volume| volume.area.0);
        let surfaces = self.surfaces.iter().filter_map(|rule| match rule.becomes {
            SurfaceUse::Area(area) => Some(area.0),
            SurfaceUse::LeftOut => None,
        });
        let strokes = self.strokes.iter().filter_map(|stroke| match stroke.brush {
            Brush::Area(area) => Some(area),
            Brush::Flags(_) => None,
        });
        volumes.chain(surfaces).chain(strokes)
    }

    /// What a bake depends on: all that a settings file holds.
    pub fn config(&self) -> BakeConfig {
        let Self { settings, surfaces, areas, .. } = self.clone();
        let (volumes, off_mesh) = (bare(&self.volumes), bare(&self.off_mesh));
        let bounds = bare(&self.bounds);
        BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas }
    }
}
