//! The ground polygons of all tiles as one mesh, in which neighbors share vertices across tile borders.
//!
//! In a navmesh, the edges of two tiles meet at a border without common vertices. Formats without a partial link between
//! edges need them: each edge gets the vertices of the edges that it is linked to.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use walkable_runtime::{
    ids::AreaId,
    navmesh::{NavMesh, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile},
};

/// Fraction of a voxel within which vertices of two tiles are the same.
const SAME: f32 = 0.1;

/// The ground of a navmesh.
#[derive(Debug)]
pub(crate) struct Ground {
    /// All vertices that polygons use.
    pub(crate) vertices: Vec<Vec3>,
    /// All polygons, tile by tile.
    pub(crate) polys: Vec<GroundPoly>,
}

/// A convex polygon of the ground.
#[derive(Debug)]
pub(crate) struct GroundPoly {
    /// Index of its tile in the order of [`NavMesh::tiles`].
    pub(crate) tile: usize,
    /// Index in the tile.
    pub(crate) index: usize,
    pub(crate) area: AreaId,
    pub(crate) flags: u16,
    /// Vertices, counter-clockwise seen from above. Successive edges may be collinear at tile borders.
    pub(crate) ring: Vec<u32>,
    /// For each edge, the polygon on its other side. Edge *n* runs from vertex *n* to the next.
    pub(crate) neighbors: Vec<Option<u32>>,
    /// Whether vertices of other tiles were added.
    is_cut: bool,
}

/// An edge on a tile border and one that it is linked to.
struct EdgePair {
    /// Tile, polygon and number of the edge.
    edge: [usize; 3],
    own: [u32; 2],
    /// Axis along the border: 0 for x, 2 for z.
    axis: usize,
    theirs: [u32; 2],
}

/// An edge on a tile border.
struct BorderEdge {
    ends: [u32; 2],
    /// Axis along the border: 0 for x, 2 for z.
    axis: usize,
}

impl Ground {
    /// Collects the ground of `mesh`.
    pub(crate) fn of(mesh: &NavMesh) -> Self {
        let slots: Vec<_> = mesh.slots().collect();
        let mut weld = Weld::new(slots.iter().map(|(_, tile)| &***tile));
        let pairs = linked_edges(mesh, &slots, &weld);
        for EdgePair { edge, own, axis, theirs } in &pairs {
            let tile = slots[edge[0]].1;
            let poly = &tile.polys[edge[1]];
            let line = border_line(mesh, tile, poly.neighbors[edge[2]]);
            own.iter().chain(theirs).for_each(|&vertex| weld.move_to(vertex, 2 - axis, line));
            for &a in own {
                for &b in theirs {
                    weld.join_if_same(a, b, *axis);
                }
            }
        }
        weld.flatten();
        let mut cuts: BTreeMap<[usize; 3], Vec<u32>> = BTreeMap::new();
        for EdgePair { edge, own, axis, theirs } in pairs {
            let at = |vertex: u32| weld.point(vertex)[axis];
            let [low, high] = if at(own[0]) < at(own[1]) { own } else { [own[1], own[0]] };
            let inside = theirs.into_iter().filter(|&vertex| {
                let is_end = own.iter().any(|&end| weld.root(end) == weld.root(vertex));
                !is_end && at(low) < at(vertex) && at(vertex) < at(high)
            });
            cuts.entry(edge).or_default().extend(inside.map(|vertex| weld.root(vertex)));
        }
        Self::assemble(&slots, &weld, &mut cuts)
    }

    fn assemble(
        slots: &[(usize, &Arc<Tile>)],
        weld: &Weld,
        cuts: &mut BTreeMap<[usize; 3], Vec<u32>>,
    ) -> Self {
        let mut ground = Self { vertices: Vec::new(), polys: Vec::new() };
        let mut numbers = vec![u32::MAX; weld.points.len()];
        for (index, (_, tile)) in slots.iter().enumerate() {
            for (number, poly) in tile.polys[..ground_count(tile)].iter().enumerate() {
                let mut ring = Vec::with_capacity(poly.vertices().len());
                let mut is_cut = false;
                for (edge, &vertex) in poly.vertices().iter().enumerate() {
                    let root = weld.root(weld.vertex(index, vertex));
                    ring.push(root);
                    if let Some(mut cut) = cuts.remove(&[index, number, edge]) {
                        let start = weld.point(root);
                        let far = |vertex: &u32| weld.point(*vertex).distance_squared(start);
                        cut.sort_by(|a, b| far(a).total_cmp(&far(b)).then(a.cmp(b)));
                        is_cut |= !cut.is_empty();
                        ring.extend(cut);
                    }
                }
                ring.dedup();
                if ring.len() > 1 && ring.first() == ring.last() {
                    ring.pop();
                }
                if ring.len() < 3 {
                    continue;
                }
                if height_of_normal(ring.iter().map(|&vertex| weld.point(vertex))) < 0.0 {
                    ring.reverse();
                }
                for vertex in &mut ring {
                    let number = &mut numbers[*vertex as usize];
                    if *number == u32::MAX {
                        *number = index_u32(ground.vertices.len());
                        ground.vertices.push(weld.point(*vertex));
                    }
                    *vertex = *number;
                }
                let neighbors = vec![None; ring.len()];
                ground.polys.push(GroundPoly {
                    tile: index,
                    index: number,
                    area: poly.area,
                    flags: poly.flags,
                    ring,
                    neighbors,
                    is_cut,
                });
            }
        }
        ground.find_neighbors();
        ground
    }

