//! Writes configurations as `.gset` files.

use std::fmt::Write as _;

use glam::Vec3;
use walkable_runtime::{geom::Aabb, ids::AreaId};

use super::{GsetLoss, KEYS};
use crate::bake::{
    AreaVolume, BakeConfig, BakeSettings, FIRST_OFF_MESH_USER_ID, OffMeshLink, PARAMS, Param,
    ParamValue, VolumeShape,
};

/// Maximum number of corners of a volume in RecastDemo.
const MAX_CORNERS: usize = 12;
/// Maximum length of a path in bytes: RecastDemo reads at most 511 bytes of a row.
const MAX_PATH_BYTES: usize = 508;

/// See [`super::Gset::to_text`].
pub(super) fn to_text(
    mesh_path: &str,
    config: &BakeConfig,
    mesh_bounds: &Aabb,
) -> (String, Vec<GsetLoss>) {
    let mut out = Writer { text: String::new(), losses: Vec::new() };
    out.mesh(mesh_path);
    out.settings(&config.settings, &config.bounds, mesh_bounds);
    let mut n_links = 0;
    for (index, link) in config.off_mesh.iter().enumerate() {
        out.link(index, link, &mut n_links);
    }
    for (index, volume) in config.volumes.iter().enumerate() {
        out.volume(index, volume);
    }
    if !config.surfaces.is_empty() {
        out.losses.push(GsetLoss::Surfaces { n: config.surfaces.len() });
    }
    if config.areas.has_own_areas() {
        out.losses.push(GsetLoss::Areas { n: config.areas.own_areas().count() });
    }
    (out.text, out.losses)
}

struct Writer {
    text: String,
    losses: Vec<GsetLoss>,
}

impl Writer {
    fn row(&mut self, row: &str) {
        self.text.push_str(row);
        self.text.push('\n');
    }

    fn mesh(&mut self, path: &str) {
        let mut kept = path.replace(['\n', '\r'], " ").trim().to_owned();
        while kept.len() > MAX_PATH_BYTES {
            kept.pop();
        }
        if kept != path || kept.is_empty() {
            self.losses.push(GsetLoss::MeshPath);
        } else if !kept.to_ascii_lowercase().ends_with(".obj") {
            self.losses.push(GsetLoss::MeshFormat);
        }
        // A row without a name would not be read.
        self.row(&format!("f {}", if kept.is_empty() { "?" } else { kept.trim_end() }));
    }

    fn settings(&mut self, settings: &BakeSettings, bounds: &[Aabb], mesh_bounds: &Aabb) {
        let mut row = "s".to_owned();
        for key in KEYS {
            let value = Param::find(key).map(|param| param.get(settings));
            // Writing to a string cannot fail.
            let _ = match value {
                Ok(ParamValue::Float(value)) => write!(row, " {}", number(value)),
                Ok(ParamValue::Choice(index)) => write!(row, " {index}"),
                Ok(ParamValue::Integer(value)) => write!(row, " {value}"),
                Ok(ParamValue::Switch(_) | ParamValue::Place(_)) | Err(_) => Ok(()),
            };
        }
        let Aabb { min, max } = self.bounds(bounds, mesh_bounds);
        let _ = write!(row, "  {}  {}  {}", point(min), point(max), settings.tile_size);
        self.row(&row);
        self.lost_settings(settings);
    }

    fn bounds(&mut self, bounds: &[Aabb], mesh_bounds: &Aabb) -> Aabb {
        if bounds.len() > 1 {
            self.losses.push(GsetLoss::Bounds { n: bounds.len() });
        }
        let around = match bounds {
            [] => *mesh_bounds,
            _ => Aabb::around(bounds.iter().flat_map(|bound| [bound.min, bound.max])),
        };
        if around.is_empty() || !around.min.is_finite() || !around.max.is_finite() {
            self.losses.push(GsetLoss::BadBounds);
            return Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
        }
        around
    }

    fn lost_settings(&mut self, settings: &BakeSettings) {
        if settings.verts_per_poly != BakeSettings::default().verts_per_poly {
            self.losses.push(GsetLoss::VertsPerPoly { n: settings.verts_per_poly });
        }
        for param in PARAMS.iter().filter(|p| !KEYS.contains(&p.key) && p.key != "tile_size") {
            let value = param.get(settings);
            if value != param.default_value() {
                let value = param.format(value);
                self.losses.push(GsetLoss::Setting { key: param.key, value });
            }
        }
    }

    fn link(&mut self, index: usize, link: &OffMeshLink, n_links: &mut u32) {
        let ends = link.start.is_finite() && link.end.is_finite();
        let bad =
            [(!ends || !link.radius.is_finite(), NOT_FINITE), (!is_area(link.area.0), NO_AREA)];
        if let Some((_, reason)) = bad.into_iter().find(|(is_bad, _)| *is_bad) {
            self.losses.push(GsetLoss::BadLink { link: index, reason });
            return;
        }
        let given = FIRST_OFF_MESH_USER_ID.saturating_add(*n_links);
        *n_links = n_links.saturating_add(1);
        if link.user_id != given {
            self.losses.push(GsetLoss::UserId { link: index, user_id: link.user_id, given });
        }
        let both_ways = u8::from(link.bidirectional);
        let (start, end, radius) = (point(link.start), point(link.end), number(link.radius));
        let (area, flags) = (link.area.0, link.flags);
        self.row(&format!("c {start}  {end}  {radius} {both_ways} {area} {flags}"));
    }

