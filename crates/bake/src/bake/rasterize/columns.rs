//! Columns of spans under construction.

use std::{collections::BTreeMap, mem};

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

/// Number of spans after which the search through a list ends and the column becomes a [`TallColumn`].
const LONG: u32 = 32;
/// A head from this value on is the index of a tall column, counted from here.
const FIRST_TALL: u32 = 1 << Link::NEXT_BITS;

/// Columns under construction: linked lists of spans in one pool. Long lists, in which each search would take long, are
/// replaced by trees.
pub(super) struct Columns {
    heads: Vec<u32>,
    pool: Vec<Link>,
    free: u32,
    tall: Vec<TallColumn>,
    /// Number of spans in tall columns.
    n_tall: usize,
    /// Whether a span was dropped because there were too many.
    is_full: bool,
    /// Number of merges in which a new span set the area of a marked surface more than the climb above it.
    pub(super) n_raised: usize,
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
        Self {
            heads,
            pool: Vec::new(),
            free: END,
            tall: Vec::new(),
            n_tall: 0,
            is_full: false,
            n_raised: 0,
        }
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
        let mut n_left = LONG;
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
                self.n_raised += usize::from(raises(span, old, merge_vx));
                self.merge(at, merged(span, old, merge_vx), link.next(), merge_vx);
                return;
            }
            below = at;
            at = link.next();
            n_left -= 1;
            if n_left == 0 {
                at = self.make_tall(cell);
            }
        }
        if FIRST_TALL <= at {
            return self.add_to_tall(at, span, merge_vx);
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
            self.n_raised += usize::from(raises(span, link.span(), merge_vx));
            span = merged(span, link.span(), merge_vx);
            let above = link.next();
            *link = Link::new(link.span(), self.free);
            self.free = next;
            next = above;
        }
        self.pool[at as usize] = Link::new(span, next);
    }

    /// Moves the list of a cell to a tree, and returns its new head.
    #[cold]
    #[inline(never)]
    fn make_tall(&mut self, cell: usize) -> u32 {
        let mut column = TallColumn::default();
        let mut at = self.heads[cell];
        while let Some(link) = self.pool.get_mut(at as usize) {
            column.push(link.span());
            let above = link.next();
            *link = Link::new(link.span(), self.free);
            self.free = mem::replace(&mut at, above);
        }
        self.n_tall += column.0.len();
        let head = FIRST_TALL + count(self.tall.len());
        self.tall.push(column);
        self.heads[cell] = head;
        head
    }

    #[cold]
    #[inline(never)]
    fn add_to_tall(&mut self, head: u32, span: Span, merge_vx: u32) {
        let column = &mut self.tall[(head - FIRST_TALL) as usize];
        let n_before = column.0.len();
        self.n_raised += column.add(span, merge_vx);
        self.n_tall = self.n_tall + column.0.len() - n_before;
        self.is_full |= MAX_SPANS < self.pool.len() + self.n_tall;
    }

    fn allocate(&mut self, link: Link) -> Option<u32> {
        if let Some(slot) = self.pool.get_mut(self.free as usize) {
            let at = self.free;
            self.free = slot.next();
            *slot = link;
            return Some(at);
        }
        let at = self.pool.len();
        if MAX_SPANS <= at + self.n_tall {
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
        let mut spans = Vec::with_capacity(self.pool.len() + self.n_tall);
        let mut n = 0;
        let mut tall = self.tall;
        for start in &mut starts {
            pulse.step()?;
            let mut at = mem::replace(start, n);
            if let Some(column) = at.checked_sub(FIRST_TALL) {
                let column = mem::take(&mut tall[column as usize]);
                spans.extend(column.spans());
                n = count(spans.len());
                pulse.steps(n - *start)?;
                continue;
            }
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

#[expect(clippy::cast_possible_truncation, reason = "a grid has at most 2^27 cells and 2^28 spans")]
const fn count(n: usize) -> u32 {
    n as u32
}

/// A column with many spans: top and area of each by its bottom.
#[derive(Default)]
struct TallColumn(BTreeMap<u16, (u16, RawArea)>);

impl TallColumn {
    fn push(&mut self, Span { min_vx, max_vx, area }: Span) {
        self.0.insert(min_vx, (max_vx, area));
    }

    /// Like [`Columns::add`]. Returns how often [`raises`] was true.
    fn add(&mut self, span: Span, merge_vx: u32) -> usize {
        // The spans do not touch each other, so they are in the order of their tops, too.
        let is_touched = |old: &Span| span.min_vx <= old.max_vx;
        let below = self.0.range(..=span.min_vx).next_back().map(to_span).filter(is_touched);
        let (mut merged_span, mut n_raised) = (span, 0);
        let mut at = below.map_or(span.min_vx, |below| below.min_vx);
        while let Some(old) = self.0.range(at..).next().map(to_span)
            && old.min_vx <= merged_span.max_vx
        {
            self.0.remove(&old.min_vx);
            n_raised += usize::from(raises(merged_span, old, merge_vx));
            merged_span = merged(merged_span, old, merge_vx);
            at = old.min_vx;
        }
        self.push(merged_span);
        n_raised
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        self.0.iter().map(to_span)
    }
}

fn to_span((&min_vx, &(max_vx, area)): (&u16, &(u16, RawArea))) -> Span {
    Span { min_vx, max_vx, area }
}

/// Returns whether merging gives `old` the area of `new`, although the top of `old` is more than the climb higher and one of
/// the two is marked.
#[inline]
fn raises(new: Span, old: Span, merge_vx: u32) -> bool {
    old.area < new.area
        && (old.area.is_walkable() || new.area != RawArea::WALKABLE)
        && merge_vx < u32::from(old.max_vx.saturating_sub(new.max_vx))
}

/// Merges `new` and `old`. The tops are compared after the new one was extended.
pub(super) fn merged(new: Span, old: Span, merge_vx: u32) -> Span {
    let max_vx = new.max_vx.max(old.max_vx);
    let is_near = u32::from(max_vx - old.max_vx) <= merge_vx;
    let area = if is_near { new.area.max(old.area) } else { new.area };
    Span { min_vx: new.min_vx.min(old.min_vx), max_vx, area }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::heightfield::tests::unit_frame;

    /// Adds a span to a column as the reference does: looks at every span from the bottom up.
    fn add_plainly(column: &mut Vec<Span>, mut span: Span, merge_vx: u32) {
        let mut at = 0;
        while let Some(&old) = column.get(at) {
            if span.max_vx < old.min_vx {
                break;
            }
            if old.max_vx < span.min_vx {
                at += 1;
            } else {
                span = merged(span, old, merge_vx);
                column.remove(at);
            }
        }
        column.insert(at, span);
    }

    /// The order in which the spans of a column are added.
    #[derive(Clone, Copy, Debug)]
    enum Order {
        AsDrawn,
        Up,
        Down,
        OutsideIn,
        InsideOut,
    }

    fn in_order(mut spans: Vec<(u16, u16, u8, bool)>, order: Order) -> Vec<(u16, u16, u8, bool)> {
        match order {
            Order::AsDrawn => {}
            Order::Up => spans.sort_unstable(),
            Order::Down => spans.sort_by(|a, b| b.cmp(a)),
            Order::OutsideIn | Order::InsideOut => {
                spans.sort_unstable();
                let mut left = std::collections::VecDeque::from(spans);
                spans = Vec::new();
                while let Some(lowest) = left.pop_front() {
                    spans.push(lowest);
                    spans.extend(left.pop_back());
                }
                if matches!(order, Order::InsideOut) {
                    spans.reverse();
                }
            }
        }
        spans
    }

    fn span() -> impl Strategy<Value = (u16, u16, u8, bool)> {
        // Most are low, some reach through many others.
        let height = prop_oneof![9 => 1..4_u16, 1 => 1..400_u16];
        (0..2000_u16, height, prop_oneof![Just(0), Just(63), 1..63_u8], any::<bool>())
    }

    fn order() -> impl Strategy<Value = Order> {
        use Order::{AsDrawn, Down, InsideOut, OutsideIn, Up};
        prop::sample::select(vec![AsDrawn, Up, Down, OutsideIn, InsideOut])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Two columns in turns, so that they share the pool: a tall and a short one.
        #[test]
        fn columns_are_those_of_the_plain_method(
            tall in prop::collection::vec(span(), 0..900),
            short in prop::collection::vec(span(), 0..60),
            order in order(),
            merge_vx in 0..6_u32,
        ) {
            let mut columns = Columns::new(2);
            let mut plain = [Vec::new(), Vec::new()];
            let [tall, short] = [tall, short].map(|spans| in_order(spans, order));
            let n = tall.len().max(short.len());
            for at in 0..n {
                for (cell, spans) in [&tall, &short].into_iter().enumerate() {
                    let Some(&(min_vx, height, area, is_level)) = spans.get(at) else { continue };
                    let span = Span { min_vx, max_vx: min_vx + height, area: RawArea(area) };
                    add_plainly(&mut plain[cell], span, merge_vx);
                    if is_level {
                        columns.add::<true>(cell, span, merge_vx);
                    } else {
                        columns.add::<false>(cell, span, merge_vx);
                    }
                }
            }
            columns.check().unwrap();
            let mut pulse = Pulse::new(&Unmonitored);
            let field = columns.into_heightfield(unit_frame(2, 1), &mut pulse).unwrap();
            prop_assert_eq!(field.column(0), &plain[0][..]);
            prop_assert_eq!(field.column(1), &plain[1][..]);
        }
    }
}
