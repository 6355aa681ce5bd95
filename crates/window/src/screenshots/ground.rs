//! Pictures of changes to a baked navmesh: areas, islands, tiles, paint, obstacles, agents.

use glam::Vec3;
use walkable::{
    bake::{BakeSettings, JumpLimits, VolumeShape},
    diagnostic::Phrase,
    ids::TileCoord,
};
use walkable_editor::{
    command::{
        AgentCommand, Command, DisplayCommand, GroundCommand, Pane, SceneItemCommand, ViewCommand,
    },
    session::{Edit, LayerDisplay, LayerShow, SceneItem, ToolKind},
};
use walkable_workspace::{
    document::{Agent, Agents, Area, AreaTable, Brush, Obstacle, Obstacles, Pace, Rgb, Stroke},
    stage_view::StageView,
};

/// Returns the commands that undo everything done for these pictures.
pub(super) fn afresh() -> Vec<Command> {
    let edits = [
        Edit::Bounds(Vec::new()),
        Edit::Agents(Agents::default()),
        Edit::Settings(Box::default()),
        Edit::Strokes(Vec::new()),
    ];
    edits.map(|edit| Command::Change(Phrase::verbatim("Change"), edit)).to_vec()
}

pub(super) fn ground_shots() -> Vec<(&'static str, Vec<Command>)> {
    surface_shots().into_iter().chain(walker_shots()).collect()
}

/// Returns the pictures of areas, islands, tiles and paint. The commands of each start at the previous picture.
fn surface_shots() -> Vec<(&'static str, Vec<Command>)> {
    let change = |edit| Command::Change(Phrase::verbatim("Change"), edit);
    let show = |pane| Command::ShowPanel(pane);
    let table = AreaTable::default();
    let mud = Area {
        name: "Mud".to_owned(),
        color: Some(Rgb([0xa6, 0x76, 0x3a])),
        cost: 4.0,
        entering_cost: 2.0,
        flags: 1,
    };
    let places = vec![Vec3::new(16.0, 0.0, 9.0), Vec3::new(22.0, 0.0, 13.0)];
    let stroke = Stroke { brush: Brush::Area(6), radius: 2.0, places };
    vec![
        (
            "areas",
            vec![
                change(Edit::Areas(table.with(6, mud).with_flag(5, "Wade"))),
                Command::from(SceneItemCommand::Select(None)),
                Command::ChooseTool(ToolKind::Select),
                show(Pane::Areas),
            ],
        ),
        ("islands", vec![show(Pane::Islands)]),
        (
            "tool-tile",
            vec![
                change(Edit::Settings(Box::new(tiles()))),
                change(Edit::RemovedTiles([TileCoord::new(1, 1)].into())),
                Command::ChooseTool(ToolKind::Tile),
            ],
        ),
        (
            "tool-paint",
            vec![
                Command::from(GroundCommand::PutAllTilesBack),
                change(Edit::Strokes(vec![stroke])),
                Command::ChooseTool(ToolKind::Paint),
            ],
        ),
    ]
}

/// Returns the commands for pictures of obstacles and agents. They start at the last picture of [`surface_shots`].
fn walker_shots() -> Vec<(&'static str, Vec<Command>)> {
    let change = |edit| Command::Change(Phrase::verbatim("Change"), edit);
    let show = |pane| Command::ShowPanel(pane);
    let base = Vec3::new(20.0, -0.5, 10.0);
    let shape = VolumeShape::Cylinder { base, radius: 1.5, height: 3.0 };
    let obstacles = Obstacles { prepared: true, list: vec![Obstacle { shape }.into()] };
    let agent = |name: &str, agent_radius| Agent {
        name: name.to_owned(),
        color: None,
        settings: BakeSettings { agent_radius, ..tiles() },
        pace: Pace::default(),
        jumps: JumpLimits::default(),
    };
    let agents = vec![agent("Knight", 0.6), agent("Troll", 1.4)];
    let layers = LayerDisplay { show: LayerShow::Regions, number: None };
    vec![
        (
            "tool-obstacle",
            vec![
                change(Edit::Obstacles(obstacles)),
                Command::ChooseTool(ToolKind::Obstacle),
                Command::from(SceneItemCommand::Select(Some(SceneItem::Obstacle(0)))),
            ],
        ),
        (
            "layers",
            vec![
                Command::from(ViewCommand::Stage(StageView::Layers)),
                Command::from(DisplayCommand::Layers(layers)),
                show(Pane::Display),
            ],
        ),
        (
            "agents",
            vec![
                Command::from(ViewCommand::Stage(StageView::Navmesh)),
                change(Edit::Obstacles(Obstacles::default())),
                change(Edit::Agents(Agents { list: agents, chosen: 0 })),
                Command::from(AgentCommand::ToggleOthers),
                Command::ChooseTool(ToolKind::Select),
                show(Pane::Agents),
            ],
        ),
    ]
}

fn tiles() -> BakeSettings {
    BakeSettings { tile_size: 32, ..BakeSettings::default() }
}
