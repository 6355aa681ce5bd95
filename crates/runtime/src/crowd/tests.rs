use glam::Vec3;
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

use super::*;
use crate::{
    ids::TileCoord,
    navmesh::{
        NO_NEIGHBOR, NavMesh,
        sample::{connect, mesh, tile},
    },
    query::{
        CorridorRequest, Filter, MeshPoint, NearestRequest, RaycastRequest, Scratch,
        StraightPathRequest, closest_point, find_corridor, nearest, raycast, straight_path,
    },
};

/// Returns four tiles with walls that leave doors.
fn rooms() -> NavMesh {
    let room = [
        "........", ".##.###.", ".#....#.", "......#.", ".#......", ".#....#.", ".###.##.",
        "........",
    ];
    mesh([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| tile(x, z, &room)))
}

fn params(radius: f32, flags: u8) -> AgentParams {
    AgentParams {
        update_flags: UpdateFlags::from_bits(flags),
        avoidance: flags % 8,
        ..AgentParams::of_size(radius, 2.0)
    }
}

fn on(mesh: &NavMesh, x: f32, z: f32) -> Option<MeshPoint> {
    let (center, half_extents) = (Vec3::new(x, 0.0, z), Vec3::ONE);
    let request = NearestRequest { center, half_extents, filter: &Filter::default() };
    nearest(mesh, &request).unwrap()
}

/// Agents with avoidance settings 5 and 6 use reciprocal avoidance.
fn crowd(max_agents: usize) -> Crowd {
    let mut crowd = Crowd::new(CrowdParams { max_agents, max_agent_radius: 0.4 }).unwrap();
    crowd.avoidance_mut()[5] = AvoidanceParams::RECIPROCAL;
    crowd.avoidance_mut()[6] = AvoidanceParams { priority: 4.0, ..AvoidanceParams::RECIPROCAL };
    crowd
}

/// Returns agents at points of the square of 16 m, each with a target.
fn crowd_of(mesh: &NavMesh, agents: &[([f32; 4], u8)]) -> Crowd {
    let mut crowd = crowd(agents.len());
    for &([x, z, to_x, to_z], flags) in agents {
        let id = crowd.add_agent(mesh, Vec3::new(x, 0.0, z), params(0.3, flags)).unwrap();
        if let Some(target) = on(mesh, to_x, to_z) {
            crowd.set_target(id, target).unwrap();
        }
    }
    crowd
}

fn state(crowd: &Crowd) -> String {
    serde_json::to_string(crowd).unwrap()
}

/// Returns points all over the rooms, in a fixed order.
fn scattered(n: u16) -> Vec<([f32; 4], u8)> {
    let place = |k: u32| {
        f32::from(u8::try_from(k.wrapping_mul(2_654_435_761) % 251).unwrap_or(0)) / 251.0 * 16.0
    };
    let agent = |k: u32| [place(k), place(k + 7), place(k + 90), place(k + 13)];
    (0..u32::from(n)).map(|k| (agent(k % 1000), u8::try_from(k % 32).unwrap())).collect()
}

#[test]
fn an_observed_update_moves_agents_the_same_way() {
    let mesh = rooms();
    let (mut crowd, mut observed) =
        (crowd_of(&mesh, &scattered(60)), crowd_of(&mesh, &scattered(60)));
    let mut n_sampled = 0;
    for update in 0..40 {
        let id = AgentId(update % 60);
        let avoids = |agent: &Agent| {
            agent.state() == AgentState::Walking
                && agent.params().update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE)
                && !matches!(agent.params().avoidance, 5 | 6)
        };
        crowd.update(&mesh, 0.05);
        let samples = observed.update_with_samples(&mesh, 0.05, id);
        assert_eq!(state(&crowd), state(&observed));
        let agent = crowd.agent(id).unwrap();
        if !avoids(agent) {
            continue;
        }
        let planned = agent.planned_velocity();
        let chosen = samples.iter().rfind(|sample| sample.velocity == planned);
        assert!(chosen.is_some() || planned == Vec3::ZERO, "{id}: {planned} of {samples:?}");
        n_sampled += usize::from(chosen.is_some());
    }
    assert!(n_sampled > 5, "{n_sampled}");
    assert!(observed.update_with_samples(&mesh, 0.05, AgentId(99)).is_empty());
}

