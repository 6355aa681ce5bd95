//! Settings of the paint brush, and how it changes the strokes.

use glam::Vec3;
use walkable::{ids::TileCoord, navmesh::Tile};

use super::{Brush, Session, Stroke, erased};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewStroke {
    /// The area or flags to paint.
    pub brush: Brush,
    /// Radius of the brush, in meters.
    pub radius: f32,
    pub erases: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    First,
    Further,
}

impl Default for NewStroke {
    fn default() -> Self {
        Self { brush: Brush::Area(1), radius: 1.0, erases: false }
    }
}

impl Session {
    pub fn with_touch(&self, place: Vec3, touch: Touch) -> Vec<Stroke> {
        let NewStroke { brush, radius, erases } = self.tools.new_stroke;
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

    pub fn is_removed(&self, coord: TileCoord) -> bool {
        self.document().removed_tiles.contains(&coord)
    }

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
