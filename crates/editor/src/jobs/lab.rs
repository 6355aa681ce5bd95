//! Runs the searches of the lab in the background.

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{bake::BakeInput, diagnostic::Phrase, navmesh::NavMesh, phrase, query::Filter};
use walkable_workspace::{
    searches::{Algorithm, GridAlgorithm, LevelQuestion, LevelSpaces, Options},
    text,
};

use crate::{
    cluster_map::without_world,
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{LabRow, LabSettings, Medium, OpenMap, Searcher, Session, SweepPoint},
};

/// The weights of A* that are compared.
const WEIGHTS: [f64; 16] =
    [0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabRequest {
    navmesh: Option<Arc<NavMesh>>,
    ends: [Vec3; 2],
    filter: Filter,
    settings: LabSettings,
    wanted: BTreeSet<Searcher>,
    input: BakeInput,
    /// The map from which the level was built.
    map: Option<Arc<OpenMap>>,
    tries_weights: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum LabMessage {
    Row(Box<LabRow>),
    /// The results of A* with several heuristic weights.
    Sweep(Vec<SweepPoint>),
    /// Why the searches of a medium cannot run; the text names a remedy if there is one.
    Refused(Medium, Phrase),
}

/// Maximum number of voxels to search one by one, so that comparisons take seconds.
const MAX_VOXELS: u64 = 16_000_000;

/// The reason if no level is open.
const NO_LEVEL: &str = text!("Open a level first.");

impl LabRequest {
    /// Creates the request, or returns the reason why nothing can be compared, as a template of a phrase.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let level = session.opened.level.as_ref().ok_or(NO_LEVEL)?;
        let ends = session.path.start.zip(session.path.end);
        let (start, end) =
            ends.ok_or(text!("Place a path's start and end to compare searches."))?;
        let input = session.bake_input().ok_or(NO_LEVEL)?;
        if session.lab.wanted.is_empty() {
            return Err(text!("Choose at least one search."));
        }
        Ok(Self {
            navmesh: session.bake.navmesh.clone(),
            ends: [start, end],
            filter: session.path.filter.clone(),
            settings: session.lab.settings,
            wanted: session.lab.wanted.clone(),
            input,
            map: level.map.clone(),
            tries_weights: false,
        })
    }

    /// Like [`LabRequest::of`], but only for weighted A*, which is also run with each of `WEIGHTS`.
    pub fn sweep_of(session: &Session) -> Result<Self, &'static str> {
        let wanted = BTreeSet::from([Searcher::AStarWeighted]);
        Ok(Self { wanted, tries_weights: true, ..Self::of(session)? })
    }
}

impl Job for LabRequest {
    type Message = LabMessage;

    fn carry_out(self, report: &Reporter<LabMessage>) {
        // Without the tiles that are declared but not loaded: the overlay would wait for them, and find no routes near
        // the edge of the loaded part.
        let part = self.navmesh.as_deref().filter(|_| self.input.part.is_some()).map(without_world);
        let question = LevelQuestion {
            input: &self.input,
            navmesh: part.as_ref().or(self.navmesh.as_deref()),
            filter: &self.filter,
            map: self.map.as_deref().map(|map| &map.map),
            ends: self.ends,
            sides: self.settings.sides(),
            max_voxels: MAX_VOXELS,
        };
        let spaces = LevelSpaces::new(question, report);
        for medium in Medium::ALL {
            let wanted = self.wanted.iter().filter(|searcher| searcher.medium() == medium);
            for &searcher in wanted {
                match self.row(&spaces, searcher) {
                    _ if report.is_cancelled() => return,
                    Ok(row) => report.send(LabMessage::Row(Box::new(row))),
                    Err(why) => {
                        report.send(LabMessage::Refused(medium, why));
                        break;
                    }
                }
            }
        }
        if self.tries_weights {
            report.send(LabMessage::Sweep(self.sweep(&spaces)));
        }
    }

