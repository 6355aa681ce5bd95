//! Takes the pictures of `screenshots/`: runs the real program in its real window through a list of views.

mod crowd;
mod ground;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use eframe::egui::{self, ColorImage, Vec2, ViewportCommand};
use glam::Vec3;
use walkable::{bake::OffMeshLink, diagnostic::Phrase, geom::Aabb, ids::AreaId};
use walkable_editor::{
    command::{
        AgentCommand, AnimationCommand, CheckCommand, Command, DisplayCommand, KeysCommand,
        LabCommand, LayoutCommand, Pane, PathCommand, QueryCommand, SceneItemCommand, TourCommand,
        ViewCommand,
    },
    habits::WindowState,
    session::{
        ColorBy, Edit, Hover, LabTab, LabelKind, LevelSource, Overlay, PathShow, QueryMode, Replay,
        SceneItem, Searcher, ToolKind,
    },
};
use walkable_workspace::{files::write_atomically, lang::Language, stage_view::StageView};

use crate::{app::App, editor::run_app, png::quick_png, search_pictures};

/// Size of the pictures, in points.
const SIZE: [f32; 2] = [1600.0, 1000.0];
/// The smallest size for which the window is made, in points.
const SMALL: [f32; 2] = [1280.0, 720.0];
/// Time to wait for the window to get the size of the picture, which a window manager may refuse.
const RESIZED: Duration = Duration::from_secs(5);
/// Time without changes before a picture is taken, because cameras ease and tiles fade in.
const STILL: Duration = Duration::from_millis(400);

fn default_layout() -> Command {
    Command::from(LayoutCommand::Show(None))
}

/// The path with all details of the search.
const ALL_OF_IT: PathShow =
    PathShow { corridor: true, portals: true, expanded: true, line: true, breaks: true };

/// A picture: its file name, the size of the window, and the commands that lead to it from the previous picture.
struct Shot {
    name: String,
    size: [f32; 2],
    commands: Vec<Command>,
}

