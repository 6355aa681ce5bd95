//! Short labels for obstacles, for markers and lists.

use walkable_runtime::{
    diagnostic::{ArgumentValue, Phrase},
    phrase,
};

use super::RouteBreak;
use crate::explain::{Cause, Measure, MeasureUnit, degrees, meters};

impl RouteBreak {
    /// Returns the kind of the obstacle, its measure and the limit, such as "step 0.62 m, climb 0.5 m".
    pub fn label(&self) -> Phrase {
        let name = self.cause.name();
        if matches!(self.cause, Cause::StartOffMesh | Cause::EndOffMesh) {
            // The measure describes why the point is off the navmesh.
            return name;
        }
        let Some(Measure { measured: Some(measured), limit, unit }) = self.measure else {
            return name;
        };
        let value = |number: f32| match unit {
            MeasureUnit::Meters => meters(number),
            MeasureUnit::Degrees => degrees(number),
            MeasureUnit::Nodes => ArgumentValue::Text(number.to_string()),
            MeasureUnit::Cells => ArgumentValue::Text(format!("{number} cells")),
        };
        let measured = value(measured);
        let Some((limit, limit_name)) = limit.map(value).zip(self.cause.limit_name()) else {
            return phrase!("{name} {measured}", name, measured);
        };
        phrase!("{name} {measured}, {limit_name} {limit}", name, measured, limit_name, limit)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[track_caller]
    fn check(cause: Cause, measure: Option<[f32; 2]>, unit: MeasureUnit, expected: &str) {
        let measure = measure.map(|[measured, limit]| Measure {
            measured: Some(measured),
            limit: Some(limit),
            unit,
        });
        let plain = RouteBreak::plain(cause, Vec3::ZERO, Phrase::verbatim(""));
        assert_eq!(RouteBreak { measure, ..plain }.label().to_string(), expected);
    }

    #[test]
    fn a_label_names_the_obstacle_its_measure_and_the_limit() {
        check(Cause::Step, Some([0.62, 0.5]), MeasureUnit::Meters, "step 0.62 m, climb 0.5 m");
        check(
            Cause::TooSteep,
            Some([47.26, 45.0]),
            MeasureUnit::Degrees,
            "slope 47.3°, limit 45.0°",
        );
        check(Cause::Gap, Some([1.5, 0.0]), MeasureUnit::Meters, "gap 1.5 m");
        check(Cause::Volume, None, MeasureUnit::Meters, "volume");
        check(Cause::EndOffMesh, Some([0.3, 0.6]), MeasureUnit::Meters, "end off the navmesh");
        check(Cause::NodeLimit, Some([70.0, 64.0]), MeasureUnit::Nodes, "nodes 70, limit 64");
    }
}
