//! Proposes an off-mesh link across a break.

use walkable_bake::bake::{BakeError, BakeInput, BakePlan, OffMeshLink};
use walkable_runtime::{
    ids::AreaId,
    monitor::Monitor,
    navmesh::NavMesh,
    query::{NearestRequest, nearest},
};

use super::{RouteBreak, RouteQuestion};
use crate::explain::LinkFix;

/// Area and flags of a proposed link: those of a jump in RecastDemo.
const JUMP_AREA: AreaId = AreaId(5);
const JUMP_FLAGS: u16 = 8;
/// Maximum length of a proposed link, in meters.
const LONGEST: f32 = 12.0;
/// Maximum height difference between the ends of a proposed link, in meters.
const HIGHEST: f32 = 6.0;

/// Proposes a link across `found` with which the path of `question` reaches its end. The link was baked and verified.
/// Returns `None` if no link works.
///
/// # Errors
/// [`BakeError`] if the level cannot be baked with the link.
pub fn propose_link(
    plan: &BakePlan,
    (question, mesh): (&RouteQuestion<'_>, &NavMesh),
    found: &RouteBreak,
    monitor: &dyn Monitor,
) -> Result<Option<LinkFix>, BakeError> {
    let filter = question.request.filter;
    let radius = plan.input().settings.agent_radius.max(plan.params().cell_size);
    let on_mesh = |center| {
        let half_extents = question.request.half_extents;
        let found = nearest(mesh, &NearestRequest { center, half_extents, filter });
        found.ok().flatten().map(|end| end.point)
    };
    let [Some(start), Some(end)] = found.ends.map(on_mesh) else { return Ok(None) };
    let off = end - start;
    if off.with_y(0.0).length() > LONGEST || off.y.abs() > HIGHEST || off.length() < radius {
        return Ok(None);
    }
    let fix = LinkFix { start, end, radius, bidirectional: true };
    let mut input: BakeInput = plan.input().clone();
    let user_id =
        input.off_mesh.iter().map(|link| link.user_id.saturating_add(1)).max().unwrap_or(1000);
    input.off_mesh.push(OffMeshLink {
        start,
        end,
        radius,
        bidirectional: true,
        area: JUMP_AREA,
        flags: JUMP_FLAGS,
        user_id,
    });
    let Ok(plan) = plan.renewed(input) else { return Ok(None) };
    let (mesh, _) = question.bake(&plan, monitor)?;
    let path = (question.search)(&mesh, &question.request);
    Ok(path.is_ok_and(|path| question.is_answered(&path)).then_some(fix))
}
