//! A stage of one tile watched as it happens.

use walkable::{
    bake::{Stage, film_steps},
    ids::TileCoord,
};

use super::{Replay, Session, StageView};

/// The film that runs, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Film {
    /// The stage it shows.
    pub(crate) view: StageView,
    /// The tile.
    pub(crate) tile: TileCoord,
    /// The tile's result: another one ends the film.
    pub(crate) serial: u64,
    /// Steps of the whole film.
    pub(crate) n_steps: usize,
    /// How far it is.
    pub(crate) replay: Replay,
    /// How fast it runs, 1 for normal.
    pub(crate) speed: f32,
}

impl Film {
    /// Speeds to choose from.
    pub(crate) const SPEEDS: [f32; 4] = [0.25, 1.0, 4.0, 16.0];

    /// The stage of the bake that it shows.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.view.stage()
    }
}

impl StageView {
    /// What a step of its film is; `None` where it is not made in steps.
    pub(crate) const fn film_step(self) -> Option<&'static str> {
        Some(match self {
            Self::Spans => "triangle",
            Self::Filtered => "filter",
            Self::Eroded => "cell",
            Self::Regions => "level",
            Self::Contours => "corner",
            Self::Polygons => "merge",
            _ => return None,
        })
    }
}

impl Session {
    /// The film, while what it shows is shown.
    pub(crate) fn film(&self) -> Option<Film> {
        let film = self.film.filter(|film| film.view == self.stage)?;
        let tile = self.bake.tiles.get(&film.tile)?;
        (tile.serial == film.serial && tile.stages.is_some()).then_some(film)
    }

    /// Begins the film of the stage shown: of the tile chosen, else of the one pointed at, else of the one with most
    /// to show. Without one whose stages were kept, and where the stage is not made in steps, there is none.
    pub(crate) fn begin_film(&mut self) {
        self.film = self.new_film();
        self.playing = false;
    }

    fn new_film(&self) -> Option<Film> {
        let (view, plan) = (self.stage, self.bake.plan.as_deref()?);
        view.film_step()?;
        let place = self.selection.or(self.hover).map(|place| place.point);
        let pointed = place.and_then(|point| walkable::explain::tile_at(plan, point));
        let kept = self.bake.tiles.iter().filter(|(_, tile)| tile.stages.is_some());
        let fullest = kept.max_by_key(|(_, tile)| tile.counts.get(StageView::Navmesh));
        let fullest = fullest.map(|(coord, _)| *coord);
        let wanted = [self.chosen_tile, pointed, fullest].into_iter().flatten();
        let mut kept = wanted.filter_map(|coord| {
            let tile = self.bake.tiles.get(&coord)?;
            Some((coord, tile.serial, tile.stages.as_deref()?))
        });
        let (tile, serial, stages) = kept.next()?;
        let n_steps = film_steps(plan, stages, view.stage()?);
        let replay = Replay { step: Some(0), playing: true };
        (n_steps > 0).then_some(Film { view, tile, serial, n_steps, replay, speed: 1.0 })
    }

    /// The film goes on by a step.
    pub(crate) fn film_on(&mut self) {
        if let Some(film) = &mut self.film {
            film.replay = film.replay.later(film.n_steps);
        }
    }
}