    /// Links the polygons that share an edge in opposite directions.
    fn find_neighbors(&mut self) {
        let mut edges: Vec<([u32; 2], bool, u32, u32)> = Vec::new();
        for (number, poly) in (0..).zip(&self.polys) {
            for (edge, ends) in (0..).zip(poly.edges()) {
                let is_forward = ends[0] < ends[1];
                let key = if is_forward { ends } else { [ends[1], ends[0]] };
                edges.push((key, is_forward, number, edge));
            }
        }
        edges.sort_unstable();
        for pair in edges.chunk_by(|a, b| a.0 == b.0) {
            // An edge of more than two polygons has no unique neighbor.
            if let [(_, false, a, a_edge), (_, true, b, b_edge)] = *pair {
                self.polys[a as usize].neighbors[a_edge as usize] = Some(b);
                self.polys[b as usize].neighbors[b_edge as usize] = Some(a);
            }
        }
    }

    /// Calls `each` with the corners of every triangle of `poly`, counter-clockwise seen from above. A polygon with
    /// collinear edges is divided around a point in its middle, whose index is `n_vertices` plus the number returned by
    /// `middle`.
    pub(crate) fn triangles(
        &self,
        poly: &GroundPoly,
        middle: &mut impl FnMut(Vec3) -> u32,
        each: &mut impl FnMut([u32; 3]),
    ) {
        if !poly.is_cut {
            for pair in poly.ring[1..].windows(2) {
                each([poly.ring[0], pair[0], pair[1]]);
            }
            return;
        }
        let points = poly.ring.iter().map(|&vertex| self.vertices[vertex as usize]);
        #[expect(clippy::cast_precision_loss, reason = "few vertices")]
        let center = middle(points.sum::<Vec3>() / poly.ring.len() as f32);
        for [a, b] in poly.edges() {
            each([center, a, b]);
        }
    }
}

impl GroundPoly {
    /// Returns the ends of each edge.
    pub(crate) fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let next = self.ring.iter().cycle().skip(1);
        self.ring.iter().zip(next).map(|(&a, &b)| [a, b])
    }
}

/// Returns all pairs of linked edges at tile borders, from both sides.
fn linked_edges(mesh: &NavMesh, slots: &[(usize, &Arc<Tile>)], weld: &Weld) -> Vec<EdgePair> {
    let indices = slots.iter().enumerate().map(|(index, &(slot, _))| (slot, index));
    let indices: BTreeMap<usize, usize> = indices.collect();
    let mut pairs = Vec::new();
    for (from, &(slot, tile)) in slots.iter().enumerate() {
        let ground =
            (0..ground_count(tile)).filter_map(|poly| Some((poly, mesh.poly_ref(slot, poly)?)));
        for (poly, link) in
            ground.flat_map(|(poly, reference)| mesh.links(reference).map(move |link| (poly, link)))
        {
            let edge = usize::from(link.edge);
            let Some(BorderEdge { ends: own, axis }) = border_edge(weld, from, tile, poly, edge)
            else {
                continue;
            };
            let Some((there, index)) = mesh.resolve(link.to) else { continue };
            let to = mesh.slot_of(link.to).and_then(|slot| indices.get(&slot).copied());
            let Some(to) = to.filter(|_| index < ground_count(there)) else { continue };
            let side = PORTAL_BIT | u16::from(link.side.wrapping_add(4) & 7);
            let neighbors = there.polys[index].neighbors.iter().enumerate();
            let facing = neighbors.filter(|(_, neighbor)| **neighbor == side);
            let facing = facing.filter_map(|(other, _)| border_edge(weld, to, there, index, other));
            let edge = [from, poly, edge];
            pairs.extend(facing.map(|BorderEdge { ends: theirs, .. }| EdgePair {
                edge,
                own,
                axis,
                theirs,
            }));
        }
    }
    pairs
}

/// Returns the number of ground polygons of `tile`; they precede its off-mesh links.
pub(crate) fn ground_count(tile: &Tile) -> usize {
    tile.polys.iter().take_while(|poly| poly.kind == PolyKind::Ground).count()
}

