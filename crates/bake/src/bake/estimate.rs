//! Estimates the memory and time of a bake before it starts.

use std::fmt;

use glam::Vec3;
use walkable_mesh::TriMesh;
use walkable_runtime::{geom::Aabb, ids::TileCoord};

use crate::bake::{BakeError, BakePlan, BakeSettings, VoxelParams};

/// Memory per column and per span of a tile during its bake, at the peak of all stages. Measured with `benches/peers`,
/// `memory -- peaks`.
const BYTES_PER_COLUMN: f64 = 8.0;
const BYTES_PER_SPAN: f64 = 36.0;
/// Memory per triangle of the level, including half a vertex and its entry in the spatial index.
const BYTES_PER_TRIANGLE: f64 = 28.0;
/// Memory per triangle of a tile that is read from a file.
const BYTES_PER_READ_TRIANGLE: f64 = 150.0;
/// Memory per finished tile, and per column with ground.
const BYTES_PER_TILE: f64 = 1000.0;
const BYTES_PER_RESULT_COLUMN: f64 = 1.0;
/// Time on one core per column, span, triangle and tile. Measured with `benches/peers`, `bake` and `memory -- scale`.
const SECS_PER_COLUMN: f64 = 20e-9;
const SECS_PER_SPAN: f64 = 250e-9;
const SECS_PER_TRIANGLE: f64 = 300e-9;
const SECS_PER_TILE: f64 = 20e-6;
/// Time per column that a triangle covers without producing a span, because others lie over it.
const SECS_PER_COVERED: f64 = 10e-9;
/// Maximum of any estimate: a thousand years.
const MAX_SECS: f64 = 3e10;
/// Tile sizes to suggest.
const TILE_SIZES: [u32; 6] = [64, 128, 256, 512, 1024, 2048];
/// Factor by which a suggested cell size exceeds the necessary one.
const CELL_MARGIN: f64 = 1.05;

/// Rough requirements of a bake, accurate to a factor of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeEstimate {
    /// Peak memory, in bytes, including the level and all results.
    pub n_bytes: u64,
    /// Seconds from the start to the last tile.
    pub secs: f64,
}

/// Limits on the estimated requirements of a bake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeLimits {
    /// Maximum memory, in bytes.
    pub n_bytes: u64,
    /// Maximum time, in seconds.
    pub secs: f64,
}

impl BakeLimits {
    fn allow(&self, estimate: &BakeEstimate) -> bool {
        estimate.n_bytes <= self.n_bytes && estimate.secs <= self.secs
    }
}

impl fmt::Display for BakeEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {}, {}", in_bytes(self.n_bytes), in_time(self.secs))
    }
}

/// Formats a number of bytes, such as "3.5 GB".
pub(super) fn in_bytes(n: u64) -> String {
    let n = to_f64(n);
    let (value, unit) = match n {
        ..0.95e6 => (n / 1e3, "kB"),
        ..0.95e9 => (n / 1e6, "MB"),
        ..0.95e12 => (n / 1e9, "GB"),
        _ => (n / 1e12, "TB"),
    };
    if value < 9.95 && n >= 0.95e6 {
        format!("{value:.1} {unit}")
    } else {
        format!("{value:.0} {unit}")
    }
}

fn in_time(secs: f64) -> String {
    match secs {
        ..0.95 => "less than 1 s".to_owned(),
        ..90.0 => format!("{secs:.0} s"),
        ..5400.0 => format!("{:.0} min", secs / 60.0),
        ..172_800.0 => format!("{:.0} h", secs / 3600.0),
        _ => format!("{:.0} days", secs / 86_400.0),
    }
}

/// What an estimate knows about the triangles of a level.
pub(super) enum Ground<'a> {
    /// All triangles are in memory.
    Mesh(&'a TriMesh),
    /// This many triangles are read from a file, tile by tile.
    File(u64),
}

