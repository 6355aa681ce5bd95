//! The crowd tool: clicks place agents and give them targets.

use glam::Vec3;
use walkable::{
    crowd::{Agent, Crowd, ProximityCell, VelocitySample},
    debug_draw::{self, DrawList, Line, Paint, agent_heat},
};
use walkable_workspace::text;

use super::{
    Tool,
    ring::{body, ring},
};
use crate::{
    command::{Commands, CrowdCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{CrowdCell, CrowdDrawing, CrowdMember, SessionView},
    tools::{Cursor, Hint},
};

/// The crowd tool. The agents themselves are in the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrowdTool;

impl Tool for CrowdTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let is_primary = event.button == PointerButton::Primary;
        if let (PointerKind::Click, Some(at), true) = (event.kind, event.hit, is_primary) {
            let is_more = event.modifiers.shift || view.crowd.chosen.is_empty();
            let command = match agent_at(view, at) {
                Some(agent) => Some(on_agent(view, agent)),
                None if is_more => Some(CrowdCommand::Add(at)),
                None => {
                    let task = view.crowd.click;
                    (!task.is_for_agent()).then_some(CrowdCommand::ToPoint(task, at))
                }
            };
            if let Some(command) = command {
                out.push(command);
            }
        }
        self
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        if view.crowd.chosen.is_empty() {
            return None;
        }
        out.push(CrowdCommand::Choose(None));
        Some(*self)
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        if view.crowd.chosen.is_empty() {
            return &[(text!("Click"), text!("place agents, or choose one"))];
        }
        view.crowd.click.hints()
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let shown = view.crowd.heat.and_then(|shown| Some((shown, view.agent_heat(shown.source)?)));
        let heat = shown.map(|(shown, map)| agent_heat(map, shown.measure));
        let mut list = heat.unwrap_or_default();
        list.append(view.soak.picture());
        recorded(&mut list, view);
        search(&mut list, view);
        for cell in view.crowd_cells() {
            let CrowdCell { cell: ProximityCell { min, max, .. }, center } = cell;
            let corners = [[min[0], min[1]], [min[0], max[1]], [max[0], max[1]], [max[0], min[1]]];
            let corners = corners.map(|[x, z]| Vec3::new(x, center.y + 0.05, z));
            list.ring(&corners, 2.0, Paint::Contour);
        }
        for member in view.crowd_members() {
            let CrowdMember { number, source, at, target, params, is_spawner, agent } = member;
            let is_chosen = view.crowd.chosen.contains(&number);
            let paint = if is_chosen { Paint::Accent } else { Paint::Hue(hue(source)) };
            if is_spawner {
                spawner(&mut list, at, params.radius, paint);
            } else {
                body(&mut list, at, [params.radius, params.height], paint);
            }
            let own_target = target.filter(|_| number == source);
            if let Some(target) = own_target {
                list.point(target, if is_chosen { 9.0 } else { 5.0 }, paint);
            }
            if view.crowd.shows(CrowdDrawing::Trails) {
                for leg in view.crowd_trail(number).windows(2) {
                    list.line([leg[0], leg[1]], 1.5, paint);
                }
            }
            if let Some(agent) = agent {
                motion(&mut list, agent);
                if is_chosen || view.crowd.shows(CrowdDrawing::All) {
                    details(&mut list, view, (number, agent));
                }
            } else if let Some(target) = own_target {
                list.dashed_line([at, target], 1.0, paint);
            }
        }
        list
    }
}

fn on_agent(view: &SessionView<'_>, agent: usize) -> CrowdCommand {
    let source = view.crowd_source(agent);
    let is_other = view.chosen_sources().iter().any(|chosen| Some(*chosen) != source);
    let task = view.crowd.click;
    if is_other && task.is_for_agent() {
        CrowdCommand::ToAgent(task, agent)
    } else {
        CrowdCommand::Choose(Some(agent))
    }
}

/// Returns the agent or spawner under a point of the ground.
fn agent_at(view: &SessionView<'_>, at: Vec3) -> Option<usize> {
    let near = view.crowd_members().into_iter().filter_map(|member| {
        let away = at - member.at;
        let distance = away.with_y(0.0).length();
        let reach = (member.params.radius * 1.5).max(0.4);
        let is_level = away.y.abs() < member.params.height;
        (is_level && distance < reach).then_some((member.number, distance))
    });
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
}

