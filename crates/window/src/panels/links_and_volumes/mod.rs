//! The list of objects placed in the level.

pub mod bound;
pub mod link;
pub mod obstacle;
pub mod proposals;
pub mod several;
pub mod transform;
pub mod volume;

use eframe::egui::{self, RichText};
use glam::Vec3;
use walkable_editor::{
    answer::coordinates,
    area_names::painted_name,
    command::{Command, Commands, PathCommand, ThingCommand, ViewCommand, lower_first, variant_id},
    format,
    lang::tr,
    session::{Document, Edit, Named, SessionView, ShapeKind, Thing, World},
};

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::{add_button, command_button},
        legend::{fact, heading, position_fact},
        text_field::text_field,
    },
};

/// Draws the list; nothing if there are no objects.
pub fn things_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    if sections(document).iter().all(|section| section.things.is_empty()) {
        return;
    }
    let room = ui.available_height() * 0.6;
    let scroll = egui::ScrollArea::vertical().id_salt("things").max_height(room);
    scroll.show(ui, |ui| lists_ui(ui, view, out));
    heading(ui, tr!("Objects"));
}

fn lists_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.spacing_mut().interact_size.y = ui.text_style_height(&egui::TextStyle::Body);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().button_padding.y = 1.0;
    let document = view.document();
    for Section { title, icon, things } in sections(document) {
        if !things.is_empty() {
            heading(ui, title);
        }
        for (thing, note) in things {
            let is_elsewhere = |world: &World| {
                let bounds = thing.bounds_in(document);
                bounds.is_some_and(|bounds| !bounds.overlaps_xz(&world.part))
            };
            let not_loaded = view.world().is_some_and(is_elsewhere);
            let note = if not_loaded { tr!("not loaded").to_owned() } else { note };
            Row { thing, icon, note }.ui(ui, view, out);
        }
    }
}

/// Objects of one kind, each with its description.
struct Section {
    title: &'static str,
    icon: MaterialIcon,
    things: Vec<(Thing, String)>,
}

fn sections(document: &Document) -> [Section; 7] {
    fn listed<T>(
        all: &[Named<T>],
        thing: fn(usize) -> Thing,
        note: impl Fn(&T) -> String,
    ) -> Vec<(Thing, String)> {
        all.iter().enumerate().map(|(number, it)| (thing(number), note(&it.of))).collect()
    }
    let Document { areas, volumes, off_mesh, bounds, obstacles, paths, places, views, .. } =
        document;
    let volumes = listed(volumes, Thing::Volume, |it| painted_name(areas, it.area));
    let links = listed(off_mesh, Thing::Link, |it| format::length(it.start.distance(it.end)));
    let bounds = listed(bounds, Thing::Bound, |it| format::size([it.size().x, it.size().z]));
    let obstacles =
        listed(&obstacles.list, Thing::Obstacle, |it| lower_first(ShapeKind::of(&it.shape).name()));
    let paths = listed(paths, Thing::Path, |it| format::length(it.start.distance(it.end)));
    let places = listed(places, Thing::Place, |it| coordinates(it.at));
    let views = listed(views, Thing::View, |_| String::new());
    [
        Section { title: tr!("Volumes"), icon: icons::ICON_PENTAGON, things: volumes },
        Section { title: tr!("Off-mesh links"), icon: icons::ICON_LINK, things: links },
        Section { title: tr!("Bake boxes"), icon: icons::ICON_SELECT, things: bounds },
        Section { title: tr!("Obstacles"), icon: icons::ICON_DEPLOYED_CODE, things: obstacles },
        Section { title: tr!("Paths"), icon: icons::ICON_ROUTE, things: paths },
        Section { title: tr!("Places"), icon: icons::ICON_LOCATION_ON, things: places },
        Section { title: tr!("Views"), icon: icons::ICON_VIDEOCAM, things: views },
    ]
}

struct Row {
    thing: Thing,
    icon: MaterialIcon,
    note: String,
}

