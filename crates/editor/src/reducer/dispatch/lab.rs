//! Commands of the lab.

use super::{Effect, requests};
use crate::{
    command::{LabCommand, Pane},
    jobs::work::Work,
    session::{LabTab, OpenMap, Session},
};

/// Places the path's ends where those of a query of the open map are.
fn place(session: &mut Session, query: usize) {
    let map = session.level.as_ref().and_then(|level| level.map.clone());
    let Some(map) = map else { return };
    let Some(query) = map.queries.get(query) else { return };
    session.path.start = Some(OpenMap::middle(&query.start));
    session.path.end = Some(OpenMap::middle(&query.goal));
    session.update_path();
}

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: LabCommand) -> Vec<Effect> {
    let lab = &mut session.lab;
    match command {
        LabCommand::Run => {
            if lab.tab == LabTab::Weights {
                lab.tab = LabTab::Compare;
            }
            // Show the result that was requested.
            let work = requests::compare(session).map(Effect::Work);
            return work.into_iter().chain([Effect::BringToFront(Pane::Lab)]).collect();
        }
        LabCommand::Cancel => return vec![Work::CancelLab.into()],
        LabCommand::Live(live) => lab.is_live = live,
        LabCommand::Set(settings) => lab.settings = settings,
        LabCommand::Want(searcher, true) => drop(lab.wanted.insert(searcher)),
        LabCommand::Want(searcher, false) => drop(lab.wanted.remove(&searcher)),
        LabCommand::Choose(chosen, other) => lab.choose(chosen, other),
        LabCommand::ToggleOverlaid => lab.toggle_overlaid(),
        LabCommand::Tab(tab) => lab.tab = tab,
        LabCommand::Plot(measure) => lab.measure = measure,
        LabCommand::Show(replay) => lab.replay = replay,
        LabCommand::Play => lab.replay = lab.replay.toggled(lab.n_steps()),
        LabCommand::Speed(speed) => lab.speed = speed,
        LabCommand::Weigh(weight, estimate) => {
            (lab.settings.weight, lab.settings.estimate) = (weight, estimate);
        }
        LabCommand::RunScenario => {
            return requests::scenario(session).map(Effect::Work).into_iter().collect();
        }
        LabCommand::Every(every) => lab.batch.every = every.max(1),
        LabCommand::Query(query) => place(session, query),
    }
    Vec::new()
}