impl Ground<'_> {
    fn n_triangles(&self) -> f64 {
        match self {
            Self::Mesh(mesh) => to_f64(mesh.triangles().len() as u64),
            Self::File(n) => to_f64(*n),
        }
    }

    /// Returns the number of columns of `extent` that the triangles cover, counted once per triangle. `n_columns` is the
    /// number of its columns.
    fn covered(&self, extent: &Aabb, cell_size: f64, n_columns: f64) -> f64 {
        match self {
            Self::Mesh(mesh) => {
                let corners = (0..mesh.triangles().len()).map(|at| mesh.corners(at));
                corners.map(|corners| footprint_within(corners, extent, cell_size)).sum()
            }
            // Without further knowledge, twice the ground is assumed.
            Self::File(_) => 2.0 * n_columns,
        }
    }
}

/// Returns the number of columns that a triangle covers. Triangles smaller than a cell count partially, so that fine
/// meshes count about as much as coarse ones.
fn footprint(corners: [Vec3; 3], cell_size: f64) -> f64 {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let (ab, ac) = (b - a, c - a);
    let area = 0.5 * (ab.z * ac.x - ab.x * ac.z).abs();
    let size = a.max(b).max(c) - a.min(b).min(c);
    let side = size.x.max(size.z) / cell_size;
    // Vertical triangles have no area seen from above.
    let along = if side > 1.0 { side } else { 0.0 };
    (area / (cell_size * cell_size)).max(along)
}

/// Returns the number of columns of `extent` that a triangle covers at most.
fn footprint_within(corners: [Vec3; 3], extent: &Aabb, cell_size: f64) -> f64 {
    let around = Aabb::around(corners);
    let part = around.max.min(extent.max).as_dvec3() - around.min.max(extent.min).as_dvec3();
    if part.x < 0.0 || part.z < 0.0 {
        return 0.0;
    }
    let sides = part / cell_size + 1.0;
    footprint(corners, cell_size).min(sides.x * sides.z)
}

/// The grid of a bake, as numbers that cannot overflow.
struct Grid {
    /// Number of columns of the whole level, and of one tile with its border.
    n_columns: f64,
    n_tile_columns: f64,
    n_tiles: f64,
    is_solo: bool,
    /// Maximum number of spans in a column.
    max_floors: f64,
    cell_size: f64,
}

impl Grid {
    /// Returns the grid of `settings` over `level`; `None` if the settings are invalid.
    fn new(level: &Aabb, settings: &BakeSettings) -> Option<Self> {
        let params = VoxelParams::new(settings).ok()?;
        let size = level.size().as_dvec3();
        let cell_size = f64::from(params.cell_size);
        let [n_x, n_z] = [size.x, size.z].map(|side| (side / cell_size).round().max(1.0));
        let is_solo = params.tile_size_vx == 0;
        let tile = f64::from(params.tile_size_vx);
        let bordered = tile + 2.0 * f64::from(params.border_vx);
        Some(Self {
            n_columns: n_x * n_z,
            n_tile_columns: if is_solo { n_x * n_z } else { bordered * bordered },
            n_tiles: if is_solo { 1.0 } else { (n_x / tile).ceil() * (n_z / tile).ceil() },
            is_solo,
            max_floors: max_floors(size.y, params.cell_height),
            cell_size,
        })
    }

