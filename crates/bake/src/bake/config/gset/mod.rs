//! RecastDemo's scene files (`.gset`): a level's path, settings, off-mesh links and volumes as rows of text.
//!
//! ```text
//! f meshes/town.obj
//! s CELL_SIZE CELL_HEIGHT HEIGHT RADIUS CLIMB SLOPE REGION_MIN REGION_MERGE EDGE_LEN EDGE_ERROR VERTS
//!   SAMPLE_DIST SAMPLE_ERROR PARTITION  MIN_X MIN_Y MIN_Z  MAX_X MAX_Y MAX_Z  TILE_SIZE     (one row)
//! c  ax ay az  bx by bz  RADIUS BIDIRECTIONAL AREA FLAGS
//! v N_CORNERS AREA MIN_Y MAX_Y
//! x y z                                                                        (one row a corner)
//! ```
//!
//! Source: `InputGeom::loadGeomSet` and `saveGeomSet` of RecastDemo.

mod loss;
mod write;

use std::str::Lines;

use glam::{DVec3, Vec3};
pub use loss::GsetLoss;
use walkable_runtime::geom::Aabb;

use super::{
    BakeConfig, ConfigError, ConfigErrorKind, FIRST_OFF_MESH_USER_ID, MAX_PATH_BYTES,
    lines::{self, LineWords},
};
use crate::bake::{AreaVolume, BakeSettings, RawArea, VolumeShape};

/// Settings of an `s` row before the bounds, in their order.
const KEYS: [&str; 14] = [
    "cell_size",
    "cell_height",
    "agent_height",
    "agent_radius",
    "agent_max_climb",
    "agent_max_slope",
    "region_min_size",
    "region_merge_size",
    "edge_max_len",
    "edge_max_error",
    "verts_per_poly",
    "detail_sample_dist",
    "detail_sample_max_error",
    "partition",
];

/// Coordinates are printed with six decimals, so a value read may be off by half of the last digit.
const PRINTED: f32 = 1e-6;

/// The contents of a `.gset` file.
#[derive(Clone, Debug, PartialEq)]
pub struct Gset {
    /// Path of the level, as in the file. RecastDemo resolves it relative to its working folder.
    pub mesh: String,
    /// Settings, off-mesh links and volumes. Everything that the file does not hold has RecastDemo's default.
    ///
    /// The bounds of the settings row are its only bound; see [`Gset::config_for`].
    pub config: BakeConfig,
}

impl Gset {
    /// Parses a `.gset` file. Lines may end in CR LF; empty lines and lines that begin with `#` are skipped.
    ///
    /// User IDs of off-mesh links are assigned from [`FIRST_OFF_MESH_USER_ID`], as in RecastDemo. RecastDemo writes 0
    /// vertices per polygon, which stand for 6.
    ///
    /// `Differs:` RecastDemo takes what it can from a damaged row and skips rows that it does not know;
    /// here they are errors. It keeps 12 corners of a volume; here all are kept.
    ///
    /// # Errors
    /// Returns a [`ConfigError`] for the first invalid line: numbers must be finite and within the limits of
    /// [`PARAMS`](crate::bake::PARAMS), rows must have the right length and must not be repeated where only one is
    /// allowed, and there must be an `f` row.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut rows = Rows::new(text);
        let mut mesh = None;
        let mut config = BakeConfig::default();
        let mut has_settings = false;
        while let Some(row) = rows.next() {
            let line = rows.line;
            let at_line = |reason| ConfigError { line, reason };
            let (letter, rest) = row.split_once(char::is_whitespace).unwrap_or((row, ""));
            let words = &mut LineWords::new(rest);
            match letter {
                "f" if mesh.is_some() => return Err(at_line(again("f"))),
                "s" if has_settings => return Err(at_line(again("s"))),
                "f" if rest.trim().is_empty() => {
                    let what = "the path of the mesh";
                    return Err(at_line(ConfigErrorKind::Missing { what }));
                }
                "f" if rest.len() > MAX_PATH_BYTES => {
                    return Err(at_line(ConfigErrorKind::LongPath { n_bytes: rest.len() }));
                }
                "f" => mesh = Some(rest.replace('\r', " ").trim().to_owned()),
                "s" => {
                    has_settings = true;
                    let bounds = read_settings(words, &mut config.settings).map_err(at_line)?;
                    config.bounds.push(bounds);
                }
                "c" => {
                    let n = u32::try_from(config.off_mesh.len()).unwrap_or(u32::MAX);
                    let user_id = FIRST_OFF_MESH_USER_ID.saturating_add(n);
                    config.off_mesh.push(lines::read_link(words, user_id).map_err(at_line)?);
                }
                "v" => config.volumes.push(read_volume(words, &mut rows)?),
                _ => return Err(at_line(ConfigErrorKind::UnknownRow { text: row.to_owned() })),
            }
        }
        let no_mesh = || ConfigError { line: rows.line, reason: ConfigErrorKind::NoMesh };
        Ok(Self { mesh: mesh.ok_or_else(no_mesh)?, config })
    }

    /// Writes a `.gset` file for the level at `mesh_path`, and lists what it cannot hold or RecastDemo reads
    /// differently. `mesh_bounds` are written if `config` has no bounds.
    ///
    /// [`Gset::parse`] reads the file back, if the settings are valid; if nothing is lost, [`Gset::config_for`] with
    /// these bounds returns `config` again.
    pub fn to_text(
        mesh_path: &str,
        config: &BakeConfig,
        mesh_bounds: &Aabb,
    ) -> (String, Vec<GsetLoss>) {
        write::to_text(mesh_path, config, mesh_bounds)
    }

    /// Returns the configuration for the level that the file names. A bound that contains the whole level is dropped.
    ///
    /// `Differs:` in RecastDemo the grid begins at the bound, here at the level's corner.
    pub fn config_for(self, mesh_bounds: &Aabb) -> BakeConfig {
        self.moved_config_for(mesh_bounds, DVec3::ZERO)
    }

    /// Like [`Gset::config_for`], for a level whose positions are relative to `origin`.
    pub fn moved_config_for(self, mesh_bounds: &Aabb, origin: DVec3) -> BakeConfig {
        let mut config = self.config;
        let moved = |at: Vec3| (at.as_dvec3() - origin).as_vec3();
        for link in &mut config.off_mesh {
            (link.start, link.end) = (moved(link.start), moved(link.end));
        }
        for volume in &mut config.volumes {
            if let VolumeShape::Prism { min_y, max_y, outline } = &mut volume.shape {
                let height = moved(Vec3::ZERO).y;
                (*min_y, *max_y) = (*min_y + height, *max_y + height);
                for corner in outline {
                    *corner = moved(*corner);
                }
            }
        }
        for bound in &mut config.bounds {
            *bound = Aabb { min: moved(bound.min), max: moved(bound.max) };
        }
        config.bounds.retain(|bound| {
            let is_inside = (bound.min - PRINTED).cmple(mesh_bounds.min).all()
                && mesh_bounds.max.cmple(bound.max + PRINTED).all();
            !is_inside
        });
        config
    }
}

