//! The measured values of each bake of a sweep.

use serde::{Deserialize, Serialize};
use walkable_bake::bake::BakePlan;
use walkable_runtime::{
    geom::total,
    in_order,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::{Filter, Reachability, islands},
};

use crate::check::surface_distance;

in_order! {
    /// A measured value of a bake.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SweepMeasure {
        /// Area of the ground, in square meters.
        Ground,
        /// Number of islands.
        Islands,
        /// Number of polygons of ground.
        Polygons,
        /// Size of the navmesh as a file, in bytes.
        Bytes,
        /// Time of the bake on one core, in seconds.
        Seconds,
        /// Mean vertical distance of the navmesh from the level, in meters.
        MeanDistance,
        /// Largest vertical distance of the navmesh from the level, in meters.
        MaxDistance,
        /// Number of path tests that pass.
        Passed,
        /// Number of path tests that fail.
        Failed,
    }
}

impl SweepMeasure {
    /// Returns the name in files and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Ground => "ground_m2",
            Self::Islands => "islands",
            Self::Polygons => "polygons",
            Self::Bytes => "bytes",
            Self::Seconds => "seconds",
            Self::MeanDistance => "mean_distance_m",
            Self::MaxDistance => "max_distance_m",
            Self::Passed => "tests_passed",
            Self::Failed => "tests_failed",
        }
    }

    /// Returns the name for display, without the unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ground => "Ground",
            Self::Islands => "Islands",
            Self::Polygons => "Polygons",
            Self::Bytes => "Bytes",
            Self::Seconds => "Seconds",
            Self::MeanDistance => "Mean distance",
            Self::MaxDistance => "Max distance",
            Self::Passed => "Tests passed",
            Self::Failed => "Tests failed",
        }
    }

    /// Returns the unit of the values if it is one of lengths or areas; otherwise an empty text.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Ground => "m²",
            Self::MeanDistance | Self::MaxDistance => "m",
            Self::Islands
            | Self::Polygons
            | Self::Bytes
            | Self::Seconds
            | Self::Passed
            | Self::Failed => "",
        }
    }

    /// Returns the description.
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::Ground => "Area of the ground seen from above",
            Self::Islands => "Number of parts of the navmesh that are not connected",
            Self::Polygons => "Number of polygons of ground",
            Self::Bytes => "Size of the navmesh as a file",
            Self::Seconds => "Time of the bake on one core",
            Self::MeanDistance => "Mean vertical distance of the detail surface from the level",
            Self::MaxDistance => "Largest vertical distance of the detail surface from the level",
            Self::Passed => "Number of path tests that pass",
            Self::Failed => "Number of path tests that fail",
        }
    }

    /// Returns whether only results with path tests have the measure.
    pub const fn is_of_suite(self) -> bool {
        match self {
            Self::Passed | Self::Failed => true,
            Self::Ground
            | Self::Islands
            | Self::Polygons
            | Self::Bytes
            | Self::Seconds
            | Self::MeanDistance
            | Self::MaxDistance => false,
        }
    }
}

/// The measured values of a bake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepResult {
    /// Area of the ground seen from above, in square meters.
    pub ground_m2: f64,
    /// Number of islands.
    pub islands: u32,
    /// Number of polygons of ground.
    pub polygons: u32,
    /// Size of the navmesh as a file, in bytes.
    pub bytes: u32,
    /// Time of the bake on one core, in seconds.
    pub seconds: f64,
    /// Mean vertical distance of the detail surface from the level, in meters.
    pub mean_distance_m: f64,
    /// Largest vertical distance of the detail surface from the level, in meters.
    pub max_distance_m: f64,
    /// Number of path tests that pass; `None` if no tests ran.
    pub tests_passed: Option<u32>,
    /// Number of path tests that fail; `None` if no tests ran.
    pub tests_failed: Option<u32>,
}

impl SweepResult {
    /// Returns one of the values; `None` for results of path tests that did not run.
    pub fn get(&self, measure: SweepMeasure) -> Option<f64> {
        Some(match measure {
            SweepMeasure::Ground => self.ground_m2,
            SweepMeasure::Islands => self.islands.into(),
            SweepMeasure::Polygons => self.polygons.into(),
            SweepMeasure::Bytes => self.bytes.into(),
            SweepMeasure::Seconds => self.seconds,
            SweepMeasure::MeanDistance => self.mean_distance_m,
            SweepMeasure::MaxDistance => self.max_distance_m,
            SweepMeasure::Passed => self.tests_passed?.into(),
            SweepMeasure::Failed => self.tests_failed?.into(),
        })
    }

    /// Sets one of the values. Counts are rounded to whole numbers.
    pub fn set(&mut self, measure: SweepMeasure, value: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let count = value.round() as u32;
        match measure {
            SweepMeasure::Ground => self.ground_m2 = value,
            SweepMeasure::Islands => self.islands = count,
            SweepMeasure::Polygons => self.polygons = count,
            SweepMeasure::Bytes => self.bytes = count,
            SweepMeasure::Seconds => self.seconds = value,
            SweepMeasure::MeanDistance => self.mean_distance_m = value,
            SweepMeasure::MaxDistance => self.max_distance_m = value,
            SweepMeasure::Passed => self.tests_passed = Some(count),
            SweepMeasure::Failed => self.tests_failed = Some(count),
        }
    }

    /// Returns whether path tests ran and none of them failed.
    pub fn is_suite_passed(&self) -> bool {
        self.tests_failed == Some(0)
    }
}

/// Measures the navmesh `mesh` of `plan`, whose bake took `seconds` on one core. Path tests are not run.
///
/// # Errors
/// [`Cancelled`] soon after the monitor cancels.
pub fn measure(
    mesh: &NavMesh,
    plan: &BakePlan,
    seconds: f64,
    monitor: &dyn Monitor,
) -> Result<SweepResult, Cancelled> {
    let islands = islands(mesh, &Reachability::new(mesh, &Filter::default()));
    let surface = surface_distance(mesh, plan, monitor)?;
    let stats = mesh.stats();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(SweepResult {
        ground_m2: total(islands.iter().map(|island| island.area)),
        islands: count(islands.len()),
        polygons: count(stats.n_polys),
        bytes: count(stats.n_bytes),
        seconds,
        mean_distance_m: surface.mean,
        max_distance_m: surface.max,
        tests_passed: None,
        tests_failed: None,
    })
}
