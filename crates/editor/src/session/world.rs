//! Levels larger than memory: the part that is loaded, and the overview of the rest.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec3Swizzles as _};
use walkable::{
    bake::LevelPart,
    debug_draw::{self, CoarseStream},
    diagnostic::{Diagnostic, Finding, Meters},
    geom::{Aabb, Bvh},
    mesh::TriMesh,
};
use walkable_workspace::{lang::tr, whole_level::WholeLevel};

use super::{CoarseLevel, Session};

/// A level or tile store larger than memory that is partly loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    pub hash: u128,
    pub bounds: Aabb,
    /// Number of triangles of the whole level; 0 for a tile store.
    pub n_triangles: usize,
    /// The box whose triangles or tiles are loaded.
    pub part: Aabb,
    /// Center of the part, except near the edges of the level.
    pub around: Vec3,
}

impl World {
    pub const fn level_part(&self) -> LevelPart {
        LevelPart { level: self.bounds, loaded: self.part }
    }

    /// Returns whether the level at `at` is loaded, seen from above.
    pub fn is_loaded(&self, at: Vec3) -> bool {
        contains_xz(&self.part, at)
    }

    /// Returns whether `at` is in the middle half of the loaded part, seen from above. Where the part ends at the
    /// border of the level, so does the middle half.
    pub fn is_in_middle(&self, at: Vec3) -> bool {
        let (border, tolerance) = (0.25 * self.part.size(), 1e-3 * self.part.size());
        [0, 2].iter().all(|&axis| {
            let (part, level) = (&self.part, &self.bounds);
            let starts = part.min[axis] <= level.min[axis] + tolerance[axis];
            let ends = part.max[axis] >= level.max[axis] - tolerance[axis];
            (starts || part.min[axis] + border[axis] <= at[axis])
                && (ends || at[axis] <= part.max[axis] - border[axis])
        })
    }

    /// Returns whether `at` is over or under the level, seen from above.
    pub fn contains(&self, at: Vec3) -> bool {
        contains_xz(&self.bounds, at)
    }
}

fn contains_xz(area: &Aabb, at: Vec3) -> bool {
    area.min.x <= at.x && at.x <= area.max.x && area.min.z <= at.z && at.z <= area.max.z
}

#[derive(Clone, Debug)]
pub struct Overview {
    pub mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub bvh: Arc<Bvh>,
    /// The form that is drawn while the view moves; `None` if the triangles are few.
    pub coarse: Option<Arc<CoarseLevel>>,
    pub map: Arc<HeightMap>,
}

impl Overview {
    pub const MAX_TRIANGLES: usize = 400_000;
    /// Maximum number of triangles of the form that is drawn while the view moves.
    pub const MAX_COARSE: usize = 15_000;

    /// Creates the overview from the triangles of `stream`. `names` are the names of their groups. `None` if there are
    /// no triangles.
    pub fn new(stream: &CoarseStream, names: &[Arc<str>], bounds: &Aabb) -> Option<Self> {
        stream.mesh(names).map(|mesh| Self::of(mesh, bounds))
    }

    pub fn of(mesh: TriMesh, bounds: &Aabb) -> Self {
        let coarse = debug_draw::coarse_mesh(&mesh, &[], Self::MAX_COARSE).map(|coarse| {
            let (mesh, edges) = (Arc::new(coarse.mesh), Arc::default());
            Arc::new(CoarseLevel { mesh, edges, appearance: None })
        });
        let map = Arc::new(HeightMap::of(&mesh, bounds));
        let bvh = Arc::new(Bvh::build(&mesh));
        Self { mesh: Arc::new(mesh), bvh, coarse, map }
    }
}

#[derive(Clone, Debug, Default)]
pub struct OverviewState {
    /// Hash of the file that is read, or was read last.
    pub requested: Option<u128>,
    /// The fraction of the file that was read, from 0 to 1.
    pub progress: f32,
    pub made: Option<Arc<Overview>>,
}

/// The heights of a level, seen from above.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    pub size: [usize; 2],
    /// The height in each cell, row by row from the smallest z; `None` where there is nothing.
    pub heights: Vec<Option<f32>>,
    bounds: Aabb,
}

