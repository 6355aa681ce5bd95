//! What is measured of each bake of a sweep.

use serde::Serialize;
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
        }
    }
}

/// The measured values of a bake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
}

impl SweepResult {
    /// Returns one of the values.
    pub fn get(&self, measure: SweepMeasure) -> f64 {
        match measure {
            SweepMeasure::Ground => self.ground_m2,
            SweepMeasure::Islands => self.islands.into(),
            SweepMeasure::Polygons => self.polygons.into(),
            SweepMeasure::Bytes => self.bytes.into(),
            SweepMeasure::Seconds => self.seconds,
            SweepMeasure::MeanDistance => self.mean_distance_m,
            SweepMeasure::MaxDistance => self.max_distance_m,
        }
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
        }
    }
}

/// Measures the navmesh `mesh` of `plan`, whose bake took `seconds` on one core.
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
    })
}
