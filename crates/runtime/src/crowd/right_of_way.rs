//! Which of two agents goes first at a narrow place.
//!
//! If both share the avoidance there, they block each other: neither can pass the other, and neither goes back. So one of
//! them gives way. Which one depends only on the positions and desired velocities of both, so both agree.

use glam::{Vec2, Vec3Swizzles as _};

use super::{
    Agent,
    mover::{Mover, PathAhead},
};
use crate::geom::from_above::{doubled_area, nearest_on_segment, point_between};

/// A passage narrower than this is narrow, in radii. The navmesh ends a radius before its walls, so three agents fit
/// side by side.
const NARROW: f32 = 6.0;
/// In a narrower passage, two agents that meet cannot pass each other, in radii.
const SINGLE: f32 = 2.2;
/// An agent is before a narrow place if its next corner is not farther than this, in radii.
const BEFORE: f32 = 30.0;
/// Maximum gap, in radii, at which one of two agents gives way: if both go in the same direction, and if they meet.
const GAPS: [f32; 2] = [1.0, 8.0];

impl PathAhead {
    /// Determines the path ahead of an agent from its corners and walls.
    pub(super) fn of(agent: &Agent) -> Self {
        let Agent { position, desired_velocity, params, corners, .. } = agent;
        let direction = desired_velocity.xz();
        let to_corner = match &corners[..] {
            [first, _second, ..] => (first.position - position).xz().length() / params.radius,
            _ => f32::INFINITY,
        };
        // To the left and to the right.
        let mut clear = [f32::INFINITY; 2];
        for [a, b] in agent.boundary.walls() {
            if doubled_area(*position, a, b) < 0.0 {
                continue;
            }
            let nearest = point_between(a, b, nearest_on_segment(*position, a, b).t);
            let away = (nearest - position).xz();
            let side = usize::from(direction.perp_dot(away) > 0.0);
            clear[side] = clear[side].min(away.length());
        }
        Self { to_corner, width: (clear[0] + clear[1]) / params.radius }
    }

    fn is_narrow(self) -> bool {
        self.width < NARROW
    }

    /// Returns whether the agent is in a narrow place or before one.
    fn competes(self) -> bool {
        self.is_narrow() || self.to_corner < BEFORE
    }
}

/// Which of two agents gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RightOfWay {
    /// Both agents do.
    Shared,
    /// The other agent does.
    Own,
    /// This agent does.
    Other,
}

impl RightOfWay {
    /// Determines which of two agents gives way, the first being this one. Each is given with its slot.
    ///
    /// If both go in the same direction, the one nearer to its next corner goes first. If they meet, the one inside the
    /// narrow place does; before it, the one that leaves it, whose next corner is farther.
    pub(super) fn between(agents: [(usize, &Mover); 2]) -> Self {
        let [(own_slot, own), (other_slot, other)] = agents;
        let paths_ahead = [own.path_ahead, other.path_ahead];
        let velocities = [own, other].map(|mover| mover.desired_velocity.xz());
        let meets = velocities[0].dot(velocities[1]) < 0.0;
        let gap = (other.position - own.position).xz().length() - own.radius - other.radius;
        let is_near = gap <= GAPS[usize::from(meets)] * own.radius.max(other.radius);
        if !is_near || !paths_ahead.into_iter().all(PathAhead::competes) {
            return Self::Shared;
        }
        let ranks = [(paths_ahead[0].to_corner, own_slot), (paths_ahead[1].to_corner, other_slot)];
        let is_own = match paths_ahead.map(PathAhead::is_narrow) {
            _ if !meets => ranks[0] < ranks[1],
            [true, true] if paths_ahead.iter().all(|path_ahead| path_ahead.width > SINGLE) => {
                // They can pass each other.
                return Self::Shared;
            }
            // All agents that go in one direction go first.
            [true, true] => {
                let Vec2 { x, y } = velocities[0] - velocities[1];
                (x, y) > (0.0, 0.0)
            }
            [false, false] => ranks[0] > ranks[1],
            [own, _] => own,
        };
        if is_own { Self::Own } else { Self::Other }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;

    fn number(list: &'static [f32]) -> impl Strategy<Value = f32> {
        prop::sample::select(list)
    }

    prop_compose! {
        fn mover()(
            x in -2.0..2.0_f32, z in -2.0..2.0_f32, velocity in [-1..2_i8, -1..2_i8],
            to_corner in number(&[1.0, 5.0, 40.0, f32::INFINITY]), width in number(&[1.0, 4.0, f32::INFINITY]),
        ) -> Mover {
            let [to_x, to_z] = velocity.map(f32::from);
            Mover {
                position: Vec3::new(x, 0.0, z),
                radius: 0.5,
                desired_velocity: Vec3::new(to_x, 0.0, to_z),
                path_ahead: PathAhead { to_corner, width },
                ..Mover::default()
            }
        }
    }

    proptest! {
        #[test]
        fn both_agree_who_goes_first(a in mover(), b in mover()) {
            let [own, other] = [[(3, &a), (8, &b)], [(8, &b), (3, &a)]].map(RightOfWay::between);
            let expected = match own {
                RightOfWay::Shared => RightOfWay::Shared,
                RightOfWay::Own => RightOfWay::Other,
                RightOfWay::Other => RightOfWay::Own,
            };
            prop_assert_eq!(other, expected);
        }
    }

    #[test]
    fn the_one_inside_goes_first_and_the_first_of_a_queue() {
        let mover = |x: f32, to: f32, to_corner: f32, width: f32| Mover {
            position: Vec3::new(x, 0.0, 0.0),
            radius: 0.5,
            desired_velocity: Vec3::new(to, 0.0, 0.0),
            path_ahead: PathAhead { to_corner, width },
            ..Mover::default()
        };
        let between = |a: Mover, b: Mover| RightOfWay::between([(0, &a), (1, &b)]);
        let (inside, before) = (mover(0.0, 1.0, 9.0, 4.0), mover(1.5, -1.0, 3.0, 99.0));
        assert_eq!(between(inside, before), RightOfWay::Own);
        let behind = mover(2.6, -1.0, 5.2, 99.0);
        assert_eq!(between(behind, before), RightOfWay::Other);
        let far_behind = mover(4.0, -1.0, 8.0, 99.0);
        assert_eq!(between(far_behind, before), RightOfWay::Shared);
        let meets_inside = mover(1.2, -1.0, 2.0, 4.0);
        assert_eq!(between(inside, meets_inside), RightOfWay::Shared);
        let [tight, tight_too] = [mover(0.0, 1.0, 9.0, 1.0), mover(1.5, -1.0, 2.0, 1.0)];
        assert_eq!(between(tight, tight_too), RightOfWay::Own);
        let open = mover(1.5, -1.0, f32::INFINITY, f32::INFINITY);
        assert_eq!(between(inside, open), RightOfWay::Shared);
    }
}
