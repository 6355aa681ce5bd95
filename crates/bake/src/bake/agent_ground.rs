//! The ground of several agents: which of it is open to which of them.
//!
//! The ground of each agent is found as in a bake for that agent alone. Ground in the same area that is open to the same
//! agents is then one class, and the later stages keep classes apart like areas. A polygon's class becomes its area and
//! its flags, with a bit for each agent to which the polygon is open.

use walkable_runtime::{
    diagnostic::{Diagnostic, Finding},
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    BakePlan, BakeSettings, BakedAgent, CompactField, GridFrame, Heightfield, RawArea, VoxelParams,
    adjacency::{EitherLinks, Links, SpanIndex},
    bound::keep_within,
    class::{Clash, Classes},
    compact::{self, Compacted},
    erode::BorderDistances,
    filter::{self, SpanFilter},
    limit::StageError,
    mark::mark_volume,
    median::median,
    pulse::Pulse,
    rasterize::{Merging, Surface, rasterize_for},
    slope::mark_slopes,
    voxel_params::meters,
};

/// The ground of all agents of a tile.
pub(super) struct AgentGround {
    /// The open spans of all agents, linked for the smallest height and the highest climb.
    pub(super) field: CompactField,
    /// The class of each span.
    pub(super) areas: Vec<RawArea>,
    pub(super) classes: Classes,
    pub(super) warnings: Vec<Diagnostic>,
}

/// An agent of a bake with its settings in cells.
struct Member<'a> {
    agent: &'a BakedAgent,
    params: VoxelParams,
}

/// Which of the solid spans are open to which agents.
struct OpenTo {
    /// Whether a span is open to any agent before erosion.
    is_floor: Vec<bool>,
    /// Flags of the agents to which a span is open after erosion.
    agents: Vec<u16>,
    /// Area of the spans that are open to an agent.
    areas: Vec<RawArea>,
}

/// The open spans of agents of the same height, climb and slope, and the solid spans to which they belong.
struct Floors {
    compacted: Compacted,
    solid: Vec<u32>,
}

/// The flag of the agent in the settings, if there are no others.
const OWN_FLAG: u16 = 1;

/// Finds the ground of all agents in the tile at `coord`.
pub(super) fn ground(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<AgentGround, StageError> {
    let settings = &plan.input().settings;
    let own = [BakedAgent::new(settings, OWN_FLAG)];
    let agents = &plan.input().agents;
    let agents = if agents.is_empty() { &own } else { &agents[..] };
    let members = agents.iter().map(|agent| {
        let params = VoxelParams::new(&agent.alone(settings));
        Member { agent, params: params.expect("the plan checked the agents") }
    });
    let mut members: Vec<_> = members.collect();
    members.sort_by_key(Member::slope_climb_and_height);
    let (solids, mut warnings) = rasterized(plan, coord, &members, monitor)?;
    let n_solid = solids[0].spans.len();
    let mut open_to = OpenTo {
        is_floor: vec![false; n_solid],
        agents: vec![0; n_solid],
        areas: vec![RawArea::NULL; n_solid],
    };
    let mut all_floors = Vec::new();
    for (solid, of_solid) in solids.iter().zip(members.chunk_by(Member::has_solid_of)) {
        for alike in of_solid.chunk_by(Member::has_floors_of) {
            let floors = floors_for(solid, alike[0].params, settings, monitor)?;
            add_open_ground(plan, &floors, alike, &mut open_to, monitor)?;
            let flags = alike.iter().fold(0, |flags, member| flags | member.agent.flag);
            all_floors.push((floors, flags));
        }
    }
    let lost: usize = all_floors.iter().map(|(floors, _)| floors.compacted.n_lost_links).sum();
    if lost > 0 {
        let limit = u32::from(CompactField::NO_LINK) - 1;
        warnings.push(Finding::NeighborFloorTooHigh { n: lost, limit }.into());
    }
    let (field, solid) = common_floors(all_floors, &solids[0], &open_to, &members, monitor)?;
    let mut classes = Classes::default();
    let mut areas = Vec::with_capacity(solid.len());
    for span in solid {
        let span = span as usize;
        areas.push(classes.number(open_to.areas[span], open_to.agents[span])?);
    }
    Ok(AgentGround { field, areas, classes, warnings })
}

impl Member<'_> {
    fn slope_climb_and_height(&self) -> (u32, u32, u32) {
        let VoxelParams { walkable_climb_vx, walkable_height_vx, .. } = self.params;
        (self.agent.max_slope.to_bits(), walkable_climb_vx, walkable_height_vx)
    }

    /// Returns whether the areas of solid spans are the same as those of `other`.
    fn has_solid_of(&self, other: &Self) -> bool {
        let [(slope, climb_vx, _), other] = [self, other].map(Member::slope_climb_and_height);
        (slope, climb_vx) == (other.0, other.1)
    }

    /// Returns whether the open spans before erosion are the same as those of `other`.
    fn has_floors_of(&self, other: &Self) -> bool {
        self.slope_climb_and_height() == other.slope_climb_and_height()
    }
}

