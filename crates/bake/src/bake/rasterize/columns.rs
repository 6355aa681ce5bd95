//! Columns of spans under construction.

use walkable_runtime::monitor::Cancelled;

use crate::bake::{GridFrame, Heightfield, RawArea, Span, limit::Limit, pulse::Pulse};

/// Maximum number of spans of a tile: those that a [`Link`] can distinguish.
const MAX_SPANS: usize = END as usize;

/// Initial capacity of the pool.
const FIRST_SPANS: usize = 1024;
/// A full pool grows by its length divided by this.
const GROWTH: usize = 4;

/// End of a list of spans.
const END: u32 = (1 << Link::NEXT_BITS) - 1;

/// Columns under construction: linked lists of spans in one pool.
pub(super) struct Columns {
    heads: Vec<u32>,
    pool: Vec<Link>,
    free: u32,
    /// Whether a span was dropped because there were too many.
    is_full: bool,
}

/// A span and the index of the next one above it, in one integer.
#[derive(Clone, Copy)]
struct Link(u64);

impl Link {
    /// Number of bits of a height. The largest height has all of them set.
    const HEIGHT_BITS: u32 = Heightfield::MAX_HEIGHT_VX.count_ones();
    /// The largest area is [`RawArea::WALKABLE`].
    const AREA_AT: u32 = 2 * Self::HEIGHT_BITS;
    const NEXT_AT: u32 = Self::AREA_AT + RawArea::WALKABLE.0.count_ones();
    const NEXT_BITS: u32 = u64::BITS - Self::NEXT_AT;

    #[inline]
    fn new(Span { min_vx, max_vx, area }: Span, next: u32) -> Self {
        let heights = u64::from(max_vx) << Self::HEIGHT_BITS | u64::from(min_vx);
        Self(u64::from(next) << Self::NEXT_AT | u64::from(area.0) << Self::AREA_AT | heights)
    }

    #[inline]
    fn span(self) -> Span {
        #[expect(clippy::cast_possible_truncation, reason = "all heights fit")]
        let height = |at: u32| (self.0 >> at) as u16 & Heightfield::MAX_HEIGHT_VX;
        #[expect(clippy::cast_possible_truncation, reason = "masked")]
        let area = (self.0 >> Self::AREA_AT) as u8 & RawArea::WALKABLE.0;
        Span { min_vx: height(0), max_vx: height(Self::HEIGHT_BITS), area: RawArea(area) }
    }

    #[inline]
    fn next(self) -> u32 {
        (self.0 >> Self::NEXT_AT) as u32
    }
}

impl Columns {
    pub(super) fn new(n_cells: usize) -> Self {
        // Capacity for one more: the list later becomes the starts of the columns.
        let mut heads = Vec::with_capacity(n_cells + 1);
        heads.resize(n_cells, END);
        Self { heads, pool: Vec::new(), free: END, is_full: false }
    }

    /// Returns an error if spans were dropped.
    pub(super) fn check(&self) -> Result<(), Limit> {
        if self.is_full {
            return Err(Limit {
                what: "the number of solid spans",
                value: MAX_SPANS as u64 + 1,
                limit: MAX_SPANS as u64,
                remedy: "use a larger cell_size or smaller tiles",
            });
        }
        Ok(())
    }

    /// Adds `span` to a column, merged with the spans that it touches. If there are too many spans, it is dropped, and
    /// [`Columns::check`] returns an error.
    ///
    /// With `IS_LEVEL`, it first checks whether the span adds nothing: on level ground, this is mostly true for all
    /// cells or for none.
    #[inline]
    pub(super) fn add<const IS_LEVEL: bool>(&mut self, cell: usize, span: Span, merge_vx: u32) {
        let mut below = END;
        let mut at = self.heads[cell];
        while let Some(&link) = self.pool.get(at as usize) {
            let old = link.span();
            if span.max_vx < old.min_vx {
                break;
            }
            if span.min_vx <= old.max_vx {
                if IS_LEVEL
                    && old.min_vx <= span.min_vx
                    && span.max_vx <= old.max_vx
                    && span.area <= old.area
                {
                    return;
                }
                self.merge(at, merged(span, old, merge_vx), link.next(), merge_vx);
                return;
            }
            below = at;
            at = link.next();
        }
        let Some(new) = self.allocate(Link::new(span, at)) else { return };
        match self.pool.get_mut(below as usize) {
            Some(link) => *link = Link::new(link.span(), new),
            None => self.heads[cell] = new,
        }
    }

    /// Replaces the span at `at` by `span`, merged with the spans above it, from `next` on, that it touches.
    #[inline]
    fn merge(&mut self, at: u32, mut span: Span, mut next: u32, merge_vx: u32) {
        while let Some(link) = self.pool.get_mut(next as usize)
            && link.span().min_vx <= span.max_vx
        {
            span = merged(span, link.span(), merge_vx);
            let above = link.next();
            *link = Link::new(link.span(), self.free);
            self.free = next;
            next = above;
        }
        self.pool[at as usize] = Link::new(span, next);
    }

    fn allocate(&mut self, link: Link) -> Option<u32> {
        if let Some(slot) = self.pool.get_mut(self.free as usize) {
            let at = self.free;
            self.free = slot.next();
            *slot = link;
            return Some(at);
        }
        let at = self.pool.len();
        if MAX_SPANS <= at {
            self.is_full = true;
            return None;
        }
        if at == self.pool.capacity() {
            // Doubling would leave up to half of the memory unused.
            self.pool.reserve_exact((at / GROWTH).max(FIRST_SPANS));
        }
        self.pool.push(link);
        u32::try_from(at).ok()
    }

    pub(super) fn into_heightfield(
        self,
        frame: GridFrame,
        pulse: &mut Pulse<'_>,
    ) -> Result<Heightfield, Cancelled> {
        let mut starts = self.heads;
        let mut spans = Vec::with_capacity(self.pool.len());
        let mut n = 0;
        for start in &mut starts {
            pulse.step()?;
            let mut at = std::mem::replace(start, n);
            while let Some(link) = self.pool.get(at as usize) {
                spans.push(link.span());
                n += 1;
                at = link.next();
            }
        }
        starts.push(n);
        Ok(Heightfield { frame, starts, spans })
    }
}

/// Merges `new` and `old`. The tops are compared after the new one was extended.
pub(super) fn merged(new: Span, old: Span, merge_vx: u32) -> Span {
    let max_vx = new.max_vx.max(old.max_vx);
    let is_near = u32::from(max_vx - old.max_vx) <= merge_vx;
    let area = if is_near { new.area.max(old.area) } else { new.area };
    Span { min_vx: new.min_vx.min(old.min_vx), max_vx, area }
}
