use walkable_runtime::monitor::{Cancelled, Monitor};

use crate::bake::{
    RawArea,
    adjacency::{Adjacency, EitherLinks, Links, SpanIndex},
    chamfer,
    pulse::Pulse,
};

/// Makes spans unwalkable that are less than `radius_vx` cells from the border of the walkable ground.
///
/// The border consists of the walkable spans without a walkable neighbor in one of the four directions. It has distance
/// 0, so a radius of 1 removes only the border.
///
/// Source: Recast, `rcErodeWalkableArea`.
/// Differs: Recast's distances are bytes, in which a radius of 128 cells or more wraps around.
pub(super) fn erode(
    areas: Vec<RawArea>,
    adjacency: &Adjacency,
    radius_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Vec<RawArea>, Cancelled> {
    if radius_vx == 0 {
        return Ok(areas);
    }
    BorderDistances::measure(&areas, adjacency, monitor)?.erode(areas, radius_vx, monitor)
}

/// The distance of each span to the border of the walkable ground, in half cells.
pub(super) struct BorderDistances(Vec<u16>);

impl BorderDistances {
    pub(super) fn measure(
        areas: &[RawArea],
        adjacency: &Adjacency,
        monitor: &dyn Monitor,
    ) -> Result<Self, Cancelled> {
        match adjacency.links() {
            EitherLinks::Narrow(links) => distances(areas, links, monitor),
            EitherLinks::Wide(links) => distances(areas, links, monitor),
        }
        .map(Self)
    }

    /// Makes spans unwalkable that are less than `radius_vx` cells from the border.
    pub(super) fn erode(
        &self,
        mut areas: Vec<RawArea>,
        radius_vx: u32,
        monitor: &dyn Monitor,
    ) -> Result<Vec<RawArea>, Cancelled> {
        let mut pulse = Pulse::new(monitor);
        let kept_from = u16::try_from(radius_vx.saturating_mul(2)).unwrap_or(u16::MAX);
        for (area, &distance) in areas.iter_mut().zip(&self.0) {
            pulse.step()?;
            if distance < kept_from {
                *area = RawArea::NULL;
            }
        }
        Ok(areas)
    }
}

fn distances<I: SpanIndex>(
    areas: &[RawArea],
    links: Links<'_, I>,
    monitor: &dyn Monitor,
) -> Result<Vec<u16>, Cancelled> {
    let is_inner = |span: usize| {
        let is_walkable = |next: usize| areas.get(next).is_some_and(|area| area.is_walkable());
        is_walkable(span) && links.around(span).into_iter().all(is_walkable)
    };
    chamfer::distances_to(|span| !is_inner(span), links, &mut Pulse::new(monitor))
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{compact::compact, heightfield::tests::field};

    /// Erodes ground drawn as text: `#` is ground, `.` is nothing.
    #[track_caller]
    fn check(before: &str, radius_vx: u32, after: &str) {
        let rows: Vec<_> = before.split_whitespace().collect();
        let cells = rows.join("\n").replace('#', "0-1 ").replace('.', ". ");
        let compacted = compact(&field(&cells), 10, 2, &Unmonitored).unwrap();
        let areas =
            erode(compacted.areas, &compacted.field.adjacency, radius_vx, &Unmonitored).unwrap();
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

    /// Returns the distance of every cell of a square of ground with holes to the nearest border cell in half cells, by
    /// definition: the minimum over the border cells of twice the longer plus once the shorter distance along x and z.
    /// No hole may be between a cell and its nearest border cell.
    fn nearest_border(side: i32, is_hole: impl Fn(i32, i32) -> bool) -> Vec<i32> {
        let is_ground = |x, z| (0..side).contains(&x) && (0..side).contains(&z) && !is_hole(x, z);
        let is_border = |x, z| {
            let around = [(-1, 0), (1, 0), (0, -1), (0, 1)];
            is_ground(x, z) && !around.into_iter().all(|(dx, dz)| is_ground(x + dx, z + dz))
        };
        let cells = || (0..side).flat_map(|z| (0..side).map(move |x| (x, z)));
        let borders: Vec<_> = cells().filter(|&(x, z)| is_border(x, z)).collect();
        let way = |(x, z): (i32, i32), (other_x, other_z): (i32, i32)| {
            let [dx, dz] = [(x - other_x).abs(), (z - other_z).abs()];
            2 * dx.max(dz) + dx.min(dz)
        };
        cells()
            .filter(|&(x, z)| is_ground(x, z))
            .map(|cell| borders.iter().map(|&border| way(cell, border)).min().unwrap())
            .collect()
    }

    #[test]
    fn a_radius_beyond_a_byte_erodes_as_its_definition_says() {
        const SIDE: i32 = 290;
        let is_hole = |x: i32, z: i32| (x, z) == (10, 20) || (x - 280).abs() + (z - 270).abs() < 3;
        let cell = |(x, z)| if is_hole(x, z) { ". " } else { "0-1 " };
        let row = |z| (0..SIDE).map(|x| cell((x, z))).collect::<String>();
        let rows: Vec<_> = (0..SIDE).map(row).collect();
        let compacted = compact(&field(&rows.join("\n")), 10, 2, &Unmonitored).unwrap();
        let distances = nearest_border(SIDE, is_hole);
        for radius_vx in [100, 127, 128, 130, 144, 145] {
            let areas = compacted.areas.clone();
            let areas = erode(areas, &compacted.field.adjacency, radius_vx, &Unmonitored).unwrap();
            let is_kept = |&half_cells: &i32| i64::from(half_cells) >= 2 * i64::from(radius_vx);
            let kept: Vec<_> = distances.iter().map(is_kept).collect();
            let walkable: Vec<_> = areas.iter().map(|area| area.is_walkable()).collect();
            assert!(walkable == kept, "radius {radius_vx}");
            assert_eq!(kept.contains(&true), radius_vx < 145, "radius {radius_vx}");
        }
    }

    #[test]
    fn stops_when_cancelled() {
        struct Stop;
        impl Monitor for Stop {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let compacted = compact(&field("0-1"), 10, 2, &Unmonitored).unwrap();
        assert_eq!(erode(compacted.areas, &compacted.field.adjacency, 1, &Stop), Err(Cancelled));
    }
}
