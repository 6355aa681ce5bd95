//! All polygons of a navmesh in one list, with the links between them: the graph that searches traverse.
//!
//! Tiles store polygons in the format of files. A search visits thousands of them and would wait for memory at each,
//! so the needed data is duplicated here in packed form: a polygon is a number, and its links are contiguous, the
//! newest first. Searches follow links in this order, which decides ties between paths.

use std::{num::NonZeroU64, ops::Range, sync::OnceLock};

use glam::Vec3;

use super::{
    LiveTile, Poly, PolyKind, PolyRef, Portal, Tile,
    incoming::{Incoming, IncomingLink, LinkPlace},
    link::{Link, for_each_with_first, index_u32},
    seams::{Seams, Waiting},
};
use crate::ids::AreaId;

/// The properties that determine whether a polygon is usable, and its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) flags: u16,
    pub(crate) area: AreaId,
    pub(crate) kind: PolyKind,
}

impl Marks {
    const NONE: Self = Self { flags: 0, area: AreaId::GROUND, kind: PolyKind::Ground };
}

/// The location of a polygon and its links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphPoly {
    /// Tile of the polygon, by the navmesh's internal number.
    pub(crate) tile: u32,
    /// Index of the polygon in the tile.
    pub(crate) poly: u32,
    first_link: u32,
    n_links: u32,
}

impl GraphPoly {
    /// The value for an unused number.
    const NOTHING: Self = Self { tile: u32::MAX, poly: 0, first_link: 0, n_links: 0 };

    fn links(&self) -> Range<usize> {
        let first = self.first_link as usize;
        first..first + self.n_links as usize
    }
}

/// Bytes of a polygon in the lists of a [`Graph`].
pub(super) const POLY_BYTES: usize =
    size_of::<Marks>() + size_of::<PolyRef>() + size_of::<GraphPoly>() + INCOMING_POLY_BYTES;
/// Bytes of a link in the lists of a [`Graph`].
pub(super) const LINK_BYTES: usize =
    size_of::<Link>() + size_of::<Portal>() + size_of::<LinkPlace>();
/// Bytes of a polygon in [`Incoming`].
const INCOMING_POLY_BYTES: usize = size_of::<u32>();

/// Reserves space for `n` more entries. If the list has to grow, it grows by an eighth, not to twice its size: the lists
/// of a navmesh live long, and their memory counts ([`NavMesh::memory_of`](super::NavMesh::memory_of)).
pub(super) fn reserve_eighth<T>(list: &mut Vec<T>, n: usize) {
    if list.capacity() - list.len() < n {
        list.reserve_exact(n + list.len() / 8);
    }
}

/// Extends a list to `end` entries.
pub(super) fn extend<T: Clone>(list: &mut Vec<T>, end: usize, value: T) {
    reserve_eighth(list, end.saturating_sub(list.len()));
    list.resize(end, value);
}

/// Polygons by number, and their links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    marks: Vec<Marks>,
    names: Vec<PolyRef>,
    polys: Vec<GraphPoly>,
    links: Vec<Link>,
    /// The portal of each link. Computed by the first search, and updated from then on: a navmesh that is only loaded
    /// and saved needs none.
    portals: OnceLock<Vec<Portal>>,
    /// Links by their target. Computed by the first search in reverse, and dropped when links change.
    incoming: OnceLock<Incoming>,
    /// Number of links that no longer belong to a polygon.
    n_waste: usize,
}

impl Graph {
    /// Returns flags, area and kind of the polygon with this number.
    #[inline]
    pub(crate) fn marks(&self, number: u32) -> Marks {
        self.marks[number as usize]
    }

    /// Returns the reference to the polygon with this number.
    #[inline]
    pub(crate) fn name(&self, number: u32) -> PolyRef {
        self.names[number as usize]
    }

    /// Returns the polygon with this number.
    #[inline]
    pub(crate) fn poly(&self, number: u32) -> &GraphPoly {
        &self.polys[number as usize]
    }

    /// Returns the links of the polygon with this number.
    #[inline]
    pub(crate) fn links(&self, number: u32) -> &[Link] {
        &self.links[self.polys[number as usize].links()]
    }

    /// Returns the largest polygon number plus one.
    pub(crate) fn len(&self) -> usize {
        self.polys.len()
    }

