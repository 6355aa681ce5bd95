//! Objects that the user placed in the level, and how they change.

use crate::lang::tr;
use glam::Vec3;
use walkable::{
    bake::{FIRST_OFF_MESH_USER_ID, OffMeshLink, VolumeShape},
    geom::Aabb,
    ids::AreaId,
};

use super::{Document, Edit, Named, Obstacle, Obstacles, shifted};

/// Area of a new link: a jump.
const JUMP: AreaId = AreaId(5);
/// Flags of a new link: a jump.
const JUMP_FLAG: u16 = 0x08;

/// An object placed in the level, or an item saved with it: its kind and its index in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A volume that paints an area.
    Volume(usize),
    /// An off-mesh link.
    Link(usize),
    /// A box to which the bake is limited.
    Bound(usize),
    /// A temporary obstacle.
    Obstacle(usize),
    /// A saved path.
    Path(usize),
    /// A saved point.
    Place(usize),
    /// A saved camera view.
    View(usize),
}

impl Thing {
    /// Kind and number, counted from 1: the default name.
    pub fn number_name(self) -> String {
        let (kind, number) = match self {
            Self::Volume(number) => (tr!("Volume"), number),
            Self::Link(number) => (tr!("Link"), number),
            Self::Bound(number) => (tr!("Bake box"), number),
            Self::Obstacle(number) => (tr!("Obstacle"), number),
            Self::Path(number) => (tr!("Path"), number),
            Self::Place(number) => (tr!("Place"), number),
            Self::View(number) => (tr!("View"), number),
        };
        format!("{kind} {}", number + 1)
    }

