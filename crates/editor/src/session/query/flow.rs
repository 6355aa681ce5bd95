//! The flow field: the cheapest paths from everywhere to a goal.

use glam::Vec3;
use walkable::{
    debug_draw::{self, FlowExtent},
    navmesh::NavMesh,
    query::{Filter, FlowField, FlowFieldRequest, MeshPoint, NearestRequest, flow_field, nearest},
};
use walkable_workspace::{format, lang::tr, text};

use super::{FactValue, Played, QueryAnswer, QueryInput, QueryResult, REACH, Session, timed};

#[derive(Clone, Debug)]
pub struct QueryFlow {
    field: FlowField,
    pub extent: FlowExtent,
}

impl QueryFlow {
    /// Returns the cost of the path from a place to the goal; `None` if there is none.
    fn cost(&self, navmesh: &NavMesh, filter: &Filter, center: Vec3) -> Option<f32> {
        let request = NearestRequest { center, half_extents: REACH, filter };
        let at = nearest(navmesh, &request).ok().flatten()?;
        self.field.cost(navmesh, at)
    }
}

impl QueryInput<'_> {
    pub(super) fn flow(&self, goal: MeshPoint) -> QueryAnswer {
        let request = FlowFieldRequest::new(goal, self.filter);
        let (field, time) = timed(|| flow_field(self.navmesh, &request));
        let field = field?;
        let picture = debug_draw::flow_field(self.navmesh, &field);
        let extent = FlowExtent::of(self.navmesh, &field);
        let facts = vec![
            (text!("Polygons with a way"), FactValue::Count(extent.n_leading)),
            (text!("Without a way"), FactValue::Count(extent.n_cut_off)),
            (text!("Highest cost"), FactValue::Cost(extent.highest_cost)),
        ];
        let flow = Some(Box::new(QueryFlow { field, extent }));
        Ok(QueryResult { facts, picture, time, flow, played: Played::Nothing })
    }
}

impl Session {
    pub fn shown_flow(&self) -> Option<&QueryFlow> {
        let answer = self.tools.query_tool.answer.as_ref().filter(|_| self.shows_query());
        answer?.flow.as_deref()
    }

    /// Returns the point under the pointer, and the cost of the path from there to the goal of the drawn flow field.
    pub fn hovered_flow(&self) -> Option<(Vec3, String)> {
        let (flow, hover) = (self.shown_flow()?, self.tools.hover?);
        let cost = flow.cost(self.bake.navmesh.as_deref()?, &self.path.filter, hover.point);
        let cost = cost.map(|cost| tr!("cost {}", format::number(cost.into())));
        Some((hover.point, cost.unwrap_or_else(|| tr!("no way to the goal").to_owned())))
    }
}
