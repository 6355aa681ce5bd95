//! Reads files of sorted triangles: the whole level if it is small enough, or a part of it.

use std::{
    io::{Read, Seek},
    path::Path,
};

use glam::{Vec3, Vec3Swizzles as _};
use walkable::{
    bake::{BakeConfig, BakeSettings},
    diagnostic::{Diagnostic, Finding, Meters, Phrase},
    geom::Aabb,
    mesh::{BinnedError, BinnedLevel, DamagedSquare, LoadedTriangles, TriMesh},
    phrase,
};
use walkable_workspace::{files, lang};

use crate::session::World;

/// Side of the tiles of a level that is too large to be loaded, in voxels.
const TILE_SIZE: u32 = 64;
/// Sides of large parts are rounded down to multiples of this length, in meters.
const STEP: f32 = 10.0;
/// Attempts to find a part with few enough triangles.
const ATTEMPTS: usize = 16;

/// Returns the settings for a level without a settings file that is too large to be loaded.
pub(super) fn config() -> BakeConfig {
    let settings = BakeSettings { tile_size: TILE_SIZE, ..BakeSettings::default() };
    BakeConfig { settings, ..BakeConfig::default() }
}

#[derive(Clone, Copy)]
pub(super) struct PartRequest {
    /// The point around which a level is loaded if it has more triangles; `None` for its center.
    pub(super) around: Option<Vec3>,
    pub(super) max_triangles: usize,
}

pub(super) struct ReadPart {
    pub(super) mesh: TriMesh,
    /// The level that they are a part of; `None` if they are the whole level.
    pub(super) world: Option<World>,
    pub(super) warnings: Vec<Diagnostic>,
}

pub(super) fn read(path: &Path, how: PartRequest) -> Result<ReadPart, Phrase> {
    let named = |error: BinnedError| format!("{}: {error}", path.display());
    let mut file = files::open(path).map_err(|error| lang::error(&error))?;
    let level = BinnedLevel::read(&mut file).map_err(named)?;
    let bounds = level.bounds();
    let n_triangles = usize::try_from(level.n_triangles_in_file()).unwrap_or(usize::MAX);
    let is_whole = n_triangles <= how.max_triangles;
    let around = how.around.unwrap_or_else(|| bounds.center());
    let around = level.nearest_square(around, &mut file).map_err(named)?;
    let part = if is_whole {
        bounds
    } else {
        part_around(&level, around, how.max_triangles, &mut file).map_err(named)?
    };
    let (part, LoadedTriangles { mesh, damaged }) =
        load(&level, part, how.max_triangles, &mut file).map_err(named)?;
    let mesh = mesh.ok_or_else(|| {
        let [x, z] = around.xz().to_array().map(|at| format!("{at:.0}"));
        let file = path.display().to_string();
        phrase!("{file}: there are no triangles at x {x}, z {z}", file, x, z)
    })?;
    let warnings = damaged.iter().map(warning).collect();
    let world = World { hash: level.hash(), bounds, n_triangles, part, around };
    Ok(ReadPart { mesh, world: (!is_whole).then_some(world), warnings })
}

pub(super) fn warning(square: &DamagedSquare) -> Diagnostic {
    let [min, _] = square.bounds;
    let reason = square.error.to_string();
    Finding::SquareDamaged { x: Meters(min.x), z: Meters(min.y), reason }.into()
}

/// Returns the largest square around a point with at most about `max` triangles.
fn part_around(
    level: &BinnedLevel,
    around: Vec3,
    max: usize,
    file: &mut (impl Read + Seek),
) -> Result<Aabb, BinnedError> {
    let size = level.bounds().size();
    let (mut low, mut high) = (0.0, size.x.max(size.z) * 0.5);
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let max = max as f64;
    for _ in 0..24 {
        let half = 0.5 * (low + high);
        let square = square_around(&level.bounds(), around, half);
        let (n_triangles, _) = level.amount_over(&square, file)?;
        *(if n_triangles <= max { &mut low } else { &mut high }) = half;
    }
    let side = 2.0 * low;
    let even = if side > 4.0 * STEP { (side / STEP).floor() * STEP } else { side };
    Ok(square_around(&level.bounds(), around, 0.5 * even))
}

/// Returns a square with sides of twice `half` around a point, moved and cropped to lie within `bounds`.
fn square_around(bounds: &Aabb, around: Vec3, half: f32) -> Aabb {
    let (mut min, mut max) = (bounds.min, bounds.max);
    for axis in [0, 2] {
        let [low, high] = [bounds.min[axis], bounds.max[axis]];
        let half = half.min(0.5 * (high - low));
        let middle = around[axis].min(high - half).max(low + half);
        (min[axis], max[axis]) = ((middle - half).max(low), (middle + half).min(high));
    }
    Aabb { min, max }
}

/// Loads the triangles over `part`, or over a smaller box around its middle if the estimate of their number was wrong.
fn load(
    level: &BinnedLevel,
    mut part: Aabb,
    max: usize,
    file: &mut (impl Read + Seek),
) -> Result<(Aabb, LoadedTriangles), BinnedError> {
    let limit = max.saturating_add(max / 4);
    let mut left = ATTEMPTS;
    loop {
        match level.loaded_over(&part, limit, file) {
            Err(BinnedError::TooMany(_)) if left > 0 => {
                left -= 1;
                let half = 0.35 * part.size().x.max(part.size().z);
                part = square_around(&level.bounds(), part.center(), half);
            }
            loaded => return Ok((part, loaded?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use walkable::{
        level::{LevelKind, generate},
        mesh::BinnedWriter,
    };

    use super::*;

    fn binned(side: f32) -> Vec<u8> {
        let mesh = generate(LevelKind::Terrain, 1, side).unwrap().mesh;
        let mut writer = BinnedWriter::new(Vec::new(), 10.0).unwrap();
        writer.add(&mesh).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn a_part_lies_within_the_level_and_has_at_most_the_wanted_triangles() {
        let bytes = binned(100.0);
        let mut file = Cursor::new(&bytes);
        let level = BinnedLevel::read(&mut file).unwrap();
        let bounds = level.bounds();
        let n = usize::try_from(level.n_triangles()).unwrap();
        for around in [bounds.center(), bounds.min, bounds.max, Vec3::splat(1e6)] {
            let around = level.nearest_square(around, &mut file).unwrap();
            let part = part_around(&level, around, n / 10, &mut file).unwrap();
            assert!(part.min.cmpge(bounds.min).all() && part.max.cmple(bounds.max).all());
            let size = part.size();
            assert!((size.x - size.z).abs() < 0.1 && size.x > 10.0, "{size}");
            let (_, loaded) = load(&level, part, n / 10, &mut file).unwrap();
            let found = loaded.mesh.unwrap().triangles().len();
            assert!((n / 30..=n / 8).contains(&found), "{found} of {n} around {around}");
        }
    }

    #[test]
    fn a_part_with_more_triangles_than_estimated_becomes_smaller() {
        let bytes = binned(60.0);
        let mut file = Cursor::new(&bytes);
        let level = BinnedLevel::read(&mut file).unwrap();
        let n = usize::try_from(level.n_triangles()).unwrap();
        let (part, loaded) = load(&level, level.bounds(), n / 10, &mut file).unwrap();
        assert!(part.size().x < 0.5 * level.bounds().size().x);
        assert!(loaded.mesh.unwrap().triangles().len() <= n / 8);
        assert!(matches!(
            load(&level, level.bounds(), 0, &mut file),
            Err(BinnedError::TooMany(0)) | Ok((_, LoadedTriangles { mesh: None, .. }))
        ));
    }
}