/// The pictures that the documentation uses; only these are kept in the repository.
const IN_DOCS: [&str; 30] = [
    "main",
    "stage-01-input",
    "stage-02-slope",
    "stage-03-spans",
    "stage-04-filtered",
    "stage-05-compact",
    "stage-06-eroded",
    "stage-07-distance",
    "stage-08-regions",
    "stage-09-layers",
    "stage-10-raw-contours",
    "stage-11-contours",
    "stage-12-polygons",
    "stage-13-detail",
    "tool-path",
    "light-tool-path",
    "tool-volume",
    "animation",
    "lab",
    "profile",
    "investigation-stair",
    "investigation-door",
    "investigation-jump",
    "main-zh-CN",
    "scaled-200",
    "main-1280x720",
    "light-tool-path-1280x720",
    "light-main",
    "light-main-zh-CN",
    "tool-path-zh-CN",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gallery {
    Docs,
    /// A picture of every tool and panel, dark and light.
    Whole,
}

impl Gallery {
    fn has(self, shot: &Shot) -> bool {
        self == Self::Whole || IN_DOCS.contains(&shot.name.as_str())
    }
}

fn shot(name: &str, commands: Vec<Command>) -> Shot {
    Shot { name: name.to_owned(), size: SIZE, commands }
}

fn builtin(name: &str) -> Command {
    Command::Load(LevelSource::Builtin(name.to_owned()))
}

/// Returns all pictures, in the order in which they are taken.
fn shots() -> Vec<Shot> {
    let mut shots = vec![shot("main", vec![])];
    for (number, stage) in StageView::ALL.into_iter().enumerate() {
        let name = format!("stage-{:02}-{}", number + 1, stage.key());
        shots.push(shot(&name, vec![Command::from(ViewCommand::Stage(stage))]));
    }
    shots.extend([
        shot(
            "path",
            vec![Command::ChooseTool(ToolKind::Path), Command::from(PathCommand::Show(ALL_OF_IT))],
        ),
        shot("search", vec![Command::from(PathCommand::ShowSearch(Replay::at(20)))]),
        shot(
            "commands",
            vec![Command::from(PathCommand::ShowSearch(Replay::default())), Command::Palette],
        ),
        shot("town", vec![Command::Back, builtin("town")]),
        shot(
            "tool-path",
            [vec![builtin("sample"), Command::ChooseTool(ToolKind::Path)], vec![default_layout()]]
                .concat(),
        ),
    ]);
    let views = tools().into_iter().chain(looking());
    shots.extend(views.map(|(name, commands)| shot(name, commands)));
    let path = vec![
        Command::ToggleTheme,
        Command::Select(None),
        Command::from(SceneItemCommand::Select(None)),
        Command::ChooseTool(ToolKind::Path),
    ];
    shots.push(shot("light-tool-path", [path, vec![default_layout()]].concat()));
    let light = tools().into_iter().chain(looking());
    shots.extend(light.map(|(name, commands)| shot(&format!("light-{name}"), commands)));
    let mut before = ground::afresh();
    for (name, commands) in ground::ground_shots() {
        before.extend(commands);
        shots.push(shot(&format!("light-{name}"), std::mem::take(&mut before)));
    }
    // The other agents were shown last, so they are hidden first.
    before.extend([Command::ToggleTheme, AgentCommand::ToggleOthers.into()]);
    before.extend(ground::afresh());
    for (name, commands) in ground::ground_shots() {
        before.extend(commands);
        shots.push(shot(name, std::mem::take(&mut before)));
    }
    shots.extend(["stair", "door", "jump"].map(|problem| {
        let file = PathBuf::from(format!("docs/investigations/{problem}.repro"));
        let open =
            vec![Command::Load(LevelSource::File(file)), Command::ChooseTool(ToolKind::Path)];
        shot(&format!("investigation-{problem}"), [open, vec![default_layout()]].concat())
    }));
    shots.extend(looks());
    let mut before =
        vec![Command::Speak(Some(Language::English)), builtin("sample"), default_layout()];
    for (name, commands) in crowd::crowd_shots() {
        before.extend(commands);
        shots.push(shot(name, std::mem::take(&mut before)));
    }
    shots.push(shot("guide", vec![Command::ReadGuide]));
    shots
}

fn looks() -> Vec<Shot> {
    // The window stays in English on systems without Chinese fonts.
    let chinese =
        vec![builtin("sample"), Command::Speak(Some(Language::Chinese)), default_layout()];
    let large = vec![Command::Speak(Some(Language::English)), Command::Zoom(200)];
    let path_tool = Command::ChooseTool(ToolKind::Path);
    let small = vec![Command::Zoom(100), builtin("sample"), default_layout()];
    let light = vec![Command::ToggleTheme, path_tool.clone()];
    vec![
        shot("main-zh-CN", chinese),
        shot("scaled-200", large),
        Shot { size: SMALL, ..shot("main-1280x720", small) },
        Shot { size: SMALL, ..shot("light-tool-path-1280x720", light) },
        shot("light-main", vec![Command::ChooseTool(ToolKind::Select)]),
        shot("light-main-zh-CN", vec![Command::Speak(Some(Language::Chinese))]),
        shot("tool-path-zh-CN", vec![Command::ToggleTheme, path_tool]),
    ]
}

fn tools() -> Vec<(&'static str, Vec<Command>)> {
    let link = OffMeshLink {
        start: Vec3::new(21.0, 3.0, 5.0),
        end: Vec3::new(17.0, 0.0, 8.0),
        radius: 0.6,
        bidirectional: false,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    };
    let bound = Aabb::new(Vec3::new(10.0, -1.0, 2.0), Vec3::new(29.0, 5.0, 16.0));
    let (here, there) = (Vec3::new(16.0, 0.0, 9.0), Vec3::new(24.0, 0.0, 14.0));
    let show = |pane| Command::ShowPanel(pane);
    let choose = |item| Command::from(SceneItemCommand::Select(Some(item)));
    let change = |label: &'static str, edit| Command::Change(Phrase::verbatim(label), edit);
    let node_labels = || Command::from(DisplayCommand::ToggleLabel(LabelKind::Node));
    let mut tools = vec![
        ("path-labels", vec![node_labels()]),
        (
            "tool-volume",
            vec![
                node_labels(),
                Command::ChooseTool(ToolKind::Volume),
                choose(SceneItem::Volume(0)),
            ],
        ),
    ];
    tools.extend(query_pictures());
    tools.extend(lab());
    tools.extend([
        (
            "tool-link",
            vec![
                TourCommand::End.into(),
                change("Add off-mesh link", Edit::Links(vec![link.into()])),
                Command::ChooseTool(ToolKind::Link),
                choose(SceneItem::Link(0)),
            ],
        ),
        (
            "tool-bake-box",
            vec![
                change("Add bake box", Edit::Bounds(vec![bound.into()])),
                Command::ChooseTool(ToolKind::Bounds),
                choose(SceneItem::Bound(0)),
                show(Pane::History),
            ],
        ),
        (
            "tool-measure",
            vec![
                Command::from(SceneItemCommand::Select(None)),
                Command::ChooseTool(ToolKind::Measure),
                Command::from(ViewCommand::Measure(Some([here, link.start]))),
            ],
        ),
        (
            "tool-query",
            vec![
                Command::from(QueryCommand::By(QueryMode::Circle)),
                Command::from(QueryCommand::Start(here)),
                Command::from(QueryCommand::End(there)),
            ],
        ),
    ]);
    tools
}

fn query_pictures() -> Vec<(&'static str, Vec<Command>)> {
    vec![
        (
            "tool-query-follow",
            vec![
                Command::from(SceneItemCommand::Select(None)),
                Command::from(QueryCommand::Start(Vec3::new(5.5, 0.0, 18.5))),
                Command::from(QueryCommand::End(Vec3::new(20.0, 3.0, 4.0))),
                Command::from(QueryCommand::By(QueryMode::Follow)),
            ],
        ),
        (
            "tool-query-sliced",
            vec![
                Command::from(QueryCommand::By(QueryMode::Sliced)),
                Command::from(QueryCommand::ShowSteps(Replay::at(30))),
            ],
        ),
    ]
}

fn lab() -> Vec<(&'static str, Vec<Command>)> {
    let show = |pane| Command::ShowPanel(pane);
    vec![
        (
            "lab",
            vec![
                Command::ChooseTool(ToolKind::Select),
                show(Pane::Lab),
                Command::from(LabCommand::Run),
                Command::from(LabCommand::Choose(Some(Searcher::HastyFlight), None)),
            ],
        ),
        (
            "lab-playback",
            vec![
                Command::from(LabCommand::Tab(LabTab::Playback)),
                Command::from(LabCommand::Choose(Some(Searcher::AStarOctile), Some(Searcher::Jps))),
                Command::from(LabCommand::Show(Replay::at(700))),
            ],
        ),
        ("lab-weights", vec![Command::from(LabCommand::Tab(LabTab::Weights))]),
        (
            "log",
            vec![
                Command::from(LabCommand::Tab(LabTab::Compare)),
                Command::from(LabCommand::Choose(None, None)),
                show(Pane::Log),
            ],
        ),
        ("profile", vec![show(Pane::Profile)]),
        (
            "check",
            vec![
                Command::from(DisplayCommand::ColorBy(ColorBy::SurfaceDistance)),
                CheckCommand::Run.into(),
            ],
        ),
        (
            "shortcuts",
            vec![Command::from(DisplayCommand::ColorBy(ColorBy::Area)), KeysCommand::Edit.into()],
        ),
        ("tour", vec![Command::Back, TourCommand::Start.into()]),
    ]
}

fn looking() -> Vec<(&'static str, Vec<Command>)> {
    let here = Vec3::new(20.0, 0.0, 12.0);
    let show = |pane| Command::ShowPanel(pane);
    vec![
        (
            "display",
            vec![
                // Removes the off-mesh link and the bake box that the tools placed.
                Command::Undo,
                Command::Undo,
                Command::from(DisplayCommand::Under(StageView::Regions, Some(0.7))),
                Command::from(DisplayCommand::Stage(0.5)),
                Command::from(DisplayCommand::ColorBy(ColorBy::Island)),
                Command::from(DisplayCommand::ToggleLabel(LabelKind::Polygon)),
                show(Pane::Display),
            ],
        ),
        (
            "animation",
            vec![
                Command::from(DisplayCommand::Under(StageView::Regions, None)),
                Command::from(DisplayCommand::ToggleLabel(LabelKind::Polygon)),
                Command::from(ViewCommand::Stage(StageView::Regions)),
                Command::from(AnimationCommand::Watch),
                Command::from(AnimationCommand::Show(Replay::at(5))),
            ],
        ),
        (
            "besides",
            vec![
                Command::from(AnimationCommand::End),
                Command::from(DisplayCommand::ToggleOverlay(Overlay::RegionLinks)),
                Command::from(DisplayCommand::ToggleOverlay(Overlay::SteepGround)),
            ],
        ),
        (
            "pointing",
            vec![
                Command::from(DisplayCommand::ToggleOverlay(Overlay::RegionLinks)),
                Command::from(DisplayCommand::ToggleOverlay(Overlay::SteepGround)),
                Command::from(ViewCommand::Stage(StageView::Navmesh)),
                Command::from(DisplayCommand::ColorBy(ColorBy::Area)),
                Command::from(DisplayCommand::Stage(1.0)),
                Command::ChooseTool(ToolKind::Select),
                show(Pane::Inspector),
                Command::Select(Some(Hover { point: here, triangle: None })),
            ],
        ),
    ]
}

/// Opens the window, takes the pictures of `gallery` into `folder` and closes it.
pub fn run(folder: &Path, gallery: Gallery) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let (sender, results) = sync_channel(shots().len() + 1);
    let (own_folder, folder) = (folder.to_path_buf(), folder.to_path_buf());
    run_app(WindowState { size: SIZE, is_maximized: false }, move |cc| {
        Box::new(Photographer::new(App::without_habits(cc), folder, gallery, sender))
    })?;
    let mut n_taken = 0;
    for result in results {
        result?;
        n_taken += 1;
    }
    search_pictures::take_all(&own_folder)?;
    anyhow::ensure!(
        n_taken == shots().iter().filter(|shot| gallery.has(shot)).count(),
        "the window was closed before all screenshots were taken"
    );
    Ok(())
}

