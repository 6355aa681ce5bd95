//! What tests of the window share: controls found by their ids, a window with a single panel in it, pictures.

use eframe::egui;
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable as _},
};
use walkable_editor::{
    command::{Command, Commands},
    session::{Session, SessionView},
};

use crate::theme::Theme;

/// Finds controls by their ids, and texts where the words themselves are tested. A text is no control: a label
/// changes with the language, so nothing is clicked by it.
pub(crate) trait Find {
    /// The control with this id.
    fn by_id(&self, id: impl Into<String>) -> Node<'_>;
    /// The control with this id, if it is there.
    fn find_id(&self, id: impl Into<String>) -> Option<Node<'_>>;
    /// The controls whose ids begin with `start`.
    fn all_by_id(&self, start: &str) -> Vec<Node<'_>>;
    /// Where this text stands, which is there once.
    fn text(&self, text: &str) -> egui::Rect;
    /// Where a text stands that contains `part`, which is there once.
    fn text_with(&self, part: &str) -> egui::Rect;
    /// How often this text is there.
    fn n_texts(&self, text: &str) -> usize;
    /// How many texts contain `part`.
    fn n_texts_with(&self, part: &str) -> usize;
    /// Labels, values and descriptions of all controls.
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

    #[track_caller]
    fn text(&self, text: &str) -> egui::Rect {
        self.get_by_label(text).rect()
    }

    #[track_caller]
    fn text_with(&self, part: &str) -> egui::Rect {
        self.get_by_label_contains(part).rect()
    }

    fn n_texts(&self, text: &str) -> usize {
        self.query_all_by_label(text).count()
    }

    fn n_texts_with(&self, part: &str) -> usize {
        self.query_all_by_label_contains(part).count()
    }

    fn all_texts(&self) -> Vec<String> {
        let texts_of = |node: Node<'_>| {
            let node = node.accesskit_node();
            [node.label(), node.value(), node.description()].into_iter().flatten()
        };
        self.query_all_by(|_| true).flat_map(texts_of).collect()
    }
}

/// A panel, the session it shows, and the commands it pushed.
pub(crate) struct Bench<P> {
    pub(crate) panel: P,
    pub(crate) session: Session,
    pub(crate) sent: Vec<Command>,
}

impl<P> Bench<P> {
    /// The commands sent since the last call.
    pub(crate) fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.sent)
    }
}

/// How a panel is drawn.
pub(crate) type Draw<P> = fn(&mut P, &mut egui::Ui, &SessionView<'_>, &mut Commands);

/// A window of this size with nothing but the panel in it. Changes of the document are carried out,
/// other commands only noted.
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
        Command::Apply(edit) => history.change("drag", |document| edit.apply(document)),
        Command::Change(label, edit) => history.change(label, |document| edit.apply(document)),
        Command::Commit => history.commit(),
        Command::Abort => history.abort(),
        _ => {}
    }
}

/// Saves a picture of the window in the folder that `WALKABLE_PICTURES` names, to be looked at; does nothing
/// without it.
pub(crate) fn picture<S>(harness: &mut Harness<'_, S>, name: &str) {
    if std::env::var_os("WALKABLE_PICTURES").is_some() {
        save(&harness.render().expect("there is a driver to render with"), name);
    }
}

/// Saves `image` in the folder that `WALKABLE_PICTURES` names; does nothing without it.
pub(crate) fn save(image: &image::RgbaImage, name: &str) {
    if let Some(folder) = std::env::var_os("WALKABLE_PICTURES") {
        let file = std::path::Path::new(&folder).join(format!("{name}.png"));
        image.save(file).expect("the folder for pictures can be written to");
    }
}
