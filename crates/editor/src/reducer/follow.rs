//! Loads the part of a level larger than memory where the camera looks, if the user wants that.

use std::time::Duration;

use web_time::Instant;

use super::{Editor, Tick};
use crate::{
    command::{Command, Group, ViewCommand, requests},
    jobs::work::{JobStatus, Work},
    session::{Look, World},
    task::TaskId,
};

/// Time without a movement after which the camera rests.
const CAMERA_REST: Duration = Duration::from_millis(400);

#[derive(Debug, Default)]
pub(super) struct FollowState {
    /// The camera, and the time when it was moved there.
    rest: Option<(Look, Instant)>,
    /// Whether a part was requested since then.
    is_done: bool,
    /// Whether the part that is being read was requested here, and not by the user.
    loads: bool,
}

impl FollowState {
    /// Records that the user requests a part, if `command` does so.
    pub(super) fn take_command(&mut self, command: &Command) {
        self.loads &= !matches!(
            command,
            Command::Group(Group::View(ViewCommand::WorkAt(_) | ViewCommand::WorkHere))
                | Command::Load(_)
        );
    }

    /// Returns whether the part that was read was requested here; the next one was not.
    pub(super) fn take_loaded(&mut self) -> bool {
        std::mem::take(&mut self.loads)
    }
}

impl Editor {
    fn followed_camera(&self) -> Option<(&World, Look)> {
        let (world, look) = (self.session.world()?, self.session.shown.look?);
        let is_away = world.contains(look.target) && !world.is_in_middle(look.target);
        (self.prefs.part_follows && is_away).then_some((world, look))
    }

    /// Loads the part around the camera's target, if the camera has left the middle of the part, is at rest, and
    /// nothing else is running.
    pub(super) fn follow_camera(&mut self, tick: &Tick) -> Option<Work> {
        let look = self.session.shown.look?;
        if self.follow.rest.is_none_or(|(known, _)| known != look) {
            (self.follow.rest, self.follow.is_done) = (Some((look, tick.now)), false);
        }
        let (_, since) = self.follow.rest?;
        let (_, look) = self.followed_camera()?;
        let session = &self.session;
        let mut others = JobStatus { reads_overview: false, ..tick.jobs.clone() };
        others.running.remove(TaskId::ExportStore.into());
        let is_busy = others.is_busy();
        let is_free = !is_busy && !session.history.in_transaction() && session.preview.is_none();
        let is_resting = tick.now.saturating_duration_since(since) >= CAMERA_REST;
        if self.follow.is_done || !is_free || !is_resting {
            return None;
        }
        let work = requests::work_at(session, look.target);
        (self.follow.is_done, self.follow.loads) = (true, work.is_some());
        work
    }

    /// Returns the time after which the camera rests, if the part would follow it then.
    pub fn next_follow(&self, now: Instant) -> Option<Duration> {
        self.followed_camera()?;
        let (_, since) = self.follow.rest.filter(|_| !self.follow.is_done)?;
        let left = (since + CAMERA_REST).saturating_duration_since(now);
        (left > Duration::ZERO).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        diagnostic::Phrase,
        geom::Aabb,
        level::{LevelKind, generate},
        mesh::ImportOptions,
    };

    use super::*;
    use crate::{
        jobs::open::prepared,
        reducer::{Effect, Event},
        session::LevelSource,
        task::TaskId,
        testing::LOOK,
    };

    /// Returns an editor with the part from 40 to 80 m of a level of 100 m, whose camera looks at the middle of the
    /// part.
    fn editor() -> Editor {
        let mesh = generate(LevelKind::Terrain, 1, 20.0).unwrap().mesh;
        let source = LevelSource::File("world.tri".into());
        let mut level = prepared(mesh, ImportOptions::default(), &source, Vec::new());
        let square =
            |min: f32, max: f32| Aabb::new(Vec3::new(min, 0.0, min), Vec3::new(max, 5.0, max));
        let (bounds, part) = (square(0.0, 100.0), square(40.0, 80.0));
        let around = part.center();
        level.world = Some(World { hash: 1, bounds, n_triangles: 1_000_000, part, around });
        let mut editor = Editor::default();
        editor.prefs.part_follows = true;
        editor.prefs.auto_bake = false;
        editor.session.opened.level = Some(level);
        editor
    }

