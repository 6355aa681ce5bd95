//! Commands of the query tool.

use crate::{
    command::QueryCommand,
    session::{Session, ToolKind},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: QueryCommand) {
    let query_tool = &mut session.query_tool;
    match command {
        QueryCommand::Start(point) => query_tool.start = Some(point),
        QueryCommand::End(point) => query_tool.end = Some(point),
        QueryCommand::By(mode) => (query_tool.mode, session.tool) = (mode, ToolKind::Query),
        QueryCommand::With(options) => query_tool.options = options,
        QueryCommand::ShowSteps(replay) => return session.show_query(replay),
        QueryCommand::Play => {
            let replay = query_tool.replay.toggled(query_tool.n_steps());
            return session.show_query(replay);
        }
        QueryCommand::StepOn => {
            let replay = query_tool.replay.stepped_on(query_tool.n_steps());
            return session.show_query(replay);
        }
        QueryCommand::StepBack => {
            let replay = query_tool.replay.stepped_back(query_tool.n_steps());
            return session.show_query(replay);
        }
        QueryCommand::Clear => query_tool.forget(),
    }
    session.update_path();
}
