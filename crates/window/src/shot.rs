//! Takes one picture of a level or project without a window: opens it, bakes it and draws it like the editor.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use walkable::{debug_draw::DrawList, ids::TileCoord};
use walkable_editor::{
    coloring,
    command::{Command, CrowdCommand, DisplayCommand, LabCommand, ViewCommand},
    headless::HeadlessEditor,
    jobs::{BackgroundJobs, slot::Wake},
    level_colors::LevelColors,
    pictures::{Pictures, is_colored},
    reducer::{Editor, Event},
    session::{
        ColorBy, CrowdPlay, LevelSource, Replay, Searcher, Session, Severity, Slice, ToolKind,
    },
    tools::ActiveTool,
};
use walkable_workspace::{format, stage_view::StageView};

pub use crate::panels::files::picture::PictureOverlay;
use crate::{
    app::{
        picture,
        scene::{items_picture, level_view, surroundings},
    },
    file_dialog, images,
    legend::{LegendEntry, Pixels},
    png::png,
    theme::Theme,
    viewport::{PictureCamera, Scene, Split, render, render_with},
};

#[derive(Clone, Debug)]
pub struct Shot {
    pub source: LevelSource,
    pub from: From,
    pub stage: StageView,
    /// The meaning of the polygon colors. A coloring with a scale adds a legend to the picture.
    pub color_by: ColorBy,
    /// The only tile whose stages are shown; `None` for all.
    pub tile: Option<TileCoord>,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    pub light: bool,
    /// Searches of the lab to draw between the path's ends, at most two.
    pub searches: Vec<Searcher>,
    /// Number of expansions to draw; `None` for all.
    pub step: Option<usize>,
    /// Simulated time at which the crowd of the project is drawn, in seconds; `None` to leave it out.
    pub crowd_time: Option<f32>,
    /// What is drawn over the picture. The legend replaces that of the coloring.
    pub over: PictureOverlay,
}

#[derive(Clone, Debug)]
pub enum From {
    /// The camera saved in the project, or one that shows everything.
    Kept,
    Above,
    /// The saved camera view with this name.
    View(String),
}

/// Takes a picture and returns it as a PNG file. Fails if the level cannot be read or baked, if there is no such view
/// or tile, or if there is no graphics driver.
pub fn take(shot: &Shot) -> anyhow::Result<Vec<u8>> {
    let mut headless = ShotEditor::new();
    headless.carry_out(Command::Load(shot.source.clone()))?;
    headless.carry_out(ViewCommand::Stage(shot.stage).into())?;
    headless.carry_out(ViewCommand::Tile(shot.tile).into())?;
    headless.carry_out(DisplayCommand::ColorBy(shot.color_by).into())?;
    headless.search(&shot.searches, shot.step)?;
    headless.simulate_crowd(shot.crowd_time)?;
    let (session, view) = (headless.editor().session(), headless.editor().view());
    check(session, shot)?;
    let level = level_view(&view, LevelColors::default());
    let surroundings = surroundings(&view, LevelColors::default());
    let mut foreground = items_picture(&view);
    if shot.crowd_time.is_some() {
        foreground.append(ActiveTool::new(ToolKind::Crowd).preview(&view));
    }
    let batches = Pictures::draw_at_once(session);
    let theme = if shot.light { Theme::LIGHT } else { Theme::DARK };
    let theme = theme.with_areas(&view.document().areas).with_agents(&view.document().agents);
    let scene = Scene {
        level: level.as_ref(),
        surroundings: surroundings.as_ref(),
        batches: &batches,
        foreground: &foreground,
        handles: &DrawList::default(),
        frame_bounds: session.whole_bounds(),
        show_grid: headless.editor().prefs().grid,
        ambient_occlusion: headless.editor().prefs().ambient_occlusion,
        theme: &theme,
        is_changing: false,
        tool: "",
        hints: &[],
        slice: Slice::ALL,
        split: Split::None,
        captions: &[],
        covered_top: 0.0,
    };
    let from = picture_camera(session, &shot.from)?;
    let crowd = shot.crowd_time.map(|_| crowd_text(session));
    let mut bytes = if shot.over == PictureOverlay::default() {
        render(&scene, from, shot.size)?
    } else {
        render_with(&scene, from, shot.size, picture::scale(shot.size), |ui, camera| {
            picture::overlay_ui(ui, shot.over, &view, (camera, &theme), crowd.as_deref());
        })?
    };
    if !shot.over.legend {
        let mut legend = legend(session, &theme);
        legend.extend(crowd.map(|text| LegendEntry { color: None, text }));
        if !legend.is_empty() {
            Pixels { size: shot.size, bytes: &mut bytes }.write_legend(&legend, &theme);
        }
    }
    png(shot.size, bytes)
}

fn legend(session: &Session, theme: &Theme) -> Vec<LegendEntry> {
    let display = &session.shown.display;
    let scale = coloring::scale(session).filter(|_| is_colored(session.shown.stage, display));
    let Some(scale) = scale else { return Vec::new() };
    let color = |at| Some(theme.paint((scale.paint)(at)));
    let [first, last] = scale.ends;
    let mut entries = vec![
        LegendEntry { color: None, text: display.color_by.name().to_owned() },
        LegendEntry { color: color(1.0), text: last },
        LegendEntry { color: color(0.0), text: first },
    ];
    entries.extend(scale.limit.map(|text| LegendEntry { color: None, text }));
    entries
}

