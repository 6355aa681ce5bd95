//! The animation of a stage in one tile.

use std::{sync::Arc, time::Duration};

use walkable::{
    bake::{AnimatedStage, BakePlan, Intermediates},
    ids::TileCoord,
};
use walkable_workspace::stage_view::StageView;

use super::{AnimationFrames, Replay, Session};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationState {
    pub view: StageView,
    pub tile: TileCoord,
    /// Serial number of the tile's result; a new result ends the animation.
    pub serial: u64,
    /// Number of steps; 0 until they have been counted.
    pub n_steps: usize,
    /// Name of a step, such as "triangle".
    pub step: &'static str,
    pub replay: Replay,
    /// The playback speed, 1 for normal.
    pub speed: f32,
}

#[derive(Clone, Debug)]
pub struct FrameRequest {
    pub plan: Arc<BakePlan>,
    pub stages: Arc<Intermediates>,
    pub tile: TileCoord,
    pub of: AnimatedStage,
    /// Steps to show, the most urgent first.
    pub steps: Vec<usize>,
}

impl AnimationState {
    pub const SPEEDS: [f32; 4] = [0.25, 1.0, 4.0, 16.0];
    /// Minimum duration of a frame.
    const SHORTEST: Duration = Duration::from_millis(16);

    /// Returns the duration of each frame while the animation runs, and the number of steps between frames.
    pub fn pace(&self) -> (Duration, usize) {
        // Animations with few steps show each step for longer.
        let usual = Duration::from_millis(match self.n_steps {
            0..=10 => 900,
            11..=60 => 200,
            _ => 40,
        });
        let shown = usual.div_f32(self.speed);
        let n = (1..=64).find(|&n| Self::SHORTEST <= shown * n).unwrap_or(64);
        (shown * n, Replay::stride(self.n_steps) * n as usize)
    }

    /// Returns the current step; `None` if the finished stage is shown.
    pub fn shown(&self) -> Option<usize> {
        let step = self.replay.step?;
        (self.n_steps == 0 || step < self.n_steps).then_some(step)
    }

    /// Returns the steps whose frames will be shown soon, in order.
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

impl Session {
    pub fn animation(&self) -> Option<AnimationState> {
        let animation =
            self.shown.animation.filter(|animation| animation.view == self.shown.stage)?;
        let tile = self.bake.tiles.get(&animation.tile)?;
        (tile.serial == animation.serial && tile.plan.is_some()).then_some(animation)
    }

    /// Starts the animation of the current stage in the chosen tile, else the hovered one, else the one with the most
    /// to show. Does nothing if the stage cannot be animated.
    pub fn begin_animation(&mut self) {
        self.shown.animation = self.new_animation();
        self.shown.animation_frames = AnimationFrames::default();
        self.shown.playing = false;
    }

    fn new_animation(&self) -> Option<AnimationState> {
        let (view, plan) = (self.shown.stage, self.bake.plan.as_deref()?);
        view.animated()?;
        let place = self.tools.selection.or(self.tools.hover).map(|place| place.point);
        let pointed = place.and_then(|point| walkable::explain::tile_at(plan, point));
        let kept = self.bake.tiles.iter().filter(|(_, tile)| self.bake.stages_of(tile).is_some());
        let fullest = kept.max_by_key(|(_, tile)| tile.counts.get(StageView::Navmesh));
        let fullest = fullest.map(|(coord, _)| *coord);
        let wanted = [self.shown.chosen_tile, pointed, fullest].into_iter().flatten();
        let mut baked = wanted.filter_map(|coord| {
            let tile = self.bake.tiles.get(&coord)?;
            tile.plan.is_some().then_some((coord, tile.serial))
        });
        let (tile, serial) = baked.next()?;
        let replay = Replay { step: Some(0), playing: true };
        Some(AnimationState { view, tile, serial, n_steps: 0, step: "step", replay, speed: 1.0 })
    }

    /// Sets the number of steps and the name of a step; an animation without steps ends.
    pub fn animation_opened(&mut self, n_steps: usize, step: &'static str) {
        let Some(animation) = self.shown.animation.as_mut().filter(|_| n_steps > 0) else {
            self.shown.animation = None;
            return;
        };
        (animation.n_steps, animation.step) = (n_steps, step);
    }

    pub fn animation_on(&mut self) {
        if let Some(animation) = &mut self.shown.animation {
            animation.replay = animation.replay.later_by(animation.n_steps, animation.pace().1);
        }
    }

    pub fn animation_waits(&self) -> bool {
        let step = self.animation().and_then(|animation| animation.shown());
        step.is_some_and(|step| self.shown.animation_frames.frame(step).is_none())
    }

    /// Returns a request for the frames needed now, if they differ from those being made.
    pub fn wanted_frames(&mut self) -> Option<FrameRequest> {
        let Some(animation) = self.animation() else {
            self.shown.animation_frames = AnimationFrames::default();
            return None;
        };
        let tile = self.bake.tiles.get(&animation.tile)?;
        // Missing stages have already been requested.
        let stages = Arc::clone(self.bake.stages_of(tile)?);
        let plan = tile.plan.clone()?;
        let steps = animation.soon(animation.shown()?, self.shown.animation_frames.n_ahead());
        let steps = self.shown.animation_frames.ask(steps)?;
        Some(FrameRequest {
            plan,
            stages,
            tile: animation.tile,
            of: animation.view.animated()?,
            steps,
        })
    }
}
