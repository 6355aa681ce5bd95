//! The search lab: compares many searches between the same two places.

mod batch;
mod csv;
mod picture;
mod searcher;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

pub use batch::{Batch, BatchRow, Mismatch};
use glam::Vec3;
pub use searcher::Searcher;
use serde::{Deserialize, Serialize};
use walkable::{
    debug_draw::{DrawList, Paint},
    diagnostic::Phrase,
};
pub use walkable_workspace::searches::{
    Effort, Event, Medium, NodeState, Recording, ReplayState, Shape,
};
use walkable_workspace::{
    lang::tr,
    searches::{EstimateArg, Options, Sides},
};

use self::picture::Layer;
use super::{Replay, Session};

/// Sizes of the grids, voxels and flyers, and the heuristic of the searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabSettings {
    /// Side of a cell of grids and graphs, in meters.
    pub cell_size: f32,
    /// Side of a voxel, in meters.
    pub voxel_size: f32,
    /// Distance that flyers and swimmers keep from all obstacles, in meters.
    pub flyer_radius: f32,
    pub weight: f32,
    pub estimate: EstimateArg,
}

impl LabSettings {
    pub(crate) const fn sides(&self) -> Sides {
        let Self { cell_size: cell, voxel_size: voxel, flyer_radius, .. } = *self;
        Sides { cell, voxel, flyer_radius }
    }

    /// Options of the searches whose heuristic and weight are set here.
    pub fn options(&self) -> Options {
        Options::by(self.estimate, f64::from(self.weight))
    }
}

impl Default for LabSettings {
    fn default() -> Self {
        Self {
            cell_size: 0.3,
            voxel_size: 0.25,
            flyer_radius: 0.3,
            weight: 2.0,
            estimate: EstimateArg::Octile,
        }
    }
}

/// Result of A* on a grid with one heuristic weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    pub weight: f64,
    pub n_expanded: u64,
    /// Suboptimality: cost over the optimum, minus one.
    pub over: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRow {
    pub searcher: Searcher,
    /// Corners of the path; empty if there is none.
    pub points: Vec<Vec3>,
    /// Length of the path, in meters.
    pub length: f64,
    /// Cost of the path, and cost of the optimal path in the same search space, in meters.
    pub cost: Option<(f64, f64)>,
    /// Why there is no path, or only a partial one.
    pub why: Option<Phrase>,
    pub effort: Effort,
    pub time: Duration,
    /// Preprocessing time, if the lab built the search space.
    pub preprocessing_time: Option<Duration>,
    /// Memory of the search space, in bytes.
    pub n_bytes: usize,
    /// The search step by step.
    pub recording: Arc<Recording>,
}

impl LabRow {
    /// Returns the suboptimality: cost over the optimum, minus one; `None` without a complete path.
    pub fn over_optimum(&self) -> Option<f64> {
        let (cost, least) = self.cost.filter(|_| self.why.is_none())?;
        (least > 0.0).then(|| cost / least - 1.0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabTab {
    /// The table and the plots.
    #[default]
    Compare,
    /// One search or two, step by step.
    Playback,
    /// The effect of the heuristic weight.
    Weights,
    Scenario,
}

impl LabTab {
    pub const ALL: [Self; 4] = [Self::Compare, Self::Playback, Self::Weights, Self::Scenario];

    pub fn name(self) -> &'static str {
        match self {
            Self::Compare => tr!("Table"),
            Self::Playback => tr!("Playback"),
            Self::Weights => tr!("Weights"),
            Self::Scenario => tr!("Scenario"),
        }
    }

    /// Returns what it shows, in one sentence.
    pub fn what(self) -> &'static str {
        match self {
            Self::Compare => tr!("All searches in a table and in plots"),
            Self::Playback => tr!("One search step by step, or two in parallel"),
            Self::Weights => {
                tr!("From Dijkstra over A* to greedy search: the effect of the heuristic weight")
            }
            Self::Scenario => {
                tr!("All queries of a Moving AI scenario, compared with its path lengths")
            }
        }
    }
}

/// The quantity in the plot of all searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    #[default]
    Expanded,
    Length,
    Time,
    /// Memory of the search space.
    Memory,
    /// Maximum number of open nodes.
    OpenPeak,
}

