use glam::{Vec3, vec3};

use super::{Bvh, Hit, Split, Triangles};
use crate::geom::{Aabb, Ray};

struct Soup(Vec<[Vec3; 3]>);

impl Triangles for Soup {
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap()
    }

    fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.0[index as usize]
    }
}

/// A generator of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    /// Returns a number between −1 and 1.
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from(u16::try_from(self.0 >> 48).unwrap()) / 32768.0 - 1.0
    }

    fn point(&mut self) -> Vec3 {
        vec3(self.next(), self.next(), self.next())
    }
}

fn random_soup(n: usize, size: f32) -> Soup {
    let mut numbers = Numbers(7);
    let triangle = |_| {
        let at = numbers.point() * 10.0;
        [(); 3].map(|()| at + numbers.point() * size)
    };
    Soup((0..n).map(triangle).collect())
}

fn nearest_of_all(soup: &Soup, ray: &Ray) -> Option<Hit> {
    let hits = (0..soup.n_triangles()).filter_map(|triangle| {
        let t = ray.hit_triangle(soup.triangle(triangle))?;
        Some(Hit { triangle, t, point: ray.at(t) })
    });
    hits.min_by(|a, b| a.t.total_cmp(&b.t))
}

fn depth(bvh: &Bvh) -> usize {
    let mut waiting = vec![(0, 0)];
    let mut deepest = 0;
    while let Some((node, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        let node: &super::Node = &bvh.nodes[node];
        if node.n_triangles == 0 {
            waiting.extend([0, 1].map(|side| (node.first as usize + side, depth + 1)));
        }
    }
    deepest
}

#[track_caller]
fn check_covers(bvh: &Bvh, soup: &Soup) {
    let mut named: Vec<u32> = Vec::new();
    for node in &bvh.nodes {
        let own = node.first as usize..(node.first + node.n_triangles) as usize;
        for &triangle in bvh.order.get(own).unwrap_or_default() {
            for corner in soup.triangle(triangle) {
                assert!(corner.cmpge(node.bounds.min).all() && corner.cmple(node.bounds.max).all());
            }
            named.push(triangle);
        }
    }
    named.sort_unstable();
    assert!(named.into_iter().eq(0..soup.n_triangles()), "each triangle is in one leaf");
}

#[test]
fn finds_the_same_hit_as_brute_force() {
    let mut n_hits = 0;
    for (n, size) in [(1, 5.0), (5, 5.0), (300, 1.0), (2000, 0.3), (200, 20.0)] {
        let soup = random_soup(n, size);
        let trees = [Split::Median, Split::SurfaceArea].map(|s| Bvh::build_with(&soup, s));
        let mut numbers = Numbers(99);
        for _ in 0..300 {
            let ray = Ray::new(numbers.point() * 15.0, numbers.point()).unwrap();
            let expected = nearest_of_all(&soup, &ray);
            n_hits += usize::from(expected.is_some());
            for tree in &trees {
                assert_eq!(tree.raycast(&soup, &ray), expected);
            }
        }
        for tree in &trees {
            check_covers(tree, &soup);
        }
    }
    assert!(n_hits > 300, "only {n_hits} rays met anything");
}

#[test]
fn every_triangle_in_a_box_is_visited() {
    let mut n_met = 0;
    for (n, size) in [(1, 5.0), (300, 1.0), (2000, 0.3), (200, 20.0)] {
        let soup = random_soup(n, size);
        let tree = Bvh::build(&soup);
        let mut numbers = Numbers(5);
        for _ in 0..100 {
            let bounds = Aabb::new(numbers.point() * 10.0, numbers.point() * 10.0);
            let mut met = Vec::new();
            assert!(!tree.any_in_box(&bounds, |triangle| {
                met.push(triangle);
                false
            }));
            met.sort_unstable();
            for triangle in 0..soup.n_triangles() {
                let touches = Aabb::around(soup.triangle(triangle)).overlaps(&bounds);
                let is_met = met.binary_search(&triangle).is_ok();
                assert!(is_met || !touches);
                assert_eq!(tree.any_in_box(&bounds, |other| other == triangle), is_met);
                n_met += usize::from(is_met);
            }
            met.dedup();
            assert!(met.len() <= n);
        }
    }
    assert!(n_met > 1000, "{n_met}");
}

/// Returns three floors one above another, each of squares of two triangles.
fn floors() -> Soup {
    let mut soup = Vec::new();
    for n in 0..3 * 36_u16 {
        let [x, z, y] = [n % 6, n / 6 % 6, n / 36].map(f32::from);
        let corner = |dx: f32, dz: f32| vec3(x + dx, 2.0 * y, z + dz);
        soup.push([corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 0.0)]);
        soup.push([corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)]);
    }
    Soup(soup)
}

