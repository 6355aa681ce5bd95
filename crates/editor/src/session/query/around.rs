//! Queries around a place: walls, reachable polygons, random points.

use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Paint},
    query::{
        LocalNeighborhoodRequest, MeshPoint, PolygonsAroundRequest, PolygonsAroundShapeRequest,
        RandomPointAroundRequest, Scratch, Seeded, WallDistanceRequest, local_neighborhood,
        polygons_around, polygons_around_shape, random_point_around, wall_distance, wall_segments,
    },
};
use walkable_workspace::text;

use super::{FactValue, MAX_POLYS, Played, QueryAnswer, QueryInput, QueryResult, timed};

/// Seed of random points: the same every time, so that pictures can be compared.
const SEED: u64 = 1;

impl QueryInput<'_> {
    pub(super) fn wall(&self, start: MeshPoint) -> QueryAnswer {
        let mut scratch = Scratch::traced();
        let request = WallDistanceRequest::new(start, self.options.radius, self.filter);
        let request = WallDistanceRequest { max_nodes: MAX_POLYS, ..request };
        let (wall, time) = timed(|| wall_distance(self.navmesh, &request, &mut scratch));
        let wall = wall?;
        let mut picture = circle(start.point, wall.distance, Paint::Accent);
        let found = match wall.point {
            Some(at) => {
                picture.line([start.point, at], 3.0, Paint::Path);
                picture.point(at, 9.0, Paint::Problem);
                FactValue::Length(wall.distance)
            }
            None => FactValue::NoneWithin { radius: self.options.radius },
        };
        let facts = vec![(text!("Nearest wall"), found)];
        let played = Played::Nodes(scratch.expanded().to_vec());
        Ok(QueryResult { facts, picture, time, played, flow: None })
    }

    pub(super) fn circle(&self, start: MeshPoint) -> QueryAnswer {
        let mut scratch = Scratch::traced();
        let request = PolygonsAroundRequest::new(start, self.options.radius, self.filter);
        let (around, time) = timed(|| polygons_around(self.navmesh, &request, &mut scratch));
        let reached = around?.polys;
        let mut picture = self.polygons(reached.iter().map(|reached| reached.poly));
        picture.append(circle(start.point, self.options.radius, Paint::Accent));
        let highest_cost = reached.iter().map(|reached| reached.cost).fold(0.0, f32::max);
        let facts = vec![
            (text!("Polygons"), FactValue::Count(reached.len())),
            (text!("Highest cost"), FactValue::Cost(highest_cost)),
        ];
        let played = Played::Nodes(scratch.expanded().to_vec());
        Ok(QueryResult { facts, picture, time, played, flow: None })
    }

    pub(super) fn shape(&self, start: MeshPoint) -> QueryAnswer {
        let r = self.options.radius;
        let corners = [[-r, -r], [r, -r], [r, r], [-r, r]];
        let shape = corners.map(|[x, z]| start.point + Vec3::new(x, 0.0, z));
        let mut scratch = Scratch::traced();
        let request = PolygonsAroundShapeRequest::new(start.poly, &shape, self.filter);
        let (around, time) = timed(|| polygons_around_shape(self.navmesh, &request, &mut scratch));
        let reached = around?.polys;
        let mut picture = self.polygons(reached.iter().map(|reached| reached.poly));
        picture.ring(&shape, 2.0, Paint::Accent);
        let facts = vec![(text!("Polygons"), FactValue::Count(reached.len()))];
        let played = Played::Nodes(scratch.expanded().to_vec());
        Ok(QueryResult { facts, picture, time, played, flow: None })
    }

    pub(super) fn neighborhood(&self, start: MeshPoint) -> QueryAnswer {
        let request = LocalNeighborhoodRequest::new(start, self.options.radius, self.filter);
        let (found, time) = timed(|| local_neighborhood(self.navmesh, &request));
        let found = found?;
        let mut picture = self.polygons(found.iter().map(|neighbor| neighbor.poly));
        let mut n_walls = 0;
        for neighbor in &found {
            let walls = wall_segments(self.navmesh, neighbor.poly, self.filter)?;
            n_walls += walls.len();
            for wall in walls {
                picture.line(wall, 3.0, Paint::Problem);
            }
        }
        picture.append(circle(start.point, self.options.radius, Paint::Accent));
        let facts = vec![
            (text!("Polygons"), FactValue::Count(found.len())),
            (text!("Walls"), FactValue::Count(n_walls)),
        ];
        Ok(QueryResult { facts, picture, time, flow: None, played: Played::Nothing })
    }

    pub(super) fn random(&self, start: MeshPoint) -> QueryAnswer {
        let (mut scratch, mut seeded) = (Scratch::traced(), Seeded::new(SEED));
        let mut picture = circle(start.point, self.options.radius, Paint::Accent);
        let request = RandomPointAroundRequest::new(start, self.options.radius, self.filter);
        let (n_found, time) = timed(|| {
            let mut n_found = 0;
            for _ in 0..self.options.n_points {
                let random = || seeded.share();
                let point = random_point_around(self.navmesh, &request, &mut scratch, random)?;
                n_found += usize::from(point.is_some());
                if let Some(at) = point {
                    picture.point(at.point, 5.0, Paint::Accent);
                }
            }
            Ok(n_found)
        });
        let facts = vec![(text!("Points"), FactValue::Count(n_found?))];
        let played = Played::Nodes(scratch.expanded().to_vec());
        Ok(QueryResult { facts, picture, time, played, flow: None })
    }
}

fn circle(center: Vec3, radius: f32, paint: Paint) -> DrawList {
    const CORNERS: u8 = 48;
    let corner = |n: u8| {
        let (sin, cos) = (f32::from(n) / f32::from(CORNERS) * std::f32::consts::TAU).sin_cos();
        center + Vec3::new(cos, 0.0, sin) * radius
    };
    let mut list = DrawList::default();
    list.ring(&(0..CORNERS).map(corner).collect::<Vec<_>>(), 2.0, paint);
    list
}
