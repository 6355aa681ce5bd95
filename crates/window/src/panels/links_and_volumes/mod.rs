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
use walkable::phrase;
use walkable_editor::{
    answer::coordinates,
    area_names::painted_name,
    command::{
        Command, Commands, PathCommand, SceneItemCommand, ViewCommand, lower_first, variant_id,
    },
    format,
    lang::{self, tr},
    session::{Document, Edit, Named, SceneItem, SessionView, ShapeKind, World},
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
pub fn items_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    if sections(document).iter().all(|section| section.items.is_empty()) {
        return;
    }
    let room = ui.available_height() * 0.6;
    let scroll = egui::ScrollArea::vertical().id_salt("items").max_height(room);
    scroll.show(ui, |ui| lists_ui(ui, view, out));
    heading(ui, tr!("Objects"));
}

fn lists_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.spacing_mut().interact_size.y = ui.text_style_height(&egui::TextStyle::Body);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().button_padding.y = 1.0;
    let document = view.document();
    for Section { title, icon, items } in sections(document) {
        if !items.is_empty() {
            heading(ui, title);
        }
        for (item, note) in items {
            let is_elsewhere = |world: &World| {
                let bounds = item.bounds_in(document);
                bounds.is_some_and(|bounds| !bounds.overlaps_xz(&world.part))
            };
            let not_loaded = view.world().is_some_and(is_elsewhere);
            let note = if not_loaded { tr!("not loaded").to_owned() } else { note };
            Row { item, icon, note }.ui(ui, view, out);
        }
    }
}

/// Objects of one kind, each with its description.
struct Section {
    title: &'static str,
    icon: MaterialIcon,
    items: Vec<(SceneItem, String)>,
}

fn sections(document: &Document) -> [Section; 7] {
    fn listed<T>(
        all: &[Named<T>],
        item: fn(usize) -> SceneItem,
        note: impl Fn(&T) -> String,
    ) -> Vec<(SceneItem, String)> {
        all.iter().enumerate().map(|(number, it)| (item(number), note(&it.of))).collect()
    }
    let Document { areas, volumes, off_mesh, bounds, obstacles, paths, places, views, .. } =
        document;
    let volumes = listed(volumes, SceneItem::Volume, |it| painted_name(areas, it.area));
    let links = listed(off_mesh, SceneItem::Link, |it| format::length(it.start.distance(it.end)));
    let bounds = listed(bounds, SceneItem::Bound, |it| format::size([it.size().x, it.size().z]));
    let obstacles = listed(&obstacles.list, SceneItem::Obstacle, |it| {
        lower_first(ShapeKind::of(&it.shape).name())
    });
    let paths = listed(paths, SceneItem::Path, |it| format::length(it.start.distance(it.end)));
    let places = listed(places, SceneItem::Place, |it| coordinates(it.at));
    let views = listed(views, SceneItem::View, |_| String::new());
    [
        Section { title: tr!("Volumes"), icon: icons::ICON_PENTAGON, items: volumes },
        Section { title: tr!("Off-mesh links"), icon: icons::ICON_LINK, items: links },
        Section { title: tr!("Bake boxes"), icon: icons::ICON_SELECT, items: bounds },
        Section { title: tr!("Obstacles"), icon: icons::ICON_DEPLOYED_CODE, items: obstacles },
        Section { title: tr!("Paths"), icon: icons::ICON_ROUTE, items: paths },
        Section { title: tr!("Places"), icon: icons::ICON_LOCATION_ON, items: places },
        Section { title: tr!("Views"), icon: icons::ICON_VIDEOCAM, items: views },
    ]
}

struct Row {
    item: SceneItem,
    icon: MaterialIcon,
    note: String,
}

