//! Area costs of a path.

pub use walkable::bake::{Area, AreaTable, COSTS, ENTERING_COSTS, FlagName, Rgb};
use walkable::query::Filter;

/// Replaces the costs of `before` in `filter` by the costs of `areas`. Costs that differ from `before` were changed by
/// hand, and stay.
pub fn follow_costs(areas: &AreaTable, before: &AreaTable, filter: &mut Filter) {
    let set = |cost: &mut f32, [old, new]: [f32; 2], [least, most]: [f32; 2]| {
        if old.to_bits() == cost.to_bits() && new.is_finite() {
            *cost = new.clamp(least, most);
        }
    };
    for (id, cost) in (0..).zip(&mut filter.area_cost) {
        set(cost, [before.area(id).cost, areas.area(id).cost], COSTS);
    }
    for (id, cost) in (0..).zip(&mut filter.rules.entering_cost) {
        let costs = [before, areas].map(|table| table.area(id).entering_cost);
        set(cost, costs, ENTERING_COSTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_the_table_unless_they_were_changed_by_hand() {
        let before = AreaTable::default();
        let after = |cost, entering_cost| {
            let area = before.area(1);
            before
                .with(1, Area { cost, entering_cost, ..area.clone() })
                .with(2, Area { cost, ..area })
        };
        let mut filter = Filter::default();
        filter.area_cost[2] = 7.0;
        follow_costs(&after(10.0, 3.0), &before, &mut filter);
        assert_eq!(filter.area_cost[..3], [1.0, 10.0, 7.0]);
        assert_eq!(filter.rules.entering_cost[..3], [0.0, 3.0, 0.0]);
        follow_costs(&after(f32::NAN, -3.0), &after(10.0, 3.0), &mut filter);
        assert_eq!(filter.area_cost[..3], [1.0, 10.0, 7.0]);
        assert!(filter.rules.entering_cost[1].abs() < 1e-6);
    }
}