#[test]
fn debug_data_of_a_crowd_agrees_with_its_updates() {
    let mesh = rooms();
    let mut crowd = crowd_of(&mesh, &scattered(60));
    assert!(crowd.queued_search().is_none());
    let (mut n_nodes, mut n_optimized) = (0, 0);
    for _ in 0..40 {
        crowd.update(&mesh, 0.05);
        let cells = crowd.proximity_cells();
        for (id, agent) in crowd.agents() {
            let at = agent.position();
            let is_in = |cell: &&ProximityCell| {
                let [min, max] = [cell.min, cell.max];
                (min[0]..=max[0]).contains(&at.x) && (min[1]..=max[1]).contains(&at.z)
            };
            assert!(cells.iter().find(is_in).is_some_and(|cell| cell.n_agents > 0), "{id}");
            let corner = agent.optimized_corner();
            let has_flag = agent.params().update_flags.has(UpdateFlags::OPTIMIZE_VISIBILITY);
            let next = agent.corners().iter().take(2).next_back().filter(|_| has_flag);
            assert_eq!(corner, next.map(|next| next.position), "{id}");
            n_optimized += usize::from(corner.is_some());
        }
        if let Some(search) = crowd.queued_search() {
            n_nodes = n_nodes.max(search.nodes().count());
            assert_eq!(search.nodes().count(), search.n_nodes());
        }
    }
    assert!(n_nodes > 20 && n_optimized > 100, "{n_nodes} nodes, {n_optimized} corners");
    let radius = crowd.params().max_agent_radius;
    let cell = crowd.proximity_cells()[0];
    assert!((cell.max[0] - cell.min[0] - 3.0 * radius).abs() < 1e-5, "{cell:?}");
}

#[test]
fn agents_arrive_and_stop() {
    let mesh = rooms();
    let mut crowd = crowd_of(&mesh, &[([0.5, 0.5, 15.5, 15.5], 31), ([15.5, 15.5, 0.5, 0.5], 31)]);
    for _ in 0..400 {
        crowd.update(&mesh, 0.05);
    }
    for (id, agent) in crowd.agents() {
        let target = agent.target().unwrap().point;
        assert!(agent.position().distance(target) < 0.2, "{id}: {}", agent.position());
        assert_eq!(
            (agent.state(), agent.target_state()),
            (AgentState::Walking, TargetState::Valid)
        );
    }
}

#[test]
fn a_crowd_rejects_invalid_values() {
    assert!(Crowd::new(CrowdParams { max_agents: 1, max_agent_radius: 0.0 }).is_err());
    let mesh = rooms();
    let mut crowd = crowd(1);
    let mut add = |params| crowd.add_agent(&mesh, Vec3::new(0.5, 0.0, 0.5), params);
    let good = params(0.3, 7);
    assert_eq!(
        add(AgentParams { avoidance: 8, ..good }),
        Err(CrowdError::NoAvoidance { avoidance: 8 })
    );
    assert_eq!(add(AgentParams { filter: 16, ..good }), Err(CrowdError::NoFilter { filter: 16 }));
    let bad = AgentParams { max_speed: f32::NAN, ..good };
    assert!(matches!(add(bad), Err(CrowdError::BadNumber { what: "maximum speed", .. })));
    assert_eq!(add(good), Ok(AgentId(0)));
    assert_eq!(add(good), Err(CrowdError::Full { max_agents: 1 }));
    assert_eq!(crowd.reset_target(AgentId(1)), Err(CrowdError::NoAgent { agent: AgentId(1) }));
    assert!(crowd.remove_agent(AgentId(0)) && !crowd.remove_agent(AgentId(0)));
    assert_eq!((crowd.agents().count(), crowd.agent(AgentId(0)).is_none()), (0, true));
}

#[test]
fn a_new_agent_gets_the_first_free_slot() {
    let mesh = rooms();
    let mut crowd = crowd_of(&mesh, &scattered(5));
    for slot in [3, 1] {
        assert!(crowd.remove_agent(AgentId(slot)));
    }
    let mut add = || crowd.add_agent(&mesh, Vec3::ZERO, params(0.3, 0)).ok();
    assert_eq!([add(), add(), add()], [Some(AgentId(1)), Some(AgentId(3)), None]);
}

#[test]
fn an_agent_takes_a_link() {
    let mut tile = tile(0, 0, &["..#..", "..#..", "..#..", "..#..", "..#.."]);
    connect(&mut tile, [Vec3::new(1.5, 0.0, 2.5), Vec3::new(3.5, 0.0, 2.5)], 1, 0xff);
    let mesh = mesh([tile]);
    let mut crowd = crowd_of(&mesh, &[([0.5, 0.5, 4.5, 4.5], 31)]);
    let mut states = Vec::new();
    for _ in 0..200 {
        crowd.update(&mesh, 0.05);
        let agent = crowd.agent(AgentId(0)).unwrap();
        if states.last() != Some(&agent.state()) {
            states.push(agent.state());
        }
    }
    assert_eq!(states, [AgentState::Walking, AgentState::OffMesh, AgentState::Walking]);
    let agent = crowd.agent(AgentId(0)).unwrap();
    assert!(agent.position().distance(Vec3::new(4.5, 0.0, 4.5)) < 0.2);
}

