//! Translations of the texts of errors.
//!
//! The errors of the library crates and of the file readers have English texts. A catalog
//! contains these texts as templates, with the context `error`. A text is translated by the template that it was made
//! from, which is found by the text between the placeholders.

use std::{
    cell::Cell,
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::fill;

/// Maximum number of values and parts of a text that are translated.
const MAX_PARTS: usize = 256;

/// Maximum number of separators at which splitting a text into an error and its cause is tried.
const MAX_DIVISIONS: usize = 8;

const MAX_BYTES: usize = 4096;

/// Maximum number of texts whose translations are kept, because each frame shows the same ones.
const MAX_KEPT: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct ErrorTexts {
    templates: Vec<Template>,
    separators: Vec<(String, String)>,
    kept: Mutex<BTreeMap<String, Option<String>>>,
}

#[derive(Debug)]
struct Template {
    #[cfg(test)]
    source: String,
    /// Texts before, between and after the placeholders: one more than `names`.
    literals: Vec<String>,
    /// Names of the placeholders: `0`, `1`, … for those without one.
    names: Vec<String>,
    translation: String,
}

struct Translated {
    text: String,
    /// Number of bytes of the English text that match literal text of templates; the translation with the most wins.
    n_known: usize,
}

impl ErrorTexts {
    /// Creates the texts from templates and their translations. Those with blanks at an end are separators.
    pub(super) fn new(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut new = Self::default();
        for (source, translation) in texts {
            if source.trim() == source {
                let (literals, names) = parts(&source);
                new.templates.push(Template {
                    #[cfg(test)]
                    source,
                    literals,
                    names,
                    translation,
                });
            } else {
                new.separators.push((source, translation));
            }
        }
        new
    }

    #[cfg(test)]
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let templates = self.templates.iter().map(|t| (t.source.as_str(), t.translation.as_str()));
        templates.chain(self.separators.iter().map(|(text, other)| (text.as_str(), other.as_str())))
    }

    /// Returns the translation of the text of an error; `None` if no part of it is known.
    pub(super) fn translation(&self, text: &str) -> Option<String> {
        if text.is_empty() || text.len() > MAX_BYTES {
            return None;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(translation) = kept.get(text) {
            return translation.clone();
        }
        let translation = self.nested(text, &Cell::new(MAX_PARTS)).map(|found| found.text);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(text.to_owned(), translation.clone());
        translation
    }

    /// Translates `text`, or the parts of it that separators divide, whichever is known better. `n_left` is the number of
    /// parts that may still be translated.
    fn nested(&self, text: &str, n_left: &Cell<usize>) -> Option<Translated> {
        if text.is_empty() || n_left.get() == 0 {
            return None;
        }
        n_left.set(n_left.get() - 1);
        let whole = self.whole(text, n_left);
        if whole.as_ref().is_some_and(|found| found.n_known == text.len()) {
            return whole;
        }
        best(whole.into_iter().chain(self.divided(text, n_left)))
    }

    /// Translates `text` with the template that it matches, and also translates the values in it. Values in quotation
    /// marks are names, which stay as they are.
    fn whole(&self, text: &str, n_left: &Cell<usize>) -> Option<Translated> {
        let fitting = self
            .templates
            .iter()
            .flat_map(|template| template.values(text).map(move |values| (template, values)));
        best(fitting.map(|(template, values)| {
            let mut n_known = template.literals.iter().map(String::len).sum();
            // The last literal has no value after it.
            let values = template.literals.iter().zip(values).map(|(before, value)| {
                let is_name = before.ends_with(['"', '`']);
                let found = if is_name { None } else { self.nested(value, n_left) };
                let Some(found) = found else { return value.to_owned() };
                n_known += found.n_known;
                found.text
            });
            let values: Vec<_> = template.names.iter().zip(values).collect();
            Translated { text: fill(&template.translation, &values), n_known }
        }))
    }

    /// Splits `text` at a separator and translates both parts. The second one must have a template.
    fn divided(&self, text: &str, n_left: &Cell<usize>) -> Option<Translated> {
        best(self.separators.iter().flat_map(|(separator, other)| {
            let places = text.match_indices(separator.as_str()).take(MAX_DIVISIONS);
            places.filter_map(move |(at, _)| {
                let end = self.whole(&text[at + separator.len()..], n_left)?;
                let start = &text[..at];
                let translated = self.nested(start, n_left);
                // A separator after something unknown may be part of a value.
                let n_start = translated.as_ref().map_or(0, |one| one.n_known + separator.len());
                let start = translated.map_or_else(|| start.to_owned(), |one| one.text);
                let text = [start, other.clone(), end.text].concat();
                Some(Translated { text, n_known: n_start + end.n_known })
            })
        }))
    }
}

/// Returns the translation with the most literal text; the first one of several.
fn best(found: impl IntoIterator<Item = Translated>) -> Option<Translated> {
    found.into_iter().reduce(|best, other| if other.n_known > best.n_known { other } else { best })
}

impl Template {
    /// Returns the possible values of the placeholders in `text`; none if it was not made from the template.
    fn values<'a>(&self, text: &'a str) -> impl Iterator<Item = Vec<&'a str>> + use<'a> {
        // Blanks between placeholders may also be those in a value: "off-mesh link 3".
        let has_blank = self.literals.iter().any(|literal| literal == " ");
        let first = self.values_by(text, str::find);
        let other = if has_blank { self.values_by(text, str::rfind) } else { None };
        first.into_iter().chain(other)
    }

    /// Returns the values of the placeholders in `text`. A value ends where the literal text after it occurs first, and
    /// where `find_blank` finds a blank if the literal is one.
    fn values_by<'a>(
        &self,
        text: &'a str,
        find_blank: fn(&str, char) -> Option<usize>,
    ) -> Option<Vec<&'a str>> {
        let (first, others) = self.literals.split_first()?;
        let rest = text.strip_prefix(first.as_str())?;
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut rest = rest.strip_suffix(last.as_str())?;
        let mut values = Vec::with_capacity(self.names.len());
        for (index, literal) in between.iter().enumerate() {
            let at = if literal == " " {
                let next = between.get(index + 1).and_then(|next| rest.find(next.as_str()));
                find_blank(&rest[..next.unwrap_or(rest.len())], ' ')?
            } else {
                rest.find(literal.as_str())?
            };
            values.push(&rest[..at]);
            rest = &rest[at + literal.len()..];
        }
        values.push(rest);
        Some(values)
    }
}

/// Returns the texts around the placeholders of `template`, and the names of these.
pub(super) fn parts(template: &str) -> (Vec<String>, Vec<String>) {
    let (mut literals, mut names) = (vec![String::new()], Vec::new());
    let mut n_unnamed = 0;
    let mut rest = template;
    while let Some(start) = rest.find(['{', '}']) {
        let Some(literal) = literals.last_mut() else { break };
        literal.push_str(&rest[..start]);
        let is_doubled = rest[start + 1..].starts_with(&rest[start..=start]);
        match rest[start..].find('}') {
            Some(end) if !is_doubled && rest[start..].starts_with('{') => {
                let inside = &rest[start + 1..start + end];
                let name = inside.split(':').next().unwrap_or_default();
                if name.is_empty() {
                    names.push(n_unnamed.to_string());
                    n_unnamed += 1;
                } else {
                    names.push(name.to_owned());
                }
                literals.push(String::new());
                rest = &rest[start + end + 1..];
            }
            _ => {
                literal.push_str(&rest[start..=start]);
                rest = &rest[start + 1 + usize::from(is_doubled)..];
            }
        }
    }
    if let Some(literal) = literals.last_mut() {
        literal.push_str(rest);
    }
    (literals, names)
}
