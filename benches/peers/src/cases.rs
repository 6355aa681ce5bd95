//! Random bakes: a level, settings, volumes, surfaces and off-mesh links, all from one seed.
//!
//! What is omitted because C++ Recast does not have it, or has results that Walkable does not reproduce (`Differs:` in
//! `src/bake`), is documented where the numbers are drawn.

mod levels;
mod places;
mod settings;

use std::fmt;

use walkable::{
    bake::{BakeConfig, BakeInput, BakePlan, Partition},
    ids::TileCoord,
    mesh::TriMesh,
    tile_cache::Obstacle,
};
use walkable_runtime::random::Random;

use crate::recast::Release;

/// Maximum number of tiles of a case that are baked.
const MAX_TILES: usize = 6;

/// One random bake.
#[derive(Debug)]
pub struct Case {
    /// The seed.
    pub seed: u64,
    /// Description of the level, for users.
    pub level: String,
    /// The level.
    pub mesh: TriMesh,
    /// The settings, volumes, surfaces and off-mesh links.
    pub config: BakeConfig,
    /// The obstacles on its layers.
    pub obstacles: Vec<Obstacle>,
}

impl Case {
    /// Creates the case of `seed`: the same for all releases, except for known differences of a release.
    pub fn new(seed: u64, release: Release) -> Self {
        let mut random = Random::new(seed);
        let (level, mesh) = levels::level(&mut random);
        let settings = settings::settings(&mut random, mesh.bounds().size());
        let mut config = BakeConfig {
            settings,
            volumes: places::volumes(&mut random, &mesh),
            off_mesh: places::links(&mut random, &mesh),
            surfaces: places::surfaces(&mut random),
            // C++ has no bounds within the level and no table of areas.
            ..BakeConfig::default()
        };
        if release == Release::Of2023 && config.settings.partition == Partition::Layers {
            // It merges ground of different areas.
            config.volumes.clear();
            config.surfaces.clear();
        }
        let obstacles = places::obstacles(&mut random, &mesh);
        Self { seed, level, mesh, config, obstacles }
    }

    /// Returns the input of Walkable's bake.
    pub fn input(&self) -> BakeInput {
        self.config.clone().with_mesh(self.mesh.clone().into())
    }

    /// Returns some tiles of `plan`, spread over it.
    pub fn tiles(&self, plan: &BakePlan) -> Vec<TileCoord> {
        let [n_x, n_z] = plan.n_tiles().map(|n| n as usize);
        let step = (n_x * n_z).div_ceil(MAX_TILES);
        let first = Random::new(!self.seed).below(step);
        plan.tiles().skip(first).step_by(step).collect()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.mesh.triangles().len();
        writeln!(f, "seed {}: {}, {n} triangles", self.seed, self.level)?;
        f.write_str(&self.config.to_text())?;
        self.obstacles.iter().try_for_each(|obstacle| writeln!(f, "{obstacle:?}"))
    }
}
