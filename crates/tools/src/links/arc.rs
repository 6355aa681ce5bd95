use glam::Vec3;

use super::LinkSettings;

/// Number of points of each part of an arc.
const N_POINTS: u8 = 16;

/// Returns the positions of the agent's feet from `start` to `end`, including both.
///
/// A jump is a parabola above the line between its ends, [`LinkSettings::rise`] higher in the middle. If the height
/// difference of the ends exceeds [`LinkSettings::step`], the body must clear the ledge before it descends. In that
/// case the descent is a parabola that starts two radii away from the higher end (one radius from the edge of the
/// navmesh to the ledge, one for the body), or straight above the lower end if that is nearer.
pub fn arc(start: Vec3, end: Vec3, settings: &LinkSettings) -> Vec<Vec3> {
    if start.y < end.y {
        let mut points = arc(end, start, settings);
        points.reverse();
        return points;
    }
    let across = (end - start).with_y(0.0);
    let reach = across.length();
    let drop = start.y - end.y;
    let is_ledge = drop > settings.step;
    let clear = if is_ledge { (2.0 * settings.radius).min(reach) } else { 0.0 };
    let at = |along: f32, y: f32| {
        let share = if reach > 0.0 { along / reach } else { 1.0 };
        let risen = 4.0 * settings.rise * share * (1.0 - share);
        (start + across * share).with_y(y + risen)
    };
    let mut points = Vec::with_capacity(2 * usize::from(N_POINTS));
    let share = |i: u8| f32::from(i) / f32::from(N_POINTS);
    if is_ledge {
        points.extend((0..N_POINTS).map(|i| at(clear * share(i), start.y)));
    }
    for i in 0..N_POINTS {
        let t = share(i);
        let fallen = if is_ledge { t * t * drop } else { t * drop };
        points.push(at(clear + (reach - clear) * t, start.y - fallen));
    }
    points.push(end);
    points
}
