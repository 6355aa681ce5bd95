use crate::{
    bake::{adjacency::Adjacency, chamfer, pulse::Pulse},
    ids::AreaId,
    monitor::{Cancelled, Monitor},
};

/// Makes spans unwalkable that lie less than `radius_vx` cells from the border of walkable ground.
///
/// The border is made of the spans, walkable themselves, that lack a walkable neighbour in one of the four
/// directions; it is at distance 0, so a radius of 1 removes just these.
///
/// Source: Recast, `rcErodeWalkableArea`.
/// Differs: Recast's distances are bytes, so a radius of 128 cells or more wraps around there.
pub(super) fn erode(
    mut areas: Vec<AreaId>,
    adjacency: &Adjacency,
    radius_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Vec<AreaId>, Cancelled> {
    if radius_vx == 0 {
        return Ok(areas);
    }
    let is_inner = |span: usize| {
        let is_walkable = |next: usize| areas.get(next).is_some_and(|area| area.is_walkable());
        is_walkable(span) && adjacency.around(span).into_iter().all(is_walkable)
    };
    let mut pulse = Pulse::new(monitor);
    let distances = chamfer::distances_to(|span| !is_inner(span), adjacency, &mut pulse)?;
    let kept_from = u16::try_from(radius_vx.saturating_mul(2)).unwrap_or(u16::MAX);
    for (area, distance) in areas.iter_mut().zip(distances) {
        pulse.step()?;
        if distance < kept_from {
            *area = AreaId::NULL;
        }
    }
    Ok(areas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bake::{compact::compact, heightfield::tests::field},
        monitor::Unmonitored,
    };

    /// Erodes a picture: `#` is ground, `.` is nothing.
    #[track_caller]
    fn check(before: &str, radius_vx: u32, after: &str) {
        let rows: Vec<_> = before.split_whitespace().collect();
        let cells = rows.join("\n").replace('#', "0-1 ").replace('.', ". ");
        let compacted = compact(&field(&cells), 10, 2, &Unmonitored).unwrap();
        let adjacency = Adjacency::new(&compacted.field, &Unmonitored).unwrap();
        let areas = erode(compacted.areas, &adjacency, radius_vx, &Unmonitored).unwrap();
        let mut left = areas.iter();
        let eroded = before.split_whitespace().map(|row| {
            let cell = |c| {
                if c == '#' && left.next().is_some_and(|a| a.is_walkable()) { '#' } else { '.' }
            };
            row.chars().map(cell).collect::<String>()
        });
        assert_eq!(eroded.collect::<Vec<_>>(), after.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn no_radius_changes_nothing() {
        check("### #.#", 0, "### #.#");
    }

    #[test]
    fn a_radius_of_one_takes_the_border() {
        check("##### ##### ##### ##### #####", 1, "..... .###. .###. .###. .....");
        check("##### ##### ##.## ##### #####", 1, "..... .#.#. ..... .#.#. .....");
    }

    #[test]
    fn corners_are_cut_by_the_diagonal_distance() {
        let square = "####### ####### ####### ####### ####### ####### #######";
        check(square, 2, "....... ....... ..###.. ..###.. ..###.. ....... .......");
        check(square, 3, "....... ....... ....... ...#... ....... ....... .......");
        check(square, 200, "....... ....... ....... ....... ....... ....... .......");
    }

    #[test]
    fn stops_when_told() {
        struct Stop;
        impl Monitor for Stop {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let compacted = compact(&field("0-1"), 10, 2, &Unmonitored).unwrap();
        let adjacency = Adjacency::new(&compacted.field, &Unmonitored).unwrap();
        assert_eq!(erode(compacted.areas, &adjacency, 1, &Stop), Err(Cancelled));
    }
}
