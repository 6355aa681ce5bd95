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
    session::{Document, Edit, SceneItem, SessionView, ShapeKind, World},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::{add_button, command_button},
        group::{Group, rows_ui},
        legend::{fact, position_fact},
        text_field::text_field,
    },
};

/// Draws a group for each kind of object, as a part of the scroll area of the panel; nothing for kinds without objects.
pub fn items_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    for kind in kinds(view.document()) {
        if kind.n > 0 {
            let title = counted_title(kind.title, format::count(kind.n));
            let group = Group { id: kind.id, title: &title, is_forced_open: false };
            group.show(ui, |_| {}, |ui| kind.rows_ui(ui, view, out));
        }
    }
}

pub fn counted_title(title: &str, n: impl std::fmt::Display) -> String {
    tr!("{title} ({n})")
}

struct Kind {
    id: &'static str,
    title: &'static str,
    icon: MaterialIcon,
    n: usize,
    item: fn(usize) -> SceneItem,
}

impl Kind {
    fn rows_ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let text = ui.text_style_height(&egui::TextStyle::Body);
        ui.spacing_mut().interact_size.y = text;
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().button_padding.y = 1.0;
        let document = view.document();
        rows_ui(ui, text + 2.0, self.n, |ui, index| {
            let item = (self.item)(index);
            let is_elsewhere = |world: &World| {
                let bounds = item.bounds_in(document);
                bounds.is_some_and(|bounds| !bounds.overlaps_xz(&world.part))
            };
            let note = if view.world().is_some_and(is_elsewhere) {
                tr!("not loaded").to_owned()
            } else {
                note(item, document).unwrap_or_default()
            };
            Row { item, icon: self.icon, note }.ui(ui, view, out);
        });
    }
}

fn kinds(document: &Document) -> [Kind; 7] {
    let Document { volumes, off_mesh, bounds, obstacles, paths, places, views, .. } = document;
    [
        Kind {
            id: "level.group.volumes",
            title: tr!("Volumes"),
            icon: icons::ICON_PENTAGON,
            n: volumes.len(),
            item: SceneItem::Volume,
        },
        Kind {
            id: "level.group.links",
            title: tr!("Off-mesh links"),
            icon: icons::ICON_LINK,
            n: off_mesh.len(),
            item: SceneItem::Link,
        },
        Kind {
            id: "level.group.bounds",
            title: tr!("Bake boxes"),
            icon: icons::ICON_SELECT,
            n: bounds.len(),
            item: SceneItem::Bound,
        },
        Kind {
            id: "level.group.obstacles",
            title: tr!("Obstacles"),
            icon: icons::ICON_DEPLOYED_CODE,
            n: obstacles.list.len(),
            item: SceneItem::Obstacle,
        },
        Kind {
            id: "level.group.paths",
            title: tr!("Paths"),
            icon: icons::ICON_ROUTE,
            n: paths.len(),
            item: SceneItem::Path,
        },
        Kind {
            id: "level.group.places",
            title: tr!("Places"),
            icon: icons::ICON_LOCATION_ON,
            n: places.len(),
            item: SceneItem::Place,
        },
        Kind {
            id: "level.group.views",
            title: tr!("Views"),
            icon: icons::ICON_VIDEOCAM,
            n: views.len(),
            item: SceneItem::View,
        },
    ]
}

/// Returns the text beside the name of an object: its area, length, size, shape or position; empty for views.
fn note(item: SceneItem, document: &Document) -> Option<String> {
    Some(match item {
        SceneItem::Volume(index) => {
            painted_name(&document.areas, document.volumes.get(index)?.of.area)
        }
        SceneItem::Link(index) => {
            let link = &document.off_mesh.get(index)?.of;
            format::length(link.start.distance(link.end))
        }
        SceneItem::Bound(index) => {
            let size = document.bounds.get(index)?.of.size();
            format::size([size.x, size.z])
        }
        SceneItem::Obstacle(index) => {
            let obstacle = document.obstacles.list.get(index)?;
            lower_first(ShapeKind::of(&obstacle.of.shape).name())
        }
        SceneItem::Path(index) => {
            let path = &document.paths.get(index)?.of;
            format::length(path.start.distance(path.end))
        }
        SceneItem::Place(index) => coordinates(document.places.get(index)?.of.at),
        SceneItem::View(_) => String::new(),
    })
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
            let chosen = view.tools.selected_items.contains(self.item);
            let name = self.item.name(document);
            let mut text = RichText::new(&name);
            if self.item.is_hidden(document) {
                text = text.color(theme.text_weak);
            }
            let choose = Command::from(SceneItemCommand::Select(Some(self.item)));
            let label = ui.selectable_label(chosen, text).author_id(choose.id());
            if label.gained_focus() {
                label.scroll_to_me(None);
            }
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

fn place_buttons_ui(ui: &mut egui::Ui, at: Vec3, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for (name, command) in [
            (tr!("Look there"), Command::from(ViewCommand::LookAt(at))),
            (tr!("Start path here"), Command::from(PathCommand::Start(at))),
            (tr!("End path here"), Command::from(PathCommand::End(at))),
        ] {
            if ui.button(name).author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}

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

pub fn item_buttons_ui(ui: &mut egui::Ui, out: &mut Commands) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for command in
            [SceneItemCommand::Duplicate, SceneItemCommand::Copy, SceneItemCommand::Delete]
                .map(Command::from)
        {
            let button = ui.button(command.text().into_owned()).author_id(command.id());
            if button.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}
