//! The changes that the user made to the query filter of the path tool.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use walkable::query::{Filter, SearchRules};

use super::{COSTS, ENTERING_COSTS};

/// The query filter of the path tool, as differences from the filter that the costs of all areas give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathFilter {
    /// Include flags: a polygon must have at least one of them.
    pub include_flags: u16,
    /// Exclude flags: a polygon must have none of them.
    pub exclude_flags: u16,
    /// Costs per meter that replace those of areas.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub costs: BTreeMap<u8, f32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub entering_costs: BTreeMap<u8, f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic_scale: Option<f32>,
    /// Maximum cost of a path; unlimited if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_limit: Option<f32>,
    /// Whether the heuristic is multiplied by the lowest cost of any area.
    pub expects_cheapest_area: bool,
    /// Whether the search never reopens a polygon of its closed list.
    pub skips_closed: bool,
    /// Whether the search moves the entry point of a polygon when it finds a cheaper way to it.
    pub moves_entries: bool,
}

impl Default for PathFilter {
    fn default() -> Self {
        Self {
            include_flags: 0xffff,
            exclude_flags: 0,
            costs: BTreeMap::new(),
            entering_costs: BTreeMap::new(),
            heuristic_scale: None,
            cost_limit: None,
            expects_cheapest_area: false,
            skips_closed: false,
            moves_entries: false,
        }
    }
}

impl PathFilter {
    pub fn is_unchanged(&self) -> bool {
        *self == Self::default()
    }

    pub fn difference(filter: &Filter, base: &Filter) -> Self {
        let changed = |costs: &[f32], of_areas: &[f32]| {
            let costs = (0..).zip(costs.iter().zip(of_areas));
            let changed = costs.filter(|(_, (own, of_area))| own.to_bits() != of_area.to_bits());
            changed.map(|(area, (&own, _))| (area, own)).collect()
        };
        let (rules, usual) = (&filter.rules, &base.rules);
        let scale = rules.heuristic_scale;
        Self {
            include_flags: filter.include_flags,
            exclude_flags: filter.exclude_flags,
            costs: changed(&filter.area_cost, &base.area_cost),
            entering_costs: changed(&rules.entering_cost, &usual.entering_cost),
            heuristic_scale: (scale.to_bits() != usual.heuristic_scale.to_bits()).then_some(scale),
            cost_limit: rules.cost_limit.is_finite().then_some(rules.cost_limit),
            expects_cheapest_area: rules.expects_cheapest_area,
            skips_closed: rules.skips_closed,
            moves_entries: rules.moves_entries,
        }
    }

    /// Returns `base` with the changes. Costs are clamped to their limits.
    pub fn over(&self, base: &Filter) -> Filter {
        let mut filter = Filter {
            include_flags: self.include_flags,
            exclude_flags: self.exclude_flags,
            rules: SearchRules {
                heuristic_scale: self.heuristic_scale.unwrap_or(base.rules.heuristic_scale),
                cost_limit: self.cost_limit.unwrap_or(f32::INFINITY),
                expects_cheapest_area: self.expects_cheapest_area,
                skips_closed: self.skips_closed,
                moves_entries: self.moves_entries,
                ..base.rules.clone()
            },
            ..base.clone()
        };
        let set = |costs: &mut [f32], own: &BTreeMap<u8, f32>, [least, most]: [f32; 2]| {
            for (&area, &cost) in own {
                if let Some(known) = costs.get_mut(usize::from(area)) {
                    *known = cost.clamp(least, most);
                }
            }
        };
        set(&mut filter.area_cost, &self.costs, COSTS);
        set(&mut filter.rules.entering_cost, &self.entering_costs, ENTERING_COSTS);
        filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_give_the_filter_again_over_other_costs() {
        let base = Filter::default();
        assert!(PathFilter::difference(&base, &base).is_unchanged());
        assert_eq!(PathFilter::default().over(&base), base);
        let mut filter = Filter { exclude_flags: 4, ..base.clone() };
        filter.area_cost[2] = 7.0;
        filter.rules.entering_cost[3] = 2.0;
        (filter.rules.cost_limit, filter.rules.heuristic_scale) = (50.0, 0.5);
        (filter.rules.skips_closed, filter.rules.moves_entries) = (true, true);
        let changes = PathFilter::difference(&filter, &base);
        assert_eq!(changes.over(&base), filter);
        let text = serde_json::to_string(&changes).unwrap();
        assert_eq!(serde_json::from_str::<PathFilter>(&text).unwrap(), changes);
        let mut water = base;
        water.area_cost[1..3].fill(10.0);
        assert_eq!(changes.over(&water).area_cost[..4], [1.0, 10.0, 7.0, 1.0]);
        let wild = PathFilter { costs: [(1, 0.0), (200, 3.0)].into(), ..PathFilter::default() };
        assert_eq!(wild.over(&Filter::default()).area_cost[1].to_bits(), COSTS[0].to_bits());
    }
}