#[test]
fn agents_find_another_way_when_tiles_go_and_come() {
    let mut mesh = rooms();
    let removed: Vec<_> = mesh.slots().map(|(_, tile)| std::sync::Arc::clone(tile)).collect();
    let mut crowd = crowd_of(&mesh, &scattered(60));
    for update in 0..400 {
        if update == 40 {
            mesh.remove_tiles_at(TileCoord::new(1, 0));
        } else if update == 200 {
            mesh.add_tile(std::sync::Arc::clone(&removed[1])).unwrap();
        }
        crowd.update(&mesh, 0.05);
        for (id, agent) in crowd.agents().filter(|(_, agent)| agent.state() == AgentState::Walking)
        {
            let corridor = agent.corridor().unwrap();
            assert!(agent.position().is_finite() && !corridor.polys().is_empty(), "{id}");
        }
    }
    let n_lost = crowd.agents().filter(|(_, agent)| agent.state() == AgentState::Invalid).count();
    assert!(n_lost < 30, "{n_lost} of 60 stood on the tile that went");
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let mesh = rooms();
    let mut all_reciprocal = scattered(300);
    for (at, (_, flags)) in all_reciprocal.iter_mut().enumerate() {
        *flags = if at % 3 == 0 { 30 } else { 23 };
    }
    for agents in [scattered(300), all_reciprocal] {
        let run = |n_threads| {
            let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| {
                let mut crowd = crowd_of(&mesh, &agents);
                crowd.avoidance_mut()[7] = AvoidanceParams::RECIPROCAL;
                for _ in 0..60 {
                    crowd.update(&mesh, 0.05);
                }
                state(&crowd)
            })
        };
        let alone = run(1);
        assert!(alone == run(2) && alone == run(3));
    }
}

#[test]
fn a_saved_crowd_continues_with_the_same_results() {
    let mesh = rooms();
    let mut crowd = crowd_of(&mesh, &scattered(100));
    for update in 0..120 {
        if update % 7 == 3 {
            let mut restored: Crowd = serde_json::from_str(&state(&crowd)).unwrap();
            assert_eq!(state(&restored), state(&crowd));
            for _ in 0..5 {
                restored.update(&mesh, 0.05);
            }
            let mut original = crowd.clone();
            for _ in 0..5 {
                original.update(&mesh, 0.05);
            }
            assert!(state(&restored) == state(&original), "after {update}");
        }
        crowd.update(&mesh, 0.05);
    }
}

#[test]
fn cached_checks_of_agents_change_no_result() {
    let mut mesh = rooms();
    let tiles: Vec<_> = mesh.slots().map(|(_, tile)| std::sync::Arc::clone(tile)).collect();
    let mut crowd = crowd_of(&mesh, &scattered(30));
    crowd.filters_mut()[1].exclude_flags = 4;
    for update in 0..180 {
        let set_flags = |mesh: &mut NavMesh, flags| {
            let poly = |index| mesh.poly_ref(0, index).unwrap();
            let polys: Vec<_> = (0..tiles[0].polys.len()).step_by(5).map(poly).collect();
            for poly in polys {
                assert!(mesh.set_flags(poly, flags));
            }
        };
        match update {
            20 => assert!(mesh.remove_tiles_at(TileCoord::new(1, 0))),
            26 | 33 => {
                mesh.remove_tiles_at(TileCoord::new(1, 0));
                mesh.add_tile(std::sync::Arc::clone(&tiles[1])).unwrap();
            }
            50 => set_flags(&mut mesh, 5),
            60 => crowd.filters_mut()[0].exclude_flags = 4,
            75 => crowd.filters_mut()[0].exclude_flags = 0,
            90 | 100 | 110 => {
                let filter = u8::from(update != 100);
                for id in (0..30).step_by(2).map(AgentId) {
                    let params = *crowd.agent(id).unwrap().params();
                    crowd.set_params(id, AgentParams { filter, ..params }).unwrap();
                }
            }
            130 => set_flags(&mut mesh, 1),
            150 => mesh = rooms(),
            _ => {}
        }
        if update % 45 == 44 {
            for id in (0..30).map(AgentId) {
                let target = on(&mesh, 15.5 - 0.5 * f32::from(u8::try_from(id.0).unwrap()), 15.5);
                if let Some(target) = target {
                    crowd.set_target(id, target).unwrap();
                }
            }
        }
        // A crowd that was just loaded remembers nothing.
        let mut forgetful: Crowd = serde_json::from_str(&state(&crowd)).unwrap();
        forgetful.update(&mesh, 0.05);
        crowd.update(&mesh, 0.05);
        assert!(state(&forgetful) == state(&crowd), "after {update}");
    }
}

