//! Commands of the lab.

use walkable_workspace::{lang::tr, searches::EstimateArg};

use super::{
    Command, Effect, Pane,
    describe::{Description, says, variant_id},
    requests,
};
use crate::{
    jobs::work::Work,
    session::{LabSettings, LabTab, Measure, OpenMap, Replay, Searcher, Session, Speed},
    task::TaskId,
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabCommand {
    Run,
    Cancel,
    /// Sets whether the comparison runs again when an end moves.
    Live(bool),
    Set(LabSettings),
    Want(Searcher, bool),
    /// Draws one search, and optionally a second one for comparison.
    Choose(Option<Searcher>, Option<Searcher>),
    /// Draws two searches side by side, or overlaid.
    ToggleOverlaid,
    Tab(LabTab),
    Plot(Measure),
    Show(Replay),
    Play,
    Speed(Speed),
    Weigh(f32, EstimateArg),
    /// Runs all chosen searches on the scenario of the open map.
    RunScenario,
    /// Sets that only every n-th query of the scenario is run.
    Every(u32),
    /// Moves the path's ends to those of a query.
    Query(usize),
}

impl LabCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Run, Self::Play, Self::Cancel, Self::RunScenario, Self::ToggleOverlaid]
            .map(Command::from)
            .to_vec()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(&self) -> Description {
        match self {
            Self::Run => says(
                "lab.run",
                tr!("Compare searches"),
                tr!("Searches between the path's two ends with every chosen search"),
            ),
            Self::Cancel => says(
                "lab.cancel",
                tr!("Stop comparing"),
                tr!("Stops and keeps the results found so far"),
            )
            .needs(
                |session| session.runs(TaskId::Lab) || session.runs(TaskId::Scenario),
                tr!("No searches are being compared."),
            ),
            Self::Live(_) => says(
                "lab.live",
                tr!("Compare live"),
                tr!("Compares again when an end of the path or the navmesh changes"),
            ),
            Self::Set(_) => says(
                "lab.set",
                tr!("Set lab cell sizes"),
                tr!("Sets the sizes of cells and voxels, and the radius of flyers"),
            ),
            Self::Want(searcher, _) => {
                says(format!("lab.want.{}", variant_id(searcher)), searcher.name(), searcher.what())
            }
            Self::Choose(..) => says(
                "lab.choose",
                tr!("Show this search"),
                tr!("Draws its path and the nodes it expanded"),
            ),
            Self::ToggleOverlaid => says(
                "lab.toggle-overlaid",
                tr!("Two searches side by side"),
                tr!("Splits the view between two searches, or overlays them"),
            ),
            Self::Tab(tab) => says(format!("lab.tab.{}", variant_id(tab)), tab.name(), tab.what()),
            Self::Plot(measure) => says(
                format!("lab.plot.{}", variant_id(measure)),
                measure.name(),
                tr!("Chooses what the bars show"),
            ),
            Self::Show(_) => says(
                "lab.show",
                tr!("Show searches"),
                tr!("Shows the chosen searches up to a node"),
            ),
            Self::Play => says(
                "lab.play",
                tr!("Play the lab's searches"),
                tr!("Plays them node by node, or pauses"),
            )
            .needs(|session| session.lab.n_steps() > 0, tr!("Compare searches first.")),
            Self::Weigh(..) => {
                says("lab.weigh", tr!("Set the weight"), tr!("Sets the factor of the heuristic"))
            }
            Self::RunScenario => says(
                "lab.run-scenario",
                tr!("Run the scenario"),
                tr!("Runs its queries with each chosen search"),
            ),
            Self::Every(_) => says(
                "lab.every",
                tr!("Run fewer queries"),
                tr!("Runs only every nth query of the scenario"),
            ),
            Self::Query(n) => says(
                format!("lab.query.{n}"),
                tr!("Place query {}", n + 1),
                tr!("Moves the path's ends to those of this query"),
            ),
            Self::Speed(speed) => says(
                format!("lab.speed.{}", variant_id(speed)),
                speed.name(),
                tr!("Sets the playback speed of searches"),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        let lab = &mut session.lab;
        match self {
            Self::Run => {
                if lab.tab == LabTab::Weights {
                    lab.tab = LabTab::Compare;
                }
                // Show the result that was requested.
                let work = requests::compare(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Lab)]).collect();
            }
            Self::Cancel => {
                let tasks = [TaskId::Lab, TaskId::Scenario].into_iter().collect();
                return vec![Work::Cancel(tasks).into()];
            }
            Self::Live(live) => lab.is_live = live,
            Self::Set(settings) => lab.settings = settings,
            Self::Want(searcher, true) => drop(lab.wanted.insert(searcher)),
            Self::Want(searcher, false) => drop(lab.wanted.remove(&searcher)),
            Self::Choose(chosen, other) => lab.choose(chosen, other),
            Self::ToggleOverlaid => lab.toggle_overlaid(),
            Self::Tab(tab) => lab.tab = tab,
            Self::Plot(measure) => lab.measure = measure,
            Self::Show(replay) => lab.replay = replay,
            Self::Play => lab.replay = lab.replay.toggled(lab.n_steps()),
            Self::Speed(speed) => lab.speed = speed,
            Self::Weigh(weight, estimate) => {
                (lab.settings.weight, lab.settings.estimate) = (weight, estimate);
            }
            Self::RunScenario => {
                return requests::scenario(session).map(Effect::Work).into_iter().collect();
            }
            Self::Every(every) => lab.batch.every = every.max(1),
            Self::Query(query) => place(session, query),
        }
        Vec::new()
    }
}

fn place(session: &mut Session, query: usize) {
    let map = session.opened.level.as_ref().and_then(|level| level.map.clone());
    let Some(map) = map else { return };
    let Some(query) = map.queries.get(query) else { return };
    session.path.start = Some(OpenMap::middle(&query.start));
    session.path.end = Some(OpenMap::middle(&query.goal));
    session.update_path();
}
