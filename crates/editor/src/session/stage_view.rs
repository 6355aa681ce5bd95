//! Steps through the stages.

use walkable_workspace::stage_view::StageView;

use super::Session;

impl Session {
    /// Shows one stage further along the pipeline; the animation ends at the last one.
    pub fn play_on(&mut self) {
        self.shown.stage = self.shown.stage.next();
        self.shown.playing &= self.shown.stage != StageView::Navmesh;
    }

    /// Starts or stops the animation; at the end of the pipeline it starts from the beginning.
    pub fn toggle_play(&mut self) {
        self.shown.playing = !self.shown.playing;
        if self.shown.playing && self.shown.stage == StageView::Navmesh {
            self.shown.stage = StageView::Input;
        }
    }
}
