//! What the user did to a control this frame, in terms of undo: a drag is one step, so is a typed value.

use std::borrow::Cow;

use eframe::egui;
use walkable_editor::{
    command::{Command, Commands},
    session::Edit,
};

/// What happened to a control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a frame can bring any of them together")]
pub struct Edited {
    /// A drag began.
    pub began: bool,
    /// A drag is under way, begins or ends.
    pub dragging: bool,
    /// The value is another one.
    pub changed: bool,
    /// A drag ended.
    pub ended: bool,
    /// The drag was called off.
    pub aborted: bool,
}

impl Edited {
    /// Reads it from a control that is dragged or typed into.
    pub fn of(response: &egui::Response) -> Self {
        let escaped = || response.ctx.input(|input| input.key_pressed(egui::Key::Escape));
        let stopped = response.drag_stopped();
        let aborted = stopped && escaped();
        Self {
            began: response.drag_started(),
            dragging: response.dragged() || stopped,
            changed: response.changed() && !aborted,
            ended: stopped && !aborted,
            aborted,
        }
    }

    /// A change in one step.
    pub const fn at_once() -> Self {
        Self { began: false, dragging: false, changed: true, ended: false, aborted: false }
    }

    /// This, or a change in one step where nothing was dragged or typed and yet `now` is not `before`.
    #[must_use]
    pub fn or_at_once<T: PartialEq>(self, now: &T, before: &T) -> Self {
        if self == Self::default() && now != before { Self::at_once() } else { self }
    }

    /// Sends what makes `edit`, the new value, part of the document: one step of `label` in the end.
    pub fn send(self, label: impl Into<Cow<'static, str>>, edit: Edit, out: &mut Commands) {
        if self == Self::default() {
            return;
        }
        let label = label.into();
        if self.began {
            out.push(Command::Begin(label.clone()));
        }
        if self.changed {
            out.push(if self.dragging {
                Command::Apply(edit)
            } else {
                Command::Change(label, edit)
            });
        }
        if self.ended {
            out.push(Command::Commit);
        }
        if self.aborted {
            out.push(Command::Abort);
        }
    }

    /// What happened to either of two controls of the same value.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            began: self.began || other.began,
            dragging: self.dragging || other.dragging,
            changed: self.changed || other.changed,
            ended: self.ended || other.ended,
            aborted: self.aborted || other.aborted,
        }
    }
}
