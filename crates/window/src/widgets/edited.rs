//! What the user did to a control in this frame, in terms of undo: a drag is one undo step, and so is a typed value.

use eframe::egui;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, Commands},
    session::Edit,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a frame can bring any of them together")]
pub struct Edited {
    pub began: bool,
    /// A drag begins, continues or ends.
    pub dragging: bool,
    pub changed: bool,
    pub ended: bool,
    pub aborted: bool,
}

impl Edited {
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

    pub const fn at_once() -> Self {
        Self { began: false, dragging: false, changed: true, ended: false, aborted: false }
    }

    /// Returns `self`, or a change in one step if nothing was dragged or typed but `now` differs from `before`.
    #[must_use]
    pub fn or_at_once<T: PartialEq>(self, now: &T, before: &T) -> Self {
        if self == Self::default() && now != before { Self::at_once() } else { self }
    }

    /// Sends the commands that apply `edit`, the new value, to the document. The result is one undo step named `label`.
    pub fn send(self, label: Phrase, edit: Edit, out: &mut Commands) {
        let command = |label| {
            if self.dragging { Command::Apply(edit) } else { Command::Change(label, edit) }
        };
        self.send_command(label, command, out);
    }

    /// Sends the command that `command` creates with `label`. All changes of a drag are one undo step.
    pub fn send_command<C: Into<Command>>(
        self,
        label: Phrase,
        command: impl FnOnce(Phrase) -> C,
        out: &mut Commands,
    ) {
        if self == Self::default() {
            return;
        }
        if self.began {
            out.push(Command::Begin(label.clone()));
        }
        if self.changed {
            out.push(command(label));
        }
        if self.ended {
            out.push(Command::Commit);
        }
        if self.aborted {
            out.push(Command::Abort);
        }
    }

    /// Combines the changes of two controls of the same value.
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