/// Returns the off-mesh links of `tile` with their polygons.
pub(crate) fn off_mesh_of(tile: &Tile) -> impl Iterator<Item = (&OffMeshConnection, &Poly)> {
    tile.off_mesh.iter().map(|link| (link, &tile.polys[usize::from(link.poly)]))
}

/// Returns the edge with index `edge` of a polygon; `None` if it is not on a tile border along x or z.
fn border_edge(
    weld: &Weld,
    tile: usize,
    data: &Tile,
    poly: usize,
    edge: usize,
) -> Option<BorderEdge> {
    let poly = &data.polys[poly];
    let neighbor = *poly.neighbors[..usize::from(poly.n_vertices)].get(edge)?;
    let axis = match neighbor {
        side if side & PORTAL_BIT == 0 => return None,
        side if matches!(side & 7, 0 | 4) => 2,
        side if matches!(side & 7, 2 | 6) => 0,
        _ => return None,
    };
    let next = if edge + 1 < usize::from(poly.n_vertices) { edge + 1 } else { 0 };
    let ends = [edge, next].map(|corner| weld.vertex(tile, poly.vertices[corner]));
    Some(BorderEdge { ends, axis })
}

/// Returns the coordinate of the border on the given side of a tile, the same from both sides.
fn border_line(mesh: &NavMesh, tile: &Tile, neighbor: u16) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "as in the bake of tiles")]
    let at = |index: i32, is_far: bool| index.saturating_add(i32::from(is_far)) as f32;
    let (params, side) = (mesh.params(), neighbor & 7);
    match side {
        0 | 4 => params.origin.x + at(tile.header.x, side == 0) * params.tile_width,
        _ => params.origin.z + at(tile.header.z, side == 2) * params.tile_height,
    }
}

/// Returns the y component of the normal of a polygon, positive if it is counter-clockwise seen from above.
fn height_of_normal(ring: impl Iterator<Item = Vec3> + Clone) -> f32 {
    let next = ring.clone().cycle().skip(1);
    ring.zip(next).map(|(a, b)| (a.z - b.z) * (a.x + b.x)).sum()
}

/// Vertices of all tiles, and which of them are the same.
struct Weld {
    points: Vec<Vec3>,
    /// For each vertex, an earlier one that is the same, or itself.
    parents: Vec<u32>,
    /// The first vertex of each tile.
    first: Vec<u32>,
    /// Largest distance of vertices that are the same.
    tolerance: f32,
}

impl Weld {
    fn new<'a>(tiles: impl Iterator<Item = &'a Tile>) -> Self {
        let (mut points, mut first, mut cell) = (Vec::new(), Vec::new(), f32::INFINITY);
        for tile in tiles {
            first.push(index_u32(points.len()));
            points.extend_from_slice(&tile.vertices);
            cell = cell.min(1.0 / tile.header.bv_quant_factor.abs());
        }
        let parents = (0..index_u32(points.len())).collect();
        let tolerance = SAME * if cell.is_finite() { cell } else { 0.01 };
        Self { points, parents, first, tolerance }
    }

    fn vertex(&self, tile: usize, vertex: u16) -> u32 {
        self.first[tile] + u32::from(vertex)
    }

    /// Returns the first of all vertices that are the same. Correct after [`Weld::flatten`].
    fn root(&self, vertex: u32) -> u32 {
        self.parents[vertex as usize]
    }

    /// Finds the root of a vertex and shortens the path to it.
    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.parents[vertex as usize] != vertex {
            let parent = self.parents[vertex as usize];
            self.parents[vertex as usize] = self.parents[parent as usize];
            vertex = parent;
        }
        vertex
    }

    /// Makes every vertex refer to its root directly.
    fn flatten(&mut self) {
        for vertex in 0..self.parents.len() {
            // Parents precede their children.
            self.parents[vertex] = self.parents[self.parents[vertex] as usize];
        }
    }

    /// Sets a coordinate of a vertex to that of its border if it is near, so that edges at the border are collinear.
    fn move_to(&mut self, vertex: u32, axis: usize, line: f32) {
        let at = &mut self.points[vertex as usize][axis];
        if (*at - line).abs() <= self.tolerance {
            *at = line;
        }
    }

    fn point(&self, vertex: u32) -> Vec3 {
        self.points[self.root(vertex) as usize]
    }

    /// Merges two vertices of linked edges if they are at the same position of the border along `axis`.
    fn join_if_same(&mut self, a: u32, b: u32, axis: usize) {
        let along = self.points[a as usize][axis] - self.points[b as usize][axis];
        if along.abs() > self.tolerance {
            return;
        }
        let [a, b] = [self.find(a), self.find(b)];
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
    }
}

pub(crate) fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