fn recorded(list: &mut DrawList, view: &SessionView<'_>) {
    let params = view.crowd_params();
    for (index, agent) in view.soak.recorded_agents().into_iter().enumerate() {
        let is_stuck = index == 0;
        let paint = if is_stuck { Paint::Problem } else { Paint::OtherPath };
        body(list, agent.at, [params.radius, params.height], paint);
        for leg in agent.trail.windows(2) {
            list.line([leg[0], leg[1]], 1.5, paint);
        }
        if let Some(target) = agent.target.filter(|_| is_stuck) {
            list.dashed_line([agent.at, target], 1.0, paint);
            list.point(target, 6.0, paint);
        }
    }
}

fn spawner(list: &mut DrawList, at: Vec3, radius: f32, paint: Paint) {
    let rings = ring(at, radius).into_iter().chain(ring(at, radius * 1.5));
    list.lines.extend(rings.map(|line| Line { paint, ..line }));
}

fn hue(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(0)
}

fn motion(list: &mut DrawList, agent: &Agent) {
    let at = middle(agent);
    list.line([at, at + agent.velocity()], 2.5, Paint::Path);
}

fn middle(agent: &Agent) -> Vec3 {
    agent.position() + Vec3::Y * (agent.params().height * 0.5)
}

fn details(list: &mut DrawList, view: &SessionView<'_>, (number, agent): (usize, &Agent)) {
    let at = middle(agent);
    list.line([at, at + agent.desired_velocity()], 1.5, Paint::OtherPath);
    let shows = |drawing| view.crowd.shows(drawing);
    let corridor = agent.corridor().filter(|_| shows(CrowdDrawing::Corridor));
    if let (Some(corridor), Some(navmesh)) = (corridor, view.bake.navmesh.as_deref()) {
        list.append(debug_draw::corridor(navmesh, corridor.polys()));
    }
    if shows(CrowdDrawing::Corners) {
        let mut from = agent.position();
        for corner in agent.corners() {
            list.dashed_line([from, corner.position], 2.0, Paint::Accent);
            list.point(corner.position, 6.0, Paint::Accent);
            from = corner.position;
        }
    }
    if shows(CrowdDrawing::Walls) {
        for wall in agent.walls() {
            list.line(wall, 2.0, Paint::Problem);
        }
    }
    if let Some(corner) = agent.optimized_corner().filter(|_| shows(CrowdDrawing::Optimization)) {
        list.line([agent.position(), corner], 3.0, Paint::PathPortal);
    }
    if shows(CrowdDrawing::Neighbors) {
        let reach = ring(agent.position(), agent.params().collision_query_range);
        list.lines.extend(reach.into_iter().map(|line| Line { paint: Paint::OffMesh, ..line }));
        for neighbor in view.crowd_neighbors(number) {
            list.line([at, middle(neighbor)], 2.0, Paint::OffMesh);
        }
    }
    if shows(CrowdDrawing::Velocities) && view.chosen_agent() == Some(number) {
        velocities(list, agent, &view.crowd_velocity_samples(number));
    }
}

fn search(list: &mut DrawList, view: &SessionView<'_>) {
    let crowd = view.shown_crowd().filter(|_| view.crowd.shows(CrowdDrawing::Search));
    if let Some(search) = crowd.and_then(Crowd::queued_search) {
        list.append(debug_draw::search_nodes(search));
    }
}

/// Draws the velocities that an agent considers, at the places that it would reach in a second. Colors are shares of the
/// largest penalty. The velocity with the smallest penalty is marked.
fn velocities(list: &mut DrawList, agent: &Agent, samples: &[VelocitySample]) {
    let at = middle(agent);
    let penalties = || samples.iter().map(VelocitySample::penalty);
    let (least, most) = (penalties().fold(f32::MAX, f32::min), penalties().fold(0.0, f32::max));
    for (number, sample) in (0_u16..).zip(samples) {
        // Later samples are smaller, and drawn above.
        let middle = at + sample.velocity + Vec3::Y * (0.002 * f32::from(number));
        let half = sample.half_size * 0.8;
        let corner = |x: f32, z: f32| middle + Vec3::new(x, 0.0, z) * half;
        let corners = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
        let share = (sample.penalty() - least) / (most - least).max(1e-6);
        list.fill(&corners, Paint::Scalar(share));
    }
    let best = samples.iter().min_by(|a, b| a.penalty().total_cmp(&b.penalty()));
    if let Some(best) = best {
        list.line([at, at + best.velocity], 2.0, Paint::Accent);
        list.point(at + best.velocity, 8.0, Paint::Accent);
    }
}

