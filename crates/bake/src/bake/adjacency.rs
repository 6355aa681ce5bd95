//! Neighbor links of the open spans, resolved to span indices once, for the stages that traverse them many times.

use serde::{Deserialize, Serialize};
use walkable_runtime::ids::Dir;

use crate::bake::GridFrame;

/// The neighbor of each span in each direction.
///
/// Indices take 16 bits if that is enough, since all must stay in memory until the last stage. Loops over all spans
/// are compiled for both widths: see [`Adjacency::links`].
///
/// Invariants: one entry per span of the field it was built from; links are mutual.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Adjacency {
    next: Next,
}

/// Indices of neighbor spans by direction, `MAX` for none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Next {
    Narrow(Vec<[u16; 4]>),
    Wide(Vec<[u32; 4]>),
}

impl Adjacency {
    /// Returns the size of all indices, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        match &self.next {
            Next::Narrow(next) => size_of_val(next.as_slice()),
            Next::Wide(next) => size_of_val(next.as_slice()),
        }
    }
}

impl Default for Next {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// The [`Adjacency`] with a known index width.
pub(super) enum EitherLinks<'a> {
    Narrow(Links<'a, u16>),
    Wide(Links<'a, u32>),
}

/// The neighbor of each span in each direction, as indices of one width.
#[derive(Clone, Copy)]
pub(super) struct Links<'a, I>(&'a [[I; 4]]);

/// An index of a span.
pub(super) trait SpanIndex: Copy {
    /// The value for no neighbor.
    const NONE: Self;

    /// Converts `index`, which must be less than [`SpanIndex::NONE`].
    fn new(index: usize) -> Self;

    fn index(self) -> usize;

    /// Builds the adjacency from the neighbors of each span, by direction.
    fn adjacency(next: Vec<[Self; 4]>) -> Adjacency;
}

impl SpanIndex for u16 {
    const NONE: Self = Self::MAX;

    fn new(index: usize) -> Self {
        Self::try_from(index).unwrap_or(Self::NONE)
    }

    fn index(self) -> usize {
        usize::from(self)
    }

    fn adjacency(next: Vec<[Self; 4]>) -> Adjacency {
        Adjacency { next: Next::Narrow(next) }
    }
}

impl SpanIndex for u32 {
    const NONE: Self = Self::MAX;

    fn new(index: usize) -> Self {
        Self::try_from(index).unwrap_or(Self::NONE)
    }

    fn index(self) -> usize {
        self as usize
    }

    fn adjacency(next: Vec<[Self; 4]>) -> Adjacency {
        Adjacency { next: Next::Wide(next) }
    }
}

impl<I: SpanIndex> Links<'_, I> {
    /// Returns the number of spans.
    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// Returns the neighbors of `span`, by direction. A missing neighbor has an index beyond every array with one entry
    /// per span, so that `get` returns `None`.
    #[inline]
    pub(super) fn around(self, span: usize) -> [usize; 4] {
        let [west, north, east, south] = self.0[span];
        [west.index(), north.index(), east.index(), south.index()]
    }
}

impl Adjacency {
    /// Returns whether 16-bit indices suffice for this many spans.
    pub(super) const fn is_narrow(n_spans: usize) -> bool {
        n_spans < u16::MAX as usize
    }

    /// Marks a direction without a reachable neighbor.
    pub(super) const NO_LINK: u8 = 63;

    /// Resolves `links`, one entry per span. The spans of each cell of `frame` begin at its entry in `starts`.
    pub(super) fn new(frame: &GridFrame, starts: &[u32], links: &[[u8; 4]]) -> Self {
        if Self::is_narrow(links.len()) {
            u16::adjacency(resolve(frame, starts, links))
        } else {
            u32::adjacency(resolve(frame, starts, links))
        }
    }

    pub(super) fn links(&self) -> EitherLinks<'_> {
        match &self.next {
            Next::Narrow(next) => EitherLinks::Narrow(Links(next)),
            Next::Wide(next) => EitherLinks::Wide(Links(next)),
        }
    }

    /// Returns the number of spans.
    pub(super) fn len(&self) -> usize {
        match &self.next {
            Next::Narrow(next) => next.len(),
            Next::Wide(next) => next.len(),
        }
    }

    /// Returns the neighbors of `span`, as [`Links::around`].
    pub(super) fn around(&self, span: usize) -> [usize; 4] {
        match self.links() {
            EitherLinks::Narrow(links) => links.around(span),
            EitherLinks::Wide(links) => links.around(span),
        }
    }

    /// Returns the neighbor of `span` in direction `dir`.
    #[inline]
    pub(super) fn step(&self, span: usize, dir: Dir) -> Option<usize> {
        match &self.next {
            Next::Narrow(next) => {
                let next = next[span][dir as usize];
                (next != u16::MAX).then_some(usize::from(next))
            }
            Next::Wide(next) => {
                let next = next[span][dir as usize];
                (next != u32::MAX).then_some(next as usize)
            }
        }
    }
}

/// Returns the neighbors of each span, by direction.
fn resolve<I: SpanIndex>(frame: &GridFrame, starts: &[u32], links: &[[u8; 4]]) -> Vec<[I; 4]> {
    let n_x = frame.n_x as usize;
    let mut next = Vec::with_capacity(links.len());
    for cell in 0..frame.n_cells() {
        // Neighboring cells to the west, north, east and south. Links never leave the grid.
        let beside = [cell.wrapping_sub(1), cell + n_x, cell + 1, cell.wrapping_sub(n_x)];
        let resolved = |of: &[u8; 4]| {
            std::array::from_fn(|dir| match of[dir] {
                Adjacency::NO_LINK => I::NONE,
                link => I::new(starts[beside[dir]] as usize + usize::from(link)),
            })
        };
        let spans = starts[cell] as usize..starts[cell + 1] as usize;
        next.extend(links[spans].iter().map(resolved));
    }
    next
}
