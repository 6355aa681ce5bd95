//! The end of a bake: what is computed from all of its tiles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeOutput, BakePlan, GroundRemoval},
    tile_cache::Obstacle,
};
use walkable_workspace::{
    layered::{Layered, LayeredParts},
    runner, wire,
};

use crate::jobs::{
    bake_workers::{plan_of_parts, plan_to_parts},
    job_workers::{JobKind, WorkerRequest},
    slot::Reporter,
};

/// The work after the last tile.
#[derive(Debug)]
pub(super) struct BakeEndRequest {
    pub(super) plan: Arc<BakePlan>,
    /// Whether to find the step that removed the most ground, because no tile has any.
    pub(super) explains_no_ground: bool,
    /// The obstacles on the navmesh; `None` if the level is not prepared for obstacles.
    pub(super) obstacles: Option<Vec<Obstacle>>,
}

/// A result of that work.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum BakeEndMessage {
    /// This step removed the most ground.
    NoGround(GroundRemoval),
    /// The layers, or why they cannot be baked.
    Layers(Result<LayeredParts, String>),
}

impl BakeEndRequest {
    /// Returns whether there is anything to do.
    pub(super) const fn has_work(&self) -> bool {
        self.explains_no_ground || self.obstacles.is_some()
    }

    /// Returns the step that removed the most ground, if it is wanted.
    pub(super) fn ground_removal<T: Send>(&self, report: &Reporter<T>) -> Option<GroundRemoval> {
        let again = runner::from_memory(&self.plan, BakeOutput::Stages);
        let explained =
            self.explains_no_ground.then(|| runner::ground_removal(&self.plan, &again, report));
        explained.flatten()
    }

    /// Returns the layers, if they are wanted.
    pub(super) fn layers<T: Send>(&self, report: &Reporter<T>) -> Option<Result<Layered, String>> {
        let layered = Layered::bake(&self.plan, self.obstacles.as_deref()?, report);
        Some(layered.map_err(|error| error.to_string()))
    }
}

impl WorkerRequest for BakeEndRequest {
    type Message = BakeEndMessage;
    const KIND: JobKind = JobKind::BakeEnd;

    fn carry_out(self, report: &Reporter<BakeEndMessage>) {
        if let Some(removal) = self.ground_removal(report) {
            report.send(BakeEndMessage::NoGround(removal));
        }
        if let Some(layers) = self.layers(report) {
            report.send(BakeEndMessage::Layers(layers.map(|layered| layered.to_parts())));
        }
    }

    fn to_parts(&self) -> Option<Vec<Vec<u8>>> {
        let Self { plan, explains_no_ground, obstacles } = self;
        let rest = (explains_no_ground, wire::obstacles_to_form(obstacles.as_deref()));
        let rest = serde_json::to_vec(&rest).ok()?;
        Some([vec![rest], plan_to_parts(plan.input()).to_vec()].concat())
    }

    fn from_parts(parts: &[&[u8]]) -> Option<Self> {
        let [rest, input, level] = parts else { return None };
        let (explains_no_ground, obstacles) = serde_json::from_slice(rest).ok()?;
        let obstacles = wire::obstacles_of_form(obstacles);
        Some(Self { plan: plan_of_parts(input, level)?, explains_no_ground, obstacles })
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
    use crate::jobs::job_worker::testing::here_and_in_worker;

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
        let [here, there] = here_and_in_worker(|| BakeEndRequest {
            plan: Arc::clone(&plan_with_ground),
            explains_no_ground: false,
            obstacles: Some(obstacles.clone()),
        });
        let [here, there] = [here, there].map(|messages| {
            let [BakeEndMessage::Layers(Ok(mut parts))]: [_; 1] = messages.try_into().unwrap()
            else {
                panic!("no layers")
            };
            parts.forget_times();
            parts
        });
        assert!(here == there, "the same layers");
        let layered = Layered::of_parts(&there).unwrap();
        assert!(!layered.tiles().is_empty() && !layered.differs_from(&obstacles));
        let mut again = layered.to_parts();
        again.forget_times();
        assert!(again == there, "nothing is lost on the way");
        let baked = Layered::bake(&plan_with_ground, &obstacles, &walkable::monitor::Unmonitored);
        assert_eq!(layered.cache(), baked.unwrap().cache());
        let plan_without_ground = plan(60.0);
        let [here, there] = here_and_in_worker(|| BakeEndRequest {
            plan: Arc::clone(&plan_without_ground),
            explains_no_ground: true,
            obstacles: None,
        });
        assert_eq!(here, there);
        assert!(matches!(there[..], [BakeEndMessage::NoGround(_)]), "{there:?}");
    }
}
