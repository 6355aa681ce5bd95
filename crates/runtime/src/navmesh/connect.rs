//! Links a new tile: internally, to other layers at its coordinate, and to its neighbors.
//!
//! The order of these steps is Detour's. It decides the order of each polygon's links, and with it
//! which of two equally good paths a search finds.
//!
//! Source: `dtNavMesh::addTile` and what it calls.

use std::sync::Arc;

use glam::Vec3;

use super::{
    LiveTile, NavMesh, PORTAL_BIT, Poly, PolyKind, Tile,
    border::opposite,
    graph::Portals,
    link::{INSIDE, Link, NO_EDGE, Portal, WHOLE_EDGE},
    off_mesh,
    seams::Seams,
};
use crate::geom::from_above;

/// Maximum number of tiles at a coordinate that are linked to another. Source: `dtNavMesh::addTile`, `MAX_NEIS`.
const MAX_LAYERS: usize = 32;

impl NavMesh {
    /// Creates all links from and to tile `id`.
    pub(super) fn connect(&mut self, id: u32, seams: &mut Seams) {
        seams.make_room(self.n_nodes());
        seams.touch(id);
        self.link_inside(id, seams);
        self.start_connections(id, seams);
        self.end_connections(id, id, None, seams);
        let mut others = std::mem::take(&mut seams.others);
        self.others_around(id, &mut others);
        for (other, side) in others.drain(..) {
            let facing = side.map(opposite);
            // Tiles that touch only at a corner have no common border.
            if side.is_none_or(|side| side % 2 == 0) {
                self.link_border(id, other, side, seams);
                self.link_border(other, id, facing, seams);
            }
            self.end_connections(id, other, side, seams);
            self.end_connections(other, id, facing, seams);
            seams.touch(other);
        }
        seams.others = others;
    }

    /// Appends other layers at a tile's coordinate to `others`, then the neighbor tiles, each with its side.
    fn others_around(&self, id: u32, others: &mut Vec<(u32, Option<u8>)>) {
        let (x, z) = (self.live(id).tile.header.x, self.live(id).tile.header.z);
        let layers = self.layers(x, z).take(MAX_LAYERS);
        others.extend(layers.filter(|&layer| layer != id).map(|layer| (layer, None)));
        for side in 0..8 {
            let tiles = self.neighbors(x, z, side).take(MAX_LAYERS);
            others.extend(tiles.map(|tile| (tile, Some(side))));
        }
    }

    /// Adds the pending links to the graph, and updates their portals.
    pub(super) fn settle(&mut self, seams: &Seams) {
        self.graph_mut().reserve(seams.n_waiting());
        for &id in seams.touched() {
            let numbers = self.live(id).numbers();
            self.graph_mut().put(numbers, seams);
        }
        if let Some(mut all) = self.graph_mut().take_portals() {
            for &id in seams.touched() {
                let numbers = self.live(id).numbers();
                let portal_of = |number, link| self.portal_of(number, link);
                self.graph().put_portals(numbers, &mut all, portal_of);
            }
            self.graph_mut().keep_portals(all);
        }
        self.graph_mut().tidy();
        for &id in seams.touched() {
            self.outline(id);
        }
        self.note_structure();
    }

    /// Adds a pending link before all others of its polygon. If the tile has no space for it, the link is dropped, as
    /// in Detour, and counted; returns whether it was added.
    fn prepend(&mut self, id: u32, poly: u32, link: Link, seams: &mut Seams) -> bool {
        let live = self.live_mut(id);
        let has_room = live.n_links < live.tile.header.max_link_count as usize;
        if has_room {
            live.n_links += 1;
            seams.wait(live.first_node + poly, link);
        } else {
            live.n_refused_links += 1;
        }
        has_room
    }

    /// Links polygons of a tile over the edges they share.
    fn link_inside(&mut self, id: u32, seams: &mut Seams) {
        let LiveTile { tile, first_node: first, n_links, n_refused_links, .. } = self.live_mut(id);
        let room = tile.header.max_link_count as usize;
        let grounds = (0..).zip(&tile.polys).filter(|(_, poly)| poly.kind == PolyKind::Ground);
        for (index, poly) in grounds {
            let inner = poly.edges_with(|neighbor| (1..PORTAL_BIT).contains(&neighbor));
            // In reverse, so that the first edge's link comes first.
            for edge in inner.rev() {
                if *n_links < room {
                    *n_links += 1;
                    let neighbor = poly.neighbors[usize::from(edge)];
                    let link = Link::new(*first + u32::from(neighbor) - 1, edge, INSIDE);
                    seams.wait(*first + index, link);
                } else {
                    *n_refused_links += 1;
                }
            }
        }
    }

    /// Links the start of each off-mesh link of a tile to the ground of that tile, in both directions.
    fn start_connections(&mut self, id: u32, seams: &mut Seams) {
        let n_connections = self.live(id).tile.off_mesh.len();
        self.live_mut(id).starts.resize(n_connections, false);
        for index in 0..n_connections {
            let tile = &self.live(id).tile;
            let connection = tile.off_mesh[index];
            let (start, climb) = (connection.ends[0], tile.header.walkable_climb);
            if !seams.spend(off_mesh::work(tile)) {
                return;
            }
            let Some(landing) = off_mesh::landing(tile, start, connection.radius, climb) else {
                continue;
            };
            self.move_end(id, connection.poly, 0, landing.point);
            let (from_poly, first) = (u32::from(connection.poly), self.live(id).first_node);
            let there = Link::new(first + landing.poly, 0, INSIDE);
            self.live_mut(id).starts[index] = self.prepend(id, from_poly, there, seams);
            let back = Link::new(first + from_poly, NO_EDGE, INSIDE);
            self.prepend(id, landing.poly, back, seams);
        }
    }

