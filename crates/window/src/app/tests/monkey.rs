//! Thousands of seeded random commands, clicks and drags: nothing panics, and the state stays consistent.

use eframe::egui::{self, Modifiers, vec2};
use egui_kittest::Harness;
use glam::Vec3;
use walkable::{bake::BakeSettings, diagnostic::Phrase, geom::Aabb, ids::TileCoord, query::Seeded};
use walkable_editor::{
    command::{
        AgentCommand, Command, CrowdCommand, FixCommand, GroundCommand, Group, LabCommand,
        PathCommand, QueryCommand, SceneItemCommand, ViewCommand, listed,
    },
    session::{
        Edit, LevelSource, NewStroke, QueryMode, SceneItem, ShapeKind, SoakInput, SoakPlaces,
        ToolKind,
    },
};
use walkable_workspace::{
    document::{Area, Brush, Islands},
    project::Project,
};

use super::{App, baked, settle};
use crate::testing::Find as _;

const N_ACTIONS: usize = 10_000;
/// After this many actions, waits for all work, and writes and reads the project.
const PERIOD: usize = 500;

/// A random source with a seed.
struct Monkey(Seeded);

impl Monkey {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a small number"
    )]
    fn below(&mut self, n: usize) -> usize {
        ((self.0.share() * n as f32) as usize).min(n - 1)
    }

    fn place(&mut self) -> Vec3 {
        Vec3::new(self.0.share() * 34.0 - 2.0, self.0.share() * 4.0, self.0.share() * 28.0 - 2.0)
    }

    fn item(&mut self) -> SceneItem {
        let number = self.below(4);
        match self.below(7) {
            5 => SceneItem::Obstacle(number),
            0 => SceneItem::Volume(number),
            1 => SceneItem::Link(number),
            2 => SceneItem::Bound(number),
            3 => SceneItem::Path(number),
            4 => SceneItem::Place(number),
            _ => SceneItem::View(number),
        }
    }

    fn ground(&mut self) -> GroundCommand {
        let [x, z] = [self.below(4), self.below(4)].map(|at| u32::try_from(at).unwrap_or(0));
        let tile = TileCoord::new(x, z);
        match self.below(7) {
            6 => GroundCommand::NextObstacle(ShapeKind::OBSTACLES[self.below(4)]),
            0 => GroundCommand::RemoveTile(tile),
            1 => GroundCommand::PutTileBack(tile),
            2 => {
                GroundCommand::ChooseIsland(Some((self.place(), Aabb::new(Vec3::ZERO, Vec3::ONE))))
            }
            3 => GroundCommand::BakeTile(tile),
            _ => {
                let brush = if self.below(2) == 0 { Brush::Area(2) } else { Brush::Flags(0x10) };
                let (radius, erases) = (self.0.share() * 4.0, self.below(3) == 0);
                GroundCommand::NextStroke(NewStroke { brush, radius, erases })
            }
        }
    }

    /// Returns a command, unless it would end the program, open a desktop dialog or load another level.
    fn command(&mut self, app: &App) -> Option<Command> {
        let document = app.editor.session().document();
        Some(match self.below(15) {
            0 => Command::from(SceneItemCommand::Select(Some(self.item()))),
            1 => Command::from(PathCommand::Start(self.place())),
            2 => Command::from(PathCommand::End(self.place())),
            3 => Command::from(QueryCommand::Start(self.place())),
            4 => Command::from(QueryCommand::By(QueryMode::ALL[self.below(QueryMode::ALL.len())])),
            5 => Command::from(ViewCommand::Measure(Some([self.place(), self.place()]))),
            6 => {
                let name = format!("n{}", self.below(9));
                Command::Change(Phrase::verbatim("Rename"), self.item().renamed_in(document, &name))
            }
            7 => {
                let item = self.item();
                let change =
                    if self.below(2) == 0 { SceneItem::show_in } else { SceneItem::hide_in };
                let edit = Edit::of_items(document, |document| change(item, document));
                Command::Change(Phrase::verbatim("Hide"), edit)
            }
            8 => {
                let agent_radius = 0.2 + self.0.share();
                let settings = BakeSettings { agent_radius, ..document.settings.clone() };
                Command::Change(Phrase::verbatim("Radius"), Edit::Settings(Box::new(settings)))
            }
            10 if self.below(3) == 0 => Command::from(match self.below(4) {
                0 => AgentCommand::Choose(self.below(4)),
                1 => AgentCommand::Remove(self.below(3)),
                2 => AgentCommand::Next,
                _ => AgentCommand::Add,
            }),
            10 => Command::from(self.ground()),
            11 => {
                let islands = Islands {
                    min_area: (self.below(2) == 0).then(|| self.0.share() * 40.0),
                    seeds: (0..self.below(3)).map(|_| self.place()).collect(),
                };
                Command::Change(Phrase::verbatim("Islands"), Edit::Islands(islands))
            }
            12 => {
                let id = u8::try_from(self.below(9)).unwrap_or(0);
                let area = Area {
                    cost: 1.0 + self.0.share() * 9.0,
                    flags: 1 << self.below(4),
                    ..document.areas.area(id)
                };
                Command::Change(
                    Phrase::verbatim("Area"),
                    Edit::Areas(document.areas.with(id, area)),
                )
            }
            13 if !app.editor.session().fixes.found().fixes.is_empty() => {
                let fixes = &app.editor.session().fixes.found().fixes;
                let fix = Box::new(fixes[self.below(fixes.len())].clone());
                let tries = self.below(3) > 0;
                Command::from(if tries { FixCommand::TryOut(fix) } else { FixCommand::Apply(fix) })
            }
            9 if self.below(2) == 0 => Command::Undo,
            9 => Command::Redo,
            _ => {
                let all = listed();
                return Some(all[self.below(all.len())].clone()).filter(is_harmless);
            }
        })
    }
}

