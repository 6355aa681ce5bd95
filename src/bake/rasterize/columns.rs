//! Columns of spans under construction.

use crate::{
    bake::{GridFrame, Heightfield, Span, limit::Limit, pulse::Pulse},
    monitor::Cancelled,
};

/// Most spans of one tile: their pool stays below four gigabytes.
const MAX_SPANS: usize = 1 << 28;

/// Spans for which there is room at first.
const FIRST_SPANS: usize = 1024;
/// The pool grows by this part of itself when it is full.
const GROWTH: usize = 4;

/// End of a list of spans.
const END: u32 = u32::MAX;

/// Columns under construction: a linked list of spans each, all in one pool.
pub(super) struct Columns {
    heads: Vec<u32>,
    pool: Vec<Link>,
    free: u32,
    /// Whether a span was left out because there were too many.
    is_full: bool,
}

#[derive(Clone, Copy)]
struct Link {
    span: Span,
    next: u32,
}

impl Columns {
    pub(super) fn new(n_cells: usize) -> Self {
        // Room for one more, with which they become the starts of the columns.
        let mut heads = Vec::with_capacity(n_cells + 1);
        heads.resize(n_cells, END);
        Self { heads, pool: Vec::new(), free: END, is_full: false }
    }

    /// Whether every span fitted.
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

    /// Adds `span` to a column, merged with the spans it touches. Where there are too many spans already, it
    /// is left out; [`Columns::check`] tells.
    #[inline]
    pub(super) fn add(&mut self, cell: usize, span: Span, merge_vx: u32) {
        let mut below = END;
        let mut at = self.heads[cell];
        while let Some(link) = self.pool.get_mut(at as usize) {
            if span.max_vx < link.span.min_vx {
                break;
            }
            if span.min_vx <= link.span.max_vx {
                link.span = merged(span, link.span, merge_vx);
                self.merge_with_next(at, merge_vx);
                return;
            }
            below = at;
            at = link.next;
        }
        let Some(new) = self.allocate(Link { span, next: at }) else { return };
        match self.pool.get_mut(below as usize) {
            Some(link) => link.next = new,
            None => self.heads[cell] = new,
        }
    }

    /// Merges the span at `at`, which has grown, with those above that it touches now.
    fn merge_with_next(&mut self, at: u32, merge_vx: u32) {
        let Link { mut span, next } = self.pool[at as usize];
        let mut above = next;
        while let Some(&link) = self.pool.get(above as usize)
            && link.span.min_vx <= span.max_vx
        {
            span = merged(span, link.span, merge_vx);
            self.pool[above as usize].next = self.free;
            self.free = above;
            above = link.next;
        }
        if above != next {
            self.pool[at as usize] = Link { span, next: above };
        }
    }

    fn allocate(&mut self, link: Link) -> Option<u32> {
        if let Some(slot) = self.pool.get_mut(self.free as usize) {
            let at = self.free;
            self.free = slot.next;
            *slot = link;
            return Some(at);
        }
        let at = self.pool.len();
        if MAX_SPANS <= at {
            self.is_full = true;
            return None;
        }
        if at == self.pool.capacity() {
            // Doubling would leave up to half of it unused.
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
                spans.push(link.span);
                n += 1;
                at = link.next;
            }
        }
        starts.push(n);
        Ok(Heightfield { frame, starts, spans })
    }
}

/// `new` and `old` as one span. Tops are compared after the new one has grown.
pub(super) fn merged(new: Span, old: Span, merge_vx: u32) -> Span {
    let max_vx = new.max_vx.max(old.max_vx);
    let is_near = u32::from(max_vx - old.max_vx) <= merge_vx;
    let area = if is_near { new.area.max(old.area) } else { new.area };
    Span { min_vx: new.min_vx.min(old.min_vx), max_vx, area }
}