    fn estimate(
        &self,
        level: &Aabb,
        ground: &Ground<'_>,
        n_threads: usize,
        (n_agents, share): (usize, f64),
    ) -> BakeEstimate {
        let covered = ground.covered(level, self.cell_size, self.n_columns);
        let n_spans = covered.min(self.n_columns * self.max_floors);
        // Tiles vary: some have more floors than the average of the level.
        let (n_tile_spans, n_baked) = if self.is_solo {
            (n_spans, 1.0)
        } else {
            let floors = (2.0 * n_spans / self.n_columns + 1.0).min(self.max_floors);
            (self.n_tile_columns * floors, self.n_tiles)
        };
        let n_threads = to_f64(n_threads.max(1) as u64).min(n_baked);
        let tile = self.n_tile_columns * BYTES_PER_COLUMN + n_tile_spans * BYTES_PER_SPAN;
        let n_triangles = ground.n_triangles();
        let level = match ground {
            Ground::Mesh(_) => n_triangles * BYTES_PER_TRIANGLE,
            Ground::File(_) if self.is_solo => n_triangles * BYTES_PER_READ_TRIANGLE,
            Ground::File(_) => {
                n_triangles / self.n_tiles * 4.0 * BYTES_PER_READ_TRIANGLE * n_threads
            }
        };
        let results =
            self.n_tiles * BYTES_PER_TILE + n_spans.min(self.n_columns) * BYTES_PER_RESULT_COLUMN;
        // Borders are baked once for each tile that shares them.
        let with_borders = (self.n_tile_columns * self.n_tiles / self.n_columns).max(1.0);
        let secs = with_borders
            * (self.n_columns * SECS_PER_COLUMN
                + n_spans * SECS_PER_SPAN
                + covered * SECS_PER_COVERED)
            + n_triangles * SECS_PER_TRIANGLE
            + self.n_tiles * SECS_PER_TILE;
        // Several agents share the triangles, but their ground and polygons are as many as those of bakes for each.
        let n_agents = to_f64(n_agents.max(1) as u64);
        BakeEstimate {
            n_bytes: to_u64(n_agents * (tile * n_threads + share * results) + level),
            secs: (n_agents * share * secs / n_threads).clamp(0.0, MAX_SECS),
        }
    }
}

/// The inputs of an estimate.
pub(super) struct Extent<'a> {
    /// Box around the baked part of the level.
    pub(super) level: Aabb,
    pub(super) settings: &'a BakeSettings,
    pub(super) ground: Ground<'a>,
    pub(super) n_threads: usize,
    /// Number of agents of a navmesh for several agents.
    pub(super) n_agents: usize,
    /// Fraction of the work that this bake does; 1 unless it is a shard.
    pub(super) share: f64,
}

impl Extent<'_> {
    pub(super) fn estimate(&self) -> BakeEstimate {
        self.with(self.settings).unwrap_or(BakeEstimate { n_bytes: 0, secs: 0.0 })
    }

    fn with(&self, settings: &BakeSettings) -> Option<BakeEstimate> {
        let grid = Grid::new(&self.level, settings)?;
        let of_work = (self.n_agents, self.share);
        Some(grid.estimate(&self.level, &self.ground, self.n_threads, of_work))
    }

    /// Returns the estimate, or an error if it exceeds `limits`.
    pub(super) fn check(&self, limits: BakeLimits) -> Result<BakeEstimate, BakeError> {
        let estimate = self.estimate();
        if limits.allow(&estimate) {
            return Ok(estimate);
        }
        let remedy = self.remedy(estimate, limits);
        let BakeEstimate { n_bytes, secs } = estimate;
        if limits.n_bytes < n_bytes {
            let (needed, limit) = (in_bytes(n_bytes), in_bytes(limits.n_bytes));
            return Err(BakeError::TooMuchMemory { n_bytes, needed, limit, remedy });
        }
        let (needed, limit) = (in_time(secs), in_time(limits.secs));
        Err(BakeError::TooMuchTime { secs, needed, limit, remedy })
    }

    /// Suggests settings with which the bake stays within `limits`.
    fn remedy(&self, estimate: BakeEstimate, limits: BakeLimits) -> String {
        let mut remedies = Vec::new();
        let tile_size = self.settings.tile_size;
        let larger = TILE_SIZES.into_iter().filter(|&side| tile_size < side);
        let fitting = larger.filter_map(|tile_size| {
            let settings = BakeSettings { tile_size, ..self.settings.clone() };
            let estimate = self.with(&settings).filter(|found| limits.allow(found))?;
            Some((tile_size, estimate))
        });
        // Small tiles are faster to bake again, large ones need less memory for the results.
        if let Some((side, estimate)) = fitting.min_by_key(|(side, _)| *side) {
            remedies.push(format!("set tile_size={side} ({estimate})"));
        }
        let over_bytes = to_f64(estimate.n_bytes) / to_f64(limits.n_bytes.max(1));
        let over = over_bytes.max(estimate.secs / limits.secs.max(1e-3));
        let factor = over.sqrt() * CELL_MARGIN;
        let cell_size = rounded_up(f64::from(self.settings.cell_size) * factor);
        let settings = BakeSettings { cell_size, ..self.settings.clone() };
        let fits = self.with(&settings).is_some_and(|found| limits.allow(&found));
        if fits {
            remedies.push(format!("set cell_size={cell_size}"));
        }
        if tile_size == 0 {
            remedies.push("limit the bake to a box".to_owned());
        }
        remedies.push("leave out distant geometry".to_owned());
        remedies.join(", or ")
    }
}