#[cfg(test)]
mod tests {
    use PointerKind::Click;
    use walkable::{diagnostic::Phrase, tasks::Reach};

    use super::*;
    use crate::{
        session::{Avoidance, ClickTask, SceneAgent, SceneTask, Session, Spawner},
        testing,
        tools::testing::{event, run},
    };

    fn agents(session: &Session) -> Vec<(Vec3, Option<Vec3>)> {
        let target = |agent: &SceneAgent| match agent.task? {
            SceneTask::GoTo { point, .. } => Some(point),
            SceneTask::Approach { .. } | SceneTask::Follow { .. } => None,
        };
        session.document().crowd.iter().map(|agent| (agent.at, target(agent))).collect()
    }

    #[test]
    fn clicks_place_an_agent_and_then_its_target() {
        let mut session = Session::default();
        run(&mut session, &[event(Click, 2.0, 2.0)], CrowdTool::event);
        assert_eq!(session.crowd.chosen, [0].into());
        run(&mut session, &[event(Click, 9.0, 2.0)], CrowdTool::event);
        let [start, end] = [Vec3::new(2.0, 0.0, 2.0), Vec3::new(9.0, 0.0, 2.0)];
        assert_eq!(agents(&session), [(start, Some(end))]);
        assert!(session.crowd.chosen.is_empty());
        // A click on the agent chooses it again, and the next one gives it another target.
        run(&mut session, &[event(Click, 2.1, 2.0), event(Click, 5.0, 5.0)], CrowdTool::event);
        assert_eq!(agents(&session), [(start, Some(Vec3::new(5.0, 0.0, 5.0)))]);
        session.history.undo();
        assert_eq!(agents(&session), [(start, Some(end))]);
    }

    #[test]
    fn a_group_is_placed_and_sent_together() {
        let mut session = Session::default();
        session.crowd.group = 5;
        let clicks = [event(Click, 5.0, 5.0), event(Click, 9.0, 9.0)];
        run(&mut session, &clicks, CrowdTool::event);
        let agents = agents(&session);
        assert_eq!(agents.len(), 5);
        assert!(agents.iter().all(|(_, target)| *target == Some(Vec3::new(9.0, 0.0, 9.0))));
    }

    #[test]
    fn a_click_on_an_agent_makes_it_the_target_of_the_chosen_ones() {
        let mut session = testing::baked();
        session.crowd.group = 2;
        run(&mut session, &[event(Click, 4.0, 20.0)], CrowdTool::event);
        session.crowd.chosen.clear();
        session.crowd.group = 1;
        run(&mut session, &[event(Click, 12.0, 20.0)], CrowdTool::event);
        session.crowd.chosen = [0, 1, 2].into();
        let tasks = |session: &Session| {
            session.document().crowd.iter().map(|agent| agent.task).collect::<Vec<_>>()
        };
        CrowdCommand::NextClick(ClickTask::Approach).carry_out(&mut session);
        // A click beside all agents does nothing.
        run(&mut session, &[event(Click, 20.0, 12.0)], CrowdTool::event);
        assert_eq!((tasks(&session), session.crowd.chosen.len()), (vec![None; 3], 3));
        run(&mut session, &[event(Click, 12.1, 20.0)], CrowdTool::event);
        let reach = Reach::Distance;
        let approach = Some(SceneTask::Approach { agent: 2, radius: 1.8, reach });
        assert_eq!(tasks(&session), [approach, approach, None], "none approaches itself");
        assert_eq!((session.crowd.click, session.crowd.chosen.len()), (ClickTask::GoTo, 0));
        // One follows another one, and the distances are those of the kinds.
        session.crowd.chosen = [2].into();
        CrowdCommand::NextClick(ClickTask::Follow).carry_out(&mut session);
        run(&mut session, &[event(Click, 4.0, 20.0)], CrowdTool::event);
        let follow = SceneTask::Follow { agent: 0, nearest: 1.8, farthest: 4.3, reach };
        assert_eq!(tasks(&session)[2], Some(follow));
        session.history.undo();
        assert_eq!(tasks(&session), [approach, approach, None]);
        // Without the target, there is no task; undo restores both.
        session.crowd.chosen = [2].into();
        CrowdCommand::Remove.carry_out(&mut session);
        assert_eq!(tasks(&session), [None, None]);
        session.history.undo();
        assert_eq!(tasks(&session), [approach, approach, None]);
        // A click on a chosen agent chooses it alone.
        session.crowd.chosen = [0].into();
        CrowdCommand::NextClick(ClickTask::Follow).carry_out(&mut session);
        run(&mut session, &[event(Click, 4.0, 20.0)], CrowdTool::event);
        assert_eq!((session.crowd.click, session.crowd.chosen.len()), (ClickTask::GoTo, 1));
        assert_eq!(tasks(&session)[0], approach);
    }

