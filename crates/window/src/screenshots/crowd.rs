//! Pictures of the crowd tool and of the query tool's flow field.

use glam::Vec3;
use walkable_editor::{
    command::{Command, CrowdCommand, Pane, QueryCommand},
    session::{ClickTask, CrowdDrawing, QueryMode, SoakInput, SoakPlaces, ToolKind},
};

/// Returns the commands for pictures of agents, of a soak run with its findings and heat map, and of a flow field.
pub(super) fn crowd_shots() -> Vec<(&'static str, Vec<Command>)> {
    let (start, end) = (Vec3::new(5.5, 0.0, 18.5), Vec3::new(20.0, 3.0, 4.0));
    let off = CrowdDrawing::ALL.iter().filter(|drawing| !drawing.is_on_at_first());
    let drawn = off.filter(|drawing| !matches!(drawing, CrowdDrawing::All | CrowdDrawing::Search));
    let details: Vec<Command> = [
        CrowdCommand::Group(25),
        CrowdCommand::Add(start),
        CrowdCommand::ToPoint(ClickTask::GoTo, end),
        CrowdCommand::Choose(Some(4)),
        CrowdCommand::Show(75),
    ]
    .into_iter()
    .chain(drawn.map(|&drawing| CrowdCommand::Draw(drawing)))
    .map(Command::from)
    .collect();
    let tool = vec![Command::ChooseTool(ToolKind::Crowd), Command::ShowPanel(Pane::Crowd)];
    let soak = [
        CrowdCommand::Clear,
        CrowdCommand::SetSoak(SoakInput {
            n_agents: 100,
            minutes: 5.0,
            seed: 1,
            places: SoakPlaces::Random,
        }),
        CrowdCommand::Soak,
    ];
    vec![
        ("crowd", [tool, details].concat()),
        ("crowd-soak", soak.map(Command::from).to_vec()),
        ("crowd-finding", vec![CrowdCommand::ShowFinding(0).into()]),
        (
            "flow-field",
            vec![
                Command::from(QueryCommand::By(QueryMode::FlowField)),
                Command::from(QueryCommand::Start(end)),
            ],
        ),
    ]
}
