//! Commands for those who walk the level.

use crate::{
    command::AgentCommand,
    document::Agents,
    session::{Edit, Session},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: AgentCommand) {
    let document = session.document();
    let Agents { list, chosen } = &document.agents;
    let name = |number: usize| list.get(number).map_or(String::new(), |agent| agent.name.clone());
    let (label, agents) = match command {
        AgentCommand::Choose(number) => {
            (format!("Choose {}", name(number)), document.agents.choosing(number))
        }
        AgentCommand::Next if list.len() < 2 => return,
        AgentCommand::Next => {
            let next = (chosen + 1) % list.len();
            (format!("Choose {}", name(next)), document.agents.choosing(next))
        }
        AgentCommand::Add if list.len() >= Agents::MAX => return,
        AgentCommand::Add => {
            ("Add agent".to_owned(), document.agents.with_one_more(&document.settings))
        }
        AgentCommand::Remove(number) => {
            (format!("Remove {}", name(number)), document.agents.without(number))
        }
        AgentCommand::ToggleOthers => {
            session.others.shown = !session.others.shown;
            return;
        }
    };
    session.history.change(label, |document| Edit::Agents(agents).apply(document));
}
