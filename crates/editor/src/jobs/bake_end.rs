//! The end of a bake: what is computed from all of its tiles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeOutput, BakePlan, GroundRemoval},
    tile_cache::Obstacle,
};
use walkable_workspace::{layered::Layered, runner};

use crate::jobs::{slot::Reporter, task::Job};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BakeEndRequest {
    pub(super) plan: Arc<BakePlan>,
    /// Whether to find the step that removed the most ground, because no tile has any.
    pub(super) explains_no_ground: bool,
    /// The obstacles on the navmesh; `None` if the level is not prepared for obstacles.
    pub(super) obstacles: Option<Vec<Obstacle>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum BakeEndMessage {
    NoGround(GroundRemoval),
    Layers(Result<Box<Layered>, String>),
}

impl BakeEndRequest {
    pub(super) const fn has_work(&self) -> bool {
        self.explains_no_ground || self.obstacles.is_some()
    }

    pub(super) fn ground_removal<T: Send>(&self, report: &Reporter<T>) -> Option<GroundRemoval> {
        let again = runner::from_memory(&self.plan, BakeOutput::Stages);
        let explained =
            self.explains_no_ground.then(|| runner::ground_removal(&self.plan, &again, report));
        explained.and_then(Result::ok).flatten()
    }

    pub(super) fn layers<T: Send>(&self, report: &Reporter<T>) -> Option<Result<Layered, String>> {
        let layered = Layered::bake(&self.plan, self.obstacles.as_deref()?, report);
        Some(layered.map_err(|error| error.to_string()))
    }
}

impl Job for BakeEndRequest {
    type Message = BakeEndMessage;

    fn carry_out(self, report: &Reporter<BakeEndMessage>) {
        if let Some(removal) = self.ground_removal(report) {
            report.send(BakeEndMessage::NoGround(removal));
        }
        if let Some(layers) = self.layers(report) {
            report.send(BakeEndMessage::Layers(layers.map(Box::new)));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{BakeInput, BakeSettings},
        geom::Aabb,
        level::builtin,
    };

    use super::*;
    use crate::jobs::{job_worker::testing::here_and_in_worker, job_workers::JobKind};

    #[test]
    fn a_worker_finds_the_same() {
        let level = builtin("sample").unwrap().read().unwrap();
        let mesh = Arc::new(level.mesh);
        let plan = |agent_radius| {
            let settings = BakeSettings { tile_size: 32, agent_radius, ..BakeSettings::default() };
            Arc::new(BakePlan::new(BakeInput::new(Arc::clone(&mesh), settings)).unwrap())
        };
        let base = Vec3::new(4.0, 0.0, 4.0);
        let outline = [Vec3::ZERO, Vec3::X, Vec3::Z].map(|corner| base + corner);
        let obstacles = vec![
            Obstacle::Cylinder { base, radius: 1.0, height: 2.0 },
            Obstacle::Box(Aabb::new(base, base + 2.0)),
            Obstacle::TurnedBox { center: base, half_size: Vec3::ONE, yaw: 0.5 },
            Obstacle::Prism { min_y: -1.0, max_y: 2.0, outline: Arc::new(outline) },
        ];
        let plan_with_ground = plan(0.6);
        let [here, there] = here_and_in_worker(JobKind::BakeEnd, || BakeEndRequest {
            plan: Arc::clone(&plan_with_ground),
            explains_no_ground: false,
            obstacles: Some(obstacles.clone()),
        });
        let [here, there] = [here, there].map(|messages| {
            let [BakeEndMessage::Layers(Ok(mut layered))]: [_; 1] = messages.try_into().unwrap()
            else {
                panic!("no layers")
            };
            layered.forget_times();
            layered
        });
        assert!(here == there, "the same layers");
        assert!(!there.tiles().is_empty() && !there.differs_from(&obstacles));
        let plan_without_ground = plan(60.0);
        let [here, there] = here_and_in_worker(JobKind::BakeEnd, || BakeEndRequest {
            plan: Arc::clone(&plan_without_ground),
            explains_no_ground: true,
            obstacles: None,
        });
        assert_eq!(here, there);
        assert!(matches!(there[..], [BakeEndMessage::NoGround(_)]), "{there:?}");
    }
}
