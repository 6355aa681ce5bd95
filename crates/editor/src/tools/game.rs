//! The picture of running games: their agents, and the failed path that is shown.

use glam::Vec3;
use walkable::debug_draw::{DrawList, Paint};
use walkable_workspace::live::GameAgent;

use super::ring::body;
use crate::session::{FailedPath, SessionView, break_picture};

/// Smallest radius and height of an agent that are drawn, in meters.
const SMALLEST: f32 = 0.1;
/// Height above the ground at which paths are drawn, in meters.
const LIFT: f32 = 0.08;

pub fn game_picture(view: &SessionView<'_>) -> DrawList {
    let mut list = DrawList::default();
    let settings = &view.document().settings;
    let usual = [settings.agent_radius, settings.agent_height];
    for ((_, id), agent) in view.game.agents.iter() {
        agent_picture(&mut list, agent, usual, Paint::Hue(hue(id)));
    }
    if let Some(failed) = view.game.chosen_path() {
        failed_picture(&mut list, failed);
    }
    list
}

/// Returns the index of a hue. It depends on all 64 bits of `id`, because engines often store index and generation in
/// different halves.
fn hue(id: u64) -> u32 {
    u32::try_from(id % u64::from(u32::MAX)).unwrap_or(0)
}

fn agent_picture(list: &mut DrawList, agent: &GameAgent, usual: [f32; 2], paint: Paint) {
    let [radius, height] = usual;
    let size = [agent.radius.unwrap_or(radius), agent.height.unwrap_or(height)];
    body(list, agent.at, size.map(|size| size.max(SMALLEST)), paint);
    let lift = Vec3::Y * LIFT;
    let mut from = agent.at;
    for &to in &agent.path {
        list.line([from + lift, to + lift], 2.0, paint);
        from = to;
    }
    if !agent.path.is_empty() {
        list.point(from + lift, 6.0, paint);
    }
}

fn failed_picture(list: &mut DrawList, failed: &FailedPath) {
    let [start, end] = failed.ends;
    let lift = Vec3::Y * LIFT;
    list.dashed_line([start + lift, end + lift], 1.5, Paint::Problem);
    list.point(start, 11.0, Paint::Start);
    list.point(end, 11.0, Paint::End);
    if let Some((_, Ok(found))) = &failed.answer {
        for found in found.answer.first.iter().chain(&found.answer.also) {
            list.append(break_picture(found, 2.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, sync::Arc};

    use serde_json::Value;
    use walkable::{
        diagnostic::Phrase,
        explain::Cause,
        query::PathStatus,
        route::{RouteAnswer, RouteBreak},
    };

    use super::*;
    use crate::session::{FoundPath, Session};

    #[test]
    fn agents_paths_and_the_shown_failed_path_are_drawn() {
        let mut session = Session::default();
        let count = |session: &Session| {
            let list = game_picture(&SessionView { session, auto_bake: true });
            (list.lines.len(), list.points.len())
        };
        assert_eq!(count(&session), (0, 0));
        let agent = GameAgent {
            id: 7,
            name: "Guard".to_owned(),
            at: Vec3::ZERO,
            radius: Some(0.0),
            height: None,
            path: Vec::new(),
        };
        let mut agents = session.game.agents.clone();
        agents.change(1, vec![agent.clone()], &[]).unwrap();
        session.game.show_agents(agents.clone());
        let (n_lines, n_points) = count(&session);
        assert!(n_lines > 40 && n_points == 0, "{n_lines}");
        let walking = GameAgent { path: vec![Vec3::X, Vec3::Z], ..agent };
        agents.change(1, vec![walking], &[]).unwrap();
        session.game.show_agents(agents);
        assert_eq!(count(&session), (n_lines + 2, 1));
        session.game.note_failed([Vec3::X, Vec3::Z], Some((1, 7)));
        assert_eq!(count(&session), (n_lines + 2, 1), "it is not shown yet");
        session.game.chosen = Some(1);
        assert_eq!(count(&session), (n_lines + 3, 3));
        let gap = RouteBreak::plain(Cause::Gap, Vec3::X, Phrase::verbatim(""));
        let answer = Arc::new(RouteAnswer { first: Some(gap), ..RouteAnswer::default() });
        let found = FoundPath { status: PathStatus::Partial, answer, reply: Value::Null };
        session.game.failed[0].answer = Some((0, Ok(found)));
        let with_break = count(&session);
        assert!(with_break.0 > n_lines + 3 && with_break.1 > 3, "{with_break:?}");
        session.game.close();
        assert_eq!(count(&session), (0, 0));
    }

    /// Entities of Bevy 0.19 have ids near 2^32, and their generation in the upper half.
    #[test]
    fn agents_with_any_ids_have_different_hues() {
        let ids = [0, 1, 1 << 31, (1 << 32) - 3, (1 << 32) - 2, 1 << 33, (1 << 33) + (1 << 31)];
        let hues: HashSet<_> = ids.into_iter().map(hue).collect();
        assert_eq!(hues.len(), ids.len());
    }
}