impl Row {
    fn ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let theme = Theme::of(ui.ctx().theme());
        let document = view.document();
        ui.horizontal(|ui| {
            ui.label(RichText::new(self.icon.codepoint).color(theme.text_weak));
            let chosen = view.chosen_things.contains(self.thing);
            let name = self.thing.name(document);
            let mut text = RichText::new(&name);
            if self.thing.is_hidden(document) {
                text = text.color(theme.text_weak);
            }
            let choose = Command::from(ThingCommand::Choose(Some(self.thing)));
            let label = ui.selectable_label(chosen, text).author_id(choose.id());
            if label.clicked() {
                self.choose(ui.input(|input| input.modifiers), view, out);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.eye_ui(ui, &name, view, out);
                ui.label(RichText::new(&self.note).small().color(theme.text_weak));
            });
        });
    }

    /// Selects the object: with Ctrl in addition to others, with Shift together with those in between.
    fn choose(&self, held: egui::Modifiers, view: &SessionView<'_>, out: &mut Commands) {
        if held.command {
            return out.push(ThingCommand::Toggle(self.thing));
        }
        if held.shift {
            return out.push(ThingCommand::ChooseUpTo(self.thing));
        }
        let is_only_one = view.things().into_iter().eq([self.thing]);
        out.push(ThingCommand::Choose((!is_only_one).then_some(self.thing)));
        if let Thing::View(number) = self.thing {
            out.push(ViewCommand::GoTo(number));
        }
    }

    /// Draws the switch that hides the object in the 3D view.
    fn eye_ui(&self, ui: &mut egui::Ui, name: &str, view: &SessionView<'_>, out: &mut Commands) {
        if matches!(self.thing, Thing::Path(_) | Thing::View(_)) {
            return;
        }
        let is_hidden = self.thing.is_hidden(view.document());
        let (icon, verb) = if is_hidden {
            (icons::ICON_VISIBILITY_OFF, tr!("Show"))
        } else {
            (icons::ICON_VISIBILITY, tr!("Hide"))
        };
        let label = format!("{verb} {}", lower_first(name));
        let button = buttons::icon(ui, icon, &label);
        if button.author_id(format_args!("thing.hide.{}", variant_id(self.thing))).clicked() {
            let change = if is_hidden { Thing::show_in } else { Thing::hide_in };
            let edit = Edit::of_things(view.document(), |document| change(self.thing, document));
            out.push(Command::Change(label.into(), edit));
        }
    }
}

/// Draws the description of a saved path, point or camera view.
pub fn kept_ui(ui: &mut egui::Ui, thing: Thing, view: &SessionView<'_>, out: &mut Commands) {
    name_ui(ui, thing, view, out);
    let document = view.document();
    match thing {
        Thing::Path(number) => {
            let Some(path) = document.paths.get(number) else { return };
            for (name, at) in [(tr!("Start"), path.start), (tr!("End"), path.end)] {
                fact(ui, name, &coordinates(at));
            }
        }
        Thing::Place(number) => {
            let Some(place) = document.places.get(number) else { return };
            position_fact(ui, place.at);
            place_buttons_ui(ui, place.at, out);
        }
        Thing::View(number) => {
            let Some(look) = document.views.get(number) else { return };
            fact(ui, tr!("Looks at"), &coordinates(look.target));
            fact(ui, tr!("From"), &format::length(look.distance));
            let look = Command::from(ViewCommand::GoTo(number));
            add_button(ui, egui::Button::new(tr!("Look from there")), view, look, out);
        }
        Thing::Volume(_) | Thing::Link(_) | Thing::Bound(_) | Thing::Obstacle(_) => {}
    }
    ui.add_space(8.0);
    command_button(ui, view, ThingCommand::Delete, out);
}

/// Draws the actions for a saved point.
fn place_buttons_ui(ui: &mut egui::Ui, at: Vec3, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for (name, command) in [
            (tr!("Look there"), Command::from(ViewCommand::LookAt(at))),
            (tr!("Start path here"), Command::Path(PathCommand::Start(at))),
            (tr!("End path here"), Command::Path(PathCommand::End(at))),
        ] {
            if ui.button(name).author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}

/// A field for the name of `thing`.
pub fn name_ui(ui: &mut egui::Ui, thing: Thing, view: &SessionView<'_>, out: &mut Commands) {
    let before = thing.name(view.document());
    let typed = text_field(
        ui,
        &format!("thing.name.{}", variant_id(thing)),
        tr!("Name"),
        &before,
        |edit| edit.font(egui::TextStyle::Heading).desired_width(f32::INFINITY),
    );
    if let Some(name) = typed {
        let label = tr!("Rename {}", lower_first(&before));
        let name = if name == thing.number_name(view.document()) { "" } else { &name };
        out.push(Command::Change(label.into(), thing.renamed_in(view.document(), name)));
    }
}

/// Draws the actions for the selected object.
pub fn thing_buttons_ui(ui: &mut egui::Ui, out: &mut Commands) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for command in
            [ThingCommand::Duplicate, ThingCommand::Copy, ThingCommand::Delete].map(Command::Thing)
        {
            let button = ui.button(command.text().into_owned()).author_id(command.id());
            if button.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}