    /// Returns the links that lead to a polygon. The first call after links were added or removed computes those of all
    /// polygons.
    pub(crate) fn incoming(&self, number: u32) -> impl Iterator<Item = IncomingLink> {
        let all = self.incoming.get_or_init(|| Incoming::new(self.len(), |from| self.links(from)));
        all.of(number).iter().map(|&LinkPlace { from, index }| {
            let index = index as usize;
            IncomingLink { from, index, link: self.links(from)[index] }
        })
    }

    /// Assigns numbers to the polygons of tile `id`. They have no links yet.
    pub(super) fn add(&mut self, id: u32, live: &LiveTile) {
        let numbers = live.numbers();
        let (start, end) = (numbers.start as usize, numbers.end as usize);
        if self.polys.len() < end {
            self.make_places(end);
        }
        let places = self.polys[start..end].iter_mut().zip(&mut self.names[start..end]);
        for (index, (place, name)) in (0..).zip(places) {
            *place = GraphPoly { tile: id, poly: index, ..GraphPoly::NOTHING };
            *name = live.poly_ref(index);
        }
        self.refresh(numbers.start, &live.tile);
    }

    /// Extends the lists to polygon numbers below `end`.
    fn make_places(&mut self, end: usize) {
        extend(&mut self.polys, end, GraphPoly::NOTHING);
        extend(&mut self.marks, end, Marks::NONE);
        extend(&mut self.names, end, PolyRef(NonZeroU64::MAX));
    }

    /// Updates the marks of a tile's polygons, numbered from `first`.
    pub(super) fn refresh(&mut self, first: u32, tile: &Tile) {
        for (known, poly) in self.marks[first as usize..].iter_mut().zip(&tile.polys) {
            let Poly { flags, area, kind, .. } = *poly;
            *known = Marks { flags, area, kind };
        }
    }

    /// Removes the links of the polygons `numbers`.
    pub(super) fn clear(&mut self, numbers: Range<u32>) {
        self.incoming.take();
        for poly in &mut self.polys[numbers.start as usize..numbers.end as usize] {
            self.n_waste += poly.n_links as usize;
            *poly = GraphPoly::NOTHING;
        }
    }

    /// Removes all links from the polygons `from` to the polygons `to`; returns their number.
    pub(super) fn remove_links(&mut self, from: Range<u32>, to: &Range<u32>) -> usize {
        self.incoming.take();
        let before = self.n_waste;
        for poly in &mut self.polys[from.start as usize..from.end as usize] {
            let range = poly.links();
            let mut kept = range.start;
            for index in range.clone() {
                if !to.contains(&self.links[index].to) {
                    self.links[kept] = self.links[index];
                    if let Some(portals) = self.portals.get_mut() {
                        portals[kept] = portals[index];
                    }
                    kept += 1;
                }
            }
            let n_gone = range.end - kept;
            poly.n_links -= index_u32(n_gone);
            self.n_waste += n_gone;
        }
        self.n_waste - before
    }

    /// Adds the pending links of the polygons `numbers` before their existing ones. Their portals have to be computed
    /// afterwards.
    pub(super) fn put(&mut self, numbers: Range<u32>, seams: &Seams) {
        self.incoming.take();
        for number in numbers {
            let old = self.polys[number as usize].links();
            let start = self.links.len();
            let mut next = seams.newest(number);
            while let Some(&Waiting { link, older }) = next {
                self.links.push(link);
                next = seams.at(older);
            }
            self.n_waste += old.len();
            reserve_eighth(&mut self.links, old.len());
            self.links.extend_from_within(old);
            let poly = &mut self.polys[number as usize];
            poly.first_link = index_u32(start);
            poly.n_links = index_u32(self.links.len() - start);
        }
        let n_links = self.links.len();
        if let Some(portals) = self.portals.get_mut() {
            extend(portals, n_links, NO_PORTAL);
        }
    }

    /// Reserves capacity for this many more polygons.
    pub(super) fn reserve_polys(&mut self, n_polys: usize) {
        self.polys.reserve(n_polys);
        self.marks.reserve(n_polys);
        self.names.reserve(n_polys);
    }

    /// Reserves capacity for this many more links.
    pub(super) fn reserve(&mut self, n_links: usize) {
        reserve_eighth(&mut self.links, n_links);
    }

    /// Frees links that no longer belong to a polygon, once they outnumber the others.
    pub(super) fn tidy(&mut self) {
        if 2 * self.n_waste > self.links.len() {
            self.rebuild(self.polys.len(), Some);
        }
    }

