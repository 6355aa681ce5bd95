//! A stage of one tile watched as it happens.

use std::{sync::Arc, time::Duration};

use walkable::{
    bake::{BakePlan, Filmed, Intermediates},
    ids::TileCoord,
};

use super::{Reel, Replay, Session, StageView};

/// The film that runs, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Film {
    /// The stage it shows.
    pub view: StageView,
    /// The tile.
    pub tile: TileCoord,
    /// The tile's result: another one ends the film.
    pub serial: u64,
    /// Steps of the whole film; 0 until they are counted.
    pub n_steps: usize,
    /// What a step is: "triangle".
    pub step: &'static str,
    /// How far it is.
    pub replay: Replay,
    /// How fast it runs, 1 for normal.
    pub speed: f32,
}

/// Frames to be made of a film.
#[derive(Clone, Debug)]
pub struct FrameRequest {
    /// The plan of the bake.
    pub plan: Arc<BakePlan>,
    /// What the stages made of the tile.
    pub stages: Arc<Intermediates>,
    /// The tile.
    pub tile: TileCoord,
    /// What is filmed of it.
    pub of: Filmed,
    /// Steps after which it is to be shown, those needed first at the front.
    pub steps: Vec<usize>,
}

impl Film {
    /// Speeds to choose from.
    pub const SPEEDS: [f32; 4] = [0.25, 1.0, 4.0, 16.0];
    /// No picture is shown for less than this.
    const SHORTEST: Duration = Duration::from_millis(16);

    /// How long each picture is shown while the film runs, and by how many steps it then goes on.
    pub fn pace(&self) -> (Duration, usize) {
        // Few steps are shown for longer.
        let usual = Duration::from_millis(match self.n_steps {
            0..=10 => 900,
            11..=60 => 200,
            _ => 40,
        });
        let shown = usual.div_f32(self.speed);
        let n = (1..=64).find(|&n| Self::SHORTEST <= shown * n).unwrap_or(64);
        (shown * n, Replay::stride(self.n_steps) * n as usize)
    }

    /// Steps done, where the stage is not shown as it is in the end.
    pub fn shown(&self) -> Option<usize> {
        let step = self.replay.step?;
        (self.n_steps == 0 || step < self.n_steps).then_some(step)
    }

    /// Steps whose frames are soon to be seen, the next first.
    fn soon(&self, now: usize, n_ahead: usize) -> Vec<usize> {
        if self.n_steps == 0 {
            return vec![now];
        }
        let steps: Vec<_> = if self.replay.playing {
            (now..self.n_steps).step_by(self.pace().1).take(1 + n_ahead).collect()
        } else {
            [Some(now), now.checked_add(1), now.checked_sub(1)].into_iter().flatten().collect()
        };
        steps.into_iter().filter(|step| *step < self.n_steps).collect()
    }
}

impl StageView {
    /// What its film is of; `None` where it is not made in steps.
    pub const fn filmed(self) -> Option<Filmed> {
        Some(match self {
            Self::Slope => Filmed::Slope,
            Self::Spans => Filmed::Spans,
            Self::Filtered => Filmed::Filtered,
            Self::Compact => Filmed::Compact,
            Self::Eroded => Filmed::Eroded,
            Self::Distance => Filmed::Distance,
            Self::Regions => Filmed::Regions,
            Self::Layers => Filmed::Layers,
            Self::ContoursRaw => Filmed::RawContours,
            Self::Contours => Filmed::Contours,
            Self::Polygons => Filmed::Polygons,
            Self::Detail => Filmed::Detail,
            Self::Input | Self::Navmesh => return None,
        })
    }

    /// What its film shows.
    pub const fn film_what(self) -> Option<&'static str> {
        Some(match self {
            Self::Slope => "triangles marked one after the other",
            Self::Spans => "triangles rasterized one after the other",
            Self::Filtered => "one filter after the other",
            Self::Compact => "columns linked to the next, one after the other",
            Self::Eroded => "the border grows cell by cell",
            Self::Distance => "swept row by row: there, back, and blurred",
            Self::Regions => "water rises level by level, or ground is swept row by row",
            Self::Layers => "patches of ground join layers, one after the other",
            Self::ContoursRaw => "outlines traced one after the other",
            Self::Contours => "corners added one by one",
            Self::Polygons => "triangles merged pair by pair",
            Self::Detail => "samples inserted one by one",
            Self::Input | Self::Navmesh => return None,
        })
    }
}

impl Session {
    /// The film, while what it shows is shown.
    pub fn film(&self) -> Option<Film> {
        let film = self.film.filter(|film| film.view == self.stage)?;
        let tile = self.bake.tiles.get(&film.tile)?;
        (tile.serial == film.serial && tile.plan.is_some()).then_some(film)
    }

    /// Begins the film of the stage shown: of the tile chosen, else of the one pointed at, else of the one with most
    /// to show. Where the stage is not made in steps, there is none.
    pub fn begin_film(&mut self) {
        self.film = self.new_film();
        self.reel = Reel::default();
        self.playing = false;
    }

    fn new_film(&self) -> Option<Film> {
        let (view, plan) = (self.stage, self.bake.plan.as_deref()?);
        view.filmed()?;
        let place = self.selection.or(self.hover).map(|place| place.point);
        let pointed = place.and_then(|point| walkable::explain::tile_at(plan, point));
        let kept = self.bake.tiles.iter().filter(|(_, tile)| self.bake.stages_of(tile).is_some());
        let fullest = kept.max_by_key(|(_, tile)| tile.counts.get(StageView::Navmesh));
        let fullest = fullest.map(|(coord, _)| *coord);
        let wanted = [self.chosen_tile, pointed, fullest].into_iter().flatten();
        let mut baked = wanted.filter_map(|coord| {
            let tile = self.bake.tiles.get(&coord)?;
            tile.plan.is_some().then_some((coord, tile.serial))
        });
        let (tile, serial) = baked.next()?;
        let replay = Replay { step: Some(0), playing: true };
        Some(Film { view, tile, serial, n_steps: 0, step: "step", replay, speed: 1.0 })
    }

    /// The film's steps are counted, of which each is a `step`; without any there is no film.
    pub fn film_opened(&mut self, n_steps: usize, step: &'static str) {
        let Some(film) = self.film.as_mut().filter(|_| n_steps > 0) else {
            self.film = None;
            return;
        };
        (film.n_steps, film.step) = (n_steps, step);
    }

    /// The film goes on.
    pub fn film_on(&mut self) {
        if let Some(film) = &mut self.film {
            film.replay = film.replay.later_by(film.n_steps, film.pace().1);
        }
    }

    /// Whether the film waits for its next frame.
    pub fn film_waits(&self) -> bool {
        let step = self.film().and_then(|film| film.shown());
        step.is_some_and(|step| self.reel.frame(step).is_none())
    }

    /// Frames of the film that are to be made now, where others than those that are being made.
    pub fn wanted_frames(&mut self) -> Option<FrameRequest> {
        let Some(film) = self.film() else {
            self.reel = Reel::default();
            return None;
        };
        let tile = self.bake.tiles.get(&film.tile)?;
        // Where they were dropped, they are on their way.
        let stages = Arc::clone(self.bake.stages_of(tile)?);
        let plan = tile.plan.clone()?;
        let steps = film.soon(film.shown()?, self.reel.n_ahead());
        let steps = self.reel.ask(steps)?;
        Some(FrameRequest { plan, stages, tile: film.tile, of: film.view.filmed()?, steps })
    }
}
