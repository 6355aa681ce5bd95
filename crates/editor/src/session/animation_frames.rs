//! Frames of an animation, made in the background and cached within a budget.

use std::{collections::BTreeMap, sync::Arc};

use walkable::debug_draw::DrawList;

#[derive(Debug, Default)]
pub struct AnimationFrames {
    frames: BTreeMap<usize, Arc<DrawList>>,
    n_bytes: usize,
    requested: Vec<usize>,
}

impl AnimationFrames {
    /// Memory for the cached frames, and for those of one request, in bytes.
    pub const ROOM: usize = 64 << 20;
    /// Maximum number of frames made in advance.
    const AHEAD: usize = 24;

    /// Returns the frame after `step` steps, if it has been made.
    pub fn frame(&self, step: usize) -> Option<&Arc<DrawList>> {
        self.frames.get(&step)
    }

    /// Returns the number of frames that may be made in advance: as many as fit in memory.
    pub(super) fn n_ahead(&self) -> usize {
        let each = self.n_bytes / self.frames.len().max(1);
        (Self::ROOM / 2 / each.max(1)).clamp(1, Self::AHEAD)
    }

    /// Returns the frames of `soon` that have to be requested now; `None` if that can wait. A new request cancels the
    /// previous one.
    pub(super) fn ask(&mut self, soon: Vec<usize>) -> Option<Vec<usize>> {
        let now = soon.first().copied()?;
        let n_soon = soon.len();
        let missing: Vec<_> =
            soon.into_iter().filter(|step| !self.frames.contains_key(step)).collect();
        let is_urgent = missing.first() == Some(&now) && !self.requested.contains(&now);
        // Each request has some overhead, so half of the frames in advance are requested together.
        let is_due = self.requested.is_empty() && n_soon < 2 * missing.len();
        (is_urgent || is_due).then(|| {
            self.requested.clone_from(&missing);
            missing
        })
    }

    /// Adds a frame; if memory runs out, drops the frames farthest from it.
    pub fn land(&mut self, step: usize, list: Arc<DrawList>) {
        self.n_bytes += list_bytes(&list);
        if let Some(old) = self.frames.insert(step, list) {
            self.n_bytes -= list_bytes(&old);
        }
        while Self::ROOM < self.n_bytes && self.frames.len() > 1 {
            let ends = [self.frames.first_key_value(), self.frames.last_key_value()];
            let ends = ends.into_iter().flatten().map(|(step, _)| *step);
            let Some(farthest) = ends.max_by_key(|end| end.abs_diff(step)) else { return };
            let gone = self.frames.remove(&farthest);
            self.n_bytes -= gone.map_or(0, |list| list_bytes(&list));
        }
    }

    pub fn done(&mut self) {
        self.requested.clear();
    }
}

pub fn list_bytes(list: &DrawList) -> usize {
    let DrawList { triangles, lines, points, blocks } = list;
    size_of_val(triangles.as_slice())
        + size_of_val(lines.as_slice())
        + size_of_val(points.as_slice())
        + size_of_val(blocks.as_slice())
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::debug_draw::Paint;

    use super::*;

    /// Draws a frame with this many discs.
    fn frame(n: usize) -> Arc<DrawList> {
        let mut list = DrawList::default();
        (0..n).for_each(|_| list.point(Vec3::ZERO, 1.0, Paint::Accent));
        Arc::new(list)
    }

    #[test]
    fn frames_are_requested_once_and_half_of_the_next_ones_at_once() {
        let mut animation_frames = AnimationFrames::default();
        assert_eq!(animation_frames.ask(vec![0, 1, 2, 3]), Some(vec![0, 1, 2, 3]));
        assert_eq!(animation_frames.ask(vec![0, 1, 2, 3]), None, "being made");
        (0..4).for_each(|step| animation_frames.land(step, frame(1)));
        animation_frames.done();
        assert_eq!(animation_frames.ask(vec![1, 2, 3, 4]), None, "one missing is not worth it");
        assert_eq!(animation_frames.ask(vec![3, 4, 5, 6]), Some(vec![4, 5, 6]));
        assert_eq!(animation_frames.ask(vec![4, 5, 6, 7]), None, "coming");
        assert_eq!(animation_frames.ask(vec![9, 10]), Some(vec![9, 10]), "what is seen goes first");
        assert_eq!(animation_frames.ask(Vec::new()), None);
    }

    #[test]
    fn memory_is_bounded_and_the_newest_frames_stay() {
        let mut animation_frames = AnimationFrames::default();
        let large = frame(AnimationFrames::ROOM / 5 / size_of::<walkable::debug_draw::Point>());
        (0..20).for_each(|step| animation_frames.land(step, Arc::clone(&large)));
        assert!(
            animation_frames.n_bytes <= AnimationFrames::ROOM && animation_frames.frames.len() >= 4,
            "{}",
            animation_frames.frames.len()
        );
        assert!((16..20).all(|step| animation_frames.frame(step).is_some()));
        assert_eq!(animation_frames.n_ahead(), 2);
        let sum: usize = animation_frames.frames.values().map(|list| list_bytes(list)).sum();
        assert_eq!(animation_frames.n_bytes, sum);
    }
}
