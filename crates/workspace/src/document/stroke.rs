//! Painted polygons. A stroke stores positions, not polygons, so it also applies to the polygons of the next bake.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    geom::from_above,
    ids::AreaId,
    navmesh::{Poly, PolyKind, Tile},
};

use super::AreaTable;

/// Maximum vertical distance of a position from a polygon that it is on, in meters.
const REACH: f32 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Brush {
    Area(u8),
    Flags(u16),
}

/// The positions of one drag of the brush.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    pub brush: Brush,
    /// Radius in meters. A position paints the polygon that it is in, and all polygons whose middle is within the
    /// radius.
    pub radius: f32,
    pub places: Vec<Vec3>,
}

impl Stroke {
    pub fn paints(&self, tile: &Tile, poly: &Poly) -> bool {
        poly.kind == PolyKind::Ground && {
            let corners = tile.corners(poly);
            self.places.iter().any(|&place| touches(place, self.radius, &corners))
        }
    }

    pub fn applied(&self, poly: &Poly, areas: &AreaTable) -> (AreaId, u16) {
        match self.brush {
            Brush::Area(area) => (AreaId(area), areas.area(area).flags),
            Brush::Flags(flags) => (poly.area, flags),
        }
    }

    pub fn is_near(&self, tile: &Tile) -> bool {
        let bounds = &tile.header.bounds;
        let (min, max) = (bounds.min - self.radius, bounds.max + self.radius);
        self.places
            .iter()
            .any(|place| (min.x..=max.x).contains(&place.x) && (min.z..=max.z).contains(&place.z))
    }
}

fn touches(place: Vec3, radius: f32, corners: &[Vec3]) -> bool {
    let heights = corners.iter().map(|corner| corner.y);
    let lowest = heights.clone().fold(f32::INFINITY, f32::min);
    let highest = heights.fold(f32::NEG_INFINITY, f32::max);
    if !(lowest - REACH..=highest + REACH).contains(&place.y) {
        return false;
    }
    let n = f32::from(u8::try_from(corners.len()).unwrap_or(u8::MAX)).max(1.0);
    let middle: Vec3 = corners.iter().map(|&corner| corner / n).sum();
    (middle - place).with_y(0.0).length() <= radius || from_above::contains(corners, place)
}

/// Returns `strokes` without the positions that paint a polygon of `tiles` touched by a brush of `radius` at `place`.
pub fn erased<'a>(
    strokes: &[Stroke],
    tiles: impl Iterator<Item = &'a Tile>,
    place: Vec3,
    radius: f32,
) -> Vec<Stroke> {
    let brush = Stroke { brush: Brush::Flags(0), radius, places: vec![place] };
    let mut left = strokes.to_vec();
    for tile in tiles.filter(|tile| brush.is_near(tile)) {
        for poly in tile.polys.iter().filter(|poly| brush.paints(tile, poly)) {
            let corners = tile.corners(poly);
            for stroke in &mut left {
                let radius = stroke.radius;
                stroke.places.retain(|&place| !touches(place, radius, &corners));
            }
        }
    }
    left.retain(|stroke| !stroke.places.is_empty());
    left
}