    #[test]
    fn a_new_point_keeps_the_distance_of_the_task() {
        let mut session = testing::baked();
        run(&mut session, &[event(Click, 4.0, 20.0)], CrowdTool::event);
        let task = |point| SceneTask::GoTo { point, radius: Some(3.0), reach: Reach::LineOfSight };
        session.history.change(Phrase::verbatim("Set"), |document| {
            document.crowd[0].task = Some(task(Vec3::X));
        });
        run(&mut session, &[event(Click, 9.0, 20.0)], CrowdTool::event);
        assert_eq!(session.document().crowd[0].task, Some(task(Vec3::new(9.0, 0.0, 20.0))));
    }

    #[test]
    fn kind_and_avoidance_are_set_before_and_after_agents_are_placed() {
        let mut session = testing::baked();
        session.history.change(Phrase::verbatim("Kinds"), |document| {
            document.take_agents(document.agents.with_one_more(document));
        });
        let set = |session: &mut Session, command: CrowdCommand| {
            command.carry_out(session);
        };
        set(&mut session, CrowdCommand::Kind(Some(1)));
        set(&mut session, CrowdCommand::Avoid(Avoidance::Reciprocal));
        session.crowd.group = 5;
        run(&mut session, &[event(Click, 5.0, 20.0)], CrowdTool::event);
        let kinds = |session: &Session| {
            let agents = session.document().crowd.iter();
            agents.map(|agent| (agent.kind.clone(), agent.avoidance)).collect::<Vec<_>>()
        };
        let second = Some("Agent 2".to_owned());
        assert_eq!(kinds(&session), vec![(second.clone(), Avoidance::Reciprocal); 5]);
        // The new agents are chosen.
        set(&mut session, CrowdCommand::Kind(None));
        set(&mut session, CrowdCommand::Avoid(Avoidance::Low));
        assert_eq!(kinds(&session), vec![(None, Avoidance::Low); 5]);
        session.history.undo();
        session.history.undo();
        assert_eq!(kinds(&session), vec![(second, Avoidance::Reciprocal); 5]);
        // A renamed agent keeps its place in the crowd.
        session.history.change(Phrase::verbatim("Rename"), |document| {
            let mut agents = document.agents.clone();
            agents.list[1].name = "Goblin".to_owned();
            document.take_agents(agents);
        });
        assert_eq!(kinds(&session)[0].0.as_deref(), Some("Goblin"));
        assert_eq!(session.next_kind(), Some("Goblin"));
    }

    #[test]
    fn a_spawned_agent_is_chosen_and_its_spawner_gets_the_target() {
        let mut session = testing::baked();
        let clicks = [event(Click, 4.0, 20.0), event(Click, 20.0, 20.0)];
        run(&mut session, &clicks, CrowdTool::event);
        let spawner = Some(Spawner { every: 1.0, limit: 5 });
        session
            .history
            .change(Phrase::verbatim("Set"), |document| document.crowd[0].spawner = spawner);
        session.show_crowd(60);
        let first = session.crowd_members().into_iter().find(|member| member.number == 1);
        let at = first.unwrap().at;
        run(&mut session, &[event(Click, at.x, at.z)], CrowdTool::event);
        let chosen = session.crowd.chosen.first().copied().unwrap();
        assert!(chosen > 0 && session.crowd_source(chosen) == Some(0), "{chosen}");
        run(&mut session, &[event(Click, 20.0, 10.0)], CrowdTool::event);
        assert_eq!(agents(&session)[0].1, Some(Vec3::new(20.0, 0.0, 10.0)));
        assert_eq!(agents(&session).len(), 1);
    }

