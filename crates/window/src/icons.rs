//! The icons of the window: characters of Material Symbols Rounded, in a font that contains only these.
//!
//! To add an icon, add its row with the code point from the font's list, and run `.ci/fonts`.

use eframe::egui::{
    FontData, FontFamily, RichText, WidgetText,
    epaint::text::{FontInsert, FontPriority, InsertFontFamily},
};

const FONT: &[u8] = include_bytes!("../fonts/material-symbols.ttf");
const NAME: &str = "material-icons";

#[derive(Clone, Copy, Debug)]
pub struct MaterialIcon {
    pub codepoint: &'static str,
}

impl MaterialIcon {
    pub fn rich_text(self) -> RichText {
        RichText::new(self.codepoint).family(FontFamily::Name(NAME.into()))
    }
}

impl From<MaterialIcon> for WidgetText {
    fn from(icon: MaterialIcon) -> Self {
        icon.rich_text().into()
    }
}

/// Returns the font of the icons. It also belongs to the proportional fonts, so that a text can contain an icon.
pub fn font() -> FontInsert {
    let mut data = FontData::from_static(FONT);
    data.tweak.y_offset_factor = 0.05;
    let family = |family, priority| InsertFontFamily { family, priority };
    FontInsert::new(
        NAME,
        data,
        vec![
            family(FontFamily::Proportional, FontPriority::Lowest),
            family(FontFamily::Name(NAME.into()), FontPriority::Highest),
        ],
    )
}

macro_rules! icons {
    ($($name:ident $codepoint:literal)*) => {
        $(
            #[doc = concat!("The icon `", stringify!($name), "`.")]
            pub const $name: MaterialIcon = MaterialIcon { codepoint: $codepoint };
        )*
        #[cfg(test)]
        const ALL: &[(&str, MaterialIcon)] = &[$((stringify!($name), $name),)*];
    };
}

icons! {
    ICON_ACCESSIBILITY_NEW "\u{e92c}"
    ICON_ADD_LOCATION_ALT "\u{ef3a}"
    ICON_ARROW_DOWNWARD "\u{e5db}"
    ICON_ARROW_DROP_DOWN "\u{e5c5}"
    ICON_ARROW_RIGHT_ALT "\u{e941}"
    ICON_ARROW_SELECTOR_TOOL "\u{f82f}"
    ICON_ARROW_UPWARD "\u{e5d8}"
    ICON_BLOCK "\u{f08c}"
    ICON_BOOKMARK_ADD "\u{e598}"
    ICON_BRUSH "\u{e3ae}"
    ICON_BUG_REPORT "\u{e868}"
    ICON_CHECK "\u{e668}"
    ICON_CHECK_CIRCLE "\u{f0be}"
    ICON_CHEVRON_LEFT "\u{e5cb}"
    ICON_CHEVRON_RIGHT "\u{e5cc}"
    ICON_CLOSE "\u{e5cd}"
    ICON_COMPARE "\u{e3b9}"
    ICON_CONTENT_COPY "\u{e14d}"
    ICON_DELETE "\u{e92e}"
    ICON_DEPLOYED_CODE "\u{f720}"
    ICON_DIRECTIONS_WALK "\u{e536}"
    ICON_DRAFT "\u{e66d}"
    ICON_ERROR "\u{f8b6}"
    ICON_FIT_SCREEN "\u{ea10}"
    ICON_FOLDER "\u{e2c7}"
    ICON_GRID_ON "\u{e3ec}"
    ICON_GROUPS "\u{f233}"
    ICON_HELP "\u{e8fd}"
    ICON_HISTORY "\u{e8b3}"
    ICON_INFO "\u{e88e}"
    ICON_KEYBOARD_ARROW_DOWN "\u{e313}"
    ICON_KEYBOARD_ARROW_UP "\u{e316}"
    ICON_LINK "\u{e250}"
    ICON_LOCATION_ON "\u{f1db}"
    ICON_MAP "\u{e55b}"
    ICON_MORE_VERT "\u{e5d4}"
    ICON_MY_LOCATION "\u{e55c}"
    ICON_OPEN_IN_FULL "\u{f1ce}"
    ICON_OPEN_WITH "\u{e89f}"
    ICON_PAUSE "\u{e034}"
    ICON_PENTAGON "\u{eb50}"
    ICON_PLAY_ARROW "\u{e037}"
    ICON_RADAR "\u{f04e}"
    ICON_REDO "\u{e15a}"
    ICON_RESTART_ALT "\u{f053}"
    ICON_ROTATE_LEFT "\u{e419}"
    ICON_ROUTE "\u{eacd}"
    ICON_SCATTER_PLOT "\u{e268}"
    ICON_SEARCH "\u{ef7a}"
    ICON_SELECT "\u{f74d}"
    ICON_SKIP_NEXT "\u{e044}"
    ICON_SKIP_PREVIOUS "\u{e045}"
    ICON_STAR "\u{f09a}"
    ICON_STOP "\u{e047}"
    ICON_STRAIGHTEN "\u{e41c}"
    ICON_SWAP_HORIZ "\u{e8d4}"
    ICON_TUNE "\u{e429}"
    ICON_UNDO "\u{e166}"
    ICON_VIDEOCAM "\u{e04b}"
    ICON_VIEW_IN_AR "\u{efc9}"
    ICON_VISIBILITY "\u{e8f4}"
    ICON_VISIBILITY_OFF "\u{e8f5}"
    ICON_WARNING "\u{f083}"
    ICON_WRONG_LOCATION "\u{ef78}"
}

#[cfg(test)]
mod tests {
    use eframe::egui::{self, FontId};

    use super::*;

    #[test]
    fn the_font_has_every_icon() {
        let ctx = egui::Context::default();
        ctx.add_font(font());
        // Fonts are available once a frame has been drawn.
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let id = FontId::new(16.0, FontFamily::Name(NAME.into()));
        for (name, icon) in ALL {
            assert!(
                ctx.fonts_mut(|fonts| fonts.has_glyphs(&id, icon.codepoint)),
                "{name}: run `.ci/fonts`"
            );
        }
    }
}
