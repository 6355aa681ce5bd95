//! The languages of the window.
//!
//! The code contains the English texts; a catalog per language, a `.po` file of gettext next to this file, translates
//! them. [`tr!`] translates a text where it is shown; [`text!`](crate::text) marks a text of a constant table, which is
//! translated by [`tr()`] where it is drawn. The language belongs to the thread: the window sets it before each frame,
//! and background jobs inherit it. All other threads, such as those of the command line, use English; the help of the
//! command line has catalogs of its own, in `help/`.

mod catalog;
#[cfg(test)]
mod error_tests;
mod errors;
mod messages;
#[cfg(test)]
mod tests;

use std::cell::Cell;

#[doc(hidden)]
pub use walkable::diagnostic::fill;
pub use walkable_tr::tr;

pub use self::{
    catalog::Catalog,
    messages::{diagnostic, error, error_text, line, lines, located, phrase, with_more},
};
use crate::{table, text};

struct Row {
    /// Tag as in locales, such as `zh-CN`.
    tag: &'static str,
    /// English name; a catalog translates the name of its own language.
    name: &'static str,
    /// Families of fonts, the best first, if the fonts of the program lack its characters.
    fonts: &'static [&'static str],
    /// Translations; empty for English.
    catalog: &'static str,
}

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub enum Language of Row {
        #[default]
        English { tag: "en", name: "English", fonts: &[], catalog: "" }
        Chinese {
            tag: "zh-CN",
            name: text!("Simplified Chinese"),
            fonts: &[
                "Noto Sans CJK SC",
                "Noto Sans SC",
                "Source Han Sans SC",
                "Source Han Sans CN",
                "Microsoft YaHei",
                "PingFang SC",
                "Hiragino Sans GB",
                "WenQuanYi Micro Hei",
                "WenQuanYi Zen Hei",
                "Droid Sans Fallback",
                "SimHei",
                "SimSun",
                "Noto Sans CJK JP",
            ],
            catalog: include_str!("zh-CN.po"),
        }
    }
}

impl Language {
    pub const fn tag(self) -> &'static str {
        self.row().tag
    }

    /// Returns the name in the language itself when the window shows it; otherwise the English name, which every font
    /// can show.
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub const fn fonts(self) -> &'static [&'static str] {
        self.row().fonts
    }

    /// Returns the translations of the command-line help; `None` for English. Only the command line calls this, so
    /// other programs do not contain the file.
    pub const fn help_catalog(self) -> Option<&'static str> {
        match self {
            Self::English => None,
            Self::Chinese => Some(include_str!("help/zh-CN.po")),
        }
    }

    /// Returns the language of a locale, such as `zh_CN.UTF-8`; English for other languages.
    pub fn of_locale(locale: &str) -> Self {
        let language = |tag: &str| {
            let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
            tag[..end].to_ascii_lowercase()
        };
        let found = Self::ALL.iter().copied().find(|one| language(one.tag()) == language(locale));
        found.unwrap_or_default()
    }

    /// Returns the translations; `None` for English.
    pub fn catalog(self) -> Option<&'static Catalog> {
        catalog::of(self)
    }
}

thread_local! {
    static LANGUAGE: Cell<Language> = const { Cell::new(Language::English) };
}

pub fn language() -> Language {
    LANGUAGE.get()
}

pub fn set_language(language: Language) {
    LANGUAGE.set(language);
}

/// Runs `f` in English, whatever the language of this thread.
pub fn in_english<T>(f: impl FnOnce() -> T) -> T {
    let own = LANGUAGE.replace(Language::English);
    let result = f();
    LANGUAGE.set(own);
    result
}

pub fn translation(text: &str) -> Option<&'static str> {
    language().catalog()?.get(text)
}

pub fn tr(text: &str) -> &str {
    translation(text).unwrap_or(text)
}

/// Marks a text that [`lang::tr`](crate::lang::tr()) translates where it is drawn.
#[macro_export]
macro_rules! text {
    ($text:literal) => {
        $text
    };
}
