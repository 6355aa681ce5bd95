//! Commands for proposed links.

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    format::counted,
    lang::tr,
    session::{Proposals, Session, ToolKind},
};

/// A command for proposed off-mesh links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalCommand {
    /// Searches for jumps and drops to propose.
    Propose,
    /// Accepts the proposed link with this number, or all.
    Accept(Option<usize>),
    /// Removes the proposed links.
    Dismiss,
}

impl ProposalCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        [Self::Propose, Self::Accept(None), Self::Dismiss].map(Command::from).to_vec()
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
            .needs(|session| !session.proposals.list.is_empty()),
            Self::Accept(Some(number)) => says(
                format!("proposal.accept.{number}"),
                tr!("Accept this proposal"),
                tr!("Adds this off-mesh link"),
            ),
            Self::Dismiss => says(
                "proposal.dismiss",
                tr!("Dismiss proposals"),
                tr!("Removes the proposed off-mesh links"),
            )
            .needs(|session| {
                !session.proposals.list.is_empty() || session.proposals.note.is_some()
            }),
        }
    }
}

impl From<ProposalCommand> for Command {
    fn from(command: ProposalCommand) -> Self {
        Self::Proposal(command)
    }
}

impl ProposalCommand {
    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::Propose => {
                session.tool = ToolKind::Link;
                return requests::propose(session).map(Effect::Work);
            }
            Self::Accept(number) => accept(session, number),
            Self::Dismiss => session.proposals = Proposals::default(),
        }
        None
    }
}

/// Accepts one proposed link, or all.
fn accept(session: &mut Session, number: Option<usize>) {
    let list = &mut session.proposals.list;
    let accepted: Vec<_> = match number {
        None => std::mem::take(list),
        Some(number) if number < list.len() => vec![list.remove(number)],
        Some(_) => return,
    };
    if accepted.is_empty() {
        return;
    }
    let edit = session.with_proposals(&accepted);
    let links = counted(accepted.len(), "off-mesh link", "off-mesh links");
    let label = tr!("Accept {links}");
    session.history.change(label, |document| edit.apply(document));
}
