//! A window with a single panel in it, for the tests of that panel.

use eframe::egui;
use egui_kittest::Harness;
use walkable_editor::{
    command::{Command, Commands},
    session::{Session, SessionView},
};

use crate::theme::Theme;

/// A panel, the session it shows, and the commands it pushed.
pub(super) struct Bench<P> {
    pub(super) panel: P,
    pub(super) session: Session,
    pub(super) sent: Vec<Command>,
}

impl<P> Bench<P> {
    /// The commands sent since the last call.
    pub(super) fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.sent)
    }
}

/// How a panel is drawn.
pub(super) type Draw<P> = fn(&mut P, &mut egui::Ui, &SessionView<'_>, &mut Commands);

/// A window of this size with nothing but the panel in it. Changes of the document are carried out,
/// other commands only noted.
pub(super) fn bench<P: Default + 'static>(
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

/// Saves a picture where `WALKABLE_PICTURES` says, to be looked at; nothing without it.
pub(super) fn picture<P>(harness: &mut Harness<'_, Bench<P>>, name: &str) {
    if let Some(folder) = std::env::var_os("WALKABLE_PICTURES") {
        let image = harness.render().expect("there is a driver to render with");
        let file = std::path::Path::new(&folder).join(format!("{name}.png"));
        image.save(file).expect("the folder for pictures can be written to");
    }
}
