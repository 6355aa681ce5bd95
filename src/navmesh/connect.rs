//! Links a tile that was just added: inside itself, to other layers of its place, to its neighbours.
//!
//! The order of these steps is Detour's. It decides the order of each polygon's links, and with it
//! which of two equally good paths a search finds.
//!
//! Source: `dtNavMesh::addTile` and what it calls.

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;

use super::{
    NO_NEIGHBOR, NavMesh, PORTAL_BIT, Poly, PolyKind, Tile,
    border::{self, Bordering},
    link::{INSIDE, Link, NO_EDGE, Portal, WHOLE_EDGE},
    off_mesh,
};
use crate::geom::from_above;

impl NavMesh {
    /// Finds all links from and to tile `id`; tiles that get some are put into `touched`.
    pub(super) fn connect(&mut self, id: u32, touched: &mut BTreeSet<u32>) {
        self.link_inside(id);
        self.start_connections(id);
        // Whether a connection has a start is asked of its links.
        self.live_mut(id).links.settle();
        self.end_connections(id, id, None);
        touched.insert(id);
        let (x, z) = (self.live(id).tile.header.x, self.live(id).tile.header.z);
        let layers = self.layers(x, z).filter(|&layer| layer != id).map(|layer| (layer, None));
        let around =
            (0..8).flat_map(|side| self.neighbors(x, z, side).map(move |n| (n, Some(side))));
        let others: Vec<(u32, Option<u8>)> = layers.chain(around).collect();
        for (other, side) in others {
            let facing = side.map(border::opposite);
            self.link_border(id, other, side);
            self.link_border(other, id, facing);
            self.end_connections(id, other, side);
            self.end_connections(other, id, facing);
            touched.insert(other);
        }
    }

    /// Puts new links of the tiles `touched` in their places and finds what their paths cross.
    pub(super) fn settle(&mut self, touched: &BTreeSet<u32>) {
        for &id in touched {
            self.live_mut(id).links.settle();
        }
        let mut portals = Vec::new();
        for &id in touched {
            portals.clear();
            let n_polys = self.live(id).tile.polys.len();
            portals.extend((0..n_polys).flat_map(|poly| self.portals_of(id, poly)));
            let links = &mut self.live_mut(id).links;
            let mut found = portals.iter();
            for poly in 0..n_polys {
                for (link, &portal) in links.of_mut(poly).iter_mut().zip(&mut found) {
                    link.portal = portal;
                }
            }
        }
    }

    /// Links polygons of a tile over the edges they share.
    fn link_inside(&mut self, id: u32) {
        let live = self.live_mut(id);
        let grounds = (0..).zip(&live.tile.polys).filter(|(_, poly)| poly.kind == PolyKind::Ground);
        for (index, poly) in grounds {
            let neighbors = (0..poly.n_vertices).zip(poly.neighbors);
            let inner = neighbors.filter(|&(_, n)| n != NO_NEIGHBOR && n & PORTAL_BIT == 0);
            // Backwards, so that the first edge's link comes first.
            for (edge, neighbor) in inner.rev() {
                let link = Link::new(id, u32::from(neighbor) - 1, edge, INSIDE);
                live.links.prepend(index, link);
            }
        }
    }

    /// Links the start of each connection of a tile to the ground of that tile, both ways.
    fn start_connections(&mut self, id: u32) {
        for index in 0..self.live(id).tile.off_mesh.len() {
            let tile = &self.live(id).tile;
            let connection = tile.off_mesh[index];
            let (start, climb) = (connection.ends[0], tile.header.walkable_climb);
            let Some(landing) = off_mesh::landing(tile, start, connection.radius, climb) else {
                continue;
            };
            self.move_end(id, connection.poly, 0, landing.point);
            let from_poly = u32::from(connection.poly);
            let links = &mut self.live_mut(id).links;
            links.prepend(from_poly, Link::new(id, landing.poly, 0, INSIDE));
            links.prepend(landing.poly, Link::new(id, from_poly, NO_EDGE, INSIDE));
        }
    }

