//! The selected objects, and objects in the clipboard.

use std::collections::BTreeSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaVolume, FIRST_OFF_MESH_USER_ID, OffMeshLink},
    geom::Aabb,
};
use walkable_workspace::{document::Obstacle, project::has_finite_numbers};

use super::{Document, Look, Named, SavedPath, SavedPlace, SceneItem};

/// The selected objects: the one whose properties are shown, and others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectedItems {
    main: Option<SceneItem>,
    others: BTreeSet<SceneItem>,
}

impl From<Option<SceneItem>> for SelectedItems {
    fn from(main: Option<SceneItem>) -> Self {
        Self { main, others: BTreeSet::new() }
    }
}

impl From<SceneItem> for SelectedItems {
    fn from(main: SceneItem) -> Self {
        Some(main).into()
    }
}

impl FromIterator<SceneItem> for SelectedItems {
    /// Selects all; the last one is the main one.
    fn from_iter<I: IntoIterator<Item = SceneItem>>(items: I) -> Self {
        let mut others: BTreeSet<_> = items.into_iter().collect();
        Self { main: others.pop_last(), others }
    }
}

impl SelectedItems {
    /// Returns the object whose properties are shown, if `document` contains it.
    pub fn main(&self, document: &Document) -> Option<SceneItem> {
        self.main.filter(|item| item.is_in(document))
    }

    /// Returns the selected objects that `document` contains, sorted by kind and index.
    pub fn all(&self, document: &Document) -> BTreeSet<SceneItem> {
        let all = self.others.iter().copied().chain(self.main);
        all.filter(|item| item.is_in(document)).collect()
    }

    pub fn contains(&self, item: SceneItem) -> bool {
        self.main == Some(item) || self.others.contains(&item)
    }

    /// Adds `item` as the main object, or removes it if it is selected.
    pub fn toggle(&mut self, item: SceneItem) {
        if self.main == Some(item) {
            self.main = self.others.pop_last();
        } else if !self.others.remove(&item) {
            self.others.extend(self.main.replace(item));
        }
    }

    /// Adds the objects from the main one to `item`, which becomes the main one, if both are of the same kind.
    pub fn extend_to(&mut self, item: SceneItem) {
        let Some(from) = self.main.filter(|main| main.is_like(item)) else {
            return self.toggle(item);
        };
        let [first, last] = [from.index().min(item.index()), from.index().max(item.index())];
        self.others.extend((first..=last).map(|index| item.with_index(index)));
        self.others.remove(&item);
        self.main = Some(item);
    }
}

/// Version of the format of copied objects.
const VERSION: u32 = 1;
/// Maximum number of copied objects.
const MAX_ITEMS: usize = 10_000;
const MAX_BYTES: usize = 16 << 20;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopiedItems {
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

#[derive(Debug, thiserror::Error)]
pub enum PasteError {
    /// It was copied in a newer program.
    #[error(
        "it was copied in a newer Walkable: its format is {found}, this program reads up to {VERSION}"
    )]
    TooNew { found: u32 },
    #[error("it has {n_bytes} bytes, more than the limit of {MAX_BYTES}")]
    TooLong { n_bytes: usize },
    #[error("it has {found} objects, more than the limit of {MAX_ITEMS}")]
    TooMany { found: usize },
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

impl CopiedItems {
    pub fn of(document: &Document, items: &BTreeSet<SceneItem>) -> Self {
        let mut copied = Self { walkable_objects: VERSION, ..Self::default() };
        for &item in items {
            match item {
                SceneItem::Volume(index) => copy(&mut copied.volumes, &document.volumes, index),
                SceneItem::Link(index) => copy(&mut copied.links, &document.off_mesh, index),
                SceneItem::Bound(index) => copy(&mut copied.bounds, &document.bounds, index),
                SceneItem::Obstacle(index) => {
                    copy(&mut copied.obstacles, &document.obstacles.list, index);
                }
                SceneItem::Path(index) => copy(&mut copied.paths, &document.paths, index),
                SceneItem::Place(index) => copy(&mut copied.places, &document.places, index),
                SceneItem::View(index) => copy(&mut copied.views, &document.views, index),
            }
        }
        copied
    }

