//! Fonts of the system, for languages whose characters the program's own fonts lack.

use eframe::egui::{
    self, FontFamily,
    epaint::text::{FontData, FontInsert, FontPriority, InsertFontFamily},
};
use walkable_editor::lang::Language;

/// Finds the first of the named font families.
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

/// The language of the window, with the font for it.
#[derive(Debug)]
pub struct Lettering {
    find: FindFont,
    shown: Language,
    /// The languages whose fonts were searched for, and whether one was found.
    searched: Vec<(Language, bool)>,
}

impl Lettering {
    /// Creates lettering that shows English; `find` searches for fonts.
    pub const fn new(find: FindFont) -> Self {
        Self { find, shown: Language::English, searched: Vec::new() }
    }

    /// Returns the language in which the window is shown.
    pub const fn shown(&self) -> Language {
        self.shown
    }

    /// Shows `wanted`, or English if there is no font for it.
    pub fn show(&mut self, ctx: &egui::Context, wanted: Language) {
        if wanted.fonts().is_empty() {
            self.shown = wanted;
            return;
        }
        if let Some((_, found)) = self.searched.iter().find(|(language, _)| *language == wanted) {
            self.shown = if *found { wanted } else { Language::English };
            return;
        }
        let font = (self.find)(wanted.fonts());
        self.searched.push((wanted, font.is_some()));
        if let Some(font) = font {
            ctx.add_font(for_all_text(wanted.tag(), font));
        }
        // The font is available from the next frame on.
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