struct Photographer {
    app: App,
    folder: PathBuf,
    gallery: Gallery,
    left: std::vec::IntoIter<Shot>,
    current: Option<Shot>,
    shown_since: Instant,
    /// Since when no work is under way.
    still_since: Option<Instant>,
    pictures: (SyncSender<Arc<ColorImage>>, Receiver<Arc<ColorImage>>),
    is_requested: bool,
    results: SyncSender<anyhow::Result<()>>,
}

impl Photographer {
    fn new(
        app: App,
        folder: PathBuf,
        gallery: Gallery,
        results: SyncSender<anyhow::Result<()>>,
    ) -> Self {
        let mut left = shots().into_iter();
        let current = left.next();
        let pictures = sync_channel(1);
        Self {
            app,
            folder,
            gallery,
            left,
            current,
            shown_since: Instant::now(),
            still_since: None,
            pictures,
            is_requested: false,
            results,
        }
    }

    /// Continues once the requested picture has arrived, or requests the next one.
    fn go_on(&mut self, ctx: &egui::Context) {
        ctx.request_repaint();
        if let Ok(picture) = self.pictures.1.try_recv() {
            self.take(&picture);
            self.next(ctx);
        }
        if self.app.is_busy() {
            self.still_since = None;
            return;
        }
        let Some(shot) = &self.current else { return };
        if !self.gallery.has(shot) {
            return self.next(ctx);
        }
        // The size does not depend on the scale of the window's content.
        let size = Vec2::from(shot.size) / ctx.zoom_factor();
        let is_resized = (ctx.content_rect().size() - size).abs().max_elem() < 1.0;
        if !is_resized && self.shown_since.elapsed() < RESIZED {
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
            return;
        }
        let since = *self.still_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= STILL && !self.is_requested {
            self.is_requested = true;
            let sender = self.pictures.0.clone();
            // The receiver is gone once the window is closed.
            ctx.request_screenshot(move |picture| drop(sender.try_send(picture)));
        }
    }