/// Rounds `value` up to two digits.
#[expect(clippy::cast_possible_truncation, reason = "sizes of cells are f32")]
fn rounded_up(value: f64) -> f32 {
    let unit = 10_f64.powf(value.max(1e-6).log10().floor() - 1.0);
    ((value / unit).ceil() * unit) as f32
}

#[expect(clippy::cast_precision_loss, reason = "estimates need no more")]
fn to_f64(n: u64) -> f64 {
    n as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturates"
)]
fn to_u64(n: f64) -> u64 {
    n as u64
}

/// Returns the maximum number of spans in a column of this height, in meters.
fn max_floors(height: f64, cell_height: f32) -> f64 {
    (height / f64::from(cell_height) / 2.0).max(0.0) + 1.0
}

/// Estimates the time to bake a tile on one core. `covered` is the number of columns that its triangles cover, counted
/// once per triangle, and `n_spans` is the maximum number of spans.
pub(super) fn secs_of_tile(n_columns: f64, n_spans: f64, covered: f64, n_triangles: f64) -> f64 {
    let n_spans = covered.min(n_spans);
    n_columns * SECS_PER_COLUMN
        + n_spans * SECS_PER_SPAN
        + covered * SECS_PER_COVERED
        + n_triangles * SECS_PER_TRIANGLE
        + SECS_PER_TILE
}

impl BakePlan {
    /// Estimates the memory and time to bake all tiles on `n_threads` threads.
    pub fn estimate(&self, n_threads: usize) -> BakeEstimate {
        self.extent(n_threads).estimate()
    }

    /// Estimates the time to bake a tile on one core.
    pub(super) fn tile_secs(&self, tile: TileCoord) -> f64 {
        let (frame, mesh) = (self.tile_frame(tile), &self.input().mesh);
        let triangles = self.tile_triangles(tile);
        let cell_size = f64::from(frame.cell_size);
        let covered = triangles.iter().map(|&triangle| {
            footprint_within(mesh.corners(triangle as usize), &frame.bounds, cell_size)
        });
        let n_columns = to_f64(frame.n_cells() as u64);
        let height = frame.bounds.size().as_dvec3().y;
        let n_spans = n_columns * max_floors(height, frame.cell_height);
        secs_of_tile(n_columns, n_spans, covered.sum(), to_f64(triangles.len() as u64))
    }

    /// Returns [`BakePlan::estimate`], or an error if it exceeds `limits`.
    ///
    /// # Errors
    /// Returns [`BakeError::TooMuchMemory`] or [`BakeError::TooMuchTime`], with settings that need less.
    pub fn check_limits(
        &self,
        n_threads: usize,
        limits: BakeLimits,
    ) -> Result<BakeEstimate, BakeError> {
        self.extent(n_threads).check(limits)
    }

    /// Like [`BakePlan::check_limits`], for a shard that does the fraction `share` of the work.
    ///
    /// # Errors
    /// See [`BakePlan::check_limits`].
    pub fn check_shard_limits(
        &self,
        n_threads: usize,
        share: f64,
        limits: BakeLimits,
    ) -> Result<BakeEstimate, BakeError> {
        Extent { share, ..self.extent(n_threads) }.check(limits)
    }