    fn volume(&mut self, volume: usize, painted: &AreaVolume) {
        let (shape, min_y, max_y, outline) = as_prism(&painted.shape);
        let is_finite = painted.shape.numbers().iter().all(|number| number.is_finite())
            && outline.iter().all(|corner| corner.is_finite())
            && min_y.is_finite()
            && max_y.is_finite();
        let n_corners = outline.len();
        let bad = [
            (!is_finite, NOT_FINITE),
            (!is_area(painted.area.0), NO_AREA),
            (n_corners < 3, "it has fewer than 3 corners"),
        ];
        if let Some((_, reason)) = bad.into_iter().find(|(is_bad, _)| *is_bad) {
            self.losses.push(GsetLoss::BadVolume { volume, reason });
            return;
        }
        if n_corners > MAX_CORNERS && !is_convex(&outline) {
            self.losses.push(GsetLoss::TooManyCorners { volume, n_corners });
            return;
        }
        if painted.margin(1.0) > 0.0 {
            self.losses.push(GsetLoss::Margin { volume });
        }
        if let Some(shape) = shape {
            self.losses.push(GsetLoss::Shape { volume, shape });
        }
        let pieces = pieces(&outline);
        if pieces.len() > 1 {
            self.losses.push(GsetLoss::Cut { volume, n_pieces: pieces.len() });
        }
        for piece in pieces {
            let (n, area, low, high) = (piece.len(), painted.area.0, number(min_y), number(max_y));
            self.row(&format!("v {n} {area} {low} {high}"));
            for corner in piece {
                self.row(&point(corner));
            }
        }
    }
}

const NOT_FINITE: &str = "it has a number that is not finite";
const NO_AREA: &str = "its area is above 63";

fn is_area(area: u8) -> bool {
    usize::from(area) < AreaId::COUNT
}

/// Returns the name of a shape that is not a prism, its minimum and maximum height, and its corners as a prism.
fn as_prism(shape: &VolumeShape) -> (Option<&'static str>, f32, f32, Vec<Vec3>) {
    match shape {
        VolumeShape::Prism { min_y, max_y, outline } => (None, *min_y, *max_y, outline.clone()),
        VolumeShape::Box(bounds) => (Some("box"), bounds.min.y, bounds.max.y, shape.outline()),
        VolumeShape::TurnedBox { center, half_extents, .. } => {
            let (bottom, top) = (center.y - half_extents.y, center.y + half_extents.y);
            (Some("turned box"), bottom, top, shape.outline())
        }
        VolumeShape::Cylinder { base, radius, height } => {
            (Some("cylinder"), base.y, base.y + height, around(*base, *radius))
        }
    }
}

/// Returns the regular polygon of 12 corners that has the area of a circle.
fn around(middle: Vec3, radius: f32) -> Vec<Vec3> {
    /// Sine of 60 degrees.
    const HIGH: f32 = 0.866_025_4;
    /// The square root of π / 3: the polygon with corners at distance 1 has area 3, the circle π.
    const REACH: f32 = 1.023_326_7;
    let quarter = [[0.0, 1.0], [0.5, HIGH], [HIGH, 0.5]];
    let turned = |[x, z]: [f32; 2]| [z, -x];
    let mut corners = Vec::with_capacity(MAX_CORNERS);
    let mut now = quarter;
    for _ in 0..4 {
        let scale = radius * REACH;
        corners.extend(now.map(|[x, z]| middle + Vec3::new(x * scale, 0.0, z * scale)));
        now = now.map(turned);
    }
    corners
}

/// Returns whether an outline is convex, seen from above.
fn is_convex(outline: &[Vec3]) -> bool {
    let turn = |a: Vec3, b: Vec3, c: Vec3| {
        let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
        (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x)
    };
    let n = outline.len();
    let at = |i: usize| outline[i % n];
    let turns: Vec<f64> = (0..n).map(|i| turn(at(i), at(i + 1), at(i + 2))).collect();
    let is_one_way = turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0);
    let sides = (0..n).map(|i| at(i + 1).x - at(i).x).filter(|along_x| along_x.abs() > 0.0);
    let is_forth: Vec<bool> = sides.map(|along_x| along_x > 0.0).collect();
    let next = is_forth.iter().cycle().skip(1);
    // The outline goes once forth and once back.
    is_one_way && is_forth.iter().zip(next).filter(|(now, next)| now != next).count() <= 2
}

/// Splits a convex outline along lines from its first corner, so that no piece has too many corners.
fn pieces(outline: &[Vec3]) -> Vec<Vec<Vec3>> {
    if outline.len() <= MAX_CORNERS {
        return vec![outline.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut from = 1;
    while from + 1 < outline.len() {
        let to = (from + MAX_CORNERS - 2).min(outline.len() - 1);
        pieces.push([&outline[..1], &outline[from..=to]].concat());
        from = to;
    }
    pieces
}

fn point(at: Vec3) -> String {
    format!("{} {} {}", number(at.x), number(at.y), number(at.z))
}

/// Returns the shortest text that is parsed to the same number. Very large and very small numbers have an exponent, so
/// that no row is too long for RecastDemo.
fn number(value: f32) -> String {
    let size = value.abs();
    if size > 0.0 && !(1e-5..1e9).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
