//! Bakes a level for a command that does not write the navmesh.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use walkable::{
    bake::{AreaTable, BakePlan},
    mesh::{ImportHint, ImportOptions, import_hint},
    navmesh::NavMesh,
    query::Pruning,
};
use walkable_editor::{document::Finish, limits, runner};

use super::{
    Failure,
    bake::{layered_mesh, linked_mesh},
    findings::Findings,
    limit,
    load::{Level, LevelArg, SettingsArgs},
    remarks::remark_plan,
};

/// A level to bake.
pub(super) struct LevelRequest<'a> {
    pub(super) level: &'a LevelArg,
    pub(super) settings: &'a SettingsArgs,
    pub(super) import: ImportOptions,
}

/// The navmesh of a level.
pub(super) struct BakedLevel {
    pub(super) plan: BakePlan,
    /// The navmesh, before islands are removed unless it is layered.
    pub(super) mesh: NavMesh,
    /// Whether the level supports runtime obstacles; its tiles then have no detail surface.
    pub(super) is_layered: bool,
    /// The areas and their costs.
    pub(super) areas: AreaTable,
    /// The time of the bake.
    pub(super) elapsed: Duration,
    /// Every file that was read.
    pub(super) files: Vec<PathBuf>,
    finish: Finish,
}

impl BakedLevel {
    /// Removes the islands that the project does not keep; returns `None` if there are none to remove.
    pub(super) fn prune(&mut self) -> Option<Pruning> {
        if self.is_layered { None } else { self.finish.prune(&mut self.mesh) }
    }
}

/// Bakes all tiles of a level. Findings about the level and its bake are added to `findings`.
pub(super) fn bake_level(
    request: &LevelRequest<'_>,
    findings: &mut Findings,
) -> Result<BakedLevel, Failure> {
    let name = request.level;
    let level = name.load(request.import)?;
    let bounds = level.mesh.bounds();
    let config = request.settings.over(level.config.clone(), &bounds)?;
    findings.extend(level.warnings.summary());
    let areas = config.areas.clone();
    let agent = &config.settings;
    let hint = import_hint(&level.mesh, agent.agent_height, agent.agent_radius);
    findings.extend(hint.map(ImportHint::diagnostic));
    let Level { mesh, finish, obstacles, files, .. } = level;
    let plan = BakePlan::new(config.with_mesh(Arc::new(mesh)));
    let plan = plan.with_context(|| name.to_string())?;
    remark_plan(&plan, findings);
    limit::admit(name, plan.check_limits(runner::default_threads(), limits::of_bakes()))?;
    let started = Instant::now();
    let mesh = match &obstacles {
        Some(obstacles) => {
            layered_mesh(name, &plan, (obstacles, &finish), &mut Findings::quiet(name))?
        }
        None => linked_mesh(name, &plan, &finish, findings)?,
    };
    let elapsed = started.elapsed();
    let is_layered = obstacles.is_some();
    Ok(BakedLevel { plan, mesh, is_layered, areas, elapsed, files, finish })
}