fn again(row: &'static str) -> ConfigErrorKind {
    ConfigErrorKind::RowAgain { row }
}

/// The rows of a file that are neither empty nor comments.
struct Rows<'a> {
    rest: Lines<'a>,
    /// Number of the current row, from 1.
    line: usize,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}').lines(), line: 0 }
    }

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let row = self.rest.next()?.trim();
            self.line += 1;
            if !row.is_empty() && !row.starts_with('#') {
                return Some(row);
            }
        }
    }
}

/// Reads the rest of an `s` row; returns its bounds.
fn read_settings(
    words: &mut LineWords<'_>,
    settings: &mut BakeSettings,
) -> Result<Aabb, ConfigErrorKind> {
    for key in KEYS {
        let word = words.word(key)?;
        if key != "verts_per_poly" || word != "0" {
            settings.set(key, word)?;
        }
    }
    let bounds = words.bounds()?;
    // RecastDemo prints this value like a length, with decimals.
    let side = words.parsed("the tile size", "a whole number", |text| {
        text.parse()
            .ok()
            .filter(|side: &f32| side.is_finite() && *side >= 0.0 && side.trunc() >= *side)
    })?;
    settings.set("tile_size", &side.abs().to_string())?;
    words.end()?;
    Ok(bounds)
}

/// Reads the rest of a `v` row and the rows of its corners.
fn read_volume(words: &mut LineWords<'_>, rows: &mut Rows<'_>) -> Result<AreaVolume, ConfigError> {
    let line = rows.line;
    let at_line = |reason| ConfigError { line, reason };
    let mut head = || {
        let expected = "a whole number";
        let n_corners: usize =
            words.parsed("the number of corners", expected, |text| text.parse().ok())?;
        let area = RawArea(words.area()?);
        let (min_y, max_y) =
            (words.float("the lowest height")?, words.float("the highest height")?);
        words.end()?;
        match n_corners {
            0..3 => Err(ConfigErrorKind::TooFewCorners { n: n_corners }),
            _ => Ok((n_corners, area, min_y, max_y)),
        }
    };
    let (n_corners, area, min_y, max_y) = head().map_err(at_line)?;
    let mut outline = Vec::new();
    while outline.len() < n_corners {
        let missing = || ConfigErrorKind::MissingCorners { n_found: outline.len(), n_corners };
        let row = rows.next().ok_or_else(|| at_line(missing()))?;
        let read_corner = || {
            let mut words = LineWords::new(row);
            let corner = words.point(["a corner's x", "a corner's y", "a corner's z"])?;
            words.end().map(|()| corner)
        };
        outline.push(read_corner().map_err(|reason| ConfigError { line: rows.line, reason })?);
    }
    Ok(AreaVolume::new(area, VolumeShape::Prism { min_y, max_y, outline }))
}

#[cfg(test)]
mod tests;
