//! The position of the playback of a search.

/// Maximum number of clock steps for a whole search.
const LONGEST: usize = 300;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Number of expanded nodes; `None` if the result of the search is shown.
    pub step: Option<usize>,
    pub playing: bool,
}

impl Replay {
    /// Returns the position after `step` nodes, paused.
    pub const fn at(step: usize) -> Self {
        Self { step: Some(step), playing: false }
    }

    /// Starts the playback, from the beginning if all `n_nodes` nodes are shown, or pauses it.
    #[must_use]
    pub fn toggled(self, n_nodes: usize) -> Self {
        if n_nodes == 0 {
            return Self::default();
        }
        let at_end = self.step.is_none_or(|step| step >= n_nodes);
        let step = if at_end && !self.playing { 0 } else { self.step.unwrap_or(n_nodes) };
        Self { step: Some(step), playing: !self.playing }
    }

    /// Returns the position one step later, paused. After the result and the last step, the first step follows.
    #[must_use]
    pub fn stepped_on(self, n_steps: usize) -> Self {
        let shown = self.step.filter(|&step| step < n_steps).unwrap_or(0);
        if n_steps == 0 { Self::default() } else { Self::at(shown + 1) }
    }

    #[must_use]
    pub fn stepped_back(self, n_steps: usize) -> Self {
        let shown = self.step.unwrap_or(n_steps).min(n_steps);
        if n_steps == 0 { Self::default() } else { Self::at(shown.saturating_sub(1)) }
    }

    /// Returns the position one clock step later: one node, or more nodes for a long search. At the end, the playback
    /// stops and shows the result.
    #[must_use]
    pub fn later(self, n_nodes: usize) -> Self {
        self.later_by(n_nodes, Self::stride(n_nodes))
    }

    /// Returns the number of nodes per clock step of a search of `n_nodes`.
    pub fn stride(n_nodes: usize) -> usize {
        n_nodes.div_ceil(LONGEST).max(1)
    }

    /// Returns the position `n` nodes later. At the end, the playback stops and shows the result.
    #[must_use]
    pub fn later_by(self, n_nodes: usize, n: usize) -> Self {
        let step = self.step.unwrap_or(0) + n;
        if step >= n_nodes { Self::default() } else { Self { step: Some(step), ..self } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_plays_from_the_beginning_to_its_outcome() {
        let mut replay = Replay::default().toggled(5);
        assert_eq!(replay, Replay { step: Some(0), playing: true });
        for step in 1..5 {
            replay = replay.later(5);
            assert_eq!(replay.step, Some(step));
        }
        assert_eq!(replay.later(5), Replay::default());
    }

    #[test]
    fn a_paused_playback_continues_where_it_stopped() {
        let paused = Replay { step: Some(3), playing: true }.toggled(9);
        assert_eq!(paused, Replay::at(3));
        assert_eq!(paused.toggled(9), Replay { step: Some(3), playing: true });
        assert_eq!(Replay::default().toggled(0), Replay::default());
    }

    #[test]
    fn single_steps_wrap_around() {
        let mut replay = Replay::default();
        for step in [1, 2, 3, 1] {
            replay = replay.stepped_on(3);
            assert_eq!(replay, Replay::at(step));
        }
        assert_eq!(replay.stepped_back(3), Replay::at(0));
        assert_eq!(Replay::default().stepped_back(3), Replay::at(2));
        assert_eq!(Replay::default().stepped_on(0), Replay::default());
        assert_eq!(Replay::default().stepped_back(0), Replay::default());
    }

    #[test]
    fn a_long_search_ends_in_time() {
        let mut replay = Replay::default().toggled(65_535);
        let mut n_steps = 0;
        while replay.playing {
            replay = replay.later(65_535);
            n_steps += 1;
        }
        assert!(n_steps <= LONGEST, "{n_steps}");
    }
}
