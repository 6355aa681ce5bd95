//! Commands for proposed links.

use std::collections::BTreeSet;

use walkable::phrase;
use walkable_workspace::{format::counted_value, lang::tr};

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::session::{Proposals, Session, ToolKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalCommand {
    Propose,
    /// Accepts the proposed link with this number, or all.
    Accept(Option<usize>),
    AcceptChosen,
    /// Removes the selected proposals, or all if none is selected.
    Dismiss,
    Choose(usize),
    Toggle(usize),
    /// Selects the proposals from the one that was clicked last to this one.
    ChooseUpTo(usize),
}

impl ProposalCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Propose, Self::Accept(None), Self::AcceptChosen, Self::Dismiss]
            .map(Command::from)
            .to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Propose => says(
                "proposal.propose",
                tr!("Propose off-mesh links"),
                tr!("Searches for jumps and drops over edges that save a long walk"),
            ),
            Self::Accept(None) => says(
                "proposal.accept-all",
                tr!("Accept all proposals"),
                tr!("Adds all proposed off-mesh links"),
            )
            .needs(
                |session| !session.proposals.list.is_empty(),
                tr!("Propose off-mesh links first."),
            ),
            Self::Accept(Some(number)) => says(
                format!("proposal.accept.{number}"),
                tr!("Accept this proposal"),
                tr!("Adds this off-mesh link"),
            ),
            Self::AcceptChosen => says(
                "proposal.accept-chosen",
                tr!("Accept selected proposals"),
                tr!("Adds the selected off-mesh links"),
            )
            .needs(|session| !session.proposals.chosen.is_empty(), tr!("Select a proposal first.")),
            Self::Choose(number) | Self::Toggle(number) | Self::ChooseUpTo(number) => says(
                format!("proposal.choose.{number}"),
                tr!("Select proposal {}", number + 1),
                tr!("Selects this proposal; with Ctrl in addition to others, with Shift up to it"),
            ),
            Self::Dismiss => says(
                "proposal.dismiss",
                tr!("Dismiss proposals"),
                tr!("Removes the selected proposals, or all if none is selected"),
            )
            .needs(
                |session| !session.proposals.list.is_empty() || session.proposals.note.is_some(),
                tr!("Propose off-mesh links first."),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::Propose => {
                session.tools.tool = ToolKind::Link;
                return requests::propose(session).map(Effect::Work);
            }
            Self::Accept(number) => {
                let all = 0..session.proposals.list.len();
                accept(session, &number.map_or_else(|| all.collect(), |number| [number].into()));
            }
            Self::AcceptChosen => accept(session, &session.proposals.chosen.clone()),
            Self::Dismiss if session.proposals.chosen.is_empty() => {
                session.proposals = Proposals::default();
            }
            Self::Dismiss => {
                let chosen = session.proposals.chosen.clone();
                session.proposals.take(&chosen);
            }
            Self::Choose(number) => session.proposals.choose(number),
            Self::Toggle(number) => session.proposals.toggle(number),
            Self::ChooseUpTo(number) => session.proposals.choose_to(number),
        }
        None
    }
}

fn accept(session: &mut Session, numbers: &BTreeSet<usize>) {
    let accepted = session.proposals.take(numbers);
    if accepted.is_empty() {
        return;
    }
    let edit = session.with_proposals(&accepted);
    let links = counted_value(accepted.len(), "off-mesh link", "off-mesh links");
    let label = phrase!("Accept {links}", links);
    session.history.change(label, |document| edit.apply(document));
}
