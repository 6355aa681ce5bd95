//! Checks whether off-mesh links are connected to a navmesh, and why not.

use std::{cell::Cell, collections::BTreeMap};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_bake::bake::OffMeshLink;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location, Meters},
    navmesh::{NavMesh, OffMeshConnection, Tile},
    query::{Filter, NearestRequest, nearest},
};

/// Half-extents in which the nearest navmesh of a link end is searched, in meters.
const REACH: Vec3 = Vec3::new(20.0, 200.0, 20.0);
/// Maximum number of polygons that are examined to explain why links are not connected.
const MAX_EXAMINED: usize = 50_000_000;

/// An end of an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// The start.
    Start,
    /// The end.
    End,
}

impl LinkEnd {
    fn of(self, link: &OffMeshLink) -> Vec3 {
        match self {
            Self::Start => link.start,
            Self::End => link.end,
        }
    }
}

/// Whether agents can take an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Both ends are connected.
    Connected,
    /// The start is not connected, so no path leads onto the link.
    StartNotConnected,
    /// The start is connected but the end is not, so the link leads nowhere.
    EndNotConnected,
}

/// The state of an off-mesh link, with findings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkReport {
    /// Number in the list of links, from 1.
    pub number: usize,
    /// The user ID by which a game identifies the link.
    pub user_id: u32,
    /// The start.
    pub start: Vec3,
    /// The end.
    pub end: Vec3,
    /// Whether agents can take it.
    pub state: LinkState,
    /// Reasons why agents cannot or will not take it, each at [`Location::OffMeshLink`].
    pub findings: Vec<Diagnostic>,
}

/// Returns the off-mesh links of the tiles of `mesh`, in the order of the tiles.
pub fn off_mesh_links(mesh: &NavMesh) -> Vec<OffMeshLink> {
    mesh.tiles().flat_map(links_of_tile).collect()
}

/// Returns the off-mesh links of a tile.
pub(crate) fn links_of_tile(tile: &Tile) -> impl Iterator<Item = OffMeshLink> {
    tile.off_mesh.iter().filter_map(|link| {
        let poly = tile.polys.get(usize::from(link.poly))?;
        Some(OffMeshLink {
            start: link.ends[0],
            end: link.ends[1],
            radius: link.radius,
            bidirectional: link.is_both_ways(),
            area: poly.area,
            flags: poly.flags,
            user_id: link.user_id,
        })
    })
}

/// Returns a report for each of `links` in `mesh`, which was baked with them.
pub fn check_links(mesh: &NavMesh, links: &[OffMeshLink]) -> Vec<LinkReport> {
    let links_check = LinkCheck::new(mesh);
    let report = |(number, link): (usize, &OffMeshLink)| {
        let (state, found) = links_check.of(link);
        let at = |finding| Diagnostic::new(finding).at(Location::OffMeshLink(number));
        LinkReport {
            number,
            user_id: link.user_id,
            start: link.start,
            end: link.end,
            state,
            findings: found.into_iter().map(at).collect(),
        }
    };
    (1..).zip(links).map(report).collect()
}

/// A navmesh, and which ends of its links are connected.
pub(crate) struct LinkCheck<'a> {
    mesh: &'a NavMesh,
    connected: BTreeMap<LinkKey, [bool; 2]>,
    n_polys: usize,
    /// Maximum number of polygons of the tiles at one place.
    polys_at_place: usize,
    /// Number of polygons that may still be examined for explanations.
    n_left: Cell<usize>,
}

impl<'a> LinkCheck<'a> {
    /// Finds the connected ends of the links in `mesh`.
    pub(crate) fn new(mesh: &'a NavMesh) -> Self {
        let mut at_place: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        for tile in mesh.tiles() {
            *at_place.entry([tile.header.x, tile.header.z]).or_default() += tile.polys.len();
        }
        Self {
            mesh,
            connected: connected_ends(mesh),
            n_polys: at_place.values().sum(),
            polys_at_place: at_place.into_values().max().unwrap_or_default(),
            n_left: Cell::new(MAX_EXAMINED),
        }
    }

    /// Returns the state of a link, and the reasons why agents cannot or will not take it.
    pub(crate) fn of(&self, link: &OffMeshLink) -> (LinkState, Vec<Finding>) {
        let Self { mesh, connected, .. } = self;
        let [start, end] = connected.get(&key_of_link(link)).copied().unwrap_or_default();
        let state = match (start, end) {
            (true, true) => LinkState::Connected,
            (false, _) => LinkState::StartNotConnected,
            (true, false) => LinkState::EndNotConnected,
        };
        if state != LinkState::Connected && !self.may_examine(link) {
            return (state, vec![Finding::CheckCutShort { n: MAX_EXAMINED }]);
        }
        let why = |is_connected: bool, end| (!is_connected).then(|| why_not(mesh, link, end));
        let mut found = Vec::from_iter(why(start, LinkEnd::Start).flatten());
        found.extend(why(end, LinkEnd::End).flatten());
        if found.is_empty() && state != LinkState::Connected {
            found.push(if start {
                Finding::LinkEndRefused {}
            } else {
                Finding::LinkStartRefused {}
            });
        }
        found.extend((link.flags == 0).then_some(Finding::LinkWithoutFlags {}));
        (state, found)
    }

