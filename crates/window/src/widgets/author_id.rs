//! Ids of controls that do not change with the language, for tests and for programs that operate the window.

use std::fmt::Display;

use eframe::egui::{Id, Response};

/// Gives a control its `author_id` in the accessibility tree.
pub trait AuthorId {
    /// Sets the id. It consists of the owner and the control, as in `settings.agent_radius`; the control of a command
    /// has the id of the command.
    #[expect(clippy::return_self_not_must_use, reason = "the response is often unused")]
    fn author_id(self, id: impl Display) -> Self;
}

impl AuthorId for Response {
    fn author_id(self, id: impl Display) -> Self {
        self.ctx.accesskit_node_builder(self.id, |node| node.set_author_id(id.to_string()));
        self
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Labeled<'a> {
    pub label: Id,
    pub id: &'a str,
}

impl Labeled<'_> {
    pub fn name(self, control: Response) -> Response {
        control.labelled_by(self.label).author_id(self.id)
    }
}
