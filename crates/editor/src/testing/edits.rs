//! One edit of each kind.

use glam::Vec3;
use walkable::{
    bake::{
        AreaVolume, BakeConfig, BakeSettings, JumpLimits, OffMeshLink, RawArea, SurfaceRule,
        SurfaceSource, SurfaceUse, VolumeShape,
    },
    geom::Aabb,
    ids::{AreaId, TileCoord},
    mesh::ImportOptions,
    suite::PathCase,
    tasks::Reach,
};
use walkable_workspace::document::{Agent, Obstacle, Obstacles, Pace};

use crate::session::{
    Agents, AreaTable, Avoidance, Brush, Budgets, Document, Edit, Islands, Look, OwnPreset,
    PathFilter, SavedPath, SavedPlace, SceneAgent, SceneTask, Spawner, Stroke,
};

/// The saved camera view.
pub(crate) const LOOK: Look =
    Look { target: Vec3::Y, yaw: 0.1, pitch: 0.2, distance: 9.0, parallel: false };

fn shape() -> VolumeShape {
    VolumeShape::Cylinder { base: Vec3::X, radius: 1.5, height: 2.0 }
}

fn link() -> OffMeshLink {
    OffMeshLink {
        start: Vec3::ZERO,
        end: Vec3::Z,
        radius: 0.6,
        bidirectional: true,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    }
}

/// Returns one edit of each kind; each changes an empty document.
pub fn edits() -> Vec<Edit> {
    let settings = BakeSettings { agent_radius: 1.25, ..BakeSettings::default() };
    let volume = AreaVolume::new(RawArea(1), shape());
    let surface = SurfaceRule {
        source: SurfaceSource::Object,
        name: "rock".to_owned(),
        becomes: SurfaceUse::LeftOut,
    };
    let stroke = Stroke { brush: Brush::Area(2), radius: 1.0, places: vec![Vec3::X] };
    let obstacles = Obstacles { prepared: true, list: vec![Obstacle { shape: shape() }.into()] };
    let config = BakeConfig { off_mesh: vec![link()], ..BakeConfig::default() };
    let pace = Pace { max_speed: 2.0, max_acceleration: 5.0 };
    let jumps = JumpLimits { up: Some(1.5), ..JumpLimits::default() };
    let name = "Goblin".to_owned();
    let goblin = Agent { name, color: None, settings: settings.clone(), pace, jumps };
    let agents = Agents { list: vec![goblin], chosen: 0 };
    vec![
        Edit::Settings(Box::new(settings.clone())),
        Edit::Jumps(jumps),
        Edit::Import(ImportOptions { scale: 0.01, ..ImportOptions::default() }),
        Edit::Areas(AreaTable::default().with_flag(5, "Wade")),
        Edit::Volumes(vec![volume.into()]),
        Edit::Links(vec![link().into()]),
        Edit::Surfaces(vec![surface]),
        Edit::Bounds(vec![Aabb::new(Vec3::ZERO, Vec3::ONE).into()]),
        Edit::Obstacles(obstacles),
        Edit::RemovedTiles([TileCoord::new(2, 1)].into()),
        Edit::Strokes(vec![stroke]),
        Edit::Islands(Islands { min_area: Some(2.0), seeds: vec![Vec3::Z] }),
        Edit::Presets(vec![OwnPreset { name: "Goblin".to_owned(), settings }]),
        Edit::Paths(vec![SavedPath { start: Vec3::X, end: Vec3::Z }.into()]),
        Edit::PathFilter(PathFilter { moves_entries: true, ..PathFilter::default() }),
        Edit::Views(vec![LOOK.into()]),
        Edit::Budgets(Budgets { tile_ms: Some(3.0), ..Budgets::default() }),
        Edit::Config(Box::new(config)),
        Edit::Agents(agents),
        Edit::Places(vec![SavedPlace { at: Vec3::X }.into()]),
        Edit::PathTests(vec![PathCase::new(Vec3::X, Vec3::Z)]),
        Edit::Crowd(vec![
            SceneAgent {
                spawner: Some(Spawner::FIRST),
                ..SceneAgent::going(Vec3::new(20.0, 0.0, 20.0), Vec3::Z)
            },
            SceneAgent {
                task: Some(SceneTask::Approach { agent: 0, radius: 2.0, reach: Reach::Distance }),
                avoidance: Avoidance::Reciprocal,
                ..SceneAgent::new(Vec3::new(18.0, 0.0, 20.0))
            },
        ]),
        Edit::of_items(&Document::default(), |document| {
            document.places.push(SavedPlace { at: Vec3::Z }.into());
        }),
    ]
}
