//! Jumps and drops proposed by themselves: from where the navmesh ends at a ledge or a gap to ground
//! within reach of a leap.
//!
//! 1. *Starts*: the edges beyond which nothing can be walked onto are cut in pieces of about
//!    [`LinkSettings::spacing`]; the middle of each is a start, and the way out is square to its edge.
//! 2. *Landings*: along the way out, from near to far, ground above or below is looked for, no higher than
//!    [`LinkSettings::max_up`] and no lower than [`LinkSettings::max_drop`]. Ground that can be jumped back
//!    from is a jump, both ways; deeper ground is a drop, one way.
//! 3. *Room*: an upright cylinder, the agent's body, is moved along the arc of the leap ([`arc`]). Where it
//!    touches a triangle of the level, the landing is given up.
//! 4. *Use*: a landing to which one can walk in less than [`LinkSettings::min_detour`] times its distance is
//!    given up.
//! 5. *Thinning*: of proposals whose starts lie close and whose ends lie close, the shortest stays.
//!
//! A start has at most one jump and one drop: the nearest that pass.
//!
//! Source: starts along boundary edges, landings beside them and a trajectory tried against the level are the
//! idea of Mononen, "Automatic annotations in Killzone 3 and beyond", 2011, on which the jump link builder of
//! `DotRecast` stands. `Differs:` there, trajectories are sampled against the voxels of the bake; here the level's
//! own triangles are asked, so that answers do not depend on what the bake kept of walls and ceilings.

mod arc;
mod check;
mod room;
mod search;
#[cfg(test)]
mod tests;
mod thin;

use glam::Vec3;

pub use arc::arc;
pub use check::{LinkEnd, LinkReport, LinkState, check_links, landing_distance, off_mesh_links};
use search::Search;

use walkable_bake::bake::OffMeshLink;
use walkable_mesh::TriMesh;
use walkable_runtime::{
    ids::AreaId,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::{Filter, MeshPoint},
};

/// How far an agent leaps. Lengths are meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSettings {
    /// Farthest from start to end, seen from above, above 0. The navmesh ends about the agent's radius before
    /// a ledge and as far from what is below it, so that a gap is wider here than in the level.
    pub max_distance: f32,
    /// Deepest drop.
    pub max_drop: f32,
    /// Highest jump up; what is no higher or lower can be jumped both ways.
    pub max_up: f32,
    /// How far apart starts are on an edge, and how far apart proposals must be to be kept both; above 0.
    pub spacing: f32,
    /// Radius of the body that needs room.
    pub radius: f32,
    /// Height of the body that needs room.
    pub height: f32,
    /// How far above the ground the body's bottom is: what lies lower is stepped over.
    pub step: f32,
    /// How far a jump rises above its higher end, in the middle.
    pub rise: f32,
    /// How far ground may be beside the place where it was looked for.
    pub snap: f32,
    /// How many times longer than the link the way on foot must be, at least 1.
    pub min_detour: f32,
}

impl LinkSettings {
    /// Settings for an agent that leaps over gaps of one and a half times its height, down twice and up a quarter of
    /// it.
    pub fn for_agent(height: f32, radius: f32, climb: f32) -> Self {
        Self {
            max_distance: 1.5 * height + 2.0 * radius,
            max_drop: 2.0 * height,
            max_up: climb.max(0.25 * height),
            spacing: 2.0 * radius,
            radius,
            height,
            step: climb,
            rise: 0.1 * height,
            snap: 0.5 * radius,
            min_detour: 3.0,
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// [`LinkError::OutOfRange`] naming the first that is not finite or out of its range.
    pub fn validate(&self) -> Result<(), LinkError> {
        let numbers = [
            ("max_distance", self.max_distance, LEAST),
            ("max_drop", self.max_drop, 0.0),
            ("max_up", self.max_up, 0.0),
            ("spacing", self.spacing, LEAST),
            ("radius", self.radius, 0.0),
            ("height", self.height, 0.0),
            ("step", self.step, 0.0),
            ("rise", self.rise, 0.0),
            ("snap", self.snap, 0.0),
            ("min_detour", self.min_detour, 1.0),
        ];
        // Written so that NaN is refused.
        match numbers.into_iter().find(|(_, value, min)| !(*min..=MOST).contains(value)) {
            None => Ok(()),
            Some((name, value, min)) => Err(LinkError::OutOfRange { name, value, min, max: MOST }),
        }
    }
}

/// Least distance and spacing.
const LEAST: f32 = 0.01;
/// Largest of all settings.
const MOST: f32 = 1000.0;

/// Why there are no proposals.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A setting is out of its range or not finite.
    #[error("{name} is {value}, but must be between {min} and {max}")]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// Its value.
        value: f32,
        /// Smallest allowed.
        min: f32,
        /// Largest allowed.
        max: f32,
    },
    /// The caller asked for it to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What a proposed link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// Over a gap or onto a ledge, and back.
    Jump,
    /// Down, and not back.
    Drop,
}

/// A link that could be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkProposal {
    /// What it is.
    pub kind: LinkKind,
    /// On an edge of the navmesh.
    pub start: MeshPoint,
    /// Where one lands.
    pub end: MeshPoint,
}

impl LinkProposal {
    /// The link to be placed, with the number `user_id`.
    ///
    /// - `radius`: how far the ground may be from its ends after another bake, in meters.
    pub fn to_off_mesh(self, radius: f32, area: AreaId, flags: u16, user_id: u32) -> OffMeshLink {
        OffMeshLink {
            start: self.start.point,
            end: self.end.point,
            radius,
            bidirectional: self.kind == LinkKind::Jump,
            area,
            flags,
            user_id,
        }
    }

    fn ends(&self) -> [Vec3; 2] {
        [self.start.point, self.end.point]
    }
}

/// Proposes links over the edges of `mesh`, which was baked from `level`. The order is that of tiles, polygons
/// and edges; the same input gives the same proposals.
///
/// Links that `mesh` has count as ways on foot, as far as `filter` lets them pass. Takes time for each piece of
/// boundary: some tens of lookups, and a search of at most 512 polygons for each landing with room.
///
/// # Errors
/// [`LinkError`].
pub fn propose_links(
    mesh: &NavMesh,
    level: &TriMesh,
    filter: &Filter,
    settings: &LinkSettings,
    monitor: &dyn Monitor,
) -> Result<Vec<LinkProposal>, LinkError> {
    settings.validate()?;
    let mut search = Search::new(mesh, level, filter, settings);
    for (slot, tile) in mesh.slots() {
        for index in 0..tile.header.off_mesh_base as usize {
            monitor.check()?;
            if filter.passes(&tile.polys[index]) {
                search.leave(slot, tile, index);
            }
        }
    }
    Ok(thin::thinned(&search.found, settings.spacing))
}
