//! The guide, as text inside the program.

use eframe::egui::{self, Align, Align2, Id, Layout, RichText, ScrollArea, vec2};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};
use walkable_workspace::lang::{Language, language, tr};

use crate::widgets::author_id::AuthorId as _;

const SIZE: [f32; 2] = [720.0, 560.0];
const SECTIONS: f32 = 180.0;

pub const fn text(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../../guide/en.md"),
        Language::Chinese => include_str!("../../../guide/zh-CN.md"),
    }
}

#[derive(Debug)]
struct Section {
    title: String,
    /// Its text, as Markdown without images and links.
    text: String,
}

#[derive(Default)]
pub struct Guide {
    open: bool,
    sections: Option<(Language, Vec<Section>)>,
    shown: usize,
    cache: CommonMarkCache,
}

impl std::fmt::Debug for Guide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guide")
            .field("open", &self.open)
            .field("shown", &self.shown)
            .finish_non_exhaustive()
    }
}

impl Guide {
    pub fn open(&mut self) {
        self.open = true;
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context) {
        if !self.open {
            return;
        }
        if self.sections.as_ref().is_none_or(|(read, _)| *read != language()) {
            self.sections = Some((language(), sections(text(language()))));
        }
        let Some((_, sections)) = &self.sections else { return };
        let (shown, cache) = (&mut self.shown, &mut self.cache);
        let center = ctx.content_rect().center();
        let screen = ctx.content_rect().size();
        let size = vec2(SIZE[0], SIZE[1]).min(screen - vec2(40.0, 80.0));
        let window = egui::Window::new(tr!("Guide")).id(Id::unique("guide")).open(&mut self.open);
        let window = window.pivot(Align2::CENTER_CENTER).default_pos(center);
        window.default_size(size).max_size(screen).show(ctx, |ui| {
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                let list = vec2(SECTIONS, ui.available_height());
                ui.allocate_ui_with_layout(list, Layout::top_down_justified(Align::Min), |ui| {
                    sections_ui(ui, sections, shown);
                });
                ui.separator();
                let scroll = ScrollArea::vertical().id_salt(("guide", *shown));
                scroll.auto_shrink(false).show(ui, |ui| {
                    let Some(section) = sections.get(*shown) else { return };
                    ui.vertical(|ui| {
                        ui.label(RichText::new(&section.title).heading());
                        ui.add_space(4.0);
                        CommonMarkViewer::new().show(ui, cache, &section.text);
                    });
                });
            });
        });
    }
}

fn sections_ui(ui: &mut egui::Ui, sections: &[Section], shown: &mut usize) {
    ui.set_max_width(SECTIONS);
    for (number, section) in sections.iter().enumerate() {
        let title = egui::Button::selectable(*shown == number, &section.title).wrap();
        if ui.add(title).author_id(format_args!("guide.{number}")).clicked() {
            *shown = number;
        }
    }
}

/// Divides a page at its headings of the first and second level. Blocks of code become lines of code, because a block is
/// drawn with a character that the fonts lack.
fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        let title = line.strip_prefix("# ").or_else(|| line.strip_prefix("## "));
        if let Some(title) = title.filter(|_| !is_code) {
            sections.push(Section { title: title.to_owned(), text: String::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        let text = &mut section.text;
        if line.starts_with("```") {
            is_code = !is_code;
            text.push('\n');
        } else if is_code && !line.is_empty() {
            text.extend(["`", line, "`\n\n"]);
        } else if !line.starts_with("![") {
            text.extend([line, "\n"]);
        }
    }
    for section in &mut sections {
        section.text = without_links(&section.text);
    }
    sections
}

/// Replaces each link by its text. Removes links in parentheses, because the pages that they lead to are not in the
/// program.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(((before, name), after)) = next_link(rest) {
        if let (Some(before), Some(after)) =
            (before.strip_suffix(['(', '（']), after.strip_prefix([')', '）']))
        {
            plain.push_str(before.trim_end());
            rest = after;
        } else {
            plain.push_str(before);
            plain.push_str(name);
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

/// Returns the text before the first link, the text of the link, and the text after it.
fn next_link(text: &str) -> Option<((&str, &str), &str)> {
    let (before, target) = text.split_once("](")?;
    let (_, after) = target.split_once(')')?;
    Some((before.rsplit_once('[')?, after))
}

#[cfg(test)]
mod tests {
    use eframe::egui::Theme;
    use egui_kittest::Harness;
    use walkable_editor::session::Session;

    use super::*;
    use crate::testing::{Bench, Find as _, bench, picture};

    fn window() -> Harness<'static, Bench<Guide>> {
        let mut window =
            bench([900.0, 640.0], Session::default(), |guide: &mut Guide, ui, _, _| {
                guide.ui(ui.ctx());
            });
        window.state_mut().panel.open();
        window.run();
        window
    }

    #[test]
    fn the_guide_is_divided_into_sections_without_images_and_links() {
        for &language in Language::ALL {
            let sections = sections(text(language));
            assert_eq!(sections.len(), 8, "{language:?}");
            for Section { title, text } in &sections {
                assert!(!title.is_empty() && text.len() > 200, "{title}");
                assert!(!text.contains("](") && !text.contains("!["), "{title}");
            }
        }
        assert_eq!(
            without_links("see [a](b.md), [c](d) (well), as it is ([e](f))."),
            "see a, c (well), as it is."
        );
    }

    #[test]
    fn sections_are_chosen_from_the_list() {
        let mut window = window();
        picture(&mut window, "guide");
        window.by_id("guide.5").click();
        window.run();
        assert!(window.n_texts_with("right-click to set the start") > 0);
        window.ctx.set_theme(Theme::Light);
        window.run();
        picture(&mut window, "guide_light");
        assert!(window.state_mut().panel.close());
    }
}