    /// The user's name for the object, and whether it is hidden; `None` if `document` does not contain it.
    fn tag(self, document: &Document) -> Option<(&str, bool)> {
        fn of<T>(all: &[Named<T>], number: usize) -> Option<(&str, bool)> {
            all.get(number).map(|named| (&*named.name, named.hidden))
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

    /// Display name.
    pub fn name(self, document: &Document) -> String {
        let own = self.tag(document).map(|(name, _)| name).filter(|name| !name.is_empty());
        own.map_or_else(|| self.number_name(), str::to_owned)
    }

    /// Whether the object is hidden in the 3D view.
    pub fn is_hidden(self, document: &Document) -> bool {
        self.tag(document).is_some_and(|(_, hidden)| hidden)
    }

    /// The bounds of the object; `None` if it has no position in the level.
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

    /// Whether `document` contains the object.
    pub fn is_in(self, document: &Document) -> bool {
        self.tag(document).is_some()
    }

    /// Renames the object to `name`, trimmed.
    pub fn renamed_in(self, document: &Document, name: &str) -> Edit {
        let name = name.trim();
        self.changed_in(document, |its_name, _| name.clone_into(its_name))
    }

    /// Hides the object, or shows it again.
    pub fn shown_or_hidden_in(self, document: &Document) -> Edit {
        self.changed_in(document, |_, hidden| *hidden = !*hidden)
    }

    fn changed_in(self, document: &Document, change: impl FnOnce(&mut String, &mut bool)) -> Edit {
        fn changed<T: Clone>(
            all: &[Named<T>],
            number: usize,
            change: impl FnOnce(&mut String, &mut bool),
        ) -> Vec<Named<T>> {
            let mut all = all.to_vec();
            if let Some(named) = all.get_mut(number) {
                change(&mut named.name, &mut named.hidden);
            }
            all
        }
        match self {
            Self::Volume(number) => Edit::Volumes(changed(&document.volumes, number, change)),
            Self::Link(number) => Edit::Links(changed(&document.off_mesh, number, change)),
            Self::Bound(number) => Edit::Bounds(changed(&document.bounds, number, change)),
            Self::Obstacle(number) => {
                with_list(document, changed(&document.obstacles.list, number, change))
            }
            Self::Path(number) => Edit::Paths(changed(&document.paths, number, change)),
            Self::Place(number) => Edit::Places(changed(&document.places, number, change)),
            Self::View(number) => Edit::Views(changed(&document.views, number, change)),
        }
    }

    /// The shape of the object, if it has one.
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

    /// Removes the object.
    pub fn removed_from(self, document: &Document) -> Edit {
        match self {
            Self::Volume(number) => Edit::Volumes(without(&document.volumes, number)),
            Self::Link(number) => Edit::Links(without(&document.off_mesh, number)),
            Self::Bound(number) => Edit::Bounds(without(&document.bounds, number)),
            Self::Obstacle(number) => {
                with_list(document, without(&document.obstacles.list, number))
            }
            Self::Path(number) => Edit::Paths(without(&document.paths, number)),
            Self::Place(number) => Edit::Places(without(&document.places, number)),
            Self::View(number) => Edit::Views(without(&document.views, number)),
        }
    }

    /// Adds a copy of the object, offset by a meter, and returns the copy; `None` for kinds without a position in the
    /// level.
    pub fn doubled_in(self, document: &Document) -> Option<(Edit, Self)> {
        match self {
            Self::Volume(number) => {
                let mut volumes = document.volumes.clone();
                let mut volume = volumes.get(number)?.clone();
                volume.shape = shifted(&volume.shape, Vec3::X);
                volumes.push(volume);
                let copy = Self::Volume(volumes.len() - 1);
                Some((Edit::Volumes(volumes), copy))
            }
            Self::Link(number) => {
                let mut link = document.off_mesh.get(number)?.clone();
                link.start += Vec3::X;
                link.end += Vec3::X;
                Some(with_link(document, link))
            }
            Self::Bound(number) => {
                let mut bounds = document.bounds.clone();
                let mut bound = bounds.get(number)?.clone();
                bound.min += Vec3::X;
                bound.max += Vec3::X;
                bounds.push(bound);
                let copy = Self::Bound(bounds.len() - 1);
                Some((Edit::Bounds(bounds), copy))
            }
            Self::Obstacle(number) => {
                let mut obstacle = document.obstacles.list.get(number)?.clone();
                obstacle.shape = shifted(&obstacle.shape, Vec3::X);
                Some(with_obstacle(document, obstacle))
            }
            Self::Path(_) | Self::Place(_) | Self::View(_) => None,
        }
    }
}

fn without<T: Clone>(all: &[T], number: usize) -> Vec<T> {
    let kept = all.iter().enumerate().filter(|&(i, _)| i != number);
    kept.map(|(_, kept)| kept.clone()).collect()
}

fn with_list(document: &Document, list: Vec<Named<Obstacle>>) -> Edit {
    Edit::Obstacles(Obstacles { list, ..document.obstacles.clone() })
}

/// Adds an obstacle, and prepares the document for obstacles.
pub fn with_obstacle(document: &Document, obstacle: impl Into<Named<Obstacle>>) -> (Edit, Thing) {
    let mut list = document.obstacles.list.clone();
    list.push(obstacle.into());
    let thing = Thing::Obstacle(list.len() - 1);
    (Edit::Obstacles(Obstacles { list, prepared: true }), thing)
}

/// A bidirectional jump as wide as the agent.
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
pub fn with_link(document: &Document, link: impl Into<Named<OffMeshLink>>) -> (Edit, Thing) {
    let mut link = link.into();
    let mut links = document.off_mesh.clone();
    let highest = links.iter().map(|link| link.user_id).max();
    link.user_id = highest.map_or(FIRST_OFF_MESH_USER_ID, |id| id.saturating_add(1));
    links.push(link);
    let thing = Thing::Link(links.len() - 1);
    (Edit::Links(links), thing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let mut document = Document::default();
        for x in [0.0, 5.0] {
            let link = new_link(&document, Vec3::X * x, Vec3::new(x, 0.0, 3.0));
            with_link(&document.clone(), link).0.apply(&mut document);
        }
        document
    }

    #[test]
    fn links_get_unique_numbers() {
        let mut document = document();
        let ids = |document: &Document| {
            document.off_mesh.iter().map(|link| link.user_id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&document), [1000, 1001]);
        let (edit, copy) = Thing::Link(0).doubled_in(&document).unwrap();
        edit.apply(&mut document);
        assert_eq!((ids(&document), copy), (vec![1000, 1001, 1002], Thing::Link(2)));
        assert_eq!(document.off_mesh[2].start, Vec3::X);
    }

    #[test]
    fn what_is_gone_is_not_removed_again() {
        let mut document = document();
        Thing::Link(0).removed_from(&document).apply(&mut document);
        assert_eq!(document.off_mesh.len(), 1);
        assert_eq!(document.off_mesh[0].user_id, 1001);
        assert!(!Thing::Link(1).is_in(&document));
        Thing::Link(1).removed_from(&document).apply(&mut document);
        assert_eq!(document.off_mesh.len(), 1);
        assert!(Thing::Link(1).doubled_in(&document).is_none());
    }
}
