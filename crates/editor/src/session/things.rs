//! The selected objects, and objects in the clipboard.

use std::collections::BTreeSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaVolume, FIRST_OFF_MESH_USER_ID, OffMeshLink},
    geom::Aabb,
};

use super::{Document, Look, Named, Obstacle, SavedPath, SavedPlace, Thing};
use crate::project::has_finite_numbers;

/// The selected objects: the one whose properties are shown, and others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenThings {
    main: Option<Thing>,
    others: BTreeSet<Thing>,
}

impl From<Option<Thing>> for ChosenThings {
    fn from(main: Option<Thing>) -> Self {
        Self { main, others: BTreeSet::new() }
    }
}

impl From<Thing> for ChosenThings {
    fn from(main: Thing) -> Self {
        Some(main).into()
    }
}

impl FromIterator<Thing> for ChosenThings {
    /// Selects all; the last one is the main one.
    fn from_iter<I: IntoIterator<Item = Thing>>(things: I) -> Self {
        let mut others: BTreeSet<_> = things.into_iter().collect();
        Self { main: others.pop_last(), others }
    }
}

impl ChosenThings {
    /// Returns the object whose properties are shown, if `document` contains it.
    pub fn main(&self, document: &Document) -> Option<Thing> {
        self.main.filter(|thing| thing.is_in(document))
    }

    /// Returns the selected objects that `document` contains, sorted by kind and index.
    pub fn all(&self, document: &Document) -> BTreeSet<Thing> {
        let all = self.others.iter().copied().chain(self.main);
        all.filter(|thing| thing.is_in(document)).collect()
    }

    /// Returns whether `thing` is selected.
    pub fn contains(&self, thing: Thing) -> bool {
        self.main == Some(thing) || self.others.contains(&thing)
    }

    /// Adds `thing` as the main object, or removes it if it is selected.
    pub fn toggle(&mut self, thing: Thing) {
        if self.main == Some(thing) {
            self.main = self.others.pop_last();
        } else if !self.others.remove(&thing) {
            self.others.extend(self.main.replace(thing));
        }
    }

    /// Adds the objects from the main one to `thing`, which becomes the main one, if both are of the same kind.
    pub fn extend_to(&mut self, thing: Thing) {
        let Some(from) = self.main.filter(|main| main.is_like(thing)) else {
            return self.toggle(thing);
        };
        let [first, last] = [from.index().min(thing.index()), from.index().max(thing.index())];
        self.others.extend((first..=last).map(|index| thing.with_index(index)));
        self.others.remove(&thing);
        self.main = Some(thing);
    }
}

/// Version of the format of copied objects.
const VERSION: u32 = 1;
/// Maximum number of copied objects.
const MAX_THINGS: usize = 10_000;
/// Maximum size of copied objects, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Copied objects, as JSON in the clipboard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopiedThings {
    /// Version of the format.
    walkable_objects: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    volumes: Vec<Named<AreaVolume>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<Named<OffMeshLink>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<Named<Aabb>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Named<Obstacle>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    paths: Vec<Named<SavedPath>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<Named<SavedPlace>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    views: Vec<Named<Look>>,
}

/// Why a text in the clipboard cannot be pasted as objects.
#[derive(Debug, thiserror::Error)]
pub enum PasteError {
    /// It was copied in a newer program.
    #[error(
        "it was copied in a newer Walkable: its format is {found}, this program reads up to {VERSION}"
    )]
    TooNew {
        /// The version of its format.
        found: u32,
    },
    /// It is too long.
    #[error("it has {n_bytes} bytes, more than the limit of {MAX_BYTES}")]
    TooLong {
        /// Its length.
        n_bytes: usize,
    },
    /// It has too many objects.
    #[error("it has {found} objects, more than the limit of {MAX_THINGS}")]
    TooMany {
        /// Their number.
        found: usize,
    },
    /// It is damaged.
    #[error("its objects cannot be read: {0}")]
    Malformed(serde_json::Error),
    /// A number in it does not fit its type.
    #[error("a number in it is out of range")]
    NotFinite,
}

impl From<serde_json::Error> for PasteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error)
    }
}

impl CopiedThings {
    /// Copies `things` of `document`.
    pub fn of(document: &Document, things: &BTreeSet<Thing>) -> Self {
        let mut copied = Self { walkable_objects: VERSION, ..Self::default() };
        for &thing in things {
            match thing {
                Thing::Volume(index) => copy(&mut copied.volumes, &document.volumes, index),
                Thing::Link(index) => copy(&mut copied.links, &document.off_mesh, index),
                Thing::Bound(index) => copy(&mut copied.bounds, &document.bounds, index),
                Thing::Obstacle(index) => {
                    copy(&mut copied.obstacles, &document.obstacles.list, index);
                }
                Thing::Path(index) => copy(&mut copied.paths, &document.paths, index),
                Thing::Place(index) => copy(&mut copied.places, &document.places, index),
                Thing::View(index) => copy(&mut copied.views, &document.views, index),
            }
        }
        copied
    }

