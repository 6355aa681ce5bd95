//! Objects that the user placed in the level, and how they change.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable::{
    bake::{FIRST_OFF_MESH_USER_ID, OffMeshLink, VolumeShape},
    diagnostic::{ArgumentValue, Phrase},
    geom::Aabb,
    ids::AreaId,
    phrase,
};
use walkable_workspace::{
    document::{Obstacle, Obstacles},
    lang::{self, tr},
    text,
};

use super::{Document, Edit, Named};

const JUMP: AreaId = AreaId(5);
const JUMP_FLAG: u16 = 0x08;

/// An object placed in the level, or an item saved with it: its kind and its index in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SceneItem {
    Volume(usize),
    Link(usize),
    Bound(usize),
    Obstacle(usize),
    Path(usize),
    Place(usize),
    View(usize),
}

impl SceneItem {
    pub fn kind_name(self) -> &'static str {
        tr(self.kind_text())
    }

    const fn kind_text(self) -> &'static str {
        match self {
            Self::Volume(_) => text!("Volume"),
            Self::Link(_) => text!("Off-mesh link"),
            Self::Bound(_) => text!("Bake box"),
            Self::Obstacle(_) => text!("Obstacle"),
            Self::Path(_) => text!("Path"),
            Self::Place(_) => text!("Place"),
            Self::View(_) => text!("View"),
        }
    }

    pub const fn index(self) -> usize {
        match self {
            Self::Volume(index)
            | Self::Link(index)
            | Self::Bound(index)
            | Self::Obstacle(index)
            | Self::Path(index)
            | Self::Place(index)
            | Self::View(index) => index,
        }
    }

    #[must_use]
    pub const fn with_index(self, index: usize) -> Self {
        match self {
            Self::Volume(_) => Self::Volume(index),
            Self::Link(_) => Self::Link(index),
            Self::Bound(_) => Self::Bound(index),
            Self::Obstacle(_) => Self::Obstacle(index),
            Self::Path(_) => Self::Path(index),
            Self::Place(_) => Self::Place(index),
            Self::View(_) => Self::View(index),
        }
    }

    pub fn is_like(self, other: Self) -> bool {
        self.with_index(0) == other.with_index(0)
    }

    pub fn placed_in(document: &Document) -> impl Iterator<Item = Self> {
        let Document { volumes, off_mesh, bounds, obstacles, places, .. } = document;
        let volumes = (0..volumes.len()).map(Self::Volume);
        let links = (0..off_mesh.len()).map(Self::Link);
        let bounds = (0..bounds.len()).map(Self::Bound);
        let obstacles = (0..obstacles.list.len()).map(Self::Obstacle);
        let places = (0..places.len()).map(Self::Place);
        volumes.chain(links).chain(bounds).chain(obstacles).chain(places)
    }

    pub fn number_name(self, document: &Document) -> String {
        let number = self.tag(document).map_or(0, |tag| tag.number);
        format!("{} {number}", self.kind_name())
    }

    /// Returns what `document` stores about the object apart from its shape; `None` if it does not contain the object.
    fn tag(self, document: &Document) -> Option<Tag<'_>> {
        fn of<T>(all: &[Named<T>], index: usize) -> Option<Tag<'_>> {
            let Named { number, name, hidden, .. } = all.get(index)?;
            // The objects of a document that is being created have no numbers yet.
            let number = if *number == 0 { index + 1 } else { *number as usize };
            Some(Tag { number, name, hidden: *hidden })
        }
        match self {
            Self::Volume(number) => of(&document.volumes, number),
            Self::Link(number) => of(&document.off_mesh, number),
            Self::Bound(number) => of(&document.bounds, number),
            Self::Obstacle(number) => of(&document.obstacles.list, number),
            Self::Path(number) => of(&document.paths, number),
            Self::Place(number) => of(&document.places, number),
            Self::View(number) => of(&document.views, number),
        }
    }

    pub fn name(self, document: &Document) -> String {
        lang::phrase(&self.phrase(document))
    }

    pub fn phrase(self, document: &Document) -> Phrase {
        let tag = self.tag(document);
        if let Some(tag) = tag.as_ref().filter(|tag| !tag.name.is_empty()) {
            return Phrase::verbatim(tag.name);
        }
        let (kind, number) =
            (Phrase::new(self.kind_text(), Vec::new()), tag.map_or(0, |tag| tag.number));
        phrase!("{kind} {number}", kind, number)
    }

    pub fn is_hidden(self, document: &Document) -> bool {
        self.tag(document).is_some_and(|tag| tag.hidden)
    }

    /// Returns the bounds of the object; `None` if it has no position in the level.
    pub fn bounds_in(self, document: &Document) -> Option<Aabb> {
        let around = |places: &[Vec3]| Aabb::around(places.iter().copied());
        let bounds = match self {
            Self::Volume(number) => document.volumes.get(number)?.shape.bounds(),
            Self::Obstacle(number) => document.obstacles.list.get(number)?.shape.bounds(),
            Self::Link(number) => {
                document.off_mesh.get(number).map(|link| around(&[link.start, link.end]))?
            }
            Self::Bound(number) => document.bounds.get(number)?.of,
            Self::Path(number) => {
                document.paths.get(number).map(|path| around(&[path.start, path.end]))?
            }
            Self::Place(number) => document.places.get(number).map(|place| around(&[place.at]))?,
            Self::View(_) => return None,
        };
        (!bounds.is_empty()).then_some(bounds)
    }

    pub fn is_in(self, document: &Document) -> bool {
        self.tag(document).is_some()
    }

    /// Renames the object to `name`, trimmed.
    pub fn renamed_in(self, document: &Document, name: &str) -> Edit {
        Edit::of_items(document, |document| {
            if let Some((its_name, _)) = self.tag_mut(document) {
                name.trim().clone_into(its_name);
            }
        })
    }

    pub fn hide_in(self, document: &mut Document) {
        if let Some((_, hidden)) = self.tag_mut(document) {
            *hidden = true;
        }
    }

    pub fn show_in(self, document: &mut Document) {
        if let Some((_, hidden)) = self.tag_mut(document) {
            *hidden = false;
        }
    }

    /// Returns the user's name of the object, and whether it is hidden.
    fn tag_mut(self, document: &mut Document) -> Option<(&mut String, &mut bool)> {
        fn of<T>(all: &mut [Named<T>], index: usize) -> Option<(&mut String, &mut bool)> {
            all.get_mut(index).map(|named| (&mut named.name, &mut named.hidden))
        }
        match self {
            Self::Volume(index) => of(&mut document.volumes, index),
            Self::Link(index) => of(&mut document.off_mesh, index),
            Self::Bound(index) => of(&mut document.bounds, index),
            Self::Obstacle(index) => of(&mut document.obstacles.list, index),
            Self::Path(index) => of(&mut document.paths, index),
            Self::Place(index) => of(&mut document.places, index),
            Self::View(index) => of(&mut document.views, index),
        }
    }

    /// Returns the shape of the object, if it has one.
    pub fn shape(self, document: &Document) -> Option<VolumeShape> {
        match self {
            Self::Volume(number) => document.volumes.get(number).map(|it| it.shape.clone()),
            Self::Bound(number) => document.bounds.get(number).map(|it| VolumeShape::Box(it.of)),
            Self::Obstacle(number) => {
                document.obstacles.list.get(number).map(|it| it.shape.clone())
            }
            Self::Link(_) | Self::Path(_) | Self::Place(_) | Self::View(_) => None,
        }
    }

    /// Changes the shape of the object; a bake box becomes the bounds of the shape.
    pub fn reshaped_in(self, document: &Document, shape: VolumeShape) -> Option<Edit> {
        match self {
            Self::Volume(number) => {
                let mut volumes = document.volumes.clone();
                volumes.get_mut(number)?.shape = shape;
                Some(Edit::Volumes(volumes))
            }
            Self::Bound(number) => {
                let mut bounds = document.bounds.clone();
                bounds.get_mut(number)?.of = shape.bounds();
                Some(Edit::Bounds(bounds))
            }
            Self::Obstacle(number) => {
                let mut list = document.obstacles.list.clone();
                list.get_mut(number)?.shape = shape;
                Some(with_list(document, list))
            }
            Self::Link(_) | Self::Path(_) | Self::Place(_) | Self::View(_) => None,
        }
    }
}