fn crowd_text(session: &Session) -> String {
    let n_agents = session.crowd_agents().len();
    let agents = format::counted(n_agents, "agent", "agents");
    let seconds = CrowdPlay::seconds(session.crowd.now());
    format!("Crowd at {seconds:.1} s: {agents}")
}

fn picture_camera(session: &Session, from: &From) -> anyhow::Result<PictureCamera> {
    let views = &session.document().views;
    Ok(match from {
        From::Kept => session.shown.look.map_or(PictureCamera::Everything, PictureCamera::Look),
        From::Above => PictureCamera::Above,
        From::View(name) => {
            let names: Vec<_> = views.iter().map(|view| &*view.name).collect();
            let found = views.iter().find(|view| view.name == *name);
            let found = found.with_context(|| match names.len() {
                0 => format!("there is no view \"{name}\": the project has no views"),
                _ => format!("there is no view \"{name}\"; there are: {}", names.join(", ")),
            })?;
            PictureCamera::Look(found.of)
        }
    })
}

fn check(session: &Session, shot: &Shot) -> anyhow::Result<()> {
    let bake = &session.bake;
    if let Some(tile) = shot.tile {
        ensure!(bake.tiles.contains_key(&tile), "there is no tile {tile}");
    }
    if !shot.stage.needs_stages() {
        return Ok(());
    }
    ensure!(session.opened.level.is_some(), "a navmesh has no stages: open its level");
    let n_gone = bake.chosen(shot.tile).filter(|(_, tile)| bake.can_bake_again(tile)).count();
    ensure!(
        n_gone == 0,
        "the level is so large that the stages of {n_gone} tiles were dropped; choose one tile \
        with --tile X,Z"
    );
    Ok(())
}

/// An editor without a window, whose commands must succeed.
struct ShotEditor(HeadlessEditor);

impl ShotEditor {
    fn new() -> Self {
        let jobs = |wake: &Wake| {
            BackgroundJobs::new(wake, wake, file_dialog::show).with_images(images::DECODER)
        };
        Self(HeadlessEditor::new(Duration::MAX, jobs))
    }

    const fn editor(&self) -> &Editor {
        self.0.editor()
    }

    fn search(&mut self, searches: &[Searcher], step: Option<usize>) -> anyhow::Result<()> {
        let Some(&first) = searches.first() else { return Ok(()) };
        let before = self.editor().session().lab.wanted.clone();
        let unwanted = before.into_iter().map(|searcher| LabCommand::Want(searcher, false));
        let wanted = searches.iter().map(|&searcher| LabCommand::Want(searcher, true));
        for command in unwanted.chain(wanted) {
            self.0.take(Event::Command(command.into()));
        }
        self.carry_out(LabCommand::Run.into())?;
        let lab = &self.editor().session().lab;
        if let Some((medium, why)) = lab.refused.first() {
            bail!("{}: {why}", medium.name());
        }
        if let Some(why) = &lab.error {
            bail!("{why}");
        }
        self.carry_out(LabCommand::Choose(Some(first), searches.get(1).copied()).into())?;
        let replay = Replay { step, ..Replay::default() };
        self.carry_out(LabCommand::Show(replay).into())
    }

    fn simulate_crowd(&mut self, seconds: Option<f32>) -> anyhow::Result<()> {
        let Some(seconds) = seconds else { return Ok(()) };
        let session = self.editor().session();
        ensure!(
            !session.document().crowd.is_empty(),
            "there are no agents: the crowd is in a project"
        );
        let update = CrowdPlay::update_at(seconds);
        self.carry_out(CrowdCommand::Show(update).into())?;
        let has_agents = !self.editor().session().crowd_agents().is_empty();
        ensure!(has_agents, "the agents of the crowd cannot be simulated");
        Ok(())
    }

    fn carry_out(&mut self, command: Command) -> anyhow::Result<()> {
        self.0.carry_out(command)?;
        let failed =
            self.editor().session().log.iter().find(|entry| entry.severity == Severity::Error);
        match failed {
            Some(entry) => bail!("{}", entry.text),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a small picture of the sample level with this over it.
    fn picture(over: PictureOverlay) -> image::RgbaImage {
        let shot = Shot {
            source: LevelSource::Builtin("sample".into()),
            from: From::Above,
            stage: StageView::Navmesh,
            color_by: ColorBy::default(),
            tile: None,
            size: [640, 360],
            light: false,
            searches: Vec::new(),
            step: None,
            crowd_time: None,
            over,
        };
        image::load_from_memory(&take(&shot).unwrap()).unwrap().to_rgba8()
    }

    #[test]
    fn legend_and_scale_bar_are_drawn_over_the_same_picture() {
        let plain = picture(PictureOverlay::default());
        let changed = |over| {
            let image = picture(over);
            let pairs = image.enumerate_pixels().zip(plain.pixels());
            let changed = pairs.filter(|((_, _, own), plain)| own != plain);
            let rows: Vec<_> = changed.map(|((_, y, _), _)| y).collect();
            [rows.iter().filter(|y| **y < 180).count(), rows.iter().filter(|y| **y >= 180).count()]
        };
        let [top, bottom] = changed(PictureOverlay { legend: true, scale_bar: false });
        assert!(top > 1000 && bottom == 0, "{top} {bottom}");
        let [top, bottom] = changed(PictureOverlay { legend: false, scale_bar: true });
        assert!(top == 0 && bottom > 300, "{top} {bottom}");
    }
}