    fn extent(&self, n_threads: usize) -> Extent<'_> {
        let input = self.input();
        let (settings, ground) = (&input.settings, Ground::Mesh(&input.mesh));
        let (level, n_agents) = (self.extent_of_grid(), input.agents.len());
        Extent { level, settings, ground, n_threads, n_agents, share: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bake::{BakeInput, BakedAgent};

    /// Plans a bake of a flat triangle over half of a square.
    fn plan(side: f32, changes: &[(&str, &str)]) -> BakePlan {
        let vertices = vec![Vec3::ZERO, Vec3::Z * side, Vec3::X * side];
        let mesh = Arc::new(TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap());
        let mut settings = BakeSettings::default();
        for (key, value) in changes {
            settings.set(key, value).unwrap();
        }
        BakePlan::new(BakeInput::new(mesh, settings)).unwrap()
    }

    #[track_caller]
    fn check_bytes(plan: &BakePlan, range: std::ops::Range<f64>) {
        let n = to_f64(plan.estimate(2).n_bytes);
        assert!(range.contains(&n), "{n} bytes");
    }

    #[test]
    fn estimates_are_close_to_measurements() {
        // The measured value is 212 MB.
        check_bytes(&plan(1000.0, &[]), 190e6..320e6);
        check_bytes(&plan(3474.0, &[]), 2.5e9..4.5e9);
        check_bytes(&plan(1000.0, &[("tile_size", "64")]), 5e6..60e6);
        check_bytes(&plan(7800.0, &[("tile_size", "2")]), 150e9..300e9);
    }

    #[test]
    fn remedies_work() {
        let memory = BakeLimits { n_bytes: 1_000_000_000, secs: 1e9 };
        let time = BakeLimits { n_bytes: 1 << 40, secs: 60.0 };
        for (side, changes, limits) in [
            (3474.0, &[][..], memory),
            (4000.0, &[("tile_size", "1")], memory),
            (7800.0, &[("tile_size", "2")], memory),
            (4000.0, &[("tile_size", "2")], time),
        ] {
            let plan = plan(side, changes);
            let error = plan.check_limits(2, limits).unwrap_err();
            let is_time = matches!(error, BakeError::TooMuchTime { .. });
            assert_eq!(is_time, limits == time, "{error}");
            let text = error.to_string();
            let words = text.split([' ', ',', ';']).filter_map(|word| word.split_once('='));
            let mut n = 0;
            for (key, value) in words {
                let mut settings = plan.input().settings.clone();
                settings.set(key, value).unwrap();
                let input = BakeInput::new(Arc::clone(&plan.input().mesh), settings);
                BakePlan::new(input).unwrap().check_limits(2, limits).unwrap();
                n += 1;
            }
            assert_eq!(n, 2, "{text}");
        }
    }

    #[test]
    fn estimates_are_shown_with_few_digits() {
        let said = |n_bytes, secs| BakeEstimate { n_bytes, secs }.to_string();
        assert_eq!(said(3_460_000_000, 40.2), "about 3.5 GB, 40 s");
        assert_eq!(said(95_000_000, 0.2), "about 95 MB, less than 1 s");
        assert_eq!(said(1_000, 600.0), "about 1 kB, 10 min");
        assert_eq!(said(268_000_000_000, 1e6), "about 268 GB, 12 days");
    }

    #[test]
    fn several_agents_take_as_much_as_their_bakes() {
        let one = plan(200.0, &[("tile_size", "64")]);
        let agents = (8..12).map(|bit| BakedAgent::new(&one.input().settings, 1 << bit)).collect();
        let four = BakePlan::new(BakeInput { agents, ..one.input().clone() }).unwrap();
        let [one, four] = [one, four].map(|plan| plan.estimate(1));
        assert!((four.secs / one.secs - 4.0).abs() < 0.01, "{one} {four}");
        assert!(one.n_bytes < four.n_bytes, "{one} {four}");
    }

    #[test]
    fn duplicated_triangles_take_time_but_no_spans() {
        let side = 300.0;
        let vertices = vec![Vec3::ZERO, Vec3::Z * side, Vec3::X * side];
        let many = TriMesh::new(vertices, vec![[0, 1, 2]; 1000]).unwrap();
        let input = BakeInput::new(Arc::new(many), BakeSettings::default());
        let many = BakePlan::new(input).unwrap().estimate(1);
        let one = plan(side, &[]).estimate(1);
        assert!(many.n_bytes < 3 * one.n_bytes, "{many} {one}");
        assert!(one.secs < many.secs);
    }
}
