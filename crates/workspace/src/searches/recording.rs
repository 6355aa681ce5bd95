//! The recording of a search for playback.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    geom::Aabb,
    search::{SearchStep, StepKind, Watch},
};

/// Maximum number of recorded steps of one search.
const MAX_STEPS: usize = 600_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A cell of the ground: flat.
    Cell(Aabb),
    Voxel(Vec3),
    /// A cube of an octree, with its layer.
    Cube(Aabb, u32),
    /// A flat square of tiles, with its level.
    Square(Aabb, u32),
    /// A polygon: its entry point and its triangles.
    Polygon(Vec3, Box<[[Vec3; 3]]>),
}

impl Shape {
    /// Returns the point where lines to the node end.
    pub fn at(&self) -> Vec3 {
        match self {
            Self::Cell(bounds) | Self::Cube(bounds, _) | Self::Square(bounds, _) => bounds.center(),
            Self::Voxel(at) | Self::Polygon(at, _) => *at,
        }
    }
}

/// One step of a search. Nodes are numbered in the order in which they were met.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub kind: StepKind,
    pub node: u32,
    /// The node it was reached from.
    pub parent: Option<u32>,
    /// Cost so far, heuristic, and priority on the open list.
    pub costs: [f32; 3],
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The nodes, in the order in which they were met.
    pub nodes: Vec<Shape>,
    pub events: Vec<Event>,
    /// Index of each expansion in `events`.
    expansions: Vec<u32>,
    /// Size of the open list after each expansion; empty if the search does not report it.
    pub frontier: Vec<u32>,
    /// Whether the search had more steps than were recorded.
    pub is_cut: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeState {
    /// Not open, or only visited by a scan.
    #[default]
    Unknown,
    Open,
    Closed,
}

/// The state of a search after some expansions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayState {
    pub states: Vec<NodeState>,
    pub parents: Vec<Option<u32>>,
    /// Ends of scans that found nothing, each with its start.
    pub scans: Vec<[u32; 2]>,
    /// The node expanded last.
    pub current: Option<u32>,
}

impl Recording {
    /// Returns the number of expansions that can be played back.
    pub fn n_expansions(&self) -> usize {
        self.expansions.len()
    }

    /// Returns the step at which the expansion with this number, counted from 0, was done.
    pub fn expansion(&self, number: usize) -> Option<&Event> {
        self.events.get(*self.expansions.get(number)? as usize)
    }

    /// Returns the state of the search after `shown` expansions, including the nodes opened by the last one.
    pub fn state_after(&self, shown: usize) -> ReplayState {
        let end = self.expansions.get(shown).map_or(self.events.len(), |&event| event as usize);
        let n = self.nodes.len();
        let mut replay = ReplayState {
            states: vec![NodeState::Unknown; n],
            parents: vec![None; n],
            scans: Vec::new(),
            current: None,
        };
        for event in &self.events[..end] {
            let node = event.node as usize;
            match event.kind {
                StepKind::Opened | StepKind::Lowered => {
                    replay.states[node] = NodeState::Open;
                    replay.parents[node] = event.parent;
                }
                StepKind::Expanded => {
                    replay.states[node] = NodeState::Closed;
                    replay.parents[node] = event.parent;
                    replay.current = Some(event.node);
                }
                StepKind::Scanned => {
                    replay.scans.extend(event.parent.map(|parent| [parent, event.node]));
                }
            }
        }
        replay
    }
}

/// Records a search. `shape` returns the shape of a node.
pub struct Recorder<F> {
    recording: Recording,
    numbers: BTreeMap<u64, u32>,
    n_open: u32,
    says_open: bool,
    shape: F,
}

impl<F> std::fmt::Debug for Recorder<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("recording", &self.recording).finish_non_exhaustive()
    }
}

impl<F: Fn(u64) -> Shape> Recorder<F> {
    /// Creates an empty recording.
    pub fn new(shape: F) -> Self {
        Self {
            recording: Recording::default(),
            numbers: BTreeMap::new(),
            n_open: 0,
            says_open: false,
            shape,
        }
    }

    pub fn finish(mut self) -> Recording {
        if !self.says_open {
            self.recording.frontier.clear();
        }
        self.recording
    }

    fn number(&mut self, place: u64) -> u32 {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        // There are at most two nodes to each step.
        let number = u32::try_from(self.recording.nodes.len()).unwrap_or(u32::MAX);
        self.recording.nodes.push((self.shape)(place));
        self.numbers.insert(place, number);
        number
    }
}

impl<F: Fn(u64) -> Shape> Watch for Recorder<F> {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        if self.recording.events.len() >= MAX_STEPS {
            self.recording.is_cut = true;
            return;
        }
        let step = step();
        let parent = step.parent.map(|place| self.number(place));
        let node = self.number(step.place);
        match step.kind {
            StepKind::Opened => {
                self.n_open += 1;
                self.says_open |= self.n_open > 1;
            }
            StepKind::Expanded => {
                self.n_open = self.n_open.saturating_sub(1);
                let event = u32::try_from(self.recording.events.len()).unwrap_or(u32::MAX);
                self.recording.expansions.push(event);
                self.recording.frontier.push(0);
            }
            StepKind::Lowered | StepKind::Scanned => {}
        }
        if let Some(last) = self.recording.frontier.last_mut() {
            *last = self.n_open;
        }
        let costs = [step.g, step.h, step.f].map(narrowed);
        self.recording.events.push(Event { kind: step.kind, node, parent, costs });
    }
}

#[expect(clippy::cast_possible_truncation, reason = "costs are shown with three digits")]
fn narrowed(cost: f64) -> f32 {
    cost as f32
}

#[cfg(test)]
mod tests {
    use walkable::search::Side;

    use super::*;

    fn step(kind: StepKind, place: u64, parent: Option<u64>) -> SearchStep {
        SearchStep { kind, place, parent, side: Side::Start, g: 1.0, h: 2.0, f: 3.0 }
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "places are small")]
    fn the_state_of_a_search_follows_from_its_steps() {
        use NodeState::{Closed, Open, Unknown};
        use StepKind::{Expanded, Opened, Scanned};
        let mut recorder = Recorder::new(|place| Shape::Voxel(Vec3::X * place as f32));
        let steps = [
            step(Opened, 7, None),
            step(Expanded, 7, None),
            step(Opened, 8, Some(7)),
            step(Scanned, 12, Some(7)),
            step(Opened, 9, Some(7)),
            step(Expanded, 9, Some(7)),
        ];
        for told in steps {
            recorder.step(|| told);
        }
        let recording = recorder.finish();
        assert_eq!(recording.n_expansions(), 2);
        assert_eq!(recording.frontier, [2, 1], "after each expansion and what it opened");
        let states = |shown| recording.state_after(shown).states;
        assert_eq!(states(0), [Open, Unknown, Unknown, Unknown]);
        assert_eq!(states(1), [Closed, Open, Unknown, Open]);
        assert_eq!(states(2), [Closed, Open, Unknown, Closed]);
        let replay = recording.state_after(2);
        assert_eq!((replay.current, &replay.scans[..]), (Some(3), &[[0, 2]][..]));
        assert_eq!(replay.parents, [None, Some(0), None, Some(0)]);
        assert_eq!(recording.nodes[2].at(), Vec3::X * 12.0);
        assert_eq!(recording.expansion(1).map(|event| event.node), Some(3));
    }
}
