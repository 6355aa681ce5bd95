//! Commands of the sweep over settings.

use walkable::{diagnostic::Phrase, phrase};
use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says},
};
use crate::{
    jobs::{sweep::SweepRequest, work::Work},
    session::{Edit, Session, SweepPlan, SweepShow},
    task::TaskId,
};

#[derive(Clone, Debug, PartialEq)]
pub enum SweepCommand {
    Plan(Box<SweepPlan>),
    Show(SweepShow),
    /// Bakes the combinations whose results are not known.
    Run,
    Cancel,
    Choose(Option<usize>),
    /// Uses the settings of the selected row.
    Apply,
}

impl SweepCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Run, Self::Cancel, Self::Apply].map(Command::from).to_vec()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Plan(_) => says("sweep.plan", tr!("Change sweep"), tr!("Changes what the sweep varies")),
            Self::Show(_) => says("sweep.show", tr!("Show sweep"), tr!("Changes how the sweep is shown")),
            Self::Run => says(
                "sweep.run",
                tr!("Run sweep"),
                tr!("Bakes all combinations of the chosen settings and measures each bake; known results are kept"),
            )
            .needs(|session| {
                session.opened.level.is_some()
                    && !session.sweep.plan.settings.is_empty()
                    && !session.runs(TaskId::Sweep)
            }, tr!("Open a level and choose a setting of the sweep first.")),
            Self::Cancel => says(
                "sweep.cancel",
                tr!("Stop sweep"),
                tr!("Stops the sweep and keeps the results so far; running it again continues it"),
            )
            .needs(|session| session.runs(TaskId::Sweep), tr!("No sweep is running.")),
            Self::Choose(_) => says("sweep.choose", tr!("Select row"), tr!("Selects this row of the sweep")),
            Self::Apply => says(
                "sweep.apply",
                tr!("Apply row"),
                tr!("Changes the settings to those of the selected row, and bakes"),
            )
            .needs(|session| {
                let settings = session.sweep.chosen.and_then(|row| session.sweep_settings(row));
                settings.is_some_and(|settings| settings != session.document().settings)
            }, tr!("Run a sweep and select a row with other settings first.")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        let sweep = &mut session.sweep;
        match self {
            Self::Plan(plan) => (sweep.plan, sweep.error) = (*plan, None),
            Self::Show(show) => sweep.show = show,
            Self::Run => return run(session),
            Self::Cancel => {
                let tasks = Work::Cancel(TaskId::Sweep.into());
                return session.runs(TaskId::Sweep).then_some(tasks.into());
            }
            Self::Choose(row) => sweep.chosen = row.filter(|row| *row < sweep.entries.len()),
            Self::Apply => apply(session),
        }
        None
    }
}

fn run(session: &mut Session) -> Option<Effect> {
    let combinations = session.sweep.plan.combinations();
    let combinations = combinations.map_err(|error| Phrase::from(error.to_string()));
    let request = combinations.and_then(|combinations| {
        let (input, n_other_cases) = SweepRequest::input_of(session)?;
        let sweep = &mut session.sweep;
        (sweep.n_other_cases, sweep.n_cases) = (n_other_cases, input.cases.len());
        let (serial, known) = sweep.begin(combinations.clone());
        Ok(SweepRequest { serial, input, combinations, known })
    });
    match request {
        Ok(request) => {
            session.keep_sweep_base();
            Some(Work::run(request).into())
        }
        Err(why) => {
            session.sweep.error = Some(why);
            None
        }
    }
}

fn apply(session: &mut Session) {
    let Some(row) = session.sweep.chosen else { return };
    let Some(settings) = session.sweep_settings(row) else { return };
    let label = phrase!("Apply row {number} of the sweep", number = row + 1);
    session.history.change(label, |document| Edit::Settings(Box::new(settings)).apply(document));
}
