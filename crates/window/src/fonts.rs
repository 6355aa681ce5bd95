//! Fonts for languages whose characters egui's fonts lack: one of the system, or else a font in the program that has the
//! characters of the translation and of the guide only.
//!
//! After a change of a translation, run `.ci/fonts`.

use eframe::egui::{
    self, FontFamily,
    epaint::text::{FontData, FontInsert, FontPriority, InsertFontFamily},
};
use walkable_workspace::lang::Language;

pub type FindFont = fn(&[&str]) -> Option<FontData>;

/// Finds the first of the named font families that is installed.
#[cfg(not(target_family = "wasm"))]
pub fn find(families: &[&str]) -> Option<FontData> {
    let mut fonts = fontdb::Database::new();
    fonts.load_system_fonts();
    let found = families.iter().find_map(|family| {
        fonts.query(&fontdb::Query {
            families: &[fontdb::Family::Name(family)],
            ..fontdb::Query::default()
        })
    })?;
    fonts.with_face_data(found, |bytes, index| {
        let mut data = FontData::from_owned(bytes.to_vec());
        data.index = index;
        data
    })
}

/// Finds nothing: a web page cannot read the fonts of the system.
#[cfg(target_family = "wasm")]
pub const fn find(_families: &[&str]) -> Option<FontData> {
    None
}

/// Returns the font in the program for `language`; `None` if egui's fonts have its characters.
const fn included(language: Language) -> Option<&'static [u8]> {
    match language {
        Language::English => None,
        Language::Chinese => Some(include_bytes!("../fonts/noto-sans-zh-CN.otf")),
    }
}

#[derive(Debug)]
pub struct WindowFonts {
    find: FindFont,
    shown: Language,
    added: Vec<Language>,
}

impl WindowFonts {
    /// Shows English at first; `find` searches for fonts of the system.
    pub const fn new(find: FindFont) -> Self {
        Self { find, shown: Language::English, added: Vec::new() }
    }

    pub const fn shown(&self) -> Language {
        self.shown
    }

    /// Shows `wanted`: in this frame if its font is there, otherwise in the next one.
    pub fn show(&mut self, ctx: &egui::Context, wanted: Language) {
        let Some(included) = included(wanted).filter(|_| !self.added.contains(&wanted)) else {
            self.shown = wanted;
            return;
        };
        let font = (self.find)(wanted.fonts()).unwrap_or_else(|| FontData::from_static(included));
        ctx.add_font(for_all_text(wanted.tag(), font));
        self.added.push(wanted);
        // egui uses the font from the next frame on.
        ctx.request_repaint();
    }
}

/// Returns `font` with the lowest priority, after all other fonts.
fn for_all_text(name: &str, font: FontData) -> FontInsert {
    let families = [FontFamily::Proportional, FontFamily::Monospace];
    let families =
        families.map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
    FontInsert::new(name, font, families.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use eframe::egui::FontId;
    use walkable_workspace::lang::Catalog;

    use super::*;
    use crate::panels::shell::guide;

    #[test]
    fn fonts_in_the_program_have_all_characters_of_translations_and_guides() {
        let has_font = |language: &Language| included(*language).is_some();
        for language in Language::ALL.iter().copied().filter(has_font) {
            let translations = language.catalog().into_iter().flat_map(Catalog::texts);
            let translations = translations.flat_map(|(_, text)| text.chars());
            let letters: BTreeSet<_> = translations.chain(guide::text(language).chars()).collect();
            let ctx = egui::Context::default();
            WindowFonts::new(|_| None).show(&ctx, language);
            // Fonts are available once a frame has been drawn.
            ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
            for id in [FontId::proportional(16.0), FontId::monospace(16.0)] {
                let lacks = |letter: &char| !ctx.fonts_mut(|fonts| fonts.has_glyph(&id, *letter));
                let shown = letters.iter().filter(|letter| !letter.is_control());
                let lacking: String = shown.copied().filter(lacks).collect();
                assert_eq!(lacking, "", "{}: run `.ci/fonts`", language.tag());
            }
        }
    }
}