impl Row {
    fn ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let theme = Theme::of(ui.ctx().theme());
        let document = view.document();
        ui.horizontal(|ui| {
            ui.label(RichText::new(self.icon.codepoint).color(theme.text_weak));
            let chosen = view.selected_items().contains(self.item);
            let name = self.item.name(document);
            let mut text = RichText::new(&name);
            if self.item.is_hidden(document) {
                text = text.color(theme.text_weak);
            }
            let choose = Command::from(SceneItemCommand::Select(Some(self.item)));
            let label = ui.selectable_label(chosen, text).author_id(choose.id());
            if label.clicked() {
                self.choose(ui.input(|input| input.modifiers), view, out);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.eye_ui(ui, view, out);
                ui.label(RichText::new(&self.note).small().color(theme.text_weak));
            });
        });
    }

    /// Selects the object: with Ctrl in addition to others, with Shift together with those in between.
    fn choose(&self, held: egui::Modifiers, view: &SessionView<'_>, out: &mut Commands) {
        if held.command {
            return out.push(SceneItemCommand::Toggle(self.item));
        }
        if held.shift {
            return out.push(SceneItemCommand::SelectUpTo(self.item));
        }
        let is_only_one = view.items().into_iter().eq([self.item]);
        out.push(SceneItemCommand::Select((!is_only_one).then_some(self.item)));
        if let SceneItem::View(number) = self.item {
            out.push(ViewCommand::GoTo(number));
        }
    }

    /// Draws the switch that hides the object in the 3D view.
    fn eye_ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        if matches!(self.item, SceneItem::Path(_) | SceneItem::View(_)) {
            return;
        }
        let is_hidden = self.item.is_hidden(view.document());
        let name = self.item.phrase(view.document()).within();
        let (icon, label) = if is_hidden {
            (icons::ICON_VISIBILITY_OFF, phrase!("Show {name}", name))
        } else {
            (icons::ICON_VISIBILITY, phrase!("Hide {name}", name))
        };
        let button = buttons::icon(ui, icon, &lang::phrase(&label));
        if button.author_id(format_args!("object.hide.{}", variant_id(self.item))).clicked() {
            let change = if is_hidden { SceneItem::show_in } else { SceneItem::hide_in };
            let edit = Edit::of_items(view.document(), |document| change(self.item, document));
            out.push(Command::Change(label, edit));
        }
    }
}

/// Draws the description of a saved path, point or camera view.
pub fn saved_item_ui(
    ui: &mut egui::Ui,
    item: SceneItem,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    name_ui(ui, item, view, out);
    let document = view.document();
    match item {
        SceneItem::Path(number) => {
            let Some(path) = document.paths.get(number) else { return };
            for (name, at) in [(tr!("Start"), path.start), (tr!("End"), path.end)] {
                fact(ui, name, &coordinates(at));
            }
        }
        SceneItem::Place(number) => {
            let Some(place) = document.places.get(number) else { return };
            position_fact(ui, place.at);
            place_buttons_ui(ui, place.at, out);
        }
        SceneItem::View(number) => {
            let Some(look) = document.views.get(number) else { return };
            fact(ui, tr!("Looks at"), &coordinates(look.target));
            fact(ui, tr!("From"), &format::length(look.distance));
            let look = Command::from(ViewCommand::GoTo(number));
            add_button(ui, egui::Button::new(tr!("Look from there")), view, look, out);
        }
        SceneItem::Volume(_)
        | SceneItem::Link(_)
        | SceneItem::Bound(_)
        | SceneItem::Obstacle(_) => {}
    }
    ui.add_space(8.0);
    command_button(ui, view, SceneItemCommand::Delete, out);
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

/// Draws a field for the name of `item`.
pub fn name_ui(ui: &mut egui::Ui, item: SceneItem, view: &SessionView<'_>, out: &mut Commands) {
    let before = item.name(view.document());
    let typed = text_field(
        ui,
        &format!("object.name.{}", variant_id(item)),
        tr!("Name"),
        &before,
        |edit| edit.font(egui::TextStyle::Heading).desired_width(f32::INFINITY),
    );
    if let Some(name) = typed {
        let label = phrase!("Rename {name}", name = item.phrase(view.document()).within());
        let name = if name == item.number_name(view.document()) { "" } else { &name };
        out.push(Command::Change(label, item.renamed_in(view.document(), name)));
    }
}

/// Draws the actions for the selected object.
pub fn item_buttons_ui(ui: &mut egui::Ui, out: &mut Commands) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for command in
            [SceneItemCommand::Duplicate, SceneItemCommand::Copy, SceneItemCommand::Delete]
                .map(Command::SceneItem)
        {
            let button = ui.button(command.text().into_owned()).author_id(command.id());
            if button.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}
