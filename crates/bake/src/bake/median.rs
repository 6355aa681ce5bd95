use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{RawArea, adjacency::Adjacency, pulse::Pulse};

/// Sets the area of every walkable span to the median of its own area and those of its eight neighbors.
///
/// A neighbor that is missing or not walkable counts with the span's own area, so ground is neither added nor removed.
/// A diagonal neighbor is reached by a step in a direction and a step in the next direction.
///
/// Source: Recast, `rcMedianFilterWalkableArea`.
pub(super) fn median(
    areas: &[RawArea],
    adjacency: &Adjacency,
    monitor: &dyn Monitor,
) -> Result<Vec<RawArea>, Cancelled> {
    let mut pulse = Pulse::new(monitor);
    let mut filtered = Vec::with_capacity(areas.len());
    for (span, &own) in areas.iter().enumerate() {
        pulse.step()?;
        filtered.push(if own.is_walkable() { middle(areas, adjacency, span) } else { own });
    }
    Ok(filtered)
}

/// Number of spans in the neighborhood: eight neighbors and the span itself.
const NEIGHBORHOOD: usize = 9;

/// Returns the median of the areas around `span`, by number.
fn middle(areas: &[RawArea], adjacency: &Adjacency, span: usize) -> RawArea {
    let mut around = [areas[span]; NEIGHBORHOOD];
    let mut see = |slot: usize, seen: usize| {
        if areas[seen].is_walkable() {
            around[slot] = areas[seen];
        }
    };
    for (index, dir) in Dir::ALL.into_iter().enumerate() {
        let Some(side) = adjacency.step(span, dir) else { continue };
        see(2 * index, side);
        if let Some(diagonal) = adjacency.step(side, dir.next()) {
            see(2 * index + 1, diagonal);
        }
    }
    around.sort_unstable();
    around[NEIGHBORHOOD / 2]
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{compact::compact, heightfield::tests::field};

    /// Filters ground drawn as text: digits are areas of level ground, `.` is nothing.
    #[track_caller]
    fn check(before: &str, after: &str) {
        let rows: Vec<_> = before.split_whitespace().collect();
        let cell = |c: char| if c == '.' { ". " } else { "0-1 " };
        let rows_of_cells: Vec<_> =
            rows.iter().map(|row| row.chars().map(cell).collect::<String>()).collect();
        let compacted = compact(&field(&rows_of_cells.join("\n")), 10, 2, &Unmonitored).unwrap();
        let digit = |c: char| c.to_digit(10).and_then(|d| u8::try_from(d).ok());
        let areas: Vec<_> = before.chars().filter_map(digit).map(RawArea).collect();
        let mut left =
            median(&areas, &compacted.field.adjacency, &Unmonitored).unwrap().into_iter();
        let filtered = before.chars().map(|c| match digit(c) {
            Some(_) => left.next().unwrap().0.to_string(),
            None => c.to_string(),
        });
        assert_eq!(filtered.collect::<String>(), after);
    }

    #[test]
    fn specks_and_single_notches_go() {
        check("555 525 555", "555 555 555");
        check("2222 2255 2222", "2222 2225 2222");
        check("225 225 225", "225 225 225");
    }

    #[test]
    fn missing_and_unwalkable_neighbors_count_as_the_span_itself() {
        check("5 2", "5 2");
        check("5.5 .2. 5.5", "5.5 .2. 5.5");
        check("000 020 000", "000 020 000");
        check("505 025 555", "505 055 555");
    }

    #[test]
    fn a_diagonal_needs_a_side_step_before_it() {
        // The center reaches the lower right over the cell below it, not over the one to its right.
        check("225 252 522", "225 222 522");
        check("225 252 5.2", "225 252 5.2");
    }
}
