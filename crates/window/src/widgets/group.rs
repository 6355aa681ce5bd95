//! Groups of a panel that the user opens and closes, and lists of which only the visible rows are drawn.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use eframe::egui::{
    self, Label, Rect, RichText, Sense, UiBuilder, WidgetInfo, accesskit::Role,
    collapsing_header::CollapsingState, pos2, vec2,
};

use crate::{theme::Theme, widgets::author_id::AuthorId as _};

/// Number of rows that are drawn on each side of the visible ones, so that Tab reaches them.
const MARGIN: usize = 3;
const CLOSED: &str = "closed groups";

/// A group of a panel: a header, and a body that is hidden while the group is closed. It is open at first.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    pub id: &'a str,
    pub title: &'a str,
    /// Whether the group is open in any case, for example because a search found something in it.
    pub is_forced_open: bool,
}

impl Group<'_> {
    /// Draws the group. `closed_ui` draws what follows the title while the group is closed.
    pub fn show(
        self,
        ui: &mut egui::Ui,
        closed_ui: impl FnOnce(&mut egui::Ui),
        body_ui: impl FnOnce(&mut egui::Ui),
    ) {
        let id = ui.make_persistent_id(("group", self.id));
        let was_open = !closed_groups(ui.ctx()).contains(self.id);
        let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, was_open);
        if self.is_forced_open {
            state.set_open(true);
        }
        let is_open = state.is_open();
        let theme = Theme::of(ui.ctx().theme());
        ui.add_space(4.0);
        let (left, right, y) = (ui.max_rect().left(), ui.max_rect().right(), ui.cursor().top());
        ui.painter().hline(left..=right, y, (1.0, theme.border));
        let mut title = None;
        let mut header = state.show_header(ui, |ui| {
            // The title can be clicked, but Tab stops only at the triangle.
            let label = Label::new(RichText::new(self.title).strong()).selectable(false);
            title = Some(ui.add(label.sense(Sense::CLICK)));
            if !is_open {
                closed_ui(ui);
            }
        });
        if title.as_ref().is_some_and(egui::Response::clicked) {
            header.toggle();
        }
        let is_open = header.is_open();
        let (triangle, _, _) = header.body_unindented(body_ui);
        if is_open != was_open {
            let mut closed = BTreeSet::clone(&closed_groups(&triangle.ctx));
            if is_open {
                closed.remove(self.id)
            } else {
                closed.insert(self.id.to_owned())
            };
            set_closed_groups(&triangle.ctx, closed);
        }
        triangle.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, self.title));
        triangle.ctx.accesskit_node_builder(triangle.id, |node| node.set_expanded(is_open));
        let triangle = triangle.author_id(self.id);
        if let Some(title) = title {
            triangle.labelled_by(title.id);
        }
    }
}

pub fn closed_groups(ctx: &egui::Context) -> Arc<BTreeSet<String>> {
    ctx.data(|data| data.get_temp(egui::Id::unique(CLOSED))).unwrap_or_default()
}

/// Closes those groups that were not drawn yet.
pub fn set_closed_groups(ctx: &egui::Context, closed: BTreeSet<String>) {
    ctx.data_mut(|data| data.insert_temp(egui::Id::unique(CLOSED), Arc::new(closed)));
}

/// Draws those of `n` rows that are visible, each with this height, and leaves space for the others. The rows are part of
/// a larger scroll area; [`egui::ScrollArea::show_rows`] is for rows that have one of their own.
pub fn rows_ui(
    ui: &mut egui::Ui,
    height: f32,
    n: usize,
    mut row_ui: impl FnMut(&mut egui::Ui, usize),
) {
    if n == 0 {
        return;
    }
    let spacing = ui.spacing().item_spacing.y;
    let size = vec2(ui.available_width(), points(height + spacing, n) - spacing);
    let (_, all) = ui.allocate_space(size);
    let drawn = rows_within(all.top(), height + spacing, n, ui.clip_rect());
    ui.skip_ahead_auto_ids(drawn.start);
    for row in drawn.clone() {
        let top = all.top() + points(height + spacing, row);
        let rect = Rect::from_min_size(pos2(all.left(), top), vec2(size.x, height));
        // A scope would move the cursor, which is already behind the last row.
        row_ui(&mut ui.new_child(UiBuilder::new().max_rect(rect)), row);
    }
    // Controls after the list keep their ids when it scrolls.
    ui.skip_ahead_auto_ids(n - drawn.end);
}

/// Returns the rows to draw, of `n` rows from `top` downwards.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts saturate, and the result is limited to the number of rows"
)]
fn rows_within(top: f32, pitch: f32, n: usize, clip: Rect) -> Range<usize> {
    let first = ((clip.top() - top) / pitch).floor() as usize;
    let end = ((clip.bottom() - top) / pitch).ceil() as usize;
    let end = end.saturating_add(MARGIN).min(n);
    first.saturating_sub(MARGIN).min(end)..end
}

#[expect(clippy::cast_precision_loss, reason = "a list of 16 million rows cannot be scrolled")]
fn points(pitch: f32, n: usize) -> f32 {
    pitch * n as f32
}

#[cfg(test)]
mod tests {
    use eframe::egui::Vec2;

    use super::*;

    #[test]
    fn only_rows_near_the_visible_part_are_drawn() {
        let clip = Rect::from_min_size(pos2(0.0, 100.0), Vec2::splat(200.0));
        let rows = |top, n| rows_within(top, 20.0, n, clip);
        assert_eq!(rows(100.0, 5000), 0..10 + MARGIN);
        assert_eq!(rows(-19_900.0, 5000), 1000 - MARGIN..1010 + MARGIN);
        assert_eq!(rows(100.0, 4), 0..4);
        assert_eq!(rows(500.0, 100), 0..MARGIN, "below the visible part");
        assert_eq!(rows(-5000.0, 100), 100..100, "above it");
    }
}