    fn can_be_sent(&self) -> bool {
        // A navmesh file does not store which part of the level is loaded.
        self.input.part.is_none()
    }
}

impl Task for LabRequest {
    const THREAD: &'static str = "lab";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Comparing")
    }

    fn apply(session: &mut Session, message: LabMessage) -> Option<FollowUp> {
        match message {
            LabMessage::Row(row) => session.lab.land(*row),
            LabMessage::Refused(medium, why) => {
                session.lab.refused.push((medium, why));
            }
            LabMessage::Sweep(sweep) => session.lab.sweep = sweep,
        }
        None
    }
}

impl LabRequest {
    fn row(&self, spaces: &LevelSpaces<'_>, searcher: Searcher) -> Result<LabRow, Phrase> {
        let algorithm = searcher.algorithm();
        let mut search = spaces.search(algorithm, searcher.options(self.settings.options()))?;
        let (answer, time) = search.run()?;
        let least = spaces.optimum(algorithm, &answer)?;
        Ok(LabRow {
            searcher,
            cost: answer.cost.zip(least),
            points: answer.points,
            length: answer.length,
            why: answer.why,
            effort: answer.effort,
            time,
            preprocessing_time: search.preprocessing_time,
            n_bytes: search.n_bytes,
            recording: Arc::new(search.record()?),
        })
    }

    /// Returns the results of A* with each of [`WEIGHTS`], up to the first weight with which it fails.
    fn sweep(&self, spaces: &LevelSpaces<'_>) -> Vec<SweepPoint> {
        let algorithm = Algorithm::Grid(GridAlgorithm::AStar);
        let with = |weight| -> Option<SweepPoint> {
            let options = Options::by(self.settings.estimate, weight);
            let (answer, _) = spaces.search(algorithm, options).ok()?.run().ok()?;
            let (cost, least) = (answer.cost?, spaces.optimum(algorithm, &answer).ok()??);
            let over = if least > 0.0 { cost / least - 1.0 } else { 0.0 };
            Some(SweepPoint { weight, n_expanded: answer.effort.n_expanded, over })
        };
        WEIGHTS.into_iter().map_while(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use walkable::voxel::{Fill, Volume};
    use walkable_workspace::searches::Map;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    /// Returns the messages of a comparison here and in a worker, without times.
    fn compared(request: impl Fn() -> LabRequest) -> [Vec<String>; 2] {
        let without_times = |message: LabMessage| match message {
            LabMessage::Row(row) => {
                let preprocessing_time = row.preprocessing_time.map(|_| Duration::ZERO);
                format!("{:?}", LabRow { time: Duration::ZERO, preprocessing_time, ..*row })
            }
            message => format!("{message:?}"),
        };
        here_and_in_worker(TaskId::Lab, request)
            .map(|messages| messages.into_iter().map(without_times).collect::<Vec<_>>())
    }

    #[test]
    fn a_worker_compares_the_same() {
        let session = baked();
        let input = session.bake.plan.as_ref().unwrap().input();
        let request = |map: Option<&Arc<OpenMap>>| LabRequest {
            navmesh: session.bake.navmesh.clone(),
            ends: [Vec3::new(3.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)],
            filter: Filter::default(),
            settings: LabSettings::default(),
            wanted: Searcher::ALL.iter().copied().collect(),
            input: input.clone(),
            map: map.cloned(),
            tries_weights: true,
        };
        let [here, there] = compared(|| request(None));
        assert!(here == there, "the same rows");
        assert!(here.len() >= Searcher::ALL.len() - 1, "{} messages", here.len());
        let mut volume = Volume::new([24, 4, 24]).unwrap();
        for z in 0..23 {
            volume.set(volume.voxel(12 + 24 * 4 * z), Fill::Blocked);
        }
        let map = Arc::new(OpenMap { map: Map::Volume(volume), queries: Vec::new() });
        let [on_map, there] = compared(|| request(Some(&map)));
        assert!(on_map == there, "the same rows on a map");
        assert!(on_map != here, "flyers search the map");
    }
}
