//! The playback controls: step, play, scrub.

use eframe::egui::{self, accesskit::Role};
use walkable_editor::session::Replay;
use walkable_workspace::lang::tr;

use crate::{
    icons::{self, MaterialIcon},
    widgets::{author_id::AuthorId as _, buttons},
};

#[derive(Clone, Copy, Debug)]
pub struct Player<'a> {
    pub id: &'a str,
    /// What is played, such as "search".
    pub whole: &'a str,
    /// One step, such as "node".
    pub step: &'a str,
    pub end: &'a str,
    pub n_steps: usize,
}

impl Player<'_> {
    /// Draws buttons to step and play; returns the changed state.
    pub fn buttons_ui(&self, ui: &mut egui::Ui, replay: Replay) -> Replay {
        let (mut next, shown) = (replay, self.shown(replay));
        let verb = if replay.playing { tr!("Pause") } else { tr!("Play") };
        let icon = if replay.playing { icons::ICON_PAUSE } else { icons::ICON_PLAY_ARROW };
        let (whole, step) = (self.whole, self.step);
        let buttons: [(&str, MaterialIcon, String, Replay); 5] = [
            ("first", icons::ICON_SKIP_PREVIOUS, tr!("Before the first {step}"), Replay::at(0)),
            (
                "back",
                icons::ICON_CHEVRON_LEFT,
                tr!("One {step} back"),
                Replay::at(shown.saturating_sub(1)),
            ),
            ("play", icon, tr!("{verb} the {whole}"), replay.toggled(self.n_steps)),
            (
                "on",
                icons::ICON_CHEVRON_RIGHT,
                tr!("One {step} on"),
                Replay::at((shown + 1).min(self.n_steps)),
            ),
            ("outcome", icons::ICON_SKIP_NEXT, self.end.to_owned(), Replay::default()),
        ];
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (key, icon, name, wanted) in buttons {
                let button = buttons::icon(ui, icon, &name);
                if button.author_id(format_args!("{}.{key}", self.id)).clicked() {
                    next = wanted;
                }
            }
        });
        next
    }

    /// Draws a slider over all steps, `width` points wide; returns the changed state.
    pub fn slider_ui(&self, ui: &mut egui::Ui, replay: Replay, width: f32) -> Replay {
        let mut step = self.shown(replay);
        ui.spacing_mut().slider_width = width;
        let slider = egui::Slider::new(&mut step, 0..=self.n_steps.max(1)).show_value(false);
        let slider = ui.add(slider).author_id(format_args!("{}.step", self.id));
        let name = tr!("{} step", walkable_workspace::format::sentence(self.whole));
        slider.widget_info(|| egui::WidgetInfo::labeled(Role::Slider, true, &name));
        if slider.changed() { Replay::at(step.min(self.n_steps)) } else { replay }
    }

    pub fn shown(&self, replay: Replay) -> usize {
        replay.step.unwrap_or(self.n_steps).min(self.n_steps)
    }
}