impl Measure {
    pub const ALL: [Self; 5] =
        [Self::Expanded, Self::Length, Self::Time, Self::Memory, Self::OpenPeak];

    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => tr!("Nodes"),
            Self::Length => tr!("Length"),
            Self::Time => tr!("Time"),
            Self::Memory => tr!("Memory"),
            Self::OpenPeak => tr!("Open peak"),
        }
    }
}

/// How fast searches are played back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// One node after the other.
    Slow,
    /// A whole search in some seconds.
    #[default]
    Usual,
    /// Four times as fast.
    Fast,
}

impl Speed {
    pub const ALL: [Self; 3] = [Self::Slow, Self::Usual, Self::Fast];

    pub fn name(self) -> &'static str {
        match self {
            Self::Slow => tr!("One by one"),
            Self::Usual => tr!("Normal speed"),
            Self::Fast => tr!("Fast"),
        }
    }
}

/// What the searches answer: equal questions have equal answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabQuestion {
    pub ends: [Vec3; 2],
    pub navmesh: u64,
}

#[derive(Clone, Debug)]
pub struct LabState {
    pub settings: LabSettings,
    pub wanted: BTreeSet<Searcher>,
    pub rows: Vec<LabRow>,
    /// Why the comparison could not start.
    pub error: Option<Phrase>,
    /// The search spaces that could not be built, and why.
    pub refused: Vec<(Medium, Phrase)>,
    /// Whether it is repeated when an end or the navmesh changes.
    pub is_live: bool,
    pub compared: Option<LabQuestion>,
    /// Whether nothing is drawn because the panel is not visible.
    pub is_hidden: bool,
    /// The row that is drawn.
    pub chosen: Option<Searcher>,
    /// The second row that is drawn, for comparison.
    pub other: Option<Searcher>,
    /// Whether two rows are drawn in one view; otherwise side by side.
    pub is_overlaid: bool,
    /// How far the searches are played back.
    pub replay: Replay,
    pub speed: Speed,
    pub tab: LabTab,
    pub measure: Measure,
    /// Results of A* on the grid with several heuristic weights.
    pub sweep: Vec<SweepPoint>,
    /// The question and settings of the latest sweep.
    pub swept: Option<(LabQuestion, LabSettings)>,
    pub batch: Batch,
    /// Revision of the results, for render caches.
    pub serial: u64,
}

impl Default for LabState {
    fn default() -> Self {
        Self {
            settings: LabSettings::default(),
            wanted: Searcher::ALL.iter().copied().filter(|searcher| searcher.is_usual()).collect(),
            rows: Vec::new(),
            error: None,
            is_hidden: false,
            refused: Vec::new(),
            is_live: true,
            compared: None,
            chosen: None,
            other: None,
            is_overlaid: false,
            replay: Replay::default(),
            speed: Speed::default(),
            tab: LabTab::default(),
            measure: Measure::default(),
            sweep: Vec::new(),
            swept: None,
            batch: Batch::default(),
            serial: 0,
        }
    }
}

impl Session {
    /// Returns what the lab's searches would answer now; `None` without both ends of a path.
    pub fn lab_question(&self) -> Option<LabQuestion> {
        Some(LabQuestion { ends: self.path.ends()?, navmesh: self.bake.navmesh_serial })
    }
}

impl LabState {
    pub fn land(&mut self, row: LabRow) {
        self.rows.retain(|old| old.searcher != row.searcher);
        self.rows.push(row);
        self.rows.sort_by_key(|row| row.searcher);
        self.serial += 1;
    }