    /// Links the ends of connections of tile `from` that lie in tile `onto` to the ground there.
    /// `side` is the side of `onto` on which `from` lies, `None` where they share a place.
    fn end_connections(&mut self, onto: u32, from: u32, side: Option<u8>) {
        let end_side = side.map_or(INSIDE, border::opposite);
        for index in 0..self.live(from).tile.off_mesh.len() {
            let connection = self.live(from).tile.off_mesh[index];
            let from_poly = u32::from(connection.poly);
            // Without a start on the ground nothing leads to it.
            let has_start = !self.live(from).links.of(usize::from(connection.poly)).is_empty();
            if connection.side != end_side || !has_start {
                continue;
            }
            let climb = self.live(from).tile.header.walkable_climb;
            let (end, tile) = (connection.ends[1], &self.live(onto).tile);
            let Some(landing) = off_mesh::landing(tile, end, connection.radius, climb) else {
                continue;
            };
            self.move_end(from, connection.poly, 1, landing.point);
            let there = Link::new(onto, landing.poly, 1, end_side);
            self.live_mut(from).links.prepend(from_poly, there);
            if connection.is_both_ways() {
                let back = Link::new(from, from_poly, NO_EDGE, side.unwrap_or(INSIDE));
                self.live_mut(onto).links.prepend(landing.poly, back);
            }
        }
    }

    /// Moves an end of a connection's polygon onto the ground.
    fn move_end(&mut self, id: u32, poly: u16, end: usize, point: Vec3) {
        let tile = &mut self.live_mut(id).tile;
        let vertex = usize::from(tile.polys[usize::from(poly)].vertices[end]);
        if tile.vertices[vertex] != point {
            Arc::make_mut(tile).vertices[vertex] = point;
        }
    }

    /// Links polygons of `from` to those of `to` over their common border.
    fn link_border(&mut self, from: u32, to: u32, side: Option<u8>) {
        let live = self.live(to);
        let climb = live.tile.header.walkable_climb;
        let bordering = Bordering { id: to, edges: &live.borders, climb };
        for (poly, link) in border::links_between(&self.live(from).borders, bordering, side) {
            self.live_mut(from).links.prepend(poly, link);
        }
    }

    /// What paths from a polygon cross, link by link.
    fn portals_of(&self, id: u32, poly: usize) -> impl Iterator<Item = Portal> {
        let live = self.live(id);
        let links = live.links.of(poly);
        let from = &live.tile.polys[poly];
        let first = move |link: &Link| links.iter().find(|first| first.leads_where(link));
        links.iter().map(move |link| {
            let to = self.live(link.to_tile);
            let to_poly = &to.tile.polys[link.to_poly as usize];
            match (from.kind, to_poly.kind) {
                (PolyKind::OffMesh, _) => {
                    let edge = first(link).unwrap_or(link).edge;
                    end_of_connection(&live.tile, from, edge)
                }
                (_, PolyKind::OffMesh) => {
                    let mut ways_back = to.links.of(link.to_poly as usize).iter();
                    let is_back =
                        |back: &&Link| (back.to_tile, back.to_poly as usize) == (id, poly);
                    let end = ways_back.find(is_back).map_or(0, |back| back.edge);
                    end_of_connection(&to.tile, to_poly, end)
                }
                (PolyKind::Ground, PolyKind::Ground) => {
                    crossed_edge(&live.tile, from, first(link).unwrap_or(link))
                }
            }
        })
    }
}

/// A portal without width at one end of a connection.
fn end_of_connection(tile: &Tile, poly: &Poly, end: u8) -> Portal {
    let point = tile.vertices[usize::from(poly.vertices[usize::from(end.min(1))])];
    Portal { left: point, right: point }
}

/// The edge that a link between ground polygons crosses, or the part that it crosses.
///
/// Source: `dtNavMeshQuery::getPortalPoints`.
fn crossed_edge(tile: &Tile, poly: &Poly, link: &Link) -> Portal {
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