    /// Returns the text for the clipboard.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a text from the clipboard; returns `None` if it does not begin like copied objects.
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
        if found > MAX_ITEMS {
            return Err(PasteError::TooMany { found });
        }
        if has_finite_numbers(&copied)? { Ok(copied) } else { Err(PasteError::NotFinite) }
    }

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

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the objects to `document`, and returns them. If an equal object is at the same position, all that have a
    /// position are moved by a meter along x.
    pub fn add_to(mut self, document: &mut Document) -> Vec<SceneItem> {
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
        append(&mut document.volumes, self.volumes, SceneItem::Volume, &mut added);
        append(&mut document.off_mesh, self.links, SceneItem::Link, &mut added);
        append(&mut document.bounds, self.bounds, SceneItem::Bound, &mut added);
        append(&mut document.obstacles.list, self.obstacles, SceneItem::Obstacle, &mut added);
        append(&mut document.paths, self.paths, SceneItem::Path, &mut added);
        append(&mut document.places, self.places, SceneItem::Place, &mut added);
        append(&mut document.views, self.views, SceneItem::View, &mut added);
        if is_there {
            for item in &added {
                item.move_in(document, Vec3::X);
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

/// Appends `new` without numbers, and adds the items to `added`.
fn append<T>(
    all: &mut Vec<Named<T>>,
    new: Vec<Named<T>>,
    item: fn(usize) -> SceneItem,
    added: &mut Vec<SceneItem>,
) {
    added.extend((all.len()..all.len() + new.len()).map(item));
    all.extend(new.into_iter().map(|named| Named { number: 0, ..named }));
}

pub fn remove(document: &mut Document, items: &BTreeSet<SceneItem>) {
    fn keep<T>(all: &mut Vec<Named<T>>, item: fn(usize) -> SceneItem, gone: &BTreeSet<SceneItem>) {
        let mut indices = 0..;
        all.retain(|_| indices.next().is_some_and(|index| !gone.contains(&item(index))));
    }
    keep(&mut document.volumes, SceneItem::Volume, items);
    keep(&mut document.off_mesh, SceneItem::Link, items);
    keep(&mut document.bounds, SceneItem::Bound, items);
    keep(&mut document.obstacles.list, SceneItem::Obstacle, items);
    keep(&mut document.paths, SceneItem::Path, items);
    keep(&mut document.places, SceneItem::Place, items);
    keep(&mut document.views, SceneItem::View, items);
}

#[cfg(test)]
mod tests {
    use walkable::bake::{RawArea, VolumeShape};

    use super::*;
    use crate::session::{new_link, with_link};

    /// Returns a document with two links, a volume and a place.
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

    fn all(document: &Document) -> BTreeSet<SceneItem> {
        SceneItem::placed_in(document).collect()
    }

    fn names(document: &Document) -> Vec<String> {
        all(document).into_iter().map(|item| item.name(document)).collect()
    }

    #[test]
    fn names_stay_when_others_are_removed() {
        let mut document = document();
        remove(&mut document, &[SceneItem::Link(0)].into());
        assert_eq!(names(&document), ["Volume 1", "Off-mesh link 2", "Place 1"]);
        let copied = CopiedItems::of(&document, &[SceneItem::Link(0)].into());
        assert_eq!(copied.add_to(&mut document), [SceneItem::Link(1)]);
        assert_eq!(names(&document), ["Volume 1", "Off-mesh link 2", "Off-mesh link 3", "Place 1"]);
    }

    #[test]
    fn copies_are_moved_only_from_their_originals() {
        let mut document = document();
        let copied = CopiedItems::of(&document, &all(&document));
        let text = copied.to_text().unwrap();
        let read = CopiedItems::parse(&text).unwrap().unwrap();
        assert_eq!((read.len(), &read), (4, &copied));

        let mut other = Document::default();
        let added: BTreeSet<_> = read.clone().add_to(&mut other).into_iter().collect();
        assert_eq!(added, all(&other));
        assert_eq!(CopiedItems::of(&other, &added), copied);

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
            CopiedItems::parse(text).map(|read| read.map_err(|why| why.to_string()).unwrap_err())
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
        let many = vec!["{\"at\": [0, 0, 0]}"; MAX_ITEMS + 1].join(",");
        check(&format!("{{\"walkable_objects\": 1, \"places\": [{many}]}}"), "10001 objects");
        check(&format!("{{\"walkable_objects\": 1{}}}", " ".repeat(MAX_BYTES)), "bytes");
    }

    #[test]
    fn a_selection_grows_and_shrinks() {
        let mut selected = SelectedItems::from(SceneItem::Link(1));
        selected.extend_to(SceneItem::Link(3));
        let links = |indices: &[usize]| indices.iter().map(|&at| SceneItem::Link(at)).collect();
        let all = |selected: &SelectedItems| -> BTreeSet<SceneItem> {
            selected.others.iter().copied().chain(selected.main).collect()
        };
        assert_eq!((all(&selected), selected.main), (links(&[1, 2, 3]), Some(SceneItem::Link(3))));
        selected.extend_to(SceneItem::Volume(0));
        assert_eq!((all(&selected).len(), selected.main), (4, Some(SceneItem::Volume(0))));
        selected.toggle(SceneItem::Volume(0));
        selected.toggle(SceneItem::Link(2));
        assert_eq!(all(&selected), links(&[1, 3]));
        assert_eq!(selected.main(&Document::default()), None);
        assert!(selected.all(&document()) == links(&[1]), "the others do not exist");
    }
}
