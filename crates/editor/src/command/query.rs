//! Commands of the query tool.

use glam::Vec3;
use walkable_workspace::lang::tr;

use super::{
    Command,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::{
    session::{QueryMode, QueryOptions, Replay, Session, ToolKind},
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueryCommand {
    Start(Vec3),
    End(Vec3),
    By(QueryMode),
    With(QueryOptions),
    ShowSteps(Replay),
    Play,
    StepOn,
    StepBack,
    Clear,
}

impl QueryCommand {
    pub(super) fn listed() -> Vec<Command> {
        let by = QueryMode::ALL.iter().copied().map(Self::By);
        by.chain([Self::Play, Self::StepOn, Self::StepBack]).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Start(_) => {
                says("query.start", tr!("Set query start"), tr!("Moves the query's start here"))
            }
            Self::End(_) => {
                says("query.end", tr!("Set query end"), tr!("Moves the query's end here"))
            }
            Self::By(mode) => says(
                format!("query.by.{}", variant_id(mode)),
                tr!("Query: {}", lower_first(mode.name())),
                mode.what(),
            ),
            Self::With(_) => {
                says("query.with", tr!("Set query options"), tr!("Sets the options of the query"))
            }
            Self::ShowSteps(_) => says(
                "query.show-steps",
                tr!("Show the query's steps"),
                tr!("Shows its result up to this step"),
            ),
            Self::Play => says(
                "query.play",
                tr!("Play the query"),
                tr!("Plays its result step by step, or pauses"),
            )
            .needs(|session| session.tools.query_tool.n_steps() > 0, tr!("Run a query first.")),
            Self::StepOn => says(
                "query.step-on",
                tr!("One step of the query"),
                tr!("Shows one more stride, node or slice of its result"),
            )
            .needs(|session| session.tools.query_tool.n_steps() > 0, tr!("Run a query first."))
            .key(Shortcut::plain(Key::Char('.'))),
            Self::StepBack => says(
                "query.step-back",
                tr!("One step of the query back"),
                tr!("Shows one stride, node or slice less of its result"),
            )
            .needs(|session| session.tools.query_tool.n_steps() > 0, tr!("Run a query first."))
            .key(Shortcut::plain(Key::Char(','))),
            Self::Clear => says(
                "query.clear",
                tr!("Clear query"),
                tr!("Removes the start and the end of the query"),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) {
        let query_tool = &mut session.tools.query_tool;
        match self {
            Self::Start(point) => query_tool.start = Some(point),
            Self::End(point) => query_tool.end = Some(point),
            Self::By(mode) => (query_tool.mode, session.tools.tool) = (mode, ToolKind::Query),
            Self::With(options) => query_tool.options = options,
            Self::ShowSteps(replay) => return session.show_query(replay),
            Self::Play => {
                let replay = query_tool.replay.toggled(query_tool.n_steps());
                return session.show_query(replay);
            }
            Self::StepOn => {
                let replay = query_tool.replay.stepped_on(query_tool.n_steps());
                return session.show_query(replay);
            }
            Self::StepBack => {
                let replay = query_tool.replay.stepped_back(query_tool.n_steps());
                return session.show_query(replay);
            }
            Self::Clear => query_tool.forget(),
        }
        session.update_path();
    }
}