    /// Clears the results, but not the selected rows.
    pub fn forget(&mut self) {
        self.rows.clear();
        self.refused.clear();
        self.error = None;
        self.replay = Replay::default();
        self.serial += 1;
    }

    /// Returns whether the results are those of another question than the current one.
    pub fn is_stale(&self, current: Option<LabQuestion>) -> bool {
        self.compared.is_some() && current.is_some() && self.compared != current
    }

    /// Returns whether a live comparison is due.
    pub fn is_due(&self, current: Option<LabQuestion>) -> bool {
        self.is_stale(current) && self.is_live && !self.is_hidden && self.tab != LabTab::Weights
    }

    pub fn forget_level(&mut self) {
        self.forget();
        (self.sweep, self.batch) = (Vec::new(), Batch::default());
        (self.swept, self.compared) = (None, None);
    }

    /// Returns the question and settings of the sweep over weights that is due, if one is.
    pub fn sweep_due(&self, current: Option<LabQuestion>) -> Option<(LabQuestion, LabSettings)> {
        let due = (current?, self.settings);
        (self.tab == LabTab::Weights && self.swept != Some(due)).then_some(due)
    }

    /// Selects the rows to draw; the second is never the same as the first.
    pub fn choose(&mut self, chosen: Option<Searcher>, other: Option<Searcher>) {
        (self.chosen, self.other) = (chosen, other.filter(|_| chosen.is_some() && other != chosen));
        self.replay = Replay::default();
        self.serial += 1;
    }

    pub fn row(&self, searcher: Option<Searcher>) -> Option<&LabRow> {
        self.rows.iter().find(|row| Some(row.searcher) == searcher)
    }

    /// Returns the rows whose searches are drawn: one, or two to be compared; none while the panel is not visible.
    pub fn drawn(&self) -> impl Iterator<Item = &LabRow> {
        let wanted = [self.chosen, self.other].into_iter().filter(|_| !self.is_hidden);
        wanted.filter_map(|searcher| self.row(searcher))
    }

    /// Returns the number of expansions of the longest search that is drawn.
    pub fn n_steps(&self) -> usize {
        self.drawn().map(|row| row.recording.n_expansions()).max().unwrap_or(0)
    }

    pub fn play_on(&mut self) {
        let n = self.n_steps();
        self.replay = match self.speed {
            Speed::Slow => self.replay.later_by(n, 1),
            Speed::Usual => self.replay.later(n),
            Speed::Fast => self.replay.later_by(n, n.div_ceil(75).max(4)),
        };
    }

    /// Returns whether the view is split between two searches.
    pub fn is_split(&self) -> bool {
        !self.is_overlaid && self.drawn().count() > 1
    }

    /// Draws two searches side by side, or overlaid.
    pub fn toggle_overlaid(&mut self) {
        self.is_overlaid = !self.is_overlaid;
        self.serial += 1;
    }

    /// Returns the number of nodes of `row` that are shown as expanded.
    pub fn shown(&self, row: &LabRow) -> usize {
        let n = row.recording.n_expansions();
        self.replay.step.unwrap_or(n).min(n)
    }