    /// Returns the text for the clipboard.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a text from the clipboard; returns `None` if it does not begin like copied objects.
    ///
    /// # Errors
    /// Returns a [`PasteError`] if it begins like copied objects, but cannot be read.
    pub fn parse(text: &str) -> Option<Result<Self, PasteError>> {
        let begins = text.trim_start().strip_prefix('{')?.trim_start();
        begins.starts_with("\"walkable_objects\"").then(|| Self::read(text))
    }

    fn read(text: &str) -> Result<Self, PasteError> {
        #[derive(Deserialize)]
        struct Head {
            walkable_objects: u32,
        }
        if text.len() > MAX_BYTES {
            return Err(PasteError::TooLong { n_bytes: text.len() });
        }
        let Head { walkable_objects: found } = serde_json::from_str(text)?;
        if found > VERSION {
            return Err(PasteError::TooNew { found });
        }
        let copied: Self = serde_json::from_str(text)?;
        let found = copied.len();
        if found > MAX_THINGS {
            return Err(PasteError::TooMany { found });
        }
        if has_finite_numbers(&copied)? { Ok(copied) } else { Err(PasteError::NotFinite) }
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        let Self { volumes, links, bounds, obstacles, paths, places, views, .. } = self;
        volumes.len()
            + links.len()
            + bounds.len()
            + obstacles.len()
            + paths.len()
            + places.len()
            + views.len()
    }

    /// Returns whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the objects to `document`, and returns them. If an equal object is at the same position, all that have a
    /// position are moved by a meter along x.
    pub fn add_to(mut self, document: &mut Document) -> Vec<Thing> {
        let is_there = self.is_in(document);
        let unused = document.off_mesh.iter().map(|link| link.user_id.saturating_add(1)).max();
        let first = unused.unwrap_or(FIRST_OFF_MESH_USER_ID);
        for (link, id) in self.links.iter_mut().zip(first..) {
            link.user_id = id;
        }
        if !self.obstacles.is_empty() && document.obstacles.list.is_empty() {
            document.prepare_for_obstacles();
        }
        let mut added = Vec::new();
        append(&mut document.volumes, self.volumes, Thing::Volume, &mut added);
        append(&mut document.off_mesh, self.links, Thing::Link, &mut added);
        append(&mut document.bounds, self.bounds, Thing::Bound, &mut added);
        append(&mut document.obstacles.list, self.obstacles, Thing::Obstacle, &mut added);
        append(&mut document.paths, self.paths, Thing::Path, &mut added);
        append(&mut document.places, self.places, Thing::Place, &mut added);
        append(&mut document.views, self.views, Thing::View, &mut added);
        if is_there {
            for thing in &added {
                thing.move_in(document, Vec3::X);
            }
        }
        document.normalize();
        added
    }

    /// Returns whether `document` contains an equal object at the same position.
    fn is_in(&self, document: &Document) -> bool {
        fn any<T: PartialEq>(copied: &[Named<T>], there: &[Named<T>]) -> bool {
            copied.iter().any(|copied| there.iter().any(|there| there.of == copied.of))
        }
        let same_link = |link: &Named<OffMeshLink>| {
            document.off_mesh.iter().any(|there| (there.start, there.end) == (link.start, link.end))
        };
        any(&self.volumes, &document.volumes)
            || self.links.iter().any(same_link)
            || any(&self.bounds, &document.bounds)
            || any(&self.obstacles, &document.obstacles.list)
            || any(&self.paths, &document.paths)
            || any(&self.places, &document.places)
    }
}

fn copy<T: Clone>(copied: &mut Vec<Named<T>>, all: &[Named<T>], index: usize) {
    copied.extend(all.get(index).cloned());
}

/// Appends `new` without numbers, and adds the things to `added`.
fn append<T>(
    all: &mut Vec<Named<T>>,
    new: Vec<Named<T>>,
    thing: fn(usize) -> Thing,
    added: &mut Vec<Thing>,
) {
    added.extend((all.len()..all.len() + new.len()).map(thing));
    all.extend(new.into_iter().map(|named| Named { number: 0, ..named }));
}

/// Removes `things` from `document`.
pub fn remove(document: &mut Document, things: &BTreeSet<Thing>) {
    fn keep<T>(all: &mut Vec<Named<T>>, thing: fn(usize) -> Thing, gone: &BTreeSet<Thing>) {
        let mut indices = 0..;
        all.retain(|_| indices.next().is_some_and(|index| !gone.contains(&thing(index))));
    }
    keep(&mut document.volumes, Thing::Volume, things);
    keep(&mut document.off_mesh, Thing::Link, things);
    keep(&mut document.bounds, Thing::Bound, things);
    keep(&mut document.obstacles.list, Thing::Obstacle, things);
    keep(&mut document.paths, Thing::Path, things);
    keep(&mut document.places, Thing::Place, things);
    keep(&mut document.views, Thing::View, things);
}

