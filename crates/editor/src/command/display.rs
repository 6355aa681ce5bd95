//! Commands for how the level and the stages are displayed.

use walkable_workspace::{lang::tr, stage_view::StageView};

use super::{
    Command,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::{
    session::{
        ColorBy, Datum, LabelKind, LayerDisplay, Overlay, Session, Slice, SliceDirection, stories,
    },
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DisplayCommand {
    /// Sets the opacity of the level, from 0 to 1.
    Level(f32),
    Stage(f32),
    /// Sets the opacity of another stage drawn under the current one; `None` hides it.
    Under(StageView, Option<f32>),
    /// Limits the view to a range of heights.
    Slice(Slice),
    StoryUp,
    StoryDown,
    AllHeights,
    /// Moves the divider between previous (left) and current results to a fraction of the width; `None` hides it.
    Divide(Option<f32>),
    ToggleDivider,
    PinBaseline,
    /// Uses the previous bake as the baseline again.
    FollowLastBake,
    PointAt(Option<usize>),
    PointAtDatum(Option<Datum>),
    ColorBy(ColorBy),
    ToggleLabel(LabelKind),
    ToggleOverlay(Overlay),
    Layers(LayerDisplay),
}

impl DisplayCommand {
    pub(super) fn listed() -> Vec<Command> {
        let plain = [
            Self::StoryUp,
            Self::StoryDown,
            Self::AllHeights,
            Self::ToggleDivider,
            Self::PinBaseline,
            Self::FollowLastBake,
        ];
        let colors = ColorBy::ALL.map(Self::ColorBy);
        let labels = LabelKind::ALL.map(Self::ToggleLabel);
        let overlays = Overlay::ALL.map(Self::ToggleOverlay);
        let all = plain.into_iter().chain(colors).chain(labels).chain(overlays);
        all.map(Command::from).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(self) -> Description {
        match self {
            Self::Level(_) => says(
                "display.level",
                tr!("Opacity of the level"),
                tr!("How opaque the level is drawn"),
            ),
            Self::Stage(_) => says(
                "display.stage",
                tr!("Opacity of the stage"),
                tr!("How opaque the stage is drawn"),
            ),
            Self::Under(stage, Some(_)) => says(
                format!("display.under.{}", variant_id(stage)),
                tr!("Show {} too", lower_first(stage.name())),
                tr!("Draws another stage together with the current one"),
            ),
            Self::Under(stage, None) => says(
                format!("display.under.{}", variant_id(stage)),
                tr!("Hide {}", lower_first(stage.name())),
                tr!("Hides this overlay"),
            ),
            Self::Slice(_) => says(
                "display.slice",
                tr!("Slice by height"),
                tr!("Draws only what lies between two heights"),
            ),
            Self::StoryUp => {
                says("display.storey-up", tr!("Story up"), tr!("Shows only the next story up"))
                    .needs(
                        |session| session.bake.navmesh.is_some(),
                        tr!("Open a level and bake it first."),
                    )
                    .key(Shortcut::plain(Key::PageUp))
            }
            Self::StoryDown => says(
                "display.storey-down",
                tr!("Story down"),
                tr!("Shows only the next story down"),
            )
            .needs(|session| session.bake.navmesh.is_some(), tr!("Open a level and bake it first."))
            .key(Shortcut::plain(Key::PageDown)),
            Self::AllHeights => says(
                "display.all-heights",
                tr!("Show all heights"),
                tr!("Ends the slice by height"),
            )
            .needs(
                |session| {
                    session.shown.display.slice != Slice::ALL
                        || session.shown.display.story.is_some()
                },
                tr!("Nothing is hidden by height."),
            ),
            Self::Divide(_) | Self::ToggleDivider => says(
                "display.toggle-divider",
                tr!("Compare before and after"),
                tr!("Divides the view: previous bake on the left, current bake on the right"),
            )
            .key(Shortcut::plain(Key::Char('C'))),
            Self::PinBaseline => says(
                "display.keep-before",
                tr!("Pin as baseline"),
                tr!("Compares later bakes with the current one, not with their previous bake"),
            )
            .needs(
                |session| !session.bake.tiles.is_empty() && session.preview.is_none(),
                tr!("Bake the level first, and keep or discard the fix."),
            ),
            Self::FollowLastBake => says(
                "display.follow-last-bake",
                tr!("Compare with the previous bake"),
                tr!("Compares each bake with the previous one again"),
            )
            .needs(
                |session| {
                    let before = session.bake.before.as_ref();
                    session.preview.is_none() && before.is_some_and(|before| before.is_pinned)
                },
                tr!("Pin a bake as baseline first, and keep or discard the fix."),
            ),
            Self::PointAt(_) => says(
                "display.point-at",
                tr!("Highlight object"),
                tr!("Highlights an object of the level"),
            ),
            Self::PointAtDatum(_) => says(
                "display.point-at-datum",
                tr!("Highlight data"),
                tr!("Highlights a piece of a tile's data"),
            ),
            Self::ColorBy(by) => says(
                format!("display.color-by.{}", by.key()),
                tr!("Color by {}", lower_first(by.name())),
                by.what(),
            ),
            Self::ToggleLabel(kind) => says(
                format!("display.label.{}", variant_id(kind)),
                tr!("Label {}", lower_first(kind.name())),
                kind.what(),
            ),
            Self::ToggleOverlay(overlay) => says(
                format!("display.overlay.{}", variant_id(overlay)),
                overlay.name(),
                overlay.what(),
            ),
            Self::Layers(_) => says(
                "display.layers",
                tr!("Layer data"),
                tr!("Shows this data of the tile cache layers"),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) {
        let display = &mut session.shown.display;
        match self {
            Self::Level(opacity) => display.level = opacity.clamp(0.0, 1.0),
            Self::Stage(opacity) => display.stage = opacity.clamp(0.0, 1.0),
            Self::Under(stage, opacity) => display.put_under(stage, opacity),
            Self::Slice(slice) => (display.slice, display.story) = (slice, None),
            Self::AllHeights => (display.slice, display.story) = (Slice::ALL, None),
            Self::StoryUp => step(session, SliceDirection::Up),
            Self::StoryDown => step(session, SliceDirection::Down),
            Self::Divide(at) => divide(session, at),
            Self::ToggleDivider => {
                let at = session.shown.display.divider.is_none().then_some(0.5);
                divide(session, at);
            }
            Self::PinBaseline => {
                session.bake.keep_before();
                session.update_path();
            }
            Self::FollowLastBake => follow_last(session),
            Self::PointAt(part) => display.part = part,
            Self::PointAtDatum(datum) => display.datum = datum,
            Self::ColorBy(by) => display.color_by = by,
            Self::ToggleLabel(kind) => display.toggle_label(kind),
            Self::ToggleOverlay(overlay) => display.toggle_overlay(overlay),
            Self::Layers(layers) => display.layers = layers,
        }
    }
}

fn divide(session: &mut Session, at: Option<f32>) {
    session.shown.display.divider = at.map(|at| at.clamp(0.02, 0.98));
    session.bake.compares = at.is_some();
}

fn follow_last(session: &mut Session) {
    if let Some(before) = &mut session.bake.before {
        before.is_pinned = false;
        before.navmesh = None;
    }
    session.update_path();
}

fn step(session: &mut Session, direction: SliceDirection) {
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return };
    let stories = stories(navmesh, session.document().settings.agent_height);
    session.shown.display.step(&stories, direction);
}