    fn take(&self, picture: &ColorImage) {
        let Some(shot) = &self.current else { return };
        let path = self.folder.join(format!("{}.png", shot.name));
        let pixels: Vec<u8> = picture.pixels.iter().flat_map(|p| [p.r(), p.g(), p.b()]).collect();
        let size = picture.size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        let written = quick_png(size, pixels).and_then(|bytes| write_atomically(&path, &bytes));
        // The channel has room for one result per picture, and lives until the window is closed.
        drop(self.results.try_send(written));
    }

    fn next(&mut self, ctx: &egui::Context) {
        self.current = self.left.next();
        self.shown_since = Instant::now();
        self.still_since = None;
        self.is_requested = false;
        match &mut self.current {
            Some(shot) => {
                for command in shot.commands.drain(..) {
                    match command {
                        Command::Load(_) => self.app.trigger_without_asking(command),
                        command => self.app.trigger(command),
                    }
                }
            }
            None => self.app.leave(ctx),
        }
    }
}

impl eframe::App for Photographer {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.go_on(ctx);
        self.app.logic(ctx, frame);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.app.ui(ui, frame);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        self.app.clear_color(visuals)
    }

    /// Pictures must not depend on the position of the mouse.
    fn raw_input_hook(&mut self, _ctx: &egui::Context, input: &mut egui::RawInput) {
        input.events.retain(|event| !matches!(event, egui::Event::PointerMoved(_)));
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
