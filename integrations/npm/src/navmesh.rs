//! Navmeshes and queries.

use glam::Vec3;
use js_sys::Error;
use walkable_runtime::{
    navmesh,
    query::{
        self, MeshPoint, MoveAlongRequest, NavPath, NearestRequest, PathRequest, PathStatus,
        RandomPointRequest, RaycastRequest, Scratch, Seeded, TileChoice, WallDistanceRequest,
        find_path, find_shortest_path, move_along, nearest, poly_height, random_point, raycast,
        wall_distance,
    },
};
use wasm_bindgen::prelude::*;

use crate::{filter::Filter, to_error, vec3};

/// Linked tiles.
#[wasm_bindgen]
pub struct NavMesh {
    pub(crate) mesh: navmesh::NavMesh,
    scratch: Scratch,
}

#[wasm_bindgen]
impl NavMesh {
    /// Reads a tile set (MSET), as `walkable bake` and RecastDemo write it. Throws an error that names what is wrong.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mesh = navmesh::NavMesh::from_bytes(bytes).map_err(|error| to_error(&error))?;
        Ok(Self { mesh, scratch: Scratch::default() })
    }

    /// Returns the tile set (MSET).
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.mesh.to_bytes()
    }

    /// Number of tiles.
    #[wasm_bindgen(getter, js_name = tileCount)]
    pub fn tile_count(&self) -> usize {
        self.mesh.tiles().count()
    }

    /// Number of polygons, including off-mesh links.
    #[wasm_bindgen(getter, js_name = polygonCount)]
    pub fn polygon_count(&self) -> usize {
        self.mesh.tiles().map(|tile| tile.polys.len()).sum()
    }

    /// The lowest and the highest corner of its bounding box: six numbers.
    #[wasm_bindgen(getter)]
    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.mesh.bounds();
        [bounds.min, bounds.max].map(|corner| corner.to_array()).concat()
    }

    /// Returns the ground as triangles, nine numbers for each.
    pub fn triangles(&self) -> Vec<f32> {
        let mut numbers = Vec::new();
        for tile in self.mesh.tiles() {
            for poly in 0..tile.polys.len() {
                for &triangle in tile.detail_of(poly) {
                    let corners = tile.detail_corners(poly, triangle);
                    numbers.extend(corners.iter().flat_map(|corner: &Vec3| corner.to_array()));
                }
            }
        }
        numbers
    }

    /// Finds a path. If there is none to the end, it leads to the nearest reachable place; see `Path.status`.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(
        &mut self,
        start: &[f32],
        end: &[f32],
        filter: &Filter,
    ) -> Result<Path, Error> {
        self.path(start, end, filter, find_path)
    }

    /// Finds a shortest path on the ground, by Polyanya. The filter must have the same cost for all areas.
    #[wasm_bindgen(js_name = findShortestPath)]
    pub fn find_shortest_path(
        &mut self,
        start: &[f32],
        end: &[f32],
        filter: &Filter,
    ) -> Result<Path, Error> {
        self.path(start, end, filter, find_shortest_path)
    }

    /// Returns the nearest point of the navmesh; `undefined` if no polygon is within the half-extents, by default 2 m to
    /// the sides and 4 m up and down.
    pub fn nearest(
        &self,
        point: &[f32],
        filter: &Filter,
        half_extents: Option<Vec<f32>>,
    ) -> Result<Option<NavmeshPoint>, Error> {
        let half_extents = match half_extents {
            Some(numbers) => vec3("halfExtents", &numbers)?,
            None => NearestRequest::HALF_EXTENTS,
        };
        let request =
            NearestRequest { center: vec3("point", point)?, half_extents, filter: &filter.0 };
        let found = nearest(&self.mesh, &request).map_err(|error| to_error(&error))?;
        Ok(found.map(NavmeshPoint))
    }

    /// Walks straight from a place toward `end`, seen from above, until a wall.
    pub fn raycast(
        &self,
        start: &NavmeshPoint,
        end: &[f32],
        filter: &Filter,
    ) -> Result<RayHit, Error> {
        let request = RaycastRequest::new(start.0, vec3("end", end)?, &filter.0);
        let ray = raycast(&self.mesh, &request).map_err(|error| to_error(&error))?;
        Ok(RayHit { t: ray.hit.t, normal: ray.hit.normal })
    }

    /// Moves from a place toward `end` along the ground, sliding along walls.
    #[wasm_bindgen(js_name = moveAlong)]
    pub fn move_along(
        &self,
        start: &NavmeshPoint,
        end: &[f32],
        filter: &Filter,
    ) -> Result<NavmeshPoint, Error> {
        let request = MoveAlongRequest::new(start.0, vec3("end", end)?, &filter.0);
        let moved = move_along(&self.mesh, &request).map_err(|error| to_error(&error))?;
        let poly = moved.visited.last().copied().unwrap_or(start.0.poly);
        let height =
            poly_height(&self.mesh, poly, moved.position).map_err(|error| to_error(&error))?;
        let point = moved.position.with_y(height.unwrap_or(moved.position.y));
        Ok(NavmeshPoint(MeshPoint { poly, point }))
    }

    /// Returns the distance from a place to the nearest wall, at most `maxDistance`, in meters.
    #[wasm_bindgen(js_name = wallDistance)]
    pub fn wall_distance(
        &mut self,
        place: &NavmeshPoint,
        max_distance: f32,
        filter: &Filter,
    ) -> Result<f32, Error> {
        let request = WallDistanceRequest::new(place.0, max_distance, &filter.0);
        let wall = wall_distance(&self.mesh, &request, &mut self.scratch);
        Ok(wall.map_err(|error| to_error(&error))?.distance)
    }

    /// Returns random places of the ground, evenly distributed over its area: three numbers for each. Equal seeds
    /// return equal places.
    #[wasm_bindgen(js_name = randomPoints)]
    pub fn random_points(&self, count: usize, seed: u32) -> Vec<f32> {
        let filter = query::Filter::default();
        let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
        let mut random = Seeded::new(seed.into());
        let places =
            (0..count).map_while(|_| random_point(&self.mesh, &request, || random.share()));
        places.flat_map(|place| place.point.to_array()).collect()
    }
}