    /// Moves the camera to `x`, and returns the points around which parts are loaded at these times after that.
    fn loads(editor: &mut Editor, x: f32, millis: &[u64], jobs: &JobStatus) -> Vec<f32> {
        let look = Look { target: Vec3::new(x, 0.0, 60.0), ..LOOK };
        editor.reduce(Event::CameraMoved(look));
        let start = Instant::now();
        let loads = millis.iter().flat_map(|&millis| {
            let now = start + Duration::from_millis(millis);
            editor.reduce(Event::Tick(Tick { now, rest: Duration::ZERO, jobs: jobs.clone() }))
        });
        let around = |effect| match effect {
            Effect::Work(Work::Open(_, _, Some(at))) => Some(at.x),
            _ => None,
        };
        loads.filter_map(around).collect()
    }

    #[test]
    fn the_part_is_loaded_once_where_the_camera_rests() {
        let mut editor = editor();
        let idle = JobStatus::default();
        assert_eq!(loads(&mut editor, 52.0, &[0, 1000], &idle), [0.0; 0], "in the middle half");
        assert_eq!(loads(&mut editor, 75.0, &[0, 100, 300], &idle), [0.0; 0], "it does not rest");
        assert_eq!(loads(&mut editor, 75.5, &[0, 300, 500, 900, 2000], &idle), [75.5]);
        assert_eq!(loads(&mut editor, 120.0, &[0, 1000], &idle), [0.0; 0], "outside the level");
        editor.prefs.part_follows = false;
        assert_eq!(loads(&mut editor, 90.0, &[0, 1000], &idle), [0.0; 0]);
    }

    #[test]
    fn the_part_waits_for_bakes_and_drags() {
        let mut editor = editor();
        let reads_overview = JobStatus { reads_overview: true, ..JobStatus::default() };
        let checks = JobStatus { running: TaskId::Check.into(), ..reads_overview.clone() };
        assert_eq!(loads(&mut editor, 75.0, &[0, 1000], &checks), [0.0; 0]);
        editor.reduce(Event::Command(Command::Begin(Phrase::verbatim("Drag"))));
        assert_eq!(loads(&mut editor, 75.0, &[2000], &reads_overview), [0.0; 0]);
        editor.reduce(Event::Command(Command::Commit));
        assert_eq!(loads(&mut editor, 75.0, &[3000], &reads_overview), [75.0]);
    }

    #[test]
    fn at_an_edge_of_the_level_the_part_ends_with_it() {
        let mut editor = editor();
        let level = editor.session.opened.level.as_mut().unwrap();
        let world = level.world.as_mut().unwrap();
        world.part.max.x = 100.0;
        assert!(world.is_in_middle(Vec3::new(99.0, 0.0, 60.0)));
        assert!(!world.is_in_middle(Vec3::new(99.0, 0.0, 45.0)));
        assert!(!world.is_in_middle(Vec3::new(45.0, 0.0, 60.0)));
    }

    #[test]
    fn the_next_tick_is_requested_for_when_the_camera_rests() {
        let mut editor = editor();
        loads(&mut editor, 75.0, &[0], &JobStatus::default());
        let (_, since) = editor.follow.rest.unwrap();
        assert_eq!(editor.next_follow(since), Some(CAMERA_REST));
        assert_eq!(editor.next_follow(since + CAMERA_REST), None, "it is due");
        editor.prefs.part_follows = false;
        assert_eq!(editor.next_follow(since), None);
    }
}
