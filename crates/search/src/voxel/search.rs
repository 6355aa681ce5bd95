//! A* over sparsely numbered places: voxels, spans, cells.

use walkable_runtime::search::{MinQueue, SearchStats, SearchStep, Side, StepKind, Watch, is_over};

use super::place_map::PlaceMap;

/// Cost of a path, in units of 2^-20 voxels.
pub(super) type Cost = u64;

pub(super) const ONE: Cost = 1 << 20;

/// Converts a cost to voxels.
#[expect(clippy::cast_precision_loss, reason = "costs of paths are below 2^52")]
pub(super) fn in_voxels(cost: Cost) -> f64 {
    cost as f64 / ONE as f64
}

/// Converts a length in voxels to a cost, rounded down.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "such casts saturate"
)]
pub(super) fn from_voxels(length: f64) -> Cost {
    ((length * ONE as f64) as Cost).min(1 << 60)
}

/// State of a place that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<T> {
    pub(super) place: u64,
    pub(super) g: Cost,
    /// Index of the parent node; the node itself for the start.
    pub(super) parent: u32,
    pub(super) is_closed: bool,
    /// Data that the space stores about the entry to the place.
    pub(super) entry: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpenEntry {
    pub(super) f: Cost,
    pub(super) h: Cost,
    pub(super) node: u32,
}

/// A space to search for a path.
pub(super) trait Space {
    /// Data stored about the entry to a place.
    type Entry: Copy;

    /// Calls `each` with the places one step away, the cost of the step, and the data to store.
    fn steps(&self, from: &Node<Self::Entry>, each: impl FnMut(u64, Cost, Self::Entry));

    /// Returns the heuristic: an estimate of the remaining cost.
    fn estimate(&self, place: u64, entry: Self::Entry) -> Cost;
}

/// Reusable memory of a search, and its watcher.
pub(super) struct Work<'a, T, W> {
    pub(super) places: &'a mut PlaceMap,
    pub(super) nodes: &'a mut Vec<Node<T>>,
    pub(super) open: &'a mut MinQueue<OpenEntry>,
    pub(super) watch: &'a mut W,
}

/// Finds a path from `start` to `goal`. Returns its nodes, if there is a path, and the counters of the search. Each
/// node is expanded at most once.
pub(super) fn find<S: Space, W: Watch>(
    space: &S,
    (start, entry): (u64, S::Entry),
    goal: u64,
    weight: f64,
    work: Work<'_, S::Entry, W>,
) -> (Option<Vec<Node<S::Entry>>>, SearchStats) {
    let weight = Some(weight).filter(|&weight| weight > 1.0);
    work.places.clear();
    work.nodes.clear();
    work.open.clear();
    let mut search = BestFirstSearch { space, weight, n_expanded: 0, work };
    search.reach(start, 0, None, entry);
    let goal = search.run(goal);
    let path = goal.map(|goal| search.way_to(goal));
    let stats = SearchStats {
        n_expanded: search.n_expanded,
        n_opened: search.work.open.n_pushed(),
        open_peak: search.work.open.peak(),
    };
    (path, stats)
}

struct BestFirstSearch<'a, S: Space, W> {
    space: &'a S,
    weight: Option<f64>,
    n_expanded: u64,
    work: Work<'a, S::Entry, W>,
}

impl<S: Space, W: Watch> BestFirstSearch<'_, S, W> {
    fn run(&mut self, goal: u64) -> Option<u32> {
        while let Some(entry) = self.work.open.pop() {
            let node = &mut self.work.nodes[entry.node as usize];
            if std::mem::replace(&mut node.is_closed, true) {
                continue;
            }
            let node = *node;
            self.report_step(StepKind::Expanded, entry);
            if node.place == goal {
                return Some(entry.node);
            }
            if is_over(self.work.watch, self.n_expanded) {
                return None;
            }
            self.n_expanded += 1;
            let space = self.space;
            space.steps(&node, |place, cost, kept| {
                self.reach(place, node.g + cost, Some(entry.node), kept);
            });
        }
        None
    }

    fn reach(&mut self, place: u64, g: Cost, parent: Option<u32>, entry: S::Entry) {
        let (number, is_new) = self.work.places.find_or_add(place);
        let parent = parent.unwrap_or(number);
        let node = Node { place, g, parent, is_closed: false, entry };
        if is_new {
            self.work.nodes.push(node);
        } else {
            let known = &mut self.work.nodes[number as usize];
            if known.is_closed || known.g <= g {
                return;
            }
            *known = node;
        }
        let h = self.space.estimate(place, entry);
        let weighted = self.weight.map_or(h, |weight| from_voxels(in_voxels(h) * weight));
        let entry = OpenEntry { f: g + weighted, h, node: number };
        self.work.open.push(entry);
        self.report_step(if is_new { StepKind::Opened } else { StepKind::Lowered }, entry);
    }

    fn way_to(&self, goal: u32) -> Vec<Node<S::Entry>> {
        let mut way = vec![self.work.nodes[goal as usize]];
        let mut at = goal;
        while self.work.nodes[at as usize].parent != at {
            at = self.work.nodes[at as usize].parent;
            way.push(self.work.nodes[at as usize]);
        }
        way.reverse();
        way
    }

    fn report_step(&mut self, kind: StepKind, entry: OpenEntry) {
        let nodes = &*self.work.nodes;
        self.work.watch.step(|| {
            let node = &nodes[entry.node as usize];
            SearchStep {
                kind,
                place: node.place,
                parent: Some(node.parent)
                    .filter(|&parent| parent != entry.node)
                    .map(|parent| nodes[parent as usize].place),
                side: Side::Start,
                g: in_voxels(node.g),
                h: in_voxels(entry.h),
                f: in_voxels(entry.f),
            }
        });
    }
}
