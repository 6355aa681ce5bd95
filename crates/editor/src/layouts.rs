//! Layouts of the panels that the user saved under a name.

use serde::{Deserialize, Serialize};
use walkable_workspace::lang::tr;

const MAX_LAYOUTS: usize = 50;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layouts {
    own: Vec<OwnLayout>,
    /// Name of the layout that was chosen last; `None` for the default one.
    chosen: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLayout {
    pub name: String,
    /// The panels, in a format that only the window knows.
    pub panels: String,
}

impl Layouts {
    pub(crate) fn limit(&mut self) {
        self.own.truncate(MAX_LAYOUTS);
    }

    /// Returns the saved layouts, in the order in which they were saved first.
    pub fn own(&self) -> &[OwnLayout] {
        &self.own
    }

    /// Returns the saved layout that was chosen last; `None` for the default one.
    pub fn chosen(&self) -> Option<&OwnLayout> {
        self.find(self.chosen.as_deref()?)
    }

    pub fn find(&self, name: &str) -> Option<&OwnLayout> {
        self.own.iter().find(|layout| layout.name == name)
    }

    pub fn choose(&mut self, name: Option<String>) {
        self.chosen = name.filter(|name| self.find(name).is_some());
    }

    /// Returns why a layout cannot have this name; `renamed` is the layout that gets it.
    pub fn name_error(&self, name: &str, renamed: Option<&str>) -> Option<&'static str> {
        let name = name.trim();
        let is_like = |other: &str| other.to_lowercase() == name.to_lowercase();
        let built_in = ["Default", "Focus", tr!("Default"), tr!("Focus")];
        if name.is_empty() {
            return Some(tr!("A layout needs a name"));
        }
        if built_in.into_iter().any(is_like) {
            return Some(tr!("This layout cannot be changed"));
        }
        let mut others = self.own.iter().filter(|layout| Some(&*layout.name) != renamed);
        let n_others = others.clone().count();
        let is_taken = others.any(|layout| is_like(&layout.name));
        match renamed {
            Some(_) if is_taken => Some(tr!("Another layout has this name")),
            None if !is_taken && n_others >= MAX_LAYOUTS => {
                Some(tr!("There are too many layouts: delete one first"))
            }
            Some(_) | None => None,
        }
    }

    pub fn save(&mut self, name: &str, panels: String) {
        if self.name_error(name, None).is_some() {
            return;
        }
        let name = name.trim();
        let is_like = |old: &&mut OwnLayout| old.name.to_lowercase() == name.to_lowercase();
        let saved = if let Some(old) = self.own.iter_mut().find(is_like) {
            old.panels = panels;
            old.name.clone()
        } else {
            self.own.push(OwnLayout { name: name.to_owned(), panels });
            name.to_owned()
        };
        self.chosen = Some(saved);
    }

    pub fn rename(&mut self, old: &str, new: &str) {
        if self.name_error(new, Some(old)).is_some() {
            return;
        }
        let new = new.trim().to_owned();
        if self.chosen.as_deref() == Some(old) {
            self.chosen = Some(new.clone());
        }
        if let Some(layout) = self.own.iter_mut().find(|layout| layout.name == old) {
            layout.name = new;
        }
    }

    pub fn delete(&mut self, name: &str) {
        self.own.retain(|layout| layout.name != name);
        self.chosen.take_if(|chosen| chosen == name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(layouts: &Layouts) -> Vec<&str> {
        layouts.own().iter().map(|layout| &*layout.name).collect()
    }

    #[test]
    fn layouts_are_saved_renamed_and_deleted() {
        let mut layouts = Layouts::default();
        layouts.save(" Wide ", "a".to_owned());
        layouts.save("Review", "b".to_owned());
        layouts.save("Wide", "c".to_owned());
        assert_eq!(names(&layouts), ["Wide", "Review"]);
        assert_eq!(layouts.chosen().map(|layout| &*layout.panels), Some("c"));
        layouts.rename("Wide", "review");
        assert_eq!(names(&layouts), ["Wide", "Review"], "the name is taken");
        layouts.rename("Wide", "Two screens");
        assert_eq!(layouts.chosen().map(|layout| &*layout.name), Some("Two screens"));
        layouts.choose(Some("Review".to_owned()));
        layouts.delete("Review");
        assert_eq!((names(&layouts), layouts.chosen()), (vec!["Two screens"], None));
    }

    #[test]
    fn some_names_are_refused() {
        let mut layouts = Layouts::default();
        for name in ["", "  ", "Default", "focus"] {
            layouts.save(name, String::new());
        }
        assert_eq!(names(&layouts), [""; 0]);
        (0..2 * MAX_LAYOUTS).for_each(|n| layouts.save(&n.to_string(), String::new()));
        assert_eq!(layouts.own().len(), MAX_LAYOUTS);
        layouts.save("0", "new".to_owned());
        assert_eq!(layouts.find("0").map(|layout| &*layout.panels), Some("new"));
    }
}
