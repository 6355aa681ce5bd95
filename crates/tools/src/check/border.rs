//! Polygon edges on the borders of tiles, by tile place and side.

use std::collections::BTreeMap;

use glam::Vec3;
use walkable_bake::bake::BakePlan;
use walkable_runtime::navmesh::{NavMesh, PORTAL_BIT, PolyKind, PolyRef, Tile};

/// Maximum distance between two places along a border that count as one. Detour links edges that overlap by more than
/// twice as much.
pub(super) const TOUCH: f32 = 0.01;

/// Column and row of a tile.
pub(super) type TileSquare = [i32; 2];

/// Returns whether a place is in the grid of a plan.
pub(super) fn is_planned(plan: Option<&BakePlan>, [x, z]: TileSquare) -> bool {
    let is_in = |at: i32, n: u32| u32::try_from(at).is_ok_and(|at| at < n);
    plan.map(BakePlan::n_tiles).is_some_and(|[n_x, n_z]| is_in(x, n_x) && is_in(z, n_z))
}

/// A side of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    PlusX,
    PlusZ,
    MinusX,
    MinusZ,
}

impl Side {
    pub(super) const ALL: [Self; 4] = [Self::PlusX, Self::PlusZ, Self::MinusX, Self::MinusZ];

    /// Returns the side with a number of tile data; `None` for corners.
    fn of_number(number: u16) -> Option<Self> {
        match number {
            0 => Some(Self::PlusX),
            2 => Some(Self::PlusZ),
            4 => Some(Self::MinusX),
            6 => Some(Self::MinusZ),
            _corner => None,
        }
    }

    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::PlusX => Self::MinusX,
            Self::PlusZ => Self::MinusZ,
            Self::MinusX => Self::PlusX,
            Self::MinusZ => Self::PlusZ,
        }
    }

    /// Returns the place of the tile on this side of the tile at a place.
    pub(super) fn beside(self, [x, z]: TileSquare) -> Option<TileSquare> {
        match self {
            Self::PlusX => Some([x.checked_add(1)?, z]),
            Self::PlusZ => Some([x, z.checked_add(1)?]),
            Self::MinusX => Some([x.checked_sub(1)?, z]),
            Self::MinusZ => Some([x, z.checked_sub(1)?]),
        }
    }

    /// Returns the coordinate of a point along the border.
    pub(super) const fn along(self, at: Vec3) -> f32 {
        match self {
            Self::PlusX | Self::MinusX => at.z,
            Self::PlusZ | Self::MinusZ => at.x,
        }
    }

    /// Returns the distance of a point from the border of `tile`.
    fn distance(self, tile: &Tile, at: Vec3) -> f32 {
        let bounds = &tile.header.bounds;
        match self {
            Self::PlusX => (at.x - bounds.max.x).abs(),
            Self::PlusZ => (at.z - bounds.max.z).abs(),
            Self::MinusX => (at.x - bounds.min.x).abs(),
            Self::MinusZ => (at.z - bounds.min.z).abs(),
        }
    }
}

/// An end of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Coordinate along the border.
    pub(super) along: f32,
    pub(super) point: Vec3,
    pub(super) vertex: u16,
    /// Distance from the border.
    pub(super) off: f32,
}

/// An edge of a ground polygon on a border of its tile.
#[derive(Clone, Debug)]
pub(super) struct BorderEdge {
    pub(super) slot: usize,
    pub(super) poly: PolyRef,
    /// Both ends, in order along the border.
    pub(super) ends: [End; 2],
    /// The polygons of the next tile to which the edge is linked.
    pub(super) links: Vec<PolyRef>,
}

impl BorderEdge {
    pub(super) fn start(&self) -> f32 {
        self.ends[0].along
    }

    pub(super) fn end(&self) -> f32 {
        self.ends[1].along
    }

    pub(super) fn length(&self) -> f32 {
        self.end() - self.start()
    }

    /// Returns the part of the border that both edges run along, if it is longer than twice [`TOUCH`].
    pub(super) fn overlap(&self, other: &Self) -> Option<[f32; 2]> {
        let [start, end] = [self.start().max(other.start()), self.end().min(other.end())];
        (end - start > 2.0 * TOUCH).then_some([start, end])
    }

    /// Returns the height of the edge at a coordinate along the border.
    pub(super) fn height_at(&self, along: f32) -> f32 {
        let [a, b] = &self.ends;
        let length = self.length();
        let share = if length > 0.0 { (along - a.along) / length } else { 0.0 };
        a.point.y + (b.point.y - a.point.y) * share.clamp(0.0, 1.0)
    }
}

/// The border edges of all tiles at a place, by side, each side sorted along the border.
#[derive(Clone, Debug, Default)]
pub(super) struct SquareBorders {
    sides: [Vec<BorderEdge>; 4],
}

impl SquareBorders {
    pub(super) fn on(&self, side: Side) -> &[BorderEdge] {
        &self.sides[side as usize]
    }
}

/// Returns the border edges of all tiles, by place, without those between layers of a place.
pub(super) fn borders(mesh: &NavMesh) -> BTreeMap<TileSquare, SquareBorders> {
    let mut n_layers: BTreeMap<TileSquare, usize> = BTreeMap::new();
    for tile in mesh.tiles() {
        *n_layers.entry([tile.header.x, tile.header.z]).or_default() += 1;
    }
    let mut found: BTreeMap<TileSquare, SquareBorders> = BTreeMap::new();
    for (slot, tile) in mesh.slots() {
        let square = [tile.header.x, tile.header.z];
        let place = found.entry(square).or_default();
        for (index, poly) in tile.polys.iter().enumerate() {
            if poly.kind != PolyKind::Ground {
                continue;
            }
            let Some(name) = mesh.poly_ref(slot, index) else { continue };
            for edge in 0..usize::from(poly.n_vertices) {
                let neighbor = poly.neighbors[edge];
                let side = (neighbor & PORTAL_BIT != 0).then(|| Side::of_number(neighbor & 0xff));
                let Some(side) = side.flatten() else { continue };
                let next = (edge + 1) % usize::from(poly.n_vertices);
                let end = |corner: usize| {
                    let vertex = poly.vertices[corner];
                    let point = tile.vertices[usize::from(vertex)];
                    let off = side.distance(tile, point);
                    End { along: side.along(point), point, vertex, off }
                };
                let mut ends = [end(edge), end(next)];
                // Layers also meet inside their square, on lines of the grid.
                let is_inside = ends[0].off > TOUCH && (ends[0].off - ends[1].off).abs() <= TOUCH;
                if is_inside && n_layers[&square] > 1 {
                    continue;
                }
                ends.sort_by(|a, b| a.along.total_cmp(&b.along));
                let over = |edge_of_link: u8| usize::from(edge_of_link) == edge;
                let links = mesh.links(name).filter(|link| over(link.edge));
                let links = links.map(|link| link.to).collect();
                place.sides[side as usize].push(BorderEdge { slot, poly: name, ends, links });
            }
        }
    }
    for place in found.values_mut() {
        for side in &mut place.sides {
            side.sort_by(|a, b| a.start().total_cmp(&b.start()));
        }
    }
    found
}
