//! Bakes a level for a command that does not write the navmesh.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use walkable::{
    bake::{AreaTable, BakeConfig, BakePlan},
    mesh::ImportOptions,
    navmesh::NavMesh,
    query::Pruning,
};
use walkable_workspace::{document::Finish, layered::Layered, limits, runner};

use super::{
    Failure,
    bake::{layered_mesh, linked_mesh},
    findings::Findings,
    limit,
    load::{Level, LevelArg, SettingsArgs},
    remarks::{remark_level, remark_plan},
};

pub(super) struct LevelRequest<'a> {
    pub(super) level: &'a LevelArg,
    pub(super) settings: &'a SettingsArgs,
    pub(super) import: ImportOptions,
}

pub(super) struct BakedLevel {
    pub(super) plan: BakePlan,
    /// The navmesh, before islands are removed.
    pub(super) mesh: NavMesh,
    /// The layers of the navmesh, if the level supports runtime obstacles.
    pub(super) layers: Option<Layered>,
    pub(super) elapsed: Duration,
    pub(super) areas: AreaTable,
    finish: Finish,
}

impl BakedLevel {
    /// Removes the islands that the project does not keep; returns `None` if there are none to remove.
    pub(super) fn prune(&mut self) -> Option<Pruning> {
        self.finish.prune(&mut self.mesh)
    }
}

/// Loads a level and bakes all its tiles. Findings about the level and its bake are added to `findings`.
pub(super) fn bake_level(
    request: &LevelRequest<'_>,
    findings: &mut Findings,
) -> Result<(Level, BakedLevel), Failure> {
    let name = request.level;
    let level = name.load(request.import)?;
    let config = request.settings.over(level.config.clone(), &level)?;
    remark_level(&level, &config, findings);
    let baked = bake_loaded((name, &level), config, findings)?;
    Ok((level, baked))
}

/// Bakes all tiles of a level with other settings than its own. Findings about the bake are added to `findings`.
pub(super) fn bake_loaded(
    (name, level): (&LevelArg, &Level),
    config: BakeConfig,
    findings: &mut Findings,
) -> anyhow::Result<BakedLevel> {
    let Level { finish, obstacles, .. } = level;
    let areas = config.areas.clone();
    let plan = plan_of((name, level), config, findings)?;
    let started = Instant::now();
    let (mesh, layers) = match obstacles {
        Some(obstacles) => {
            let (mesh, layers) = layered_mesh(name, &plan, (obstacles, finish), findings)?;
            (mesh, Some(layers))
        }
        None => (linked_mesh(name, &plan, finish, findings)?, None),
    };
    let (elapsed, finish) = (started.elapsed(), finish.clone());
    Ok(BakedLevel { plan, mesh, layers, elapsed, areas, finish })
}

pub(super) fn plan_of(
    (name, level): (&LevelArg, &Level),
    config: BakeConfig,
    findings: &mut Findings,
) -> anyhow::Result<BakePlan> {
    let plan = BakePlan::new(config.with_mesh(Arc::clone(&level.mesh)));
    let plan = plan.with_context(|| name.to_string())?;
    remark_plan(&plan, findings);
    limit::admit(name, plan.check_limits(runner::default_threads(), limits::of_bakes()))?;
    Ok(plan)
}