    #[test]
    fn the_preview_draws_agents_before_and_while_they_walk() {
        let mut session = testing::baked();
        let clicks = [event(Click, 4.0, 20.0), event(Click, 20.0, 20.0)];
        run(&mut session, &clicks, CrowdTool::event);
        let lines = |session: &Session| {
            CrowdTool.preview(&SessionView { session, auto_bake: true }).lines.len()
        };
        let before = lines(&session);
        assert!(before > 80, "{before}");
        session.show_crowd(60);
        session.crowd.chosen = [0].into();
        assert!(lines(&session) > before, "a trail, a velocity and corners are drawn");
        let squares = |session: &Session| {
            let view = SessionView { session, auto_bake: true };
            CrowdTool.preview(&view).triangles.len() / 2
        };
        assert_eq!(squares(&session), 0);
        session.crowd.toggle(CrowdDrawing::Velocities);
        assert_eq!(squares(&session), session.crowd_velocity_samples(0).len());
        assert!(squares(&session) > 20, "{}", squares(&session));
    }

    /// Returns the change of the number of drawn lines, points and triangles after a switch was changed.
    fn change(session: &mut Session, drawing: CrowdDrawing) -> [i64; 3] {
        let counts = |session: &Session| {
            let list = CrowdTool.preview(&SessionView { session, auto_bake: true });
            [list.lines.len(), list.points.len(), list.triangles.len()]
                .map(|n| i64::try_from(n).unwrap())
        };
        let before = counts(session);
        session.crowd.toggle(drawing);
        let after = counts(session);
        [0, 1, 2].map(|at| after[at] - before[at])
    }

    #[test]
    fn each_switch_draws_its_part() {
        let mut session = testing::baked();
        session.crowd.group = 5;
        let clicks = [event(Click, 4.0, 20.0), event(Click, 20.0, 20.0)];
        run(&mut session, &clicks, CrowdTool::event);
        session.show_crowd(60);
        session.crowd.chosen = [0].into();
        let agent = session.crowd_agents()[0].clone();
        let [n_corners, n_walls, n_neighbors] =
            [agent.corners().len(), agent.walls().count(), agent.neighbors().len()]
                .map(|n| i64::try_from(n).unwrap());
        assert!(n_corners > 0 && n_walls > 0 && n_neighbors > 0, "{agent:?}");
        let mut change = |drawing| change(&mut session, drawing);
        assert_eq!(change(CrowdDrawing::Corners), [-n_corners, -n_corners, 0]);
        assert_eq!(change(CrowdDrawing::Walls), [-n_walls, 0, 0]);
        assert_eq!(change(CrowdDrawing::Optimization), [1, 0, 0]);
        let [n_lines, 0, 0] = change(CrowdDrawing::Neighbors) else { panic!("only lines") };
        assert!(n_lines > n_neighbors, "{n_lines}, also a ring");
        let [0, 0, n_triangles] = change(CrowdDrawing::Corridor) else { panic!("only surfaces") };
        assert!(n_triangles > 0);
        let [n_trails, 0, 0] = change(CrowdDrawing::Trails) else { panic!("only lines") };
        assert!(n_trails <= -25, "{n_trails} of five agents");
        let [n_sides, 0, 0] = change(CrowdDrawing::Grid) else { panic!("only lines") };
        assert!(n_sides >= 8 && n_sides % 4 == 0, "{n_sides}");
        // Of all five agents.
        assert!(change(CrowdDrawing::All)[2] >= 4 * n_triangles);
        for drawing in [CrowdDrawing::Labels, CrowdDrawing::Times] {
            assert_eq!(change(drawing), [0; 3], "{drawing:?}");
        }
    }
}
