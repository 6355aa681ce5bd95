//! What the user placed in the level, and how it is changed.

use glam::Vec3;
use walkable::{
    bake::{AreaVolume, FIRST_OFF_MESH_USER_ID, OffMeshLink},
    ids::AreaId,
};

use super::{Document, Edit, shifted};

/// Area of a new link: a jump.
const JUMP: AreaId = AreaId(5);
/// Flags of a new link: a jump.
const JUMP_FLAG: u16 = 0x08;

/// Something placed in the level: its kind and its number in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    /// A volume that paints an area.
    Volume(usize),
    /// An off-mesh connection.
    Link(usize),
}

impl Thing {
    /// Name for people; numbers count from 1.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Volume(number) => format!("Volume {}", number + 1),
            Self::Link(number) => format!("Link {}", number + 1),
        }
    }

    /// Whether the document has it.
    pub(crate) fn is_in(self, document: &Document) -> bool {
        match self {
            Self::Volume(number) => number < document.volumes.len(),
            Self::Link(number) => number < document.off_mesh.len(),
        }
    }

    /// The document without it.
    pub(crate) fn removed_from(self, document: &Document) -> Edit {
        match self {
            Self::Volume(number) => Edit::Volumes(without(&document.volumes, number)),
            Self::Link(number) => Edit::Links(without(&document.off_mesh, number)),
        }
    }

    /// The document with a copy of it a metre aside, and the copy.
    pub(crate) fn doubled_in(self, document: &Document) -> Option<(Edit, Self)> {
        match self {
            Self::Volume(number) => {
                let mut volumes = document.volumes.clone();
                let volume = volumes.get(number)?.clone();
                let shape = shifted(&volume.shape, Vec3::X);
                volumes.push(AreaVolume { shape, ..volume });
                let copy = Self::Volume(volumes.len() - 1);
                Some((Edit::Volumes(volumes), copy))
            }
            Self::Link(number) => {
                let link = *document.off_mesh.get(number)?;
                let (start, end) = (link.start + Vec3::X, link.end + Vec3::X);
                let (links, copy) = with_link(document, OffMeshLink { start, end, ..link });
                Some((links, copy))
            }
        }
    }
}

fn without<T: Clone>(all: &[T], number: usize) -> Vec<T> {
    let kept = all.iter().enumerate().filter(|&(i, _)| i != number);
    kept.map(|(_, kept)| kept.clone()).collect()
}

/// A jump both ways, as wide as the agent.
pub(crate) fn new_link(document: &Document, start: Vec3, end: Vec3) -> OffMeshLink {
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

/// The document with one link more, which gets a number of its own.
pub(crate) fn with_link(document: &Document, link: OffMeshLink) -> (Edit, Thing) {
    let mut links = document.off_mesh.clone();
    let highest = links.iter().map(|link| link.user_id).max();
    let user_id = highest.map_or(FIRST_OFF_MESH_USER_ID, |id| id.saturating_add(1));
    links.push(OffMeshLink { user_id, ..link });
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
    fn links_get_numbers_of_their_own() {
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
