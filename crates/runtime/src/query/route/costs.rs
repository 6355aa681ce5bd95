//! Costs as whole numbers: a sum does not depend on the order in which it is computed, so routes through an overlay
//! cost the same as those of a search over all crossings.

use glam::Vec3;

use crate::{
    ids::AreaId,
    query::{Filter, QueryError},
};

/// A cost in [`PER_METER`]ths of a meter of area cost 1.
pub(super) type Cost = i32;

pub(super) const PER_METER: f64 = 1024.0;
/// Largest cost of a route.
pub(super) const MAX_COST: Cost = (1 << 29) - 1;
/// The cost of an unreachable point. Two costs up to this one can be added without an overflow, and the sum is at least
/// `UNREACHED` if one of them is.
pub(super) const UNREACHED: Cost = 1 << 30;

/// The costs of a filter.
#[derive(Clone, Debug)]
pub(super) struct FilterCosts {
    per_meter: [f64; AreaId::COUNT],
    entering: [Cost; AreaId::COUNT],
    /// The lowest cost per meter.
    lowest: f64,
}

impl FilterCosts {
    pub(super) fn new(filter: &Filter) -> Result<Self, QueryError> {
        filter.check()?;
        let per_meter = filter.area_cost.map(|cost| f64::from(cost) * PER_METER);
        let entering =
            filter.rules.entering_cost.map(|cost| rounded_up(f64::from(cost) * PER_METER));
        let lowest = per_meter.iter().copied().fold(f64::INFINITY, f64::min);
        Ok(Self { per_meter, entering, lowest })
    }

    /// Returns the cost of a straight line within a polygon. It is never zero, so that a route never returns to a point
    /// at the same cost.
    pub(super) fn line_cost(&self, from: Vec3, to: Vec3, area: AreaId) -> Cost {
        let per_meter = self.per_meter[usize::from(area.0) % AreaId::COUNT];
        rounded_up(distance(from, to) * per_meter).max(1)
    }

    /// Returns the cost of passing from one area into another.
    pub(super) fn entering(&self, from: AreaId, to: AreaId) -> Cost {
        if from == to { 0 } else { self.entering[usize::from(to.0) % AreaId::COUNT] }
    }

    /// Returns whether the cost of a path through a few tiles may be too high to be stored.
    pub(super) fn are_high(&self) -> bool {
        const HIGH: f64 = 100.0 * PER_METER;
        self.per_meter.iter().any(|&cost| cost > HIGH)
            || self.entering.iter().any(|&cost| f64::from(cost) > HIGH)
    }

    /// Returns a lower bound of the cost of any path between two points.
    pub(super) fn estimate(&self, from: Vec3, to: Vec3) -> Cost {
        /// Covers the rounding of distances.
        const SLIGHTLY_LESS: f64 = 1.0 - 1e-9;
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let cost = (distance(from, to) * self.lowest * SLIGHTLY_LESS) as Cost;
        cost.min(MAX_COST)
    }
}

fn distance(from: Vec3, to: Vec3) -> f64 {
    from.as_dvec3().distance(to.as_dvec3())
}

fn rounded_up(cost: f64) -> Cost {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let cost = cost.ceil() as Cost;
    cost.min(MAX_COST)
}

/// Converts a cost to meters of area cost 1.
pub(super) fn in_meters(cost: Cost) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "a cost is reported as other queries do")]
    let meters = (f64::from(cost) / PER_METER) as f32;
    meters
}

/// Returns the sum of two costs; [`UNREACHED`] if it is too high for a route.
pub(super) fn sum(a: Cost, b: Cost) -> Cost {
    let sum = a.saturating_add(b);
    if sum > MAX_COST { UNREACHED } else { sum }
}