impl HeightMap {
    /// Number of cells along the longer side.
    const SIDE: f32 = 192.0;
    /// Maximum number of visits to cells. Triangles after that raise only the cell with their middle.
    const MAX_VISITS: usize = 50_000_000;

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most the number of cells"
    )]
    fn empty(bounds: &Aabb) -> Self {
        let extent = bounds.size().xz().max(Vec2::splat(1e-3));
        let cell = extent.max_element() / Self::SIDE;
        let size = (extent / cell).ceil().to_array().map(|n| (n as usize).max(1));
        Self { size, heights: vec![None; size[0] * size[1]], bounds: *bounds }
    }

    pub fn of(mesh: &TriMesh, bounds: &Aabb) -> Self {
        let mut map = Self::empty(bounds);
        let mut n_left = Self::MAX_VISITS;
        for index in 0..mesh.triangles().len() {
            map.add(mesh.corners(index), &mut n_left);
        }
        map
    }

    /// Returns a map of squares, each given by two opposite corners, with heights of 0.
    pub fn of_squares(squares: impl IntoIterator<Item = [Vec2; 2]>, bounds: &Aabb) -> Self {
        let mut map = Self::empty(bounds);
        let mut n_left = Self::MAX_VISITS;
        for [min, max] in squares {
            // Only the cells whose center is in the square, or the one with its middle.
            let [from, to] = [min, max].map(|at| map.cell_of(at));
            let middle = map.cell_of(0.5 * (min + max));
            map.raise(middle, 0.0);
            let n_cells = (to[0] - from[0] + 1) * (to[1] - from[1] + 1);
            if n_left < n_cells {
                continue;
            }
            n_left -= n_cells;
            for (x, z) in (from[1]..=to[1]).flat_map(|z| (from[0]..=to[0]).map(move |x| (x, z))) {
                let at = map.center_of([x, z]);
                if at.cmpge(min).all() && at.cmplt(max).all() {
                    map.raise([x, z], 0.0);
                }
            }
        }
        map
    }

    pub fn height_at(&self, at: Vec2) -> Option<f32> {
        let [x, z] = self.cell_of(at);
        self.heights.get(z * self.size[0] + x).copied().flatten()
    }

    /// Raises the cells whose center is in the triangle, and the cell that contains the triangle's middle, to its
    /// height.
    fn add(&mut self, corners: [Vec3; 3], n_left: &mut usize) {
        let [a, b, c] = corners.map(Vec3::xz);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        self.raise(self.cell_of(middle.xz()), middle.y);
        let [from, to] = [a.min(b).min(c), a.max(b).max(c)].map(|at| self.cell_of(at));
        let double_area = (b - a).perp_dot(c - a);
        let n_cells = (to[0] - from[0] + 1) * (to[1] - from[1] + 1);
        if double_area.abs() < f32::MIN_POSITIVE || *n_left < n_cells {
            return;
        }
        *n_left -= n_cells;
        for (x, z) in (from[1]..=to[1]).flat_map(|z| (from[0]..=to[0]).map(move |x| (x, z))) {
            let at = self.center_of([x, z]);
            let weights = [(b, c), (c, a), (a, b)]
                .map(|(from, to)| (to - from).perp_dot(at - from) / double_area);
            if weights.iter().all(|weight| *weight >= 0.0) {
                let height = corners.iter().zip(weights).map(|(corner, weight)| corner.y * weight);
                self.raise([x, z], height.sum());
            }
        }
    }

    fn raise(&mut self, [x, z]: [usize; 2], height: f32) {
        if let Some(cell) = self.heights.get_mut(z * self.size[0] + x) {
            *cell = Some(cell.map_or(height, |before| before.max(height)));
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "at most the number of cells"
    )]
    fn cell_of(&self, at: Vec2) -> [usize; 2] {
        let share = (at - self.bounds.min.xz()) / self.bounds.size().xz().max(Vec2::splat(1e-3));
        let [x, z] = share.to_array();
        let along = |share: f32, n: usize| ((share * n as f32) as usize).min(n - 1);
        [along(x, self.size[0]), along(z, self.size[1])]
    }

    #[expect(clippy::cast_precision_loss, reason = "at most the number of cells")]
    fn center_of(&self, [x, z]: [usize; 2]) -> Vec2 {
        let [n_x, n_z] = self.size;
        let share = Vec2::new((x as f32 + 0.5) / n_x as f32, (z as f32 + 0.5) / n_z as f32);
        self.bounds.min.xz() + share * self.bounds.size().xz()
    }
}

impl Session {
    pub fn world(&self) -> Option<&World> {
        match &self.opened.level {
            Some(level) => level.world.as_ref(),
            None => self.opened.store.as_ref()?.world.as_ref(),
        }
    }

