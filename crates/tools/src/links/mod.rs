//! Proposes off-mesh links: jumps and drops from boundary edges to ground within reach.
//!
//! 1. *Starts*: edges to a wall or drop are divided into pieces of about [`LinkSettings::spacing`]. The middle of each
//!    piece is a start, and its direction is perpendicular to the edge, away from the polygon.
//! 2. *Landings*: ground is searched along that direction, from near to far, at most [`LinkSettings::max_up`] higher
//!    and at most [`LinkSettings::max_drop`] lower. A landing from which the agent can jump back is a bidirectional
//!    jump; a lower landing is a one-way drop.
//! 3. *Clearance*: an upright cylinder, the agent's body, moves along the arc ([`arc`]). If it touches a triangle of
//!    the level, the landing is rejected.
//! 4. *Use*: a landing is rejected if the walking distance to it is less than [`LinkSettings::min_detour`] times its
//!    distance.
//! 5. *Thinning*: if several proposals have close starts and close ends, only the shortest is kept.
//!
//! Each start has at most one jump and one drop: the nearest ones that pass.
//!
//! Source: the idea of starts along boundary edges, landings beside them and a trajectory tested against the level is
//! from Mononen, "Automatic annotations in Killzone 3 and beyond", 2011, which is also the base of the jump link
//! builder of `DotRecast`. `Differs:` those implementations sample trajectories against the voxels of the bake. This
//! module tests the triangles of the level, so results do not depend on which walls and ceilings the bake kept.

mod arc;
mod check;
mod room;
mod search;
#[cfg(test)]
mod tests;
mod thin;

pub use arc::arc;
pub(crate) use check::{LinkCheck, links_of_tile};
pub use check::{LinkEnd, LinkReport, LinkState, check_links, landing_distance, off_mesh_links};
use glam::Vec3;
use search::LinkSearch;
use serde::{Deserialize, Serialize};
use walkable_bake::bake::{JumpLimits, OffMeshLink};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    ids::AreaId,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::{Filter, MeshPoint},
};

/// Limits and dimensions for proposed links. Lengths are in meters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkSettings {
    /// Maximum horizontal distance from start to end, above 0. The navmesh ends about one agent radius before a ledge
    /// and one radius away from the walls below it, so gaps are wider in the navmesh than in the level.
    pub max_distance: f32,
    /// Maximum height of a drop.
    pub max_drop: f32,
    /// Maximum height of a jump up. Height differences up to this value can be jumped in both directions.
    pub max_up: f32,
    /// Distance between starts on an edge, and minimum distance between proposals of the same kind; above 0.
    pub spacing: f32,
    /// Radius of the agent's body.
    pub radius: f32,
    /// Height of the agent's body.
    pub height: f32,
    /// Height of the bottom of the body above the ground. The agent steps over lower obstacles.
    pub step: f32,
    /// Height of a jump above the line between its ends, in the middle.
    pub rise: f32,
    /// Maximum horizontal distance between landing ground and the searched position.
    pub snap: f32,
    /// Minimum ratio of the walking distance to the length of the link, at least 1.
    pub min_detour: f32,
}

impl LinkSettings {
    /// Returns settings for an agent that jumps over gaps of one and a half times its height, down twice its height,
    /// and up a quarter of its height.
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

    /// Returns the settings with the limits that are set in `limits`.
    #[must_use]
    pub fn limited(self, limits: &JumpLimits) -> Self {
        let JumpLimits { distance, drop, up } = *limits;
        Self {
            max_distance: distance.unwrap_or(self.max_distance),
            max_drop: drop.unwrap_or(self.max_drop),
            max_up: up.unwrap_or(self.max_up),
            ..self
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// [`LinkError::OutOfRange`] with the first number that is not finite or out of its range.
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
        // `contains` is negated, so that NaN is refused.
        match numbers.into_iter().find(|(_, value, min)| !(*min..=MOST).contains(value)) {
            None => Ok(()),
            Some((name, value, min)) => Err(LinkError::OutOfRange { name, value, min, max: MOST }),
        }
    }
}

/// Minimum distance and spacing.
const LEAST: f32 = 0.01;
/// Maximum of all settings.
const MOST: f32 = 1000.0;

/// The error of [`propose_links`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A setting is out of its range or not finite.
    #[error("{name} is {value}, but must be between {min} and {max}")]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// The value.
        value: f32,
        /// Smallest allowed value.
        min: f32,
        /// Largest allowed value.
        max: f32,
    },
    /// The monitor cancelled the search.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The kind of a proposed link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// A bidirectional jump over a gap or onto a ledge.
    Jump,
    /// A one-way drop.
    Drop,
}

/// A proposed off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkProposal {
    /// The kind of the link.
    pub kind: LinkKind,
    /// The start, on an edge of the navmesh.
    pub start: MeshPoint,
    /// The landing.
    pub end: MeshPoint,
}

impl LinkProposal {
    /// Returns the off-mesh link to add, with the user ID `user_id`.
    ///
    /// - `radius`: maximum distance between its ends and the ground after another bake, in meters.
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

/// Proposes links over the boundary edges of `mesh`, which was baked from `level`. The proposals are sorted by tile,
/// polygon and edge. The same input returns the same proposals.
///
/// Existing links of `mesh` that `filter` passes count as walkable. Takes time proportional to the number of boundary
/// pieces: tens of lookups each, and a search of at most 512 polygons for each landing with clearance.
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
    let mut search = LinkSearch::new(mesh, level, filter, settings);
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
