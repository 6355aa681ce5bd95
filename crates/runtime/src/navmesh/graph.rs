//! All polygons of a mesh in one list, with the links between them: what searches walk.
//!
//! A tile keeps its polygons as files do. A search looks at thousands of them and would wait for memory
//! at each, so what it needs stands here once more, packed: a polygon is a number, its links lie side by
//! side, the newest first. Searches take links in this order, and ties between paths fall by it.

use std::{num::NonZeroU64, ops::Range, sync::OnceLock};

use glam::Vec3;

use super::{
    LiveTile, Poly, PolyKind, PolyRef, Portal, Tile,
    incoming::{Incoming, IncomingLink, Place},
    link::{Link, index_u32},
    seams::{Seams, Waiting},
};

/// What decides whether a polygon may be used, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) flags: u16,
    pub(crate) area: u8,
    pub(crate) kind: PolyKind,
}

impl Marks {
    const NONE: Self = Self { flags: 0, area: 0, kind: PolyKind::Ground };
}

/// Where a polygon and its links are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphPoly {
    /// Its tile, as the mesh numbers its tiles.
    pub(crate) tile: u32,
    /// Its place in the tile.
    pub(crate) poly: u32,
    first_link: u32,
    n_links: u32,
}

impl GraphPoly {
    /// A number that no polygon has.
    const NOTHING: Self = Self { tile: u32::MAX, poly: 0, first_link: 0, n_links: 0 };

    fn links(&self) -> Range<usize> {
        let first = self.first_link as usize;
        first..first + self.n_links as usize
    }
}

/// Polygons by number, and their links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    marks: Vec<Marks>,
    names: Vec<PolyRef>,
    polys: Vec<GraphPoly>,
    links: Vec<Link>,
    /// What a path crosses, link by link. Found when the first search asks, and kept up from then on: a mesh
    /// that is only loaded and saved needs none.
    portals: OnceLock<Vec<Portal>>,
    /// Links by where they lead. Found when the first search against them asks, and forgotten when links change.
    incoming: OnceLock<Incoming>,
    /// Links that are no polygon's any more.
    n_waste: usize,
}

impl Graph {
    /// Flags, area and kind of the polygon with this number.
    #[inline]
    pub(crate) fn marks(&self, number: u32) -> Marks {
        self.marks[number as usize]
    }

    /// Reference to the polygon with this number.
    #[inline]
    pub(crate) fn name(&self, number: u32) -> PolyRef {
        self.names[number as usize]
    }

    /// The polygon with this number.
    #[inline]
    pub(crate) fn poly(&self, number: u32) -> &GraphPoly {
        &self.polys[number as usize]
    }

    /// Its links.
    #[inline]
    pub(crate) fn links(&self, number: u32) -> &[Link] {
        &self.links[self.polys[number as usize].links()]
    }

    /// One more than the largest number.
    pub(crate) fn len(&self) -> usize {
        self.polys.len()
    }

    /// The links that lead to a polygon. The first call after links were added or removed lists those of all
    /// polygons.
    pub(crate) fn incoming(&self, number: u32) -> impl Iterator<Item = IncomingLink> {
        let all = self.incoming.get_or_init(|| Incoming::new(self.len(), |from| self.links(from)));
        all.of(number).iter().map(|&Place { from, index }| {
            let index = index as usize;
            IncomingLink { from, index, link: self.links(from)[index] }
        })
    }

    /// Gives the polygons of tile `id` their numbers. They have no links yet.
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

    /// Has places for polygons with numbers below `end`.
    fn make_places(&mut self, end: usize) {
        self.polys.resize(end, GraphPoly::NOTHING);
        self.marks.resize(end, Marks::NONE);
        self.names.resize(end, PolyRef(NonZeroU64::MAX));
    }

