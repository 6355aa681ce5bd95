//! Commands for the project's agents.

use walkable::phrase;
use walkable_workspace::{document::Agents, lang::tr};

use super::{
    Command,
    describe::{Description, says},
};
use crate::{
    session::{Edit, Session},
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentCommand {
    Choose(usize),
    Next,
    Add,
    Remove(usize),
    ToggleOthers,
}

impl AgentCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Next, Self::Add, Self::ToggleOthers].map(Command::from).to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Choose(number) => says(
                format!("agent.choose.{number}"),
                tr!("Choose agent {}", number + 1),
                tr!("Shows this agent's navmesh"),
            ),
            Self::Next => says(
                "agent.next",
                tr!("Next agent"),
                tr!("Shows the navmesh of the project's next agent"),
            )
            .needs(
                |session| session.document().agents.list.len() > 1,
                tr!("Add a second agent first."),
            )
            .key(Shortcut::plain(Key::Char('N'))),
            Self::Add => {
                says("agent.add", tr!("Add agent"), tr!("Adds an agent with a navmesh of its own"))
                    .needs(
                        |session| session.document().agents.list.len() < Agents::MAX,
                        tr!("There are as many agents as a project may have."),
                    )
            }
            Self::Remove(number) => says(
                format!("agent.remove.{number}"),
                tr!("Remove agent {}", number + 1),
                tr!("Removes an agent from the project"),
            ),
            Self::ToggleOthers => says(
                "agent.toggle-others",
                tr!("Show other agents"),
                tr!("Outlines where the other agents fit, over the chosen one's navmesh"),
            )
            .key(Shortcut::plain(Key::Char('O'))),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) {
        let document = session.document();
        let Agents { list, chosen } = &document.agents;
        let name =
            |number: usize| list.get(number).map_or(String::new(), |agent| agent.name.clone());
        let (label, agents) = match self {
            Self::Choose(number) => {
                (phrase!("Choose {name}", name = name(number)), document.agents.choosing(number))
            }
            Self::Next if list.len() < 2 => return,
            Self::Next => {
                let next = (chosen + 1) % list.len();
                (phrase!("Choose {name}", name = name(next)), document.agents.choosing(next))
            }
            Self::Add if list.len() >= Agents::MAX => return,
            Self::Add => (phrase!("Add agent"), document.agents.with_one_more(document)),
            Self::Remove(number) => {
                (phrase!("Remove {name}", name = name(number)), document.agents.without(number))
            }
            Self::ToggleOthers => {
                session.other_agents.shown = !session.other_agents.shown;
                return;
            }
        };
        session.history.change(label, |document| Edit::Agents(agents).apply(document));
    }
}