    /// Renumbers all polygons: a polygon gets its index in the tile plus the result of `first_of` for the tile.
    pub(super) fn renumber(&mut self, n_polys: usize, first_of: impl Fn(u32) -> u32) {
        let old = self.polys.clone();
        self.rebuild(n_polys, |number| {
            let GraphPoly { tile, poly, .. } = old[number as usize];
            (tile != u32::MAX).then(|| first_of(tile) + poly)
        });
    }

    fn rebuild(&mut self, n_polys: usize, new_number: impl Fn(u32) -> Option<u32>) {
        let old = std::mem::take(self);
        self.make_places(n_polys);
        let n_links = old.links.len() - old.n_waste.min(old.links.len());
        self.reserve(n_links);
        let old_portals = old.portals.get();
        let mut portals = Vec::with_capacity(old_portals.map_or(0, |_| n_links));
        for (old_number, poly) in (0..).zip(&old.polys) {
            let Some(number) = new_number(old_number) else { continue };
            let first_link = index_u32(self.links.len());
            for index in poly.links() {
                let link = old.links[index];
                let Some(to) = new_number(link.to) else { continue };
                self.links.push(Link { to, ..link });
                portals.extend(old_portals.map(|old| old[index]));
            }
            let n_links = index_u32(self.links.len()) - first_link;
            self.polys[number as usize] = GraphPoly { first_link, n_links, ..*poly };
            self.marks[number as usize] = old.marks[old_number as usize];
            self.names[number as usize] = old.names[old_number as usize];
        }
        if old_portals.is_some() {
            self.keep_portals(portals);
        }
    }
}

/// The portals of links.
#[derive(Clone, Copy)]
pub(crate) struct Portals<'a> {
    graph: &'a Graph,
    // A copy of `graph.polys`: searches read it without loading the graph.
    polys: &'a [GraphPoly],
    all: &'a [Portal],
}

impl<'a> Portals<'a> {
    /// Returns the portal of each link of a polygon. If several links lead to the same polygon, all have the portal of
    /// the first.
    #[inline]
    pub(crate) fn of(self, number: u32) -> &'a [Portal] {
        &self.all[self.polys[number as usize].links()]
    }

    /// Returns the number of polygon `to`, and the portal to it from the polygon with the number `from`; `None` if no
    /// link leads there.
    ///
    /// Compares references, because converting `to` to a number would take longer.
    #[inline]
    pub(crate) fn between(self, from: u32, to: PolyRef) -> Option<(u32, &'a Portal)> {
        let Self { graph, polys, all } = self;
        let range = polys[from as usize].links();
        let mut links = graph.links[range.clone()].iter().zip(&all[range]);
        let found = links.find(|(link, _)| graph.name(link.to) == to);
        found.map(|(link, portal)| (link.to, portal))
    }
}

impl Graph {
    /// Returns the portals, computed with `portal_of` from a polygon and one of its links if they are not known yet.
    #[inline]
    pub(super) fn portals(&self, portal_of: impl Fn(u32, Link) -> Portal) -> Portals<'_> {
        let all = self.portals.get_or_init(|| {
            let mut all = vec![NO_PORTAL; self.links.len()];
            self.put_portals(0..index_u32(self.polys.len()), &mut all, portal_of);
            all
        });
        Portals { graph: self, polys: &self.polys, all }
    }

    /// Returns whether the portals are known.
    pub(super) fn has_portals(&self) -> bool {
        self.portals.get().is_some()
    }

    /// Takes the portals out of the graph; they must be returned with [`Graph::keep_portals`].
    pub(super) fn take_portals(&mut self) -> Option<Vec<Portal>> {
        self.portals.take()
    }

    /// Puts back the portals from [`Graph::take_portals`].
    pub(super) fn keep_portals(&mut self, all: Vec<Portal>) {
        self.portals = OnceLock::from(all);
    }

    /// Updates the portals of the polygons `numbers` in `all`.
    pub(super) fn put_portals(
        &self,
        numbers: Range<u32>,
        all: &mut [Portal],
        portal_of: impl Fn(u32, Link) -> Portal,
    ) {
        for number in numbers {
            let links = self.links(number);
            let own = &mut all[self.polys[number as usize].links()];
            for_each_with_first(links, |index, link, first| {
                own[index] = if first < index { own[first] } else { portal_of(number, link) };
            });
        }
    }
}

const NO_PORTAL: Portal = Portal { left: Vec3::ZERO, right: Vec3::ZERO };
