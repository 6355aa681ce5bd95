//! Random bakes: a level, settings, volumes, surfaces and connections, all from one number.
//!
//! What is left out, because C++ Recast has none of it or comes to what Walkable does not follow (`Differs:` in
//! `src/bake`), is said where the numbers are drawn.

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

/// Most tiles of a case that are baked.
const MAX_TILES: usize = 6;

/// One random bake.
#[derive(Debug)]
pub struct Case {
    /// The number that it comes from.
    pub seed: u64,
    /// What level it is, for people.
    pub level: String,
    /// The level.
    pub mesh: TriMesh,
    /// What is baked of it and how.
    pub config: BakeConfig,
    /// What stands on its layers.
    pub obstacles: Vec<Obstacle>,
}

impl Case {
    /// The case of `seed`: the same for all releases, but for what a release is known to do otherwise.
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
            // It joins ground of different areas.
            config.volumes.clear();
            config.surfaces.clear();
        }
        let obstacles = places::obstacles(&mut random, &mesh);
        Self { seed, level, mesh, config, obstacles }
    }

    /// What Walkable bakes.
    pub fn input(&self) -> BakeInput {
        self.config.clone().with_mesh(self.mesh.clone().into())
    }

    /// Some tiles of `plan`, spread over it.
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
