//! Scenes as text, scenes of recorded agents, and lists of places.

use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use glam::Vec3;
use walkable::{
    crowd::AgentParams,
    soak::{Replay, SoakFinding, SoakReport},
};

use super::{Event, EventKind, Scene};
use crate::positions::{Positions, find_positions};

const MAX_PLACES: usize = 10_000;
/// Simulated time after the end of a recording, in seconds.
const AFTER: f32 = 5.0;

impl Scene {
    /// Creates a scene that repeats a recording and continues for five seconds after its end. `seconds` is the length
    /// of an update.
    pub fn of_replay(replay: &Replay, agent: AgentParams, seconds: f32) -> Self {
        let n_samples = replay.agents.first().map_or(0, |agent| agent.positions.len());
        let n_recorded =
            u32::try_from(n_samples).unwrap_or(0).saturating_mul(replay.updates_per_sample);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "some hundred updates, and casts saturate"
        )]
        let n_after = (AFTER / seconds).round() as u32;
        let starts = replay.agents.iter().filter_map(|agent| agent.positions.first().copied());
        let events = replay.agents.iter().enumerate().flat_map(|(agent, recorded)| {
            recorded.targets.iter().map(move |target| Event {
                after: target.after.saturating_mul(replay.updates_per_sample),
                agent,
                kind: EventKind::Target(target.target),
            })
        });
        let mut events: Vec<Event> = events.collect();
        events.sort_by_key(|event| event.after);
        Self {
            seconds,
            n_updates: n_recorded.saturating_add(n_after),
            every: replay.updates_per_sample.max(1),
            max_agent_radius: agent.radius,
            max_agents: replay.agents.len(),
            agents: starts.map(|start| (start, agent)).collect(),
            events,
        }
    }

    /// A part of the comment at the start of the scene of a finding.
    pub const FINDING_NOTE: &str = ": agent 0; the navmesh is ";

    /// Formats the scene of a finding's replay. A comment in the first line names the finding, and the file of the navmesh.
    pub fn text_of_finding(report: &SoakReport, finding: &SoakFinding, navmesh: &str) -> String {
        let scene = Self::of_replay(&finding.replay, report.agent, report.seconds_per_update);
        let [x, y, z] = finding.point.to_array();
        // A line break in a file name would end the comment.
        let navmesh = navmesh.replace(char::is_control, " ");
        let kind = finding.kind.key();
        let note = Self::FINDING_NOTE;
        format!("# {kind} at {x} {y} {z}{note}{navmesh}\n{}", scene.to_text())
    }

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "dt {}", self.seconds);
        let _ = writeln!(text, "updates {}\nevery {}", self.n_updates, self.every);
        let _ =
            writeln!(text, "max_radius {}\nmax_agents {}", self.max_agent_radius, self.max_agents);
        for (start, agent) in &self.agents {
            let _ = writeln!(
                text,
                "agent {} {} {} {} {} {} {} {} {} {}",
                in_words(*start),
                agent.radius,
                agent.height,
                agent.max_acceleration,
                agent.max_speed,
                agent.collision_query_range,
                agent.path_optimization_range,
                agent.separation_weight,
                agent.update_flags.bits(),
                agent.avoidance,
            );
        }
        for Event { after, agent, kind } in &self.events {
            let _ = match kind {
                EventKind::Target(at) => {
                    writeln!(text, "at {after} target {agent} {}", in_words(*at))
                }
                EventKind::Velocity(velocity) => {
                    writeln!(text, "at {after} velocity {agent} {}", in_words(*velocity))
                }
                EventKind::Reset => writeln!(text, "at {after} reset {agent}"),
                EventKind::Remove => writeln!(text, "at {after} remove {agent}"),
            };
        }
        text
    }
}

fn in_words(Vec3 { x, y, z }: Vec3) -> String {
    format!("{x} {y} {z}")
}

/// Parses one or two positions per line, as [`find_positions`] finds them; `#` begins a comment. Errors name the line.
pub fn parse_places(text: &str) -> anyhow::Result<Vec<Vec3>> {
    let mut places = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        if line.trim().is_empty() {
            continue;
        }
        let found = find_positions(line).with_context(|| format!("line {number}"))?;
        match found.as_they_are() {
            Positions::Place(place) => places.push(place),
            Positions::Path(ends) => places.extend(ends),
        }
        ensure!(
            places.len() <= MAX_PLACES,
            "line {number}: there are more than {MAX_PLACES} places"
        );
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use walkable::soak::{ReplayAgent, ReplayTarget};

    use super::*;

    #[test]
    fn a_replay_becomes_a_scene_that_is_read_back() {
        let target = |after, x: f32| ReplayTarget { after, target: Vec3::new(x, 0.25, 3.0) };
        let agent = |x: f32, targets| ReplayAgent {
            agent: 7,
            positions: vec![Vec3::new(x, 0.1, 2.0); 4],
            targets,
        };
        let replay = Replay {
            seconds_per_sample: 0.1,
            updates_per_sample: 3,
            agents: vec![
                agent(1.5, vec![target(0, 9.0), target(2, 8.0)]),
                agent(2.5, vec![target(1, 4.0)]),
            ],
        };
        let scene = Scene::of_replay(&replay, AgentParams::of_size(0.3, 2.0), 1.0 / 30.0);
        assert_eq!((scene.agents.len(), scene.n_updates, scene.every), (2, 12 + 150, 3));
        let after: Vec<_> = scene.events.iter().map(|event| (event.after, event.agent)).collect();
        assert_eq!(after, [(0, 0), (3, 1), (6, 0)]);
        assert_eq!(Scene::parse(&scene.to_text()).unwrap(), scene);
    }

    #[test]
    fn all_events_are_written() {
        let events = "at 1 velocity 0 1 2 3.5\nat 2 reset 0\nat 3 remove 0\n";
        let text = format!("dt 0.1\nupdates 5\nagent 1 2 3 0.6 2 8 3.5 7.2 18 2 7 1\n{events}");
        let scene = Scene::parse(&text).unwrap();
        assert_eq!(scene.events.len(), 3);
        assert_eq!(Scene::parse(&scene.to_text()).unwrap(), scene);
    }

    #[test]
    fn places_are_read_line_by_line() {
        let places = parse_places("# gates\n1 2 3\n\nX=4 Y=5 Z=6 # pond\n").unwrap();
        assert_eq!(places, [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]);
        let why = format!("{:#}", parse_places("1 2 3\nnowhere\n").unwrap_err());
        assert!(why.starts_with("line 2: expected one or two positions"), "{why}");
        let many = "1 2 3\n".repeat(MAX_PLACES + 1);
        assert!(parse_places(&many).unwrap_err().to_string().contains("10000 places"));
    }
}