fn is_harmless(command: &Command) -> bool {
    !matches!(
        command,
        Command::Quit
            | Command::Open
            | Command::CloseLevel
            | Command::Save
            | Command::SaveAs
            | Command::Export(_)
            | Command::Load(_)
            | Command::Bake
            | Command::Group(Group::Lab(LabCommand::Run))
    )
}

/// Clicks or drags somewhere in the 3D view.
fn point(harness: &mut Harness<'_, App>, monkey: &mut Monkey) {
    let Some(view) = harness.find_id("viewport").map(|view| view.rect()) else { return };
    let at = view.min + view.size() * vec2(monkey.0.share(), monkey.0.share());
    let to = view.min + view.size() * vec2(monkey.0.share(), monkey.0.share());
    let secondary = monkey.below(4) == 0;
    let button =
        if secondary { egui::PointerButton::Secondary } else { egui::PointerButton::Primary };
    let press = |pos, pressed| egui::Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.hover_at(at);
    harness.step();
    harness.event(press(at, true));
    let end = if monkey.below(2) == 0 { to } else { at };
    harness.hover_at(end);
    harness.step();
    harness.event(press(end, false));
    harness.step();
}

fn check(app: &App) {
    let session = &app.editor.session();
    if let Some(item) = session.item() {
        assert!(item.is_in(session.document()));
    }
    assert!(session.opened.level.is_some(), "the level stays");
    let tools = ToolKind::ALL;
    assert!(tools.contains(&session.tools.tool));
    for bound in &session.document().bounds {
        assert!(!bound.is_empty(), "{bound:?}");
    }
}

/// Checks that the project survives conversion to text and back.
fn check_project(app: &App) {
    let project = app.editor.session().to_project().expect("a level is open");
    let folder = std::path::Path::new("/");
    let text = project.to_text(folder).expect("all numbers are finite");
    assert_eq!(Project::parse(&text, folder).expect("what was written is read"), project);
}

#[test]
fn a_monkey_breaks_nothing() {
    let mut harness = baked();
    let mut monkey = Monkey(Seeded::new(7));
    let opened = harness.state().editor.session().document().clone();
    assert_eq!(
        harness.state().editor.session().source(),
        Some(LevelSource::Builtin("sample".to_owned()))
    );
    // The usual soak run takes minutes.
    let soak = SoakInput { n_agents: 5, minutes: 0.1, seed: 1, places: SoakPlaces::Random };
    harness.state_mut().trigger(CrowdCommand::SetSoak(soak).into());
    for n in 0..N_ACTIONS {
        if monkey.below(8) == 0 {
            point(&mut harness, &mut monkey);
        } else if let Some(command) = monkey.command(harness.state()) {
            harness.state_mut().trigger(command);
            if monkey.below(4) == 0 {
                harness.step();
            }
        }
        check(harness.state());
        if n % PERIOD == PERIOD - 1 {
            settle(&mut harness);
            check_project(harness.state());
        }
    }
    settle(&mut harness);
    harness.state_mut().trigger(Command::Abort);
    settle(&mut harness);
    while harness.state().editor.session().history.undo_label().is_some() {
        harness.state_mut().trigger(Command::Undo);
        settle(&mut harness);
    }
    let session = &harness.state().editor.session();
    if session.history.future().len() < 200 {
        assert_eq!(*session.document(), opened, "all undone");
    }
}