/// Rasterizes the triangles once. Returns the solid spans for each slope and climb, in the order of `members`, which is by
/// slope and climb.
fn rasterized(
    plan: &BakePlan,
    coord: TileCoord,
    members: &[Member<'_>],
    monitor: &dyn Monitor,
) -> Result<(Vec<Heightfield>, Vec<Diagnostic>), StageError> {
    let input = plan.input();
    let mut slopes: Vec<f32> = members.iter().map(|member| member.agent.max_slope).collect();
    slopes.sort_by(|a, b| b.total_cmp(a));
    slopes.dedup();
    let triangles = plan.tile_triangles(coord);
    let mut surfaces = vec![Surface { area: RawArea::NULL, steepness: 0 }; triangles.len()];
    // From the steepest slope on, so that a triangle has its area from the first slope that it is walkable at.
    for &limit_deg in &slopes {
        let mut marked = mark_slopes(&input.mesh, triangles.clone(), limit_deg, monitor)?;
        plan.part_uses().paint(&mut marked);
        for (surface, area) in surfaces.iter_mut().zip(marked.areas) {
            if area.is_walkable() {
                surface.area = area;
                surface.steepness += 1;
            }
        }
    }
    let n_slopes = u8::try_from(slopes.len()).unwrap_or(u8::MAX);
    for surface in &mut surfaces {
        surface.steepness = n_slopes - surface.steepness;
    }
    let merging = members.chunk_by(Member::has_solid_of).map(|alike| {
        let Member { agent, params } = &alike[0];
        let rank = slopes.iter().take_while(|slope| **slope > agent.max_slope).count();
        // A triangle of steepness 0 is walkable at all slopes, the last of which is the gentlest.
        let max_steepness = n_slopes.saturating_sub(1 + u8::try_from(rank).unwrap_or(0));
        Merging { merge_vx: params.walkable_climb_vx, max_steepness }
    });
    let merging: Vec<_> = merging.collect();
    let frame = plan.tile_frame(coord);
    let all = triangles.into_iter().zip(surfaces);
    let mut warnings = Vec::new();
    let mut solids = Vec::new();
    for (field, n_raised) in rasterize_for(&input.mesh, all, frame, &merging, monitor)? {
        if n_raised > 0 && warnings.is_empty() {
            warnings.push(Finding::AreaFromBelow { n: n_raised }.into());
        }
        solids.push(keep_within(field, &input.bounds, monitor)?);
    }
    Ok((solids, warnings))
}

/// Returns the open spans for agents of the same height and climb.
fn floors_for(
    solid: &Heightfield,
    VoxelParams { walkable_height_vx, walkable_climb_vx, .. }: VoxelParams,
    settings: &BakeSettings,
    monitor: &dyn Monitor,
) -> Result<Floors, Cancelled> {
    let filters = SpanFilter::enabled(settings).collect();
    let agent = [walkable_height_vx, walkable_climb_vx];
    let filtered = filter::apply(solid.clone(), filters, agent, monitor)?;
    let open = compact::open(&filtered, walkable_height_vx, walkable_climb_vx, monitor)?;
    let of_span = (0..).zip(&filtered.spans).filter(|(_, span)| span.area.is_walkable());
    let solid = of_span.map(|(index, _)| index).collect();
    Ok(Floors { compacted: compact::link(open, monitor)?, solid })
}

/// Erodes and marks the ground for each of the agents that share `floors`, and records what is open to it.
fn add_open_ground(
    plan: &BakePlan,
    floors: &Floors,
    alike: &[Member<'_>],
    open_to: &mut OpenTo,
    monitor: &dyn Monitor,
) -> Result<(), StageError> {
    let input = plan.input();
    let Compacted { field, areas: before, .. } = &floors.compacted;
    for &span in &floors.solid {
        open_to.is_floor[span as usize] = true;
    }
    let distances = BorderDistances::measure(before, &field.adjacency, monitor)?;
    for Member { agent, params } in alike {
        let mut areas = distances.erode(before.clone(), params.walkable_radius_vx, monitor)?;
        for volume in &input.volumes {
            mark_volume(field, &mut areas, volume, agent.radius, monitor)?;
        }
        if input.settings.filter_median {
            areas = median(&areas, &field.adjacency, monitor)?;
        }
        remove_small_islands(field, &mut areas, params.min_region_area_vx, monitor)?;
        for (&span, area) in floors.solid.iter().zip(areas) {
            if !area.is_walkable() {
                continue;
            }
            let span = span as usize;
            if open_to.agents[span] != 0 && open_to.areas[span] != area {
                return Err(Clash::Areas.into());
            }
            open_to.areas[span] = area;
            open_to.agents[span] |= agent.flag;
        }
    }
    Ok(())
}

/// Returns the floors of all agents, linked for all of them, with the solid span of each.
fn common_floors(
    mut all: Vec<(Floors, u16)>,
    solid: &Heightfield,
    open_to: &OpenTo,
    members: &[Member<'_>],
    monitor: &dyn Monitor,
) -> Result<(CompactField, Vec<u32>), StageError> {
    let params = || members.iter().map(|member| &member.params);
    let max_height_vx = params().map(|it| it.walkable_height_vx).max().unwrap_or_default();
    if all.len() == 1
        && let Some((Floors { compacted, solid }, _)) = all.pop()
    {
        return Ok((compacted.field, solid));
    }
    let mut union = solid.clone();
    for (span, &is_floor) in union.spans.iter_mut().zip(&open_to.is_floor) {
        span.area = if is_floor { RawArea::WALKABLE } else { RawArea::NULL };
    }
    let height_vx = params().map(|it| it.walkable_height_vx).min().unwrap_or_default();
    let climb_vx = params().map(|it| it.walkable_climb_vx).max().unwrap_or_default();
    let open = compact::open(&union, height_vx, climb_vx, monitor)?;
    let Compacted { mut field, .. } = compact::link(open, monitor)?;
    let higher = meters(max_height_vx - height_vx, field.frame.cell_height);
    field.frame.bounds.max.y += higher;
    let floors = (0..).zip(&open_to.is_floor).filter(|(_, is_floor)| **is_floor);
    let solid: Vec<u32> = floors.map(|(span, _)| span).collect();
    for (floors, flags) in &all {
        check_steps(&field, &solid, floors, *flags, open_to, monitor)?;
    }
    Ok((field, solid))
}

/// Checks that from ground that is open to the agents with these flags, steps in the common field lead where they lead for
/// these agents alone.
fn check_steps(
    field: &CompactField,
    solid: &[u32],
    floors: &Floors,
    flags: u16,
    open_to: &OpenTo,
    monitor: &dyn Monitor,
) -> Result<(), StageError> {
    let own = &floors.compacted.field;
    let mut pulse = Pulse::new(monitor);
    // Both lists are in the order of the solid spans.
    let mut common = 0;
    for (span, &solid_span) in floors.solid.iter().enumerate() {
        pulse.step()?;
        while solid[common] < solid_span {
            common += 1;
        }
        if open_to.agents[solid_span as usize] & flags == 0 {
            continue;
        }
        let steps = own.adjacency.around(span).map(|next| floors.solid.get(next));
        let common_steps = field.adjacency.around(common).map(|next| solid.get(next));
        // An agent without a radius is on ground from which steps may be missing: then it must be missing for all.
        if steps != common_steps {
            return Err(Clash::Steps.into());
        }
    }
    Ok(())
}

/// Makes connected ground of less than `min_area_vx` cells unwalkable, unless it reaches into the border of the tile, as
/// regions of that size are removed in a bake for one agent.
fn remove_small_islands(
    field: &CompactField,
    areas: &mut [RawArea],
    min_area_vx: u32,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    if min_area_vx <= 1 {
        return Ok(());
    }
    match field.adjacency.links() {
        EitherLinks::Narrow(links) => remove_small(field, areas, min_area_vx, links, monitor),
        EitherLinks::Wide(links) => remove_small(field, areas, min_area_vx, links, monitor),
    }
}

fn remove_small<I: SpanIndex>(
    field: &CompactField,
    areas: &mut [RawArea],
    min_area_vx: u32,
    links: Links<'_, I>,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let mut pulse = Pulse::new(monitor);
    let in_border = border_spans(field);
    let mut is_seen = vec![false; areas.len()];
    let mut island = Vec::new();
    for start in 0..areas.len() {
        if is_seen[start] || !areas[start].is_walkable() {
            continue;
        }
        island.clear();
        island.push(start);
        is_seen[start] = true;
        let (mut at, mut reaches_border) = (0, false);
        while let Some(&span) = island.get(at) {
            pulse.step()?;
            at += 1;
            reaches_border |= in_border[span];
            for next in links.around(span) {
                let is_new =
                    areas.get(next).is_some_and(|area| area.is_walkable()) && !is_seen[next];
                if is_new {
                    is_seen[next] = true;
                    island.push(next);
                }
            }
        }
        if island.len() < min_area_vx as usize && !reaches_border {
            for &span in &island {
                areas[span] = RawArea::NULL;
            }
        }
    }
    Ok(())
}

/// Returns for each span whether it is in the border of the tile.
fn border_spans(field: &CompactField) -> Vec<bool> {
    let GridFrame { n_x, n_z, border_vx, .. } = field.frame;
    let mut in_border = vec![false; field.spans.len()];
    let inner = |n: u32| border_vx..n.saturating_sub(border_vx);
    for z in 0..n_z {
        for x in 0..n_x {
            if !inner(n_z).contains(&z) || !inner(n_x).contains(&x) {
                in_border[field.cell(field.frame.cell_index(x, z))].fill(true);
            }
        }
    }
    in_border
}
