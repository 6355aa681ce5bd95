use serde::{Deserialize, Serialize};

use super::SearchRules;
use crate::{ids::AreaId, navmesh::Poly};

/// The polygons that may be used, and their costs. The default equals Detour's; [`SearchRules`] has options that Detour
/// lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// A polygon passes only with at least one of these flags.
    pub include_flags: u16,
    /// A polygon with any of these flags does not pass.
    pub exclude_flags: u16,
    /// Cost per meter of each area. With costs below 1, searches can miss the cheapest path, unless
    /// [`SearchRules::expects_cheapest_area`] is set.
    #[serde(with = "super::as_list::costs")]
    pub area_cost: [f32; AreaId::COUNT],
    /// Search settings.
    pub rules: SearchRules,
}

impl Default for Filter {
    /// Accepts all polygons that have any flag, each with cost 1 per meter.
    fn default() -> Self {
        Self {
            include_flags: 0xffff,
            exclude_flags: 0,
            area_cost: [1.0; AreaId::COUNT],
            rules: SearchRules::default(),
        }
    }
}

impl Filter {
    /// Returns whether a polygon may be used.
    pub fn passes(&self, poly: &Poly) -> bool {
        self.passes_flags(poly.flags)
    }

    /// Returns whether a polygon with these flags may be used.
    #[inline]
    pub(crate) fn passes_flags(&self, flags: u16) -> bool {
        flags & self.include_flags != 0 && flags & self.exclude_flags == 0
    }

    /// Returns the cost per meter of a polygon.
    pub(crate) fn cost_per_meter(&self, poly: &Poly) -> f32 {
        self.cost_in(poly.area)
    }

    /// Returns the cost per meter in an area.
    #[inline]
    pub(crate) fn cost_in(&self, area: AreaId) -> f32 {
        self.area_cost[usize::from(area.0) % AreaId::COUNT]
    }
}
