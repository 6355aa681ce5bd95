//! What the brush paints next, and what a touch of it makes of the strokes.

use glam::Vec3;
use walkable::{ids::TileCoord, navmesh::Tile};

use super::{Brush, Session, Stroke, erased};

/// The brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewStroke {
    /// What polygons become.
    pub brush: Brush,
    /// How far it reaches, in meters.
    pub radius: f32,
    /// Whether it takes paint away instead.
    pub erases: bool,
}

/// Whether the brush comes down on the ground or moves on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A stroke begins.
    First,
    /// It goes on.
    Further,
}

impl Default for NewStroke {
    fn default() -> Self {
        Self { brush: Brush::Area(1), radius: 1.0, erases: false }
    }
}

impl Session {
    /// The strokes after the brush touched `place`.
    pub fn with_touch(&self, place: Vec3, touch: Touch) -> Vec<Stroke> {
        let NewStroke { brush, radius, erases } = self.new_stroke;
        let mut strokes = self.document().strokes.clone();
        if erases {
            let tiles = self.bake.tiles.values().filter_map(|tile| tile.baked.as_deref());
            return erased(&strokes, tiles, place, radius);
        }
        match strokes.last_mut() {
            Some(stroke) if touch == Touch::Further => stroke.places.push(place),
            _ => strokes.push(Stroke { brush, radius, places: vec![place] }),
        }
        strokes
    }

    /// Whether the tile at `coord` is removed from the navmesh.
    pub fn is_removed(&self, coord: TileCoord) -> bool {
        self.document().removed_tiles.contains(&coord)
    }

    /// How many polygons are painted.
    pub fn n_painted(&self) -> usize {
        let strokes = &self.document().strokes;
        let painted = |tile: &Tile| {
            let near: Vec<_> = strokes.iter().filter(|stroke| stroke.is_near(tile)).collect();
            let is_painted = |poly: &&_| near.iter().any(|stroke| stroke.paints(tile, poly));
            if near.is_empty() { 0 } else { tile.polys.iter().filter(is_painted).count() }
        };
        self.bake.tiles.values().filter_map(|tile| tile.baked.as_deref()).map(painted).sum()
    }
}
