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

    /// Returns the value, negated if larger values are better.
    fn cost(self, result: &SweepResult) -> f64 {
        match self {
            Self::Min(measure) => result.get(measure),
            Self::Max(measure) => -result.get(measure),
        }
    }
}

/// Returns for each result whether it is on the Pareto front: no other result is at least as good in all goals and better
/// in one. A failed bake, `None`, is not on it. Without goals, no result beats another.
pub fn pareto_front(results: &[Option<SweepResult>], goals: &[SweepGoal]) -> Vec<bool> {
    let cost = |result: &SweepResult| goals.iter().map(|goal| goal.cost(result)).collect();
    let costs: Vec<Option<Vec<f64>>> =
        results.iter().map(|result| result.as_ref().map(cost)).collect();
    let is_better = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
    };
    let is_best = |own: &Vec<f64>| !costs.iter().flatten().any(|other| is_better(other, own));
    costs.iter().map(|own| own.as_ref().is_some_and(is_best)).collect()
}
