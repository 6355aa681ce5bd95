//! What the user authors: everything that a project file holds except the level.

mod agents;
mod areas;
mod budgets;
mod crowd;
mod finish;
mod look;
mod named;
mod obstacle;
mod path_filter;
mod source;
mod stroke;

use std::collections::BTreeSet;

pub use agents::{Agent, Agents, Pace};
pub use areas::{Area, AreaTable, COSTS, ENTERING_COSTS, FlagName, Rgb, follow_costs};
pub use budgets::Budgets;
pub use crowd::{Avoidance, SceneAgent, SceneTask, Spawner, TargetField, TaskFields, reach_name};
pub use finish::{Finish, Islands};
use glam::Vec3;
pub use look::Look;
pub use named::{Named, are_alike};
use named::{bare, keep_numbers, nameless, number_by_position, omit_numbers};
pub use obstacle::{OBSTACLE_TILE_SIZE, Obstacle, Obstacles, has_layer_tiles};
pub use path_filter::PathFilter;
use serde::{Deserialize, Serialize};
pub use source::LevelSource;
pub use stroke::{Brush, Stroke, erased};
use walkable::{
    bake::{
        AreaVolume, BakeConfig, BakeSettings, JumpLimits, OffMeshLink, SurfaceRule, SurfaceUse,
    },
    geom::Aabb,
    ids::TileCoord,
    mesh::ImportOptions,
    suite::PathCase,
};

macro_rules! for_each_list {
    ($document:expr, $function:ident) => {
        $function(&mut $document.volumes);
        $function(&mut $document.off_mesh);
        $function(&mut $document.bounds);
        $function(&mut $document.obstacles.list);
        $function(&mut $document.paths);
        $function(&mut $document.places);
        $function(&mut $document.views);
    };
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    pub settings: BakeSettings,
    #[serde(skip_serializing_if = "JumpLimits::is_automatic")]
    pub jumps: JumpLimits,
    /// All agents; `settings` and `jumps` are those of the active one.
    pub agents: Agents,
    pub import: ImportOptions,
    pub areas: AreaTable,
    pub volumes: Vec<Named<AreaVolume>>,
    pub off_mesh: Vec<Named<OffMeshLink>>,
    pub surfaces: Vec<SurfaceRule>,
    pub bounds: Vec<Named<Aabb>>,
    pub obstacles: Obstacles,
    pub removed_tiles: BTreeSet<TileCoord>,
    /// Polygons painted by hand, the oldest stroke first.
    pub strokes: Vec<Stroke>,
    pub islands: Islands,
    pub presets: Vec<OwnPreset>,
    pub paths: Vec<Named<SavedPath>>,
    #[serde(skip_serializing_if = "PathFilter::is_unchanged")]
    pub path_filter: PathFilter,
    pub places: Vec<Named<SavedPlace>>,
    pub path_tests: Vec<PathCase>,
    pub crowd: Vec<SceneAgent>,
    pub views: Vec<Named<Look>>,
    pub budgets: Budgets,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPreset {
    pub name: String,
    pub settings: BakeSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPath {
    pub start: Vec3,
    pub end: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlace {
    pub at: Vec3,
}

impl Document {
    pub fn new(config: BakeConfig, import: ImportOptions) -> Self {
        let mut document = Self { import, ..Self::default() };
        document.take(config);
        document.normalize();
        document
    }

    /// Replaces everything that a settings file holds.
    pub fn take(&mut self, config: BakeConfig) {
        let BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas, jumps } = config;
        // A file without areas leaves the areas of the document unchanged.
        if areas.has_own_areas() {
            self.areas = areas;
        }
        (self.settings, self.jumps, self.surfaces) = (settings, jumps, surfaces);
        self.bounds = nameless(bounds);
        (self.volumes, self.off_mesh) = (nameless(volumes), nameless(off_mesh));
    }

    /// Copies the settings to the active agent, and makes sure that objects of one kind have different numbers.
    pub fn normalize(&mut self) {
        self.keep_agent();
        for_each_list!(self, keep_numbers);
    }

    /// Like [`Document::normalize`], but after the document was read from a file.
    pub fn complete(&mut self) {
        for_each_list!(self, number_by_position);
        self.normalize();
    }

    /// Removes what [`Document::complete`] adds again.
    pub fn abridge(&mut self) {
        for_each_list!(self, omit_numbers);
    }

    /// Returns the areas assigned by volumes, surface rules and brush strokes.
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

    pub fn draws_margins(&self) -> bool {
        let mut drawn = self.volumes.iter().filter(|volume| !volume.hidden);
        drawn.any(|volume| volume.margin(self.settings.agent_radius) > 0.0)
    }

    /// Returns what a settings file holds: everything that a bake depends on, and the limits of jumps.
    pub fn config(&self) -> BakeConfig {
        let Self { settings, surfaces, areas, jumps, .. } = self.clone();
        let (volumes, off_mesh) = (bare(&self.volumes), bare(&self.off_mesh));
        let bounds = bare(&self.bounds);
        BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas, jumps }
    }
}
