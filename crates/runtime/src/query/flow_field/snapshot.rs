//! The properties of a navmesh and a filter on which costs depend, kept to find what has changed.

use std::ops::Range;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::{navmesh::NavMesh, query::Filter};

/// Number of points of a portal.
pub(super) const N_POINTS: usize = 3;

/// A polygon.
#[derive(Clone, Copy, Debug)]
struct FieldPoly {
    first_link: u32,
    per_meter: f32,
}

/// A link and a point of its portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Crossing(u32);

impl Crossing {
    /// Returns the index of the link.
    pub(super) const fn link(self) -> usize {
        self.0 as usize / N_POINTS
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Returns all crossings of links.
pub(super) fn crossings(links: Range<usize>) -> impl Iterator<Item = Crossing> {
    (as_u32(N_POINTS * links.start)..as_u32(N_POINTS * links.end)).map(Crossing)
}

/// A link that leads out of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FieldLink {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Both ends of the portal, and the midpoint between them.
    pub(super) points: [Vec3; N_POINTS],
    /// Entering cost; infinite if the link may not be used.
    pub(super) entering: f32,
}

/// Polygons by number, and their links in the order of the navmesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// The polygons; an additional entry marks the end of the links of the last polygon.
    polys: Vec<FieldPoly>,
    links: Vec<FieldLink>,
}

impl Snapshot {
    /// Takes the properties from a navmesh and a filter.
    pub(super) fn take(&mut self, mesh: &NavMesh, filter: &Filter) {
        let (graph, portals) = (mesh.graph(), mesh.portals());
        self.polys.clear();
        self.links.clear();
        for number in (0..graph.len()).map(as_u32) {
            let marks = graph.marks(number);
            let first_link = as_u32(self.links.len());
            self.polys.push(FieldPoly { first_link, per_meter: filter.cost_in(marks.area) });
            for (link, portal) in graph.links(number).iter().zip(portals.of(number)) {
                let there = graph.marks(link.to);
                let is_open = filter.passes_flags(there.flags) && filter.rules.admits(mesh, *link);
                let entering = filter.rules.entering(marks.area, there.area);
                self.links.push(FieldLink {
                    from: number,
                    to: link.to,
                    points: [portal.left, portal.midpoint(), portal.right],
                    entering: if is_open { entering } else { f32::INFINITY },
                });
            }
        }
        let first_link = as_u32(self.links.len());
        self.polys.push(FieldPoly { first_link, per_meter: 0.0 });
    }

    pub(super) fn n_polys(&self) -> usize {
        self.polys.len().saturating_sub(1)
    }

    pub(super) fn n_crossings(&self) -> usize {
        N_POINTS * self.links.len()
    }

    /// Returns the indices of the links that lead out of a polygon; none if there is no such polygon.
    pub(super) fn links_of(&self, poly: u32) -> Range<usize> {
        let place = |poly: usize| self.polys.get(poly).map(|poly| poly.first_link as usize);
        let poly = poly as usize;
        match (place(poly), place(poly + 1)) {
            (Some(first), Some(end)) => first..end,
            (None | Some(_), None) | (None, Some(_)) => 0..0,
        }
    }

    pub(super) fn link(&self, index: usize) -> &FieldLink {
        &self.links[index]
    }

    /// Returns the points of the links that lead out of a polygon.
    pub(super) fn crossings_of(&self, poly: u32) -> impl Iterator<Item = Crossing> {
        crossings(self.links_of(poly))
    }

    /// Returns the index of a crossing among those out of the same polygon.
    pub(super) fn place_of(&self, crossing: Crossing) -> u32 {
        let first = self.polys[self.links[crossing.link()].from as usize].first_link;
        crossing.0 - first * as_u32(N_POINTS)
    }

    /// Returns the position of a crossing.
    pub(super) fn position(&self, crossing: Crossing) -> Vec3 {
        self.links[crossing.link()].points[crossing.0 as usize % N_POINTS]
    }

    /// Returns the cost per meter of a polygon.
    pub(super) fn per_meter(&self, poly: u32) -> f32 {
        self.polys[poly as usize].per_meter
    }

    /// Returns whether a polygon is the same as in `other`: its cost, and the links that lead out of it.
    pub(super) fn is_same(&self, other: &Self, poly: u32) -> bool {
        let [own, others] =
            [self, other].map(|all| (all.links_of(poly), all.polys.get(poly as usize)));
        let [(own, Some(poly)), (others, Some(other_poly))] = [own, others] else { return false };
        poly.per_meter.to_bits() == other_poly.per_meter.to_bits()
            && self.links[own] == other.links[others]
    }
}

/// Numbers of polygons and links fit in 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the navmesh numbers them with 32 bits")]
pub(super) const fn as_u32(number: usize) -> u32 {
    number as u32
}
