//! Names of areas and flags in the language of the window. Files contain the untranslated names of [`AreaTable`].

use walkable::{
    bake::{AreaTable, FlagName, RawArea},
    diagnostic::Phrase,
    phrase,
};
use walkable_workspace::{
    lang::{self, tr},
    text,
};

/// Default names of areas and flags that are words.
const WORDS: [&str; 10] = [
    text!("Ground"),
    text!("Water"),
    text!("Road"),
    text!("Door"),
    text!("Grass"),
    text!("Jump"),
    text!("Walk"),
    text!("Swim"),
    text!("Disabled"),
    text!("Not walkable"),
];

/// Returns `name` as a phrase to translate, if it is one of the built-in names.
fn word(name: &str) -> Option<Phrase> {
    let word = WORDS.into_iter().find(|word| *word == name)?;
    Some(Phrase::new(word, Vec::new()))
}

pub fn area_name(areas: &AreaTable, id: u8) -> String {
    lang::phrase(&area_phrase(areas, id))
}

pub fn area_phrase(areas: &AreaTable, id: u8) -> Phrase {
    let name = areas.name(id);
    if areas.is_changed(id) && name != AreaTable::default().name(id) {
        return name.into();
    }
    word(&name).unwrap_or_else(|| phrase!("Area {id}", id))
}

/// Returns the name of an area as the effect of a volume or surface rule.
pub fn painted_name(areas: &AreaTable, area: RawArea) -> String {
    if area.is_walkable() {
        area_name(areas, area.in_tile().0)
    } else {
        tr!("Not walkable").to_owned()
    }
}

pub fn flag_name(flag: &FlagName) -> String {
    lang::phrase(&flag_phrase(flag))
}

pub fn flag_phrase(flag: &FlagName) -> Phrase {
    let number = flag.number;
    if flag.name != FlagName::first_name(number) {
        return flag.name.clone().into();
    }
    word(&flag.name).unwrap_or_else(|| phrase!("Flag {number}", number))
}

pub fn flag_names(areas: &AreaTable, flags: u16) -> String {
    let set = areas.all_flags().filter(|flag| flags & flag.bit != 0);
    let names: Vec<_> = set.map(|flag| flag_name(&flag)).collect();
    if names.is_empty() { tr!("none").to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use walkable::bake::Area;
    use walkable_workspace::lang::{Language, set_language};

    use super::*;

    #[test]
    fn default_names_are_translated_and_those_of_the_user_are_not() {
        let named = |name: &str| Area { name: name.to_owned(), ..AreaTable::default().area(2) };
        let dear = Area { cost: 5.0, ..AreaTable::default().area(1) };
        let areas =
            AreaTable::default().with(1, dear).with(2, named("Mud")).with(7, named("Water"));
        let areas = areas.with(8, AreaTable::default().area(8)).with_flag(1, "Wade");
        let names = |areas: &AreaTable| {
            let ids = [0, 1, 2, 7, 8];
            let mut names = ids.map(|id| area_name(areas, id)).to_vec();
            names.push(flag_names(areas, 0x23));
            names.join(" ")
        };
        assert_eq!(names(&areas), "Ground Water Mud Water Area 8 Walk, Wade, Flag 5");
        assert_eq!(flag_names(&areas, 0), "none");
        let all = (0..6).map(|id| AreaTable::default().name(id));
        let flags = (0..5).map(FlagName::first_name);
        for name in all.chain(flags) {
            assert!(WORDS.contains(&&*name), "{name} is not translated");
        }
        set_language(Language::Chinese);
        let translated = names(&areas);
        set_language(Language::English);
        assert_eq!(translated, "地面 水域 Mud Water 区域类型 8 行走, Wade, 标志 5");
    }
}
