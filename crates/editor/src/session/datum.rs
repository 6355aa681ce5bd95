//! Elements of a tile's data, as listed by the inspector and highlighted by the 3D view.

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    geom::Aabb,
    navmesh::{NavMesh, Tile},
};
use walkable_workspace::lang::tr;

/// An element of the data of the tile in a slot of the navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    pub slot: usize,
    pub list: DataList,
    pub index: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataList {
    /// Ground polygons and off-mesh links.
    Polygons,
    /// Vertices of polygons and ends of off-mesh links.
    Corners,
    Triangles,
    Nodes,
    Connections,
}

impl DataList {
    /// All lists, in the order of the file.
    pub const ALL: [Self; 5] =
        [Self::Polygons, Self::Corners, Self::Triangles, Self::Nodes, Self::Connections];

    pub fn name(self) -> &'static str {
        match self {
            Self::Polygons => tr!("Polygons"),
            Self::Corners => tr!("Corners"),
            Self::Triangles => tr!("Detail triangles"),
            Self::Nodes => tr!("Tree nodes"),
            Self::Connections => tr!("Off-mesh links"),
        }
    }

    pub fn len(self, tile: &Tile) -> usize {
        match self {
            Self::Polygons => tile.polys.len(),
            Self::Corners => tile.vertices.len(),
            Self::Triangles => tile.detail_triangles.len(),
            Self::Nodes => tile.bv_nodes.len(),
            Self::Connections => tile.off_mesh.len(),
        }
    }
}

impl Datum {
    /// Draws the element in the highlight color; empty if `navmesh` no longer contains it.
    pub fn picture(self, navmesh: &NavMesh) -> DrawList {
        let mut list = DrawList::default();
        let Some(tile) = navmesh.tile(self.slot) else { return list };
        match self.corners(tile)[..] {
            [] => {}
            [at] => list.point(at, 10.0, Paint::Accent),
            [a, b] if self.list == DataList::Nodes => {
                list.append(debug_draw::edges(&Aabb::new(a, b), 2.0, Paint::Accent));
            }
            [a, b] => list.line([a, b], 3.0, Paint::Accent),
            ref corners => list.ring(corners, 3.0, Paint::Accent),
        }
        list
    }

    pub fn place(self, navmesh: &NavMesh) -> Option<Vec3> {
        let corners = self.corners(navmesh.tile(self.slot)?);
        (!corners.is_empty()).then(|| middle_of(&corners))
    }

    /// Returns the corners of the element; for a box, its minimum and maximum. Empty if `tile` does not contain it.
    fn corners(self, tile: &Tile) -> Vec<Vec3> {
        let index = self.index;
        let found = match self.list {
            DataList::Polygons => tile.polys.get(index).map(|poly| tile.corners(poly).to_vec()),
            DataList::Corners => tile.vertices.get(index).map(|&at| vec![at]),
            DataList::Triangles => triangle(tile, index).map(Vec::from),
            DataList::Nodes => tile.bv_nodes.get(index).map(|node| {
                let Aabb { min, max } = tile.node_bounds(node);
                vec![min, max]
            }),
            DataList::Connections => tile.off_mesh.get(index).map(|link| link.ends.to_vec()),
        };
        found.unwrap_or_default()
    }
}

/// Returns the mean of `corners`; the origin if there are none.
pub fn middle_of(corners: &[Vec3]) -> Vec3 {
    #[expect(clippy::cast_precision_loss, reason = "a polygon has six corners")]
    let n = corners.len().max(1) as f32;
    corners.iter().sum::<Vec3>() / n
}

/// Returns the polygon to which a detail triangle belongs.
pub fn polygon_of_triangle(tile: &Tile, index: usize) -> Option<usize> {
    let index = u32::try_from(index).ok()?;
    tile.detail_patches.iter().position(|patch| {
        let first = patch.first_triangle;
        (first..first + u32::from(patch.n_triangles)).contains(&index)
    })
}

fn triangle(tile: &Tile, index: usize) -> Option<[Vec3; 3]> {
    let poly = polygon_of_triangle(tile, index)?;
    Some(tile.detail_corners(poly, *tile.detail_triangles.get(index)?))
}
