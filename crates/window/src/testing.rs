//! Shared by the tests of the window: controls found by their ids, a window with a single panel in it, pictures.

use std::collections::BTreeSet;

use eframe::egui;
use egui_kittest::{
    Harness, Node,
    kittest::{By, NodeT as _, Queryable as _},
};
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, Commands},
    session::{Session, SessionView},
};
use walkable_workspace::format::unbroken;

use crate::theme::Theme;

/// Finds controls by their ids, and texts if a test is about the words. Controls are not found by their texts, because
/// labels change with the language.
pub(crate) trait Find {
    fn by_id(&self, id: impl Into<String>) -> Node<'_>;
    /// Returns the control with this id, if it exists.
    fn find_id(&self, id: impl Into<String>) -> Option<Node<'_>>;
    /// Returns the controls whose ids begin with `start`.
    fn all_by_id(&self, start: &str) -> Vec<Node<'_>>;
    /// Returns the control that has the focus.
    fn focused(&self) -> Option<Node<'_>>;
    /// Returns the rectangle of this text, which must occur once. Here and below, spaces in the window may be
    /// non-breaking.
    fn text(&self, text: &str) -> egui::Rect;
    /// Returns the rectangle of the text that contains `part`, which must occur once.
    fn text_with(&self, part: &str) -> egui::Rect;
    /// Returns the rectangles of the controls with this text.
    fn texts(&self, text: &str) -> Vec<egui::Rect>;
    /// Returns the rectangles of the texts that contain `part`.
    fn texts_with(&self, part: &str) -> Vec<egui::Rect>;
    fn n_texts(&self, text: &str) -> usize;
    fn n_texts_with(&self, part: &str) -> usize;
    /// Returns labels, values and descriptions of all controls.
    fn all_texts(&self) -> Vec<String>;
}

impl<S> Find for Harness<'_, S> {
    #[track_caller]
    fn by_id(&self, id: impl Into<String>) -> Node<'_> {
        let id = id.into();
        self.find_id(&*id).unwrap_or_else(|| {
            let id_of = |node: &Node<'_>| node.accesskit_node().author_id().map(str::to_owned);
            let all: Vec<_> = self.all_by_id("").iter().filter_map(id_of).collect();
            panic!("no control is {id}; there are {all:?}")
        })
    }

    #[track_caller]
    fn find_id(&self, id: impl Into<String>) -> Option<Node<'_>> {
        let id = id.into();
        self.query_by(move |node| node.author_id() == Some(&*id))
    }

    fn all_by_id(&self, start: &str) -> Vec<Node<'_>> {
        let start = start.to_owned();
        self.query_all_by(move |node| node.author_id().is_some_and(|id| id.starts_with(&start)))
            .collect()
    }

    fn focused(&self) -> Option<Node<'_>> {
        self.query_all_by(|_| true).find(|node| node.accesskit_node().is_focused())
    }

    #[track_caller]
    fn text(&self, text: &str) -> egui::Rect {
        let found = self.texts(text);
        assert_eq!(found.len(), 1, "texts {text:?}");
        found[0]
    }

    #[track_caller]
    fn text_with(&self, part: &str) -> egui::Rect {
        let found = self.texts_with(part);
        assert_eq!(found.len(), 1, "texts with {part:?}");
        found[0]
    }

    fn texts(&self, text: &str) -> Vec<egui::Rect> {
        rects(self, text, |form| By::new().label(form))
    }

    fn texts_with(&self, part: &str) -> Vec<egui::Rect> {
        rects(self, part, |form| By::new().label_contains(form))
    }

    fn n_texts(&self, text: &str) -> usize {
        self.texts(text).len()
    }

    fn n_texts_with(&self, part: &str) -> usize {
        self.texts_with(part).len()
    }

    fn all_texts(&self) -> Vec<String> {
        let texts_of = |node: Node<'_>| {
            let node = node.accesskit_node();
            [node.label(), node.value(), node.description()].into_iter().flatten()
        };
        self.query_all_by(|_| true).flat_map(texts_of).collect()
    }
}

/// Returns the rectangles of the controls found by `text`, with plain or non-breaking spaces.
fn rects<S>(
    harness: &Harness<'_, S>,
    text: &str,
    by: impl for<'t> Fn(&'t str) -> By<'t>,
) -> Vec<egui::Rect> {
    let forms = BTreeSet::from([text.to_owned(), unbroken(text)]);
    let mut rects = Vec::new();
    for form in &forms {
        rects.extend(harness.query_all(by(form)).map(|node| node.rect()));
    }
    rects
}

/// A panel, the session it shows, and the commands it pushed.
pub(crate) struct Bench<P> {
    pub(crate) panel: P,
    pub(crate) session: Session,
    pub(crate) sent: Vec<Command>,
}

impl<P> Bench<P> {
    /// Returns the commands sent since the last call.
    pub(crate) fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.sent)
    }
}

pub(crate) type Draw<P> = fn(&mut P, &mut egui::Ui, &SessionView<'_>, &mut Commands);

/// Creates a window of this size that contains only the panel. All commands are recorded; changes of the document are
/// also carried out.
pub(crate) fn bench<P: Default + 'static>(
    size: [f32; 2],
    session: Session,
    draw: Draw<P>,
) -> Harness<'static, Bench<P>> {
    let state = Bench { panel: P::default(), session, sent: Vec::new() };
    let frame = move |ui: &mut egui::Ui, state: &mut Bench<P>| {
        let mut out = Commands::default();
        let view = SessionView { session: &state.session, auto_bake: true };
        draw(&mut state.panel, ui, &view, &mut out);
        for command in out.take() {
            state.sent.push(command.clone());
            carry_out(&mut state.session, command);
        }
    };
    let builder = Harness::builder().with_size(size).with_context_setup(Theme::install);
    let mut harness = builder.with_max_steps(30).build_ui_state(frame, state);
    harness.run();
    harness
}

fn carry_out(session: &mut Session, command: Command) {
    let history = &mut session.history;
    match command {
        Command::Begin(label) => history.begin(label),
        Command::Apply(edit) => {
            history.change(Phrase::verbatim("drag"), |document| edit.apply(document));
        }
        Command::Change(label, edit) => history.change(label, |document| edit.apply(document)),
        Command::Commit => history.commit(),
        Command::Abort => history.abort(),
        _ => {}
    }
}

/// Saves a picture of the window in the folder `WALKABLE_PICTURES`, for inspection. Does nothing if the variable is not
/// set.
pub(crate) fn picture<S>(harness: &mut Harness<'_, S>, name: &str) {
    if std::env::var_os("WALKABLE_PICTURES").is_some() {
        save(&harness.render().expect("a graphics driver is available"), name);
    }
}

/// Saves `image` in the folder `WALKABLE_PICTURES`. Does nothing if the variable is not set.
pub(crate) fn save(image: &image::RgbaImage, name: &str) {
    if let Some(folder) = std::env::var_os("WALKABLE_PICTURES") {
        let file = std::path::Path::new(&folder).join(format!("{name}.png"));
        image.save(file).expect("the folder for pictures is writable");
    }
}