#[test]
fn an_invalid_saved_crowd_is_rejected() {
    let mesh = rooms();
    let mut crowd = crowd_of(&mesh, &scattered(100));
    // Short enough that a search is still running.
    crowd.update(&mesh, 0.05);
    let good: serde_json::Value = serde_json::from_str(&state(&crowd)).unwrap();
    let refused = |change: fn(&mut serde_json::Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        assert_ne!(bad, good);
        serde_json::from_value::<Crowd>(bad).map(|_| ()).unwrap_err().to_string()
    };
    let agent = refused(|crowd| crowd["agents"][3]["params"]["filter"] = 99.into());
    assert!(agent.contains("agent 3: there is no filter with number 99"), "{agent}");
    let corridor =
        refused(|crowd| crowd["agents"][2]["corridor"]["polys"] = Vec::<u64>::new().into());
    assert!(corridor.contains("agent 2: its corridor is empty"), "{corridor}");
    let radius = refused(|crowd| crowd["params"]["max_agent_radius"] = (-1.0).into());
    assert!(radius.contains("largest radius"), "{radius}");
    let search = refused(|crowd| crowd["queue"]["search"]["best"] = 4_000_000.into());
    assert!(search.contains("search"), "{search}");
}

fn agents() -> impl Strategy<Value = Vec<([f32; 4], u8)>> {
    let place = || 0.0..16.0_f32;
    let places =
        (place(), place(), place(), place()).prop_map(|(x, z, to_x, to_z)| [x, z, to_x, to_z]);
    prop::collection::vec((places, 0..32_u8), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_agent_leaves_the_navmesh(agents in agents(), seconds in 0.005..0.3_f32) {
        let mesh = rooms();
        let mut crowd = crowd_of(&mesh, &agents);
        for _ in 0..60 {
            crowd.update(&mesh, seconds);
            for (id, agent) in crowd.agents() {
                prop_assert_eq!(agent.state(), AgentState::Walking);
                let poly = agent.corridor().map(crate::query::PathCorridor::first).unwrap();
                let at = agent.position();
                let ground = closest_point(&mesh, poly, at).unwrap().point;
                prop_assert!(ground.distance(at) < 1e-3, "agent {} at {}, ground {}", id, at, ground);
                let speed = agent.velocity().length();
                prop_assert!(speed <= agent.params().max_speed * 1.01, "agent {} runs {}", id, speed);
            }
        }
    }
}

/// Returns the place of an agent on the navmesh.
fn place(agent: &Agent) -> Option<MeshPoint> {
    let poly = agent.corridor().map(crate::query::PathCorridor::first)?;
    Some(MeshPoint { poly, point: agent.position() })
}

/// Returns four tiles with walls without thickness: polygons that touch and are not linked. Each wall has a door.
fn thin_walls() -> NavMesh {
    let walled = |x, z| {
        let mut tile = tile(x, z, &["........"; 8]);
        for poly in &mut tile.polys {
            let corner = tile.vertices[usize::from(poly.vertices[0])] - tile.header.bounds.min;
            let column = |number: f32| (corner.x - number).abs() < 0.5;
            let row = |number: f32| (corner.z - number).abs() < 0.5;
            // Sides are those toward -x, +z, +x and -z.
            for (side, is_wall) in [
                (0, column(3.0) && !row(1.0)),
                (2, column(2.0) && !row(1.0)),
                (1, row(4.0) && !column(6.0)),
                (3, row(5.0) && !column(6.0)),
            ] {
                if is_wall {
                    poly.neighbors[side] = NO_NEIGHBOR;
                }
            }
        }
        tile
    };
    mesh([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| walled(x, z)))
}

/// Returns the length of the path over the navmesh between two points.
fn way(mesh: &NavMesh, [from, to]: [MeshPoint; 2]) -> f32 {
    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let ray = raycast(mesh, &RaycastRequest::new(from, to.point, &filter)).unwrap();
    if ray.hit.t.is_none() && ray.visited.last() == Some(&to.poly) {
        return from.point.distance(to.point);
    }
    let corridor = CorridorRequest::new(from, to, &filter);
    let corridor = find_corridor(mesh, &corridor, &mut scratch).unwrap();
    assert!(corridor.is_complete, "{from:?} {to:?}");
    let request = StraightPathRequest::new(from.point, to.point, &corridor.polys);
    let points = straight_path(mesh, &request, &mut scratch).unwrap();
    points.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Agents in so little room that they overlap and are moved apart; each stays on its side of thin walls.
    #[test]
    fn no_agent_passes_a_wall(
        agents in agents(), reciprocal in reciprocal_agents(), seconds in 0.005..0.3_f32,
    ) {
        let mesh = thin_walls();
        for mut crowd in [crowd_of(&mesh, &agents), self::reciprocal(&mesh, &reciprocal)] {
            let places = |crowd: &Crowd| crowd.agents().map(|(_, agent)| place(agent)).collect();
            let mut before: Vec<_> = places(&crowd);
            for update in 0..60 {
                crowd.update(&mesh, seconds);
                let after: Vec<_> = places(&crowd);
                for (id, (from, to)) in before.iter().zip(&after).enumerate() {
                    let (Some(from), Some(to)) = (*from, *to) else { continue };
                    let agent = *crowd.agent(AgentId(u32::try_from(id).unwrap())).unwrap().params();
                    // An agent moves at most by what it walks and by up to a diameter that others push it, around a
                    // corner.
                    let most = 1.5 * (agent.max_speed * seconds + 2.0 * agent.radius);
                    let way = way(&mesh, [from, to]);
                    prop_assert!(
                        way <= most, "agent {} after {}: {} m from {:?}", id, update, way, [from, to]
                    );
                }
                before = after;
            }
        }
    }
}

/// Returns a crowd of reciprocal agents, given by start, target, radius and priority. Agents that would overlap another
/// one at the start are dropped.
fn reciprocal(mesh: &NavMesh, agents: &[([f32; 4], f32, u8)]) -> Crowd {
    let mut crowd = crowd(agents.len());
    for &([x, z, to_x, to_z], radius, avoidance) in agents {
        let Some(start) = on(mesh, x, z).map(|on| on.point) else { continue };
        let gap = |agent: &Agent| start.distance(agent.position()) - radius - agent.params().radius;
        if crowd.agents().any(|(_, agent)| gap(agent) < 0.001) {
            continue;
        }
        let params = AgentParams { avoidance, ..params(radius, 31) };
        let id = crowd.add_agent(mesh, start, params).unwrap();
        if let Some(target) = on(mesh, to_x, to_z) {
            crowd.set_target(id, target).unwrap();
        }
    }
    crowd
}

/// Returns the depth of the deepest overlap of two agents, in radii of the smaller one.
fn deepest_overlap(crowd: &Crowd) -> f32 {
    let agents: Vec<&Agent> = crowd.agents().map(|(_, agent)| agent).collect();
    let mut deepest = 0.0f32;
    for (index, a) in agents.iter().enumerate() {
        for b in &agents[..index] {
            let radii = [a, b].map(|agent| agent.params().radius);
            let distance = (a.position() - b.position()).with_y(0.0).length();
            deepest = deepest.max((radii[0] + radii[1] - distance) / radii[0].min(radii[1]));
        }
    }
    deepest
}

fn reciprocal_agents() -> impl Strategy<Value = Vec<([f32; 4], f32, u8)>> {
    let place = || 0.0..16.0_f32;
    let places =
        (place(), place(), place(), place()).prop_map(|(x, z, to_x, to_z)| [x, z, to_x, to_z]);
    prop::collection::vec((places, 0.15..0.4_f32, 5..7_u8), 2..150)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Agents that start apart stay apart, among walls and at doors that only one can pass.
    #[test]
    fn reciprocal_agents_overlap_at_most_within_the_tolerance(
        agents in reciprocal_agents(), seconds in 0.005..0.3_f32,
    ) {
        let mesh = rooms();
        let mut crowd = reciprocal(&mesh, &agents);
        for update in 0..100 {
            crowd.update(&mesh, seconds);
            let deepest = deepest_overlap(&crowd);
            prop_assert!(deepest < 0.101, "{} radii after update {}", deepest, update);
            for (id, agent) in crowd.agents() {
                let poly = agent.corridor().map(crate::query::PathCorridor::first).unwrap();
                let at = agent.position();
                let ground = closest_point(&mesh, poly, at).unwrap().point;
                prop_assert!(ground.distance(at) < 1e-3, "agent {} at {}, ground {}", id, at, ground);
            }
        }
    }
}
