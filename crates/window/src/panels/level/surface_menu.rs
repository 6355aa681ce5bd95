//! The surface rule of an object or a material: an area, an obstacle, or nothing at all.

use eframe::egui::{self, containers::menu::MenuButton};
use walkable::{
    bake::{SurfaceRule, SurfaceSource, SurfaceUse},
    phrase,
};
use walkable_editor::{
    area_names::painted_name,
    command::{Command, Commands, variant_id},
    session::{AreaTable, Edit, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{icons, widgets::author_id::AuthorId as _};

#[derive(Clone, Copy, Debug)]
pub(super) struct PartNames<'a> {
    pub(super) object: &'a str,
    pub(super) material: &'a str,
}

impl PartNames<'_> {
    fn name(&self, source: SurfaceSource) -> &str {
        match source {
            SurfaceSource::Object => self.object,
            SurfaceSource::Material => self.material,
        }
    }

    pub(super) fn rule<'r>(&self, rules: &'r [SurfaceRule]) -> Option<&'r SurfaceRule> {
        SurfaceRule::applying(rules, self.object, self.material)
    }
}

pub(super) fn use_name(becomes: SurfaceUse, areas: &AreaTable) -> String {
    match becomes {
        SurfaceUse::LeftOut => tr!("Left out").to_owned(),
        SurfaceUse::Area(area) => painted_name(areas, area),
    }
}

pub(super) fn surface_menu_ui(
    ui: &mut egui::Ui,
    index: usize,
    part: PartNames<'_>,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let button = egui::Button::new(icons::ICON_MORE_VERT.codepoint).small();
    let button = button.frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for (source, what) in
            [(SurfaceSource::Object, tr!("Object")), (SurfaceSource::Material, tr!("Material"))]
        {
            let name = part.name(source);
            let title =
                if name.is_empty() { tr!("{what} unnamed") } else { format!("{what} {name}") };
            let menu = ui.menu_button(title, |ui| choices_ui(ui, source, name, view, out));
            menu.response.author_id(format_args!("level.surface.{}", variant_id(source)));
        }
    });
    let name = tr!("Use of {}", part.object);
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name.clone())
    });
    let response = response.author_id(format_args!("level.surface-menu.{index}"));
    response.on_hover_text(tr!("Ground with an area, an obstacle, or left out of the bake"));
}

fn choices_ui(
    ui: &mut egui::Ui,
    source: SurfaceSource,
    name: &str,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let (rules, areas) = (&view.document().surfaces, &view.document().areas);
    let now = rule_of(rules, source, name);
    let painted = areas.paintable().into_iter().map(SurfaceUse::Area);
    let uses = [SurfaceUse::LeftOut].into_iter().chain(painted).map(Some);
    for choice in [None].into_iter().chain(uses) {
        let text = choice.map(|choice| use_name(choice, areas));
        let text = text.unwrap_or_else(|| tr!("As it is").to_owned());
        let key = choice.map_or_else(|| "as-it-is".to_owned(), variant_id);
        let button = ui.radio(choice == now, text);
        if button.author_id(format_args!("level.surface.{key}")).clicked() {
            let edit = Edit::Surfaces(with_rule(rules, source, name, choice));
            out.push(Command::Change(phrase!("Change use of {name}", name), edit));
            ui.close();
        }
    }
}

fn rule_of(rules: &[SurfaceRule], source: SurfaceSource, name: &str) -> Option<SurfaceUse> {
    let mut matching = rules.iter().rev().filter(|r| r.source == source && r.name == name);
    matching.next().map(|rule| rule.becomes)
}

fn with_rule(
    rules: &[SurfaceRule],
    source: SurfaceSource,
    name: &str,
    becomes: Option<SurfaceUse>,
) -> Vec<SurfaceRule> {
    let others = rules.iter().filter(|rule| rule.source != source || rule.name != name);
    let new = becomes.map(|becomes| SurfaceRule { source, name: name.to_owned(), becomes });
    others.cloned().chain(new).collect()
}

#[cfg(test)]
mod tests {
    use walkable::bake::RawArea;

    use super::*;

    #[test]
    fn the_objects_rule_goes_before_the_materials_and_a_new_one_replaces_the_old() {
        let part = PartNames { object: "pool", material: "tiles" };
        let becomes = |rules: &[SurfaceRule]| part.rule(rules).map(|rule| rule.becomes);
        let water = SurfaceUse::Area(RawArea(1));
        let rules = with_rule(&[], SurfaceSource::Material, "tiles", Some(SurfaceUse::LeftOut));
        assert_eq!(becomes(&rules), Some(SurfaceUse::LeftOut));
        let rules = with_rule(&rules, SurfaceSource::Object, "pool", Some(water));
        assert_eq!(becomes(&rules), Some(water));
        let rules = with_rule(&rules, SurfaceSource::Object, "pool", None);
        assert_eq!((becomes(&rules), rules.len()), (Some(SurfaceUse::LeftOut), 1));
        assert_eq!(becomes(&with_rule(&rules, SurfaceSource::Material, "tiles", None)), None);
    }
}