/// All triangles whose boxes contain a point are visited, for 100,000 points at corners, on edges, inside and outside.
#[test]
fn triangles_whose_boxes_contain_a_point_are_visited() {
    let soup = floors();
    let n = soup.n_triangles();
    let boxes: Vec<Aabb> = (0..n).map(|t| Aabb::around(soup.triangle(t))).collect();
    for split in [Split::Median, Split::SurfaceArea] {
        let tree = Bvh::build_with(&soup, split);
        assert!(tree.nodes.len() <= 2 * soup.0.len());
        let mut numbers = Numbers(3);
        let mut n_met = 0;
        for which in 0..50_000_u32 {
            let [a, b, c] = soup.triangle(which / 4 % n);
            let point = match which % 4 {
                0 => a,
                1 => a.lerp(b, numbers.next().abs()),
                2 => a.lerp(b, 0.5).lerp(c, numbers.next().abs()),
                _ => numbers.point() * 7.0,
            };
            let at = Aabb::new(point, point);
            let mut met = Vec::new();
            tree.any_in_box(&at, |triangle| {
                met.extend(Some(triangle).filter(|&t| boxes[t as usize].overlaps(&at)));
                false
            });
            met.sort_unstable();
            n_met += met.len();
            let of_all = (0..n).filter(|&t| boxes[t as usize].overlaps(&at));
            assert!(met.into_iter().eq(of_all), "{point}");
        }
        assert!(n_met > 50_000, "{n_met}");
    }
}

#[test]
fn thousands_of_equal_boxes_split_evenly() {
    let same = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let soup = Soup(vec![same; 10_000]);
    for split in [Split::Median, Split::SurfaceArea] {
        let bvh = Bvh::build_with(&soup, split);
        check_covers(&bvh, &soup);
        // A leaf has up to four triangles: the logarithm of 2500, rounded up, plus one.
        assert!(depth(&bvh) <= 13, "depth {}", depth(&bvh));
        assert!(bvh.nodes.len() <= 20_000, "{} nodes", bvh.nodes.len());
        let ray = Ray::new(vec3(0.2, 5.0, 0.2), Vec3::NEG_Y).unwrap();
        let hit = bvh.raycast(&soup, &ray).unwrap();
        assert_eq!((hit.triangle, hit.t), (0, 5.0));
    }
}

#[test]
fn sizes_over_many_orders_of_magnitude_stay_within_the_depth() {
    let triangle = |i: u16| {
        let scale = 1.1f32.powi(i32::from(i)) * 1e-18;
        [vec3(scale, 0.0, 0.0), vec3(scale * 1.05, scale, 0.0), vec3(scale, 0.0, scale)]
    };
    let soup = Soup((0..800).map(triangle).collect());
    let bvh = Bvh::build(&soup);
    check_covers(&bvh, &soup);
    assert!(depth(&bvh) <= Bvh::MAX_DEPTH, "depth {}", depth(&bvh));
}

#[test]
fn rays_along_the_axes_meet_flat_ground_on_its_seams() {
    let mut triangles = Vec::new();
    for (x, z) in (0..8u8).flat_map(|x| (0..8u8).map(move |z| (f32::from(x), f32::from(z)))) {
        let [a, b, c, d] = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
            .map(|(dx, dz)| vec3(x + dx, 0.0, z + dz));
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    let soup = Soup(triangles);
    let bvh = Bvh::build(&soup);
    for (x, z) in (0..=16u8).flat_map(|x| (0..=16u8).map(move |z| (f32::from(x), f32::from(z)))) {
        let from = vec3(x * 0.5, 3.0, z * 0.5);
        let hit = bvh.raycast(&soup, &Ray::new(from, Vec3::NEG_Y).unwrap());
        assert_eq!(hit.map(|h| h.t), Some(3.0), "from {from}");
        assert_eq!(bvh.raycast(&soup, &Ray::new(from, Vec3::Y).unwrap()), None);
    }
}

#[test]
fn nothing_has_no_box_and_no_hit() {
    let soup = Soup(Vec::new());
    let bvh = Bvh::build(&soup);
    assert!(bvh.bounds().is_empty());
    assert_eq!(bvh.raycast(&soup, &Ray::new(Vec3::ZERO, Vec3::X).unwrap()), None);
}

#[test]
fn huge_coordinates_do_not_overflow() {
    let soup = Soup(
        (0..64u8)
            .map(|i| {
                let x = (f32::from(i) - 32.0) * 1e37;
                [vec3(x, 0.0, -1e37), vec3(x, 0.0, 1e37), vec3(x + 1e36, 1e37, 0.0)]
            })
            .collect(),
    );
    for split in [Split::Median, Split::SurfaceArea] {
        check_covers(&Bvh::build_with(&soup, split), &soup);
    }
}
