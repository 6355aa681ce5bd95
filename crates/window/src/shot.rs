//! Takes one picture of a level or project without a window: opens it, bakes it and draws it as the
//! editor would.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use walkable::ids::TileCoord;
use walkable_editor::{
    command::{Command, LabCommand, ViewCommand},
    jobs::{BackgroundJobs, Results, slot::Wake},
    pictures::Pictures,
    reducer::{Editor, Effect, Event, REST, Tick},
    session::{LevelSource, Replay, Searcher, Session, Severity, Slice, StageView},
};

use crate::{
    app::scene::{level_view, things_picture},
    file_dialog,
    png::png,
    theme::Theme,
    viewport::{Scene, Split, Standpoint, render},
};

/// What the picture shows.
#[derive(Clone, Debug)]
pub struct Shot {
    /// What to open.
    pub source: LevelSource,
    /// Where to look from.
    pub from: From,
    /// Which stage to show.
    pub stage: StageView,
    /// The one tile whose stages are shown; `None` for all.
    pub tile: Option<TileCoord>,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Whether surfaces are light.
    pub light: bool,
    /// Searches of the lab that are drawn between the path's ends, at most two.
    pub searches: Vec<Searcher>,
    /// After how many expansions they are drawn; at their end if not said.
    pub step: Option<usize>,
}

/// Where a picture is taken from.
#[derive(Clone, Debug)]
pub enum From {
    /// As the project was left, or from where all is seen.
    Kept,
    /// From straight above.
    Above,
    /// The view of this name in the project.
    View(String),
}

/// A picture that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The bytes of a PNG file.
    pub bytes: Vec<u8>,
    /// Every file that was read for it.
    pub files: Vec<PathBuf>,
}

/// Takes the picture.
///
/// # Errors
/// Where the level cannot be read or baked, it has no such view or tile, or there is no driver.
pub fn take(shot: &Shot) -> anyhow::Result<Taken> {
    let mut studio = Studio::new();
    studio.carry_out(Command::Load(shot.source.clone()))?;
    studio.carry_out(ViewCommand::Stage(shot.stage).into())?;
    studio.carry_out(ViewCommand::Tile(shot.tile).into())?;
    studio.search(&shot.searches, shot.step)?;
    let (session, view) = (studio.editor.session(), studio.editor.view());
    check(session, shot)?;
    let (level, foreground) = (level_view(&view), things_picture(&view));
    let batches = Pictures::draw_at_once(session);
    let theme = if shot.light { Theme::LIGHT } else { Theme::DARK };
    let scene = Scene {
        level: level.as_ref(),
        batches: &batches,
        foreground: &foreground,
        frame_bounds: session.bounds(),
        show_grid: studio.editor.prefs().grid,
        theme: &theme.with_areas(&view.document().areas).with_agents(&view.document().agents),
        is_changing: false,
        hints: &[],
        slice: Slice::ALL,
        split: Split::None,
        captions: &[],
    };
    let pixels = render(&scene, standpoint(session, &shot.from)?, shot.size)?;
    Ok(Taken { bytes: png(shot.size, pixels)?, files: session.files_read() })
}

fn standpoint(session: &Session, from: &From) -> anyhow::Result<Standpoint> {
    let views = &session.document().views;
    Ok(match from {
        From::Kept => session.look.map_or(Standpoint::Everything, Standpoint::Look),
        From::Above => Standpoint::Above,
        From::View(name) => {
            let names: Vec<_> = views.iter().map(|view| &*view.name).collect();
            let found = views.iter().find(|view| view.name == *name);
            let found = found.with_context(|| match names.len() {
                0 => format!("there is no view \"{name}\": the project keeps no views"),
                _ => format!("there is no view \"{name}\"; there are: {}", names.join(", ")),
            })?;
            Standpoint::Look(found.of)
        }
    })
}

/// Whether there is something to see.
fn check(session: &Session, shot: &Shot) -> anyhow::Result<()> {
    let bake = &session.bake;
    if let Some(tile) = shot.tile {
        ensure!(bake.tiles.contains_key(&tile), "there is no tile {tile}");
    }
    if !shot.stage.needs_stages() {
        return Ok(());
    }
    ensure!(session.level.is_some(), "a navmesh has no stages: open its level");
    let n_gone = bake.chosen(shot.tile).filter(|(_, tile)| bake.can_bake_again(tile)).count();
    ensure!(
        n_gone == 0,
        "the level is so large that the stages of {n_gone} tiles are not kept; name one by --tile X,Z"
    );
    Ok(())
}

/// An editor without a window.
struct Studio {
    editor: Editor,
    jobs: BackgroundJobs,
    woken: Receiver<()>,
}

impl Studio {
    fn new() -> Self {
        let (sender, woken) = sync_channel(1);
        // One call that waits is enough for all that came since.
        let wake: Wake = Arc::new(move || {
            sender.try_send(()).ok();
        });
        let jobs = BackgroundJobs::new(&wake, &wake, file_dialog::show);
        Self { editor: Editor::default(), jobs, woken }
    }

    /// Sends events to the editor and starts the work it requests; effects on a window are dropped.
    fn take(&mut self, event: Event) {
        for effect in self.editor.reduce(event) {
            if let Effect::Work(work) = effect {
                self.jobs.start(work);
            }
        }
    }

    /// Lets the lab search, and draws what one or two searches did.
    fn search(&mut self, searches: &[Searcher], step: Option<usize>) -> anyhow::Result<()> {
        let Some(&first) = searches.first() else { return Ok(()) };
        let before = self.editor.session().lab.wanted.clone();
        let unwanted = before.into_iter().map(|searcher| LabCommand::Want(searcher, false));
        let wanted = searches.iter().map(|&searcher| LabCommand::Want(searcher, true));
        for command in unwanted.chain(wanted) {
            self.take(Event::Command(command.into()));
        }
        self.carry_out(LabCommand::Run.into())?;
        let lab = &self.editor.session().lab;
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

    /// Carries out `command` and waits for all work that follows from it.
    fn carry_out(&mut self, command: Command) -> anyhow::Result<()> {
        self.take(Event::Command(command));
        loop {
            let report = self.jobs.poll(Results::Take);
            self.take(Event::Work(report));
            let tick = Tick { now: Instant::now(), rest: REST, jobs: self.jobs.status() };
            self.take(Event::Tick(tick));
            if !self.jobs.status().is_busy() {
                break;
            }
            self.woken.recv().context("work ended without a word")?;
        }
        let failed =
            self.editor.session().log.iter().find(|entry| entry.severity == Severity::Error);
        match failed {
            Some(entry) => bail!("{}", entry.text),
            None => Ok(()),
        }
    }
}
