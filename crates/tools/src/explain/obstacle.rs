//! A problem at a place or on a path.

use serde::{Serialize, Serializer};
use walkable_runtime::{diagnostic::Phrase, stage::Stage};

use super::{
    cause::Cause,
    measure::{Measure, MeasureFields},
    rungs::Remedy,
};

/// A problem, and the settings that may fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// The kind of problem.
    pub cause: Cause,
    /// The bake stage that caused the problem, if a stage did.
    pub stage: Option<Stage>,
    /// The measured value and its limit, if the problem has one.
    pub measure: Option<Measure>,
    /// A description of the problem, as one clause.
    pub text: Phrase,
    /// Settings to try, the most likely remedy first.
    pub remedies: Vec<Remedy>,
}

impl Serialize for Obstacle {
    /// Writes an object with `cause`, `stage`, `measured`, `limit`, `unit` and `text`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            cause: Cause,
            stage: Option<Stage>,
            #[serde(flatten)]
            measure: MeasureFields,
            text: &'a Phrase,
        }
        let Self { cause, stage, measure, ref text, remedies: _ } = *self;
        Fields { cause, stage, measure: measure.into(), text }.serialize(serializer)
    }
}
