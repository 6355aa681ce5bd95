//! Pointer events in the view, as plain numbers for tools.

use glam::Vec3;
use walkable::geom::Ray;

/// The kind of a pointer event. A press is followed by drags, a release and, if the pointer did not move, a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// The pointer is over the view, no button down. Once a frame.
    Hover,
    Press,
    /// The pointer moved with the button down, far enough not to be a click. Once a frame.
    Drag,
    Release,
    Click,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerButton {
    /// Left, for tools. [`PointerKind::Hover`] events have it as well.
    Primary,
    /// Right: only its clicks are events, its drags look around.
    Secondary,
    /// Wheel: only its clicks are events, its drags turn the view.
    Middle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointerModifiers {
    pub shift: bool,
    /// Control, Command on a Mac.
    pub command: bool,
    pub alt: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    pub kind: PointerKind,
    pub button: PointerButton,
    pub modifiers: PointerModifiers,
    /// The line of sight under the pointer.
    pub ray_in_world: Ray,
    /// The point where that line meets the level or, without a level, the navmesh.
    pub hit: Option<Vec3>,
    pub triangle: Option<u32>,
    /// The rectangle between the press and the pointer. Only drags and releases have one.
    pub frame: Option<ViewFrame>,
}

/// A rectangle of the view, as the part of space that is seen in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewFrame {
    /// The lines of sight through the corners, in order around the rectangle.
    corners: [Ray; 4],
}

impl ViewFrame {
    pub const fn new(corners: [Ray; 4]) -> Self {
        Self { corners }
    }

    /// Returns whether `point` is seen inside the rectangle. Nothing is inside an empty rectangle.
    pub fn holds(&self, point: Vec3) -> bool {
        let ends = self.corners.map(|ray| ray.origin + ray.direction);
        let inside = ends.iter().sum::<Vec3>() * 0.25;
        let next = ends.iter().cycle().skip(1);
        self.corners.iter().zip(next).all(|(ray, next)| {
            // The side of the frame lies in the plane of the line of sight and the next corner.
            let normal = (next - ray.origin).cross(ray.direction);
            let side = |point: Vec3| (point - ray.origin).dot(normal);
            side(point) * side(inside) > 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of the square from −1 to 1 at a distance of 5 m in the direction of −z.
    const CORNERS: [Vec3; 4] = [
        Vec3::new(-1.0, -1.0, -5.0),
        Vec3::new(1.0, -1.0, -5.0),
        Vec3::new(1.0, 1.0, -5.0),
        Vec3::new(-1.0, 1.0, -5.0),
    ];

    #[test]
    fn a_frame_holds_what_is_seen_in_it() {
        let eye = Vec3::new(3.0, 2.0, 4.0);
        let from_eye = |corner: Vec3| Ray { origin: eye, direction: corner.normalize_or_zero() };
        let seen = ViewFrame::new(CORNERS.map(from_eye));
        for (at, is_in) in [
            (Vec3::new(0.0, 0.0, -5.0), true),
            (Vec3::new(1.9, 0.0, -10.0), true),
            (Vec3::new(1.9, 0.0, -5.0), false),
            (Vec3::new(0.0, -1.1, -5.0), false),
            (Vec3::new(0.0, 0.0, 5.0), false),
        ] {
            assert_eq!(seen.holds(eye + at), is_in, "{at}");
        }
        let parallel = |corner: Vec3| Ray { origin: eye + corner, direction: Vec3::NEG_Z };
        let seen = ViewFrame::new(CORNERS.map(parallel));
        for (at, is_in) in [
            (Vec3::new(0.9, -0.9, -40.0), true),
            (Vec3::new(1.1, 0.0, -40.0), false),
            (Vec3::new(0.0, 1.1, -6.0), false),
        ] {
            assert_eq!(seen.holds(eye + at), is_in, "parallel: {at}");
        }
    }

    #[test]
    fn an_empty_frame_holds_nothing() {
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::NEG_Z };
        assert!(!ViewFrame::new([ray; 4]).holds(Vec3::new(0.0, 0.0, -3.0)));
    }
}