    /// Draws all paths in one picture, or the selected searches up to the current step of the playback, in one
    /// picture or one each.
    pub fn pictures(&self) -> Vec<Arc<DrawList>> {
        if self.row(self.chosen).is_none() {
            let mut list = DrawList::default();
            for row in &self.rows {
                picture::path(&mut list, &row.points, 2.0, Paint::Hue(row.searcher as u32));
            }
            return vec![Arc::new(list)];
        }
        let mut pictures = Vec::new();
        for (number, row) in (0..).zip(self.drawn()) {
            let (mut list, shown) = (DrawList::default(), self.shown(row));
            let is_over = number > 0 && self.is_overlaid;
            let layer = if is_over { Layer::Over } else { Layer::Ground };
            picture::search(&mut list, &row.recording, shown, (number, layer));
            if shown == row.recording.n_expansions() {
                let paint = if is_over { Paint::Frontier(number) } else { Paint::Path };
                picture::path(&mut list, &row.points, 4.0, paint);
            }
            if let ([start, .., end], false) = (&row.points[..], is_over) {
                list.point(*start, 16.0, Paint::Start);
                list.point(*end, 16.0, Paint::End);
            }
            match pictures.first_mut() {
                Some(first) if is_over => DrawList::append(first, list),
                _ => pictures.push(list),
            }
        }
        pictures.into_iter().map(Arc::new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lab_row;

    #[test]
    fn rows_are_in_order_and_newer_ones_replace_older_ones() {
        let mut lab = LabState::default();
        for (searcher, length) in
            [(Searcher::Flight, 3.0), (Searcher::Detour, 5.0), (Searcher::Flight, 4.0)]
        {
            lab.land(lab_row(searcher, length));
        }
        let found: Vec<_> = lab.rows.iter().map(|row| (row.searcher, row.length)).collect();
        assert_eq!(found, [(Searcher::Detour, 5.0), (Searcher::Flight, 4.0)]);
        assert_eq!(lab.pictures()[0].lines.len(), 2);
        let over: Vec<_> = lab.rows.iter().map(LabRow::over_optimum).collect();
        assert_eq!(over, [Some(0.25), Some(0.0)]);
    }

    #[test]
    fn a_comparison_is_repeated_if_an_end_or_the_navmesh_has_changed() {
        let question = |end, navmesh| Some(LabQuestion { ends: [Vec3::ZERO, end], navmesh });
        let first = question(Vec3::X, 1);
        let mut lab = LabState::default();
        assert!(!lab.is_due(first), "nothing was compared yet");
        lab.compared = first;
        assert!(!lab.is_due(first) && !lab.is_due(None));
        let changed = [question(Vec3::Y, 1), question(Vec3::X, 2)];
        assert_eq!(changed.map(|question| lab.is_due(question)), [true; 2]);
        lab.is_live = false;
        assert_eq!(changed.map(|question| lab.is_due(question)), [false; 2]);
        assert_eq!(changed.map(|question| lab.is_stale(question)), [true; 2]);
    }

    #[test]
    fn two_searches_are_drawn_in_step() {
        let mut lab = LabState::default();
        lab.land(lab_row(Searcher::Jps, 3.0));
        lab.land(lab_row(Searcher::Theta, 3.0));
        lab.choose(Some(Searcher::Jps), Some(Searcher::Jps));
        assert_eq!(lab.other, None, "one search is not two");
        assert_eq!(lab.n_steps(), 3);
        let n_triangles = |lab: &LabState| -> Vec<usize> {
            lab.pictures().iter().map(|picture| picture.triangles.len()).collect()
        };
        let [alone] = n_triangles(&lab)[..] else { panic!("one picture") };
        assert!(!lab.is_split());
        lab.choose(Some(Searcher::Jps), Some(Searcher::Theta));
        assert!(lab.is_split());
        assert_eq!(n_triangles(&lab), [alone, alone], "side by side");
        let serial = lab.serial;
        lab.toggle_overlaid();
        assert!(!lab.is_split() && lab.serial != serial, "it is drawn anew");
        assert_eq!(n_triangles(&lab), [2 * alone]);
        lab.replay = Replay::at(0);
        assert!(n_triangles(&lab)[0] < 2 * alone);
        assert!(lab.pictures()[0].lines.len() < 4, "no path yet");
    }

    #[test]
    fn playing_ends_with_the_outcome_at_every_speed() {
        for speed in Speed::ALL {
            let mut lab = LabState { speed, ..LabState::default() };
            lab.land(lab_row(Searcher::Jps, 3.0));
            lab.choose(Some(Searcher::Jps), None);
            lab.replay = lab.replay.toggled(lab.n_steps());
            for _ in 0..3 {
                lab.play_on();
            }
            assert_eq!(lab.replay, Replay::default(), "{speed:?}");
        }
    }
}