    /// Takes over the marks of a tile's polygons, numbered from `first`.
    pub(super) fn refresh(&mut self, first: u32, tile: &Tile) {
        for (known, poly) in self.marks[first as usize..].iter_mut().zip(&tile.polys) {
            let Poly { flags, area, kind, .. } = *poly;
            *known = Marks { flags, area, kind };
        }
    }

    /// Leaves the polygons `numbers` without links.
    pub(super) fn clear(&mut self, numbers: Range<u32>) {
        self.incoming.take();
        for poly in &mut self.polys[numbers.start as usize..numbers.end as usize] {
            self.n_waste += poly.n_links as usize;
            *poly = GraphPoly::NOTHING;
        }
    }

    /// Removes all links from the polygons `from` to the polygons `to`; how many.
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

    /// Puts waiting links of the polygons `numbers` before those that they have. Portals are still to be
    /// found.
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
            self.links.extend_from_within(old);
            let poly = &mut self.polys[number as usize];
            poly.first_link = index_u32(start);
            poly.n_links = index_u32(self.links.len() - start);
        }
        let n_links = self.links.len();
        if let Some(portals) = self.portals.get_mut() {
            portals.resize(n_links, NO_PORTAL);
        }
    }

    /// Makes room for so many more polygons.
    pub(super) fn reserve_polys(&mut self, n_polys: usize) {
        self.polys.reserve(n_polys);
        self.marks.reserve(n_polys);
        self.names.reserve(n_polys);
    }

    /// Makes room for so many more links.
    pub(super) fn reserve(&mut self, n_links: usize) {
        self.links.reserve(n_links);
    }

    /// Throws links away that are no polygon's, once they outweigh the others.
    pub(super) fn tidy(&mut self) {
        if 2 * self.n_waste > self.links.len() {
            self.rebuild(self.polys.len(), Some);
        }
    }

    /// Numbers polygons anew: each polygon of a tile comes at its place after what `first_of` says of the
    /// tile.
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

/// What paths cross over links.
#[derive(Clone, Copy)]
pub(crate) struct Portals<'a> {
    polys: &'a [GraphPoly],
    all: &'a [Portal],
}

impl<'a> Portals<'a> {
    /// For each link of a polygon. Where several lead to one polygon, all have the portal of the first.
    #[inline]
    pub(crate) fn of(self, number: u32) -> &'a [Portal] {
        &self.all[self.polys[number as usize].links()]
    }
}

impl Graph {
    /// What paths cross, found by `portal_of` from a polygon and one of its links where that is not known yet.
    #[inline]
    pub(super) fn portals(&self, portal_of: impl Fn(u32, Link) -> Portal) -> Portals<'_> {
        let all = self.portals.get_or_init(|| {
            let mut all = vec![NO_PORTAL; self.links.len()];
            self.put_portals(0..index_u32(self.polys.len()), &mut all, portal_of);
            all
        });
        Portals { polys: &self.polys, all }
    }

    /// What was found of this; it must be given back.
    pub(super) fn take_portals(&mut self) -> Option<Vec<Portal>> {
        self.portals.take()
    }

    /// Gives back what [`Graph::take_portals`] gave.
    pub(super) fn keep_portals(&mut self, all: Vec<Portal>) {
        self.portals = OnceLock::from(all);
    }

    /// Puts among `all` what paths from the polygons `numbers` cross.
    pub(super) fn put_portals(
        &self,
        numbers: Range<u32>,
        all: &mut [Portal],
        portal_of: impl Fn(u32, Link) -> Portal,
    ) {
        for number in numbers {
            let links = self.links(number);
            let own = &mut all[self.polys[number as usize].links()];
            for (index, link) in links.iter().enumerate() {
                let first = links[..index].iter().position(|first| first.to == link.to);
                own[index] = first.map_or_else(|| portal_of(number, *link), |first| own[first]);
            }
        }
    }
}

const NO_PORTAL: Portal = Portal { left: Vec3::ZERO, right: Vec3::ZERO };
