//! Commands for proposed links.

use super::{Effect, requests};
use crate::{
    command::ProposalCommand,
    session::{Proposals, Session, ToolKind},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: ProposalCommand) -> Option<Effect> {
    match command {
        ProposalCommand::Propose => {
            session.tool = ToolKind::Link;
            return requests::propose(session).map(Effect::Work);
        }
        ProposalCommand::Accept(number) => accept(session, number),
        ProposalCommand::Dismiss => session.proposals = Proposals::default(),
    }
    None
}

/// Places one proposed link, or all.
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
    let links = if accepted.len() == 1 { "link" } else { "links" };
    let label = format!("Accept {} {links}", accepted.len());
    session.history.change(label, |document| edit.apply(document));
}
