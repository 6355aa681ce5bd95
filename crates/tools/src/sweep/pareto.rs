//! The results of a sweep that no other result beats.

use super::{SweepMeasure, SweepResult};

/// A measure to make small or large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepGoal {
    /// Smaller values are better.
    Min(SweepMeasure),
    /// Larger values are better.
    Max(SweepMeasure),
}

impl SweepGoal {
    /// Parses `min:MEASURE` or `max:MEASURE`, with a name of [`SweepMeasure::key`]; `None` for another text.
    pub fn parse(text: &str) -> Option<Self> {
        let (direction, key) = text.split_once(':')?;
        let measure = SweepMeasure::ALL.into_iter().find(|measure| measure.key() == key)?;
        match direction {
            "min" => Some(Self::Min(measure)),
            "max" => Some(Self::Max(measure)),
            _ => None,
        }
    }

    /// Returns the usual goal for a measure: more ground and passed tests are better, and less of everything else.
    pub const fn usual(measure: SweepMeasure) -> Self {
        match measure {
            SweepMeasure::Ground | SweepMeasure::Passed => Self::Max(measure),
            SweepMeasure::Islands
            | SweepMeasure::Polygons
            | SweepMeasure::Bytes
            | SweepMeasure::Seconds
            | SweepMeasure::MeanDistance
            | SweepMeasure::MaxDistance
            | SweepMeasure::Failed => Self::Min(measure),
        }
    }

    /// Returns the value, negated if larger values are better.
    fn cost(self, result: &SweepResult) -> Option<f64> {
        match self {
            Self::Min(measure) => result.get(measure),
            Self::Max(measure) => result.get(measure).map(|value| -value),
        }
    }
}

/// Returns for each result whether it is on the Pareto front: no other result is at least as good in all goals and
/// better in one. A failed bake (`None`) is not on the front, and neither is a result without one of the measures.
/// Without goals, no result beats another.
pub fn pareto_front(results: &[Option<SweepResult>], goals: &[SweepGoal]) -> Vec<bool> {
    let cost = |result: &SweepResult| goals.iter().map(|goal| goal.cost(result)).collect();
    let costs: Vec<Option<Vec<f64>>> =
        results.iter().map(|result| result.as_ref().and_then(cost)).collect();
    let is_better = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
    };
    let mut order: Vec<(usize, &[f64])> = Vec::new();
    order.extend(
        costs.iter().enumerate().filter_map(|(index, own)| Some((index, &**own.as_ref()?))),
    );
    // In this order, a result comes after all results that beat it, so it is compared with the front so far.
    order.sort_by(|(_, a), (_, b)| {
        let differing = a.iter().zip(*b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        differing.unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut is_best = vec![false; results.len()];
    let mut front: Vec<&[f64]> = Vec::new();
    for (index, own) in order {
        if !front.iter().any(|other| is_better(other, own)) {
            is_best[index] = true;
            if front.last() != Some(&own) {
                front.push(own);
            }
        }
    }
    is_best
}

/// Returns the index of the best result for a suite of path tests: among the results that pass all tests, the one with
/// the fewest bytes, then the fewest polygons, then the shortest bake; the first one if several are equal.
pub fn best_for_suite(results: &[Option<SweepResult>]) -> Option<usize> {
    let passed = results.iter().enumerate();
    let passed = passed.filter_map(|(index, result)| Some((index, result.as_ref()?)));
    let passed = passed.filter(|(_, result)| result.is_suite_passed());
    let best = passed.min_by(|(_, a), (_, b)| {
        let sizes = |result: &SweepResult| (result.bytes, result.polygons);
        sizes(a).cmp(&sizes(b)).then(a.seconds.total_cmp(&b.seconds))
    });
    best.map(|(index, _)| index)
}