impl NavMesh {
    fn path(
        &mut self,
        start: &[f32],
        end: &[f32],
        filter: &Filter,
        find: impl Fn(
            &navmesh::NavMesh,
            &PathRequest<'_>,
            &mut Scratch,
        ) -> Result<NavPath, query::QueryError>,
    ) -> Result<Path, Error> {
        let request = PathRequest::new(vec3("start", start)?, vec3("end", end)?, &filter.0);
        let path = find(&self.mesh, &request, &mut self.scratch);
        Ok(Path(path.map_err(|error| to_error(&error))?))
    }
}

/// A point on a polygon.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub struct NavmeshPoint(pub(crate) MeshPoint);

#[wasm_bindgen]
impl NavmeshPoint {
    /// Reference of the polygon.
    #[wasm_bindgen(getter)]
    pub fn polygon(&self) -> u64 {
        self.0.poly.0.get()
    }

    /// The point: x, y and z.
    #[wasm_bindgen(getter)]
    pub fn point(&self) -> Vec<f32> {
        self.0.point.to_array().to_vec()
    }
}

/// The wall that a ray hits.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub struct RayHit {
    /// Fraction of the line up to the wall; `undefined` if the ray hits no wall.
    pub t: Option<f32>,
    normal: Vec3,
}

#[wasm_bindgen]
impl RayHit {
    /// Direction away from the wall: x, y and z.
    #[wasm_bindgen(getter)]
    pub fn normal(&self) -> Vec<f32> {
        self.normal.to_array().to_vec()
    }
}

/// The result of a path search.
#[wasm_bindgen]
pub struct Path(NavPath);

#[wasm_bindgen]
impl Path {
    /// `complete`, `partial` (to the nearest reachable place) or `unreachable`.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> String {
        let name = match self.0.status {
            PathStatus::Complete => "complete",
            PathStatus::Partial => "partial",
            PathStatus::Unreachable => "unreachable",
        };
        name.to_owned()
    }

    /// The reason if the path is not complete, in words.
    #[wasm_bindgen(getter)]
    pub fn why(&self) -> Option<String> {
        self.0.why.map(|why| why.to_string())
    }

    /// The corners of the path, three numbers for each.
    #[wasm_bindgen(getter)]
    pub fn points(&self) -> Vec<f32> {
        self.0.points.iter().flat_map(|point| point.to_array()).collect()
    }

    /// References of the polygons to pass.
    #[wasm_bindgen(getter)]
    pub fn corridor(&self) -> Vec<u64> {
        self.0.corridor.iter().map(|poly| poly.0.get()).collect()
    }

    /// Length, in meters.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f32 {
        self.0.length
    }

    /// Cost of the corridor.
    #[wasm_bindgen(getter)]
    pub fn cost(&self) -> f32 {
        self.0.cost
    }
}