#[cfg(test)]
mod tests {
    use walkable::bake::{RawArea, VolumeShape};

    use super::*;
    use crate::session::{new_link, with_link};

    /// Two links, a volume and a place.
    fn document() -> Document {
        let mut document = Document::default();
        for x in [0.0, 5.0] {
            let link = new_link(&document, Vec3::X * x, Vec3::new(x, 0.0, 3.0));
            with_link(&document.clone(), link).0.apply(&mut document);
        }
        let shape = VolumeShape::Box(Aabb::new(Vec3::ZERO, Vec3::ONE));
        document.volumes = vec![AreaVolume::new(RawArea(2), shape).into()];
        document.places = vec![SavedPlace { at: Vec3::Z }.into()];
        document.normalize();
        document
    }

    fn all(document: &Document) -> BTreeSet<Thing> {
        Thing::placed_in(document).collect()
    }

    fn names(document: &Document) -> Vec<String> {
        all(document).into_iter().map(|thing| thing.name(document)).collect()
    }

    #[test]
    fn names_stay_when_others_are_removed() {
        let mut document = document();
        remove(&mut document, &[Thing::Link(0)].into());
        assert_eq!(names(&document), ["Volume 1", "Off-mesh link 2", "Place 1"]);
        let copied = CopiedThings::of(&document, &[Thing::Link(0)].into());
        assert_eq!(copied.add_to(&mut document), [Thing::Link(1)]);
        assert_eq!(names(&document), ["Volume 1", "Off-mesh link 2", "Off-mesh link 3", "Place 1"]);
    }

    #[test]
    fn copies_are_moved_only_from_their_originals() {
        let mut document = document();
        let copied = CopiedThings::of(&document, &all(&document));
        let text = copied.to_text().unwrap();
        let read = CopiedThings::parse(&text).unwrap().unwrap();
        assert_eq!((read.len(), &read), (4, &copied));

        let mut other = Document::default();
        let added: BTreeSet<_> = read.clone().add_to(&mut other).into_iter().collect();
        assert_eq!(added, all(&other));
        assert_eq!(CopiedThings::of(&other, &added), copied);

        let added = read.add_to(&mut document);
        let ids: Vec<_> = document.off_mesh.iter().map(|link| link.user_id).collect();
        assert_eq!((ids, added.len()), (vec![1000, 1001, 1002, 1003], 4));
        assert_eq!(document.off_mesh[2].start, Vec3::X);
        assert_eq!(document.volumes[1].shape.bounds().min, Vec3::X);
        assert_eq!(document.places[1].at, Vec3::Z + Vec3::X);
    }

    #[test]
    fn what_cannot_be_pasted_says_why() {
        let why = |text: &str| {
            CopiedThings::parse(text).map(|read| read.map_err(|why| why.to_string()).unwrap_err())
        };
        assert!(why("1 2 3").is_none() && why("{\"other\": 1}").is_none());
        let check = |text: &str, expected: &str| {
            let why = why(text).unwrap_or_default();
            assert!(why.contains(expected), "{why}");
        };
        check(
            "{\"walkable_objects\": 2, \"new\": 1}",
            "its format is 2, this program reads up to 1",
        );
        check("{\"walkable_objects\": 1, \"volumes\": 3}", "line 1 column");
        check("{\"walkable_objects\": 1, \"other\": []}", "unknown field");
        let place = "{\"at\": [0, 1e99, 0]}";
        check(&format!("{{\"walkable_objects\": 1, \"places\": [{place}]}}"), "out of range");
        let many = vec!["{\"at\": [0, 0, 0]}"; MAX_THINGS + 1].join(",");
        check(&format!("{{\"walkable_objects\": 1, \"places\": [{many}]}}"), "10001 objects");
        check(&format!("{{\"walkable_objects\": 1{}}}", " ".repeat(MAX_BYTES)), "bytes");
    }

    #[test]
    fn a_selection_grows_and_shrinks() {
        let mut chosen = ChosenThings::from(Thing::Link(1));
        chosen.extend_to(Thing::Link(3));
        let links = |indices: &[usize]| indices.iter().map(|&at| Thing::Link(at)).collect();
        let all = |chosen: &ChosenThings| -> BTreeSet<Thing> {
            chosen.others.iter().copied().chain(chosen.main).collect()
        };
        assert_eq!((all(&chosen), chosen.main), (links(&[1, 2, 3]), Some(Thing::Link(3))));
        chosen.extend_to(Thing::Volume(0));
        assert_eq!((all(&chosen).len(), chosen.main), (4, Some(Thing::Volume(0))));
        chosen.toggle(Thing::Volume(0));
        chosen.toggle(Thing::Link(2));
        assert_eq!(all(&chosen), links(&[1, 3]));
        assert_eq!(chosen.main(&Document::default()), None);
        assert!(chosen.all(&document()) == links(&[1]), "the others do not exist");
    }
}