    /// Links the ends of off-mesh links of tile `from` that lie in tile `onto` to the ground there. `side` is the side
    /// of `onto` on which `from` lies; `None` if they have the same coordinate.
    fn end_connections(&mut self, onto: u32, from: u32, side: Option<u8>, seams: &mut Seams) {
        let end_side = side.map_or(INSIDE, opposite);
        for index in 0..self.live(from).tile.off_mesh.len() {
            let connection = self.live(from).tile.off_mesh[index];
            let from_poly = u32::from(connection.poly);
            // An off-mesh link whose start is not on the ground is unreachable.
            if connection.side != end_side || !self.live(from).starts[index] {
                continue;
            }
            let climb = self.live(from).tile.header.walkable_climb;
            let (end, tile) = (connection.ends[1], &self.live(onto).tile);
            if !seams.spend(off_mesh::work(tile)) {
                return;
            }
            let Some(landing) = off_mesh::landing(tile, end, connection.radius, climb) else {
                continue;
            };
            self.move_end(from, connection.poly, 1, landing.point);
            let [from_first, onto_first] = [from, onto].map(|id| self.live(id).first_node);
            let there = Link::new(onto_first + landing.poly, 1, end_side);
            self.prepend(from, from_poly, there, seams);
            if connection.is_both_ways() {
                let back = Link::new(from_first + from_poly, NO_EDGE, side.unwrap_or(INSIDE));
                self.prepend(onto, landing.poly, back, seams);
            }
        }
    }

    /// Moves an end of an off-mesh link's polygon onto the ground.
    fn move_end(&mut self, id: u32, poly: u16, end: usize, point: Vec3) {
        let tile = &mut self.live_mut(id).tile;
        let vertex = usize::from(tile.polys[usize::from(poly)].vertices[end]);
        if tile.vertices[vertex] != point {
            Arc::make_mut(tile).vertices[vertex] = point;
        }
    }

    /// Links polygons of `from` to those of `to` over their common border; over all borders if `side` is `None` (two
    /// layers at one coordinate).
    fn link_border(&mut self, from: u32, to: u32, side: Option<u8>, seams: &mut Seams) {
        let own = seams.border_of(from, &self.live(from).tile);
        let others = seams.border_of(to, &self.live(to).tile);
        let climb = self.live(to).tile.header.walkable_climb;
        let first = self.live(to).first_node;
        let mut leaving: Vec<usize> = Vec::new();
        let range = side.map_or_else(|| own.all(), |side| own.on(side));
        if side.is_none() {
            leaving.extend(range.clone());
            let edges = seams.edges(0..range.end);
            leaving.sort_by_key(|&at| (edges[at].poly, edges[at].edge));
        }
        for place in range.clone() {
            let at = leaving.get(place - range.start).copied().unwrap_or(place);
            let edge = seams.edges(at..at + 1)[0];
            let facing = others.on(opposite(edge.side()));
            if !seams.spend(facing.len()) {
                return;
            }
            let facing = seams.edges(facing);
            for (poly, limits) in edge.touching(facing, climb) {
                let link = Link { limits, ..Link::new(first + poly, edge.edge, edge.side()) };
                self.prepend(from, edge.poly, link, seams);
            }
        }
    }

    /// Returns the portals of the links. The first call computes them.
    #[inline]
    pub(crate) fn portals(&self) -> Portals<'_> {
        self.graph().portals(|number, link| self.portal_of(number, link))
    }

    /// Returns the portal of the first link of a polygon that leads to the same polygon as `link`.
    fn portal_of(&self, number: u32, link: Link) -> Portal {
        let (tile, from) = self.poly_at(number);
        let (there, to) = self.poly_at(link.to);
        match (from.kind, to.kind) {
            (PolyKind::OffMesh, _) => end_of_connection(tile, from, link.edge),
            (_, PolyKind::OffMesh) => {
                let back = self.graph().links(link.to).iter().find(|back| back.to == number);
                end_of_connection(there, to, back.map_or(0, |back| back.edge))
            }
            (PolyKind::Ground, PolyKind::Ground) => crossed_edge(tile, from, link),
        }
    }

    fn poly_at(&self, number: u32) -> (&Tile, &Poly) {
        let at = self.at(number);
        let tile = &self.live(at.tile).tile;
        (tile, &tile.polys[at.poly as usize])
    }
}

/// Returns a portal without width at one end of an off-mesh link.
fn end_of_connection(tile: &Tile, poly: &Poly, end: u8) -> Portal {
    let point = tile.vertices[usize::from(poly.vertices[usize::from(end.min(1))])];
    Portal { left: point, right: point }
}

/// Returns the edge, or the part of it, that a link between ground polygons crosses.
///
/// Source: `dtNavMeshQuery::getPortalPoints`.
fn crossed_edge(tile: &Tile, poly: &Poly, link: Link) -> Portal {
    let [left, right] = tile.edge(poly, usize::from(link.edge));
    if link.side == INSIDE || link.limits == WHOLE_EDGE {
        return Portal { left, right };
    }
    let [start, end] = link.limits.map(|limit| f32::from(limit) * (1.0 / 255.0));
    Portal {
        left: from_above::point_between(left, right, start),
        right: from_above::point_between(left, right, end),
    }
}
