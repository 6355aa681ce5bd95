//! Commands of the lab.

use super::{
    Command, Effect, Pane,
    describe::{Description, says, variant_id},
    requests,
};
use crate::{
    jobs::work::Work,
    searches::EstimateArg,
    session::{LabSettings, LabTab, Measure, OpenMap, Replay, Searcher, Session, Speed},
};

/// A command for the lab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabCommand {
    /// Compares searches between the path's two ends.
    Run,
    /// Stops comparing.
    Cancel,
    /// Compares again by itself when an end moves, or not.
    Live(bool),
    /// Sets how the lab divides the level.
    Set(LabSettings),
    /// Runs this search from now on, or leaves it out.
    Want(Searcher, bool),
    /// Draws what one search did, and what another did beside it.
    Choose(Option<Searcher>, Option<Searcher>),
    /// Puts two searches side by side, or one over the other.
    ToggleOverlaid,
    /// Shows the table, or searches step by step.
    Tab(LabTab),
    /// Sets what is plotted.
    Plot(Measure),
    /// Sets how much of the searches is drawn.
    Show(Replay),
    /// Plays the searches node by node, or pauses.
    Play,
    /// Sets how fast they are played.
    Speed(Speed),
    /// Sets how often the estimate counts in the weighted A*, and what it is.
    Weigh(f32, EstimateArg),
    /// Answers the scenario of the open map by all chosen searches.
    RunScenario,
    /// Sets that only every n-th of its queries is run.
    Every(u32),
    /// Places the path's ends where those of a query are.
    Query(usize),
}

impl LabCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        [Self::Run, Self::Play, Self::Cancel, Self::RunScenario, Self::ToggleOverlaid]
            .map(Command::from)
            .to_vec()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Run => says(
                "lab.run",
                "Compare searches",
                "Searches between the path's two ends in every way",
            ),
            Self::Cancel => {
                says("lab.cancel", "Stop comparing", "Keeps the answers that are there")
            }
            Self::Live(_) => {
                says("lab.live", "Compare live", "Compares again when an end of the path moves")
            }
            Self::Set(_) => {
                says("lab.set", "Divide the level", "Sets cells, voxels and radius of flyers")
            }
            Self::Want(searcher, _) => {
                says(format!("lab.want.{}", variant_id(searcher)), searcher.name(), searcher.what())
            }
            Self::Choose(..) => {
                says("lab.choose", "Show this search", "Draws what it found and looked at")
            }
            Self::ToggleOverlaid => says(
                "lab.toggle-overlaid",
                "Two searches side by side",
                "Divides the view for two searches, or draws one over the other",
            ),
            Self::Tab(tab) => says(format!("lab.tab.{}", variant_id(tab)), tab.name(), tab.what()),
            Self::Plot(measure) => says(
                format!("lab.plot.{}", variant_id(measure)),
                measure.name(),
                "Sets what is plotted",
            ),
            Self::Show(_) => {
                says("lab.show", "Show searches", "Shows the chosen searches up to a node")
            }
            Self::Play => {
                says("lab.play", "Play the lab's searches", "Shows them node by node, or pauses")
                    .needs(|session| session.lab.n_steps() > 0)
            }
            Self::Weigh(..) => {
                says("lab.weigh", "Set the weight", "Sets the factor of the heuristic")
            }
            Self::RunScenario => says(
                "lab.run-scenario",
                "Run the scenario",
                "Answers its queries by each of the chosen searches",
            ),
            Self::Every(_) => {
                says("lab.every", "Ask fewer queries", "Asks only every so many queries")
            }
            Self::Query(n) => says(
                format!("lab.query.{n}"),
                format!("Place query {}", n + 1),
                "Places the path's ends where it has them",
            ),
            Self::Speed(speed) => says(
                format!("lab.speed.{}", variant_id(speed)),
                speed.name(),
                "Sets how fast searches are played back",
            ),
        }
    }
}

impl From<LabCommand> for Command {
    fn from(command: LabCommand) -> Self {
        Self::Lab(command)
    }
}

/// Places the path's ends where those of a query of the open map are.
fn place(session: &mut Session, query: usize) {
    let map = session.level.as_ref().and_then(|level| level.map.clone());
    let Some(map) = map else { return };
    let Some(query) = map.queries.get(query) else { return };
    session.path.start = Some(OpenMap::middle(&query.start));
    session.path.end = Some(OpenMap::middle(&query.goal));
    session.update_path();
}

impl LabCommand {
    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        let lab = &mut session.lab;
        match self {
            Self::Run => {
                if lab.tab == LabTab::Weights {
                    lab.tab = LabTab::Compare;
                }
                // What is asked for is looked at.
                let work = requests::compare(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Lab)]).collect();
            }
            Self::Cancel => return vec![Work::CancelLab.into()],
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
