//! The translations of a language.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{Language, errors::ErrorTexts};

#[derive(Debug, Default)]
pub struct Catalog {
    texts: BTreeMap<String, String>,
    errors: ErrorTexts,
}

/// Context of texts of errors in a `.po` file.
const ERROR: &str = "error";

impl Catalog {
    pub fn get(&self, text: &str) -> Option<&str> {
        self.texts.get(text).map(String::as_str)
    }

    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(text, translation)| (text.as_str(), translation.as_str()))
    }

    /// Returns the translation of the text of an error; `None` if no part of it is known.
    pub fn error(&self, text: &str) -> Option<String> {
        self.errors.translation(text)
    }

    #[cfg(test)]
    pub(super) fn errors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.errors.texts()
    }

    /// Reads a `.po` file. Entries with the context `error` are texts of errors. Fails if a text has two translations.
    pub fn read(po: &str) -> Result<Self, String> {
        let read = polib::po_file::parse_from_reader(po.as_bytes());
        let read = read.map_err(|error| error.to_string())?;
        let (mut texts, mut errors) = (BTreeMap::new(), BTreeMap::new());
        for message in read.messages() {
            let translation = message.msgstr().unwrap_or_default();
            if message.msgid().is_empty() || translation.is_empty() {
                continue;
            }
            let is_error = message.msgctxt() == Some(ERROR);
            let texts = if is_error { &mut errors } else { &mut texts };
            if texts.insert(message.msgid().to_owned(), translation.to_owned()).is_some() {
                return Err(format!("two translations of {:?}", message.msgid()));
            }
        }
        let separator = texts.get(": ").map(|other| (": ".to_owned(), other.clone()));
        Ok(Self { texts, errors: ErrorTexts::new(errors.into_iter().chain(separator)) })
    }
}

/// Returns the catalog of `language`; `None` for English. A damaged catalog, which a test finds, is empty.
pub(super) fn of(language: Language) -> Option<&'static Catalog> {
    static CATALOGS: [OnceLock<Catalog>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let po = language.row().catalog;
    if po.is_empty() {
        return None;
    }
    let slot = CATALOGS.get(language as usize)?;
    Some(slot.get_or_init(|| Catalog::read(po).unwrap_or_default()))
}
