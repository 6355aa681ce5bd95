//! Determines the side of each polygon relative to a break: reachable from the start, or leading to the end.

use glam::Vec3;
use walkable_runtime::{
    navmesh::{NavMesh, PolyKind, PolyRef},
    query::{Filter, PolygonsInBoxRequest, closest_point, polygons_in_box},
};

/// The polygons that can be reached from the start, and the polygons from which the end can be reached.
#[derive(Clone, Debug)]
pub(super) struct MeshSides {
    /// The number of the first polygon of each slot.
    first: Vec<usize>,
    from_start: Vec<bool>,
    to_end: Vec<bool>,
}

/// A side of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

impl Side {
    pub(super) const ALL: [Self; 2] = [Self::Start, Self::End];

    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Start => Self::End,
            Self::End => Self::Start,
        }
    }
}

impl MeshSides {
    /// Finds the polygons connected to each of two ends, through polygons that `filter` allows.
    pub(super) fn new(mesh: &NavMesh, [start, end]: [Option<PolyRef>; 2], filter: &Filter) -> Self {
        let n_slots = mesh.slots().map(|(slot, _)| slot + 1).max().unwrap_or(0);
        let mut n_polys = vec![0; n_slots];
        for (slot, tile) in mesh.slots() {
            n_polys[slot] = tile.polys.len();
        }
        let mut first = Vec::with_capacity(n_slots + 1);
        let mut n = 0;
        first.push(0);
        for count in n_polys {
            n += count;
            first.push(n);
        }
        let mut sides = Self { first, from_start: vec![false; n], to_end: vec![false; n] };
        let links = sides.links(mesh, filter);
        let mut back = vec![Vec::new(); n];
        for (from, to) in
            links.iter().enumerate().flat_map(|(from, ends)| ends.iter().map(move |&to| (from, to)))
        {
            back[to].push(from);
        }
        let number = |end: Option<PolyRef>| end.and_then(|poly| sides.number(mesh, poly));
        let [start, end] = [number(start), number(end)];
        sides.from_start = spread(&links, start);
        sides.to_end = spread(&back, end);
        sides
    }

    fn links(&self, mesh: &NavMesh, filter: &Filter) -> Vec<Vec<usize>> {
        let mut links = vec![Vec::new(); self.from_start.len()];
        for (slot, tile) in mesh.slots() {
            for (index, _) in tile.polys.iter().enumerate().filter(|(_, poly)| filter.passes(poly))
            {
                let Some(poly) = mesh.poly_ref(slot, index) else { continue };
                let ends = mesh.links(poly).filter(|link| passes(mesh, link.to, filter));
                links[self.first[slot] + index] =
                    ends.filter_map(|link| self.number(mesh, link.to)).collect();
            }
        }
        links
    }

    fn number(&self, mesh: &NavMesh, poly: PolyRef) -> Option<usize> {
        let (_, index) = mesh.resolve(poly)?;
        Some(self.first.get(mesh.slot_of(poly)?)? + index)
    }

    /// Returns whether a polygon is on a side.
    pub(super) fn is_on(&self, mesh: &NavMesh, poly: PolyRef, side: Side) -> bool {
        let list = match side {
            Side::Start => &self.from_start,
            Side::End => &self.to_end,
        };
        self.number(mesh, poly).and_then(|number| list.get(number).copied()).unwrap_or(false)
    }

    /// Returns the point on the ground of a side nearest to the center of a box, if the box contains ground of that
    /// side.
    pub(super) fn nearest_ground(
        &self,
        mesh: &NavMesh,
        center: Vec3,
        half_extents: Vec3,
        side: Side,
    ) -> Option<Vec3> {
        let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
        let request = PolygonsInBoxRequest::new(center, half_extents, &everything);
        let ground =
            polygons_in_box(mesh, &request).unwrap_or_default().into_iter().filter(|&poly| {
                let found = mesh.resolve(poly);
                found.is_some_and(|(tile, index)| tile.polys[index].kind == PolyKind::Ground)
                    && self.is_on(mesh, poly, side)
            });
        let points = ground.filter_map(|poly| Some(closest_point(mesh, poly, center).ok()?.point));
        points.min_by(|a, b| a.distance(center).total_cmp(&b.distance(center)))
    }

    /// Returns the ground polygons on a side.
    pub(super) fn ground<'m>(
        &'m self,
        mesh: &'m NavMesh,
        side: Side,
    ) -> impl Iterator<Item = PolyRef> + use<'m> {
        mesh.slots().flat_map(move |(slot, tile)| {
            let ground =
                tile.polys.iter().enumerate().filter(|(_, poly)| poly.kind == PolyKind::Ground);
            let polys = ground.filter_map(move |(index, _)| mesh.poly_ref(slot, index));
            polys.filter(move |&poly| self.is_on(mesh, poly, side))
        })
    }
}

pub(super) fn passes(mesh: &NavMesh, poly: PolyRef, filter: &Filter) -> bool {
    mesh.resolve(poly).is_some_and(|(tile, index)| filter.passes(&tile.polys[index]))
}

/// Marks the polygons that can be reached from `start`.
fn spread(links: &[Vec<usize>], start: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; links.len()];
    let mut stack: Vec<usize> = start.into_iter().collect();
    while let Some(poly) = stack.pop() {
        if !std::mem::replace(&mut seen[poly], true) {
            stack.extend(&links[poly]);
        }
    }
    seen
}
