//! Commands of the query tool.

use glam::Vec3;

use super::{
    Command, Key, Shortcut,
    describe::{Description, says},
    lower_first,
};
use crate::session::{QueryMode, QueryOptions, Replay};

/// A command for the query tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueryCommand {
    /// Puts the start of the query here.
    Start(Vec3),
    /// Puts the end of the query here.
    End(Vec3),
    /// Sets what is asked.
    By(QueryMode),
    /// Sets how it is asked.
    With(QueryOptions),
    /// Sets how much of its answer is drawn.
    ShowSteps(Replay),
    /// Plays its answer step by step, or pauses.
    Play,
    /// Shows its answer one step further.
    StepOn,
    /// Shows its answer one step less far.
    StepBack,
    /// Forgets the query.
    Clear,
}

impl QueryCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let by = QueryMode::ALL.map(Self::By);
        by.into_iter()
            .chain([Self::Play, Self::StepOn, Self::StepBack])
            .map(Command::from)
            .collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Start(_) => says("Ask from here", "Puts the start of the query here"),
            Self::End(_) => says("Ask to here", "Puts the end of the query here"),
            Self::By(mode) => says(format!("Ask: {}", lower_first(mode.name())), mode.what()),
            Self::With(_) => says("Set query options", "Sets how the query is asked"),
            Self::ShowSteps(_) => says("Show the query's steps", "Shows its answer up to a step"),
            Self::Play => says("Play the query", "Shows its answer step by step, or pauses"),
            Self::StepOn => says(
                "One step of the query",
                "Shows a stride, a node or a slice more of its answer",
            )
            .key(Shortcut::plain(Key::Char('.'))),
            Self::StepBack => {
                says("One step of the query back", "Shows a stride, a node or a slice less")
                    .key(Shortcut::plain(Key::Char(',')))
            }
            Self::Clear => says("Clear query", "Removes the places of the query"),
        }
    }
}

impl From<QueryCommand> for Command {
    fn from(command: QueryCommand) -> Self {
        Self::Query(command)
    }
}