    /// Returns whether polygons near the ends of a link may still be examined, and counts them: all of the tiles near the
    /// ends, which is more than a search visits unless the polygons overlap.
    fn may_examine(&self, link: &OffMeshLink) -> bool {
        let params = self.mesh.params();
        let n_tiles =
            |reach: f32, side: f32| tile_count(2.0 * reach / side).saturating_add(2) as usize;
        let [x, z] = [params.tile_width, params.tile_height]
            .map(|side| n_tiles(link.radius.max(REACH.x), side.abs()));
        let n_near = x.saturating_mul(z).saturating_mul(self.polys_at_place).min(self.n_polys);
        // Both ends, and the ground within the radius or beyond it.
        let left = self.n_left.get().checked_sub(4 * n_near);
        self.n_left.set(left.unwrap_or_default());
        left.is_some()
    }
}

/// Returns the distance between `end` of `link` and the navmesh that it would be connected to, in meters.
///
/// # Errors
/// A [`Finding`] that explains why the end cannot be connected.
pub fn landing_distance(mesh: &NavMesh, link: &OffMeshLink, end: LinkEnd) -> Result<f32, Finding> {
    let tiles_apart = tiles_between(mesh, link);
    if end == LinkEnd::End && tiles_apart > 1 {
        return Err(Finding::LinkEndTooFar { tiles: tiles_apart });
    }
    let at = end.of(link);
    let climb = mesh.tiles().next().map_or(0.0, |tile| tile.header.walkable_climb);
    let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
    // A link that is not finite has no navmesh nearby.
    let near = |half_extents: Vec3| {
        let request = NearestRequest { center: at, half_extents, filter: &everything };
        nearest(mesh, &request).ok().flatten().map(|found| found.point - at)
    };
    let flat = |off: Vec3| off.with_y(0.0).length();
    let reach = Vec3::new(link.radius, climb, link.radius);
    if let Some(off) = near(reach).filter(|&off| flat(off) <= link.radius) {
        return Ok(off.length());
    }
    let [radius, climb] = [link.radius, climb].map(Meters);
    let Some(off) = near(REACH) else {
        let within = Meters(REACH.x);
        return Err(match end {
            LinkEnd::Start => Finding::LinkStartNoMesh { within },
            LinkEnd::End => Finding::LinkEndNoMesh { within },
        });
    };
    let [aside, vertical] = [flat(off), off.y].map(Meters);
    Err(match end {
        LinkEnd::Start => Finding::LinkStartOffMesh { aside, radius, vertical, climb },
        LinkEnd::End => Finding::LinkEndOffMesh { aside, radius, vertical, climb },
    })
}

fn why_not(mesh: &NavMesh, link: &OffMeshLink, end: LinkEnd) -> Option<Finding> {
    landing_distance(mesh, link, end).err()
}

/// Returns the number of tiles between the start and the end of a link, along the longer axis.
fn tiles_between(mesh: &NavMesh, link: &OffMeshLink) -> u32 {
    if mesh.tiles().nth(1).is_none() {
        // The sides of a single tile are arbitrary.
        return 0;
    }
    let params = mesh.params();
    let along = |from: f32, to: f32, origin: f32, side: f32| {
        let [from, to] = [from, to].map(|at| ((at - origin) / side).floor());
        let tiles = (to - from).abs();
        // A file may have sides of any size.
        if tiles.is_finite() { tile_count(tiles) } else { 0 }
    };
    let x = along(link.start.x, link.end.x, params.origin.x, params.tile_width);
    let z = along(link.start.z, link.end.z, params.origin.z, params.tile_height);
    x.max(z)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
const fn tile_count(tiles: f32) -> u32 {
    tiles as u32
}

/// The identity of a link: the bits of its ends and its radius, and its user ID.
type LinkKey = [u32; 8];

fn key(ends: [Vec3; 2], radius: f32, user_id: u32) -> LinkKey {
    let [start, end] = ends.map(|end| end.to_array().map(f32::to_bits));
    [start[0], start[1], start[2], end[0], end[1], end[2], radius.to_bits(), user_id]
}

fn key_of_link(link: &OffMeshLink) -> LinkKey {
    key([link.start, link.end], link.radius, link.user_id)
}

/// Returns which ends of the links in the tiles are connected. A link may start in several layers of a tile.
fn connected_ends(mesh: &NavMesh) -> BTreeMap<LinkKey, [bool; 2]> {
    let mut connected = BTreeMap::new();
    for (slot, tile) in mesh.slots() {
        let tile: &Tile = tile;
        for connection in &tile.off_mesh {
            let OffMeshConnection { ends, radius, poly, user_id, .. } = *connection;
            let Some(poly) = mesh.poly_ref(slot, usize::from(poly)) else { continue };
            let found: &mut [bool; 2] = connected.entry(key(ends, radius, user_id)).or_default();
            for link in mesh.links(poly) {
                if let Some(end) = found.get_mut(usize::from(link.edge)) {
                    *end = true;
                }
            }
        }
    }
    connected
}
