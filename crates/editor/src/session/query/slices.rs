//! A sliced search, which expands some nodes per update, as games do to spread a search over frames.

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    diagnostic::Phrase,
    navmesh::NavMesh,
    phrase,
    query::{
        Corridor, Filter, MeshPoint, NearestRequest, QueryError, Scratch, SlicedPath,
        SlicedRequest, SlicedState, StraightPathRequest, closest_point, nearest, straight_path,
    },
};
use walkable_workspace::text;

use super::{
    FactValue, Played, QueryAnswer, QueryFact, QueryInput, QueryResult, REACH, paths::length,
    refused, timed,
};

#[derive(Clone, Debug)]
pub struct Slices {
    search: SlicedPath,
    nodes_a_step: usize,
    n_nodes: usize,
    /// The best corridor so far; an error if a polygon no longer exists.
    corridor: Result<Corridor, QueryError>,
    line: Vec<Vec3>,
}

impl QueryInput<'_> {
    pub(super) fn sliced(&self, start: MeshPoint, end: Vec3) -> QueryAnswer {
        let near = NearestRequest { center: end, half_extents: REACH, filter: self.filter };
        let Some(end) = nearest(self.navmesh, &near)? else {
            return Ok(refused(phrase!("no navmesh near the end")));
        };
        let shortcuts = self.options.shortcuts;
        let request = SlicedRequest { shortcuts, ..SlicedRequest::new(start, end) };
        let search = SlicedPath::new(self.navmesh, &request, Scratch::traced())?;
        let (slices, time) = timed(|| {
            let nodes_a_step = self.options.nodes_a_step.max(1) as usize;
            Slices::ended(search, nodes_a_step, self.navmesh, self.filter)
        });
        let played = Played::Slices(Box::new(slices));
        Ok(QueryResult {
            facts: Vec::new(),
            picture: DrawList::default(),
            time,
            played,
            flow: None,
        })
    }
}

impl Slices {
    fn ended(search: SlicedPath, nodes_a_step: usize, navmesh: &NavMesh, filter: &Filter) -> Self {
        let (corridor, line) = (Ok(Corridor::default()), Vec::new());
        let mut slices = Self { search, nodes_a_step, n_nodes: usize::MAX, corridor, line };
        slices.show(None, navmesh, filter);
        slices.n_nodes = slices.search.n_expanded();
        slices
    }

    pub(super) fn n_steps(&self) -> usize {
        self.n_nodes.div_ceil(self.nodes_a_step)
    }

    /// Moves to this step; to the end for `None`.
    pub(super) fn show(&mut self, step: Option<usize>, navmesh: &NavMesh, filter: &Filter) {
        let wanted = step.map_or(self.n_nodes, |step| step.saturating_mul(self.nodes_a_step));
        self.corridor = self.search_until(wanted.min(self.n_nodes), navmesh, filter);
    }

    fn search_until(
        &mut self,
        n_nodes: usize,
        navmesh: &NavMesh,
        filter: &Filter,
    ) -> Result<Corridor, QueryError> {
        let search = &mut self.search;
        if n_nodes < search.n_expanded() {
            search.restart(navmesh, search.ends())?;
        }
        search.step(navmesh, filter, n_nodes - search.n_expanded())?;
        let corridor = search.corridor(navmesh, filter)?;
        let [start, end] = search.ends().map(|end| end.point);
        let target = match corridor.polys.last() {
            Some(&last) if !corridor.is_complete => closest_point(navmesh, last, end)?.point,
            _ => end,
        };
        let request = StraightPathRequest::new(start, target, &corridor.polys);
        let points = straight_path(navmesh, &request, &mut Scratch::default())?;
        self.line = points.iter().map(|point| point.position).collect();
        Ok(corridor)
    }

    pub(super) fn facts(&self) -> Vec<QueryFact> {
        let corridor = match &self.corridor {
            Ok(corridor) => corridor,
            Err(why) => {
                return vec![(text!("No answer"), Phrase::verbatim(why.to_string()).into())];
            }
        };
        let is_done = self.search.state() == SlicedState::Done;
        let state = match (is_done, corridor.is_complete) {
            (false, _) => phrase!("in progress"),
            (true, true) => phrase!("done: the end is reached"),
            (true, false) => phrase!("done: the end cannot be reached"),
        };
        let [_, end] = self.search.ends();
        let short = self.line.last().map_or(0.0, |last| last.distance(end.point));
        let (done, all) = (self.search.n_expanded(), self.n_nodes);
        let expanded = phrase!("{done} of {all}", done, all);
        vec![
            (text!("State"), state.into()),
            (text!("Expanded"), expanded.into()),
            (text!("Opened"), FactValue::Count(self.search.n_nodes().max(1))),
            (text!("Best path so far"), FactValue::Length(length(self.line.iter().copied()))),
            (text!("Short of the end"), FactValue::Length(short)),
            (text!("Cost of this path"), FactValue::Cost(corridor.cost)),
        ]
    }

    pub(super) fn picture(&self, navmesh: &NavMesh) -> DrawList {
        let mut picture = debug_draw::expanded(navmesh, self.search.expanded());
        for pair in self.line.windows(2) {
            picture.line([pair[0], pair[1]], 4.0, Paint::Path);
        }
        for &corner in self.line.iter().skip(1) {
            picture.point(corner, 8.0, Paint::Path);
        }
        picture
    }
}