    /// Returns the level larger than memory that is open, if one is; `None` for a tile store.
    pub fn level_in_part(&self) -> Option<&World> {
        self.opened.level.as_ref()?.world.as_ref()
    }

    /// Returns the open level, to bake all of its tiles; `None` unless a part of it is loaded, or if that is not possible.
    pub(crate) fn whole_level(&self) -> Option<WholeLevel> {
        if self.whole_level_obstacle().is_some() {
            return None;
        }
        let hash = self.level_in_part()?.hash;
        let path = self.opened.level.as_ref()?.source.path()?.to_owned();
        let (config, uses_cache) = (self.document().config(), self.bake.uses_cache);
        Some(WholeLevel { path, hash, config, uses_cache })
    }

    /// Returns why the tiles of the open level cannot be baked one by one, without all of them in memory.
    pub fn whole_level_obstacle(&self) -> Option<&'static str> {
        let document = self.document();
        if cfg!(target_family = "wasm") {
            Some(tr!("A web page cannot bake the whole level, because it has no files."))
        } else if document.obstacles.prepared {
            Some(tr!("Levels that are prepared for obstacles can only be baked in memory."))
        } else if !document.strokes.is_empty()
            || !document.removed_tiles.is_empty()
            || !document.islands.keeps_all()
        {
            Some(tr!(
                "Painted polygons, removed tiles and removed islands need the whole navmesh in memory."
            ))
        } else {
            None
        }
    }

    /// Returns the finding that results concern only the loaded part of the level, if it is larger than memory.
    pub fn part_finding(&self) -> Option<Diagnostic> {
        let world = self.world()?;
        let [width, _, depth] = world.part.size().to_array().map(Meters);
        let [whole_width, _, whole_depth] = world.bounds.size().to_array().map(Meters);
        Some(Finding::PartOfLevel { width, depth, whole_width, whole_depth }.into())
    }

    /// Returns the bounds of everything in the 3D view, including the unloaded rest of a level larger than memory.
    pub fn whole_bounds(&self) -> Aabb {
        let Some(world) = self.world() else { return self.bounds() };
        let overview = self.opened.overview.made.as_ref().map(|overview| overview.mesh.bounds());
        let Aabb { min, max } = overview.unwrap_or(world.bounds);
        Aabb { min: world.bounds.min.min(min), max: world.bounds.max.max(max) }
    }
}

#[cfg(test)]
mod tests {
    use walkable::level::{LevelKind, generate};

    use super::*;

    #[test]
    fn a_map_of_heights_has_the_highest_surface() {
        let square = |y: f32, side: f32| {
            [Vec3::new(0.0, y, 0.0), Vec3::new(0.0, y, side), Vec3::new(side, y, 0.0)]
        };
        let corners = [square(0.0, 96.0), square(2.0, 40.0)].concat();
        let mesh = TriMesh::new(corners, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let map = HeightMap::of(&mesh, &mesh.bounds());
        assert_eq!(map.size, [192, 192]);
        let near = |at: [f32; 2], height: Option<f32>| {
            let found = map.height_at(at.into());
            let are_same = match (found, height) {
                (Some(found), Some(height)) => (found - height).abs() < 1e-3,
                (found, height) => found == height,
            };
            assert!(are_same, "{at:?}: {found:?}");
        };
        near([5.0, 5.0], Some(2.0));
        near([50.0, 20.0], Some(0.0));
        near([90.0, 90.0], None);
    }

    #[test]
    fn an_overview_has_few_triangles_and_a_form_with_fewer() {
        let mesh = generate(LevelKind::Terrain, 1, 200.0).unwrap().mesh;
        let mut stream = CoarseStream::new(&mesh.bounds(), 40_000);
        (0..mesh.triangles().len()).for_each(|index| stream.add(mesh.corners(index), 0));
        let overview = Overview::new(&stream, &["rock".into()], &mesh.bounds()).unwrap();
        let n = overview.mesh.triangles().len();
        assert!((5_000..=40_000).contains(&n), "{n} triangles");
        let fewest = overview.coarse.map_or(n, |coarse| coarse.mesh.triangles().len());
        assert!(fewest <= Overview::MAX_COARSE, "{fewest} triangles");
        let n_empty = overview.map.heights.iter().filter(|height| height.is_none()).count();
        assert!(n_empty < overview.map.heights.len() / 20, "{n_empty} empty cells");
    }
}
