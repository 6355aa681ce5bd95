//! Levels of boxes, ramps and surfaces, rotated and moved as a whole.

use std::sync::Arc;

use walkable::{
    bake::{AreaVolume, BakeInput, BakeSettings, RawArea, VolumeShape},
    glam::Vec3,
    mesh::{MeshPart, TriMesh},
};

/// A level under construction.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) settings: BakeSettings,
    volumes: Vec<AreaVolume>,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<MeshPart>,
    yaw: f32,
    moved: Vec3,
}

impl Scene {
    pub(crate) fn new(settings: BakeSettings, yaw: f32, moved: Vec3) -> Self {
        Self {
            settings,
            volumes: Vec::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            parts: Vec::new(),
            yaw,
            moved,
        }
    }

    /// Converts a point to world space, in which the level is rotated and moved.
    pub(crate) fn place(&self, [x, y, z]: [f32; 3]) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        self.moved + Vec3::new(cos * x + sin * z, y, cos * z - sin * x)
    }

    /// Adds a solid with eight corners: the bottom, then the top in the same order.
    fn solid(&mut self, name: &str, corners: [[f32; 3]; 8], inverted: Winding) {
        let first = u32::try_from(self.vertices.len()).unwrap();
        let placed = corners.map(|corner| self.place(corner));
        self.vertices.extend(placed);
        let sides =
            [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7], [3, 2, 1, 0]];
        let start = u32::try_from(self.triangles.len()).unwrap();
        for [a, b, c, d] in sides {
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                let [a, b, c] = [a, b, c].map(|corner| first + corner);
                self.triangles.push(match inverted {
                    Winding::Out => [a, b, c],
                    Winding::In => [a, c, b],
                });
            }
        }
        self.part(name, start);
    }

    fn part(&mut self, name: &str, start: u32) {
        let end = u32::try_from(self.triangles.len()).unwrap();
        self.parts.push(MeshPart {
            object: name.into(),
            material: "".into(),
            triangles: start..end,
        });
    }

    pub(crate) fn boxed(&mut self, name: &str, min: [f32; 3], max: [f32; 3]) {
        self.wound(name, (min, max), Winding::Out);
    }

    pub(crate) fn wound(&mut self, name: &str, (min, max): ([f32; 3], [f32; 3]), winding: Winding) {
        let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
        let around = |y| [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]];
        let [bottom, top] = [around(y0), around(y1)];
        let corners = [bottom[0], bottom[1], bottom[2], bottom[3], top[0], top[1], top[2], top[3]];
        self.solid(name, corners, winding);
    }

    /// Adds a ramp that rises along x and is solid below.
    pub(crate) fn ramp(&mut self, name: &str, min: [f32; 3], max: [f32; 3]) {
        let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
        let bottom = y0 - 0.1;
        let corners = [
            [x0, bottom, z0],
            [x0, bottom, z1],
            [x1, bottom, z1],
            [x1, bottom, z0],
            [x0, y0, z0],
            [x0, y0, z1],
            [x1, y1, z1],
            [x1, y1, z0],
        ];
        self.solid(name, corners, Winding::Out);
    }

    /// Adds a surface without thickness that faces up, or down with `Winding::In`.
    pub(crate) fn sheet(
        &mut self,
        name: &str,
        min: [f32; 2],
        max: [f32; 2],
        (y, winding): (f32, Winding),
    ) {
        let first = u32::try_from(self.vertices.len()).unwrap();
        let ([x0, z0], [x1, z1]) = (min, max);
        let corners = [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]];
        let placed = corners.map(|corner| self.place(corner));
        self.vertices.extend(placed);
        let start = u32::try_from(self.triangles.len()).unwrap();
        for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
            let [b, c] = match winding {
                Winding::Out => [b, c],
                Winding::In => [c, b],
            };
            self.triangles.push([first + a, first + b, first + c]);
        }
        self.part(name, start);
    }

    /// Adds a volume that makes ground unwalkable.
    pub(crate) fn volume(&mut self, shape: VolumeShape) {
        self.volumes.push(AreaVolume::new(RawArea::NULL, shape));
    }

    pub(crate) fn bake_input(&self) -> BakeInput {
        let (vertices, triangles) = (self.vertices.clone(), self.triangles.clone());
        let mesh = TriMesh::with_parts(vertices, triangles, self.parts.clone()).unwrap();
        let volumes = self.volumes.clone();
        BakeInput { volumes, ..BakeInput::new(Arc::new(mesh), self.settings.clone()) }
    }
}

/// Whether a solid's faces point outward or inward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Winding {
    Out,
    In,
}