/// Names `items` in the name of an undo step: the only object, or the number of objects.
pub fn item_names(document: &Document, items: &BTreeSet<SceneItem>) -> ArgumentValue {
    match items.first() {
        Some(item) if items.len() == 1 => item.phrase(document).within(),
        _ => phrase!("{n} objects", n = items.len()).into(),
    }
}

struct Tag<'a> {
    number: usize,
    name: &'a str,
    hidden: bool,
}

fn with_list(document: &Document, list: Vec<Named<Obstacle>>) -> Edit {
    Edit::Obstacles(Obstacles { list, ..document.obstacles.clone() })
}

/// Adds an obstacle. The first one prepares the level for obstacles.
pub fn with_obstacle(
    document: &Document,
    obstacle: impl Into<Named<Obstacle>>,
) -> (Edit, SceneItem) {
    let mut list = document.obstacles.list.clone();
    list.push(obstacle.into());
    let item = SceneItem::Obstacle(list.len() - 1);
    let is_first = document.obstacles.list.is_empty() || !document.obstacles.prepared;
    let add = Edit::Obstacles(Obstacles { list, prepared: true });
    let edit =
        if is_first { Edit::Several(vec![prepared_for_obstacles(document), add]) } else { add };
    (edit, item)
}

/// Prepares the level for obstacles, in tiles that can be split into layers.
pub fn prepared_for_obstacles(document: &Document) -> Edit {
    let mut next = document.clone();
    next.prepare_for_obstacles();
    let Document { settings, agents, obstacles, .. } = next;
    // The document's settings are those of the active agent.
    Edit::Several(vec![
        Edit::Settings(Box::new(settings)),
        Edit::Agents(agents),
        Edit::Obstacles(obstacles),
    ])
}

/// Returns a bidirectional jump as wide as the agent.
pub fn new_link(document: &Document, start: Vec3, end: Vec3) -> OffMeshLink {
    OffMeshLink {
        start,
        end,
        radius: document.settings.agent_radius.max(0.1),
        bidirectional: true,
        area: JUMP,
        flags: JUMP_FLAG,
        user_id: 0,
    }
}

/// Adds an off-mesh link with an unused user ID.
pub fn with_link(document: &Document, link: impl Into<Named<OffMeshLink>>) -> (Edit, SceneItem) {
    let mut link = link.into();
    let mut links = document.off_mesh.clone();
    let highest = links.iter().map(|link| link.user_id).max();
    link.user_id = highest.map_or(FIRST_OFF_MESH_USER_ID, |id| id.saturating_add(1));
    links.push(link);
    let item = SceneItem::Link(links.len() - 1);
    (Edit::Links(links), item)
}
